"""One random function and one claim: what `check` says of it, and whether that can be true."""

from __future__ import annotations

import random
import time
import warnings
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any
from unittest import mock
from zlib import crc32

import numpy as np

import eqvproof as ep
from benchmarks.fuzz import exactly
from benchmarks.fuzz.oracle import LENGTHS, Claim, Element, Sizes, Trials, Violation, differ
from benchmarks.fuzz.source import Source, claim_of
from benchmarks.fuzz.watch import TIES, exceptional
from eqvproof.support.errors import EqvproofError

STRONG = ("PROVED", "DECIDED", "BOUNDED", "EXACT", "ENCLOSED")


@dataclass(frozen=True, slots=True)
class Case:
    """What was asked, what was answered, and what is wrong with it.

    Attributes:
        name: the seed, with which the case is drawn again.
        source: the function.
        claim: the claim.
        answer: outcome and grade; "refused: code" where `check` took none of it.
        wrong: why the answer is wrong; empty where it is not.
        doubt: what could not be told.
        moves: whether the group moves the result.
    """

    name: str
    source: Source
    claim: Claim
    answer: str
    wrong: str = ""
    doubt: str = ""
    moves: bool = False

    @property
    def strong(self) -> bool:
        """Whether the wrong verdict is one of those that rest on no tolerance."""
        return bool(self.wrong) and self.answer.endswith(STRONG)

    def __str__(self) -> str:
        sizes = f", sizes={dict(self.claim.sizes)}" if self.claim.sizes else ""
        backend = f", backend={self.source.backend!r}" if self.source.backend != "numpy" else ""
        constants = f', constants="{self.claim.constants}"' if self.claim.constants != "rounded" else ""
        head = f"{self.name}: {self.answer}: {self.wrong or self.doubt}\n{self.source.text}"
        if self.claim.is_identity:
            call = f'ep.identical(f, g, "{self.claim.signature}"{sizes})'
            return f"{head}# and g:\n{self.source.other.text}{call}"
        told = f"{sizes}{backend}{constants}"
        return f'{head}ep.check(f, "{self.claim.signature}", under="{self.claim.under}"{told})'


def case(name: str, budget: float, *, libraries: bool = True) -> Case | None:
    """One case by its name, of NumPy alone or of others too; None where the draw gave no claim."""
    drawn = claim_of(name, libraries=libraries)
    return None if drawn is None else judged(name, *drawn, budget)


def judged(name: str, source: Source, claim: Claim, trials: Trials, budget: float) -> Case:
    """The answer to a claim, and what the oracle says of it."""
    made = Case(name, source, claim, "", moves=any(claim.acts_on_output))
    try:
        verdict = ask(source, claim, budget)
    except EqvproofError as error:
        return replace(made, answer=f"refused: {error.code}")
    except Exception as error:
        return replace(made, answer="crash", wrong=f"{type(error).__name__}: {error}")
    made = replace(made, answer=f"{verdict.outcome} {verdict.grade}".strip())
    wrong, doubt = told(name, source, claim, trials, verdict)
    second = getattr(verdict, "elsewhere", None)
    if second is not None and not wrong:
        made = replace(made, answer=f"{made.answer}, elsewhere {second.outcome} {second.grade}".strip())
        wrong, too = told(name, source, claim, trials, second)
        wrong, doubt = wrong and f"elsewhere: {wrong}", doubt or too
    return replace(made, wrong=wrong, doubt=doubt)


def told(name: str, source: Source, claim: Claim, trials: Trials, verdict: Any) -> tuple[str, str]:
    """What is wrong with one verdict, and what could not be told."""
    if verdict.certificate is not None and not (report := ep.verify(verdict.certificate)).accepted:
        return f"its certificate is not accepted: {report.reason}", ""
    if verdict.holds and verdict.grade != "TESTED":
        return holds(source, claim, trials, verdict, random.Random(f"judge {name}"))
    if verdict.fails and not source.stateful:
        return fails(source, claim, trials, verdict)
    return "", ""


