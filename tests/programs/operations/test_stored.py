"""Numbers as they are stored are the rationals that they are."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from eqvproof.programs import Builder, Size
from eqvproof.programs import operations as ops
from eqvproof.programs.evaluate import evaluate_exact, evaluate_float
from eqvproof.programs.operations.stored import LEAST_STORED, Stored, digest, store_array
from eqvproof.programs.rules.acts import UNI, fix
from eqvproof.programs.rules.context import Context

KINDS = st.sampled_from([np.float64, np.float32, np.float16, np.int64, np.uint8, np.uint64])
FINITE = KINDS.flatmap(
    lambda dtype: hnp.arrays(
        dtype, st.tuples(st.integers(4, 6), st.integers(16, 18)),
        elements={"allow_nan": False, "allow_infinity": False} if np.dtype(dtype).kind == "f" else None,
    )
)  # fmt: skip


@given(FINITE)
def test_every_number_is_read_exactly(array: np.ndarray) -> None:
    kept = store_array(array)
    assert isinstance(kept, Stored)
    whole = tuple(Fraction(v) for v in array.ravel().tolist())
    assert tuple(kept) == whole == kept[:] and len(kept) == len(whole) and kept[5] == whole[5]
    op = ops.Const((), (), kept)
    assert op.bounds() == (min(whole), max(whole))


@given(FINITE)
def test_it_is_a_copy(array: np.ndarray) -> None:
    kept, before = Stored(array), [*map(Fraction, array.ravel().tolist())]
    array[...] = 1
    assert list(kept) == before
    with pytest.raises(ValueError, match="read-only"):
        kept.array[0] = 1


@given(FINITE, FINITE)
def test_equal_ones_hold_equal_numbers(a: np.ndarray, b: np.ndarray) -> None:
    for other in (b, a.copy(), a.astype(np.float64), a.astype(np.int64) if a.dtype.kind != "f" else b):
        if Stored(a) == Stored(other):
            assert tuple(Stored(a)) == tuple(Stored(other)) and hash(Stored(a)) == hash(Stored(other))
    assert Stored(a) == Stored(a.copy())


@given(FINITE, st.data())
def test_numbers_that_are_kept_are_not_copied_again(array: np.ndarray, data: st.DataObject) -> None:
    kept = store_array(array)
    assert store_array(array.copy()) is kept is not None
    changed = array.copy()
    at = tuple(data.draw(st.integers(0, size - 1)) for size in array.shape)
    changed[at] = 1 if array[at] == 0 else 0
    other = store_array(changed)
    assert other != kept and tuple(other or ()) == tuple(map(Fraction, changed.ravel().tolist()))
    assert store_array(array.astype(">f8")) is not kept


@given(FINITE, st.data())
def test_the_name_of_entries_is_that_of_their_bytes(array: np.ndarray, data: st.DataObject) -> None:
    """Whether they are kept or not; and -0, whose number is kept, is another entry than 0."""
    before = digest(array)
    kept = store_array(array)
    assert kept is not None and digest(array) == before == digest(array.T.copy().T)
    assert (kept.digest() == before) == (kept.array.tobytes() == array.tobytes())
    changed = array.copy()
    byte = changed.reshape(-1).view(np.uint8)
    byte[data.draw(st.integers(0, len(byte) - 1))] ^= np.uint8(1 << data.draw(st.integers(0, 7)))
    assert digest(changed) != before


def test_a_large_integer_is_not_its_nearest_float() -> None:
    whole = np.full(LEAST_STORED, 2**53 + 1)
    assert Stored(whole) != Stored(whole.astype(np.float64))
    assert Stored(whole)[0] == 2**53 + 1


@pytest.mark.parametrize(
    "array",
    [
        np.full(LEAST_STORED, np.inf), np.full(LEAST_STORED, np.nan), np.ones(LEAST_STORED - 1),
        np.ones(LEAST_STORED, object), np.ones(LEAST_STORED, bool),
    ],
    ids=["infinite", "nan", "few", "objects", "bools"],
)  # fmt: skip
def test_others_are_not_kept_so(array: np.ndarray) -> None:
    assert store_array(array) is None


@given(FINITE)
def test_a_constant_means_the_same_in_both_ways(array: np.ndarray) -> None:
    """Its type, its values and its JSON form are those of the same tensor of Fractions."""
    builders = Builder(), Builder()
    rationals = np.array([Fraction(v) for v in array.ravel().tolist()], dtype=object).reshape(array.shape)
    short, whole = (b.program(b.const(a)) for b, a in zip(builders, (array, rationals), strict=True))
    assert isinstance(short.nodes[0].values, Stored) and isinstance(whole.nodes[0].values, tuple)
    assert short.to_json() == whole.to_json()
    assert builders[0].scalar_value(0) == builders[1].scalar_value(0)
    assert (evaluate_exact(short, {}, {}) == evaluate_exact(whole, {}, {})).all()
    assert np.array_equal(evaluate_float(short, {}, {}), evaluate_float(whole, {}, {}))
    assert np.array_equal(short.nodes[0].array().astype(object), whole.nodes[0].array())


def constant(array: np.ndarray) -> ops.Const:
    b = Builder()
    node = b.nodes[b.const(array)]
    assert isinstance(node, ops.Const)
    return node


@pytest.mark.parametrize("fill", [0, 1, 2.5])
def test_types_see_zeros_and_what_does_not_vary(fill: float) -> None:
    size = Size.of("n")
    context = Context("S", "n", size, [])
    rows = np.full((8, 8), fill)
    rows[:, 3] += 1
    for array in (np.full((8, 8), fill), rows):
        exact = np.array([*map(Fraction, array.ravel())], dtype=object).reshape(8, 8)
        first, second = (constant(a).infer([], context) for a in (array, exact))
        assert first == second
    assert constant(rows).infer([], context)[0] == (UNI, fix(Size.of(8)))
