"""Arrays of constants that a group keeps are functions without arguments, of which a theorem assumes that."""

from __future__ import annotations

import copy
import random
import re
import shutil
from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

import eqvproof as ep
from eqvproof.claims.groups import Factor, generated_by, random_element
from eqvproof.claims.groups.harmonics import irrep_matrix
from eqvproof.engines.verdict import seal
from eqvproof.programs.program import parse_numbers
from eqvproof.rocq import rocq_answers, rocq_text
from eqvproof.rocq.compile import Extracted, Rocq
from eqvproof.rocq.print_theorem import SOUNDNESS
from eqvproof.rocq.read_forms import read_forms
from eqvproof.support.errors import ExportError
from tests.judged import assert_proved
from tests.rocq.printed import parsed
from tests.rocq.python_checker import answers

F = Fraction
METRIC = np.diag([1, -1, -1, -1])
SYMPLECTIC = np.kron([[0, 1], [-1, 0]], np.eye(2, dtype=int))
CYCLE = generated_by([(1, 2, 0)], axis="d")
TURN = generated_by([[[0, -1, 0], [1, 0, 0], [0, 0, 1]]])
NEIGHBOURS = np.array([[0, 1, 0, 1], [1, 0, 1, 0]] * 2)
TURNED = np.array([[0, -1, 0], [1, 0, 0], [0, 0, 2]])


def harmonics(x: Any) -> Any:
    a, b, c, s = x[0], x[1], x[2], np.sqrt(3)
    return np.stack([s * a * c, s * a * b, b * b - (a * a + c * c) / 2, s * b * c, s / 2 * (c * c - a * a)])


def vandermonde(x: Any) -> Any:
    return (x[0] - x[1]) * (x[1] - x[2]) * (x[2] - x[0])


Case = tuple[Callable[..., Any], str, Any]
CASES: tuple[Case, ...] = (
    (np.cross, "x: n 3, y: n 3 -> n 3", "SO(3)"),
    (lambda x, y: (np.cross(x, y) ** 2).sum(1), "x: n 3, y: n 3 -> n", "O(3) x S(n)"),
    (lambda x, y, z: (np.cross(x, y) * z).sum()[None], "x: 3, y: 3, z: 3 -> <1x0o>", "O(3)"),
    (lambda x, y: np.einsum("ik,kl,jl->ij", x, METRIC, y), "x: m 4, y: n 4 -> m n", "Lorentz(4)"),
    (lambda x: np.einsum("ik,kl->il", x, METRIC), "x: n 4 -> n 4*", "Lorentz(4)"),
    (lambda x, y: np.einsum("ik,kl,jl->ij", x, SYMPLECTIC, y), "x: m 4, y: n 4 -> m n", "Sp(4)"),
    (vandermonde, "x: 3 -> ()", "A(3)"),
    (lambda x: x @ TURNED, "x: n 3 -> n 3", TURN),
    (lambda x: np.cross(x, np.roll(x, 1)), "x: d -> d", CYCLE),
    (lambda x: NEIGHBOURS @ x, "x: 4 -> 4", "D(4)"),
    (lambda x, y: np.cross(x, y), "x: b n 3, y: b n 3 -> b n 3", "SO(3) each b"),
)  # fmt: skip


@pytest.fixture(scope="module")
def certificates() -> list[Any]:
    options: Any = {"reps": {"m": ("O(d)", "2e")}, "sizes": {"d": 3}}
    found = [assert_proved(*case).certificate for case in CASES]
    found.append(assert_proved(harmonics, "x: d -> m", "O(d)", **options).certificate)
    assert all("forms" in certificate for certificate in found)
    return found


def kept(text: str) -> list[tuple[int, Any]]:
    """What is assumed of arrays of constants: the number of the function, and the type."""
    words = " ".join(re.sub(r"\(\* (?!Function).*?\*\)", "", text, flags=re.S).split())
    types = dict(re.findall(r"Definition (t\d+) : rtype := (.*?)\. (?=[A-Z])", words))
    found = []
    for facts in re.findall(r"Definition facts\d+ : nat -> option fact := nth None (.*?)\. (?=[A-Z])", words):
        for number, fact in enumerate(parsed(facts)):
            if fact[0] == "Some" and fact[1][0] == "Typed" and fact[1][1] == []:
                found.append((number, parsed(types[fact[1][2]])))
    return found


def matrices(kind: Any, size: int, g: np.ndarray) -> np.ndarray:
    """The matrix of an element along a part of an axis."""
    match kind:
        case "Fix":
            return np.eye(size)
        case "Std":
            return g
        case "Dual":
            return np.linalg.inv(g).T
        case "Irr", int(degree):
            return np.asarray(irrep_matrix(g, degree, "eo"[degree % 2]), float)
        case "Det", inner:
            return np.linalg.det(g) * matrices(inner, size, g)
    raise AssertionError(kind)