def ask(source: Source, claim: Claim, budget: float) -> Any:
    """What users would ask; budgets are of processor time, the same however busy the machine is.

    No copy of the process is made, which has a clock of its own: all these functions return.
    """
    library: Any = np
    if source.backend == "jax":
        import jax.numpy as library
    f = source.function(library, crc32(source.text.encode()))
    budget *= 1 if source.backend == "numpy" else 5  # the libraries trace slowly
    backend = None if source.backend == "numpy" else source.backend
    clock, alone = mock.patch("time.monotonic", time.process_time), mock.patch("os.fork", side_effect=OSError)
    with warnings.catch_warnings(), clock, alone:
        warnings.simplefilter("ignore")
        if claim.is_identity:
            other = source.other.function(library, crc32(source.other.text.encode()))
            return ep.identical(f, other, claim.signature, sizes=claim.sizes, budget=budget)
        return ep.check(
            f, claim.signature, claim.under, sizes=claim.sizes, budget=budget, backend=backend,
            constants=claim.constants,
        )  # fmt: skip


def in_scope(scope: Sequence[Mapping[str, Any]], sizes: Sizes) -> bool:
    """Whether a verdict speaks of these sizes."""

    def inside(what: Any, size: int) -> bool:
        if isinstance(what, (list, tuple)):
            return bool(what[0] <= size and (what[1] is None or size <= what[1]))
        return bool(what == "all" or what == size)

    return any(all(inside(entry.get(n, "all"), s) for n, s in sizes.items()) for entry in scope)


def chosen_sizes(claim: Claim, verdict: Any, r: random.Random) -> Iterator[dict[str, int]]:
    """Sizes in the scope: equal ones, all kinds of them, one that is large."""
    names = sorted({n for a in claim.inputs for b in a.axes for n, _ in b if not n.isdigit()} | {
        a.kind for a in claim.inputs if a.kind not in ("", "bool")})  # fmt: skip
    drawn = [dict.fromkeys(names, s) for s in LENGTHS]
    drawn += [{n: r.choice(LENGTHS) for n in names} for _ in range(20)]
    for entry in verdict.sizes:
        drawn += [
            {n: entry[n] if isinstance(entry.get(n), int) else r.choice((1, 2, 3, 4)) for n in names}
            for _ in range(3)
        ]
    large = [{n: 130 if n == m else 2 for n in names} for m in names]
    found: list[dict[str, int]] = []
    for sizes in drawn:
        if sizes not in found and in_scope(verdict.sizes, sizes):
            found.append(sizes)
    yield from found[:9]
    if any(f == "GL" for f, _ in claim.factors):
        return
    yield from [
        s for s in large if in_scope(verdict.sizes, s) and all(len(a.axes) < 3 for a in claim.inputs)
    ][:2]


def holds(source: Source, claim: Claim, trials: Trials, verdict: Any, r: random.Random) -> tuple[str, str]:
    """A violation in exact numbers, of what is said to hold; and what could not be told."""
    doubt = ""
    defined, kinds = 0, left_out(verdict)
    for sizes in chosen_sizes(claim, verdict, r):
        large = max(sizes.values(), default=0) > 8
        at = trials.call(trials.point(sizes, 0))
        defined += at is not None and bool(np.any(np.isfinite(at) & (np.abs(at) < 1e9))) | (at.size == 0)
        for number, found in enumerate(suspects(source, claim, trials, sizes, large=large)):
            if large and kinds:
                answer = generic(source, claim, trials, found, kinds)
            elif large:
                answer = "different" if source.stateful or robust(source, claim, trials, found) else "unclear"
            elif source.stateful:
                answer = "different"
            else:
                answer = exactly.judge(source, claim, found)
                if kinds and answer not in ("equal", "undefined"):
                    answer = generic(source, claim, trials, found, kinds)
                elif answer.startswith("unclear: Unclear: np.linalg.") and source.theme == "spectra":
                    answer = generic(source, claim, trials, found, frozenset((TIES,)))
            if answer == "left out" and not kinds:
                answer = "unclear: where entries tie, or nearly"
            if answer == "different" and verdict.readings and explained(source, claim, found):
                continue
            if answer == "different":
                return f"fails at {sizes} under {shown(found)}", ""
            if answer.startswith("unclear"):
                doubt = doubt or f"a violation in floats at {sizes}, in exact numbers {answer}"
            if number > (9 if source.tables else 3):
                break
    if not defined and undefined(source, claim, trials, verdict, r):
        return "is defined nowhere", ""
    return "", doubt


