"""Kept threads: results in order, the first error, threads in threads, processes that were forked."""

from __future__ import annotations

import os
import threading

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from eqvproof.deepsets.threads import in_threads
from tests.sampling import examples


@given(items=st.lists(st.integers(), max_size=30), threads=st.integers(1, 5))
@settings(max_examples=examples(60), deadline=None)
def test_results_stand_in_the_order_of_the_items(items: list[int], threads: int) -> None:
    told: list[int] = []
    assert in_threads(lambda x: x + 1, items, threads, told.append) == [x + 1 for x in items]
    assert sum(told) == len(items)


@pytest.mark.parametrize("threads", [1, 2, 4])
def test_what_work_raises_is_raised_and_the_next_call_is_as_before(threads: int) -> None:
    done: list[int] = []

    def work(k: int) -> None:
        done.append(k)
        if k == 2:
            raise KeyError(k)

    with pytest.raises(KeyError):
        in_threads(work, range(1000), threads)
    assert len(done) < 1000
    assert in_threads(abs, [-1, -2], threads) == [1, 2]


def test_two_items_run_at_once_and_more_threads_come_when_asked_for() -> None:
    for count in (2, (os.cpu_count() or 1) + 2):
        meeting = threading.Barrier(count, timeout=30)
        assert sorted(in_threads(lambda _, m=meeting: m.wait(), range(count), count)) == list(range(count))


def test_work_that_asks_for_threads_gets_none() -> None:
    seen = in_threads(lambda _: in_threads(lambda _: threading.get_ident(), range(3), 3), range(4), 2)
    assert all(len(set(idents)) == 1 for idents in seen)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_a_forked_process_makes_its_own_threads() -> None:
    assert in_threads(abs, [-1, -2, -3], 2) == [1, 2, 3]
    child = os.fork()
    if child == 0:
        os._exit(0 if in_threads(abs, [-1, -2, -3], 2) == [1, 2, 3] else 1)
    assert os.waitpid(child, 0)[1] == 0