def elements(certificate: Any) -> Iterator[np.ndarray]:
    """Matrices of elements of the group."""
    for entry in certificate["claim"]["group"]:
        axis = entry["axis"]
        scope = certificate["claim"]["scope"].get(axis, axis)
        size = scope[0] if isinstance(scope, list) else scope
        if not isinstance(size, int):
            continue
        for generator in entry.get("generators", ()):
            rows = np.eye(len(generator))[generator] if isinstance(generator[0], int) else generator
            yield np.array([[float(parse_numbers(str(v))[0]) for v in row] for row in rows])
        if "generators" not in entry:
            for seed in range(3):
                element = random_element(Factor(entry["family"], axis), size, random.Random(seed))
                data = np.array(element.data, dtype=float)
                yield np.eye(len(data))[data.astype(int)] if data.ndim == 1 else data


def is_kept(certificate: Any, number: int, type_: Any) -> bool:
    """Whether some elements take a table to itself, as numbers tell."""
    forms = read_forms(certificate)
    held, text = forms.functions[number]["array"]
    assert held == "numbers"
    line = forms.use(number)
    assert line is not None
    shape = [size.constant for size in forms.shapes[line]]
    table = np.array([float(v) for v in parse_numbers(text)]).reshape(shape)
    axes, (sign, exponent) = type_
    for g in elements(certificate):
        turned = table
        for k, parts in enumerate(axes):
            kinds = [kind for kind, _ in parts]
            sizes = [table.shape[k]] if len(kinds) == 1 else []
            if kinds:
                assert sizes, "an axis of several parts"
                own = matrices(kinds[0], sizes[0], g)
                turned = np.moveaxis(np.tensordot(own, turned, (1, k)), 0, k)
        power = exponent if sign == "Posz" else -exponent - 1
        if not np.allclose(np.linalg.det(g) ** power * turned, table, atol=1e-6):
            return False
    return True


def with_numbers(certificate: Any, number: int, place: int, by: Fraction) -> Any:
    """The certificate with another number in a table."""
    other = copy.deepcopy(certificate)
    array = other["forms"]["functions"][number]["array"]
    values = [*parse_numbers(array[1])]
    values[place] += by
    array[1] = " ".join(map(str, values))
    return seal("proof", **{part: other[part] for part in ("claim", "forms", "evidence")})


def test_tables_that_groups_keep_become_theorems(rocq: Rocq, certificates: list[Any]) -> None:
    assert rocq.accepts(certificates) == [True] * len(certificates)
    assert answers("".join(map(module, certificates))) == [True] * len(certificates)
    if shutil.which("ocamlfind") is not None:
        assert Extracted().accepts(certificates) == [True] * len(certificates)
    found = rocq.check_file(rocq_text(certificates[0]), fewest=2)
    assert found.accepted, found.reason


def module(certificate: Any) -> str:
    text = rocq_answers([certificate])
    return text[text.index("Module") :]


def test_what_is_assumed_of_tables_is_so(certificates: list[Any]) -> None:
    counts = []
    for certificate in certificates:
        found = kept(rocq_text(certificate))
        counts.append(len(found))
        assert all(is_kept(certificate, *one) for one in found), certificate["claim"]
        # and a number that is other by a quarter would be seen
        for number, type_ in found:
            other = with_numbers(certificate, number, 1, F(1, 4))
            assert not is_kept(other, number, type_)
            assert not ep.verify(other).accepted
    assert all(counts)


def test_a_table_that_is_not_kept_is_not_printed(certificates: list[Any]) -> None:
    certificate = certificates[0]
    (number, _), *_ = kept(rocq_text(certificate))
    for changed in (F(1), F(-2), F(1, 3)):
        other = with_numbers(certificate, number, 5, changed)
        assert not ep.verify(other).accepted
        with pytest.raises(ExportError, match="table of constants"):
            rocq_text(other)


def test_without_what_is_assumed_the_checkers_refuse(rocq: Rocq, certificates: list[Any]) -> None:
    """A fact that is left out, of another type, or of a function with arguments shows nothing."""
    text = rocq_answers([certificates[0]])
    fact = re.search(r"Some\s+\(Typed\s+\[::\]\s+(t\d+)\)", text)
    assert fact is not None
    wrong = next(name for name in re.findall(r"Definition (t\d+) : rtype", text) if name != fact[1])
    for new in ("None", f"Some (Typed [::] {wrong})", f"Some (Typed [:: {fact[1]}] {fact[1]})"):
        changed = text.replace(fact[0], new)
        assert changed != text
        assert answers(changed) == [False], new
        if shutil.which("ocamlfind") is not None:
            assert Extracted().answers(changed) == [False], new
    found = rocq.check_file(text.replace(fact[0], "None") + SOUNDNESS)
    assert found.accepted, found.reason
    assert "= false" in found.output and "= true" not in found.output
