"""U(d) and SU(d) on complex arrays: pairs of real ones, and the real matrices that commute with i."""

from __future__ import annotations

import copy
import json
import random
from collections.abc import Callable
from fractions import Fraction
from itertools import combinations
from typing import Any

import numpy as np
import pytest

import eqvproof as ep
from eqvproof.claims.complex_number import ComplexNumber
from eqvproof.claims.groups import Factor, is_trivial, random_element, simple_elements
from eqvproof.claims.groups.families import EVERY_FAMILY
from eqvproof.claims.groups.family import LieFamily
from eqvproof.claims.signature import parse_form
from eqvproof.claims.signature.complex_axes import in_reals
from eqvproof.claims.size import Size
from eqvproof.engines.verdict.certificate import seal
from eqvproof.kernel import claims, invariants, membership, report
from eqvproof.programs.evaluate import evaluate_float
from eqvproof.programs.halves import rewrite_halves
from eqvproof.programs.operations.form import Form
from eqvproof.programs.rules import Context
from eqvproof.programs.rules.acts import is_fixed
from eqvproof.programs.rules.invariant_constants import invariant_types
from eqvproof.support.errors import EqvproofError, TraceError
from eqvproof.tracing.arrays.pairs import Pair, complex_array, real_array
from eqvproof.tracing.models import as_function
from eqvproof.tracing.numpy.trace import trace_all_sizes
from tests.judged import assert_proved, assert_refuted

F = Callable[..., Any]


def born(psi: Any, phi: Any) -> Any:
    """The probabilities of Born's rule."""
    return np.abs(psi @ np.conj(phi).T) ** 2


def layer(psi: Any) -> Any:
    """States mixed by the squared moduli of their overlaps."""
    weights = np.exp(-(np.abs(np.einsum("ni,mi->nm", psi.conj(), psi)) ** 2))
    return weights / weights.sum(axis=1, keepdims=True) @ psi


def overlaps(psi: Any) -> Any:
    return (psi @ psi.conj().T) @ psi


def area(x: Any, y: Any) -> Any:
    return (x[0] * y[1] - x[1] * y[0]).real


PROVED: list[tuple[F, str, str, dict[str, int] | None]] = [
    (lambda psi: (psi * psi.conj()).real.sum(axis=-1), "psi[complex]: n d -> n", "U(d)", {"d": 3}),
    (born, "psi[complex]: n 2, phi[complex]: m 2 -> n m", "U(2)", None),
    (born, "psi[complex]: n 4, phi[complex]: m 4 -> n m", "U(4) x S(n)", None),
    (layer, "psi[complex]: n 3 -> n 3", "U(3) x S(n)", None),
    (overlaps, "psi[complex]: n d -> n d", "U(d) x S(n)", {"d": 2}),
    (lambda psi: (1 + 2j) * psi, "psi[complex]: n 2 -> n 2", "U(2)", None),
    (lambda psi: psi.conj(), "psi[complex]: n 2 -> n 2*", "U(2)", None),
    (lambda psi, a: (a @ psi.T).real, "psi[complex]: n 2, a[complex]: 2* -> n", "U(2)", None),
    (lambda psi, h: h @ psi, "psi[complex]: n 2, h: n n -> n 2", "U(2) x S(n)", None),
    (area, "x[complex]: 2, y[complex]: 2 -> ()", "SU(2)", None),
    (lambda psi: np.abs(psi).sum(axis=1), "psi[complex]: n d -> n", "S(n) x S(d)", None),
    # a size means the axes that are written so, and where there are none, the axis d
    (overlaps, "psi[complex]: n d -> n d", "U(2) x S(n)", None),
    (area, "x[complex]: d, y[complex]: d -> ()", "SU(2)", None),
]
#: At all sizes of the axis, and at one that is not written out in components.
WHOLE: list[tuple[F, str, str]] = [
    (born, "psi[complex]: n d, phi[complex]: m d -> n m", "U(d) x S(n)"),
    (layer, "psi[complex]: n d -> n d", "U(d) x S(n)"),
    (overlaps, "psi[complex]: n d -> n d", "SU(d)"),
    (lambda psi: (psi * psi.conj()).real.sum(axis=-1), "psi[complex]: n d -> n", "U(d)"),
    (lambda psi: (np.abs(psi) ** 2).sum(axis=-1), "psi[complex]: n d -> n", "U(d)"),
    (
        lambda psi: psi / np.sqrt((np.abs(psi) ** 2).sum(-1, keepdims=True)),
        "psi[complex]: n d -> n d",
        "U(d)",
    ),
    (lambda psi: (1 + 2j) * psi, "psi[complex]: d n -> d n", "U(d)"),
    (lambda psi, h: h @ psi, "psi[complex]: n d, h[complex]: n n -> n d", "U(d)"),
    (lambda psi, a: (a @ psi.T).imag, "psi[complex]: n d, a[complex]: d* -> n", "U(d)"),
    (lambda psi: psi.conj(), "psi[complex]: n d -> n d*", "U(d)"),
    (
        lambda psi, x: psi * np.exp(1j * x)[:, None] / (2 - 1j) + psi * (x * 3j + 1)[:, None],
        "psi[complex]: n d, x: n -> n d",
        "U(d) x S(n)",
    ),
]


