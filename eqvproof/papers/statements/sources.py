"""Lookup of statements by id, by the beginning of ids, in modules, or in files."""

from __future__ import annotations

import ast
import difflib
import importlib
import inspect
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from types import ModuleType

from eqvproof.papers.statements.statement import Statement, with_repairs
from eqvproof.support.errors import EqvproofError
from eqvproof.tracing.observing.modules import imported

#: The variable in which a module may list its statements, in order.
LISTED = "STATEMENTS"


def statements_of(module: ModuleType) -> tuple[Statement, ...]:
    """Returns the statements of a module: its ``STATEMENTS``, or else all bound to its names.

    Raises:
        EqvproofError: the module has no statements.
    """
    listed = getattr(module, LISTED, None)
    if listed is None:
        found = tuple(v for v in vars(module).values() if isinstance(v, Statement))
    else:
        found = tuple(listed)
    repaired = {s.repaired for s in found}
    found = tuple(s for s in dict.fromkeys(found) if s not in repaired)
    if not found or not all(isinstance(s, Statement) for s in found):
        raise EqvproofError(
            f"the module {module.__name__} has no statements",
            given=str(getattr(module, "__file__", module.__name__)),
            expected=f"names bound to Proposition(...), Definition(...), ..., or a tuple {LISTED}",
            code="review.empty",
            hint="bind each to a name: one = ep.Proposition(id=..., place=..., printed=...,"
            " claim=...)",
        )
    return found


def import_statements(package: str, names: str) -> tuple[Statement, ...]:
    """Imports the modules of a package that a text lists; returns the ``STATEMENT`` of each."""
    return tuple(importlib.import_module(f"{package}.{name}").STATEMENT for name in names.split())


def statements_in_file(path: str | Path) -> tuple[Statement, ...]:
    """Runs a Python file and returns its statements.

    Raises:
        EqvproofError: there is no such file, it raises, or it has no statements.
    """
    file = Path(path)
    if not file.is_file():
        raise EqvproofError(
            "there is no such file of statements",
            given=str(path),
            expected="a Python file",
            code="review.file",
            hint="name a file, or a source of the library: my23",
        )
    return statements_of(imported(file.stem, str(file)))


def source_descriptions(
    statements: Iterable[Statement], files: Iterable[str], modules: Mapping[str, str]
) -> tuple[str, ...]:
    """Returns the descriptions of the sources of statements: docstrings of modules and files.

    Args:
        statements: the chosen statements.
        files: the user's own files of statements.
        modules: the module of each source, by the first part of its ids.
    """
    names = dict.fromkeys(s.id.partition(".")[0] for s in statements)
    texts = [
        inspect.getdoc(importlib.import_module(modules[name])) for name in names if name in modules
    ]
    texts += [ast.get_docstring(ast.parse(Path(file).read_bytes())) for file in files]
    return tuple(text for text in texts if text)


def statement_files(what: Iterable[object]) -> dict[str, str]:
    """Returns the file of every statement of the files among the items, by id.

    Repaired forms are included.

    Raises:
        EqvproofError: another process cannot look up an item.
    """
    found: dict[str, str] = {}
    for item in what:
        if not isinstance(item, str):
            raise EqvproofError(
                "only names and files can be reviewed in processes of their own",
                given=type(item).__name__,
                expected="ids, or files of statements",
                hint="write the statements into a file, or leave isolate= (executor=) out",
                code="review.isolate",
            )
        if item.endswith(".py"):
            found.update((s.id, item) for s in with_repairs(statements_in_file(item)))
    return found


def choose(
    what: Iterable[object], find_by_name: Callable[[str], Iterable[Statement]]
) -> list[Statement]:
    """Returns the statements of items: names, files, modules, statements, or lists of these.

    Args:
        what: the items.
        find_by_name: finds the statements that a name of the library chooses.

    Raises:
        EqvproofError: an item is none of these, or has no statements.
    """
    found: list[Statement] = []
    for item in what:
        if isinstance(item, Statement):
            found.append(item)
        elif isinstance(item, ModuleType):
            found.extend(statements_of(item))
        elif isinstance(item, str) and item.endswith(".py"):
            found.extend(statements_in_file(item))
        elif isinstance(item, str):
            found.extend(find_by_name(item))
        elif isinstance(item, Iterable):
            found.extend(choose(item, find_by_name))
        else:
            raise EqvproofError(
                "this cannot be reviewed",
                given=type(item).__name__,
                expected="ids, files of statements, modules, or statements",
                code="review.what",
                hint="ep.review('my23'), or ep.review('paper.py') for statements of your own",
            )
    return list(dict.fromkeys(found))


def select(statements: Sequence[Statement], names: Iterable[str]) -> tuple[Statement, ...]:
    """Returns the statements with the given ids, or whose ids begin with them up to a dot.

    A repaired form is listed only if it is chosen by its own id.

    Raises:
        EqvproofError: a name chooses nothing.
    """
    chosen: dict[Statement, None] = {}
    every = with_repairs(statements)
    for name in names:
        found = [s for s in statements if s.id == name or s.id.startswith(name + ".")]
        found = found or [s for s in every if s.id == name]
        if not found:
            raise unknown_name(name, [s.id for s in every])
        chosen.update(dict.fromkeys(found))
    return tuple(s for s in every if s in chosen)


def unknown_name(name: str, known: Sequence[str]) -> EqvproofError:
    """Builds the error for a name that chooses no statement; it suggests similar names."""
    beginnings = {".".join(id.split(".")[:k]) for id in known for k in range(1, id.count(".") + 2)}
    near = difflib.get_close_matches(name, sorted(beginnings), n=3, cutoff=0.5)
    return EqvproofError(
        f"there is no statement {name!r}",
        given=repr(name),
        expected="an id, or the beginning of ids up to a dot, of "
        + ", ".join(sorted({k.split(".")[0] for k in known})),
        hint=f"did you mean {' or '.join(near)}?" if near else "",
        code="review.unknown",
    )
