"""Hypothesis strategies: group elements, orthogonal matrices, permutations, arguments."""

from __future__ import annotations

import math
import random
from collections.abc import Mapping
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np

from eqvproof.claims.groups import parse_group, random_element
from eqvproof.claims.signature import Signature, parse_form, parse_signature
from eqvproof.invariants.pairs import random_orthogonal
from eqvproof.invariants.strategies import gram_equal_pairs
from eqvproof.invariants.witnesses.input_matrices import to_array
from eqvproof.support.errors import GroupError, OptionTypeError
from eqvproof.support.lazy import loader
from eqvproof.support.short_tracebacks import shortens_tracebacks

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy

    from eqvproof.claims.signature.forms import Leaf

__all__ = [
    "arrays",
    "gram_equal_pairs",
    "group_elements",
    "orthogonal",
    "permutations",
    "sizes",
    "special_orthogonal",
]


@shortens_tracebacks
def orthogonal(d: int | None = None, *, max_d: int = 6, exact: bool = True) -> SearchStrategy[Any]:
    """Draws orthogonal d x d matrices of Fractions (Q^T Q = I exactly), or of float64.

    Args:
        d: the dimension; None: from 1 to ``max_d``.
        max_d: the largest dimension.
        exact: True for Fractions, False for float64 (uniform: QR of a Gaussian matrix).
    """
    return _matrices(d, max_d, None, exact=exact)


@shortens_tracebacks
def special_orthogonal(
    d: int | None = None, *, max_d: int = 6, exact: bool = True
) -> SearchStrategy[Any]:
    """Draws rotations: orthogonal matrices of determinant 1, otherwise as `orthogonal`."""
    return _matrices(d, max_d, 1, exact=exact)


def _matrices(d: int | None, max_d: int, det: int | None, *, exact: bool) -> SearchStrategy[Any]:
    from hypothesis import strategies as st

    def build(size: int, seed: int) -> np.ndarray[Any, Any]:
        if exact:
            return _exact_orthogonal(size, seed, det)
        return _float_orthogonal(size, seed, det)

    return st.builds(build, _sizes_up_to(max_d, d), st.integers(0, 2**32 - 1))


def _sizes_up_to(largest: int, given: int | None) -> SearchStrategy[int]:
    """Draws sizes from 1 to the largest one, or only a given size.

    Raises:
        OptionTypeError: one of them is not an integer from 1 up.
    """
    from hypothesis import strategies as st

    for size in (largest, given):
        if size is not None and not (isinstance(size, (int, np.integer)) and size >= 1):
            raise OptionTypeError(
                "the size is not an integer from 1 up",
                given=repr(size)[:80],
                expected="an integer, or None for several sizes",
                hint="orthogonal(3), permutations(4), arrays('X: d n -> d n', d=3)",
                code="strategy.size",
            )
    if given is None:
        return st.integers(1, largest)
    return st.just(given)


def _exact_orthogonal(d: int, seed: int, det: int | None) -> np.ndarray[Any, Any]:
    if not seed:  # the simplest example, to which Hypothesis shrinks
        result: np.ndarray[Any, Any] = to_array(random_orthogonal(d, random.Random(0))) * 0
        result = result + np.diag([Fraction(1)] * d)
        return result
    q = to_array(random_orthogonal(d, random.Random(seed)))
    sign = np.linalg.det(np.array(q, dtype=float))
    if det is not None and sign * det < 0:
        q = q.copy()
        q[0] = -q[0]
    return q


def _float_orthogonal(d: int, seed: int, det: int | None) -> np.ndarray[Any, Any]:
    if not seed:
        return np.eye(d)
    q, r = np.linalg.qr(np.random.default_rng(seed).standard_normal((d, d)))
    q = q * np.where(np.diag(r) < 0, -1.0, 1.0)
    if det is not None and np.linalg.det(q) * det < 0:
        q[:, 0] = -q[:, 0]
    return np.asarray(q)


@shortens_tracebacks
def permutations(n: int | None = None, *, max_n: int = 8) -> SearchStrategy[Any]:
    """Draws permutations p of 0 .. n - 1 as integer arrays; shrinks to the identity.

    ``X[:, p]`` permutes columns.
    """
    from hypothesis import strategies as st

    orders = _sizes_up_to(max_n, n).flatmap(lambda k: st.permutations(range(k)))
    return orders.map(lambda p: np.array(p, dtype=np.int64))


