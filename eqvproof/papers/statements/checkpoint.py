"""Stored rows of reviews, so that a later review continues where an earlier one ended.

Each statement has one file, written in one piece. A stored row is used again only if nothing has
changed: the statement, the source text of its functions, this package, Python and its libraries,
budget and seed. UNDECIDED statements are checked again, and the kernel re-checks the certificates
of the others.
"""

from __future__ import annotations

import contextlib
import dataclasses
import functools
import hashlib
import json
import platform
import types
from importlib.metadata import version
from pathlib import Path
from typing import Any

from eqvproof.api import verify
from eqvproof.engines.verdict import Outcome
from eqvproof.papers.statements.finding import Finding
from eqvproof.papers.statements.isolated import parse_finding, to_json
from eqvproof.papers.statements.judge import Judge, StatedClaim
from eqvproof.support.errors import EqvproofError
from eqvproof.support.writing import write_whole
from eqvproof.tracing.observing.fingerprint import fingerprint

FORMAT = "eqvproof-row"
LARGEST = 64 * 2**20
LIBRARIES = ("numpy", "scipy", "sympy", "python-flint", "hypothesis")


class StoredFindings(Judge):
    """A judge that reads findings from a folder, and stores there those that it had to ask for.

    Args:
        judge: the judge that is asked for findings that are not stored.
        folder: where the rows are stored; it is created if it does not exist.
        options: everything else that a finding depends on: the budget, the seed, limits.

    Attributes:
        reused: the ids of the statements whose findings were stored.

    Raises:
        OSError: the folder cannot be created.
    """

    def __init__(self, judge: Judge, folder: Path, **options: object) -> None:
        super().__init__()
        self._judge, self._folder = judge, folder
        self._options = ", ".join(f"{name}={value!r}" for name, value in sorted(options.items()))
        self.reused: list[str] = []
        folder.mkdir(parents=True, exist_ok=True)

    def _ask(self, statement: StatedClaim) -> tuple[Finding, float]:
        """Returns the stored finding of a statement, or asks for it.

        The time is that of the original check.
        """
        key = self._key(statement)
        file = self._folder / f"{statement.id}.row.json"
        found = None if key is None else _read_row(file, key)
        if found is not None:
            self.reused.append(statement.id)
        else:
            found = self._judge.finding(statement), self._judge.seconds(statement)
            if key is not None and found[0].outcome is not Outcome.UNDECIDED:
                row = {
                    "format": FORMAT,
                    "key": key,
                    "seconds": found[1],
                    "finding": to_json(found[0]),
                }
                write_whole(file, json.dumps(row, default=str) + "\n")
        return found

    def _key(self, statement: StatedClaim) -> str | None:
        try:
            claim = claim_text(statement.claim)
        except (RecursionError, ValueError):  # a cycle; a closure over an unassigned variable
            claim = None
        if claim is None:
            return None
        parts = (statement.id, self._options, claim, _environment_text())
        return "sha256:" + hashlib.sha256(json.dumps(parts).encode()).hexdigest()


def _read_row(file: Path, key: str) -> tuple[Finding, float] | None:
    """Reads a stored finding; None if it has another key, or the kernel rejects a certificate."""
    with contextlib.suppress(
        OSError, ValueError, KeyError, TypeError, RecursionError, EqvproofError
    ):
        if not file.is_file() or file.stat().st_size > LARGEST:
            return None
        row = json.loads(file.read_text(encoding="utf-8"))
        if row["format"] != FORMAT or row["key"] != key:
            return None
        found = parse_finding(json.dumps(row["finding"]), 0)
        if found.outcome is not Outcome.UNDECIDED and all(
            verify(c).accepted for c in found.certificates
        ):
            return found, float(row["seconds"])
    return None


def claim_text(value: Any) -> str | None:
    """Writes everything that a claim depends on as text; None if that cannot be known.

    Objects of this package, whose code is part of `_environment_text`, are written as their data;
    all others as their fingerprint.
    """
    is_instance = dataclasses.is_dataclass(value) and not isinstance(value, type)
    if isinstance(value, types.FunctionType) and _is_ours(value.__module__):
        name = value.__qualname__
        cells = [c.cell_contents for c in value.__closure__ or ()]
        contents = [value.__defaults__, value.__kwdefaults__, *cells]
    elif is_instance and _is_ours(type(value).__module__):
        name = type(value).__qualname__
        contents = [getattr(value, f.name) for f in dataclasses.fields(value)]
    elif isinstance(value, dict):
        name, contents = "", [x for item in value.items() for x in item]
    elif isinstance(value, (list, tuple)):
        name, contents = "", list(value)
    else:
        return fingerprint(value)
    parts = [claim_text(v) for v in contents]
    if None in parts:
        return None
    return f"{name}[{', '.join(map(str, parts))}]"


def _is_ours(module: str | None) -> bool:
    return (module or "").partition(".")[0] == "eqvproof"


@functools.lru_cache(maxsize=1)
def _environment_text() -> str:
    """Writes a digest of this package, and the versions of Python and of numerical libraries."""
    digest = hashlib.sha256()
    root = Path(__file__).resolve().parents[1]
    for file in sorted(root.rglob("*.py")):
        digest.update(
            f"{file.relative_to(root)} {hashlib.sha256(file.read_bytes()).hexdigest()}\n".encode()
        )
    libraries = ", ".join(f"{name} {version(name)}" for name in LIBRARIES)
    python = f"{platform.platform()}, Python {platform.python_version()}"
    return f"{digest.hexdigest()}, {python}, {libraries}"
