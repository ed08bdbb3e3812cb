"""Claims with representations that are given by functions: f(g x) = g f(x) with rho(g) on some axes.

Irreps are proved, or decided, as claims about tensors (`proving`). Nothing is proved of a rho that is only
called: the claim is refuted, or tested. Its matrices are taken as they come (rho is examined on some products
of elements), so that no certificate can hold them.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import islice, product
from typing import Any

import numpy as np

from eqvproof.deadline import TimeIsUp
from eqvproof.engines.all_sizes import attempt_trace
from eqvproof.engines.claim import LARGEST_DEFAULT, Claim
from eqvproof.engines.representations import proving
from eqvproof.engines.representations.matrices import Representation
from eqvproof.engines.representations.sides import Represented
from eqvproof.engines.scope import tried_text
from eqvproof.engines.search.compare import Comparison
from eqvproof.engines.search.comparison import Hit, Looker, NotExact, Stop, to_found
from eqvproof.engines.search.elements import random_moves, simple_moves, telling_moves
from eqvproof.engines.search.find import SMALL, small_text
from eqvproof.engines.search.inputs import Points
from eqvproof.engines.search.result import Found, Nondeterministic
from eqvproof.engines.search.sides import Trial
from eqvproof.engines.search.subject import Subject, called_subject, program_subject
from eqvproof.engines.verdicts import certificate_of, undecided
from eqvproof.errors import EqvproofError, GroupError, ShapeError, TargetError
from eqvproof.verdict import Counterexample, Grade, Outcome, Verdict

Sizes = dict[str, int]
#: So many structured points, and simple elements of each factor, at each of so many choices of sizes.
_POINTS, _EACH, _MOST_SIZES = 24, 6, 40
#: Points at most for a claim about matrices that the user gives.
_MOST_LOOKS = 20_000
#: A residual in floats counts when it is so many times the defect of rho.
_FAR_ABOVE = 1024.0


def check(claim: Claim) -> Verdict:
    """PROVED where irreps are given and types show it; else FAILS, TESTED or UNDECIDED."""
    shown = proving.proved(claim)
    if shown is not None and shown.holds:
        return shown
    verdict = _Run(claim).verdict()
    if shown is None:
        return verdict
    if not verdict.holds:
        return replace(verdict, reason="; ".join(filter(None, (verdict.reason, shown.reason))))
    decided = proving.decided(claim)
    if decided is not None and decided.holds:
        return decided
    return replace(verdict, reason=f"{verdict.reason}; {shown.reason}")


def prove(claim: Claim) -> Verdict:
    """PROVED or UNDECIDED."""
    shown = proving.proved(claim)
    return neither(claim) if shown is None else shown


def decide(claim: Claim) -> Verdict:
    """DECIDED where irreps are given and types show it at single sizes; else UNDECIDED."""
    shown = proving.decided(claim)
    return neither(claim) if shown is None else shown


def refute(claim: Claim) -> Verdict:
    """FAILS or UNDECIDED."""
    verdict = _Run(claim).verdict()
    return undecided(claim, verdict.reason, verdict.notes) if verdict.holds else verdict


def neither(claim: Claim) -> Verdict:
    """UNDECIDED: what proofs and decisions say."""
    what = "representations given by functions are refuted or tested here, not proved"
    return undecided(claim, what)


class _Run:
    """One claim: its sizes, its points, and what was found."""

    def __init__(self, claim: Claim) -> None:
        self._claim = claim
        self._maps: tuple[Representation, ...] = claim.reps
        self._notes: dict[str, None] = {}
        self._defect = 0.0
        self._exact = True
        self._obstacle = ""
        self._here: Sizes = {}
        self._tried = 0
        self._at: dict[tuple[tuple[str, int], ...], None] = {}

    def verdict(self) -> Verdict:
        """FAILS, TESTED or UNDECIDED."""
        claim = self._claim
        try:
            hit = self._search()
        except Nondeterministic:
            return undecided(claim, "two equal calls gave different answers", tuple(self._notes))
        notes = tuple(self._notes)
        if hit is not None:
            return self._fails(to_found(hit, is_recorded=True), notes)
        if not self._tried:
            return undecided(claim, self._obstacle or "no point could be compared", notes)
        tried = [dict(s) for s in self._at]
        reason = (
            f"no violation in {self._tried} comparisons, and nothing more is claimed;"
            " the matrices of the representation are taken from a function"
        )
        return Verdict(
            Outcome.HOLDS, Grade.TESTED, tried_text(tried), reason=reason, sizes=tuple(tried),
            signature=str(claim.signature), under=claim.under, notes=notes,
        )  # fmt: skip

    def _fails(self, found: Found, notes: tuple[str, ...]) -> Verdict:
        claim, sizes = self._claim, dict(self._here)
        shown = Counterexample(
            sizes=sizes, inputs=dict(found.inputs), element=found.element_data(),
            left=np.asarray(found.left, dtype=object), right=np.asarray(found.right, dtype=object),
            entry=tuple(found.entry), words=found.words,
        )  # fmt: skip
        axes = ", ".join(r.axis for r in self._maps)
        if found.relative_size < SMALL:
            notes = (*notes, small_text(found))
        reason = f"the matrices of the representation on {axes} are taken from a function: no certificate"
        grade, certificate = Grade(found.grade), None
        there = proving.with_irreps(claim)
        if there is not None:
            reason = ""
        if there is not None and grade is not Grade.OBSERVED:
            certificate, objection = self._certificate(there, found)
            grade, notes = (Grade.OBSERVED, (*notes, objection)) if objection else (grade, notes)
        return Verdict(
            Outcome.FAILS, grade, tried_text([sizes]), reason=reason, sizes=(sizes,),
            signature=str(claim.signature), under=claim.under, counterexample=shown, notes=notes,
            certificate=certificate,
        )  # fmt: skip

    def _certificate(self, claim: Claim, found: Found) -> tuple[dict[str, Any] | None, str]:
        """The certificate of a counterexample to the claim with irreps written on its axes."""
        names = claim.signature.names
        sizes = {name: size for name, size in found.sizes.items() if name in names}
        pairs = zip(found.elements, claim.group.factors, strict=True)
        elements = tuple(replace(e, axis=factor.axis) for e, factor in pairs)
        program = self._question.subjects[0].program_at(found.sizes)
        here = replace(found, sizes=sizes, elements=elements, is_recorded=program is None)
        return certificate_of(claim, here, () if program is None else (program,))

    # ------------------------------------------------------------------------------------------- the search
    def _search(self) -> Hit | None:
        order = self._sizes()
        subject = self._subject(order)
        if isinstance(subject, str):
            self._obstacle = subject
            return None
        self._question = Represented(subject, self._claim.signature, self._claim.group, self._maps)
        if self._exact:
            try:
                hit = self._pass(order, exact=True)
                if hit is not None or not subject.is_black_box:
                    return hit
            except NotExact as reason:
                self._notes.setdefault(reason.note)
                self._tried = 0
                self._at.clear()
        return self._pass(order, exact=False)

    def _subject(self, order: Sequence[tuple[Sizes, Sizes]]) -> Subject | str:
        """The Program of the target where it is traced, else the target; or why there is nothing to try."""
        claim = self._claim
        fixed = {r.axis: sizes[r.axis] for r in self._maps for _, sizes in order[:1]}
        fixed = {n: s for n, s in fixed.items() if all(sizes[n] == s for _, sizes in order)}
        attempt = attempt_trace(replace(claim, pins={**claim.pins, **fixed}))
        self._notes.update(dict.fromkeys(attempt.notes))
        if attempt.is_stateful:
            return f"that equal calls give equal answers could not be shown; {attempt.why}"
        trace = attempt.trace
        if trace is None:
            return called_subject(claim.function, claim.signature, attempt.at_sizes[0], literal=claim.literal)
        if trace.program.opaques:
            return "uninterpreted functions together with functions in reps= are not treated"
        return program_subject(trace.program, trace.opaques, literal=claim.literal)

    def _pass(self, order: Sequence[tuple[Sizes, Sizes]], *, exact: bool) -> Hit | None:
        claim = self._claim
        deadline = None if claim.deadline == float("inf") else claim.deadline
        looker = Looker(
            self._question, seed=claim.seed, deadline=deadline, max_points=_MOST_LOOKS, domain=None
        )
        if not exact:
            looker.to_floats()
        error: EqvproofError | None = None
        try:
            for points_sizes, all_sizes in order:
                before, self._here = looker.tried, all_sizes
                try:
                    for trial in self._trials(looker, points_sizes, all_sizes):
                        hit = looker.hit(trial)
                        if hit is not None and self._is_real(hit.comparison) and not self._is_read(hit):
                            return hit
                except (TargetError, ShapeError) as failure:
                    error = failure
                    where = ", ".join(f"{n} = {s}" for n, s in points_sizes.items())
                    self._notes.setdefault(f"not tried at {where}: {failure.message}")
                finally:
                    if looker.tried > before:
                        self._at.setdefault(tuple(all_sizes.items()))
        except (Stop, TimeIsUp):
            self._notes.setdefault("the time ran out before all points were tried")
        finally:
            self._tried += looker.tried
            self._notes.update(looker.notes)
        if error is not None and not looker.tried and not looker.undecided:
            raise error
        return None

    def _is_real(self, comparison: Comparison) -> bool:
        """Whether a difference in floats is far above the rounding of rho."""
        if comparison.arithmetic != "float" or comparison.left is None or comparison.right is None:
            return True
        a, b = comparison.left[comparison.entry], comparison.right[comparison.entry]
        if a is None or b is None:
            return True
        sides = [abs(v) for s in (comparison.left, comparison.right) for v in s.flat if v is not None]
        if bool(abs(a - b) > _FAR_ABOVE * self._defect * max(sides)):
            return True
        self._notes.setdefault("differences of the size of the rounding of the representation do not count")
        return False

    def _is_read(self, hit: Hit) -> bool:
        """Whether a difference is one of rounded tables, which are read as the ones that the group keeps."""
        small = (
            not self._claim.literal
            and self._claim.reps[0].parts
            and to_found(hit, is_recorded=False).relative_size < SMALL
        )
        if small:
            self._notes.setdefault("differences that rounded constants explain do not count")
        return bool(small)

    def _trials(self, looker: Looker, sizes: Sizes, everything: Sizes) -> Iterator[Trial]:
        """Points of a few kinds with simple elements first."""
        group = self._claim.group
        rng = looker.rng("represented", sorted(everything.items()))
        points = Points(self._claim.signature, sizes, ())
        moves = [
            *simple_moves(group, everything, _EACH), *telling_moves(group, everything),
            *random_moves(group, everything, rng),
        ]  # fmt: skip
        pool = [*points.structured(rng, _POINTS)[:_POINTS], points.generic(rng), points.positive(rng)]
        for inputs in [*pool, points.fractional(rng), points.random(rng)]:
            for move in moves:
                yield Trial(sizes, inputs, move)

    def _sizes(self) -> list[tuple[Sizes, Sizes]]:
        """The sizes to try, smallest first: of the names of the inputs, and with those of the factors.

        Raises:
            GroupError: rho is not what it should be, or its size is not the one that is given.
        """
        claim = self._claim
        carried = {r.axis for r in self._maps}
        acting = {f.axis for f in claim.group.factors if isinstance(f.axis, str)}
        names = [n for n in dict.fromkeys((*claim.signature.input_names, *acting)) if n not in carried]
        spans = []
        for n in names:
            low, high = claim.ranges.get(n, (1, LARGEST_DEFAULT))
            spans.append(range(claim.pins[n], claim.pins[n] + 1) if n in claim.pins else range(low, high + 1))
        found: list[tuple[Sizes, Sizes]] = []
        refused: GroupError | None = None
        known: dict[tuple[str, int], int] = {}
        chosen = sorted(product(*spans), key=lambda values: (sum(values), values))
        for values in chosen:
            everything = dict(zip(names, values, strict=True))
            try:
                for rep in self._maps:
                    size = rep.factor.size(everything)
                    if (rep.axis, size) not in known:
                        known[rep.axis, size] = self._examined(rep, size)
                    everything[rep.axis] = known[rep.axis, size]
            except GroupError as error:
                refused = error
                if error.code == "reps.homomorphism":
                    raise
                continue
            found.append(({n: everything[n] for n in claim.signature.input_names}, everything))
        if not found and refused is not None:
            raise refused
        return list(islice(found, _MOST_SIZES))

    def _examined(self, rep: Representation, size: int) -> int:
        """The size of the axis, with rho examined at this size of its factor."""
        claim = self._claim
        here = rep.size(size)
        low, high = claim.ranges.get(rep.axis, (1, here))
        given = claim.pins.get(rep.axis, here)
        if here != given or not low <= here <= high:
            raise GroupError(
                f"the representation on the axis {rep.axis} has the size {here}",
                given=f"{rep.axis} = {given if rep.axis in claim.pins else (low, high)}",
                expected=f"{rep.axis} = {here}",
                code="reps.size",
                hint="leave the size out of sizes=",
            )
        is_exact, defect = rep.examine(size, random.Random(f"{claim.seed}|{rep.axis}|{size}"))
        self._exact, self._defect = self._exact and is_exact, max(self._defect, defect)
        return here
