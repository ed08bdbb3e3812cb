"""Values that each call leaves in objects: they matter only to code that may read them, by whatever name."""

from __future__ import annotations

import copy
import dataclasses
import operator
from functools import partial
from typing import Any

import numpy as np
import pytest

import eqvproof as ep
from tests.judged import assert_proved, assert_refuted


class Layer:
    """Attention that keeps its weights for pictures, as many layers do."""

    def __init__(self) -> None:
        self.weights: Any = None

    def __call__(self, X: Any, mask: Any = None) -> Any:
        scores = X @ X.T
        if mask is not None:
            scores = np.where(mask, scores, -np.inf)
        scores = np.exp(scores)
        self.weights = scores / scores.sum(axis=1, keepdims=True)
        return np.einsum("nm,md->nd", scores / scores.sum(axis=1, keepdims=True), X)


def test_questions_about_other_values_may_be_asked() -> None:
    layer = Layer()
    assert_proved(lambda X: layer(X), "X: n d -> n d", "S(n) x O(d)")
    assert_refuted(lambda X: layer(X) + 1, "X: n d -> n d", "O(d)")


@dataclasses.dataclass
class Record:
    last: Any = None


class Kept:
    """What the functions below read, and set."""

    def __init__(self) -> None:
        self.last: Any = None

    def __iter__(self) -> Any:
        return iter([self.last])


class Copied(Kept):
    """Its copies hold what it holds under another name."""

    def __setstate__(self, state: Any) -> None:
        (self.old,) = state.values()


class Tools:
    """A function that reads attributes, held by a class, an object, and a list."""

    pick = staticmethod(copy.copy)

    def __init__(self) -> None:
        self.taken = copy.copy


class Picks(list):
    pass


TOOLS, PICKS, PARTIAL = Tools(), Picks([copy.copy]), partial(copy.copy)
KEPT, RECORD, COPIED = Kept(), Record(), Copied()
duplicate = copy.copy
ask, variables, last_of = getattr, vars, operator.attrgetter("last")
asked_of, attribute, held, as_tuple = (
    partial(getattr), RECORD.__getattribute__, RECORD.__dict__, dataclasses.astuple,
)  # fmt: skip


def with_default(holder: Any, reader: Any = getattr) -> Any:
    return reader(holder, "la" + "st")


def by_match(holder: Any) -> Any:
    match holder:
        case Kept(last=None):
            return None
    return 1


READERS: tuple[tuple[Any, Any], ...] = (
    (KEPT, lambda: KEPT.last),
    (KEPT, lambda: ask(KEPT, "la" + "st")),
    (KEPT, lambda: next(v for n, v in variables(KEPT).items() if n.startswith("la"))),
    (KEPT, lambda: next(v for n, v in KEPT.__dict__.items() if n.startswith("la"))),
    (KEPT, lambda: last_of(KEPT)),
    (KEPT, lambda: by_match(KEPT)),
    (KEPT, lambda: with_default(KEPT)),
    (KEPT, lambda: next(iter(KEPT))),
    (KEPT, lambda: asked_of(KEPT, "la" + "st")),
    (KEPT, lambda: copy.copy(KEPT).last),
    (COPIED, lambda: copy.copy(COPIED).old),
    (COPIED, lambda: duplicate(COPIED).old),
    (COPIED, lambda: copy.deepcopy(COPIED).old),
    (COPIED, lambda: TOOLS.pick(COPIED).old),
    (COPIED, lambda: TOOLS.taken(COPIED).old),
    (COPIED, lambda: PICKS[0](COPIED).old),
    (COPIED, lambda: PARTIAL(COPIED).old),
    (RECORD, lambda: as_tuple(RECORD)[0]),
    (RECORD, lambda: None if RECORD == Record() else 1),
    (RECORD, lambda: attribute("la" + "st")),
    (RECORD, lambda: next(iter(held.values()))),
)


@pytest.mark.parametrize(("holder", "read"), READERS)
def test_what_an_earlier_call_left_may_decide(holder: Any, read: Any) -> None:
    """The first call returns x, the others x times its first entry: equivariant once."""
    holder.last = None

    def target(x: Any) -> Any:
        y = x if read() is None else x * x[0]
        holder.last = x
        return y

    assert ep.prove(target, "x: n -> n", "S(n)").outcome == "UNDECIDED"


def test_leaves_of_trees_may_decide() -> None:
    """The fields of a registered class are read by the names with which it was registered."""
    jax = pytest.importorskip("jax")

    class Leaf:
        last: Any = None

    jax.tree_util.register_dataclass(Leaf, data_fields=["last"], meta_fields=[])
    leaf, leaves = Leaf(), jax.tree.leaves
    leaf.last = None

    def is_none(value: Any) -> bool:
        return value is None

    def target(x: Any) -> Any:
        y = x if leaves(leaf, is_leaf=is_none)[0] is None else np.where(x > 50, x * x[0], x)
        leaf.last = 1.0
        return y

    assert ep.prove(target, "x: n -> n", "S(n)").outcome == "UNDECIDED"
