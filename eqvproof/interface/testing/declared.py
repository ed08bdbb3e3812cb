"""Checks of the claims declared in files and modules, with stored certificates, for CI.

    python -m eqvproof.testing layers.py models --kept .eqvproof --summary summary.md

If the function of a claim is unchanged, its certificate is re-checked. The summary says what
changed since the last run. Status 0: all hold; 1: one fails; 3: one is undecided, or below
--at-least; 2: bad input.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from eqvproof.engines.verdict import Grade
from eqvproof.interface.cli.parser import Parser
from eqvproof.interface.testing.assertions import grade_named, verdict_on
from eqvproof.interface.testing.checked_claims import CHECKED, Entry, require_folder, summary
from eqvproof.interface.testing.claims import declared_claims
from eqvproof.support.errors import EqvproofError, OptionError, TargetError, error_text
from eqvproof.support.writing import in_line, say, write_whole
from eqvproof.tracing.observing.modules import module_named

STATUS = {"HOLDS": 0, "FAILS": 1, "UNDECIDED": 3}
BAD_INPUT, BELOW = 2, 3
#: The file of the verdicts of the last run, in the folder of certificates.
LAST = "verdicts.json"
FORMAT = "eqvproof-verdicts"


def main(arguments: Sequence[str] | None = None) -> int:
    """Checks the claims; returns the exit status."""
    before = CHECKED.folder, CHECKED.parsed
    try:
        given = _parser().parse_args(arguments)
        floor = grade_named(given.at_least, "--at-least ")
        folder = None if given.kept is None else Path(given.kept)
        _require_places(given.targets, folder, given.summary)
        return check_targets(given.targets, folder, given.summary, floor)
    except EqvproofError as error:
        say(str(error), sys.stderr)
        return BAD_INPUT
    finally:
        CHECKED.folder, CHECKED.parsed = before


def check_targets(
    targets: Sequence[str], folder: Path | None, report: str | None, floor: Grade
) -> int:
    """Checks the claims of files and modules, prints a line for each, and writes what changed.

    Args:
        targets: files, or names of modules and packages.
        folder: the folder of certificates, and of the verdicts of the last run.
        report: a file to which the summary is added, as Markdown.
        floor: the weakest grade that is enough.

    Raises:
        EqvproofError: a module cannot be imported, or a claim cannot be read.
    """
    CHECKED.folder = folder
    CHECKED.pop_entries()
    before: dict[str, Any] = {}
    if folder is not None:
        before = _last_verdicts(folder / LAST)
    CHECKED.parsed = frozenset(name.partition(" ")[2] for name in before)
    now: dict[str, dict[str, str]] = {}
    problems: list[str] = []
    worst = 0
    for target in filter(_may_declare, targets):
        for name, function, claim in declared_claims(module_named(target)):
            verdict = verdict_on(function, claim)
            words = f"{verdict.outcome} {verdict.grade}".strip()
            say(f"{words.ljust(16)}  {name}  {claim}")
            now[f"{name} {claim}"] = {"outcome": str(verdict.outcome), "grade": str(verdict.grade)}
            status = STATUS[str(verdict.outcome)]
            if verdict.holds and verdict.grade < floor:
                status = BELOW
            if status:
                problems.append(f"{name}\n{verdict}")
                worst = min(worst or status, status)
    entries = CHECKED.pop_entries()
    if problems:
        say("\n".join(["", *problems]))
    say(summary(entries))
    if report is not None:
        with open(report, "a", encoding="utf-8") as file:
            file.write(_markdown(entries, before, now, problems))
    if folder is not None:
        folder.mkdir(parents=True, exist_ok=True)
        verdicts = {"format": FORMAT, "claims": {**before, **now}}
        write_whole(folder / LAST, json.dumps(verdicts, indent=1) + "\n")
    return worst


def changes(before: dict[str, Any], now: dict[str, dict[str, str]]) -> Iterator[str]:
    """Yields a line for each claim that is new, or whose verdict differs."""
    for name, verdict in now.items():
        words = " ".join(filter(None, verdict.values()))
        if name not in before:
            yield f"{name}: {words} (new)"
        elif before[name] != verdict:
            yield f"{name}: {' '.join(filter(None, map(str, before[name].values())))} -> {words}"


def _markdown(
    entries: list[Entry],
    before: dict[str, Any],
    now: dict[str, dict[str, str]],
    problems: list[str],
) -> str:
    lines = ["## Claims of equivariance", "", summary(entries), ""]
    different = list(changes(before, now))
    if different:
        lines += ["What changed:", ""]
    else:
        lines.append("Nothing changed.")
    lines += [f"- `{in_line(line)}`" for line in different]
    for problem in problems:
        fence = "`" * 8
        lines += ["", fence, problem, fence]
    return "\n".join(lines) + "\n"


def _last_verdicts(file: Path) -> dict[str, Any]:
    try:
        data = json.loads(file.read_text(encoding="utf-8"))
        if data["format"] != FORMAT:
            return {}
        return {str(k): v for k, v in data["claims"].items() if isinstance(v, dict)}
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return {}


def _may_declare(target: str) -> bool:
    """Checks whether a file may declare a claim; others are not imported."""
    if not target.endswith(".py"):
        return True
    try:
        return b"claim" in Path(target).read_bytes()
    except OSError as error:
        raise TargetError(
            "the file cannot be read",
            given=target,
            expected="a Python file that exists and may be read",
            hint=f"check its name ({error_text(error)})",
        ) from error


def _require_places(targets: Sequence[str], folder: Path | None, report: str | None) -> None:
    """Checks that the targets are files or modules, and that results can be written.

    Raises:
        TargetError: a target is a folder, or a function of a file.
        OptionError: the folder of certificates is a file, or that of the summary does not exist.
    """
    for target in targets:
        whole, _, name = target.rpartition(":")
        if whole:
            raise TargetError(
                "the target names a function",
                given=target,
                expected="a file, a module or a package, whose declared claims are all checked",
                hint=f"write {whole}; for {name} alone, `eqvproof check {target}`",
            )
        if Path(target).is_dir():
            raise TargetError(
                "the target is a folder",
                given=target,
                expected="a file, a module or a package",
                hint="name the files in it, as in folder/*.py",
            )
    if folder is not None:
        require_folder(folder, "--kept")
    if report is not None and not Path(report).absolute().parent.is_dir():
        raise OptionError(
            "the folder of --summary does not exist",
            given=f"--summary {report}",
            expected="a file in a folder that exists",
            hint="create the folder first, or name another file",
        )


def _parser() -> argparse.ArgumentParser:
    parser = Parser(
        prog="python -m eqvproof.testing",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
        exit_on_error=False,
    )
    parser.add_argument(
        "targets", nargs="+", metavar="TARGET", help="a file, a module or a package"
    )
    parser.add_argument("--kept", metavar="DIR", help="certificates and verdicts of earlier runs")
    parser.add_argument("--summary", metavar="F", help="add a summary in Markdown to F")
    parser.add_argument(
        "--at-least", metavar="GRADE", default="TESTED", help="the weakest grade that passes"
    )
    return parser
