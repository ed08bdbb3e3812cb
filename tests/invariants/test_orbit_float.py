"""Float elements of classical groups: right pairs within stated bounds, and pairs of different orbits."""

from __future__ import annotations

import random
from fractions import Fraction as F
from typing import Any

import mpmath
import numpy as np
import pytest
from flint import fmpq_mat

import eqvproof as ep
from eqvproof.claims.groups.families import EVERY_FAMILY
from eqvproof.claims.groups.matrices import to_flint
from eqvproof.invariants.witnesses.orbit_exact import exact_orbit
from eqvproof.kernel import check_certificate
from eqvproof.programs.sealing import seal
from eqvproof.support.errors import DomainError, OptionError, OrbitMismatch
from tests.invariants.orbits import FAMILIES, J, _form, _null_vectors, draw

Array = np.ndarray[Any, Any]


def floats(matrix: fmpq_mat) -> Array:
    values = [int(e.p) / int(e.q) for e in matrix.entries()]
    return np.array(values, dtype=np.float64).reshape(matrix.nrows(), matrix.ncols())


def as_given(name: str, x: Array) -> Array:
    """Vectors as users give them: complex ones for groups of complex matrices."""
    half = len(x) // 2
    return x[:half] + 1j * x[half:] if EVERY_FAMILY[name].is_complex else x


def as_real(x: Array) -> Array:
    return np.concatenate([x.real, x.imag]) if np.iscomplexobj(x) else x


