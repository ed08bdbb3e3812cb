"""The theorems of a printed file are about the groups and the acts of the claim, or nothing is printed."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import pytest

import eqvproof as ep
from eqvproof.claims.groups.families import EVERY_FAMILY, FAMILIES
from eqvproof.claims.groups.families.indefinite import indefinite
from eqvproof.rocq import rocq_answers, rocq_text
from eqvproof.rocq.reread import held_by, require_same
from eqvproof.support.errors import ExportError
from tests.rocq.corpus import RIGHT, certificate

Matrix = np.ndarray


def is_permutation(m: Matrix) -> bool:
    rows, columns = (m != 0).sum(axis=1), (m != 0).sum(axis=0)
    return bool(((m == 0) | (m == 1)).all() and (rows == 1).all() and (columns == 1).all())


def is_orthogonal(m: Matrix) -> bool:
    return np.allclose(m @ m.T, np.eye(len(m)), atol=1e-9)


def is_shift(m: Matrix) -> bool:
    return any((m == np.roll(np.eye(len(m)), k, axis=0)).all() for k in range(len(m)))


def det(m: Matrix) -> float:
    return float(np.linalg.det(m))


#: The families of rocq/Checker.v, as `equivariant` in rocq/Checked.v defines them.
IN_FAMILY: Mapping[str, Callable[[Matrix], bool]] = {
    "S": is_permutation, "A": lambda m: is_permutation(m) and abs(det(m) - 1) < 1e-9, "C": is_shift,
    "Signs": lambda m: bool((np.abs(m) == np.eye(len(m))).all()), "O": is_orthogonal,
    "SO": lambda m: is_orthogonal(m) and abs(det(m) - 1) < 1e-9, "GL": lambda m: abs(det(m)) > 1e-9,
    "SL": lambda m: abs(det(m) - 1) < 1e-6,
}  # fmt: skip


def elements(letter: str, size: int) -> list[Matrix]:
    """Matrices of a family, as the package draws them."""
    family, rng = EVERY_FAMILY[letter], random.Random(0)
    found = []
    for _ in range(20):
        data = np.asarray(family.sample(size, rng), dtype=object).astype(float)
        if data.ndim == 1 and family.kind.permutes:
            data = np.eye(size)[data.astype(int)]
        elif data.ndim == 1:
            data = np.diag(data)
        found.append(data)
    return found


def test_printed_families_hold_the_elements_of_the_claimed_ones() -> None:
    for letter, family in FAMILIES.items():
        held = held_by(letter)
        if len(held) > 1 or not family.kind.acts_by_matrices or letter.startswith("Gen"):
            continue
        size = 6 if letter in ("Sp", "Sp2", "U", "SU") else 5
        assert all(map(IN_FAMILY[held[0]], elements(letter, size))), letter
        # the families printed are those of the exporter, which reads its own table
        assert family.rocq == held[0], letter
    for letter in ("O(3,1)", "SO(2,2)"):
        found = indefinite(letter)
        assert found is not None and found.rocq == ("SL" if letter.startswith("S") else "GL")
        assert all(map(IN_FAMILY[found.rocq], elements(letter, 4)))


def test_the_parts_of_a_group_are_those_of_the_table() -> None:
    for letter, family in FAMILIES.items():
        assert tuple(p.rocq for p in family.parts or (family,)) == held_by(letter), letter


def test_smaller_families_do_not_hold_them() -> None:
    """The check of families can fail: at size 5 one element at least is outside of each smaller family."""
    smaller = {
        "A": "C", "S": "A", "O": "SO", "GL": "SL", "SO": "S", "D": "C", "Signs": "S", "U": "S", "Sp": "O",
    }  # fmt: skip
    for letter, other in smaller.items():
        assert not all(map(IN_FAMILY[other], elements(letter, 6))), letter


def centred(X: Any) -> Any:
    return X - X.mean(axis=1, keepdims=True)


#: Claims over all families that are printed.
CLAIMS: tuple[tuple[Callable[..., Any], str, str], ...] = (
    (lambda x: x - x.mean(), "x: n -> n", "S(n)"), (lambda x: x - x.mean(), "x: n -> n", "A(n)"),
    (lambda x: np.roll(x, 1) * x, "x: n -> n", "C(n)"), (lambda x: x - x.mean(), "x: n -> n", "D(n)"),
    (lambda x: x - x.mean(), "x: 5 -> 5", "A(5)"), (lambda x: np.roll(x, 1), "x: 4 -> 4", "C(4)"),
    (lambda x: np.tanh(x) * np.abs(x), "x: n -> n", "Signs(n)"), (lambda x: 2 * x, "x: n -> n", "B(n)"),
    (lambda X: X @ (X.T @ X), "X: d n -> d n", "O(d)"), (lambda X: X @ (X.T @ X), "X: d n -> d n", "SO(d)"),
    (lambda X: X @ (X.T @ X), "X: 3 n -> 3 n", "O(3) x S(n)"), (centred, "X: d n -> d^ n", "T(d)"),
    (centred, "X: d n -> d^ n", "E(d) x S(n)"), (centred, "X: d n -> d^ n", "SE(d) x A(n)"),
    (lambda X, Y: (Y @ X) @ Y, "X: d n, Y: n d* -> n d*", "GL(d)"),
    (lambda X, Y: (Y @ X) @ Y, "X: d n, Y: n d* -> n d*", "SL(d)"),
    (lambda X, Y: (Y @ X) @ Y, "X: 4 n, Y: n 4* -> n 4*", "Lorentz(4)"),
    (lambda X: X / np.abs(X), "X: d n -> d! n", "Scale(d)"), (lambda X: 2 * X, "X: 2d n -> 2d n", "O(d)"),
    (lambda X, Y: np.concatenate([X, Y], axis=1), "X: d n, Y: d k -> d n+k", "O(d)"),
    (lambda x, y: x @ ep.groups.form("Lorentz", x.shape[-1]) @ y.T, "x: m d, y: n d -> m n", "Lorentz(d)"),
    (lambda p: np.einsum("id,jd->ij", p.conj(), p) @ p, "psi[complex]: n d -> n d", "U(d) x S(n)"),
    (lambda X, i: X[:, i] - X[:, i[::-1]], "X: d n, i[n]: m -> d^ m", "T(d)"),
    (lambda X: X[1:].max(axis=0), "X: n d -> d", "T(d)"),
    (lambda X: 2 * X, "X: n+k d -> n+k d", "S(n)"), (lambda x: -x, "x: 100 n -> 100 n", "O(n)"),
    (lambda X: 1 / X, "X: d n -> d* n", "Scale(d)"),
    (lambda X: X - X.mean(axis=0), "X: n d -> n d^", "E(d) x S(n)"),
    (lambda X: X + X.mean(axis=0) - X[0], "X: n d -> n d", "T(d)"),
    (lambda A, X: A @ X, "A: n n, X: n k -> n k", "S(n) x O(k)"),
    (lambda x, w: x * w[:, None, None], "x: b n d, w: b -> b n d", "O(d) each b x S(n) each b"),
    (lambda x: x.mean(1).T, "x: b n d -> d b", "E(d) each b"),
    (lambda h: h * (h * h).sum(), "h: <1x2e+1x1o> -> <1x2e+1x1o>", "O(3)"),
    (lambda s, h: s * h, "s: <1x0o>, h: n <2x0e+1x1e> -> n <2x0o+1x1o>", "O(3) x S(n)"),
    (lambda X: X[:2].sum(axis=0), "X: d n -> n", "S(n)"),
    (lambda X: np.concatenate([X, X], axis=1), "X: d n -> d m", "O(d)"),
    (lambda X: X.reshape(X.shape[0], -1), "X: n 32 64 -> n 2048", "S(n)"),
)  # fmt: skip


@pytest.fixture(scope="module")
def certificates() -> list[Any]:
    found = []
    for claim in CLAIMS:
        verdict = ep.check(*claim)
        assert verdict.grade == "PROVED", (claim[1:], str(verdict))
        assert ep.verify(verdict.certificate).accepted
        found.append(verdict.certificate)
    return found


def test_what_is_printed_states_the_claim(certificates: list[Any]) -> None:
    printed = set[str]()
    for data in certificates:
        text = rocq_text(data)
        require_same(text, data["claim"])
        printed |= set(re.findall(r": equivariant (\w+) ", text))
        count = text.count("Theorem equivariant")
        assert ("equivariant_under_product" in text) == (count > 1)
    assert printed == {*IN_FAMILY, "Scale"}


def test_another_statement_is_refused(certificates: list[Any]) -> None:
    """Another family, size, act, power, motion or factor than the claim's."""
    changes = [
        (rf": equivariant {family} ", f": equivariant {other} ")
        for family in (*IN_FAMILY, "Scale")
        for other in (*IN_FAMILY, "Scale")
        if other != family
    ]
    changes += [
        (r"\(Std, ", "(Dual, "), (r"\(Std, ", "(Fix, "), (r"\(Dual, ", "(Std, "), (r"\(Fix, ", "(Std, "),
        (r"\(Irr 2, ", "(Irr 3, "), (r"\(Irr 2, ", "(Det (Irr 2), "), (r"\(Det Std, ", "(Std, "),
        (r"claimed0 : motion := Still", "claimed0 : motion := Moved 0 (Posz 1) [::] [::]"),
        (r"\[:: Moved 0 \(Posz 1\) \[::\] \[::\]", "[:: Still"), (r"Moved 0", "Moved 1"),
        (r"Posz 1\) \[::\]", "Posz 2) [::]"),
        (r"starts0 : seq \(option nat\) := \[:: Some 0", "starts0 : seq (option nat) := [:: None"),
        (r"stop1 : option nat := Some \d", "stop1 : option nat := Some 2"),
        (r"claimed_shape : shape := \[:: z\d; ", "claimed_shape : shape := [:: "),
        (r": equivariant_under prog \(Each positive_sizes \(([^()]*?)\s(\w+)\)\sstarts0",
         r": equivariant_under prog (Each positive_sizes (\1 other) starts0"),
        (r"positive_sizes : seq nat := \[:: 1; 2\]", "positive_sizes : seq nat := [:: 0; 1; 2]"),
        (r": translated positive_sizes", ": translated others"),
        (r"extent := \[:: \[:: 0\]\]", "extent := [:: [:: 0]; [:: 0]]"), (r"Share 1 z\d", "Share 0 z0"),
        (r"\[::\s+\(Acts\s+S", "[:: (Acts A"), (r" given1 claimed1\)\]", " given0 claimed0)]"),
        (r"(given0 prog) claimed0", r"\1 other"), (r"Theorem equivariant1 ", "Theorem other1 "),
        (r"rtype := \(\[:: ([^\n]*)\], Posz 0\)", r"rtype := ([:: \1], Posz 1)"),
        (r"claimed_shape : shape := \[:: (z\d+)", r"claimed_shape : shape := [:: \1; \1"),
        (r"given_shapes : seq shape := \[:: \[:: (z\d+)", r"given_shapes : seq shape := [:: [:: \1; \1"),
        (r"\(1, \[::\]\); \(1, \[:: 0\]\)\]", "(2, [::]); (1, [:: 0])]"), (r"\(2048, ", "(2047, "),
        (r"\(1, \[::\]\); \(1, \[:: 0\]\)\]", "(1, [::]); (1, [:: 1])]"),
        (r"given_shapes prog", "shapes prog"), (r"prog claimed_shape", "prog other"),
        ("Theorem inside", "Theorem outside"),
    ]  # fmt: skip
    texts = [(rocq_text(data), data) for data in certificates]
    for pattern, new in changes:
        noticed = applied = 0
        for text, data in texts:
            other = re.sub(pattern, new, text)
            if other == text:
                continue
            applied += 1
            try:
                require_same(other, data["claim"])
            except (ExportError, KeyError):
                noticed += 1
        assert noticed, pattern
        # types and sizes of lines are no part of a statement; a form is kept in both ways
        assert noticed == applied or any(word in pattern for word in ("rtype", "extent", "Dual")), pattern


