"""Verdicts as data, with their headline and their paragraph in words."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from enum import StrEnum
from typing import TYPE_CHECKING, Any, Literal

from eqvproof.engines.verdict.scope import ExceptionalSet, Narrowing, Scope, at_any, wherever
from eqvproof.engines.verdict.text import brief, one_line
from eqvproof.support.display.step import Step
from eqvproof.support.errors import EqvproofError
from eqvproof.support.writing import visible

if TYPE_CHECKING:
    from eqvproof.engines.verdict.counterexample import Counterexample


class _Word(StrEnum):
    """A word that compares by its meaning, never by the alphabet."""

    def _steps_above(self, other: object) -> int:
        """Returns the number of steps by which this word is stronger than another.

        Raises:
            TypeError: the two do not compare; plain text is refused too, since it would compare by
                the alphabet.
        """
        raise TypeError(f"{self!r} and {other!r} have no order")

    def __lt__(self, other: object) -> bool:
        """Checks whether this word is weaker."""
        return self._steps_above(other) < 0

    def __le__(self, other: object) -> bool:
        """Checks whether this word is equal or weaker."""
        return self._steps_above(other) <= 0

    def __gt__(self, other: object) -> bool:
        """Checks whether this word is stronger."""
        return self._steps_above(other) > 0

    def __ge__(self, other: object) -> bool:
        """Checks whether this word is equal or stronger."""
        return self._steps_above(other) >= 0


class Outcome(_Word):
    """The outcome of a check: the claim holds, fails, or is undecided; outcomes have no order."""

    HOLDS = "HOLDS"
    FAILS = "FAILS"
    UNDECIDED = "UNDECIDED"


class Grade(_Word):
    """The strength of the evidence; see the table in docs/trust.md.

    Grades compare by strength, with one another and with their names: those of HOLDS among
    themselves, those of FAILS among themselves, and NONE is weaker than each. Other comparisons
    raise a TypeError.
    """

    PROVED = "PROVED"
    DECIDED = "DECIDED"
    BOUNDED = "BOUNDED"
    TESTED = "TESTED"
    EXACT = "EXACT"
    ENCLOSED = "ENCLOSED"
    OBSERVED = "OBSERVED"
    NONE = ""

    def _steps_above(self, other: object) -> int:
        for grades in (HOLDS_GRADES, FAILS_GRADES):
            order = (*grades, Grade.NONE)
            if isinstance(other, str) and self in order and other in order:
                return order.index(Grade(other)) - order.index(self)
        return super()._steps_above(other)


def graded(outcome: Outcome, grade: Grade) -> str:
    """Writes an outcome with its grade: "HOLDS, PROVED"."""
    return ", ".join(filter(None, (outcome, grade)))


#: Grades of HOLDS, strongest first.
HOLDS_GRADES = (Grade.PROVED, Grade.DECIDED, Grade.BOUNDED, Grade.TESTED)
#: A violation below this part of the largest entry is printed with its size in the headline.
SMALL = 0.01
#: Most lines of a printed verdict, and most notes among them.
MOST_LINES, MOST_NOTES = 25, 4
#: Grades of FAILS, strongest first.
FAILS_GRADES = (Grade.EXACT, Grade.ENCLOSED, Grade.OBSERVED)


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Verdict:
    """The result of a check of a claim.

    Attributes:
        outcome: HOLDS, FAILS or UNDECIDED.
        grade: the strength of the evidence; empty for UNDECIDED.
        scope: the sizes and points it covers, in a sentence that carries its data (`Scope`).
        reason: why the verdict is not a stronger one, or a description of the result.
        sizes: the machine-readable scope, a list of ``{axis: int | [lo, hi] | "all"}``.
        signature: the claimed typing.
        under: the claimed group (empty for an identity).
        derivation: the lines of a proof; those about one value are of the type `Step`, which holds
            their parts.
        counterexample: inputs, group element and both sides, for FAILS.
        certificate: JSON data that `eqvproof.verify` re-checks, or None.
        seconds: the time taken.
        readings: the constant tables that are read as nearby invariant ones, the farthest first,
            with their distances.
        notes: remarks (a function that writes into its inputs, assumptions made, ...).
        results: for several results, the verdict on each, by its name.
        points: the exceptional sets of points that the verdict leaves out: entries that tie,
            eigenvalues that coincide. If it FAILS with a verdict `elsewhere`, the only sets on
            which it fails.
        elsewhere: if the claim fails on exceptional points alone, the verdict on all other points.
        narrowed: the respects in which the scope is narrower than the claim.
        nearest: if the claim fails, the verdict on the nearest one that was found to hold: with
            marks on the result or on arguments, or under a subgroup of the group. `symmetries`,
            which tries every group, leaves it out. It holds, so that it counts as true:
            ``verdict.nearest and verdict.nearest.under``.
        question: what was asked in other words than the claim: "causal along n"; "" for `check`.
    """

    outcome: Outcome
    grade: Grade
    scope: str
    reason: str = ""
    sizes: tuple[Mapping[str, Any], ...] = ()
    signature: str = ""
    under: str = ""
    derivation: tuple[str, ...] = ()
    counterexample: Counterexample | None = None
    certificate: dict[str, Any] | None = field(default=None, repr=False)
    seconds: float = 0.0
    notes: tuple[str, ...] = ()
    results: Mapping[str, Verdict] = field(default_factory=dict, repr=False)
    readings: tuple[str, ...] = ()
    points: tuple[ExceptionalSet, ...] = ()
    elsewhere: Verdict | None = field(default=None, repr=False)
    narrowed: frozenset[Narrowing] = frozenset()
    nearest: NearestVerdict | None = field(default=None, repr=False)
    question: str = ""

    def __post_init__(self) -> None:
        for name in ("reason", "signature", "under"):
            object.__setattr__(self, name, visible(getattr(self, name)))
        left_out: tuple[ExceptionalSet, ...] = ()
        if not self.fails:
            left_out = self.points
        scope = Scope(self.scope, self.sizes, left_out, self.readings)
        object.__setattr__(self, "scope", scope)
        for name in ("notes", "readings"):
            object.__setattr__(self, name, tuple(map(visible, getattr(self, name))))
        derivation = (x.visible() if isinstance(x, Step) else visible(x) for x in self.derivation)
        object.__setattr__(self, "derivation", tuple(derivation))

    @property
    def holds(self) -> bool:
        """Checks whether the outcome is HOLDS, with any grade."""
        return self.outcome is Outcome.HOLDS

    @property
    def fails(self) -> bool:
        """Checks whether the outcome is FAILS, with any grade."""
        return self.outcome is Outcome.FAILS

    @property
    def is_unrestricted(self) -> bool:
        """Checks whether the verdict covers all sizes and all points of the claim."""
        return not self.narrowed

    def __bool__(self) -> bool:
        """Raises an error: UNDECIDED is neither true nor false.

        Raises:
            EqvproofError: always.
        """
        raise self._no_truth_value(f"a verdict {self.outcome} as a truth value")

    def _no_truth_value(self, given: str) -> EqvproofError:
        return EqvproofError(
            "a verdict is neither true nor false, because it may be UNDECIDED",
            given=given,
            expected="verdict.holds, verdict.fails, or verdict.outcome == 'HOLDS'",
            hint="write `if verdict.holds:`; in a test, eqvproof.testing.assert_equivariant(f,"
            " signature, under, at_least='PROVED')",
            code="verdict.bool",
        )

    def __eq__(self, other: object) -> bool:
        """Compares by identity.

        Raises:
            EqvproofError: the verdict is compared with True, False or a text.
        """
        if isinstance(other, (bool, str)):
            raise self._no_truth_value(f"a verdict {self.outcome} compared with {other!r}")
        return self is other

    __hash__ = object.__hash__

    if not TYPE_CHECKING:  # type checkers know the attributes

        def __getattr__(self, name: str) -> Any:
            """Raises an error that names the attribute meant, if a verdict has none of that name.

            Raises:
                AttributeError: always.
            """
            from eqvproof.engines.verdict.other_names import other_name

            raise AttributeError(
                f"a verdict has no attribute {name!r}{other_name(name, dir(type(self)))}"
            )

    def __repr__(self) -> str:
        words = " ".join(filter(None, (self.outcome, self.grade, self.claim, self.scope)))
        return f"<Verdict {brief(words, 180)}>"

    @property
    def claim(self) -> str:
        """Writes the claim on one line."""
        claim = f"[{self.signature}]"
        if self.under:
            claim += f" under {self.under}"
        if self.question:
            return f"{self.question}, as {claim}"
        return claim

    @property
    def headline(self) -> str:
        """Writes outcome, grade, exceptional points and readings on one line."""
        parts = [graded(self.outcome, self.grade)]
        if self.elsewhere is not None:
            where = f"where {at_any(self.points)}"
            if self.elsewhere.holds:
                where = f"only {where}"
            elsewhere = graded(self.elsewhere.outcome, self.elsewhere.grade)
            parts.append(f"{where}; elsewhere {elsewhere}")
        if self.readings:
            interpreted = self.readings[0]
            if len(self.readings) > 1:
                interpreted += f", and {len(self.readings) - 1} more"
            parts.append(f"with constants replaced by nearby numbers ({interpreted})")
        if self.counterexample is not None and self.counterexample.size < SMALL:
            parts.append(f"by {self.counterexample.size:.2g} of the greatest entry")
        return ", ".join(parts)

    def __str__(self) -> str:
        """Writes the verdict in at most `MOST_LINES` lines.

        A long proof is printed as its decisive steps, long numbers are rounded, and large arrays
        abbreviated; `explain` writes all of them.
        """
        from eqvproof.engines.verdict.summary import proof_summary

        lines = self._first_lines()
        if self.counterexample is not None:
            lines += self.counterexample.summary().splitlines()
        lines += self.nearest_lines()
        notes = [f"Note: {note}." for note in self.notes]
        if len(notes) > MOST_NOTES:
            notes[MOST_NOTES - 1 :] = [f"{len(notes) - MOST_NOTES + 1} more notes: verdict.notes"]
        room = MOST_LINES - len(lines) - len(notes)
        return "\n".join([*lines, *proof_summary(self.derivation, room), *notes])

    def explain(self) -> str:
        """Writes the verdict with every line of the proof and every number as it is stored."""
        lines = self._first_lines()
        if self.counterexample is not None:
            lines.append(str(self.counterexample))
        lines += self.nearest_lines()
        lines += [f"  {line}" for line in self.derivation]
        return "\n".join([*lines, *(f"Note: {note}." for note in self.notes)])

    def nearest_lines(self) -> list[str]:
        """Writes which claims near the failing ones hold, of each result."""
        lines = []
        for name, verdict in (dict(self.results) or {"": self}).items():
            if (near := verdict.nearest) is not None:
                claim = f"under {near.under}"
                if near.signature != verdict.signature:
                    claim = f"as {near.claim}"
                line = f"{claim} it {near.headline}{wherever(near.points)}."
                start = f"{name}: {line[0]}"
                if not name:
                    start = line[0].upper()
                lines.append(start + line[1:])
        return lines

    def _first_lines(self) -> list[str]:
        about = ", ".join(filter(None, (self.claim, self.scope)))
        lines = [f"{self.headline}: {about}."]
        if self.reason:
            lines += f"Reason: {self.reason.removesuffix('.')}.".splitlines()
        return lines

    def to_html(self, *, above: Counterexample | None = None) -> str:
        """Returns the verdict as HTML: the claim, the counterexample or proof, and notes.

        A counterexample that is already shown above is left out.
        """
        from html import escape

        from eqvproof.support.display import steps_html

        outcome, scope = escape(str(self.outcome)), escape(one_line(self.scope))
        grade = escape(self.headline.removeprefix(self.outcome).replace(", ", " ", 1))
        claim_and_scope = [scope] if scope else []
        if self.signature:
            claim_and_scope.insert(0, escape(self.claim))
        first = f'<span class="{outcome}">{outcome}</span>{grade}'
        if claim_and_scope:
            first += f": {', '.join(claim_and_scope)}"
        parts = [f"<p>{first}</p>"]
        if self.reason:
            parts.append(f"<p>{escape(self.reason)}</p>")
        if self.derivation:
            parts.append(steps_html(self.derivation))
        if self.elsewhere is not None:
            off = self.elsewhere
            parts.append(f"<p>Elsewhere: {escape(off.headline)}, {escape(off.scope)}</p>")
        if self.counterexample is not None:
            if self.counterexample is not above:
                parts.append(self.counterexample.to_html())
            if self.counterexample.code():
                parts.append(
                    "<details><summary>code that shows it</summary>"
                    f'<pre class="code">{escape(self.counterexample.code())}</pre></details>'
                )
        parts += [f"<p>{escape(line)}</p>" for line in self.nearest_lines()]
        parts += [f'<p class="note">Note: {escape(note)}</p>' for note in self.notes]
        if self.certificate is not None:
            digest = str(self.certificate.get("digest", ""))
            parts.append(f'<p class="note">certificate {escape(digest[:23])}…</p>')
        return "".join(parts)

    def _repr_html_(self) -> str:
        """Returns the verdict as HTML for a notebook."""
        from eqvproof.support.display import in_notebook

        return in_notebook(self.to_html())

    def to_json(self) -> dict[str, Any]:
        """Returns the verdict as JSON data, without the certificate."""
        data: dict[str, Any] = {
            "outcome": str(self.outcome),
            "grade": str(self.grade),
            "scope": self.scope,
            "reason": self.reason,
            "sizes": [dict(s) for s in self.sizes],
            "signature": self.signature,
            "under": self.under,
            "derivation": list(self.derivation),
            "counterexample": self.counterexample and self.counterexample.to_json(),
            "seconds": self.seconds,
            "notes": list(self.notes),
        }
        steps = [
            (*line.parts, line.is_decisive) if isinstance(line, Step) else None
            for line in self.derivation
        ]
        if any(steps):
            data["steps"] = steps
        if self.results:
            data["results"] = {n: v.to_json() for n, v in self.results.items()}
        return {
            **data,
            "readings": list(self.readings),
            "points": [p.to_json() for p in self.points],
            "elsewhere": None if self.elsewhere is None else self.elsewhere.to_json(),
            "nearest": None if self.nearest is None else self.nearest.to_json(),
            "narrowed": sorted(map(str, self.narrowed)),
        }

    @staticmethod
    def from_json(data: Mapping[str, Any]) -> Verdict:
        """Builds a verdict from the output of `to_json`, with a certificate if that was added."""
        counterexample, elsewhere = data["counterexample"], data.get("elsewhere")
        nearest = data.get("nearest")
        lines, data = list(data["derivation"]), dict(data)
        for k, parts in enumerate(data.pop("steps", ())):
            if parts is not None:
                lines[k] = Step(*parts)
        if counterexample is not None:
            from eqvproof.engines.verdict.counterexample import Counterexample

            counterexample = Counterexample.from_json(counterexample)
        if elsewhere is not None:
            elsewhere = Verdict.from_json(elsewhere)
        points = tuple(map(ExceptionalSet.from_json, data.get("points", ())))
        return Verdict(
            **{
                **data,
                "scope": data["scope"].removesuffix(wherever(points)),
                "outcome": Outcome(data["outcome"]),
                "grade": Grade(data["grade"]),
                "sizes": tuple(data["sizes"]),
                "counterexample": counterexample,
                "derivation": tuple(lines),
                "results": {n: Verdict.from_json(v) for n, v in data.get("results", {}).items()},
                "points": points,
                "elsewhere": elsewhere,
                "nearest": nearest and NearestVerdict.of(Verdict.from_json(nearest)),
                "narrowed": frozenset(map(Narrowing, data.get("narrowed", ()))),
            }
        )


class NearestVerdict(Verdict):
    """The verdict on the nearest claim that holds, which is true where a verdict may be UNDECIDED."""

    __slots__ = ()

    @staticmethod
    def of(verdict: Verdict) -> NearestVerdict:
        """Returns a verdict that holds as that on the nearest claim.

        Raises:
            ValueError: it does not hold.
        """
        if not verdict.holds:
            raise ValueError(f"the nearest claim is {verdict.outcome}")
        return NearestVerdict(**{f.name: getattr(verdict, f.name) for f in fields(verdict)})

    def __bool__(self) -> Literal[True]:
        """Returns True: there is a nearest claim, and it holds."""
        return True
