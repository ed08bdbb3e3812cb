"""Checks of claims in a separate process, which is ended on time even if the function hangs.

What the function prints appears on the error stream, each line once: it is called many times.
"""

from __future__ import annotations

import json
import queue
import secrets
import subprocess
import threading
from collections.abc import Callable, Iterator, Mapping
from types import TracebackType
from typing import IO, Any

from eqvproof.interface.cli.terminal import relay
from eqvproof.support.child_process import end_process, start_module
from eqvproof.support.errors import EqvproofError, TargetError
from eqvproof.support.forked_work import ending
from eqvproof.support.writing import seconds

#: Seconds allowed for importing the module, on top of the budget of a claim, and for the end.
IMPORT, GRACE, END = 90.0, 20.0, 2.0
Answer = dict[str, Any]


def check_in_process(
    request: Mapping[str, Any], begins: Callable[[int, int, str], None]
) -> Iterator[Answer]:
    """Yields the verdict, as data, on each claim of a request, in order.

    If the process must be ended, the claim that it was checking is undecided.

    Args:
        request: for `eqvproof.interface.cli.worker`.
        begins: called before each claim with its number, the number of claims, and its name.

    Raises:
        EqvproofError: the process reports bad input.
        RuntimeError: the process reports a defect of this package.
    """
    done, total = 0, 1
    while done < total:
        claims: list[list[str]] = []
        limit = IMPORT
        with _Process({**request, "from": done}) as process:
            while "how" not in (answer := process.next(limit)):
                if "error" in answer:
                    raise EqvproofError(answer["error"])
                if "defect" in answer:
                    raise RuntimeError(answer["defect"])
                if "claims" in answer:
                    claims = answer["claims"]
                    total = len(claims)
                elif "begins" in answer:
                    begins(done, total, claims[done][0])
                    limit = answer["begins"] + GRACE
                else:
                    yield {**answer, "name": claims[done][0]}
                    done += 1
                    if done == total:
                        limit = END
        if done < total:
            if not claims:
                raise TargetError(
                    f"the target cannot be imported: its process {answer['how']}",
                    given=str(request["target"]),
                    expected=f"a module whose import ends, within {seconds(IMPORT)} seconds",
                    hint="import it in Python to see what it does",
                    code="target.import",
                )
            yield _undecided(claims[done], f"the process of the target {answer['how']}")
            done += 1


def _undecided(claim: list[str], reason: str) -> Answer:
    from eqvproof.engines.verdict import Grade, Outcome, Verdict
    from eqvproof.engines.verdict.screen import verdict_screen

    name, signature, under = claim
    verdict = Verdict(Outcome.UNDECIDED, Grade.NONE, "", reason, signature=signature, under=under)
    return {
        "name": name,
        "certificate": None,
        "screen": list(verdict_screen(verdict)),
        **verdict.to_json(),
    }


class _Process:
    """A process that checks claims; after the block it has ended and prints nothing more."""

    def __init__(self, request: Mapping[str, Any]) -> None:
        self._process = start_module("eqvproof.interface.cli.worker", stderr=subprocess.PIPE)
        self._found: queue.Queue[Answer] = queue.Queue()
        self._mark = secrets.token_hex(8)
        self._relay = _thread(relay, self._process.stderr)
        _thread(self._read, self._process.stdout)
        stdin: Any = self._process.stdin
        json.dump({**request, "mark": self._mark}, stdin)
        stdin.close()

    def __enter__(self) -> _Process:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        end_process(self._process)
        self._relay.join(1.0)  # processes started by the target may keep the stream open
        stderr = self._process.stderr
        if stderr is not None and not self._relay.is_alive():
            stderr.close()

    def next(self, limit: float) -> Answer:
        """Returns the next answer; if none comes in time, a description of how the process ended."""
        try:
            return self._found.get(timeout=limit)
        except queue.Empty:
            return {"how": f"was ended after {seconds(limit)} seconds"}

    def _read(self, stream: IO[str]) -> None:
        for line in stream:
            _, mark, answer = line.partition(self._mark)
            if mark:  # other lines are written by the target
                self._found.put(json.loads(answer))
        how = ending(self._process.wait())
        self._found.put({"how": f"ended {how} before there was an answer"})


def _thread(work: Callable[[Any], None], stream: IO[str] | None) -> threading.Thread:
    thread = threading.Thread(target=work, args=(stream,), daemon=True)
    thread.start()
    return thread
