"""The list of claims checked in a test run, with its summary and the folder of certificates."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from eqvproof.support.errors import OptionError

if TYPE_CHECKING:
    from eqvproof.engines.verdict import Verdict

#: Outcomes and grades in the order of a summary.
ORDER = ("PROVED", "DECIDED", "BOUNDED", "TESTED", "EXACT", "ENCLOSED", "OBSERVED", "UNDECIDED")


@dataclass(frozen=True, slots=True)
class Entry:
    """One checked claim.

    Attributes:
        claim: the claim in words.
        outcome: HOLDS, FAILS or UNDECIDED.
        grade: the grade of the verdict.
        reused: True if an earlier run's certificate was re-checked instead.
        is_narrower: whether the verdict leaves out sizes or points of the claim.
    """

    claim: str
    outcome: str
    grade: str
    reused: bool = False
    is_narrower: bool = False

    @property
    def kind(self) -> str:
        """The grade, after FAILS if it fails; UNDECIDED without a grade."""
        if self.outcome == "FAILS":
            return f"FAILS {self.grade}"
        if self.is_narrower and self.grade == "PROVED":
            return "PROVED in a narrower scope"
        return self.grade or self.outcome


class CheckedClaims:
    """The claims of a test run, in order.

    Attributes:
        folder: the folder of certificates, or None.
        entries: the claims checked since the last call of `pop_entries`.
        parsed: the texts of claims that an earlier run has parsed; they are parsed again only if
            checked again.
    """

    def __init__(self) -> None:
        self.folder: Path | None = None
        self.entries: list[Entry] = []
        self.parsed: frozenset[str] = frozenset()

    def add_verdict(self, verdict: Verdict, *, reused: bool = False) -> None:
        """Adds a verdict to the list."""
        outcome, grade = str(verdict.outcome), str(verdict.grade)
        self.entries.append(
            Entry(verdict.claim, outcome, grade, reused, not verdict.is_unrestricted)
        )

    def pop_entries(self) -> list[Entry]:
        """Returns the entries since the last call, and removes them."""
        found, self.entries = self.entries, []
        return found


#: The claims checked in this process; the pytest plugin empties the list after each test.
CHECKED = CheckedClaims()


def summary(entries: Iterable[Entry]) -> str:
    """Summarises entries as ``12 claims: 9 PROVED, 2 BOUNDED, 1 FAILS EXACT``."""
    entries = list(entries)
    counts = Counter(entry.kind for entry in entries)
    order = sorted(counts, key=lambda kind: [word in kind.split() for word in ORDER], reverse=True)
    noun = "claim" if len(entries) == 1 else "claims"
    text = f"{len(entries)} {noun}: " + ", ".join(f"{counts[kind]} {kind}" for kind in order)
    reused = sum(e.reused for e in entries)
    if reused:
        text += f" ({reused} re-checked from their certificates)"
    return text


def require_folder(folder: Path, option: str) -> None:
    """Checks that certificates can be kept in a folder, which need not exist yet.

    Args:
        folder: the folder.
        option: the option that names it.

    Raises:
        OptionError: it is a file, or would lie in one.
    """
    for place in (folder, *folder.parents):
        if place.exists() and not place.is_dir():
            raise OptionError(
                f"{option} names a file, and not a folder",
                given=f"{option} {folder}; {place} is a file",
                expected="a folder, which is created where it does not exist",
                hint=f"{option} certificates",
                code="testing.folder",
            )
