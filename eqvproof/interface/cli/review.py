"""``eqvproof review``: the statements of the library, one row each."""

from __future__ import annotations

import argparse
import os
from typing import TYPE_CHECKING, Any

from eqvproof.interface.cli.files import (
    make_folder,
    require_writable,
    standard_is_taken,
    write_text,
)
from eqvproof.interface.cli.target import isolated_target
from eqvproof.interface.cli.terminal import Progress
from eqvproof.support.errors import EqvproofError
from eqvproof.support.writing import in_line, say

if TYPE_CHECKING:
    from eqvproof.papers.statements import Review
    from eqvproof.papers.statements.isolated import Isolation


def run(arguments: argparse.Namespace) -> int:
    """Runs ``review``; returns 0 if all are decided, 1 if some are UNDECIDED.

    With ``--strict``, also 1 if some FAIL.
    """
    require_writable(json=arguments.json, html=arguments.html)
    for option, folder in (
        ("--certificates", arguments.certificates),
        ("--resume", arguments.resume),
    ):
        if folder is not None:
            make_folder(folder, option)
    from eqvproof.papers.report import changes_since, json_text, read_report, review_page
    from eqvproof.papers.statements.screen import explained_screen, review_screen
    from eqvproof.support.display.layout import show

    earlier = changes = None
    if arguments.changed_since is not None:
        earlier = read_report(arguments.changed_since)
    review = _review(arguments)
    if earlier is not None:
        changes = changes_since(review, earlier, tuple(arguments.names))
    if not standard_is_taken(arguments.json, arguments.html):
        if arguments.explain:
            show(explained_screen(review))
        else:
            show(review_screen(review, arguments.names))
        if changes is not None:
            say("\n".join(["", f"since {in_line(arguments.changed_since)}:", *changes.lines()]))
    if arguments.json is not None:
        data = review.to_json()
        if changes is not None:
            data["changes"] = changes.to_json()
        write_text(arguments.json, json_text(data))
    if arguments.html is not None:
        title = "Review of " + (", ".join(arguments.names) or "the library")
        write_text(arguments.html, review_page(review, title, changes))
    if arguments.certificates is not None:
        for name, text in certificate_files(review).items():
            write_text(os.path.join(arguments.certificates, name), text)
    unwanted = {"UNDECIDED", "FAILS"} if arguments.strict else {"UNDECIDED"}
    return int(any(row.outcome in unwanted for row in review.rows))


def _review(arguments: argparse.Namespace) -> Review:
    from eqvproof.papers.library import review

    options: dict[str, Any] = {}
    for name in ("budget", "seed", "resume"):
        if getattr(arguments, name) is not None:
            options[name] = getattr(arguments, name)
    limits = [name for name in ("time", "memory") if getattr(arguments, name) is not None]
    if arguments.isolate:
        options["isolate"] = _isolation(arguments)
    elif limits:
        raise EqvproofError(
            "--time and --memory are limits of processes: they need --isolate",
            given=f"--{limits[0]}",
            expected=f"--isolate --{limits[0]}",
            hint="--budget limits the search without processes",
            code="cli.isolate",
        )
    what = ", ".join(arguments.names) or "the library"
    with isolated_target(what), Progress("reading statements") as progress:

        def show(done: int, total: int, name: str) -> None:
            progress.text = f"{done + 1} of {total}  {name}"

        return review(*arguments.names, progress=show, **options)


def _isolation(arguments: argparse.Namespace) -> Isolation:
    from eqvproof.papers.statements.isolated import Isolation

    given = {"seconds": arguments.time, "megabytes": arguments.memory}
    return Isolation(**{name: value for name, value in given.items() if value is not None})


def certificate_files(review: Review) -> dict[str, str]:
    """Returns the texts of the certificates, by file name.

    The name is ``<id>.json``, or ``<id>-1.json``, ``<id>-2.json`` if a row has several.
    """
    from eqvproof.papers.report import json_text

    return {
        f"{name}.json": json_text(certificate)
        for row in review.rows
        for name, certificate in row.certificates
    }
