"""Re-reading of a printed file, to compare its theorems with the claim of the certificate.

They must be about the groups, the acts and the shapes that the claim names.

Nothing of the printer is used: families, acts, shapes and sizes are read from the text of the file on one
side and from the JSON of the claim on the other, and compared.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from math import prod
from typing import Any

from eqvproof.claims.size import Size
from eqvproof.kernel.groups import FAMILIES
from eqvproof.support.errors import ExportError

#: Families of rocq/Checker.v: all, even and cyclic permutations; orthogonal and invertible
#: matrices, all and those of determinant 1; flips of signs, translations, multiples.
_ALL, _EVEN, _CYCLIC, _ORTHOGONAL, _TURNS, _FLIPS, _LINEAR, _UNIMODULAR, _SHIFTS, _MULTIPLES = (
    "S A C O SO Signs GL SL T Scale".split()
)
_BY_KIND = {
    "perm": (_ALL, _EVEN), "orth": (_ORTHOGONAL, _TURNS), "lin": (_LINEAR, _UNIMODULAR),
    "sign": (_FLIPS, _FLIPS), "shift": (_SHIFTS, _SHIFTS), "scale": (_MULTIPLES, _MULTIPLES),
}  # fmt: skip


def held_by(letter: str) -> tuple[str, ...]:
    """Returns the families of rocq/Checker.v that hold the elements of a claim's family.

    There is one for each of its parts.

    They are derived from the kernel's record of the family, not from the record that the printer
    reads.
    """
    about = FAMILIES[letter]
    if about.parts:
        return tuple(name for part in about.parts for name in held_by(part))
    return (_CYCLIC if about.cyclic else _BY_KIND[about.kind][about.special],)


TOKEN = re.compile(r"\[::|[\[\]();,]|\w+")
#: Parts of an axis, (kind, size); no parts if nothing acts.
Acts = tuple[tuple[str, Size], ...]
Shape = tuple[Size, ...]


@dataclass(frozen=True, slots=True)
class Stated:
    """The statement about one factor: its family, element size, arguments and result.

    Types are (acts along the axes, power); for translations, the axis of the points, or None.

    Attributes:
        each: for one element for each entry of an axis: that axis in the arguments and in the
            result, and the shape of the result; None for one element.
    """

    family: str
    size: Size | None
    given: tuple[Any, ...]
    claimed: Any
    each: tuple[tuple[int | None, ...], int | None, Shape] | None = None

    def powers(self) -> list[int]:
        """Returns the powers of the scalar in the arguments and in the result; none if not of one."""
        if self.family != _MULTIPLES:
            return []
        return [power for _, power in (*self.given, self.claimed)]

    def of_root(self, root: int) -> Stated:
        """Returns the statement about a scalar of which the elements are this power."""
        if self.family != _MULTIPLES:
            return self
        given = tuple((acts, root * power) for acts, power in self.given)
        acts, power = self.claimed
        return replace(self, given=given, claimed=(acts, root * power))


def _power_of_scalar(ours: Stated, theirs: Stated) -> int:
    """Returns the power of the scalar of one statement that the scalar of another one is."""
    pairs = zip(ours.powers(), theirs.powers(), strict=False)
    return max(1, next((have // want for have, want in pairs if want), 1))


def require_same(text: str, claim: Mapping[str, Any]) -> None:
    """Checks that the theorems of a file state the claim.

    Raises:
        ExportError: they do not, because of a mistake of the printer.
    """
    file = _File(text)
    sizes = _sizes(claim, file.shapes()[1])
    _require_same_shapes(file, claim, sizes)
    found, wanted = file.stated(), list(_claimed(claim, sizes))
    for k, (ours, theirs) in enumerate(zip(found, wanted, strict=False)):
        if ours != theirs.of_root(_power_of_scalar(ours, theirs)):
            raise ExportError.of(f"factor {k} as it was printed", "what the claim says")
    if len(found) != len(wanted) or not file.is_combined(len(wanted)):
        raise ExportError.of(
            "the theorem as it was printed", "a factor for each of the claim's, in order"
        )


def _require_same_shapes(file: _File, claim: Mapping[str, Any], sizes: Mapping[str, Size]) -> None:
    """Checks the shapes of the arguments and of the result."""
    wanted = [_shape(x["axes"], x.get("indexes"), sizes) for x in claim["inputs"]]
    if file.shapes() != (wanted, _shape(claim["output"], None, sizes)):
        raise ExportError.of("the shapes as they were printed", "those that the claim says")


# -- the file
# --------------------------------------------------------------------------------------------


class _File:
    def __init__(self, text: str) -> None:
        self._variables = dict(re.findall(r"\(\* Variable (\d+): (.*?) \*\)", text))
        bare = " ".join(re.sub(r"\(\*.*?\*\)", " ", text, flags=re.S).split())
        self._definitions = dict(
            re.findall(r"Definition (\w+) : [^:]*? := (.*?)\. (?=[A-Z])", bare)
        )
        self._theorems = dict(re.findall(r"Theorem (\w+) : (.*?)\. Proof\.", bare))
        self._known = [self._sum(row) for row in self._value("known")]
        if len({*self._variables.values()}) != len(self._known):
            raise ExportError.of("the variables as they were printed", "one for each name")
        self._require_positive()

    def _require_positive(self) -> None:
        """Checks that no variable is supposed to be positive that may be 0 in the scope of the claim.

        What is known of a variable is a size in names that may be any numbers; it is positive if
        it has no negative term, and the term 1. A variable may also stand for a large number.
        """
        if "positive_sizes" not in self._definitions:
            return
        for number in self._value("positive_sizes"):
            terms = dict(self._known[int(number)].terms)
            is_number = re.fullmatch("[1-9][0-9]*", self._variables[number])
            if not is_number and (terms.get((), 0) < 1 or min(terms.values()) < 0):
                raise ExportError.of(
                    f"variable {number}, which is supposed to be positive", "one that is"
                )

    def shapes(self) -> tuple[list[Shape], Shape]:
        """Returns the shapes of the arguments and of the result in the theorem about them."""
        says = self._theorems.get("inside", "")
        if says != "reads_inside known given_shapes prog claimed_shape":
            raise ExportError.of(f"the theorem {says}", "reads_inside")
        given = [tuple(map(self._extent, shape)) for shape in self._value("given_shapes")]
        return given, tuple(map(self._extent, self._value("claimed_shape")))

    def stated(self) -> list[Stated]:
        """Returns the theorems about single factors."""
        found = list[Stated]()
        while (says := self._theorems.get(f"equivariant{len(found)}")) is not None:
            found.append(self._read_factor(_as_factor(says)))
        return found

    def is_combined(self, count: int) -> bool:
        """Checks whether there is a theorem about the product of the factors, if there are many."""
        says = self._theorems.get("equivariant")
        if count == 1:
            return says is None
        first, *rest = (f"({_as_factor(self._theorems[f'equivariant{k}'])})" for k in range(count))
        return says == f"equivariant_under_product prog {first} [:: {'; '.join(rest)}]"

    def _read_factor(self, text: str) -> Stated:
        """Reads a factor of rocq/Products.v."""
        if (m := re.fullmatch(r"Acts (\w+) (\w+) \w+ (\w+) (\w+)", text)) is not None:
            given = tuple(map(self._type, self._value(m[3])))
            return Stated(m[1], self._extent(m[2]), given, self._type(self._value(m[4])))
        if (m := re.fullmatch(r"Translates positive_sizes \w+ (\w+) (\w+)", text)) is not None:
            given = tuple(map(self._motion, self._value(m[1])))
            return Stated(_SHIFTS, None, given, self._motion(self._value(m[2])))
        if (m := re.fullmatch(r"Each positive_sizes \((.*)\) (\w+) (\w+) (\w+)", text)) is not None:
            starts = tuple(map(_optional, self._value(m[2])))
            shape = tuple(map(self._extent, self._value(m[4])))
            each = (starts, _optional(self._value(m[3])), shape)
            return replace(self._read_factor(m[1]), each=each)
        raise ExportError.of(f"the factor {text}", "a factor of rocq/Products.v")

    def _value(self, name: str) -> Any:
        """Returns a definition as nested lists, tuples and words."""
        return _parsed(TOKEN.findall(self._definitions[name]))

    def _sum(self, row: Sequence[tuple[str, list[str]]]) -> Size:
        """Returns what is known of a variable, as a size in the names of free variables."""
        terms = (
            prod((Size.of(self._variables[v]) for v in names), start=Size.of(int(count)))
            for count, names in row
        )
        return sum(terms, Size(()))

    def _extent(self, name: str) -> Size:
        """Returns a size in the names of free variables."""
        products = (
            prod((self._known[int(v)] for v in row), start=Size.of(1)) for row in self._value(name)
        )
        return sum(products, Size(()))

    def _type(self, value: Any) -> Any:
        if isinstance(value, str):
            value = self._value(value)
        axes, power = value
        parts = tuple(
            tuple((_words(kind), self._extent(size)) for kind, size in axis) for axis in axes
        )
        sign, number = power
        if sign == "Posz":
            return parts, int(number)
        return parts, -int(number) - 1

    def _motion(self, value: Any) -> Any:
        if value in ("Still", ["Still"]):
            return None
        if value[0] == "Moved":
            if value[2:] == [["Posz", "1"], [], []]:
                return ("Moved", int(value[1]))
            return value
        return ("Share", int(value[1]), self._extent(value[2]))


def _as_factor(says: str) -> str:
    """Returns what a theorem says of the program as a factor of rocq/Products.v."""
    for pattern, kind in (
        (r"equivariant (\w+ \w+ \w+ \w+) prog (\w+)", "Acts "),
        (r"translated (\w+ \w+ \w+) prog (\w+)", "Translates "),
    ):
        if (m := re.fullmatch(pattern, says)) is not None:
            return f"{kind}{m[1]} {m[2]}"
    if (m := re.fullmatch(r"equivariant_under prog \((Each .*)\)", says)) is not None:
        return m[1]
    raise ExportError.of(f"the theorem {says}", "equivariant, translated or equivariant_under")


def _optional(value: Any) -> int | None:
    if value in ("None", ["None"]):
        return None
    return int(value[1])


def _parsed(tokens: list[str]) -> Any:
    """Parses a value of Gallina: lists to lists, pairs to tuples, applications to word lists."""
    found = _sequence(tokens, "")
    if len(found) == 1:
        return found[0]
    return found


def _sequence(tokens: list[str], end: str) -> list[Any]:
    found: list[Any] = []
    while tokens and (token := tokens.pop(0)) != end:
        if token == "[::":
            found.append(_split_at(_sequence(tokens, "]"), ";"))
        elif token == "(":
            inner = _sequence(tokens, ")")
            parts = _split_at(inner, ",")
            if "," in inner:
                found.append(tuple(parts))
            else:
                found.append(parts[0])
        else:
            found.append(token)
    return found


def _split_at(found: list[Any], mark: str) -> list[Any]:
    """Splits words at marks; a part of one word is that word."""
    parts: list[list[Any]] = [[]]
    for x in found:
        if x == mark:
            parts.append([])
        else:
            parts[-1].append(x)
    if found:
        return [p[0] if len(p) == 1 else p for p in parts]
    return []


def _words(value: Any) -> str:
    """Returns an application as its words in order."""
    if isinstance(value, str):
        return value
    return " ".join(map(_words, value))


# -- the claim
# -------------------------------------------------------------------------------------------


def _sizes(claim: Mapping[str, Any], result: Shape) -> dict[str, Size]:
    """Returns the sizes of the names of axes: numbers, or least sizes plus the name of the rest.

    A name that only the result has is the size of the axis on which it stands alone.
    """
    given = {name for x in claim["inputs"] for axis in x["axes"] for _, name, _ in axis}
    given |= {x.get("indexes") for x in claim["inputs"]}
    found = dict[str, Size]()
    for name, scope in claim["scope"].items():
        low, high = scope if isinstance(scope, list) else (scope, scope)
        if scope == "all":
            low, high = 1, None
        if low == high:
            found[name] = Size.of(low)
        elif name in given:
            found[name] = Size.of(name) + low
    for axis, size in zip(claim["output"], result, strict=False):
        coefficient, name, _ = axis[0]
        if len(axis) == coefficient == 1 and name is not None:
            found.setdefault(name, size)
    return found


def _shape(axes: Sequence[Any], labels: str | None, sizes: Mapping[str, Size]) -> Shape:
    """Returns the sizes of axes, and of the labels of an argument of indices."""
    found = [
        sum((Size.of(c) * Size.of(name or 1) for c, name, _ in axis), Size(())) for axis in axes
    ]
    if labels is not None:
        found.append(Size.of(labels))
    return tuple(size.substitute(sizes) for size in found)


def _claimed(claim: Mapping[str, Any], sizes: Mapping[str, Size]) -> Iterator[Stated]:
    for entry in claim["group"]:
        letter, axis = entry["family"], entry["axis"]
        if letter not in FAMILIES:
            raise ExportError.of(f"the family {letter}", "the families that the kernel knows")
        for family in held_by(letter):
            stated = _stated_factor(claim, family, axis, letter, sizes)
            if "each" in entry:
                stated = replace(stated, each=_entries(claim, entry, family, sizes))
            yield stated


def _entries(
    claim: Mapping[str, Any], entry: Mapping[str, Any], part: str, sizes: Mapping[str, Size]
) -> tuple[tuple[int | None, ...], int | None, Shape]:
    """Returns the axis with an element for each entry: of the arguments, and of the result.

    It is the axis of the name alone, in values on which the factor acts, and None in others. The
    shape of the result is the third part.
    """
    axis, about, own = entry["axis"], FAMILIES[entry["family"]], [[1, entry["each"], ""]]
    acted: tuple[int, str | None] = (0, axis)
    if isinstance(axis, int):
        acted = (axis * about.reals, None)
    carries, still = about.irreps and part != _SHIFTS, ("0e", "0o")[: 1 + about.special]

    def acts(coefficient: int, name: str | None, mark: str) -> bool:
        if mark[:1].isdigit():
            return carries and mark not in still
        if name:
            coefficient = 0
        return mark != "!" and (coefficient, name) == acted

    def place(axes: Sequence[Any], labels: str | None) -> int | None:
        if labels != axis and not any(acts(*term) for its_terms in axes for term in its_terms):
            return None
        found = [[[*term] for term in its_terms] for its_terms in axes]
        if own not in found:
            raise ExportError.of(f"the axes {found}", f"an axis {entry['each']} of the claim")
        return found.index(own)

    starts = tuple(place(x["axes"], x.get("indexes")) for x in claim["inputs"])
    return starts, place(claim["output"], None), _shape(claim["output"], None, sizes)


def _stated_factor(
    claim: Mapping[str, Any], family: str, axis: Any, letter: str, sizes: Mapping[str, Size]
) -> Stated:
    reals, carries = FAMILIES[letter].reals, FAMILIES[letter].irreps
    g = Size.of(axis).substitute(sizes) * reals
    literal = axis * reals if isinstance(axis, int) else None

    def acts(term: Sequence[Any]) -> bool:
        coefficient, name, mark = term
        if mark == "!" or mark[:1].isdigit():
            return False
        if name is None:
            return bool(coefficient == literal)
        return bool(name == axis)

    def along(axes: Sequence[Any], labels: str | None) -> Any:
        if family == _SHIFTS:
            places = [k for k, a in enumerate(axes) if any(acts(t) and not t[2] for t in a)]
            if labels is not None:
                return "Share", len(axes), Size.of(labels).substitute(sizes)
            if places:
                return ("Moved", places[0])
            return None
        if family == _MULTIPLES:
            powers = [-1 if t[2] == "*" else 1 for a in axes for t in a if acts(t)]
            return ((),) * (len(axes) + (labels is not None)), sum(powers)
        parts = [_parts_of_axis(a, acts, (family, g, reals, carries), sizes) for a in axes]
        if labels is not None:
            parts.append((("Std", g),) if labels == axis else ())
        # an axis that begins with a part times the determinant is the determinant times another one
        power = 0
        for k, own in enumerate(parts):
            if own and own[0][0].startswith("Det "):
                parts[k], power = _times_det(own), power + 1
        return tuple(parts), power % 2

    given = tuple(along(x["axes"], x.get("indexes")) for x in claim["inputs"])
    return Stated(family, None if family == _SHIFTS else g, given, along(claim["output"], None))


def _parts_of_axis(
    axis: Sequence[Any], acts: Any, group: tuple[str, Size, int, bool], sizes: Mapping[str, Size]
) -> Acts:
    """Returns the parts of an axis, with neighbours joined that are not mixed."""
    family, g, reals, carries = group
    found: list[tuple[str, Size]] = []
    for coefficient, name, mark in axis:
        if acts((coefficient, name, mark)):
            if mark == "*" and family in (_LINEAR, _UNIMODULAR):
                kind = "Dual"
            else:
                kind = "Std"
            copies = 1
            if name is not None:
                copies = coefficient // reals
            found += [(kind, g)] * copies
            continue
        size, kind = (Size.of(coefficient) * Size.of(name or 1)).substitute(sizes), "Fix"
        if carries and mark[:1].isdigit():
            degree = int(mark[:-1])
            kind = ("Fix", "Std", f"Irr {degree}")[min(degree, 2)]
            if family == _ORTHOGONAL and degree % 2 != "eo".index(mark[-1]):
                kind = f"Det {kind}"
            if degree:
                own = Size.of(2 * degree + 1)
                found += [(kind, own)] * (coefficient // (2 * degree + 1))
                continue
        if found and found[-1][0] == kind:
            size = size + found.pop()[1]
        found.append((kind, size))
    if all(kind == "Fix" for kind, _ in found):
        return ()
    return tuple(found)


def _times_det(axis: Acts) -> Acts:
    """Returns the parts of an axis, each times the determinant, of which the square is 1."""
    found = tuple((f"Det {kind}".removeprefix("Det Det "), size) for kind, size in axis)
    if all(kind == "Fix" for kind, _ in found):
        return ()
    return found
