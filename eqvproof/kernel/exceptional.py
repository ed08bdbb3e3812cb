"""Parses the points that a claim leaves out (ties, equal eigenvalues), and requires each named.

At such points a program rests on a number of which nothing is known, the value of an opaque
function without arguments, or on eigenvectors, which have no value there. A proved statement holds
whatever the number is. The claim names each of these once, with the words for the points; that the
number matters, or the function has other eigenvectors, at these points only is recorded in the
certificate, and listed among the assumptions of an acceptance.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from .report import Rejected
from .text import LABEL, entry_of, fields, integer, items, one_of, read_name

TIES = ("ties", "greatest ties", "least ties", "halves")
#: Kind -> words for the points that are left out, and for all other points. The braces stand for
#: the text of the compared array.
WORDS = {
    "ties": ("two entries of {} tie", "no two entries of {} tie"),
    "greatest ties": (
        "two entries of {} tie for the greatest",
        "no two entries of {} tie for the greatest",
    ),
    "least ties": ("two entries of {} tie for the least", "no two entries of {} tie for the least"),
    "halves": (
        "an entry of {} is halfway between two whole numbers",
        "no entry of {} is halfway between two whole numbers",
    ),
    "eigenvalues": ("eigenvalues of {} coincide", "the eigenvalues of {} differ"),
    "singular values": (
        "singular values of {} coincide, or one is 0",
        "the singular values of {} differ and none is 0",
    ),
}
UNNAMED = {**dict.fromkeys(TIES, "what is compared"), "halves": "what is rounded"}
#: Added where such points are not few, as where counts tie; for the points, and for all others.
INTERIOR = ("on open sets of points", "they do on open sets of points")
#: Longest quotation, and largest number of sets of points.
MOST_TEXT, MOST_POINTS = 200, 256


@dataclass(frozen=True, slots=True)
class Points:
    """A set of points that is left out, and the unknown number or the node that makes it."""

    kind: str
    of: str
    place: str
    mark: str | int
    has_interior: bool

    def words(self, *, off: bool) -> str:
        """Returns words for where the points are, or, with `off`, where all other points are."""
        of = quotation(self.of) if self.of else UNNAMED.get(self.kind, "the matrix")
        place = quotation(self.place) if self.place else ""
        found = WORDS[self.kind][off].format(of)
        more = "; ".join(filter(None, (place, INTERIOR[off] * self.has_interior)))
        if more:
            return f"{found} ({more})"
        return found


def read_points(value: Any, path: str) -> tuple[Points, ...]:
    """Reads the sets of points of a claim."""
    found = []
    for i, entry in enumerate(items(value, path, MOST_POINTS)):
        at = f"{path}[{i}]"
        has_interior = entry_of(entry, "has_interior") is True
        more = ["has_interior"] * has_interior
        kind, of, place, mark, *_ = fields(entry, at, "kind", "of", "place", "mark", *more)
        one_of(kind, f"{at}.kind", WORDS)
        if kind in TIES:
            read_name(mark, f"{at}.mark", LABEL)
        else:
            integer(mark, f"{at}.mark", 0)
        texts = _short_text(of, f"{at}.of"), _short_text(place, f"{at}.place")
        found.append(Points(kind, *texts, mark, has_interior))
    if not found:
        raise Rejected(f"{path}: expected points that are left out")
    return tuple(found)


def require(listed: Iterable[Points], unknown: Iterable[str], vectors: Iterable[int]) -> None:
    """Requires that a claim leaves out exactly the points at which a program is not determined.

    Each unknown number and each node with eigenvectors is listed once.

    Args:
        listed: the sets of points of the claim.
        unknown: the names of the unknown numbers.
        vectors: the nodes with eigenvectors.

    Raises:
        Rejected: an unknown number, or a node with eigenvectors, is not listed, or is listed and
            not there.
    """
    marks = [p.mark for p in listed]
    if len(marks) != len(set(marks)) or set(marks) != {*unknown, *vectors}:
        raise Rejected(
            "$.claim.points: expected an entry for each unknown number and each node with"
            " eigenvectors: " + (", ".join(map(str, dict.fromkeys((*unknown, *vectors)))) or "none")
        )


def wherever(listed: Iterable[Points]) -> str:
    """Returns words for where a claim that leaves out points holds."""
    parts = list(dict.fromkeys(p.words(off=True) for p in listed))
    if parts:
        return ", wherever " + " and ".join(parts)
    return ""


def recorded(listed: Iterable[Points]) -> tuple[str, ...]:
    """Returns words for what is recorded, and not checked, about unknown numbers and eigenvectors.

    A proof holds for the program whatever these words are; they say where it is the function.
    """
    found = []
    for p in listed:
        if p.kind in TIES:
            found.append(f"{p.mark} matters only where {p.words(off=False)}, as recorded")
        else:
            found.append(
                f"the eigenvectors {p.mark} are those of the function wherever"
                f" {p.words(off=True)}, as recorded"
            )
    return tuple(found)


def quotation(text: str) -> str:
    """Writes words of a certificate in quotation marks, so that none is taken for the kernel's."""
    return json.dumps(text, ensure_ascii=False)


def _short_text(value: Any, path: str) -> str:
    """Reads a short printable text."""
    if not isinstance(value, str) or len(value) > MOST_TEXT or not value.isprintable():
        raise Rejected(f"{path}: expected a short text")
    return value
