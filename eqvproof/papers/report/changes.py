"""The differences between a review and the JSON report of an earlier review."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from eqvproof.support.errors import EqvproofError

if TYPE_CHECKING:
    from eqvproof.papers.statements import Review

COMPARED = ("outcome", "grade", "scope", "repaired_by")
LARGEST = 64 * 2**20


@dataclass(frozen=True, slots=True)
class Changes:
    """The differences from an earlier run; times are not compared.

    Attributes:
        added: ids that are new.
        gone: ids that only the earlier run had.
        changed: id -> field -> (value before, value now).
    """

    added: tuple[str, ...]
    gone: tuple[str, ...]
    changed: Mapping[str, Mapping[str, tuple[Any, Any]]]

    def lines(self) -> Iterator[str]:
        """Yields one line for each difference, or one line if there is none."""
        for id, fields in self.changed.items():
            parts = ", ".join(
                f"{name} {before or '-'} -> {now or '-'}" for name, (before, now) in fields.items()
            )
            yield f"{id}: {parts}"
        yield from (f"{id}: new" for id in self.added)
        yield from (f"{id}: no longer checked" for id in self.gone)
        if not (self.added or self.gone or self.changed):
            yield "no differences"

    def to_json(self) -> dict[str, Any]:
        """Converts the differences to JSON data."""
        changed = {
            id: {name: {"before": before, "now": now} for name, (before, now) in fields.items()}
            for id, fields in self.changed.items()
        }
        return {"added": list(self.added), "gone": list(self.gone), "changed": changed}


def changes_since(
    review: Review, earlier: Mapping[str, Mapping[str, Any]], names: tuple[str, ...] = ()
) -> Changes:
    """Compares a review with an earlier run.

    Args:
        review: the rows now.
        earlier: the earlier rows by id (`read_report`).
        names: the ids, or beginnings of ids, that were reviewed; others do not count as gone.
    """
    now = {row.id: row.to_json() for row in review.rows}

    def was_reviewed(id: str) -> bool:
        return not names or any(id == name or id.startswith(f"{name}.") for name in names)

    changed = {}
    for id in now.keys() & earlier.keys():
        fields = {
            name: (earlier[id].get(name), now[id][name])
            for name in COMPARED
            if earlier[id].get(name) != now[id][name]
        }
        if fields:
            changed[id] = fields
    order = [id for id in now if id in changed]
    return Changes(
        tuple(id for id in now if id not in earlier),
        tuple(id for id in earlier if id not in now and was_reviewed(id)),
        {id: changed[id] for id in order},
    )


def read_report(path: str) -> dict[str, Mapping[str, Any]]:
    """Reads the rows of a JSON report by id.

    Raises:
        EqvproofError: the file cannot be read, or is not a report.
    """
    problem = ""
    try:
        file = Path(path)
        if not file.is_file():
            problem = "there is no such file"
        elif file.stat().st_size > LARGEST:
            problem = f"it is larger than {LARGEST} bytes"
        else:
            data = json.loads(file.read_text(encoding="utf-8"))
            rows = data.get("statements") if isinstance(data, dict) else None
            if isinstance(rows, list) and all(
                isinstance(r, dict) and isinstance(r.get("id"), str) for r in rows
            ):
                return {row["id"]: row for row in rows}
            problem = "it holds no rows of a review"
    except (OSError, ValueError, RecursionError) as error:
        problem = str(error) or type(error).__name__
    raise EqvproofError(
        f"the earlier report cannot be used: {problem}",
        given=path,
        expected="a file that `eqvproof review --json` wrote",
        code="review.report",
        hint="write one with `eqvproof review ... --json report.json`",
    )
