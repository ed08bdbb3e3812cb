"""The normal form of each operation of a Program, from the normal forms of its arguments."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import eqvproof.operations as ops
from eqvproof.engines.identity import canonical_atoms, constant_atoms, maps, places, simplify
from eqvproof.engines.identity import coefficients as co
from eqvproof.engines.identity.index_functions import FIRST, Slot, affine, roll, then
from eqvproof.engines.identity.table import Table
from eqvproof.engines.identity.terms import Form, Head, Term, TooLarge, Work
from eqvproof.program import Program, Size

ONE = Size.of(1)


def new_table(seconds: float) -> Table:
    """An empty table, with the rules."""
    table = Table(seconds)
    table.simplify = partial(simplify.simplify, table)
    table.place = partial(places.resolve, table)
    table.remake = partial(places.remake, table)
    return table


def normal_form(table: Table, program: Program, cells: int = 0) -> int:
    """The number of the normal form of a program's result.

    With `cells` > 0, the form of a sum that has more atoms than that becomes a single atom.
    """
    forms: list[int] = []
    for node in program.nodes:
        for size in node.shape:
            if not size.is_at_least(0):
                raise TooLarge(f"an axis of size {size}, which may be negative")
        form = NODES[type(node)](table, node, [forms[a] for a in node.args])
        if cells and isinstance(node, ops.Add) and sum(1 for _ in table.atoms_of(form)) > cells:
            form = canonical_atoms.cell(table, form)
        forms.append(form)
    return forms[program.output]


def _bare(count: int) -> list[Slot]:
    return [(a, ()) for a in range(count)]


def _input(table: Table, node: ops.Input, args: Sequence[int]) -> int:
    return constant_atoms.leaf(table, "input", (node.name,), node.shape)


def _const(table: Table, node: ops.Const, args: Sequence[int]) -> int:
    return constant_atoms.constants(table, tuple(s.constant or 0 for s in node.shape), node.values)


def _size(table: Table, node: ops.SizeOf, args: Sequence[int]) -> int:
    return table.constant(co.of_size(node.size))


def _iota(table: Table, node: ops.Iota, args: Sequence[int]) -> int:
    return constant_atoms.leaf(table, "iota", (), node.shape)


def _form(table: Table, node: ops.Form, args: Sequence[int]) -> int:
    return constant_atoms.leaf(table, "form", (node.signs,), node.shape)


def _indicator(table: Table, node: ops.Indicator, args: Sequence[int]) -> int:
    """A leaf, or [x = j] with j = 0, 1, ... along the last axis."""
    if node.offset is not None:
        return constant_atoms.leaf(table, "triangle", (node.offset,), node.shape)
    if not args:
        return constant_atoms.identity(table, node.shape[0])
    rank = len(node.shape) - 1
    entries = table.remap(args[0], tuple(_bare(rank)), node.shape)
    counted = constant_atoms.leaf(table, "iota", (), node.shape[-1:])
    return maps.elementwise(table, "eq", [entries, table.remap(counted, ((rank, ()),), node.shape)])


def _einsum(table: Table, node: ops.Einsum, args: Sequence[int]) -> int:
    """The product of the arguments, instantiated at labels; output labels are the free axes."""
    work = Work(node.shape)
    label_of = {label: axis for axis, label in enumerate(node.output)}
    summed = set()
    for form, row in zip(args, node.inputs, strict=True):
        for size, label in zip(table.forms[form].sizes, row, strict=True):
            if label not in label_of:
                label_of[label] = work.fresh(size)
                summed.add(label_of[label])
    terms = [Term(co.ONE, (), frozenset(summed))]
    for form, row in zip(args, node.inputs, strict=True):
        terms = table.product(terms, table.instantiate(work, form, [(label_of[label], ()) for label in row]))
    return table.close(work, terms)


def _add(table: Table, node: ops.Add, args: Sequence[int]) -> int:
    return maps.added(table, node.shape, args)


def _map(table: Table, node: ops.Map, args: Sequence[int]) -> int:
    return maps.elementwise(table, node.fn, args)


def _select(table: Table, node: ops.Select, args: Sequence[int]) -> int:
    return maps.elementwise(table, "select", args)


def _reduce(table: Table, node: ops.Reduce, args: Sequence[int]) -> int:
    return canonical_atoms.extremum(table, node.fn, _last(table, args[0], node.axes), len(node.shape))


def _last(table: Table, form: int, axes: Sequence[int]) -> int:
    """The form with some axes moved to the end."""
    sizes = table.forms[form].sizes
    order = [a for a in range(len(sizes)) if a not in axes] + list(axes)
    slots: list[Slot] = [FIRST] * len(sizes)
    for new, old in enumerate(order):
        slots[old] = (new, ())
    return table.remap(form, tuple(slots), tuple(sizes[a] for a in order))


def _back(table: Table, form: int, axis: int) -> int:
    """The form with its last axis moved to a place."""
    sizes = table.forms[form].sizes
    order = list(range(len(sizes) - 1))
    order.insert(axis, len(sizes) - 1)
    slots: list[Slot] = [FIRST] * len(sizes)
    for new, old in enumerate(order):
        slots[old] = (new, ())
    return table.remap(form, tuple(slots), tuple(sizes[a] for a in order))


def _concat(table: Table, node: ops.Concat, args: Sequence[int]) -> int:
    joined = canonical_atoms.joined(table, [_last(table, form, [node.axis]) for form in args])
    return _back(table, joined, node.axis)


def _sort(table: Table, node: ops.Sort, args: Sequence[int]) -> int:
    return _back(table, canonical_atoms.ascending(table, _last(table, args[0], [node.axis])), node.axis)


def _read(table: Table, node: ops.Read, args: Sequence[int]) -> int:
    """Each axis read through an index function."""
    slots: list[Slot] = []
    for place, axes, size in zip(node.places, node.axes(), table.forms[args[0]].sizes, strict=True):
        shift = place.start.constant
        if len(axes) != 1 or (place.cyclic and (shift is None or place.steps != (1,))):
            raise TooLarge("all shifts of an axis at once, which normal forms do not have")
        step = roll(-(shift or 0), size) if place.cyclic else affine(place.start, place.steps[0])
        slots.append((axes.start, then((), (step,))))
    return table.remap(args[0], tuple(slots), node.shape)


def _reshape(table: Table, node: ops.Reshape, args: Sequence[int]) -> int:
    """Row-major order is linear: each monomial is reshaped, its scalar factors stand outside."""
    old = table.forms[args[0]].sizes
    kept_old = [a for a, s in enumerate(old) if s != ONE]
    kept_new = [a for a, s in enumerate(node.shape) if s != ONE]
    inner = tuple(old[a] for a in kept_old)
    outer = tuple(node.shape[a] for a in kept_new)
    slots: list[Slot] = [FIRST] * len(old)
    for new, a in enumerate(kept_old):
        slots[a] = (new, ())
    form = table.remap(args[0], tuple(slots), inner)
    result = []
    for mono, coefficient in table.forms[form].terms:
        scalars = tuple(c for c in mono if not _varies(table, c))
        rest = tuple(c for c in mono if _varies(table, c))
        base = table.form(Form(node.shape, ((scalars, coefficient),)))
        if not rest:
            result.append(base)
            continue
        operand = maps.single(table, inner, rest)
        if inner == outer:
            moved = table.remap(operand, tuple((a, ()) for a in kept_new), node.shape)
        else:
            data = ("reshape",)
            symmetries = (tuple(range(len(outer))),)
            head = Head("reshape", data, (operand,), outer, 0, symmetries, table.is_total(operand))
            atom = (table.head(head), tuple((a, ()) for a in kept_new))
            moved = table.close(Work(node.shape), [Term(co.ONE, (atom,))])
        result.append(maps.multiplied(table, node.shape, [base, moved], co.ONE))
    return maps.added(table, node.shape, result)


def _varies(table: Table, component: int) -> bool:
    return any(label >= 0 for _, slots in table.components[component].atoms for label, _ in slots)


def _matrix(table: Table, node: ops.Matrix, args: Sequence[int]) -> int:
    if node.fn not in ("inv", "det"):
        raise TooLarge("eigenvalues or pseudo-inverses, which normal forms do not have")
    return canonical_atoms.matrix(table, node.fn, args[0])


def _opaque(table: Table, node: ops.Opaque, args: Sequence[int]) -> int:
    rank = len(node.shape)
    data = (node.name, node.symmetry)
    head = Head("opaque", data, tuple(args), node.shape, 0, (tuple(range(rank)),), total=False)
    return table.close(Work(node.shape), [Term(co.ONE, ((table.head(head), tuple(_bare(rank))),))])


NODES: dict[type[Any], Callable[[Table, Any, Sequence[int]], int]] = {
    ops.Input: _input,
    ops.Const: _const,
    ops.SizeOf: _size,
    ops.Iota: _iota,
    ops.Indicator: _indicator,
    ops.Form: _form,
    ops.Einsum: _einsum,
    ops.Add: _add,
    ops.Map: _map,
    ops.Select: _select,
    ops.Reduce: _reduce,
    ops.Concat: _concat,
    ops.Read: _read,
    ops.Reshape: _reshape,
    ops.Sort: _sort,
    ops.Matrix: _matrix,
    ops.Opaque: _opaque,
}
