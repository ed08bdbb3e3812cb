"""Reads the forms of a proof certificate as data to print."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from eqvproof.claims.size import Size
from eqvproof.engines.elaborate.identities import FLIPS, FORMS, INDEPENDENCE, SIGNS
from eqvproof.engines.elaborate.irreps import Kind, Product
from eqvproof.engines.elaborate.source import (
    Claimed,
    Type,
    keeps_form,
    pins_of,
    read_claim,
    read_size,
)
from eqvproof.engines.elaborate.translation import with_arguments
from eqvproof.kernel import form_proof
from eqvproof.kernel.readings import readings_of_forms
from eqvproof.kernel.report import Rejected, allow_work
from eqvproof.kernel.text import fields
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
        for line, (name, *own) in enumerate(self.lines):
            if name == "Whole" and own[0] == function:
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
    """Reads a proof certificate, which need not be one that the kernel accepts.

    Raises:
        ExportError: it is no proof of equivariance, rests on more than types, or is malformed.
    """
    content = {part: certificate.get(part) for part in ("claim", "forms", "evidence")}
    allow_work(len(json.dumps(content)))
    try:
        return _read_content(content)
    except Rejected as error:
        raise ExportError.of(f"a malformed certificate: {error}", "what the kernel reads") from None


def _read_content(certificate: dict[str, Any]) -> Forms:
    """Reads the claim, the forms and the evidence of a proof.

    Raises:
        Rejected: the kernel does not read them.
        ExportError: the proof rests on more than types.
    """
    proof = form_proof.read_proof(certificate)
    forms, factors = certificate["forms"], certificate["evidence"]["factors"]
    reader = _SizedReader(pins_of(certificate["claim"]["scope"]))
    listed = [tuple(map(reader.size, shape)) for shape in forms["shapes"]]
    kinds = [(listed[shape], reader.form(name, own)) for shape, name, *own in forms["kinds"]]
    shapes = tuple(kinds[number][0] for number, *_ in forms["lines"])
    claimed = read_claim(certificate["claim"], shapes[-1])
    _require_types_alone(proof, claimed)
    pairs = zip(claimed.factors, factors, strict=True)
    roots = tuple(replace(factor, root=own.get("root", 1)) for factor, own in pairs)
    return Forms(
        replace(claimed, factors=roots),
        tuple(with_arguments(kinds[number][1], used) for number, *used in forms["lines"]),
        shapes,
        tuple(forms["functions"]),
        tuple(forms["leaves"]),
        tuple(map(reader.types, factors)),
    )


def _require_types_alone(proof: form_proof.FormProof, claimed: Claimed) -> None:
    """Requires that the kernel reads the evidence of a proof, which states types alone.

    Raises:
        Rejected: the evidence is malformed.
        ExportError: the proof rests on more than types.
    """
    if proof.eigenvectors:
        raise ExportError.of(SIGNS, "proofs by types")
    if proof.claim.readings:
        readings_of_forms(proof.claim.readings, "$.claim.readings")
    pairs = zip(claimed.factors, proof.evidence, strict=True)
    for k, (elements, (factor, own)) in enumerate(pairs):
        path = f"$.evidence.factors[{k}]"
        if isinstance(own, dict) and "way" in own:
            kind = INDEPENDENCE if isinstance(own["way"], list) else FORMS
            raise ExportError.of(kind, "proofs by types")
        if elements.family.kind.only_translates:
            family, axis = fields(own, path, "family", "axis")
            factor.require_named(family, axis, path)
            continue
        _, _, shown = form_proof.read_evidence(proof, factor, own, path)
        if shown is not None:
            raise ExportError.of(FLIPS, "proofs by types")


class _SizedReader:
    """Reads data of forms in which sizes stand; names of axes that have one size are that number."""

    def __init__(self, pins: Mapping[str, Size]) -> None:
        self._pins = pins
        rows = _list_of(_pair_of(_itself, _list_of(self.place)))
        sized, whole = (
            _list_of(_pair_of(_itself, read)) for read in (self.size, _list_of(self.size))
        )
        #: The readers of the fields of each form.
        self._fields: Mapping[str, tuple[Callable[[Any], Any], ...]] = {
            "Input": (_itself,), "Scalar": (_itself,), "Leaf": (_itself,), "Delta": (self.size,),
            "Contract": (rows, sized, _itself), "Add": (_itself,), "Map": (_itself, _itself),
            "Choose": (_itself,) * 4, "Fold": (_itself, _itself, _itself, self.size),
            "Sort": (_itself, _itself, _itself, self.size), "Join": (sized, _itself),
            "Whole": (_itself, _itself, whole), "View": (_itself,) * 3 + (self.size,) * 2,
        }  # fmt: skip

    def size(self, value: Any) -> Size:
        """Returns a size."""
        return read_size(value, self._pins)

    def types(self, evidence: Mapping[str, Any]) -> tuple[Type, ...]:
        """Returns the types of the lines for one factor of the group."""
        known = [
            Type(
                tuple(tuple((self.kind(k), self.size(size)) for k, size in axis) for axis in axes),
                power,
            )
            for axes, power in evidence.get("types", ())
        ]
        return tuple(known[number] for number in evidence.get("lines", ()))

    def kind(self, value: Any) -> Kind:
        """Returns a kind of part: Gallina text, or two kinds with sizes."""
        if isinstance(value, str):
            return value
        if value[0] == "Prod":
            _, first, first_size, second, second_size = value
            sizes = self.size(first_size), self.size(second_size)
            return Product(self.kind(first), sizes[0], self.kind(second), sizes[1])
        name, inner = value
        text = self.kind(inner) if name == "Det" else str(inner)
        if isinstance(text, Product):
            raise ExportError.of("a product of axes times the determinant", "such axes as they are")
        return f"{name} ({text})" if " " in text else f"{name} {text}"

    def place(self, value: Any) -> Any:
        """Returns a place as nested tuples."""
        if isinstance(value, int):
            return "Lab", value
        match value:
            case "Num", number:
                return "Num", number
            case "Size", size:
                return "Size", self.size(size)
        name, first, second = value
        return name, self.place(first), self.place(second)

    def form(self, name: str, fields: Sequence[Any]) -> Form:
        """Returns a form."""
        readers = self._fields.get(name)
        if readers is None or len(readers) != len(fields):
            raise ExportError.of(f"the form {name}", "the forms of rocq/Programs.v")
        return (name, *(read(value) for read, value in zip(readers, fields, strict=True)))


def _itself(value: Any) -> Any:
    return value


def _list_of(read: Callable[[Any], Any]) -> Callable[[Any], list[Any]]:
    return lambda value: [read(entry) for entry in value]


def _pair_of(
    first: Callable[[Any], Any], second: Callable[[Any], Any]
) -> Callable[[Any], tuple[Any, Any]]:
    return lambda value: (first(value[0]), second(value[1]))
