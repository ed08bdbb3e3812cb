"""The library of statements from the sources of this package, and `review`, which checks them."""

from __future__ import annotations

import importlib
from collections.abc import Iterable
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

from eqvproof.papers.statements.checkpoint import StoredFindings
from eqvproof.papers.statements.isolated import Isolation
from eqvproof.papers.statements.judge import DEFAULT_BUDGET
from eqvproof.papers.statements.parallel import ExecutorJudge, Limits
from eqvproof.papers.statements.review import Progress, Review, review_statements
from eqvproof.papers.statements.sources import (
    choose,
    select,
    source_descriptions,
    statement_files,
    statements_of,
)
from eqvproof.papers.statements.statement import Statement, with_repairs
from eqvproof.support.errors import EqvproofError
from eqvproof.support.lazy import loader
from eqvproof.support.short_tracebacks import shortens_tracebacks

#: The sources, in order: the first part of their ids, and the module that holds their statements.
SOURCES: dict[str, str] = {
    name: f"eqvproof.papers.library.{name}"
    for name in ("my23", "my22", "sym23", "lec22", "classics", "villar21")
}

__all__ = ["SOURCES", "review", "source", "statement", "statements"]


def source(name: str) -> ModuleType:
    """Imports the module of a source, such as ``"my23"``.

    Raises:
        EqvproofError: there is no such source.
    """
    if name not in SOURCES:
        raise EqvproofError(
            f"the library has no source {name!r}",
            given=repr(name),
            expected="one of " + ", ".join(SOURCES),
            code="library.source",
            hint="ids begin with the name of their source: my23.prop3.1",
        )
    return importlib.import_module(SOURCES[name])


def statements(*names: str) -> tuple[Statement, ...]:
    """Returns the statements of the library, or those that the names choose.

    A repaired form is listed only if a name chooses it.
    """
    library = tuple(s for name in SOURCES for s in statements_of(source(name)))
    if names:
        return select(library, names)
    return library


def statement(id: str) -> Statement:
    """Returns the statement with an id; ids of repaired forms are accepted."""
    for found in statements(id):
        if found.id == id:
            return found
    raise EqvproofError(
        f"there is no statement {id!r}",
        given=repr(id),
        expected="an id",
        code="review.unknown",
        hint="`eqvproof review my23` prints the ids of a source",
    )


@shortens_tracebacks
def review(
    *what: str | Statement | ModuleType | Iterable[str | Statement | ModuleType],
    seed: int = 0,
    budget: float = DEFAULT_BUDGET,
    progress: Progress | None = None,
    isolate: Isolation | None = None,
    resume: str | Path | None = None,
    executor: Any = None,
) -> Review:
    """Checks statements with the engines.

    Args:
        what: ids or beginnings of ids of the library ("my23", "my23.prop3.1"), files of statements
            ("paper.py"), modules, statements, or lists of these; nothing: the whole library.
        seed: equal seeds give equal rows.
        budget: seconds that a search may take for one claim.
        progress: called before each statement with the number already checked, the total number,
            and the id.
        isolate: limits of time and memory; each statement is checked in a process of its own. Works
            only with names and files.
        resume: a folder in which each row is stored once it is finished; stored rows are not
            checked again, as long as the statement's functions, this package, and everything else
            that affects the result are unchanged.
        executor: checks several statements at once: any executor of `concurrent.futures`, or a
            Dask client. Works only with names and files. The rows are the same as without it; if a
            pool of processes loses one, the remaining statements are checked in this process.

    Raises:
        EqvproofError: a name chooses nothing, or a file has no statements.
    """
    chosen = choose(what, statements) or list(statements())
    limits = Limits(budget, seed, isolate)
    files = {} if executor is None and isolate is None else statement_files(what)
    court = limits.judge(files)
    if executor is not None:
        court = ExecutorJudge(list(dict.fromkeys(with_repairs(chosen))), files, limits, executor)
    if resume is not None:
        court = StoredFindings(court, Path(resume), budget=budget, seed=seed, isolate=isolate)
    papers = [item for item in what if isinstance(item, str) and item.endswith(".py")]
    return review_statements(
        chosen,
        seed=seed,
        budget=budget,
        progress=progress,
        court=court,
        sources=source_descriptions(chosen, papers, SOURCES),
    )


if not TYPE_CHECKING:  # for names that are not there
    __getattr__ = loader(__name__, {})
