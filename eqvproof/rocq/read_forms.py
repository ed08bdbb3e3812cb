"""Reads the forms of a proof certificate as data to print."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from eqvproof.claims.size import Size
from eqvproof.engines.elaborate.identities import FLIPS, FORMS, INDEPENDENCE, SIGNS
from eqvproof.engines.elaborate.irreps import Kind, Product
from eqvproof.engines.elaborate.source import Claimed, Type, keeps_form, read_claim, read_size
from eqvproof.engines.elaborate.translation import with_arguments
from eqvproof.support.errors import ExportError

Shape = tuple[Size, ...]
#: A form: its name in Programs.v and its fields: numbers, sizes, places, lists and pairs of these.
Form = tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class Forms:
    """The content of a proof certificate.

    Attributes:
        claimed: the claim.
        lines: the forms.
        shapes: of the lines.
        functions: by number: names, or names and symmetries of opaque functions, or arrays that
            functions without arguments are.
        leaves: the arrays that do not depend on the arguments.
        types: for each factor of the group, the types of the lines; none under translations.
    """

    claimed: Claimed
    lines: tuple[Form, ...]
    shapes: tuple[Shape, ...]
    functions: tuple[Any, ...]
    leaves: tuple[Sequence[Any], ...]
    types: tuple[tuple[Type, ...], ...]

    def use(self, function: int) -> int | None:
        """Returns the first line that applies a function of arrays."""
        for line, (name, *fields) in enumerate(self.lines):
            if name == "Whole" and fields[0] == function:
                return line
        return None

    def kept(self, k: int, function: int) -> Type | None:
        """Returns the type of an array that the k-th factor acts on and keeps, or None.

        Its lines state the type. That the factor keeps a form is known from the family; that it
        keeps other arrays the kernel checks.
        """
        line = self.use(function)
        if line is None:
            return None
        own, (kind, held) = self.types[k][line], self.functions[function]["array"]
        if not (any(own.acts) or own.power):
            return None
        if kind == "form" and not keeps_form(self.claimed.factors[k], own, signs=held):
            return None
        return own

    def keeps_numbers(self, k: int) -> bool:
        """Checks whether the k-th factor acts on an array of numbers, and keeps it."""
        if not self.types[k]:
            return False
        arrays = {n: array_of(f) for n, f in enumerate(self.functions)}
        numbers = [n for n, array in arrays.items() if array and array[0] == "numbers"]
        return any(self.kept(k, n) is not None for n in numbers)

    def argument_shapes(self, line: int) -> tuple[Shape, ...]:
        """Returns the shapes of the arguments and of the value of a function of arrays."""
        _, _, batch, arguments = self.lines[line]
        return (*(tuple(sizes) for _, sizes in arguments), self.shapes[line][batch:])


def array_of(function: Any) -> Sequence[Any] | None:
    """Returns the array that a function without arguments is, or None for other functions."""
    if isinstance(function, Mapping):
        found: Sequence[Any] | None = function.get("array")
        return found
    return None


def read_forms(certificate: Mapping[str, Any]) -> Forms:
    """Reads a proof certificate.

    Raises:
        ExportError: it is no proof of equivariance, or rests on more than types.
    """
    claim = certificate.get("claim", {})
    if certificate.get("kind") != "proof" or claim.get("kind") != "equivariance":
        raise ExportError.of(
            f"a certificate of kind {certificate.get('kind')}", "proofs of equivariance"
        )
    forms, factors = certificate["forms"], certificate["evidence"]["factors"]
    if "eigenvectors" in forms:
        raise ExportError.of(SIGNS, "proofs by types")
    for own in factors:
        if isinstance(own.get("way"), list):
            raise ExportError.of(INDEPENDENCE, "proofs by types")
        if "way" in own:
            raise ExportError.of(FORMS, "proofs by types")
        if "shown" in own:
            raise ExportError.of(FLIPS, "proofs by types")
    listed = [tuple(map(_read_size, shape)) for shape in forms["shapes"]]
    kinds = [(listed[shape], _form(name, fields)) for shape, name, *fields in forms["kinds"]]
    shapes = tuple(kinds[number][0] for number, *_ in forms["lines"])
    claimed = read_claim(certificate["claim"], shapes[-1])
    pairs = zip(claimed.factors, factors, strict=True)
    roots = tuple(replace(factor, root=own.get("root", 1)) for factor, own in pairs)
    return Forms(
        replace(claimed, factors=roots),
        tuple(with_arguments(kinds[number][1], used) for number, *used in forms["lines"]),
        shapes,
        tuple(forms["functions"]),
        tuple(forms["leaves"]),
        tuple(map(_types, factors)),
    )


def _types(evidence: Mapping[str, Any]) -> tuple[Type, ...]:
    """Returns the types of the lines for one factor of the group."""
    known = [
        Type(
            tuple(tuple((_kind(kind), _read_size(size)) for kind, size in axis) for axis in axes),
            power,
        )
        for axes, power in evidence.get("types", ())
    ]
    return tuple(known[number] for number in evidence.get("lines", ()))


def _kind(value: Any) -> Kind:
    """Returns a kind of part: Gallina text, or two kinds with sizes."""
    if isinstance(value, str):
        return value
    if value[0] == "Prod":
        _, first, first_size, second, second_size = value
        sizes = _read_size(first_size), _read_size(second_size)
        return Product(_kind(first), sizes[0], _kind(second), sizes[1])
    name, inner = value
    text = _kind(inner) if name == "Det" else str(inner)
    if isinstance(text, Product):
        raise ExportError.of("a product of axes times the determinant", "such axes as they are")
    return f"{name} ({text})" if " " in text else f"{name} {text}"


def _place(value: Any) -> Any:
    if isinstance(value, int):
        return "Lab", value
    match value:
        case "Num", number:
            return "Num", number
        case "Size", size:
            return "Size", _read_size(size)
    name, first, second = value
    return name, _place(first), _place(second)


def _itself(value: Any) -> Any:
    return value


def _read_size(value: Any) -> Size:
    return read_size(value, {})


def _list_of(read: Callable[[Any], Any]) -> Callable[[Any], list[Any]]:
    return lambda value: [read(entry) for entry in value]


def _pair_of(
    first: Callable[[Any], Any], second: Callable[[Any], Any]
) -> Callable[[Any], tuple[Any, Any]]:
    return lambda value: (first(value[0]), second(value[1]))


_ROWS = _list_of(_pair_of(_itself, _list_of(_place)))
_SIZED = _list_of(_pair_of(_itself, _read_size))
_WHOLE = _list_of(_pair_of(_itself, _list_of(_read_size)))
#: The readers of the fields of each form.
_FIELDS: Mapping[str, tuple[Callable[[Any], Any], ...]] = {
    "Input": (_itself,), "Scalar": (_itself,), "Leaf": (_itself,), "Delta": (_read_size,),
    "Contract": (_ROWS, _SIZED, _itself), "Add": (_itself,), "Map": (_itself, _itself),
    "Choose": (_itself,) * 4, "Fold": (_itself, _itself, _itself, _read_size),
    "Sort": (_itself, _itself, _itself, _read_size), "Join": (_SIZED, _itself),
    "Whole": (_itself, _itself, _WHOLE), "View": (_itself,) * 3 + (_read_size,) * 2,
}  # fmt: skip


def _form(name: str, fields: Sequence[Any]) -> Form:
    readers = _FIELDS.get(name)
    if readers is None or len(readers) != len(fields):
        raise ExportError.of(f"the form {name}", "the forms of rocq/Programs.v")
    return (name, *(read(value) for read, value in zip(readers, fields, strict=True)))