def suspects(
    source: Source, claim: Claim, trials: Trials, sizes: Sizes, *, large: bool
) -> Iterator[Violation]:
    """Where the sides may differ: by floats, and everywhere where weights decide by less than floats tell."""
    if source.tables and not large:
        for _, _, found in trials.pairs(claim, [sizes], 3, 1):
            if exactly.seem_different(source, claim, found):
                yield found
    yield from trials.violations(claim, [sizes], 2 if large else 5, 1 if large else 2)


def left_out(verdict: Any) -> frozenset[str]:
    """The kinds of points of which a verdict says nothing; the three kinds of ties are one."""
    return frozenset(TIES if TIES in p.kind else str(p.kind) for p in verdict.points)


def generic(
    source: Source, claim: Claim, trials: Trials, found: Violation, kinds: frozenset[str]
) -> str:
    """The judgement off points of some kinds: "different" at each of some points nearby, or "left out".

    Exact numbers judge; floats do where these know no eigenvectors, and only of values that do not jump.
    """
    rng = np.random.default_rng(1)
    answers = []
    for _ in range(2):
        arrays = tuple(
            a if a.dtype.kind in "iub" else a.astype(float) + rng.integers(-(2**10), 2**10, a.shape) / 2**13
            for a in map(np.asarray, found.arrays)
        )
        near = replace(found, arrays=arrays)
        if kinds & (exceptional(source, arrays) | exceptional(source, near.moved(claim.inputs, arrays))):
            return "left out"  # constants tie everywhere, and the eigenvalues of a matrix of low rank are 0
        size = max(found.sizes.values(), default=0)
        answer = exactly.judge(source, claim, near) if size <= 8 else "unclear: large"
        if answer.startswith("unclear"):
            answer = "different" if steady(claim, trials, near, rng) else answer
        answers.append(answer)
    return "different" if answers == ["different"] * 2 else "left out"


def steady(claim: Claim, trials: Trials, found: Violation, rng: np.random.Generator) -> bool:
    """Whether the sides differ by far in floats, and neither jumps when the point moves a little."""
    first = sides(claim, trials, found)
    known = all(np.isfinite(s).all() for s in first) and first[0].shape == first[1].shape
    if not known or not first[0].size:
        return False
    for _ in range(3):
        arrays = tuple(
            a if a.dtype.kind in "iub" else a + 1e-9 * rng.standard_normal(a.shape) for a in found.arrays
        )
        again = sides(claim, trials, replace(found, arrays=arrays))
        if any(a.shape != b.shape or np.abs(a - b).max() > 1e-5 for a, b in zip(first, again, strict=True)):
            return False
    return bool(np.abs(first[0] - first[1]).max() > 1e-3 * (1 + np.abs(first[0]).max()))


def explained(source: Source, claim: Claim, found: Violation) -> bool:
    """Whether a difference is what a few roundings of the stored numbers explain, to first order."""
    many = 16 if any(f in ("O", "SO") for f, _ in claim.factors) else 4
    try:
        here = exactly.residual(source, claim, found)
        reach = np.zeros(here.shape)
        for name in source.tables:
            text = next(part for part in source.head if part.startswith(f"{name} = "))
            table: Any = source.function().__globals__[name]
            step = many * 2.0 ** (-24 if "float32" in text else -53)
            for index in np.ndindex(table.shape):
                factor = f"{name} = {name}.copy()\n{name}[{index}] *= {1 + step!r}"
                changed = replace(source, head=(*source.head, factor))
                reach = reach + np.abs(exactly.residual(changed, claim, found) - here)
    except (Exception, exactly.Unclear):
        return False
    return bool(np.all(np.abs(here) <= 1.01 * reach + 1e-30))


def robust(source: Source, claim: Claim, trials: Trials, found: Violation) -> bool:
    """Whether a violation that is too large to compute exactly is far above rounding, and beside ties too."""
    rng = np.random.default_rng(0)
    arrays = tuple(
        a if a.dtype.kind in "iub" else a.astype(float) + 1e-3 * rng.standard_normal(a.shape)
        for a in map(np.asarray, found.arrays)
    )
    left, right = sides(claim, trials, replace(found, arrays=arrays))
    near = tuple(a if a.dtype.kind in "iub" else a * (1 + 1e-12) for a in arrays)
    again = sides(claim, trials, replace(found, arrays=near))
    if differ(left, again[0]) or differ(right, again[1]):  # a singular matrix is inverted, or the like
        return False
    known = np.isfinite(left) & np.isfinite(right)
    gap = np.abs(left - right)[known]
    return bool(gap.size) and bool(gap.max() > 1e-3 * (1 + np.abs(left[known]).max()))


