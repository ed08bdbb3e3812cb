"""What the exporter supposes of functions, tried on numbers; the functions are those of NumPy and SciPy."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import scipy.linalg
import scipy.special

Array = Any


def spectral(m: Array, weights: Array) -> Array:
    vectors = np.linalg.eigh((m + m.T) / 2)[1]
    return vectors @ np.diag(weights) @ vectors.T


def inverse(m: Array) -> Array:
    square = m.shape[0] == m.shape[1] and abs(np.linalg.det(m)) > 1e-9
    return np.linalg.inv(m) if square else np.full(m.T.shape, math.nan)


#: Functions of entries, and of the entries along an axis.
ENTRIES: Mapping[str, Callable[..., Array]] = {
    "recip": lambda x: math.nan if x == 0 else 1 / x, "exp": np.exp, "log": np.log, "sqrt": np.sqrt,
    "cbrt": np.cbrt, "abs": np.abs, "sign": np.sign, "sin": np.sin, "cos": np.cos, "tan": np.tan,
    "sinh": np.sinh, "cosh": np.cosh, "tanh": np.tanh, "arcsin": np.arcsin, "arccos": np.arccos,
    "arctan": np.arctan, "arcsinh": np.arcsinh, "erf": scipy.special.erf, "lgamma": scipy.special.gammaln,
    "digamma": scipy.special.digamma, "floor": np.floor, "ceil": np.ceil, "rint": np.rint,
    "not": lambda x: float(x == 0), "maximum": np.maximum, "minimum": np.minimum, "arctan2": np.arctan2,
    "pow": np.power, "mod": lambda x, y: math.nan if y == 0 else np.mod(x, y),
    "lt": lambda x, y: float(x < y), "le": lambda x, y: float(x <= y), "gt": lambda x, y: float(x > y),
    "ge": lambda x, y: float(x >= y), "eq": lambda x, y: float(x == y), "ne": lambda x, y: float(x != y),
    "and": lambda x, y: float(x != 0 and y != 0), "or": lambda x, y: float(x != 0 or y != 0),
    "max": lambda *xs: np.max(xs), "min": lambda *xs: np.min(xs), "prod": lambda *xs: np.prod(xs),
    "sort": lambda *xs: np.sort(xs),
}  # fmt: skip
#: How many arguments they take, those along an axis some.
ARITY = {
    **dict.fromkeys(ENTRIES, 1), **dict.fromkeys(("max", "min", "prod", "sort"), 4),
    **dict.fromkeys("maximum minimum arctan2 pow mod lt le gt ge eq ne and or".split(), 2),
}  # fmt: skip
#: Functions of matrices.
MATRICES: Mapping[str, Callable[..., Array]] = {
    "inv": inverse, "pinv": np.linalg.pinv, "det": np.linalg.det,
    "eigvals": lambda m: np.linalg.eigvalsh((m + m.T) / 2), "spectral": spectral, "expm": scipy.linalg.expm,
    "cholesky": np.linalg.cholesky,
    "cosm": scipy.linalg.cosm, "sinm": scipy.linalg.sinm, "coshm": scipy.linalg.coshm,
    "sinhm": scipy.linalg.sinhm,
}  # fmt: skip
POINTS = (-2.75, -1.5, -0.5, -0.25, 0.0, 0.25, 0.5, 0.75, 1.5, 3.25)
#: By what the characters of a family multiply a value: the sign, positive multiples, any number but 0.
FACTORS: Mapping[str, tuple[float, ...]] = {
    **dict.fromkeys(("S", "A", "Signs", "O"), (-1.0,)), "Scale": (0.5, 2.0, 3.0),
    "GL": (-1.0, 0.5, -2.0, 3.0), **dict.fromkeys(("SO", "SL", "C"), ()),
}  # fmt: skip
ROOTS = {"sqrt": 2, "cbrt": 3}


def alike(x: Array, y: Array) -> bool:
    """Equal up to rounding, and undefined alike."""
    x, y = np.asarray(x, float), np.asarray(y, float)
    x, y = (np.where(np.isfinite(a), a, math.nan) for a in (x, y))
    return x.shape == y.shape and np.allclose(x, y, rtol=1e-7, atol=1e-9, equal_nan=True)


def has_degree(name: str, degree: int, factors: tuple[float, ...]) -> bool:
    """Whether f(c x) = c^degree f(x) at some points, for each c."""
    f, rng = ENTRIES[name], np.random.default_rng(0)
    tuples = [(x,) for x in POINTS]
    if ARITY[name] > 1:
        tuples = [tuple(rng.choice(POINTS, ARITY[name])) for _ in range(60)]
    with np.errstate(all="ignore"):
        return all(
            alike(f(*(c * x for x in xs)), c**degree * np.asarray(f(*xs))) for c in factors for xs in tuples
        )


def is_root(name: str, k: int) -> bool:
    """Whether f(c^k x) = c f(x) for c > 0."""
    with np.errstate(all="ignore"):
        return all(
            alike(ENTRIES[name](c**k * x), c * ENTRIES[name](x)) for c in (0.5, 2.0, 3.0) for x in POINTS
        )


def turns(name: str, fact: str) -> bool:
    """Whether a function of matrices turns with its argument as a fact of rocq/Checker.v says."""
    f, rng = MATRICES[name], np.random.default_rng(1)

    def orthogonal(n: int) -> Array:
        return np.linalg.qr(rng.standard_normal((n, n)))[0]

    def invertible(n: int) -> Array:
        return np.eye(n) + 0.5 * rng.standard_normal((n, n))

    squares = [rng.standard_normal((3, 3)), rng.standard_normal((3, 2)) @ rng.standard_normal((2, 3))]
    wide = [*squares, rng.standard_normal((2, 3)), rng.standard_normal((3, 2))]
    w = np.array([0.5, -1.0, 2.0])

    def holds(m: Array) -> bool:
        a, b = invertible(m.shape[0]), invertible(m.shape[1])
        q, r = orthogonal(m.shape[0]), orthogonal(m.shape[1])
        if fact == "Inverse":
            turned = np.linalg.inv(b).T @ f(m) @ np.linalg.inv(a)
            return alike(f(a @ m @ b.T), turned) and alike(f(2 * m), f(m) / 2)
        if fact == "Pseudoinverse":
            return alike(f(q @ m @ r.T), r @ f(m) @ q.T) and alike(f(-2 * m), f(m) / -2)
        if fact == "Number":
            return alike(f(a @ m @ b.T), np.linalg.det(a) * np.linalg.det(b) * f(m))
        if fact == "List":
            return alike(f(q @ m @ q.T), f(m)) and alike(f(2 * m), 2 * f(m))
        if fact == "Conjugate":
            return alike(f(a @ m @ np.linalg.inv(a)), a @ f(m) @ np.linalg.inv(a))
        if fact == "Weighted":
            turned = q @ f(m, w) @ q.T
            return alike(f(q @ m @ q.T, w), turned) and alike(f(2 * m, 3 * w), 3 * f(m, w))
        raise ValueError(fact)

    try:
        return all(map(holds, wide if fact in ("Inverse", "Pseudoinverse") else squares))
    except (TypeError, ValueError, np.linalg.LinAlgError):
        return False


def facts_of(text: str) -> list[tuple[str, str, str]]:
    """What a printed file supposes: (family, function, fact) each, facts as they are written."""
    functions = dict(re.findall(r"\(\* Function (\d+): (.*?) \*\)", text))
    bare = " ".join(re.sub(r"\(\*.*?\*\)", " ", text, flags=re.S).split())
    stated = re.findall(r"equivariant (\w+) \w+ (facts\d+) given\d+ prog", bare)
    families = {name: family for family, name in stated}
    found = []
    for name, listed in re.findall(r"Definition (facts\d+) : nat -> option fact := (.*?)\. (?=[A-Z])", bare):
        if listed == "fun=> None":
            continue
        body = re.fullmatch(r"nth None \[:: (.*)\]", listed)
        assert body is not None, listed
        parts = re.split(r"; (?=None|Some)", body[1])
        own = families[name]
        found += [(own, functions[str(n)], part) for n, part in enumerate(parts) if part != "None"]
    return found


def is_true(family: str, function: str, fact: str) -> bool:
    """Whether a fact as it is written is one; what is assumed of opaque functions is the user's."""
    if (degree := re.fullmatch(r"Some \(Degree \((Posz|Negz) (\d+)\)\)", fact)) is not None:
        number = int(degree[2]) if degree[1] == "Posz" else -int(degree[2]) - 1
        return function in ENTRIES and has_degree(function, number, FACTORS[family])
    if "Typed" in fact:
        return function in ROOTS or "of which nothing is known" in function
    return function in MATRICES and turns(function, fact.removeprefix("Some "))
