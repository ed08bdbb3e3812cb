"""``eqvproof check pkg.mod``: every claim that stands above a function of a module or package."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from eqvproof.cli.files import require_writable, standard_is_taken, write_text
from eqvproof.cli.target import apart, load_target, module_named
from eqvproof.cli.terminal import Progress
from eqvproof.errors import EqvproofError, TargetError
from eqvproof.writing import say

if TYPE_CHECKING:
    from eqvproof.testing.claims import DeclaredClaim
    from eqvproof.verdict import Verdict

Found = tuple[str, Any, "DeclaredClaim"]


def run(arguments: argparse.Namespace) -> int:
    """The exit status: 0 all hold, 1 one fails, 3 one is undecided and none fails."""
    require_writable(json=arguments.json)
    if arguments.certificate is not None or arguments.size:
        raise EqvproofError(
            "--certificate and --size go with one claim",
            given=arguments.target,
            expected="a signature and --under beside them",
            code="cli.claim",
        )
    with apart(arguments.target), Progress(f"reading {arguments.target}") as progress:
        found = _claims(arguments.target)
        verdicts: list[Verdict] = []
        for name, function, claim in found:
            progress.text = f"{len(verdicts) + 1} of {len(found)}  {name}"
            verdicts.append(_judge(function, claim, arguments))
    if not standard_is_taken(arguments.json):
        _print(found, verdicts)
    if arguments.json is not None:
        from eqvproof.report import json_text

        rows = [{"target": n, **v.to_json()} for (n, _, _), v in zip(found, verdicts, strict=True)]
        write_text(arguments.json, json_text({"claims": rows}))
    if any(v.fails for v in verdicts):
        return 1
    return 0 if all(v.holds for v in verdicts) else 3


def _claims(target: str) -> list[Found]:
    from eqvproof.testing.claims import claims_of, declared_claims

    if ":" in target:
        function = load_target(target)
        found = [(target, function, claim) for claim in claims_of(function)]
    else:
        found = list(declared_claims(module_named(target)))
    if not found:
        raise TargetError(
            "no claim stands there",
            given=target,
            expected="functions below @eqvproof.claim(signature, under=...)",
            hint="or give the claim here: eqvproof check pkg.mod:f 'X: d n -> d n' --under 'O(d)'",
            code="target.claims",
        )
    return found


def _judge(function: Any, claim: DeclaredClaim, arguments: argparse.Namespace) -> Verdict:
    from eqvproof.api import check

    given = {"budget": arguments.budget, "seed": arguments.seed}
    options = {**claim.options, **{name: value for name, value in given.items() if value is not None}}
    return check(function, claim.signature, claim.under, **options)


def _print(found: list[Found], verdicts: list[Verdict]) -> None:
    from eqvproof.display.layout import show
    from eqvproof.testing.ledger import Entry, summary
    from eqvproof.verdict.screen import verdict_screen

    width = max(len(name) for name, _, _ in found)
    for (name, _, claim), verdict in zip(found, verdicts, strict=True):
        words = f"{verdict.outcome} {verdict.grade}".rstrip()
        say(f"{name.ljust(width)}  {words.ljust(16)}  {claim}")
    for (name, _, _), verdict in zip(found, verdicts, strict=True):
        if not verdict.holds:
            say(f"\n{name}")
            show(verdict_screen(verdict))
    say("\n" + summary(Entry(v.claim, str(v.outcome), str(v.grade)) for v in verdicts))