def undefined(source: Source, claim: Claim, trials: Trials, verdict: Any, r: random.Random) -> bool:
    """Whether exact numbers find no defined entry at any point."""
    for sizes in chosen_sizes(claim, verdict, r):
        if max(sizes.values(), default=0) > 4:
            continue
        for number in range(5):
            try:
                value = exactly.run(source, [exactly.exact(a) for a in trials.point(sizes, number)])
            except (Exception, exactly.Unclear):
                return False
            if any(x.v is not None for x in value.flat):
                return False
    return True


def sides(claim: Claim, trials: Trials, found: Violation) -> tuple[Any, Any]:
    """f(g x) and g f(x) in floats."""
    floats = [a.astype(float) if a.dtype == object else a for a in found.arrays]
    at = trials.call(floats, twin=claim.is_identity)
    left = trials.call(found.moved(claim.inputs, floats))
    if at is None or left is None:
        return np.array(np.nan), np.array(np.nan)
    return left, found.acted(at, claim)


def fails(source: Source, claim: Claim, trials: Trials, verdict: Any) -> tuple[str, str]:
    """Whether the counterexample is none, by exact numbers, or by floats where these do not tell."""
    point = verdict.counterexample
    arrays = tuple(_plain(np.asarray(point.inputs[a.name]), a.kind) for a in claim.inputs)
    moves = []
    for family, axis in () if claim.is_identity else claim.factors:
        data = point.element.get(axis, point.element.get(int(axis)) if axis.isdigit() else None)
        if data is not None:
            moves.append((element_of(family, data), axis))
    if len(moves) < len(point.element):
        return "", "the counterexample moves another axis"
    found = Violation(point.sizes, arrays, tuple(moves))
    answer = exactly.judge(source, claim, found)
    if answer == "equal":
        return f"both sides are equal at {dict(point.sizes)}: {point}", ""
    if answer.endswith("as small as roundings") and claim.constants == "literal":
        return "", ""  # it may be as small as that: nothing is rounded in the stored numbers
    if answer != "different":
        left, right = sides(claim, trials, found)
        finite = np.isfinite(left).all() and np.isfinite(right).all()
        if not (differ(left, right) and (finite or verdict.grade == "OBSERVED")):
            return "", answer
    return "", ""


def _plain(array: Any, kind: str) -> Any:
    return array.astype(bool if kind == "bool" else int) if kind else array.astype(object)


def element_of(family: str, data: Any) -> Element:
    """The element of a counterexample."""
    if family in ("S", "A", "C", "D"):
        return "perm", tuple(int(i) for i in data), None
    if family == "Scale":
        return "scale", np.asarray(data).flat[0], None
    if family in ("E", "SE"):
        return "matrix", [list(row) for row in data[0]], list(data[1])
    if family in ("T", "Signs"):
        size = len(data)
        unit = [
            [int(i == j) * (data[i] if family == "Signs" else 1) for j in range(size)] for i in range(size)
        ]
        return "matrix", unit, list(data) if family == "T" else None
    return "matrix", [list(row) for row in data], None


def shown(found: Violation) -> str:
    """Elements in brief."""
    told = [
        ([[str(x) for x in row] for row in g[1]] if g[0] == "matrix" else g[1], axis)
        for g, axis in found.moves
    ]
    return str(told)[:200]


def shrunk(found: Case, budget: float) -> Case:
    """The same wrong answer from fewer statements."""
    best = found
    for k in range(len(found.source.body) - 2, -1, -1):
        body = (*best.source.body[:k], *best.source.body[k + 1 :])
        source = replace(best.source, body=body)
        try:
            trials = Trials(source, best.name)
            if trials.shape(source.sizes or {"n": 3, "d": 3, "k": 3}) is None:
                continue
            smaller = judged(best.name, source, best.claim, trials, budget)
        except Exception:
            continue
        if smaller.wrong and smaller.answer == best.answer:
            best = smaller
    return best