def right_pair(name: str, rng: random.Random, most: int = 7) -> tuple[Array, Array, float]:
    """Random vectors, of any rank, null ones or of many lengths; their images; the norm of the element."""
    family = EVERY_FAMILY[name]
    even = name == "Sp" or family.reals > 1
    size = family.size or (2 * rng.randint(1, most // 2) if even else rng.randint(1, most))
    while True:
        g = floats(to_flint(family.sample(size, rng)))
        if np.linalg.cond(g) < 1e6:
            break
    draws = np.random.default_rng(rng.getrandbits(32))
    n = rng.randint(1, size + 2)
    rank = rng.randint(1, min(n, size))
    x = draws.normal(size=(size, rank)) @ draws.normal(size=(rank, n))
    null = _null_vectors(name, size)
    if null is not None and rng.random() < 0.3:
        x = floats(null) @ draws.normal(size=(null.ncols(), n))
    if rng.random() < 0.3:
        x = x * 10.0 ** draws.integers(-8, 8, size=n)
    return as_given(name, x), as_given(name, g @ x), float(np.linalg.norm(g, 2))


def exactly(x: Array) -> Array:
    return np.vectorize(F, otypes=[object])(np.asarray(as_real(x), dtype=np.float64))


def norm(x: Array) -> float:
    return float(sum((v * v for v in x.ravel()), F(0))) ** 0.5


@pytest.mark.parametrize("name", [*FAMILIES, "O(3,4)"])
def test_right_pairs(name: str) -> None:
    """An element within rounding, with bounds that hold in exact numbers, and a certificate."""
    rng = random.Random(name)
    for trial in range(25):
        x, y, _ = right_pair(name, rng)
        if trial % 4 == 3:
            single = np.complex64 if np.iscomplexobj(x) else np.float32
            x, y = x.astype(single), y.astype(single)
        found = ep.orbit_witness(x, y, EVERY_FAMILY[name].written("d"))
        assert not found.is_exact
        g, unit = exactly(found.matrix), float(np.finfo(x.dtype).eps)
        size, d = float(np.linalg.norm(found.matrix, 2)), len(g)
        assert norm(g.dot(exactly(x)) - exactly(y)) <= found.bound
        lengths = size * np.linalg.norm(x) + np.linalg.norm(y)
        assert found.bound <= 200 * (d + 8) * unit * lengths + 1e-290
        form = _form(name, d)
        if form is not None:
            assert norm(g.T.dot(form).dot(g) - form) <= found.form_bound
        if EVERY_FAMILY[name].is_complex:
            assert (g.dot(J(d)) == J(d).dot(g)).all()
        assert found.distance_bound <= 1e-14 * (d + 8) ** 2 * size**3
        assert np.allclose(found.apply(x), y, rtol=0, atol=found.bound * 1.01 + 1e-6 * unit)
        report = check_certificate(found.certificate)
        assert report.accepted, report.reason


@pytest.mark.parametrize("name", ["O", "SO", "Lorentz", "O(2,2)", "SO(2,3)", "Sp", "U"])
def test_an_element_is_as_near_as_stated(name: str) -> None:
    """g (B^-1 g^T B g)^(-1/2), in 60 digits, keeps the form, and is within the bound."""
    rng = random.Random(name)
    with mpmath.workdps(60):
        for _ in range(5):
            x, y, _ = right_pair(name, rng, 5)
            found = ep.orbit_witness(x, y, EVERY_FAMILY[name].written("d"))
            g, form = (
                mpmath.matrix(found.matrix.tolist()),
                mpmath.matrix(_form(name, len(found.matrix)).tolist()),
            )
            root, other = form.T * g.T * form * g, mpmath.eye(len(g))
            for _ in range(12):  # Denman, Beavers: the square root, and its inverse
                root, other = (root + mpmath.inverse(other)) / 2, (other + mpmath.inverse(root)) / 2
            h = g * other
            assert mpmath.mnorm(h.T * form * h - form, "f") < 1e-40
            assert mpmath.mnorm(g - h, "f") <= found.distance_bound


@pytest.mark.parametrize("name", FAMILIES)
def test_the_answer_is_that_of_exact_numbers(name: str) -> None:
    """Pairs of small numbers: the same element, or the same first invariant that differs."""
    rng = random.Random("floats of " + name)
    for _ in range(30):
        place, x, y = draw(name, rng)
        given = [as_given(name, floats(m)) for m in (x, y)]
        try:
            exact_orbit(place, "d", x, y)
        except OrbitMismatch as exact:
            with pytest.raises(OrbitMismatch) as caught:
                ep.orbit_witness(*given, EVERY_FAMILY[name].written("d"))
            error = caught.value
            assert (error.why, error.pair) == (exact.why, exact.pair)
            assert "within rounding" in str(error)
            assert error.certificate is None or check_certificate(error.certificate).accepted
            assert error.certificate is not None or exact.why != "pair"
        else:
            assert ep.orbit_witness(*given, EVERY_FAMILY[name].written("d")).bound < 1e-6


@pytest.mark.parametrize("name", [n for n in FAMILIES if n not in ("GL", "SL", "Sp")])
def test_a_small_change_is_seen(name: str) -> None:
    """One vector that is not null, longer by a millionth: its square differs first."""
    rng = random.Random("near " + name)
    seen = 0
    while seen < 8:
        x, y, size = right_pair(name, rng, 5)
        if size > 100 or x.shape[1] < 2 or not np.linalg.norm(x, axis=0).all():
            continue
        form = np.asarray(_form(name, len(as_real(x))), dtype=float)
        real = as_real(x)
        squares = np.abs(np.diag(real.T @ form @ real)) / np.linalg.norm(real, axis=0) ** 2
        if squares.min() < 0.1:
            continue
        seen += 1
        z = y.copy()
        z[:, 1] *= 1 + 1e-6
        with pytest.raises(OrbitMismatch) as caught:
            ep.orbit_witness(x, z, EVERY_FAMILY[name].written("d"))
        if abs(real[:, 0] @ form @ real[:, 1]) > 0.1 * np.prod(np.linalg.norm(real[:, :2], axis=0)):
            assert caught.value.pair == (0, 1)
        assert ep.orbit_witness(x, z, EVERY_FAMILY[name].written("d"), tol=1e-4).bound > 0


@pytest.mark.parametrize(
    ("X", "Y", "under", "why"),
    [
        ([[1.0], [1.0]], [[0.0], [0.0]], "O(1,1; d)", "relation"),
        ([[1.0, 0.0], [0.0, 1.0]], [[1.0, 1.0], [0.0, 0.0]], "GL(d)", "relation"),
        ([[1.0, 2.0]], [[1.0, 3.0]], "GL(d)", "relation"),
        ([[1.0, 2.0]], [[1.0, 2.0 + 1e-9]], "GL(d)", "relation"),
        ([[1.0, 0.0], [0.0, 1.0]], [[0.0, 1.0], [1.0, 0.0]], "SO(d)", "matrix"),
        ([[1.0, 0.0], [0.0, 1.0]], [[2.0, 0.0], [0.0, 1.0]], "SL(d)", "matrix"),
        ([[1.0, 0.0], [0.0, 1.0]], [[1.0, 0.0], [0.0, 1 + 1e-9]], "SL(d)", "matrix"),
        ([[1.0], [1.0]], [[1.0], [-1.0]], "SO(1,1; d)", "matrix"),
        ([[1.0]], [[-1.0]], "SU(d)", "matrix"),
        ([[1.0]], [[np.exp(1e-9j)]], "SU(d)", "matrix"),
        ([[0.1]], [[0.3]], "Lorentz(d)", "pair"),
    ],
)
def test_what_rules_it_out(X: Any, Y: Any, under: str, why: str) -> None:
    with pytest.raises(OrbitMismatch) as caught:
        ep.orbit_witness(X, Y, under)
    assert caught.value.why == why


@pytest.mark.parametrize(
    ("X", "Y", "under"),
    [
        ([[1.0], [1.0]], [[2.0], [2.0]], "O(1,1; d)"),
        ([[1.0, 2.0]], [[1.5, 3.0 * (1 + 2**-52)]], "GL(d)"),
        ([[1.0, 0.0], [0.0, 1.0]], [[2.0, 0.0], [0.0, 0.5 * (1 + 2**-51)]], "SL(d)"),
        ([[1.0], [0.0]], [[0.0], [1.0]], "SO(d)"),
        ([[0.1], [0.2]], [[0.2], [0.1]], "SU(d)"),
        ([[0.1 + 0.2]], [[-0.3]], "O(d)"),
        (np.zeros((2, 0)), np.zeros((2, 0)), "SL(d)"),
        ([[0.0], [0.0]], [[0.0], [0.0]], "Sp(d)"),
        ([[1e300], [0.0]], [[0.0], [1e300]], "O(d)"),
        ([[1e-300], [0.0]], [[0.0], [1e-300]], "Sp(d)"),
    ],
)
def test_pairs_that_differ_by_rounding(X: Any, Y: Any, under: str) -> None:
    found = ep.orbit_witness(X, Y, under)
    scale = float(np.abs(np.asarray(Y)).max(initial=0.0))
    assert found.bound <= 1e-13 * scale + 1e-290 and found.distance_bound < 1e-12
    assert check_certificate(found.certificate).accepted


def test_rounding_may_leave_it_open() -> None:
    """Null vectors of single precision, of which one is longer by a thousandth: all may not quite be null."""
    x = np.array([[1.0, 1.0], [1.0, 1.0]], dtype=np.float32)
    y = np.array([[1.0, 1.001], [1.0, 1.001]], dtype=np.float32)
    with pytest.raises(DomainError, match="rounding does not decide"):
        ep.orbit_witness(x, y, "O(1,1; d)")
    with pytest.raises(OrbitMismatch):
        ep.orbit_witness(x.astype(np.float64), y.astype(np.float64), "O(1,1; d)")


@pytest.mark.parametrize("part", ["residual", "defect", "determinant"])
def test_the_kernel_rejects_bounds_that_do_not_hold(part: str) -> None:
    for name in ("SO", "SO(2,3)", "SU"):
        rng = random.Random(name)
        x, y, _ = right_pair(name, rng)
        while len(as_real(x)) < 4:
            x, y, _ = right_pair(name, rng)
        found = ep.orbit_witness(x, y, EVERY_FAMILY[name].written("d")).certificate
        parts = {k: v for k, v in found.items() if k not in ("digest", "format", "version", "kind")}
        for wrong in ("0", "-1"):
            changed = {**parts, "rounding": {**parts["rounding"], part: wrong}}
            report = check_certificate(seal("orbit-witness", **changed))
            assert not report.accepted and "bound" in report.reason
        swapped = {**parts, "matrix": parts["matrix"][::-1]}
        assert not check_certificate(seal("orbit-witness", **swapped)).accepted


@pytest.mark.parametrize("tol", ["1", -1, float("nan"), float("inf"), [1]])
def test_tolerances(tol: Any) -> None:
    for call in (
        lambda: ep.orbit_witness([[1.0]], [[1.0]], "O(d)", tol=tol),
        lambda: ep.orthogonal_witness([[1.0]], [[1.0]], tol=tol),
        lambda: ep.congruence_witness([[1.0]], [[1.0]], tol=tol),
        lambda: ep.permutation_witness([[1.0]], [[1.0]], tol=tol),
    ):
        with pytest.raises((OptionError, DomainError), match="tol"):
            call()


def test_elements_act_on_integers_and_complex_vectors() -> None:
    """An exact element stays exact on whole numbers; complex vectors have half as many rows."""
    exact = ep.orbit_witness([[4], [0]], [[5], [3]], "Lorentz(d)")
    assert exact.apply([[4], [0]]).tolist() == [[5], [3]]
    assert exact.apply(np.array([4, 0])).tolist() == [5, 3]
    x, y = np.array([[0.6], [0.8j]]), np.array([[1j], [0.0]])
    turned = ep.orbit_witness(x, y, "SU(d)")
    assert np.abs(turned.apply(x) - y).max() < 1e-14
    assert np.abs(turned.apply(as_real(x)) - as_real(y)).max() < 1e-14
    with pytest.raises(ep.ShapeError):
        turned.apply(np.ones((3, 1)))