def test_another_claim_is_refused(certificates: list[Any]) -> None:
    """The claim of another certificate, whose file is not one about it."""
    texts = [rocq_text(data) for data in certificates]
    for i, text in enumerate(texts):
        for j, data in enumerate(certificates):
            same = [certificates[i]["claim"][k] for k in ("inputs", "output", "group", "scope")] == [
                data["claim"][k] for k in ("inputs", "output", "group", "scope")
            ]
            if i != j and not same:
                stated = json.dumps([CLAIMS[i][1:], CLAIMS[j][1:]])
                # D(n) is proved as a part of S(n), and so is the larger claim
                if {CLAIMS[i][2], CLAIMS[j][2]} == {"S(n)", "D(n)"} and CLAIMS[i][1] == CLAIMS[j][1]:
                    continue
                # m is whatever size the result has
                if (CLAIMS[i][1:], CLAIMS[j][1:]) == (("X: d n -> d n", "O(d)"), ("X: d n -> d m", "O(d)")):
                    continue
                with pytest.raises((ExportError, KeyError)):
                    require_same(text, data["claim"])
                    pytest.fail(stated)


def test_the_corpus_and_answers_are_read_back() -> None:
    given = [certificate(*spec) for spec in RIGHT.values()]
    for data in given:
        require_same(rocq_text(data), data["claim"])
    assert rocq_answers(given).count("Eval vm_compute") == len(given)
