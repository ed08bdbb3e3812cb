"""Printed verdicts: at most so many lines, decisive steps, short numbers; `explain` loses nothing."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import eqvproof as ep
from eqvproof.engines.verdict.numbers import (
    LONGEST,
    LONGEST_ARRAY,
    WIDTH,
    folded_array,
    short_array,
    short_number,
)
from eqvproof.engines.verdict.summary import FEWEST, proof_summary
from eqvproof.engines.verdict.verdict import MOST_LINES, MOST_NOTES
from eqvproof.errors import EqvproofError
from eqvproof.support.display.step import Step
from tests.judged import assert_proved, assert_refuted


def egnn(x, h):
    gaps = x[:, None] - x[None]
    messages = np.tanh((gaps**2).sum(-1)[..., None] * h[None] + h[:, None])
    return x + (gaps * messages.mean(-1)[..., None]).sum(1), h + messages.sum(1)


def test_a_long_proof_is_printed_as_its_decisive_steps():
    verdict = assert_proved(egnn, "x: n 3, h: n 4 -> n 3, n 4", "E(3) x S(n)")
    printed, whole = str(verdict).splitlines(), verdict.explain().splitlines()
    assert len(printed) <= MOST_LINES < len(whole)
    assert set(printed[:-1]) <= set(whole)
    assert all(line in whole for line in map("  {}".format, verdict.derivation))
    invariant = "v4[i, j] = sum_{k} v3[i, j, k] v3[i, j, k]   (n, n): invariant"
    assert any(invariant in line for line in printed)  # lengths of gaps, which O(3) leaves alone
    assert not any("[assumption]" in line for line in printed)
    assert f"{len(printed) - 2} of {len(verdict.derivation)} lines" in printed[-1]


@given(
    st.lists(st.integers(1, 5), min_size=0, max_size=3),
    st.lists(st.fractions(max_denominator=10**4), min_size=125, max_size=125),
    st.integers(1, 12),
)
def test_an_array_is_folded_between_its_entries_alone(shape, values, label):
    """Lines are at most as wide as a terminal, lose nothing, and break rows only where they are wider."""
    count = int(np.prod(shape, dtype=int))
    array = np.array([Fraction(v) for v in values[:count]], dtype=object).reshape(shape)
    text, start = short_array(array), f"  {'x' * label} = "
    lines = folded_array(start, text)
    assert max(map(len, lines)) <= WIDTH
    assert " ".join(line.strip() for line in lines) == (start + text).strip()
    assert all(line.endswith(",") for line in lines[:-1])
    rows = array.reshape(-1, shape[-1]) if len(shape) == 2 else ()
    if all(len(start) + len(short_array(row)) + 3 <= WIDTH for row in rows) and text.startswith("[["):
        assert all(line.endswith("],") for line in lines[:-1])


def test_no_row_of_a_printed_matrix_is_wrapped_at_80_columns():
    W = np.random.default_rng(0).normal(size=(6, 6)).astype(np.float32)
    printed = str(assert_refuted(lambda X: np.tanh(W @ X) + X, "X: 6 n -> 6 n", "S(6) x S(n)"))
    arrays = printed[printed.index("  f(g x) =") : printed.index("  they differ")].splitlines()
    assert len(arrays) > 2 and max(map(len, arrays)) <= WIDTH


def test_a_short_proof_is_printed_whole():
    verdict = assert_proved(lambda x: x - x.mean(0), "x: n 3 -> n 3", "S(n)")
    assert str(verdict) == verdict.explain()


def test_a_verdict_read_back_prints_the_same():
    verdict = assert_proved(egnn, "x: n 3, h: n 4 -> n 3, n 4", "E(3) x S(n)")
    assert str(ep.Verdict.from_json(verdict.to_json())) == str(verdict)


def steps(draw_count: int, every: int) -> list[str]:
    return [
        Step(f"v{i}", "n", "invariant", "sum", is_decisive=not i % every) if i % 7 else f"Under {i}:"
        for i in range(draw_count)
    ]


@given(st.integers(0, 90), st.integers(1, 9), st.integers(0, 40))
def test_a_summary_has_room_for_its_lines(count: int, every: int, room: int) -> None:
    lines = steps(count, every)
    found = proof_summary(lines, room)
    assert len(found) <= max(room, FEWEST)
    whole = [f"  {line}" for line in lines]
    assert found == whole or (len(whole) > len(found) and set(found[:-1]) <= set(whole))


def test_large_arrays_and_long_numbers_are_short():
    def drawn(x):
        return x + np.arange(x.shape[0])[:, None] / 3

    verdict = assert_refuted(drawn, "x: n 40 -> n 40", "S(n)")
    assert len(str(verdict).splitlines()) <= MOST_LINES
    assert max(map(len, str(verdict.counterexample.summary()).splitlines())) < 2 * LONGEST_ARRAY
    assert str(verdict.counterexample) in verdict.explain()


@given(st.fractions())
def test_a_short_number_is_exact_or_says_that_it_is_not(value: Fraction) -> None:
    text = short_number(value)
    if text.startswith("~"):
        assert len(str(value)) > LONGEST
        assert abs(Fraction(text[1:]) - value) <= abs(value) / 10**5
    else:
        assert Fraction(text) == value


def test_numbers_of_any_size_are_written():
    assert short_number(Fraction(10**400, 3)) == "~3.33333e+399"
    assert short_array(np.zeros((30, 40), dtype=int)) == "30 x 40 entries, all 0"
    one = np.zeros((30, 40), dtype=int)
    one[3, 5] = 2
    assert short_array(one) == "30 x 40 entries, all 0 but 2 at [3, 5]"


def test_many_notes_are_counted():
    notes = tuple(f"note {i}" for i in range(9))
    verdict = ep.Verdict(ep.Outcome.UNDECIDED, ep.Grade.NONE, "", notes=notes)
    assert sum("note" in line.lower() for line in str(verdict).splitlines()) == MOST_NOTES
    assert all(f"Note: {note}." in verdict.explain() for note in notes)


def test_a_verdict_is_not_compared_with_a_truth_value():
    verdict = ep.Verdict(ep.Outcome.UNDECIDED, ep.Grade.NONE, "")
    for value in (True, False):
        with pytest.raises(EqvproofError, match=r"verdict\.holds"):
            verdict == value  # noqa: B015
    assert verdict == verdict and verdict != 1 and len({verdict, verdict}) == 1
