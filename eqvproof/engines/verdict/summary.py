"""Summaries of long proofs: the steps that decide, in a given number of lines."""

from __future__ import annotations

from collections.abc import Sequence

from eqvproof.support.display.step import Step

#: Fewest lines that a summary of a proof takes.
FEWEST = 4


def proof_summary(derivation: Sequence[str], room: int) -> list[str]:
    """Returns the lines of a proof, or the decisive ones where there is no room for all.

    A decisive step is about a result, or about a value that the group leaves alone, made from one
    that it moves. Where these are still too many, steps about results are kept, then the first and
    the last lines. The last line says how many lines the whole proof has.
    """
    room = max(room, FEWEST)
    if len(derivation) <= room:
        return [f"  {line}" for line in derivation]
    numbered = list(enumerate(derivation))
    decisive = [(i, x) for i, x in numbered if not isinstance(x, Step) or x.is_decisive]
    results = [
        (i, x)
        for i, x in decisive
        if not isinstance(x, Step)
        or i + 1 == len(derivation)
        or not isinstance(derivation[i + 1], Step)
    ]
    kept = next((few for few in (decisive, results) if len(few) < room), results)
    if len(kept) >= room:
        first = (room - 1) // 2
        kept = [*kept[:first], *kept[len(kept) - (room - 1 - first) :]]
    end = f"  ({len(kept)} of {len(derivation)} lines; all of them: print(verdict.explain()))"
    return [*(f"  {line}" for _, line in kept), end]
