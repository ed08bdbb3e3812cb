"""What a verdict speaks of, as data: sizes, points that it leaves out, constants that it reads as others.

`Verdict.scope` is a `Scope`: the sentence, which carries the data that it was made from. The
certificate holds the same data, and the kernel makes the same words of them.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any


class PointKind(StrEnum):
    """Why points are exceptional."""

    TIES = "ties"
    GREATEST = "greatest ties"
    LEAST = "least ties"
    EIGENVALUES = "eigenvalues"
    SINGULAR_VALUES = "singular values"
    UNDEFINED = "undefined"


class Narrowing(StrEnum):
    """In what the scope of a verdict is narrower than what was asked."""

    SIZES = "sizes"
    POINTS = "points"


#: Kind -> the words for such points, and for all others; with the text of what is compared.
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
    PointKind.EIGENVALUES: ("eigenvalues of {} coincide", "the eigenvalues of {} differ"),
    PointKind.SINGULAR_VALUES: (
        "singular values of {} coincide, or one is 0",
        "the singular values of {} differ and none is 0",
    ),
    PointKind.UNDEFINED: ("one of the two is undefined", "both are defined"),
}
#: Added where such points are not few: counts that tie do so at all points near by.
_INTERIOR = ("on open sets of points", "they do on open sets of points")
#: In place of a text that is not known.
_UNNAMED: Mapping[PointKind, str] = {
    PointKind.TIES: "what is compared",
    PointKind.GREATEST: "what is compared",
    PointKind.LEAST: "what is compared",
    PointKind.EIGENVALUES: "the matrix",
    PointKind.SINGULAR_VALUES: "the matrix",
    PointKind.UNDEFINED: "",
}
#: The longest text of the user's code that is quoted.
MOST_QUOTED = 60


@dataclass(frozen=True, slots=True)
class ExceptionalSet:
    """Points that a verdict leaves out, and the place in the code that makes them exceptional.

    Attributes:
        kind: what happens there.
        of: the text of what ties or coincides, as it stands in the code, such as "D"; "" where not
            known.
        place: "model.py:12"; "" where not known.
        mark: what stands for it in the certificate's Program: the name of an unknown number, or a
            node.
        has_interior: whether it may hold all points near one of them, as where counts tie.
    """

    kind: PointKind
    of: str = ""
    place: str = ""
    mark: str | int = ""
    has_interior: bool = False

    @property
    def words(self) -> str:
        """Where these points are: "two entries of D tie (model.py:12)"."""
        return self._words(0)

    @property
    def words_off(self) -> str:
        """Where all other points are: "no two entries of D tie (model.py:12)"."""
        return self._words(1)

    def _words(self, which: int) -> str:
        text = _WORDS[self.kind][which].format(self.of or _UNNAMED[self.kind])
        more = "; ".join(filter(None, (self.place, _INTERIOR[which] if self.has_interior else "")))
        return f"{text} ({more})" if more else text

    def to_json(self) -> dict[str, Any]:
        """The set as certificates hold it."""
        names = {"kind": str(self.kind), "of": self.of, "place": self.place, "mark": self.mark}
        return {**names, "has_interior": True} if self.has_interior else names

    @staticmethod
    def from_json(data: Mapping[str, Any]) -> ExceptionalSet:
        """Reads what `to_json` wrote."""
        kind, interior = PointKind(data["kind"]), bool(data.get("has_interior"))
        return ExceptionalSet(kind, data["of"], data["place"], data["mark"], interior)


@dataclass(frozen=True, slots=True)
class Reading:
    """A constant of the target that a proof reads as other numbers next to the stored ones.

    Attributes:
        stored: the stored number, or what the constant is: "a table of 3".
        read: what it is read as.
        distance: an upper bound of the distance: of each entry, or of a table in the norm of all
            entries.
        entries: how many numbers the constant holds.
        place: where it stands in the code, as "file.py:12"; "" where that is not known.
    """

    stored: str
    read: str
    distance: float
    entries: int
    place: str = ""

    def __str__(self) -> str:
        """Both numbers, or the distance and what the table is."""
        if self.entries == 1:
            return f"{self.stored} as {self.read}"
        return f"within {self.distance:.2g}: {self.stored}"


class Scope(str):
    """The sentence that says what a verdict speaks of, with the data behind it.

    Attributes:
        sizes: a list of ``{axis: int | [low, high] | "all"}``.
        points: the exceptional sets that are left out.
        readings: the constants that are read as others next to them.
    """

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
        """Makes the sentence "for all n, wherever no two entries of D tie" of "for all n" and the points."""
        off = wherever(points)
        found = super().__new__(cls, text if not off or text.endswith(off) else text + off)
        found.sizes, found.points, found.readings = tuple(sizes), tuple(points), tuple(readings)
        return found

    def __reduce__(self) -> tuple[Any, ...]:
        return Scope, (str(self), self.sizes, self.points, self.readings)


def wherever(points: Iterable[ExceptionalSet]) -> str:
    """Returns ", wherever no two entries of D tie and ..."; "" where no points are left out."""
    parts = list(dict.fromkeys(p.words_off for p in points))
    return ", wherever " + " and ".join(parts) if parts else ""


def at_any(points: Iterable[ExceptionalSet]) -> str:
    """Returns "two entries of D tie, or eigenvalues of L coincide"."""
    return ", or ".join(dict.fromkeys(p.words for p in points))


# -- texts of the user's code
# -------------------------------------------------------------------------------
_MODULES = frozenset(
    {"np", "numpy", "torch", "jnp", "jax", "lax", "linalg", "sp", "scipy", "nn", "F"}
)
#: Calls that compare entries with one another, and those that take eigenvectors.
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
#: Those of which no two results are equal.
_ORDERS = frozenset({"argsort"})
DECOMPOSING = frozenset({"eigh", "svd", "eig", "svd_lowrank", "pca_lowrank"})


def exceptional_set(
    kind: PointKind, line: str, mark: str | int, *, has_interior: bool = False
) -> ExceptionalSet:
    """Returns the set that a line of the user's code makes: "model.py:12: i = np.argsort(D)" compares D."""
    place, _, source = line.partition(": ")
    source = source.partition(", called at ")[0]
    names = (
        COMPARING if kind in (PointKind.TIES, PointKind.GREATEST, PointKind.LEAST) else DECOMPOSING
    )
    return ExceptionalSet(kind, _argument_of(source.strip(), names), place, mark, has_interior)


