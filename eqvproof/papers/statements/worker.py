"""The process that checks one statement: request on standard input, finding on standard output."""

from __future__ import annotations

import contextlib
import json
import os
import sys
from typing import Any


def main() -> int:
    """Checks the requested statement; anything that its functions print goes to standard error."""
    request: dict[str, Any] = json.load(sys.stdin)
    answer = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    _limit_memory(request["megabytes"])
    from eqvproof.papers.statements.isolated import to_json
    from eqvproof.papers.statements.judge import Court

    court = Court(request["budget"], request["seed"])
    process = os.getpid()
    found = court.finding(find_statement(request["id"], request["file"]))
    if os.getpid() != process:  # a process that the claim has forked
        os._exit(0)
    with answer:
        json.dump(to_json(found), answer)
    return 0


def find_statement(id: str, file: str | None) -> Any:
    """Returns the statement with an id, from a file or from the library."""
    from eqvproof.papers.statements.sources import select, statements_in_file

    if file is None:
        import importlib

        # the library imports this layer: it is looked up by name
        library = importlib.import_module("eqvproof.papers.library")
        return library.statement(id)
    return select(statements_in_file(file), [id])[0]


def _limit_memory(megabytes: int) -> None:
    """Limits the memory of this process, where the system can do so."""
    with contextlib.suppress(ImportError, ValueError, OSError):
        import resource

        most = megabytes << 20
        resource.setrlimit(resource.RLIMIT_AS, (most, most))


if __name__ == "__main__":
    sys.exit(main())
