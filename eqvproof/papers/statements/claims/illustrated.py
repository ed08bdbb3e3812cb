"""Claims that are checked in general, and on concrete examples as well."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from eqvproof.papers.statements.finding import Finding, join_verdicts, shorten, undecided
from eqvproof.papers.statements.judge import Claim, Court


@dataclass(frozen=True, slots=True)
class Illustrated:
    """A claim with examples in which its objects are built or evaluated.

    Where the claim holds, it has the grade of the claim by itself: examples add nothing to a proof.
    An example that does not hold speaks against the proof, and leaves the claim UNDECIDED. A claim
    that does not hold by itself is not helped by examples.

    Attributes:
        claim: the claim.
        examples: the examples, by what each of them shows.
    """

    claim: Claim
    examples: Mapping[str, Claim]

    def judge(self, court: Court) -> Finding:
        """Checks the claim, then its examples."""
        own = court.judge(self.claim)
        if not own.holds:
            return own
        found = {label: court.judge(example) for label, example in self.examples.items()}
        verdicts = join_verdicts([own, *found.values()])
        for label, f in found.items():
            if not f.holds:
                return undecided(
                    f"an example does not bear it out, {label}: {f.outcome} {f.reason}", verdicts
                )
        shown = "; ".join(f"{label} ({f.grade}, {f.scope})" for label, f in found.items())
        reason = shorten("; ".join(filter(None, [own.reason, f"examples: {shown}"])))
        return Finding(own.outcome, own.grade, own.scope, reason, verdicts)
