"""Identities that are true where both sides are defined: whether they are defined at the same points."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest

from tests.kernel.corpus import JSON, Graph, claim, seal
from tests.kernel.encoding import check_certificate, encoded
from tests.kernel.oracle import is_true


class Terms(Graph):
    """Scalar expressions in x, y and vectors v, w."""

    def __init__(self) -> None:
        super().__init__(x=[], y=[], v=["n"], w=["n"])
        self.x, self.y = (self.node("input", [], [], name=n) for n in "xy")
        self.v, self.w = (self.node("input", [], ["n"], name=n) for n in "vw")

    def number(self, value: str) -> int:
        return self.node("const", [], [], values=[value])

    def map(self, fn: str, arg: int) -> int:
        return self.node("map", [arg], self.nodes[arg]["shape"], fn=fn)

    def times(self, *args: int) -> int:
        return self.node("einsum", list(args), [], inputs=[[]] * len(args), output=[])

    def dot(self, *args: int) -> int:
        """sum_i of the product of vectors."""
        return self.node("einsum", list(args), [], inputs=[[0]] * len(args), output=[])

    def plus(self, *args: int) -> int:
        return self.node("add", list(args), [])

    def minus(self, a: int, b: int) -> int:
        return self.plus(a, self.times(self.number("-1"), b))

    def pruned(self, last: int) -> JSON:
        """The program of a node."""
        used, order = {last}, list[int]()
        for k in range(last, -1, -1):
            if k in used:
                used |= set(self.nodes[k]["args"])
                order.insert(0, k)
        nodes = [{**self.nodes[k], "args": [order.index(a) for a in self.nodes[k]["args"]]} for k in order]
        return {"inputs": self.inputs, "nodes": nodes, "output": len(nodes) - 1}


#: Name -> (the expression, whether it is > 0 wherever it is defined, whether it is >= 0 there).
INNER: dict[str, tuple[Callable[[Terms], int], bool, bool]] = {
    "x": (lambda t: t.x, False, False),
    "x^2": (lambda t: t.times(t.x, t.x), False, True),
    "x^3": (lambda t: t.times(t.x, t.x, t.x), False, False),
    "x y": (lambda t: t.times(t.x, t.y), False, False),
    "x^2 y": (lambda t: t.times(t.x, t.x, t.y), False, False),
    "x^2 y^2": (lambda t: t.times(t.x, t.y, t.x, t.y), False, True),
    "x^2 + 1": (lambda t: t.plus(t.times(t.x, t.x), t.number("1")), True, True),
    "x^2 - 1": (lambda t: t.minus(t.times(t.x, t.x), t.number("1")), False, False),
    "x + 1": (lambda t: t.plus(t.x, t.number("1")), False, False),
    "x^2 + y^2": (lambda t: t.plus(t.times(t.x, t.x), t.times(t.y, t.y)), False, True),
    "x^2 + y": (lambda t: t.plus(t.times(t.x, t.x), t.y), False, False),
    "exp x": (lambda t: t.map("exp", t.x), True, True),
    "-exp x": (lambda t: t.times(t.number("-1"), t.map("exp", t.x)), False, False),
    "exp x + y^2": (lambda t: t.plus(t.map("exp", t.x), t.times(t.y, t.y)), True, True),
    "exp x + y": (lambda t: t.plus(t.map("exp", t.x), t.y), False, False),
    "exp x - y^2": (lambda t: t.minus(t.map("exp", t.x), t.times(t.y, t.y)), False, False),
    "exp x - 2": (lambda t: t.minus(t.map("exp", t.x), t.number("2")), False, False),
    "y exp x": (lambda t: t.times(t.y, t.map("exp", t.x)), False, False),
    "y^2 exp x": (lambda t: t.times(t.y, t.y, t.map("exp", t.x)), False, True),
    "|x|": (lambda t: t.map("abs", t.x), False, True),
    "|x| y": (lambda t: t.times(t.map("abs", t.x), t.y), False, False),
    "|x| + 1": (lambda t: t.plus(t.map("abs", t.x), t.number("1")), True, True),
    "sqrt(x) y": (lambda t: t.times(t.map("sqrt", t.x), t.y), False, False),
    "1/exp x": (lambda t: t.map("recip", t.map("exp", t.x)), True, True),
    "1/x": (lambda t: t.map("recip", t.x), False, False),
    "1/(x^2 + 1)": (lambda t: t.map("recip", t.plus(t.times(t.x, t.x), t.number("1"))), True, True),
    "1/(exp x + y)": (lambda t: t.map("recip", t.plus(t.map("exp", t.x), t.y)), False, False),
    "sin x": (lambda t: t.map("sin", t.x), False, False),
    "2": (lambda t: t.number("2"), True, True),
    "-2": (lambda t: t.number("-2"), False, False),
    "v.v": (lambda t: t.dot(t.v, t.v), False, True),
    "v.w": (lambda t: t.dot(t.v, t.w), False, False),
    "sum v": (lambda t: t.dot(t.v), False, False),
    "sum v^3": (lambda t: t.dot(t.v, t.v, t.v), False, False),
    "sum v^2 w": (lambda t: t.dot(t.v, t.v, t.w), False, False),
    "sum v^2 w^2": (lambda t: t.dot(t.v, t.w, t.v, t.w), False, True),
    "sum |v|": (lambda t: t.dot(t.map("abs", t.v)), False, True),
    "sum |v| w": (lambda t: t.dot(t.map("abs", t.v), t.w), False, False),
    "sum |v| w^2": (lambda t: t.dot(t.map("abs", t.v), t.w, t.w), False, True),
    "sum sqrt(v)": (lambda t: t.dot(t.map("sqrt", t.v)), False, True),
    "sum exp v": (lambda t: t.dot(t.map("exp", t.v)), True, True),
    "sum w exp v": (lambda t: t.dot(t.map("exp", t.v), t.w), False, False),
    "sum w^2 exp v": (lambda t: t.dot(t.map("exp", t.v), t.w, t.w), False, True),
    "sum exp v + w.w": (lambda t: t.plus(t.dot(t.map("exp", t.v)), t.dot(t.w, t.w)), True, True),
    "sum exp v + v.w": (lambda t: t.plus(t.dot(t.map("exp", t.v)), t.dot(t.v, t.w)), False, False),
    "sum exp v - w.w": (lambda t: t.minus(t.dot(t.map("exp", t.v)), t.dot(t.w, t.w)), False, False),
    "v.v + 1": (lambda t: t.plus(t.dot(t.v, t.v), t.number("1")), True, True),
    "v.v - 1": (lambda t: t.minus(t.dot(t.v, t.v), t.number("1")), False, False),
    "v.v + w.w": (lambda t: t.plus(t.dot(t.v, t.v), t.dot(t.w, t.w)), False, True),
    "sum 1/exp v": (lambda t: t.dot(t.map("recip", t.map("exp", t.v))), True, True),
    "sum 1/v": (lambda t: t.dot(t.map("recip", t.v)), False, False),
    "x v.v": (lambda t: t.times(t.x, t.dot(t.v, t.v)), False, False),
}


def certificate(inner: Callable[[Terms], int], kind: str, same: bool) -> JSON:
    """exp(log p) = p, sqrt(p) sqrt(p) = p, or |p| = p."""
    left, right = Terms(), Terms()
    p = inner(left)
    made = {
        "log": lambda: left.map("exp", left.map("log", p)),
        "sqrt": lambda: left.times(left.map("sqrt", p), left.map("sqrt", p)),
        "abs": lambda: left.map("abs", p),
    }[kind]()
    return seal(
        "identity", claim=claim("x: (), y: (), v: n, w: n -> ()", kind="identity"), program=left.pruned(made),
        other=right.pruned(inner(right)),
        evidence={"way": {"cells": 0, "angles": False}, "same_domain": same},
    )  # fmt: skip


@pytest.mark.parametrize("name", INNER)
def test_a_domain_that_is_smaller_is_seen(name: str) -> None:
    inner, positive, not_negative = INNER[name]
    for kind, true in (("log", positive), ("sqrt", not_negative), ("abs", not_negative)):
        for same in (True, False):
            report = check_certificate(certificate(inner, kind, same))
            assert "internal" not in report.reason
            if report.accepted:
                assert true or not (same or kind == "abs"), (name, kind, same)
                assert is_true(encoded(certificate(inner, kind, same)), random.Random(0))


def test_the_simple_ones_are_accepted() -> None:
    """The positive control."""
    seen = {
        (name, kind)
        for name, (inner, *_) in INNER.items()
        for kind in ("log", "sqrt", "abs")
        if check_certificate(certificate(inner, kind, same=True)).accepted
    }
    assert {("exp x", "log"), ("|x| + 1", "sqrt"), ("v.v", "sqrt"), ("sum w^2 exp v", "sqrt")} <= seen, seen
