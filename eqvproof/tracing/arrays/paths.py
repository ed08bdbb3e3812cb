"""Tracing of branches on values: each path through a target is traced, and choices join them.

    cond, f on the way where cond is true, f on the way where it is false
    ---------------------------------------------------------------------
    f = select(cond, the one, the other)

A question for the truth value of a traced number is answered from a script; the questions of one
run, with their answers, are its path. Runs with other scripts follow until every path has been
traced once. Every run starts from the same inputs in the same builder, so that values that two
paths have in common are one node, and from the same state of the user's objects.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from eqvproof.programs import Builder, Size
from eqvproof.support.errors import ErrorCode, TraceError
from eqvproof.tracing.arrays.poles import undefined
from eqvproof.tracing.observing.code import instructions

R = TypeVar("R")
C = TypeVar("C")
#: The argument of an AssertionError that represents a failed assertion of the target, in place of
#: its message.
FAILED = object()
#: Largest number of paths through a target, and of questions on one path, before a branch is
#: refused.
MOST_PATHS, MOST_QUESTIONS = 64, 40


class Path:
    """One path through the target, while it is traced.

    Args:
        script: the answers to give to the first questions; True is given to later ones.

    Attributes:
        asked: the conditions that were asked for, with the answers.
    """

    __slots__ = ("asked", "script")

    def __init__(self, script: tuple[bool, ...] = ()) -> None:
        self.script = script
        self.asked: list[tuple[int, bool]] = []

    def answer(self, condition: int) -> bool | None:
        """Returns the answer to a question, equal for equal questions; None for too many."""
        for known, answer in self.asked:
            if known == condition:
                return answer
        if len(self.asked) >= MOST_QUESTIONS:
            return None
        if len(self.asked) < len(self.script):
            given = self.script[len(self.asked)]
        else:
            given = True
        self.asked.append((condition, given))
        return given


@dataclass(frozen=True, slots=True)
class Taken(Generic[R, C]):
    """A path that has been traced.

    Attributes:
        asked: its questions and answers.
        result: what the run returned.
        recorder: what ran.
    """

    asked: tuple[tuple[int, bool], ...]
    result: R
    recorder: C


def every_path(
    run: Callable[[Path], tuple[R, C]], start_anew: Callable[[], None]
) -> Iterator[Taken[R, C]]:
    """Yields all paths, those on which a question is answered with True first.

    Args:
        run: traces one path.
        start_anew: is called before each further one, and puts back what the last one changed.

    Raises:
        TraceError: there are too many.
    """
    script: tuple[bool, ...] | None = ()
    count = 0
    while script is not None:
        count += 1
        if count > MOST_PATHS:
            raise TraceError(
                f"branches on values make more than {MOST_PATHS} ways through the function",
                hint="write np.where, np.maximum, ... in place of branches on values",
                code="trace.value",
            )
        if count > 1:
            start_anew()
        path = Path(script)
        result, recorder = run(path)
        yield Taken(tuple(path.asked), result, recorder)
        answers = [answer for _, answer in path.asked]
        while answers and not answers[-1]:
            answers.pop()
        script = (*answers[:-1], False) if answers else None


def joined(b: Builder, taken: Sequence[Taken[R, C]], nodes: Sequence[int], depth: int = 0) -> int:
    """Returns the value that chooses between the results of all paths.

    Raises:
        TraceError: the paths do not ask the same questions, or return different shapes.
    """
    if len(taken) == 1 and len(taken[0].asked) == depth:
        return nodes[0]
    conditions = {t.asked[depth][0] if len(t.asked) > depth else None for t in taken}
    (condition,) = conditions if len(conditions) == 1 else (None,)
    if condition is None:
        raise TraceError(
            "two traces of the function differ: it is random, or keeps state",
            code=ErrorCode.TRACE_DIFFERS,
        )
    halves = []
    for answer in (True, False):
        part = [k for k, t in enumerate(taken) if t.asked[depth][1] is answer]
        if not part:
            raise TraceError(
                "two traces of the function differ: it is random, or keeps state",
                code=ErrorCode.TRACE_DIFFERS,
            )
        halves.append(joined(b, [taken[k] for k in part], [nodes[k] for k in part], depth + 1))
    shapes = [b.shape(x) for x in halves]
    if shapes[0] != shapes[1]:
        raise TraceError(
            "the function returns arrays of different shapes, depending on values",
            given=" and ".join(f"({', '.join(map(str, s))})" for s in shapes), code="trace.shape",
        )  # fmt: skip
    return b.select(condition, halves[0], halves[1])


def chosen(b: Builder, taken: Sequence[Taken[int | None, C]]) -> int:
    """Returns the choice between the results of all paths, undefined on paths without a result.

    Raises:
        TraceError: as `joined`; or no path has a result.
    """
    first = next((t.result for t in taken if t.result is not None), None)
    if first is None:
        raise TraceError("the function raises an exception for every input", code="trace.raises")
    lost = b.broadcast_to(undefined(b), b.shape(first))
    return joined(b, taken, [lost if t.result is None else t.result for t in taken])


def as_condition(b: Builder, node: int, kind: str) -> int | None:
    """Returns a number, or an array of one entry, as a condition; None for larger arrays."""
    if any(s != Size.of(1) for s in b.shape(node)):
        return None
    flat = b.reshape(node, [])
    if kind == "b":
        return flat
    return b.map("ne", [flat, b.const(0)])


def raised_on_purpose(error: BaseException, is_users: Callable[[str], bool]) -> bool:
    """Checks whether a raise or assert statement of the user's code itself raised the exception.

    The exception must be a ValueError, an ArithmeticError, an AssertionError, or of a class that is
    not built in.
    """
    trace = error.__traceback__
    if isinstance(error, AssertionError) and error.args == (FAILED,):
        return True
    tells_of_values = isinstance(error, (ValueError, ArithmeticError, AssertionError))
    if trace is None or not (tells_of_values or type(error).__module__ != "builtins"):
        return False
    while trace.tb_next is not None:
        trace = trace.tb_next
    code = trace.tb_frame.f_code
    if not is_users(code.co_filename):
        return False
    return any(
        i.offset == trace.tb_lasti and i.opname in ("RAISE_VARARGS", "RERAISE")
        for i in instructions(code)
    )
