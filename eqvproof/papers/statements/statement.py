"""Statements of a paper as executable objects.

A statement has a place, the printed assertion (in one's own words and formulas), its
interpretation, and the claim that the engines check. It does not contain the finding.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import Self

from eqvproof.papers.statements.judge import Claim
from eqvproof.papers.statements.pictures import Picture
from eqvproof.support.errors import EqvproofError
from eqvproof.support.writing import visible

REPAIRED = ".repaired"
_ID = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_-]*(\.[A-Za-z0-9_][A-Za-z0-9_-]*)*")


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Statement:
    """A statement of a paper, with the claim that the engines check.

    Attributes:
        id: a name that is unique in its source, such as ``my23.prop3.1``.
        place: its section, number or equation in the paper.
        printed: the assertion printed there, in one's own words and formulas.
        claim: the claim that the engines check.
        reading: the interpretation: every choice made in turning the printed words into a claim.
        assumptions: conditions that the claim takes for granted.
        repaired: a corrected statement, if this one fails; its id is this id and ``.repaired``.
        picture: makes a picture for the report, from the same functions that are checked.
        formal: theorems of the folder ``rocq`` that state it in a proof assistant, such as
            ``MaYing.prop31``; for a statement that fails, theorems that negate it.

    Raises:
        EqvproofError: the id is no name, the place or printed form is empty, or the claim cannot
            be checked.
    """

    id: str
    place: str
    printed: str
    claim: Claim
    reading: str | tuple[str, ...] = ()
    assumptions: str | tuple[str, ...] = ()
    repaired: Statement | None = None
    picture: Callable[[], Picture] | None = None
    formal: str | tuple[str, ...] = ()

    def __post_init__(self) -> None:
        for name in ("reading", "assumptions", "formal"):
            value = getattr(self, name)
            texts = (value,) if isinstance(value, str) else tuple(value)
            object.__setattr__(self, name, tuple(map(visible, texts)))
        for name in ("place", "printed"):
            if isinstance(value := getattr(self, name), str):
                object.__setattr__(self, name, visible(value))
        _validate(self)

    @property
    def kind(self) -> str:
        """The kind in words: "definition", "proposition", "proof step", ..."""
        return re.sub(r"(?<=[a-z])(?=[A-Z])", " ", type(self).__name__).lower()

    def repaired_as(
        self, *, printed: str, claim: Claim, place: str = "", reading: str | tuple[str, ...] = (),
        assumptions: str | tuple[str, ...] = (), formal: str | tuple[str, ...] = (),
    ) -> Self:  # fmt: skip
        """Returns the statement with a repaired form of the same kind.

        The form has the same place unless another is given.
        """
        form = type(self)(
            id=self.id + REPAIRED,
            place=place or self.place,
            printed=printed,
            claim=claim,
            reading=reading,
            assumptions=assumptions,
            formal=formal,
        )
        return replace(self, repaired=form)

    def __str__(self) -> str:
        lines = [f"{self.id} ({self.kind}, {self.place}): {self.printed}"]
        lines += [f"  read: {choice}" for choice in self.reading]
        lines += [f"  assumed: {assumption}" for assumption in self.assumptions]
        return "\n".join(lines)


class Definition(Statement):
    """A definition; it is checked by use (see `DefinitionByUse`)."""

    __slots__ = ()


class Proposition(Statement):
    """A proposition."""

    __slots__ = ()


class Lemma(Statement):
    """A lemma."""

    __slots__ = ()


class Theorem(Statement):
    """A theorem."""

    __slots__ = ()


class Corollary(Statement):
    """A corollary."""

    __slots__ = ()


class Remark(Statement):
    """A remark, an example, or a formula stated in passing."""

    __slots__ = ()


class ProofStep(Statement):
    """A step of a proof."""

    __slots__ = ()


def _validate(statement: Statement) -> None:
    """Raises an EqvproofError if the id, place, printed form or claim cannot be used."""
    problem = ""
    if not isinstance(statement.id, str) or not _ID.fullmatch(statement.id):
        problem, given = "its id is not a name", repr(statement.id)
        expected = "letters, digits, '-' and '_', in parts joined by dots, as 'my23.prop3.1'"
    elif not (isinstance(statement.place, str) and statement.place.strip()):
        problem, given = "it has no place", repr(statement.place)
        expected = "a section, number or equation"
    elif not (isinstance(statement.printed, str) and statement.printed.strip()):
        problem, given = "it has no printed form", repr(statement.printed)
        expected = "the printed assertion, in words"
    elif not callable(getattr(statement.claim, "judge", None)):
        problem, given = "its claim has no method `judge`", type(statement.claim).__name__
        expected = "a claim such as ep.statements.Equivariance(f, 'X: d n -> d n', under='O(d)')"
    elif statement.repaired is not None and statement.repaired.id != statement.id + REPAIRED:
        problem, given = "its repaired form has another id", repr(statement.repaired.id)
        expected = repr(statement.id + REPAIRED)
    if problem:
        raise EqvproofError(
            f"the statement {statement.id!r} cannot be checked: {problem}",
            given=given,
            expected=expected,
            code="statement",
            hint="ep.Proposition(id='paper.one', place='§1', printed='in words',"
            " claim=ep.statements.Equivariance(f, 'X: d n -> d n', under='O(d)'))",
        )


def with_repairs(statements: Iterable[Statement]) -> tuple[Statement, ...]:
    """Returns the statements, each followed by its repaired form, if any."""
    found: list[Statement] = []
    for statement in statements:
        found.append(statement)
        if statement.repaired is not None:
            found.extend(with_repairs([statement.repaired]))
    return tuple(found)