@shortens_tracebacks
def sizes(signature: str | Signature, *, max_size: int = 4, **fixed: int) -> SearchStrategy[Any]:
    """Draws sizes of the axes of a signature: ``{"d": 2, "n": 3}``.

    Args:
        signature: the typing.
        max_size: the largest size.
        fixed: fixed sizes.
    """
    from hypothesis import strategies as st

    parsed = parse_form(str(signature)).signatures[0]
    names, fixed = parsed.input_names, {**parsed.pins, **fixed}
    return st.fixed_dictionaries({name: _sizes_up_to(max_size, fixed.get(name)) for name in names})


@shortens_tracebacks
def arrays(
    signature: str | Signature, *, max_size: int = 4, exact: bool = True, **fixed: int
) -> SearchStrategy[Any]:
    """Draws the arguments of a signature as a tuple of arrays with common axis sizes.

    A signature that names parts of arguments gives an array for each part. Masks are booleans, and
    indices are positions along the axis that they index; complex arrays are complex128, with
    multiples of 1/4 as parts if `exact`.

    Args:
        signature: the typing, such as ``"X: d n, Z: d k -> d n"``.
        max_size: the largest size of an axis.
        exact: True for small Fractions (object arrays), False for float64.
        fixed: fixed sizes, such as ``d=3``.
    """
    from hypothesis import strategies as st

    form = parse_form(str(signature))
    number: Any = st.floats(-1e3, 1e3, allow_nan=False, allow_infinity=False)
    real_dtype: np.dtype[Any] = np.dtype(np.float64)
    part = number
    if exact:
        number = st.builds(Fraction, st.integers(-9, 9), st.integers(1, 4))
        part, real_dtype = st.integers(-36, 36).map(lambda k: k / 4), np.dtype(object)

    def draw_leaf(leaf: Leaf, chosen: Mapping[str, int]) -> Any:
        argument, rest = leaf.argument, iter(leaf.argument.axes)
        if leaf.is_size:
            return st.just(next(rest).at(chosen))
        shape = tuple(
            math.prod(next(rest).at(chosen) for _ in range(count)) for count in leaf.merged
        )
        entries, kind = number, real_dtype
        if argument.kind == "bool":
            entries, kind = st.booleans(), np.dtype(bool)
        elif argument.kind == "index":
            entries, kind = st.integers(0, chosen[argument.indexes or ""] - 1), np.dtype(np.int64)
        elif leaf.is_complex:
            entries, kind = st.builds(complex, part, part), np.dtype(np.complex128)
        count = math.prod(shape)

        def build(values: list[Any]) -> np.ndarray[Any, Any]:
            flat = np.empty(count, dtype=kind)
            flat[:] = values
            return flat.reshape(shape)

        return st.lists(entries, min_size=count, max_size=count).map(build)

    def draw_leaves(chosen: Mapping[str, int]) -> Any:
        return st.tuples(*(draw_leaf(leaf, chosen) for leaf in form.leaves))

    return sizes(str(form), max_size=max_size, **fixed).flatmap(draw_leaves)


@shortens_tracebacks
def group_elements(
    under: str, *, size: int | None = None, max_size: int = 4
) -> SearchStrategy[Any]:
    """Draws elements of one group factor, exact: ``O(d)``, ``S(n)``, ``Signs(d)``, ...

    Args:
        under: one factor, such as ``"O(d)"``; ``"O(3)"`` has its size.
        size: the size of its axis; None: from 1 to ``max_size``.
        max_size: the largest size.

    Raises:
        GroupError: several factors.
    """
    from hypothesis import strategies as st

    if not isinstance(under, str) or ")" not in under or under.count("(") != 1:
        raise _not_one_factor(str(under))
    name = under.partition("(")[2].partition(")")[0].strip()
    signature = parse_signature(f"X: {name} -> {name}")
    (factor,) = parse_group(under, signature).factors
    if isinstance(factor.axis, int):
        size = factor.axis
    return st.builds(
        lambda n, seed: random_element(factor, n, random.Random(seed)),
        _sizes_up_to(max_size, size),
        st.integers(0, 2**32 - 1),
    )


def _not_one_factor(under: str) -> GroupError:
    return GroupError(
        "group_elements draws from one factor",
        given=under,
        expected='"O(d)"',
        hint='group_elements("O(d)"); hypothesis.strategies.tuples combines several',
    )


if not TYPE_CHECKING:  # for names that are not there
    __getattr__ = loader(__name__, {})