def _argument_of(source: str, names: frozenset[str]) -> str:
    """Returns the text of the first argument, or of the object, of the first call of one of these names."""
    for text in (source, source.rstrip(":") + ": pass", source.rstrip(" ([{,")):
        try:
            tree = ast.parse(text)
        except (SyntaxError, ValueError):
            continue
        for node in ast.walk(tree):
            found = _called_on(node, names) if isinstance(node, ast.Call) else None
            while isinstance(found, ast.Call) and (inner := _called_on(found, _ORDERS)) is not None:
                found = inner  # positions in an order, of which no two are equal
            if found is not None:
                text = ast.unparse(found)
                return text if len(text) <= MOST_QUOTED else ""
        return ""
    return ""


def _called_on(call: ast.Call, names: frozenset[str]) -> ast.expr | None:
    """Returns the first argument, or the object, of a call of one of these names."""
    if isinstance(call.func, ast.Name) and call.func.id in names:
        return call.args[0] if call.args else None
    if not isinstance(call.func, ast.Attribute) or call.func.attr not in names:
        return None
    owner = call.func.value
    is_module = isinstance(owner, ast.Attribute) and owner.attr in _MODULES
    if is_module or (isinstance(owner, ast.Name) and owner.id in _MODULES):
        return call.args[0] if call.args else None
    return owner
