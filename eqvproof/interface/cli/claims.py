"""The claims of a ``check`` command: the one stated in it, or those declared at its target."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from eqvproof.interface.cli.target import load_target, split_target
from eqvproof.support.errors import OptionError, TargetError
from eqvproof.tracing.observing.modules import module_named

_REP = re.compile(r"(?P<axis>[A-Za-z_][A-Za-z0-9_]*)=(?P<factor>[A-Za-z]+\([^()]*\)):(?P<rep>.+)")


@dataclass(frozen=True, slots=True)
class StatedClaim:
    """A claim about a function, and the options of `eqvproof.check`."""

    name: str
    function: Any
    signature: str
    under: Any
    options: dict[str, Any]


def claims_of_request(request: dict[str, Any]) -> list[StatedClaim]:
    """Returns the claims of a request, in order.

    Raises:
        EqvproofError: the target cannot be read, nothing is declared there, or an option cannot be
            read.
    """
    target, options = request["target"], dict(request["options"])
    if request["signature"] is not None:
        if request["domain"] is not None:
            options["domain"] = _domain(request["domain"])
        if request["reps"]:
            options["reps"] = dict(map(_representation, request["reps"]))
        return [
            StatedClaim(
                target, load_target(target), request["signature"], request["under"], options
            )
        ]
    from eqvproof.interface.testing.claims import claims_of, declared_claims

    place, name = split_target(target)
    if name:
        function = load_target(target)
        found = [(target, function, claim) for claim in claims_of(function)]
    else:
        found = list(declared_claims(module_named(place)))
        if place.endswith(".py"):
            found = [(f"{place}:{n.partition(':')[2]}", f, c) for n, f, c in found]
    if not found:
        raise TargetError(
            "no claim is declared there",
            given=target,
            expected="functions below @eqvproof.claim(signature, under=...)",
            hint=f"state the claim here: eqvproof check {place}:{name or 'f'} 'X: d n -> d n'"
            f" --under 'O(d)'",
            code="target.claims",
        )
    return [StatedClaim(n, f, c.signature, c.under, {**c.options, **options}) for n, f, c in found]


def _domain(text: str) -> Any:
    """Returns a domain by its name in `eqvproof.claims.domains`, or one that the user defines."""
    if ":" in text:
        return load_target(text)
    from eqvproof.claims import domains

    known = {
        name: value for name, value in vars(domains).items() if isinstance(value, domains.Domain)
    }
    if text in known:
        return known[text]
    raise OptionError(
        f"there is no domain {text!r}",
        given=f"--domain {text}",
        expected=f"one of {', '.join(known)}, or pkg.mod:name of one of your own",
        hint="the function of a domain takes the inputs by name; it returns whether a point is in it",
        code="cli.domain",
    )


def _representation(text: str) -> tuple[str, tuple[str, Any]]:
    """Parses ``m=O(d):2x0e + 1o``, or with a function of the user's ``m=O(d):file.py:rho``."""
    match = _REP.fullmatch(text)
    if match is None:
        raise OptionError(
            "a representation cannot be read",
            given=f"--reps {text}",
            expected="AXIS=FACTOR:IRREPS, or AXIS=FACTOR:pkg.mod:rho for a function",
            hint="--reps 'm=O(d):2x0e + 1o'",
            code="cli.reps",
        )
    if ":" in match["rep"]:
        return match["axis"], (match["factor"], load_target(match["rep"]))
    return match["axis"], (match["factor"], match["rep"])
