"""Reads what is printed for Rocq, and asks the checkers in Python: a third reader of one text."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from math import prod
from typing import Any

from eqvproof.kernel import checker, entries, form_shapes, forms, motions
from eqvproof.kernel.sizes import ZERO, Size
from tests.rocq.printed import parsed

#: Facts of functions of arrays that have no fields.
ARRAYS = ("Inverse", "Pseudoinverse", "Number", "List", "Conjugate", "Weighted")
#: Extents are lists of products of variables, by number.
VARIABLE = "v{}"
DEFINITION = re.compile(r"Definition (\w+) : [^=]*? := (.*?)\.\n", re.DOTALL)
MODULE = re.compile(r"Module \w+\.\n(.*?)Eval vm_compute in all id (.*?)\.\nEnd", re.DOTALL)


class Malformed(Exception):
    """The text is not what a definition of Rocq is."""


def answers(text: str) -> list[bool | None]:
    """For each certificate in a printed text, whether the checkers accept; None where it is malformed."""
    return [_answer(definitions, asked) for definitions, asked in MODULE.findall(text)]


def _answer(definitions: str, asked: str) -> bool | None:
    words = re.sub(r"\(\*.*?\*\)", "", definitions, flags=re.DOTALL)
    reader = Reader({name: parsed(value) for name, value in DEFINITION.findall(words)})
    try:
        return all([reader.accepts(one) for one in parsed(asked)])
    except (Malformed, RecursionError):
        return None


class Reader:
    """The definitions of a module, and the values that terms of Rocq have.

    Attributes:
        positive: the variables of sizes that are supposed to be positive, or None where all may be;
            another one is a name less 1, which the checkers in Python do not suppose to be positive.
    """

    def __init__(self, known: Mapping[str, Any], positive: frozenset[int] | None = None) -> None:
        self.known = known
        self.positive = positive

    def accepts(self, asked: Any) -> bool:
        """The answer to one question."""
        match asked:
            case "check", family, group, facts, given, program, types, claimed:
                return checker.check(
                    self.rules(family, group, facts, given), self.program(program),
                    self.listed(self.rtype, types), self.rtype(claimed),
                )  # fmt: skip
            case "check_each", positive, family, group, facts, given, program, types, claimed, *rest:
                self = Reader(self.known, frozenset(self.listed(self.natural, positive)))
                return entries.check_each(
                    self.rules(family, group, facts, given), self.program(program),
                    self.listed(self.rtype, types), self.rtype(claimed), self.entries(*rest),
                )  # fmt: skip
            case "check_shifts_each", positive, laws, given, program, claimed, starts, ranks, *rest:
                self = Reader(self.known, frozenset(self.listed(self.natural, positive)))
                return entries.check_shifts_each(
                    self.listed(self.pair(self.natural, self.truth), laws), self.listed(self.motion, given),
                    self.program(program), self.motion(claimed), self.listed(self.natural, ranks),
                    self.entries(starts, *rest),
                )  # fmt: skip
            case "shaped", known, given, program, shapes, claimed:
                shape = self.many(self.extent)
                return form_shapes.shaped(
                    self.knowledge(known), self.listed(shape, given), self.program(program),
                    self.listed(shape, shapes), shape(claimed),
                )  # fmt: skip
            case "check_shifts", positive, laws, given, program, claimed:
                self = Reader(self.known, frozenset(self.listed(self.natural, positive)))
                return motions.check_shifts(
                    self.listed(self.pair(self.natural, self.truth), laws), self.listed(self.motion, given),
                    self.program(program), self.motion(claimed),
                )  # fmt: skip
        raise Malformed(asked)

    def rules(self, family: Any, group: Any, facts: Any, given: Any) -> checker.Rules:
        """The rules for a factor."""
        if family not in checker.FAMILIES:
            raise Malformed(family)
        return checker.Rules(
            family, self.extent(group), [*self.facts(facts)], self.listed(self.rtype, given)
        )

    def entries(self, starts: Any, stop: Any, shape: Any) -> entries.Entries:
        """The axis each entry of which has an element."""
        axes = self.listed(self.optional, starts)
        return entries.Entries(axes, self.optional(stop), self.listed(self.extent, shape))

    def optional(self, term: Any) -> int | None:
        """A natural number, or none."""
        match self.meant(term):
            case ("None",):
                return None
            case "Some", n:
                return self.natural(n)
        raise Malformed(term)

    def knowledge(self, term: Any) -> dict[str, Size]:
        """What is known of the variables: sums of products of others."""
        product = self.pair(self.natural, self.many(self.natural))
        found = self.listed(self.many(product), term)
        return {
            VARIABLE.format(number): Size.collect(
                (tuple(sorted(VARIABLE.format(v) for v in names)), count) for count, names in row
            )
            for number, row in enumerate(found)
        }

    def meant(self, term: Any) -> Any:
        """A term, or the definition that it names; a word is a term of one word."""
        if isinstance(term, str) and term in self.known:
            return self.meant(self.known[term])
        return (term,) if isinstance(term, str) else term

    def listed(self, read: Any, term: Any) -> tuple[Any, ...]:
        """A list."""
        found = self.meant(term)
        if not isinstance(found, list):
            raise Malformed(term)
        return tuple(read(one) for one in found)

    def natural(self, term: Any) -> int:
        """A natural number."""
        found = self.meant(term)
        if not isinstance(found, int) or not 0 <= found <= 1_000_000:
            raise Malformed(term)
        return found

    def truth(self, term: Any) -> bool:
        """A boolean."""
        match self.meant(term):
            case ("true",):
                return True
            case ("false",):
                return False
        raise Malformed(term)

    def integer(self, term: Any) -> int:
        """An integer."""
        match self.meant(term):
            case "Posz", n:
                return self.natural(n)
            case "Negz", n:
                return -self.natural(n) - 1
        raise Malformed(term)

    def extent(self, term: Any) -> Size:
        """A size."""
        rows = self.listed(lambda row: self.listed(self.natural, row), term)
        return sum((prod(map(self.variable, row), start=Size.of(1)) for row in rows), ZERO)

    def variable(self, number: int) -> Size:
        """A variable of sizes."""
        own = Size.of(VARIABLE.format(number))
        return own if self.positive is None or number in self.positive else own - Size.of(1)

    def pair(self, first: Any, second: Any) -> Any:
        """A reader of pairs."""

        def read(term: Any) -> tuple[Any, Any]:
            match self.meant(term):
                case (a, b):
                    return first(a), second(b)
            raise Malformed(term)

        return read

    def place(self, term: Any) -> forms.Place:
        """A place."""
        two: dict[str, Any] = {
            "Plus": forms.Plus, "Minus": forms.Minus, "Times": forms.Times, "Over": forms.Over,
            "Modulo": forms.Modulo,
        }  # fmt: skip
        match self.meant(term):
            case "Lab", n:
                return forms.Lab(self.natural(n))
            case "Num", n:
                return forms.Num(self.natural(n))
            case "Size", z:
                return forms.SizePlace(self.extent(z))
            case str(name), a, b if name in two:
                return two[name](self.place(a), self.place(b))  # type: ignore[no-any-return]
        raise Malformed(term)

    def program(self, term: Any) -> forms.Program:
        """A program."""
        return self.listed(self.form, term)

    def form(self, term: Any) -> forms.Form:
        """A form."""
        n, z = self.natural, self.extent
        fields: dict[str, tuple[Any, ...]] = {
            "Input": (forms.Input, n), "Scalar": (forms.Scalar, self.integer), "Leaf": (forms.Leaf, n),
            "Delta": (forms.Delta, z),
            "Contract": (
                forms.Contract, self.many(self.pair(n, self.many(self.place))), self.many(self.pair(n, z)),
                self.many(n),
            ),
            "Add": (forms.Add, self.many(n)), "Map": (forms.Map, n, self.many(n)),
            "Choose": (forms.Choose, n, self.many(n), n, n), "Fold": (forms.Fold, n, n, n, z),
            "Sort": (forms.Sort, n, n, n, z), "Join": (forms.Join, self.many(self.pair(n, z)), n),
            "Whole": (forms.Whole, n, n, self.many(self.pair(n, self.many(z)))),
            "View": (forms.View, self.view, n, n, z, z),
        }  # fmt: skip
        name, *given = self.meant(term)
        if name not in fields or len(given) + 1 != len(fields[name]):
            raise Malformed(term)
        made, *readers = fields[name]
        return made(*(read(one) for read, one in zip(readers, given, strict=True)))  # type: ignore[no-any-return]

    def view(self, term: Any) -> str:
        """A part of an axis, a split of one, or a merge of two."""
        (name,) = self.meant(term)
        if name not in forms.VIEWS:
            raise Malformed(term)
        return str(name)

    def many(self, read: Any) -> Any:
        """A reader of lists."""
        return lambda term: self.listed(read, term)

    def kind(self, term: Any) -> checker.Kind:
        """The kind of a part."""
        match self.meant(term):
            case (("Fix" | "Std" | "Dual") as kind,):
                return str(kind)
            case "Irr", n:
                return checker.Irr(self.natural(n))
            case "Det", kind:
                return checker.Det(self.kind(kind))
            case "Prod", a, z, b, w:
                return checker.Prod(self.kind(a), self.extent(z), self.kind(b), self.extent(w))
        raise Malformed(term)

    def rtype(self, term: Any) -> checker.RType:
        """A type."""
        axis = self.many(self.pair(self.kind, self.extent))
        return self.pair(self.many(axis), self.integer)(term)  # type: ignore[no-any-return]

    def facts(self, term: Any) -> Iterator[checker.Fact | None]:
        """The facts of the functions."""
        match self.meant(term):
            case "nth", "None", found:
                yield from self.listed(self.fact, found)
            case "fun", "None":
                return
            case _:
                raise Malformed(term)

    def fact(self, term: Any) -> checker.Fact | None:
        """A fact."""
        match self.meant(term):
            case ("None",):
                return None
            case "Some", given:
                match self.meant(given):
                    case "Degree", d:
                        return checker.Fact("Degree", self.integer(d))
                    case "Typed", given, result:
                        return checker.Fact("Typed", 0, self.listed(self.rtype, given), self.rtype(result))
                    case (str(name),) if name in ARRAYS:
                        return checker.Fact(name)
        raise Malformed(term)

    def motion(self, term: Any) -> motions.Motion:
        """A motion."""
        match self.meant(term):
            case ("Still",):
                return motions.STILL
            case "Share", p, z:
                return motions.Share(self.natural(p), self.extent(z))
            case "Moved", p, k, zs, ds:
                sizes = self.listed(self.extent, zs), self.listed(self.extent, ds)
                return motions.Moved(self.natural(p), self.integer(k), *sizes)
        raise Malformed(term)