@pytest.mark.parametrize("sizes", [None, {"d": 7}])
@pytest.mark.parametrize(("f", "signature", "under"), WHOLE, ids=[str(k) for k in range(len(WHOLE))])
def test_proved_at_all_sizes(f: F, signature: str, under: str, sizes: dict[str, int] | None) -> None:
    verdict = assert_proved(f, signature, under, sizes=sizes)
    assert verdict.sizes[0]["d"] == (sizes or {"d": "all"})["d"]


@pytest.mark.parametrize(
    ("f", "signature"),
    [
        (lambda psi, phi: np.abs(psi @ phi.T) ** 2, "psi[complex]: n d, phi[complex]: m d -> n m"),
        (lambda psi, phi: (psi @ phi.conj().T) @ phi.conj(), "psi[complex]: n d, phi[complex]: m d -> n d"),
        (lambda psi: (psi * psi).real.sum(axis=-1), "psi[complex]: n d -> n"),
        (lambda psi: psi + psi.conj(), "psi[complex]: n d -> n d"),
        (lambda psi: np.abs(psi[:, ::-1]) * psi, "psi[complex]: n d -> n d"),
        (lambda psi: psi + 1j * np.real(psi), "psi[complex]: n d -> n d"),
        (lambda psi: psi - (0.5 + 1j), "psi[complex]: n d -> n d"),
    ],
)
def test_slips_fail_at_all_sizes(f: F, signature: str) -> None:
    assert_refuted(f, signature, "U(d)")


def test_the_form_is_that_of_the_group() -> None:
    """A proof with B is none under groups that keep another form, or none, nor with the other B."""
    whole = body(assert_proved(overlaps, "psi[complex]: n d -> n d", "U(d)"))
    assert ep.verify(seal("proof", **whole)).accepted
    assert whole["forms"]["functions"] == [{"array": ["form", False]}]
    for family in ("O", "SO", "Lorentz", "GL", "S", "Signs"):
        other = copy.deepcopy(whole)
        other["claim"]["group"][0]["family"] = other["evidence"]["factors"][0]["family"] = family
        assert not ep.verify(seal("proof", **other)).accepted
    (kind,) = [k for k in whole["forms"]["kinds"] if k[1] == "Whole"]
    for array in (["form", True], ["form", 0], ["numbers", "0 1 -1 0"]):
        other = copy.deepcopy(whole)
        other["forms"]["functions"] = [{"array": array}]
        assert not ep.verify(seal("proof", **other)).accepted
    for size in ([[4, ["d"]]], "d", 2):
        other = copy.deepcopy(whole)
        other["forms"]["shapes"][kind[0]] = [size, size]
        assert not ep.verify(seal("proof", **other)).accepted


