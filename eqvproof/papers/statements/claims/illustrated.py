"""Claims that are checked in general, and also on concrete examples."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from eqvproof.papers.statements.finding import Finding, join_verdicts, shorten, undecided
from eqvproof.papers.statements.judge import Claim, Court


@dataclass(frozen=True, slots=True)
class Illustrated:
    """A claim with examples in which its objects are built or evaluated.

    The finding is that of the claim itself: examples add nothing to a proof. But if the claim holds
    and an example does not, the finding is UNDECIDED, since the example contradicts the proof.

    Attributes:
        claim: the claim.
        examples: the examples, by their description.
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
                    f"an example does not confirm it, {label}: {f.outcome} {f.reason}", verdicts
                )
        shown = "; ".join(f"{label} ({f.grade}, {f.scope})" for label, f in found.items())
        reason = shorten("; ".join(filter(None, [own.reason, f"examples: {shown}"])))
        return Finding(own.outcome, own.grade, own.scope, reason, verdicts)
