"""``eqvproof check``: one claim about one function."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from eqvproof.cli.files import require_writable, standard_is_taken, write_text
from eqvproof.cli.target import apart, load_target
from eqvproof.cli.terminal import Progress, complain
from eqvproof.errors import EqvproofError

if TYPE_CHECKING:
    from eqvproof.verdict import Verdict

STATUS = {"HOLDS": 0, "FAILS": 1, "UNDECIDED": 3}


def run(arguments: argparse.Namespace) -> int:
    """The exit status of ``check``: 0 HOLDS, 1 FAILS, 3 UNDECIDED."""
    if arguments.signature is None and arguments.under is None:
        from eqvproof.cli.declared import run as run_declared

        return run_declared(arguments)
    if arguments.signature is None or arguments.under is None:
        missing = "--under" if arguments.under is None else "SIGNATURE"
        raise EqvproofError(
            f"{missing} is missing",
            given=arguments.target,
            expected="a signature and a group, or neither for the claims that stand above the function",
            hint="eqvproof check pkg.mod:f 'X: d n -> d n' --under 'O(d)'",
            code="cli.claim",
        )
    require_writable(json=arguments.json, certificate=arguments.certificate)
    verdict = _judge(arguments)
    if not standard_is_taken(arguments.json, arguments.certificate):
        from eqvproof.display.layout import show
        from eqvproof.verdict.screen import verdict_screen

        show(verdict_screen(verdict))
    if arguments.json is not None:
        from eqvproof.report import json_text

        write_text(arguments.json, json_text({"target": arguments.target, **verdict.to_json()}))
    if arguments.certificate is not None:
        _write_certificate(arguments.certificate, verdict)
    return STATUS[str(verdict.outcome)]


def _judge(arguments: argparse.Namespace) -> Verdict:
    from eqvproof.api import check

    options: dict[str, Any] = {
        name: value
        for name, value in (("budget", arguments.budget), ("seed", arguments.seed))
        if value is not None
    }
    if arguments.size:
        options["sizes"] = _sizes(arguments.size)
    with apart(arguments.target), Progress(f"checking {arguments.target}"):
        target = load_target(arguments.target)
        return check(target, arguments.signature, arguments.under, **options)


def _sizes(pairs: list[tuple[str, int | tuple[int, int]]]) -> dict[str, int | tuple[int, int]]:
    sizes = dict(pairs)
    if len(sizes) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise EqvproofError(
            f"--size gives {twice!r} twice",
            given=" ".join(f"--size {name}=..." for name in names),
            expected="each axis at most once",
            hint=f"a range holds several sizes: --size {twice}=1:6",
            code="cli.size",
        )
    return sizes


def _write_certificate(path: str, verdict: Verdict) -> None:
    from eqvproof.report import json_text

    if verdict.certificate is None:
        grade = f"the grade {verdict.grade}" if verdict.grade else f"the outcome {verdict.outcome}"
        complain(f"no certificate was written to {path}: {grade} has none")
        return
    write_text(path, json_text(verdict.certificate))
