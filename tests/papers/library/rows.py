"""What is asked of the rows of every source: grades, repairs, certificates."""

from __future__ import annotations

import json
from collections.abc import Mapping

import pytest

import eqvproof as ep
from eqvproof.papers.library import review, statements
from eqvproof.papers.statements.row import Row
from eqvproof.papers.statements.statement import with_repairs
from tests.sampling import every_case, sample

#: Grades that no verdict bears without a certificate.
STRONG = ("PROVED", "DECIDED", "BOUNDED", "EXACT", "ENCLOSED")
#: Seconds that a claim may take: more than any of them takes, however busy the machine is.
BUDGET = 60


def rows_of(
    source: str, found: Mapping[str, str], config: pytest.Config, *named: str
) -> dict[str, Row]:
    """Returns the rows of a source that this run reviews, by their names in it.

    A plain run reviews what fails, the repairs, and a twelfth of what holds.

    Args:
        source: the source.
        found: what each of its statements is found to be, such as "HOLDS PROVED".
        config: tells whether this is a plain run.
        named: statements that a test needs.
    """
    names = [name for name in found if not name.endswith(".repaired")]
    if not every_case(config):
        holding = [name for name in names if found[name].startswith("HOLDS")]
        kept = {*sample(holding, -(-len(holding) // 12)), *named}
        names = [name for name in names if name not in holding or name in kept]
    reviewed = review(*(f"{source}.{name}" for name in names), budget=BUDGET)
    return {row.id.removeprefix(f"{source}."): row for row in reviewed}


def require_statements(source: str, found: Mapping[str, str]) -> None:
    """Checks that a source has these statements and repaired forms, and no others."""
    listed = [s.id.removeprefix(f"{source}.") for s in with_repairs(statements(source))]
    assert sorted(listed) == sorted(found)


def require_found(rows: Mapping[str, Row], found: Mapping[str, str]) -> None:
    """Checks that rows say what is expected, and of what sizes."""
    assert len(rows) >= len(found) / 12
    says = {name: f"{row.outcome} {row.grade}" for name, row in rows.items()}
    assert says == {name: found[name] for name in rows}
    assert [name for name, row in rows.items() if not row.scope] == []


def require_repaired(source: str, rows: Mapping[str, Row]) -> None:
    """What fails, and nothing else, names its repaired form."""
    for name, row in rows.items():
        expected = f"{source}.{name}.repaired" if str(row.outcome) == "FAILS" else None
        assert row.repaired_by == expected


def require_accepted(rows: Mapping[str, Row]) -> None:
    """What bears a strong grade has certificates; the kernel accepts each, read again from its text."""
    labels = [label for row in rows.values() for label, _ in row.certificates]
    assert len(labels) == len(set(labels))
    for row in rows.values():
        assert bool(row.certificates) == (str(row.grade) in STRONG), row.id
        for label, certificate in row.certificates:
            assert label.startswith(row.id)
            assert ep.verify(json.loads(json.dumps(certificate))).accepted, label
