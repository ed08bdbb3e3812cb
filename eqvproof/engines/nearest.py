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
from collections.abc import Callable, Iterator
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
from eqvproof.engines.verdict import NearestVerdict, Verdict
from eqvproof.support.deadline import TimeIsUp, until
from eqvproof.support.errors import GroupError, TraceError

#: Largest part of the time left that the search may take; and the part that the processor may work
#: for it, at least some seconds: other work on the machine does not shorten the search.
SHARE, SHARE_OF_WORK, LEAST_SECONDS = 0.4, 0.1, 2.0
#: The note of a verdict whose nearest claim was not found in the time.
OUT_OF_TIME = "no nearest claim that holds was found in the time: a larger budget= gives it more"
#: Most choices of arguments that are not moved.
MOST_CHOICES = 14


def with_nearest(claim: Claim, verdict: Verdict, prove: Callable[[Claim], Verdict]) -> Verdict:
    """Adds to a claim that fails the verdict on the nearest one that holds, or that time ran out.

    Args:
        claim: the claim.
        verdict: on it.
        prove: returns PROVED or UNDECIDED.
    """
    try:
        near = nearest_claim(claim)
    except TimeIsUp:
        return replace(verdict, notes=(*verdict.notes, OUT_OF_TIME))
    if near is None:
        return verdict
    holding = prove(near)
    if holding.holds:
        return replace(verdict, nearest=NearestVerdict.of(holding))
    return verdict


def nearest_claim(claim: Claim) -> Claim | None:
    """Returns the claim with a marked result, or else about the largest subgroups, with a proof.

    Returns None where there is none, or where the function is not traced for all sizes.

    Raises:
        TimeIsUp: the time for it ran out.
    """
    end = claim.moment(SHARE)
    most = time.thread_time() + max(LEAST_SECONDS, SHARE_OF_WORK * claim.seconds_left)

    def has_proof(other: Claim, programs: Traced) -> bool:
        if time.thread_time() > most:
            raise TimeIsUp
        return isinstance(first_proof(other, programs.traces), Candidate)

    with until(end):
        try:
            programs = trace(claim, end)
        except TraceError:
            return None
        if not isinstance(programs, Traced):
            return None
        for other in chain(_with_marked_results(claim), _with_marked_arguments(claim)):
            if has_proof(other, programs):
                return other
        kept = list[Factor]()
        for factor in claim.group.factors:
            for one in (factor, *_inside(claim, factor)):
                alone = replace(claim, group=replace(claim.group, factors=(one,)), under=str(one))
                if has_proof(alone, programs):
                    kept.append(one)
                    break
    under = " x ".join(map(str, kept))
    if not kept or under == " x ".join(map(str, claim.group.factors)):
        return None
    return replace(claim, group=replace(claim.group, factors=tuple(kept)), under=under)


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
