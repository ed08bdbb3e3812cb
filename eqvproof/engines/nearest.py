"""The nearest claim that holds, for a claim that fails: of another result, or about a subgroup.

First the result is claimed to be moved without translations, with the mark ^, or not at all, with
the mark !, under the same group; then some arguments whose axes have the size on which the group
acts, such as three channels beside three coordinates, are not moved. Else each factor of the group
is judged alone: it stays where the claim is proved under it; else the largest family inside it is
taken under which there is a proof; where there is none, the factor is left out. Equivariance under
each of several factors is equivariance under their product.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import replace
from itertools import chain, combinations, islice

from eqvproof.claims.groups import Factor, Group, parse_group
from eqvproof.claims.groups.element import is_trivial
from eqvproof.claims.groups.families import FAMILIES, containing, largest_first
from eqvproof.claims.groups.written import is_of_flips
from eqvproof.claims.signature import Axis, Term
from eqvproof.engines.claim import Claim
from eqvproof.engines.known_programs import Traced
from eqvproof.engines.provers import Candidate, first_proof
from eqvproof.engines.trace_claim import trace
from eqvproof.support.deadline import TimeIsUp, until
from eqvproof.support.errors import GroupError, TraceError

#: Largest part of the time left, and most seconds, for the search.
SHARE, SECONDS = 0.2, 2.0
#: Most choices of arguments that are not moved.
MOST_CHOICES = 14


def nearest_claim(claim: Claim) -> Claim | None:
    """Returns the claim with a marked result, or else about the largest subgroups, with a proof.

    Returns None where there is none within the time, or where the function is not traced for all
    sizes.
    """
    end = min(claim.moment(SHARE), time.monotonic() + SECONDS)
    try:
        with until(end):
            programs = trace(claim, end)
            if not isinstance(programs, Traced):
                return None
            for other in chain(_with_marked_results(claim), _with_marked_arguments(claim)):
                if isinstance(first_proof(other, programs.traces), Candidate):
                    return replace(other, deadline=end)
            kept = [
                one for factor in claim.group.factors for one in _largest(claim, factor, programs)
            ]
    except (TimeIsUp, TraceError):
        return None
    under = " x ".join(map(str, kept))
    if not kept or under == " x ".join(map(str, claim.group.factors)):
        return None
    return replace(
        claim, group=replace(claim.group, factors=tuple(kept)), under=under, deadline=end
    )


def _with_marked_results(claim: Claim) -> Iterator[Claim]:
    """Yields the claims whose result the group moves less: without translations, or not at all."""
    signature, factors = claim.signature, claim.group.factors
    for mark in ("^", "!"):

        def marked(term: Term, mark: str = mark) -> Term:
            if mark == "^":
                changes = any(f.kind.translates and f.translates(term) for f in factors)
            else:
                changes = any(f.acts_on(term) for f in factors)
            if changes and not term.mark and not is_of_flips(term.name or 1):
                return replace(term, mark=mark)
            return term

        output = tuple(Axis(tuple(map(marked, axis.terms))) for axis in signature.output)
        if output != signature.output:
            yield replace(claim, signature=replace(signature, output=output))


def _with_marked_arguments(claim: Claim) -> Iterator[Claim]:
    """Yields the claims in which some of several arguments are not moved, fewest first.

    These have axes of a size that the group names, on which it acts wherever that size stands.
    """
    factors = [f for f in claim.group.factors if isinstance(f.axis, int)]

    def fixed_term(term: Term) -> Term:
        if any(f.acts_on(term) for f in factors):
            return replace(term, mark="!")
        return term

    def fixed(axes: tuple[Axis, ...]) -> tuple[Axis, ...]:
        return tuple(Axis(tuple(map(fixed_term, axis.terms))) for axis in axes)

    signature = claim.signature
    moved = [a.name for a in signature.inputs if fixed(a.axes) != a.axes]
    chosen = chain.from_iterable(combinations(moved, k) for k in range(1, len(moved)))
    for names in islice(chosen, MOST_CHOICES):
        inputs = tuple(
            replace(a, axes=fixed(a.axes)) if a.name in names else a for a in signature.inputs
        )
        for output in dict.fromkeys((signature.output, fixed(signature.output))):
            marked = replace(signature, inputs=inputs, output=output)
            yield replace(claim, signature=marked)


def _largest(claim: Claim, factor: Factor, programs: Traced) -> list[Factor]:
    """Returns the factor or the largest one inside it under which there is a proof, or none."""
    for one in (factor, *_inside(claim, factor)):
        alone = replace(claim, group=replace(claim.group, factors=(one,)), under=str(one))
        if isinstance(first_proof(alone, programs.traces), Candidate):
            return [one]
    return []


def _inside(claim: Claim, factor: Factor) -> Iterator[Factor]:
    """Yields the factors of the families inside a family, on the same axis, larger ones first."""
    for letter in largest_first():
        if letter == factor.family or factor.family not in containing(FAMILIES[letter]):
            continue
        try:
            group: Group = parse_group(f"{letter}({factor.axis})", claim.signature)
        except GroupError:  # of another size, or with no meaning for these arguments
            continue
        found = replace(group.factors[0], each=factor.each)
        if not (isinstance(found.axis, int) and is_trivial(found, found.axis)):
            yield found
