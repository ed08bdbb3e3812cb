"""Search for a point at which a function is defined.

A function that is defined nowhere satisfies every claim, and no claim is reported to hold for it.
Definedness is shown exactly: by the signs known of values (`program.signs`), which is enough for
most layers at any width, or by one point at which an entry is a rational or a ball in exact
arithmetic. A finite float shows nothing, for rounding makes singular matrices invertible. Without
such a point the verdict is not HOLDS.

At size 1 some functions are defined that are defined at no other size, such as
``inv(outer(x, x))``. So each axis that may be longer than 1 is so at some size at which the
function is seen to be defined. One more size is tried, and the verdict names the sizes at which
no point was found.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from eqvproof.claims.drawn_domains import is_strategy
from eqvproof.claims.signature import Signature
from eqvproof.engines.claim import Claim
from eqvproof.engines.known_programs import KnownPrograms, Traced
from eqvproof.engines.reasons import NO_REASON, Reason, Why
from eqvproof.engines.scope import tried_text
from eqvproof.numbers.spans import INF, UNIT, Interval
from eqvproof.programs import Program
from eqvproof.programs.signs import Signs
from eqvproof.support.deadline import TimeIsUp, overtime, until
from eqvproof.support.errors import EqvproofError
from eqvproof.tracing.samples import Spans, lower_ends

Sizes = Mapping[str, int]
#: Largest number of sizes, and largest length of an axis.
SIZES, LONGEST = 12, 5
#: Least and usual limits in seconds.
LEAST_SECONDS, SECONDS = 1.0, 10.0


@dataclass(frozen=True, slots=True)
class Definedness:
    """The result of the search for a point at which all functions of a claim are defined.

    Attributes:
        shown: whether such a point is known.
        why: the reason if none is known.
        notes: the sizes at which points were tried and none was found.
    """

    shown: bool
    why: Reason = NO_REASON
    notes: tuple[str, ...] = ()


def defined_somewhere(
    claim: Claim, known: KnownPrograms, sizes: Sequence[Sizes] | None = None
) -> Definedness:
    """Searches for a point of the domain at which the functions of a claim are defined.

    Args:
        claim: the claim.
        known: its Programs.
        sizes: the sizes to try; None for sizes of the claim.
    """
    if isinstance(known, Traced) and are_total(known.programs, claim.signature):
        return Definedness(shown=True)
    from eqvproof.engines.defined_points import MORE_BITS, is_defined, places, points_at

    bounds = _entry_bounds(claim.signature, UNIT)
    found: list[Sizes] = []
    empty: list[Sizes] = []
    why = ""
    try:
        now = time.monotonic()
        with overtime(), until(max(now + LEAST_SECONDS, min(claim.deadline, now + SECONDS))):
            order = list(_sizes(claim, known.spans)) if sizes is None else sorted(sizes, key=_order)
            for here, points in places(claim, order):
                answer = is_defined(known, here, points, bounds)
                (found if answer else empty).append(here)
                if answer is None:
                    why = f"; at some points {MORE_BITS} bits do not tell whether it is"
                if claim.goes_beyond_one(found):
                    break
            larger = order[1 if sizes is None else -1] if len(order) > 1 else order[0]
            is_new = larger not in (*found, *empty) and not is_strategy(claim.domain)
            if is_new and claim.goes_beyond_one(found):
                answer = is_defined(known, larger, points_at(claim, larger), bounds)
                (empty if answer is False else found).append(larger)
    except TimeIsUp:
        why = " in the time for that"
    except EqvproofError as error:
        why = f"; {error.message}"
    what = "both functions are" if claim.is_identity else "it is"
    nowhere = f"no point was found {tried_text(empty)} at which {what} defined" if empty else ""
    if claim.goes_beyond_one(found):
        return Definedness(shown=True, notes=(nowhere,) if empty else ())
    why = (f", but {tried_text(found)}" if found else "") + why
    text = (nowhere or f"no point was found at which {what} defined") + why
    return Definedness(shown=False, why=Reason(Why.DEFINED_NOWHERE, text))


def are_total(programs: Iterable[Program], signature: Signature) -> bool:
    """Checks by signs whether Programs are defined at all inputs.

    Also True if they are defined wherever all masks are true, or wherever all masks are false.
    """
    masks = any(a.kind == "bool" for a in signature.inputs)
    ways = [_entry_bounds(signature, (k, k)) for k in ((1, 0) if masks else (1,))]
    return any(all(Signs(p, way).is_total(p.output) for p in programs) for way in ways)


def _entry_bounds(signature: Signature, masks: Interval) -> dict[str, Interval]:
    """Returns the intervals that contain the entries of masks and of index arrays."""
    kinds: dict[str, Interval] = {"bool": masks, "index": (0, INF)}
    return {a.name: kinds[a.kind] for a in signature.inputs if a.kind in kinds}


# -- sizes ---------------------------------------------------------------------------------------
def _sizes(claim: Claim, known: Spans) -> Iterator[dict[str, int]]:
    """Yields sizes that a proof covers: small ones in every order, and all of size 1."""
    spans = claim.search_sizes()
    free = [n for n in spans if n not in claim.pins]
    count = len(free)
    rows = [[2] * count, [3] * count, range(2, count + 2), range(count + 1, 1, -1)]
    rows += [[LONGEST if j == k else 2 for j in range(count)] for k in range(count)]
    rows += [[2 if j == k else LONGEST for j in range(count)] for k in range(count)]
    seen: dict[tuple[int, ...], None] = {}
    for row in [*rows[: SIZES - 1], [1] * count]:
        sizes = lower_ends(spans)
        for name, size in zip(free, row, strict=True):
            low, high = spans[name]
            least, most = known.get(name, (1, None))
            bounded = name in claim.ranges and name not in claim.open_ended
            high = min(high if bounded else max(LONGEST, low), LONGEST if most is None else most)
            sizes[name] = max(low, least, min(high, size))
        if tuple(sizes.values()) not in seen:
            seen[tuple(sizes.values())] = None
            yield sizes


def _order(sizes: Sizes) -> tuple[int, int]:
    return sum(size == 1 for size in sizes.values()), sum(sizes.values())
