"""What is asked of the rows of every source: grades, repairs, certificates."""

from __future__ import annotations

import json
from collections.abc import Mapping

import eqvproof as ep
from eqvproof.papers.library import review
from eqvproof.papers.statements.row import Row

#: Grades that no verdict bears without a certificate.
STRONG = ("PROVED", "DECIDED", "BOUNDED", "EXACT", "ENCLOSED")


def rows_of(source: str, budget: float) -> dict[str, Row]:
    """The rows of a source by their names in it."""
    return {row.id.removeprefix(f"{source}."): row for row in review(source, budget=budget)}


def require_found(row: Row, expected: str) -> None:
    """A row says what is expected, such as "HOLDS PROVED", and of what sizes."""
    assert f"{row.outcome} {row.grade}" == expected, row.reason
    assert row.scope


def require_repaired(source: str, rows: Mapping[str, Row]) -> None:
    """What fails, and nothing else, names its repaired form."""
    for name, row in rows.items():
        expected = f"{source}.{name}.repaired" if str(row.outcome) == "FAILS" else None
        assert row.repaired_by == expected


def require_accepted(row: Row) -> None:
    """What bears a strong grade has certificates; the kernel accepts each, read again from its text."""
    assert bool(row.certificates) == (str(row.grade) in STRONG)
    for label, certificate in row.certificates:
        assert label.startswith(row.id)
        assert ep.verify(json.loads(json.dumps(certificate))).accepted
