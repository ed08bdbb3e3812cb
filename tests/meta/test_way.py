"""The way of a claim through the files of the package, followed call by call from the spine.

A reader follows `ep.check` from the door: each call in the files of the spine leads into another file. Who
comes back to a file that was left must remember what happened there; that shall be rare.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from itertools import groupby
from pathlib import Path
from types import FrameType
from typing import Any

import numpy as np

import eqvproof as ep

PACKAGE = f"{Path(ep.__file__).parent}/"
#: The files in which a claim is handed from stage to stage.
SPINE = (
    "api.py", "engines/guarded_call.py", "engines/detect_backend.py", "engines/guards.py", "engines/judge.py",
)  # fmt: skip
#: Largest number of returns to a file, or to a room, that was left before.
MOST_RETURNS = 2


def attention(X: Any) -> Any:
    scores = np.exp(X.T @ X)
    return X @ (scores / np.sum(scores, axis=0))


def files_entered(work: Callable[[], object]) -> list[str]:
    """Lists the files that calls in the spine lead to, methods of data among them, in order.

    A call through another package, as by a context manager, belongs to the file that makes it.
    """
    frames: list[FrameType] = []  # each is entered once: later on a generator only goes on
    known: set[int] = set()
    entered: list[str] = []

    def place(frame: FrameType) -> str:
        return frame.f_code.co_filename.removeprefix(PACKAGE)

    def watch(frame: FrameType, event: str, _: object) -> None:
        if event != "call" or id(frame) in known or not frame.f_code.co_filename.startswith(PACKAGE):
            return
        frames.append(frame)
        known.add(id(frame))
        caller = frame.f_back
        while caller is not None and not caller.f_code.co_filename.startswith((PACKAGE, __file__)):
            caller = caller.f_back
        if caller is not None and place(caller) in SPINE and place(caller) != place(frame):
            entered.append(place(frame))

    sys.setprofile(watch)
    try:
        work()
    finally:
        sys.setprofile(None)
    return entered


def visits(places: list[str]) -> Counter[str]:
    """Counts how often each place is entered from another one."""
    return Counter(place for place, _ in groupby(places))


def returns(places: list[str]) -> int:
    return sum(count - 1 for count in visits(places).values())


def way_of_a_proof() -> list[str]:
    """Lists the files that a proof is followed through."""
    ep.check(attention, "X: d n -> d n", "O(d)")  # modules are loaded
    verdicts: list[ep.Verdict] = []
    files = files_entered(lambda: verdicts.append(ep.check(attention, "X: d n -> d n", "O(d)")))
    assert verdicts[0].grade == "PROVED" and ep.verify(verdicts[0].certificate).accepted
    return files


def test_a_proof_returns_to_few_files() -> None:
    """In a process of its own: where a framework is loaded, each array is asked whose it is."""
    code = "import json; from tests.meta.test_way import way_of_a_proof; print(json.dumps(way_of_a_proof()))"
    root = Path(__file__).resolve().parents[2]
    done = subprocess.run([sys.executable, "-c", code], cwd=root, capture_output=True, text=True, check=True)
    files: list[str] = json.loads(done.stdout)
    stages = ("read_call", "trace_claim", "prove_claim", "definedness", "conclude")
    found = [f for f in files if f in {f"engines/{stage}.py" for stage in stages}]
    assert [f for f, _ in groupby(found)] == [f"engines/{stage}.py" for stage in stages]
    assert returns(files) <= MOST_RETURNS and max(visits(files).values()) < 3, visits(files)
    rooms = [f.partition("/")[0] for f in files if not f.startswith("engines/")]
    assert returns(rooms) <= MOST_RETURNS, visits(rooms)


def test_a_return_is_counted() -> None:
    assert returns(["a", "a", "b"]) == 0
    assert returns(["a", "b", "b", "a", "c", "a"]) == 2


def test_calls_of_the_spine_are_seen() -> None:
    """Both the calls of functions and those of methods and properties of data."""
    from eqvproof.engines import guards

    class Data:
        executor, deadline, domain, reps = None, float("inf"), None, ()

        @property
        def functions(self) -> tuple[Any, ...]:
            return (attention,)

    claim: Any = Data()
    files = files_entered(lambda: guards.run_by_deadline(lambda: None, claim))
    assert files[:2] == ["tracing/libraries.py", "tracing/libraries.py"]
    assert {"support/forked_work.py", "tracing/observing/endless.py"} <= set(files)
