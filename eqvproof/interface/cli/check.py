"""``eqvproof check``: one stated claim, or all claims declared in a module or file."""

from __future__ import annotations

import argparse
from typing import Any

from eqvproof.interface.cli.files import require_writable, standard_is_taken, write_text
from eqvproof.interface.cli.supervised import Answer, check_in_process
from eqvproof.interface.cli.terminal import Progress, complain
from eqvproof.support.display.layout import Item, show
from eqvproof.support.errors import OptionError
from eqvproof.support.writing import say

STATUS = {"HOLDS": 0, "FAILS": 1, "UNDECIDED": 3}
BELOW = 3
#: Options passed to every check; and those that only one claim, stated in full, may have.
OPTIONS = ("budget", "seed", "backend", "about", "constants", "generic")
OF_A_CLAIM = ("size", "backend", "about", "domain", "reps", "constants", "generic", "certificate")


def run(arguments: argparse.Namespace) -> int:
    """Runs ``check``; returns 0 if all hold, 1 if one fails, 3 otherwise.

    3 means that a claim is undecided, or holds at a grade below ``--at-least``.
    """
    is_stated = arguments.signature is not None
    if is_stated != (arguments.under is not None):
        missing = "--under" if is_stated else "SIGNATURE"
        raise OptionError(
            f"{missing} is missing",
            given=arguments.target,
            expected="a signature and a group, or neither for the claims that are declared there",
            hint=f"eqvproof check {arguments.target} {arguments.signature or 'X: d n -> d n'!r} "
            f"--under {arguments.under or 'O(d)'!r}",
            code="cli.claim",
        )
    given = [f"--{name}" for name in OF_A_CLAIM if getattr(arguments, name)]
    if given and not is_stated:
        raise OptionError(
            f"{' and '.join(given)}: for one claim only",
            given=f"{arguments.target} without a signature, which means all claims that are"
            f" declared there",
            expected="a signature and --under",
            hint="give options of declared claims in @eqvproof.claim(signature, under=..., ...)",
            code="cli.claim",
        )
    require_writable(json=arguments.json, certificate=arguments.certificate)
    found = _check_claims(arguments)
    if not standard_is_taken(arguments.json, arguments.certificate):
        _print(found, arguments)
    if arguments.json is not None:
        from eqvproof.papers.report import json_text

        rows = [
            {"target": a["name"], **{k: a[k] for k in a if k not in _INTERNAL_KEYS}} for a in found
        ]
        if is_stated:
            write_text(arguments.json, json_text(rows[0]))
        else:
            write_text(arguments.json, json_text({"claims": rows}))
    if arguments.certificate is not None:
        _write_certificate(arguments.certificate, found[0])
    return _status(found, arguments.at_least)


#: Keys of an answer that do not belong to the verdict's JSON.
_INTERNAL_KEYS = frozenset({"name", "certificate", "screen"})


def _check_claims(arguments: argparse.Namespace) -> list[Answer]:
    options = {name: getattr(arguments, name) for name in OPTIONS}
    options = {name: value for name, value in options.items() if value is not None}
    if arguments.size:
        options["sizes"] = _sizes_option(arguments.size)
    request = {
        **{
            name: getattr(arguments, name)
            for name in ("target", "signature", "under", "domain", "reps", "explain")
        },
        "options": options,
    }
    with Progress(f"checking {arguments.target}") as progress:

        def begins(done: int, total: int, name: str) -> None:
            if total == 1:
                progress.text = f"checking {name}"
            else:
                progress.text = f"{done + 1} of {total}  {name}"

        return list(check_in_process(request, begins))


def _sizes_option(
    pairs: list[tuple[str, int | tuple[int, int | None]]],
) -> dict[str, int | tuple[int, int | None]]:
    sizes = dict(pairs)
    if len(sizes) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise OptionError(
            f"--size gives {twice!r} twice",
            given=" ".join(f"--size {name}=..." for name in names),
            expected="each axis at most once",
            hint=f"a range holds several sizes: --size {twice}=1:6",
            code="cli.size",
        )
    return sizes


def _status(found: list[Answer], floor: str | None) -> int:
    weak = {a["name"]: why for a in found if (why := _why_too_weak(a, floor))}
    for name, why in weak.items():
        complain(f"{name}: {why}")
    statuses = {STATUS[a["outcome"]] for a in found}
    if weak:
        statuses.add(BELOW)
    return min(statuses - {0}, default=0)


def _why_too_weak(answer: Answer, floor: str | None) -> str:
    """Returns why a claim that holds is below the floor; "" if it is not."""
    if floor is None or answer["outcome"] != "HOLDS":
        return ""
    from eqvproof.engines.verdict import Grade
    from eqvproof.engines.verdict.floors import shortfall
    from eqvproof.engines.verdict.scope import Narrowing

    narrowed = [Narrowing(name) for name in answer["narrowed"]]
    return shortfall(Grade(answer["grade"]), narrowed, answer["scope"], Grade(floor))


def _print(found: list[Answer], arguments: argparse.Namespace) -> None:
    if arguments.signature is not None:
        show(map(_item, found[0]["screen"]))
        return
    from eqvproof.interface.testing.checked_claims import Entry, summary

    width = max(len(answer["name"]) for answer in found)
    for answer in found:
        words = f"{answer['outcome']} {answer['grade']}".rstrip()
        show([Item(_claim(answer), f"{answer['name'].ljust(width)}  {words.ljust(16)}  ")])
    for answer in found:
        if arguments.explain or answer["outcome"] != "HOLDS":
            say(f"\n{answer['name']}")
            show(map(_item, answer["screen"]))
    say(
        "\n"
        + summary(
            Entry(_claim(a), a["outcome"], a["grade"], is_narrower=bool(a["narrowed"]))
            for a in found
        )
    )


def _claim(answer: Answer) -> str:
    return f"[{answer['signature']}] under {answer['under']}"


def _item(data: Any) -> Item:
    """Returns a part of a screen, rebuilt if it comes as data from another process."""
    if isinstance(data, Item):
        return data
    return Item(**{**data, "block": tuple(data["block"]), "names": tuple(data["names"])})


def _write_certificate(path: str, answer: Answer) -> None:
    from eqvproof.papers.report import json_text

    if answer["certificate"] is None:
        grade = f"the outcome {answer['outcome']}"
        if answer["grade"]:
            grade = f"the grade {answer['grade']}"
        complain(f"no certificate was written to {path}: {grade} has none")
        return
    write_text(path, json_text(answer["certificate"]))
