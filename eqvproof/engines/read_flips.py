"""Parses flips of arguments of a call: the form with their axes, and the domain without them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from eqvproof.claims.domains import Domain, Inputs
from eqvproof.claims.drawn_domains import is_strategy
from eqvproof.claims.groups.flips import with_flips
from eqvproof.claims.signature.forms import Form
from eqvproof.claims.signature.last_axes import first_entry, with_last_axes
from eqvproof.engines.options import CheckOptions
from eqvproof.support.errors import GroupError, OptionTypeError
from eqvproof.tracing.libraries import SYMPY


def read_flips(
    functions: tuple[Callable[..., Any], ...], form: Form, under: Any, options: CheckOptions
) -> tuple[Form, CheckOptions]:
    """Returns the form with an axis for each flip, and options whose domain does not see them.

    Raises:
        GroupError: a flip that cannot be read, or of arguments of a SymPy expression.
        OptionTypeError: the domain is a Hypothesis strategy.
    """
    flipped = with_flips(form, under)
    counts = {leaf.argument.name: leaf.flips for leaf in flipped.leaves if leaf.flips}
    if not counts:
        return form, options
    if any(map(SYMPY.takes, functions)):
        raise GroupError(
            "arguments of SymPy expressions are not flipped",
            given=str(under),
            expected="a function of arrays",
            hint="compare two expressions: ep.identical(f, f.subs(v, -v), signature)",
            code="group.flip",
        )
    domain = options["domain"]
    if domain is None:
        return flipped, options
    if is_strategy(domain) or not callable(domain):
        raise OptionTypeError(
            "a domain beside a flip is not a function",
            given=type(domain).__name__,
            expected="a domain of ep.domains, or a function of the inputs by name",
            hint="write lambda inputs: ..., which returns True at points of the domain",
            code="domain.flip",
        )
    return flipped, {**options, "domain": _domain_of_arrays(domain, counts)}


def _domain_of_arrays(domain: Any, counts: Mapping[str, int]) -> Any:
    """Returns a domain of arrays without the axes of flips as one of arrays with them."""

    def without_axes(inputs: Inputs) -> Inputs:
        return {n: first_entry(x, counts.get(n, 0)) for n, x in inputs.items()}

    def contains(inputs: Inputs) -> bool:
        found: bool = domain(without_axes(inputs))
        return found

    def towards(move: Callable[[Inputs], Inputs], inputs: Inputs) -> Inputs:
        moved = move(without_axes(inputs))
        return {n: with_last_axes(x, counts.get(n, 0)) for n, x in moved.items()}

    if not isinstance(domain, Domain):
        return contains
    if domain.towards is None:
        return Domain(domain.name, contains)
    return Domain(domain.name, contains, partial(towards, domain.towards))