PARTS: list[F] = [
    layer, overlaps, lambda z: (2 - 1j) * z.conj() @ z.T @ z, lambda z: np.abs(z) * z,
    lambda z: (z @ z.conj().T).imag @ z.imag + 0 * z, lambda z: np.exp(z.real) * z.conj(),
    lambda z: (z @ z.T) @ (z[:, ::-1].imag * 1j - z.real),
    lambda z: np.abs(np.einsum("ni,mi,mj->nj", z * z, (np.abs(z) ** 2).sum(1)[:, None] * z, 2 * z)) * z,
]  # fmt: skip


@pytest.mark.parametrize("number", range(len(PARTS)))
def test_programs_with_whole_axes_are_equal(number: int) -> None:
    form = parse_form("z[complex]: n d -> n d")
    form = in_reals(form, {"d"})
    f = as_function(PARTS[number], (form, form.results[0]), None)
    program = trace_all_sizes(f, form.signatures[0], {}).program
    other = rewrite_halves(program, [Size.of(2) * Size.of("d")])
    assert number > 2 or any(type(node) is Form for node in other.nodes)
    z = np.random.default_rng(number).normal(size=(3, 10))
    results = [evaluate_float(p, {"z": z}, {"n": 3, "d": 5}) for p in (program, other)]
    assert np.allclose(*results)


FAILS: list[tuple[F, str, str]] = [
    (lambda psi: (psi * psi).real.sum(axis=-1), "psi[complex]: n 2 -> n", "U(2)"),
    (lambda psi, phi: np.abs(psi @ phi.T) ** 2, "psi[complex]: n 2, phi[complex]: m 2 -> n m", "U(2)"),
    (lambda psi: (psi @ psi.T) @ psi, "psi[complex]: n 2 -> n 2", "U(2)"),
    (lambda psi: psi.conj(), "psi[complex]: n 2 -> n 2", "U(2)"),
    (lambda psi: (psi + psi.conj()) / 2, "psi[complex]: n 2 -> n 2", "SU(2)"),
    (area, "x[complex]: 2, y[complex]: 2 -> ()", "U(2)"),
    (area, "x[complex]: d, y[complex]: d -> ()", "U(2)"),
    (lambda psi: np.abs(psi) ** 2, "psi[complex]: n 2 -> n 2!", "SU(2)"),
]


@pytest.mark.parametrize(
    ("f", "signature", "under", "sizes"), PROVED, ids=[str(k) for k in range(len(PROVED))]
)
def test_proved(f: F, signature: str, under: str, sizes: dict[str, int] | None) -> None:
    assert_proved(f, signature, under, sizes=sizes)


@pytest.mark.parametrize(("f", "signature", "under"), FAILS, ids=[str(k) for k in range(len(FAILS))])
def test_slips_fail(f: F, signature: str, under: str) -> None:
    assert_refuted(f, signature, under)


AT = [(name, size) for name in ("U", "SU") for size in (2, 4, 6)]


def as_complex(matrix: Any) -> Any:
    g = np.array(matrix, dtype=float)
    half = len(g) // 2
    assert (g[:half, :half] == g[half:, half:]).all() and (g[:half, half:] == -g[half:, :half]).all()
    return g[:half, :half] + 1j * g[half:, :half]


