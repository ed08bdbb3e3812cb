"""The scope of a verdict as data: sizes, points left out (ties), constants read as others.

`Verdict.scope` is a `Scope`: the sentence, with the data from which it was made. The certificate
holds the same data, and the kernel makes the same words from them.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from eqvproof.support.code_line import CodeLine
from eqvproof.support.writing import visible


class PointKind(StrEnum):
    """The kinds of reasons why points are exceptional."""

    TIES = "ties"
    GREATEST = "greatest ties"
    LEAST = "least ties"
    HALVES = "halves"
    EIGENVALUES = "eigenvalues"
    SINGULAR_VALUES = "singular values"
    UNDEFINED = "undefined"


class Narrowing(StrEnum):
    """The respects in which the scope of a verdict can be narrower than the claim."""

    SIZES = "sizes"
    POINTS = "points"


#: Kind -> the words for such points, and for all others; {} is the text of the compared value.
_WORDS: Mapping[PointKind, tuple[str, str]] = {
    PointKind.TIES: ("two entries of {} tie", "no two entries of {} tie"),
    PointKind.GREATEST: (
        "two entries of {} tie for the greatest",
        "no two entries of {} tie for the greatest",
    ),
    PointKind.LEAST: (
        "two entries of {} tie for the least",
        "no two entries of {} tie for the least",
    ),
    PointKind.HALVES: (
        "an entry of {} is halfway between two whole numbers",
        "no entry of {} is halfway between two whole numbers",
    ),
    PointKind.EIGENVALUES: ("eigenvalues of {} coincide", "the eigenvalues of {} differ"),
    PointKind.SINGULAR_VALUES: (
        "singular values of {} coincide, or one is 0",
        "the singular values of {} differ and none is 0",
    ),
    PointKind.UNDEFINED: ("one of the two is undefined", "both are defined"),
}
#: Added if such points fill open sets: equal counts are equal at all nearby points.
_INTERIOR = ("on open sets of points", "they do on open sets of points")
#: Replaces the text of a compared value if it is not known.
_UNNAMED: Mapping[PointKind, str] = {
    PointKind.TIES: "what is compared",
    PointKind.GREATEST: "what is compared",
    PointKind.LEAST: "what is compared",
    PointKind.HALVES: "what is rounded",
    PointKind.EIGENVALUES: "the matrix",
    PointKind.SINGULAR_VALUES: "the matrix",
    PointKind.UNDEFINED: "",
}
#: Largest number of characters of quoted user code.
MOST_QUOTED = 60


@dataclass(frozen=True, slots=True)
class ExceptionalSet:
    """A set of points that a verdict leaves out, with the place in the code that causes it.

    Attributes:
        kind: why these points are exceptional.
        of: the code of the value whose entries tie or coincide, such as "D"; "" if not known.
        place: "model.py:12"; "" if not known.
        mark: represents the set in the certificate's Program: the name of an unknown number, or a
            node.
        has_interior: whether it may contain all points near one of its points, as for equal counts.
    """

    kind: PointKind
    of: str = ""
    place: str = ""
    mark: str | int = ""
    has_interior: bool = False

    @property
    def words(self) -> str:
        """Describes these points: "two entries of D tie (model.py:12)"."""
        return self._words(0)

    @property
    def words_off(self) -> str:
        """Describes all other points: "no two entries of D tie (model.py:12)"."""
        return self._words(1)

    def _words(self, which: int) -> str:
        text = _WORDS[self.kind][which].format(self.of or _UNNAMED[self.kind])
        more = [self.place] if self.place else []
        if self.has_interior:
            more.append(_INTERIOR[which])
        if more:
            return f"{text} ({'; '.join(more)})"
        return text

    def to_json(self) -> dict[str, Any]:
        """Returns the set in the JSON form of certificates."""
        names = {"kind": str(self.kind), "of": self.of, "place": self.place, "mark": self.mark}
        if self.has_interior:
            return {**names, "has_interior": True}
        return names

    @staticmethod
    def from_json(data: Mapping[str, Any]) -> ExceptionalSet:
        """Builds a set from the output of `to_json`."""
        kind, interior = PointKind(data["kind"]), bool(data.get("has_interior"))
        return ExceptionalSet(kind, data["of"], data["place"], data["mark"], interior)


@dataclass(frozen=True, slots=True)
class Reading:
    """A constant of the function that a proof reads as numbers near the stored ones.

    Attributes:
        stored: the stored number, or a description of the constant: "a table of 3".
        read: the number or table that replaces it.
        distance: an upper bound of the distance: of each entry, or of a table in the norm of all
            entries.
        entries: the number of entries of the constant.
        place: its place in the code, as "file.py:12"; "" if not known.
    """

    stored: str
    read: str
    distance: float
    entries: int
    place: str = ""

    def __str__(self) -> str:
        """Writes both numbers, or the distance and the description of the table."""
        if self.entries == 1:
            return f"{self.stored} as {self.read}"
        return f"within {self.distance:.2g}: {self.stored}"


class Scope(str):
    """The sentence that states the sizes and points a verdict covers, with the data behind it.

    Attributes:
        words: the part of the sentence about the sizes.
        sizes: a list of ``{axis: int | [low, high] | "all"}``.
        points: the exceptional sets that are left out.
        readings: the constants that are read as nearby ones.
    """

    words: str
    sizes: tuple[Mapping[str, Any], ...]
    points: tuple[ExceptionalSet, ...]
    readings: tuple[str, ...]

    def __new__(
        cls,
        text: str,
        sizes: Sequence[Mapping[str, Any]] = (),
        points: Sequence[ExceptionalSet] = (),
        readings: Sequence[str] = (),
    ) -> Scope:
        """Builds "for all n, wherever no two entries of D tie" from "for all n" and the points.

        Of another scope only the words about sizes are taken.
        """
        words = visible(words_of_sizes(text))
        found = super().__new__(cls, words + wherever(points))
        found.words = words
        found.sizes, found.points, found.readings = tuple(sizes), tuple(points), tuple(readings)
        return found

    def __reduce__(self) -> tuple[Any, ...]:
        return Scope, (self.words, self.sizes, self.points, self.readings)


def words_of_sizes(scope: str) -> str:
    """Returns the words of a scope about sizes, without those about points."""
    if isinstance(scope, Scope):
        return scope.words
    return scope


def wherever(points: Iterable[ExceptionalSet]) -> str:
    """Writes ", wherever no two entries of D tie and ..."; "" if no points are left out."""
    parts = list(dict.fromkeys(p.words_off for p in points))
    if parts:
        return ", wherever " + " and ".join(parts)
    return ""


def at_any(points: Iterable[ExceptionalSet]) -> str:
    """Writes "two entries of D tie, or eigenvalues of L coincide"."""
    return ", or ".join(dict.fromkeys(p.words for p in points))


# -- texts of the user's code --------------------------------------------------------------------
_MODULES = frozenset(
    {"np", "numpy", "torch", "jnp", "jax", "lax", "linalg", "sp", "scipy", "nn", "F"}
)
#: Calls that compare entries with one another.
COMPARING = frozenset(
    {
        "argsort",
        "argmax",
        "argmin",
        "topk",
        "top_k",
        "sort",
        "argpartition",
        "nanargmax",
        "nanargmin",
        "max",
    }
    | {"min", "approx_max_k", "sort_key_val", "msort", "knn", "kthvalue"}
)
#: Calls that round to the nearest whole number.
ROUNDING = frozenset({"round", "rint", "around"})
#: Calls whose results are all different.
_ORDERS = frozenset({"argsort"})
#: Calls that compute eigenvectors or singular vectors.
DECOMPOSING = frozenset({"eigh", "svd", "eig", "svd_lowrank", "pca_lowrank"})


def exceptional_set(
    kind: PointKind, line: CodeLine, mark: str | int, *, has_interior: bool = False
) -> ExceptionalSet:
    """Builds the exceptional set that a line of the user's code causes.

    For example, "model.py:12: i = np.argsort(D)" compares entries of D.
    """
    if kind in (PointKind.TIES, PointKind.GREATEST, PointKind.LEAST):
        names = COMPARING
    elif kind is PointKind.HALVES:
        names = ROUNDING
    else:
        names = DECOMPOSING
    of = _argument_of(line.source, names)
    return ExceptionalSet(kind, of, line.place, mark, has_interior)


def _argument_of(source: str, names: frozenset[str]) -> str:
    """Returns the code of the first argument of the first call of one of these names.

    For a method it is the code of the object.
    """
    for text in (source, source.rstrip(":") + ": pass", source.rstrip(" ([{,")):
        try:
            tree = ast.parse(text)
        except (SyntaxError, ValueError):
            continue
        for node in ast.walk(tree):
            if isinstance(node, ast.Call):
                found = _called_on(node, names)
            else:
                found = None
            while isinstance(found, ast.Call) and (inner := _called_on(found, _ORDERS)) is not None:
                found = inner  # positions in an order, all of them different
            if found is not None:
                text = ast.unparse(found)
                if len(text) <= MOST_QUOTED:
                    return text
                return ""
        return ""
    return ""


def _called_on(call: ast.Call, names: frozenset[str]) -> ast.expr | None:
    """Returns the first argument, or the object, of a call of one of these names."""
    if isinstance(call.func, ast.Name) and call.func.id in names:
        if call.args:
            return call.args[0]
        return None
    if not isinstance(call.func, ast.Attribute) or call.func.attr not in names:
        return None
    owner = call.func.value
    is_module = isinstance(owner, ast.Attribute) and owner.attr in _MODULES
    if is_module or (isinstance(owner, ast.Name) and owner.id in _MODULES):
        if call.args:
            return call.args[0]
        return None
    return owner
