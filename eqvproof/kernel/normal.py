"""Proves two programs equal at all sizes by bringing both into one normal form.

Equal normal forms mean equal functions. Proof: every step puts for a value one that is defined, and
equal, wherever the first was (see `rewrite`, `equations`, `atoms`, `read_places`; a term whose
coefficient is 0 at some size counts as 0 there). The forms keep this relation between values. So
the normal form extends both programs, which are therefore equal wherever both are defined. Where
`Forms.same` finds that the normal form is defined where the programs are and nowhere else, these
are defined at the same points. Functions of matrices other than inverses and determinants are
unknown functions of their arguments here.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from . import atoms, claims, constant_atoms, equations, indices, rewrite
from .form_functions import ROOTS, Array, Opaque, Power
from .form_program import FormProgram, bind_names, least_sizes, read_program
from .form_shapes import require_shapes
from .forms import (
    Add,
    Choose,
    Contract,
    Delta,
    Fold,
    Form,
    Input,
    Join,
    Leaf,
    Map,
    Scalar,
    Sort,
    View,
    Whole,
)
from .functions import ENTRIES
from .indices import FIRST, ONCE, Index, affine
from .normal_forms import Forms, Head, Labels, Piece, added, multiplied
from .read_places import Reader
from .report import Rejected, Report
from .sizes import ONE, Size, as_integers
from .text import boolean, fields, integer
from .words import scope_words, signature_words

#: Largest value of the threshold above which a sum becomes one factor, if the certificate says so.
MOST_CELLS = 1000
Shape = tuple[Size, ...]


def check_identity(content: dict[str, Any]) -> Report:
    """Checks that two programs are equal wherever both are defined, for all inputs and sizes.

    Evidence: how the normal forms are made (`Way`), and "same_domain", whether the two are also
    claimed to be defined at the same points.
    """
    claim, one, two, evidence = fields(content, "$", "claim", "forms", "other", "evidence")
    what = claims.claim(claim, "identity")
    chosen, same_domain = fields(evidence, "$.evidence", "way", "same_domain")
    made, same = way(chosen, "$.evidence.way"), boolean(same_domain, "$.evidence.same_domain")
    lows, found, bound = least_sizes(what), list[int](), dict[str, Size]()
    forms = new_forms(lows, made)
    both = [(read_program(p, path, what.pins, lows), path) for p, path in (
        (one, "$.forms"), (two, "$.other")
    )]  # fmt: skip
    for program, path in both:
        if program.parameters:
            raise Rejected(f"{path}.leaves: numbers that are not stored")
        bound, given = bind_names(what, program.shapes[-1])
        require_shapes(program, given, lows, path)
        found.append(normal_form(forms, program, made.cells))
    form, other_form = found
    if form != other_form:  # results of other shapes have other forms
        raise Rejected("the normal forms of the two programs differ")
    if same and not forms.same(form):
        raise Rejected(
            "$.evidence.same_domain: not shown, only that they are equal where both are defined"
        )
    if same:
        where = "; where one is undefined, so is the other"
    else:
        where = ", wherever both are defined"
    digests = [program.digest for program, _ in both]
    statement = (
        f"{scope_words(what, bound)}: f(x) = g(x) for all real x, where f is the program "
        f"{digests[0]} and g the program {digests[1]}, both"
        f" {signature_words(what)}{where}"
    )
    opaque = {f.name: f for program, _ in both for f in program.opaque()}
    rests = tuple(
        f"{name} is one function of {_of_what(opaque[name])} alone, in both programs"
        for name in sorted(opaque)
    )
    return Report(
        accepted=True, statement=statement, grade="PROVED", rests_on=("normal forms", *rests)
    )


def _of_what(function: Opaque) -> str:
    if function.symmetry == ENTRIES:
        return "the entries of its arguments at each place"
    return "its arguments"


@dataclass(frozen=True, slots=True)
class Way:
    """The way in which normal forms are built.

    A sum of more factors than `cells` becomes one factor (0: no sum does); with `angles`, products
    of sines and cosines are written as sums.
    """

    cells: int = 0
    angles: bool = False


def way(value: Any, path: str) -> Way:
    """Reads how a certificate says that normal forms are built."""
    cells, angles = fields(value, path, "cells", "angles")
    return Way(integer(cells, f"{path}.cells", 0, MOST_CELLS), boolean(angles, f"{path}.angles"))


def new_forms(lows: Mapping[str, int], made: Way = Way()) -> Forms:
    """Returns an empty store of forms, with the rules of rewriting."""
    forms = Forms(lows, angles=made.angles)
    forms.rewrite = partial(rewrite.rewrite, forms)
    forms.place = partial(atoms.head_at, forms)
    forms.elementwise = partial(equations.elementwise, forms)
    return forms


def normal_form(
    forms: Forms,
    program: FormProgram,
    cells: int = 0,
    added_to: Mapping[int, Callable[[int], int]] | None = None,
) -> int:
    """Returns the normal form of a program's last line, whose shapes must have been checked.

    The arguments whose numbers are in `added_to` are replaced by the results of these functions.
    """
    numbers = dict[int, int]()
    for number, line in enumerate(program.lines):
        form = form_of_line(forms, program, line, program.shapes[number], numbers)
        if isinstance(line, Input) and added_to and line.number in added_to:
            form = added_to[line.number](form)
        if cells and isinstance(line, Add) and sum(1 for _ in forms.factors(form)) > cells:
            form = atoms.cell(forms, form)
        numbers[number] = form
    return numbers[len(program.lines) - 1]


def form_of_line(
    forms: Forms, program: FormProgram, line: Form, shape: Shape, numbers: Mapping[int, int]
) -> int:
    """Returns the normal form of a line of a shape, given those of the lines before it.

    Raises:
        Rejected: it has none.
    """
    match line:
        case Input(number):
            return constant_atoms.leaf(forms, "argument", number, shape)
        case Scalar(value):
            return forms.store_form(shape, {(): indices.coefficient_of(value)})
        case Leaf(number):
            return _form_of_array(forms, program, number, shape)
        case Delta(size):
            return constant_atoms.eye(forms, size)
        case Contract():
            return _form_of_contraction(forms, line, shape, numbers)
        case Add(arguments):
            return added(forms, shape, [numbers[a] for a in arguments])
        case Map(function, arguments):
            return _form_of_map(forms, program, function, [numbers[a] for a in arguments], shape)
        case Choose(condition, axes, chosen, other):
            first = forms.move(numbers[condition], tuple((a, ()) for a in axes), shape)
            return equations.elementwise(forms, "select", [first, numbers[chosen], numbers[other]])
        case Fold(function, argument, axis, _):
            last = _with_last(forms, numbers[argument], axis)
            return atoms.extremum(forms, str(program.functions[function]), last, len(shape))
        case Sort(_, argument, axis, _):
            last = _with_last(forms, numbers[argument], axis)
            return _with_last_at(forms, atoms.ascending(forms, last), axis)
        case Join(rows, axis):
            if not rows:
                return forms.store_form(shape, {})
            joined = [_with_last(forms, numbers[a], axis) for a, _ in rows]
            return _with_last_at(forms, atoms.join_forms(forms, joined), axis)
        case Whole():
            return _form_of_whole(forms, program, line, shape, numbers)
        case View("Cut", argument, axis, start, _):
            own: list[Index] = [(a, ()) for a in range(len(shape))]
            own[axis] = indices.through(own[axis], (affine(start, 1),))
            return forms.move(numbers[argument], tuple(own), shape)
        case View(_, argument):
            return _reshaped(forms, numbers[argument], shape)


def _form_of_array(forms: Forms, program: FormProgram, number: int, shape: Shape) -> int:
    """Returns the form of an array that does not depend on the arguments."""
    if number in program.stored:
        return constant_atoms.constants(forms, as_integers(shape), program.stored[number])
    match program.leaves[number]:
        case ["counter"]:
            return constant_atoms.leaf(forms, "counter", None, shape)
        case ["triangle", offset]:
            return constant_atoms.leaf(forms, "triangle", offset, shape)
        case ["digest", text]:
            return constant_atoms.leaf(forms, "parameter", text, shape)
        case _:
            return equations.elementwise(forms, "pi", [])


def _form_of_contraction(
    forms: Forms, line: Contract, shape: Shape, numbers: Mapping[int, int]
) -> int:
    """Returns the sum, over labels, of the product of the rows at their places."""
    labels = Labels(shape)
    label = {name: axis for axis, name in enumerate(line.out)}
    label |= {name: labels.fresh(size) for name, size in line.summed}
    pieces = [Piece(ONCE, (), frozenset(label[name] for name, _ in line.summed))]
    reader = Reader(forms, labels, label)
    for argument, places in line.rows:
        pieces = forms.product(pieces, reader.read(numbers[argument], places))
    return forms.close(labels, pieces)


def _form_of_map(
    forms: Forms, program: FormProgram, function: int, args: Sequence[int], shape: Shape
) -> int:
    """Returns the form of a function of entries."""
    known = program.functions[function]
    if isinstance(known, Opaque):
        return atoms.unknown(forms, (known.name, known.symmetry), args, shape, ())
    if not args:
        return forms.move(equations.elementwise(forms, str(known), []), (), shape)
    return forms.elementwise(str(known), args)


def _form_of_whole(
    forms: Forms, program: FormProgram, line: Whole, shape: Shape, numbers: Mapping[int, int]
) -> int:
    """Returns the form of a function of arrays."""
    known, args = program.functions[line.function], [numbers[a] for a, _ in line.arguments]
    if isinstance(known, Array):
        if known.form is not None:
            return constant_atoms.leaf(forms, "bilinear", known.form, shape)
        return constant_atoms.constants(forms, as_integers(shape), known.numbers)
    if isinstance(known, Opaque):
        data = (known.name, known.symmetry)
        return atoms.unknown(forms, data, args, shape[: line.batch], shape[line.batch :])
    if isinstance(known, Power):
        exponent = forms.move(constant_atoms.constants(forms, (), [known.exponent]), (), shape)
        return equations.elementwise(forms, "pow", [*args, exponent])
    if known in ROOTS:
        return equations.elementwise(forms, known, args)
    if known in ("inv", "det"):
        return atoms.inverse_or_determinant(forms, known, args[0])
    name = ("function of matrices", known, None)  # an opaque one has two parts
    return atoms.unknown(forms, name, args, shape[: line.batch], shape[line.batch :])


def _with_axes(forms: Forms, form: int, axes: Sequence[int]) -> int:
    """Permutes the axes of a form: the new axis i is the old axis axes[i]."""
    sizes = forms.form[form][0]
    places: list[Index] = [(axes.index(a), ()) for a in range(len(sizes))]
    return forms.move(form, tuple(places), tuple(sizes[a] for a in axes))


def _with_last(forms: Forms, form: int, axis: int) -> int:
    """Returns a form with an axis as the last one."""
    rank = len(forms.form[form][0])
    return _with_axes(forms, form, [*(a for a in range(rank) if a != axis), axis])


def _with_last_at(forms: Forms, form: int, axis: int) -> int:
    """Returns a form with its last axis at another place."""
    rank = len(forms.form[form][0])
    return _with_axes(forms, form, [*range(axis), rank - 1, *range(axis, rank - 1)])


def _reshaped(forms: Forms, form: int, shape: Shape) -> int:
    """Reshapes a form, part by part, as row-major order is linear and goes factor by factor."""
    summands = []
    for parts, coefficient in forms.form[form][1]:
        factors = [_reshaped_part(forms, form, part, shape) for part in parts]
        summands.append(multiplied(forms, shape, factors, coefficient))
    return added(forms, shape, summands)


def _reshaped_part(forms: Forms, form: int, part: int, shape: Shape) -> int:
    """Reshapes a part of a form; axes of size 1 are left out, and one reshape of another is one."""
    old = forms.form[form][0]
    own = atoms.single(forms, old, (part,))
    if not forms.varies[own]:
        return forms.move(own, (FIRST,) * len(old), shape)
    kept = [[a for a, size in enumerate(sizes) if size != ONE] for sizes in (old, shape)]
    inner, outer = tuple(old[a] for a in kept[0]), tuple(shape[a] for a in kept[1])
    places = tuple((kept[0].index(a), ()) if a in kept[0] else FIRST for a in range(len(old)))
    operand = forms.move(own, places, inner)
    summed, factors = forms.part[part]
    head, row = factors[0]
    made = forms.head[head]
    at: list[Index] = [(a, ()) for a in kept[0]]
    if made.kind == "reshaped" and not summed and len(factors) == 1 and [*row] == at:
        operand = made.operands[0]
        inner = forms.form[operand][0]
    back: tuple[Index, ...] = tuple((a, ()) for a in kept[1])
    if inner == outer:
        return forms.move(operand, back, shape)
    alike = (tuple(range(len(outer))),)
    again = Head("reshaped", None, (operand,), outer, 0, alike, forms.total(operand))
    return forms.close(Labels(shape), [Piece(ONCE, ((forms.store_head(again), back),))])


CHECKS = {"identity": check_identity}