@pytest.mark.parametrize(("name", "size"), AT)
def test_elements_are_unitary(name: str, size: int) -> None:
    rng, factor = random.Random(size), Factor(name, "d")
    found = [*simple_elements(factor, size)]
    found += [] if is_trivial(factor, size) else [random_element(factor, size, rng) for _ in range(8)]
    assert is_trivial(factor, size) == (name == "SU" and size == 2)
    for g in found:
        u = as_complex(g.matrix())
        assert np.allclose(u @ u.conj().T, np.eye(size // 2))
        determinant = np.linalg.det(u)
        assert name == "U" or np.isclose(determinant, 1)
        assert np.isclose(complex(*map(float, membership.complex_determinant(g.matrix()))), determinant)
        assert (name == "SU") <= (not EVERY_FAMILY["SU"].why_not(g.data, size))


@pytest.mark.parametrize(("name", "size"), AT)
def test_lie_bases_are_those_of_skew_hermitian_matrices(name: str, size: int) -> None:
    record, half = EVERY_FAMILY[name], size // 2
    assert isinstance(record, LieFamily)
    found = record.lie(size)
    for a in map(as_complex, found):
        assert (a == -a.conj().T).all() and (name == "U" or np.trace(a) == 0)
    rank = np.linalg.matrix_rank([np.ravel(a) for a in found] or [[0]])
    assert rank == half**2 - (name == "SU") == len(found)


@pytest.mark.sampled(2)
@pytest.mark.parametrize(("name", "size"), [("U", 2), ("SU", 6), ("U", 4), ("SU", 4)])
def test_constants_that_are_kept_are_kept(name: str, size: int) -> None:
    """Types of constants hold at random elements; the kernel says the same, of near misses too."""
    half, rng = size // 2, random.Random(size)
    one, zero = np.eye(half, dtype=int), np.zeros((half, half), dtype=int)
    j, swap = np.block([[zero, one], [-one, zero]]), np.array([[0, 1], [-1, 0]])
    found = [np.eye(size, dtype=int), j, np.multiply.outer(j, j), np.diag([1] * half + [-1] * half)]
    if half == 2:
        both = np.zeros((2, 2, 2, 2), dtype=int)
        both[0, :, 0, :], both[1, :, 1, :] = swap, -swap
        found.append(both.reshape(4, 4))
    for array in [*found]:
        other = array.copy()
        other[tuple(rng.randrange(size) for _ in array.shape)] += 1
        found.append(other)
    elements = [random_element(Factor(name, "d"), size, rng) for _ in range(5)]
    context = Context(name, "d", Size.of(size), [])
    for array in found:
        types = [t.acts for t in invariant_types(array.astype(object), [Size.of(size)] * array.ndim, context)]
        moved = [{i for i, act in enumerate(acts) if not is_fixed(act)} for acts in types]
        for count in range(1, array.ndim + 1):
            for places in combinations(range(array.ndim), count):
                strides = tuple(size ** (array.ndim - 1 - i) for i in places)
                values = [Fraction(int(v)) for v in array.ravel()]
                constant = invariants.Constant(values, size, strides, (1,) * count)
                report.allow_work(10**8)
                kept = invariants.keeps(claims.Factor(name, "d"), constant, 0, special=True)
                assert kept == ({*places} in moved)
                image = array.astype(object)
                results = []
                for g in elements:
                    image = array.astype(object)
                    for i in places:
                        image = np.moveaxis(np.tensordot(np.array(g.data), image, axes=(1, i)), 0, i)
                    results.append(bool((image == array).all()))
                assert kept == all(results)


def body(verdict: ep.Verdict) -> dict[str, Any]:
    data = copy.deepcopy(dict(verdict.certificate or {}))
    return {k: v for k, v in data.items() if k not in ("format", "version", "kind", "digest")}


@pytest.mark.parametrize(
    "matrix",
    [
        [[0, 0, -1, 0], [0, 1, 0, 0], [1, 0, 0, 0], [0, 0, 0, 1]],  # i on one coordinate: determinant i
        [[1, 0, 0, 0], [0, -1, 0, 0], [0, 0, 1, 0], [0, 0, 0, -1]],  # determinant -1
        [[0, 1, 0, 0], [-1, 0, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]],  # no complex matrix
        [[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, -1, 0], [0, 0, 0, -1]],  # the conjugate
        [[2, 0, 0, 0], [0, 2, 0, 0], [0, 0, 2, 0], [0, 0, 0, 2]],
    ],
)
def test_the_kernel_takes_special_unitary_matrices_only(matrix: list[list[int]]) -> None:
    whole = body(assert_refuted(lambda z: z + z.conj(), "z[complex]: d -> d", "SU(d)", sizes={"d": 2}))
    assert ep.verify(seal("counterexample", **whole)).accepted
    whole["evidence"]["element"][0]["matrix"] = [[str(v) for v in row] for row in matrix]
    assert not ep.verify(seal("counterexample", **whole)).accepted


@pytest.mark.parametrize("family", ["U", "O", "SO", "Sp", "GL", "E"])
def test_a_proof_under_su_is_none_of_a_larger_group(family: str) -> None:
    whole = body(assert_proved(area, "x[complex]: d, y[complex]: d -> ()", "SU(d)", sizes={"d": 2}))
    assert ep.verify(seal("proof", **whole)).accepted
    whole["claim"]["group"][0]["family"] = whole["evidence"]["factors"][0]["family"] = family
    assert not ep.verify(seal("proof", **whole)).accepted


def test_the_kernel_refuses_single_real_coordinates() -> None:
    """A group of complex matrices acts on an even number of copies of its axis."""
    whole = body(assert_proved(lambda z: 2 * z, "z[complex]: n d -> n d", "U(d)", sizes={"d": 2}))
    assert whole["claim"]["inputs"][0]["axes"][1] == [[2, "d", ""]]
    for count in (1, 3):
        changed = copy.deepcopy(whole)
        changed["claim"]["inputs"][0]["axes"][1] = changed["claim"]["output"][1] = [[count, "d", ""]]
        assert not ep.verify(seal("proof", **changed)).accepted


WRONG = [
    ("psi: n d -> n", "U(d)"),
    ("psi[complex]: n 2, w: 4 -> n", "U(2)"),
    ("psi[complex]: n 2, w: n 2 -> n", "U(2)"),
    ("psi[complex]: d d -> d", "U(d)"),
    ("psi[complex]: n 2, w: 4 -> n", "U(2) x O(4)"),
    ("psi[complex]: n d+k -> n", "U(d)"),
    ("psi: n d -> n", "SU(2)"),
    ("psi[complex]: 2 d -> 2 d", "U(2)"),
    ("psi[complex]: n d! -> n", "SU(2)"),
]


@pytest.mark.parametrize(("signature", "under"), WRONG)
def test_what_is_not_complex_is_refused(signature: str, under: str) -> None:
    with pytest.raises(EqvproofError) as caught:
        ep.check(lambda *args: abs(args[0]).sum(), signature, under)
    assert caught.value.hint and caught.value.expected


def test_a_complex_result_that_is_not_acted_on_is_refused() -> None:
    with pytest.raises(EqvproofError, match="complex"):
        ep.check(lambda z: z.sum(axis=1), "z[complex]: n d -> n", "S(n)")


def test_complex_arrays_are_moved_in_both_parts_by_other_groups() -> None:
    assert_proved(lambda z: (z.real**2).sum(axis=1), "z[complex]: n d -> n", "O(d)")
    assert_refuted(lambda z: z.imag[:, 0], "z[complex]: n d -> n", "S(d)")
    assert_proved(lambda z: z.imag[:, 0], "z[complex]: n d! -> n", "S(n)")
    assert_proved(lambda z, x: (z * z.conj()).real * x.sum(), "z[complex]: (), x: n -> ()", "S(n)")


OPERATIONS: list[Callable[[Any, Any, Any], Any]] = [
    lambda z, w, x: z + w, lambda z, w, x: z - x, lambda z, w, x: x - z, lambda z, w, x: z * w,
    lambda z, w, x: x * z, lambda z, w, x: 2j * z + 1, lambda z, w, x: z / w, lambda z, w, x: z / x,
    lambda z, w, x: x / w, lambda z, w, x: z**3, lambda z, w, x: -z, lambda z, w, x: z @ w.T,
    lambda z, w, x: x @ z.T, lambda z, w, x: z @ x.T, lambda z, w, x: np.conj(z) @ w.T,
    lambda z, w, x: np.einsum("ij,ij,ij->i", z, w, z.conj()), lambda z, w, x: z.sum(axis=0),
    lambda z, w, x: z.mean(), lambda z, w, x: z.T, lambda z, w, x: z[1:, ::-1], lambda z, w, x: z.reshape(-1),
    lambda z, w, x: np.concatenate([z, x]), lambda z, w, x: np.concatenate((x, w), axis=1),
    lambda z, w, x: np.stack([x, z]), lambda z, w, x: np.abs(z), lambda z, w, x: abs(w) ** 2,
    lambda z, w, x: np.angle(z), lambda z, w, x: np.exp(z), lambda z, w, x: np.outer(z[0], w[0]),
    lambda z, w, x: np.vdot(z, w), lambda z, w, x: np.dot(z, x.T), lambda z, w, x: np.kron(z, x),
    lambda z, w, x: np.tensordot(z, w, axes=2), lambda z, w, x: np.swapaxes(z, 0, 1), lambda z, w, x: z.real,
    lambda z, w, x: np.imag(w), lambda z, w, x: sum(row.sum() for row in z), lambda z, w, x: np.square(z),
]  # fmt: skip


@pytest.mark.parametrize("number", range(len(OPERATIONS)))
def test_pairs_compute_as_complex_arrays_do(number: int) -> None:
    rng = np.random.default_rng(number)
    x, *parts = rng.normal(size=(5, 2, 3))
    z, w = parts[0] + 1j * parts[1], parts[2] + 1j * parts[3]
    wanted = OPERATIONS[number](z, w, x)
    found = OPERATIONS[number](Pair(z.real, z.imag), Pair(w.real, w.imag), x)
    if isinstance(found, Pair):
        assert found.shape == wanted.shape
        found = found.real + 1j * found.imag
    else:
        assert not np.iscomplexobj(wanted)
    assert np.allclose(found, wanted)


TABLE = np.array([1 + 2j, 3 - 1j, 0.1 + 0.2j])
#: Real arrays with complex numbers, and what the results are, by their definition.
MIXED: list[tuple[F, F]] = [
    (lambda x: (x * (1 + 2j)).imag, lambda x: 2 * x),
    (lambda x: ((2 - 1j) - x).real, lambda x: 2 - x),
    (lambda x: (x / (0.1 + 0.2j) * (0.1 + 0.2j)).real, lambda x: x),
    (lambda x: (x / TABLE * TABLE).real, lambda x: x),
    (lambda x: (1 / (x + 1j)).imag, lambda x: -1 / (x**2 + 1)),
    (lambda x: ((x + 1j) ** 2).real, lambda x: x**2 - 1),
    (lambda x: np.abs(x + np.complex64(2j)) ** 2, lambda x: x**2 + 4),
    (lambda x: np.exp(1j * x).real, lambda x: np.cos(x)),
    (lambda x: x.astype(complex).imag, lambda x: 0 * x),
    (lambda x: np.concatenate([x, 1j * x]).imag, lambda x: np.concatenate([0 * x, x])),
    (lambda x: np.stack([x, np.full(3, 2j) * x]).imag.sum(0), lambda x: 2 * x),
    (lambda x: np.einsum("ni,i->n", x, TABLE).imag, lambda x: x @ TABLE.imag),
    (lambda x: (TABLE @ x.T).real, lambda x: x @ TABLE.real),
    (lambda x: np.fft.ifft(np.fft.fft(x) * 2j).imag, lambda x: 2 * x),
]


@pytest.mark.parametrize("number", range(len(MIXED)))
def test_real_arrays_with_complex_numbers(number: int) -> None:
    f, g = MIXED[number]
    short = f(np.ones((1, 3))).shape
    signature = f"x: n 3 -> {'n' if len(short) == 1 else '2n 3' if short[0] == 2 else 'n 3'}"
    found = ep.identical(f, g, signature)
    assert found.holds and found.grade in ("PROVED", "DECIDED"), found
    assert ep.identical(f, lambda x: g(x) + x.sum() ** 2 * 0.001, signature).fails


REFUSED: list[Callable[[Any], Any]] = [
    lambda z: z == 0, lambda z: bool(z), lambda z: z < z, lambda z: np.sin(z), lambda z: np.sort(z),
    lambda z: float(z), lambda z: z**0.5, lambda z: np.array(z), lambda z: z.tolist(), lambda z: hash(z),
    lambda z: np.sum(z, initial=3), lambda z: z.sum(dtype=float), lambda z: setattr(z, "real", 0),
    lambda z: z.__setitem__(0, 1), lambda z: np.maximum(z, 0), lambda z: np.where(z, 1, 0),
    lambda z: np.add.reduce(z), lambda z: np.linalg.norm(z),
]  # fmt: skip


@pytest.mark.parametrize("number", range(len(REFUSED)))
def test_all_else_is_refused(number: int) -> None:
    with pytest.raises((TraceError, TypeError)):
        REFUSED[number](Pair(np.ones(3), np.ones(3)))


def test_real_parts_come_first() -> None:
    array = np.array([[1.0, 2.0, 3.0, 4.0]])
    assert (complex_array(array, (1, False, False)) == np.array([[1 + 3j, 2 + 4j]])).all()
    assert (complex_array(array, (1, False, True)) == np.array([[1 - 3j, 2 - 4j]])).all()
    assert (real_array(np.array([[1 + 3j, 2 + 4j]]), (1, False, False)) == array).all()
    assert (real_array(np.array([1.0, 2.0]), (0, False, False)) == [1, 2, 0, 0]).all()


def test_a_function_that_is_not_traced_keeps_no_state() -> None:
    """A running product of complex numbers runs on floats only: a false claim is seen to fail there."""
    verdict = ep.check(lambda z: np.cumprod(z).real, "z[complex]: n -> n!", "C(n)", sizes={"n": (1, 3)})
    assert (verdict.outcome, verdict.grade) == ("FAILS", "OBSERVED"), str(verdict)


@pytest.mark.parametrize(
    ("f", "signature", "under"),
    [
        (lambda z: np.abs(np.fft.fft(z)) ** 2, "z[complex]: n -> n!", "C(n)"),
        (lambda z, w: np.fft.ifft(np.fft.fft(z) * np.fft.fft(w)).real, "z[complex]: n, w: n! -> n", "C(n)"),
        (lambda z: np.abs(np.fft.fft(z, axis=0)), "z[complex]: n d -> n! d", "C(n)"),
        (lambda z: np.fft.fft(z, axis=0), "z[complex]: n d -> n d", "U(d)"),
        (lambda z: np.fft.ifft(np.fft.fft(z, axis=0), axis=0) * 2j, "z[complex]: n d -> n d", "U(d)"),
        (lambda z: (np.fft.fft(z, axis=0) + z).conj(), "z[complex]: n d -> n d*", "U(d)"),
    ],
)
def test_transforms_of_complex_arrays(f: F, signature: str, under: str) -> None:
    assert_proved(f, signature, under)


@pytest.mark.parametrize(
    ("f", "signature", "under"),
    [
        (lambda z: np.fft.fft(z).real, "z[complex]: n -> n!", "C(n)"),
        (lambda z: np.fft.fft(z, axis=1), "z[complex]: n d -> n d", "U(d)"),
        (lambda z: np.abs(np.fft.fft(z, axis=0) * z), "z[complex]: n d -> n! d", "C(n)"),
        (lambda z: np.fft.fft(z, axis=0).conj(), "z[complex]: n d -> n d", "U(d)"),
    ],
)
def test_slips_with_transforms_fail(f: F, signature: str, under: str) -> None:
    assert_refuted(f, signature, under, sizes={"n": (1, 2)})


def of_frameworks(t: Any, dot: Callable[[Any, Any], Any]) -> list[tuple[F, str, bool]]:
    """Functions of torch and JAX, and whether the claim under U(d) is true."""
    return [
        (lambda z: t.abs(z @ z.conj().T) ** 2, "z[complex]: n d -> n n", True),
        (lambda z: dot(t.exp(-(t.abs(z @ z.conj().T) ** 2)), z) * (1 + 2j), "z[complex]: n d -> n d", True),
        (lambda z: z / t.sqrt((t.abs(z) ** 2).sum(-1))[:, None], "z[complex]: n d -> n d", True),
        (lambda z: z.conj(), "z[complex]: n d -> n d*", True),
        (lambda z: (z.conj() * z).real.sum(-1), "z[complex]: n d -> n", True),
        (lambda z: z[:1] - 2 * z, "z[complex]: n d -> n d", True),
        (lambda z: z.conj(), "z[complex]: n d -> n d", False),
        (lambda z: t.abs(z @ z.T), "z[complex]: n d -> n n", False),
        (lambda z: (z * z).imag.sum(-1), "z[complex]: n d -> n", False),
        (lambda z: t.abs(z) * z, "z[complex]: n d -> n d", False),
    ]


@pytest.mark.sampled(2)
@pytest.mark.parametrize("number", range(10))
@pytest.mark.parametrize("backend", ["torch", "jax"])
def test_complex_arrays_of_frameworks(backend: str, number: int) -> None:
    def dot(w: Any, z: Any) -> Any:
        return (w.to(z.dtype) if backend == "torch" else w) @ z

    library = pytest.importorskip(backend if backend == "torch" else "jax.numpy")
    f, signature, holds = of_frameworks(library, dot)[number]
    if holds:
        assert_proved(f, signature, "U(d)", backend=backend, budget=90)
    else:
        assert_refuted(f, signature, "U(d)", backend=backend, budget=90)


def test_counterexamples_are_shown_in_complex_numbers() -> None:
    """Inputs, sides and elements are complex; the certificate holds the same numbers in reals."""
    found = assert_refuted(lambda z, w: (1 + 2j) * w.conj() * (z * z.conj()).real,
                           "z[complex]: (), w[complex]: n 2 -> n 2", "U(2)", sizes={"n": 1})  # fmt: skip
    shown = found.counterexample
    assert found.signature == "z[complex]: (), w[complex]: n 2 -> n 2" and shown is not None
    z, w, g, left, right = (
        np.vectorize(complex)(a)
        for a in (shown.inputs["z"], shown.inputs["w"], shown.element[2], shown.left, shown.right)
    )
    assert z.shape == () and w.shape == (1, 2) and np.allclose(g @ g.conj().T, np.eye(2))

    def f(w: Any) -> Any:
        return (1 + 2j) * w.conj() * abs(z) ** 2

    assert np.allclose(left, f(w @ g.T)) and np.allclose(right, f(w) @ g.T)
    assert abs(complex(shown.residual[shown.entry])) > 0
    assert "real parts" in shown.code()
    again = ep.Counterexample.from_json(json.loads(json.dumps(shown.to_json())))
    assert str(again) == str(shown) and (again.element[2] == shown.element[2]).all()


def test_real_matrices_stay_real_beside_complex_arrays() -> None:
    found = assert_refuted(lambda z: z.imag[:, 0], "z[complex]: n 2d -> n", "O(d)", sizes={"n": 1, "d": 2})
    assert found.counterexample is not None
    assert np.array(found.counterexample.element["d"], dtype=float).shape == (2, 2)
    assert found.counterexample.inputs["z"].shape == (1, 4)


def test_conjugates_are_shown_as_given() -> None:
    found = assert_refuted(lambda a: a, "a[complex]: 1* -> 1", "U(1)").counterexample
    assert found is not None
    (x,), ((g,),), (left,) = (
        np.vectorize(complex)(v) for v in (found.inputs["a"], found.element[1], found.left)
    )
    assert np.isclose(left, g.conjugate() * x)


@pytest.mark.parametrize(
    ("number", "text"),
    [((0, 0), "0"), ((0, 1), "i"), ((0, -1), "-i"), ((2, 0), "2"), ((1, -3), "1 - 3i"),
     ((Fraction(3, 5), Fraction(4, 5)), "3/5 + 4/5 i"), ((0.0, 0.5), "0.5 i")],
)  # fmt: skip
def test_complex_numbers_as_text(number: tuple[Any, Any], text: str) -> None:
    assert str(ComplexNumber(*number)) == text
