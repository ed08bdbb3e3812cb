"""Brings nodes of a Program into normal form, for lines that are shown under sign flips."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from . import atoms, constant_atoms, equations, indices
from .indices import FIRST, ONCE, Index, affine, rolled
from .normal_forms import Forms, Head, Labels, Piece, added, multiplied
from .program import Node
from .report import Rejected
from .rules.leaves import INPUT, PARAMETER
from .rules.read import readers
from .sizes import ONE, as_integers, is_nonnegative


def _normalise_einsum(forms: Forms, node: Node, args: Sequence[int]) -> int:
    """Returns the product of the arguments at their labels, summed over all but output labels."""
    labels = Labels(node.shape)
    name = {label: axis for axis, label in enumerate(node.at["output"])}
    for form, row in zip(args, node.at["inputs"], strict=True):
        for size, label in zip(forms.form[form][0], row, strict=True):
            if label not in name:
                name[label] = labels.fresh(size)
    summed = frozenset(a for a in name.values() if a >= len(node.shape))
    pieces = [Piece(ONCE, (), summed)]
    for form, row in zip(args, node.at["inputs"], strict=True):
        pieces = forms.product(
            pieces, forms.put(labels, form, [(name[label], ()) for label in row])
        )
    return forms.close(labels, pieces)


def _listed(forms: Forms, form: int, axes: Sequence[int]) -> int:
    """Permutes the axes of a form: the new axis i is the old axis axes[i]."""
    sizes = forms.form[form][0]
    places: list[Index] = [(axes.index(a), ()) for a in range(len(sizes))]
    return forms.move(form, tuple(places), tuple(sizes[a] for a in axes))


def _last(forms: Forms, form: int, axes: Sequence[int]) -> int:
    rank = len(forms.form[form][0])
    return _listed(forms, form, [*(a for a in range(rank) if a not in axes), *axes])


def _back(forms: Forms, form: int, axis: int) -> int:
    rank = len(forms.form[form][0])
    return _listed(forms, form, [*range(axis), rank - 1, *range(axis, rank - 1)])


def _normalise_reduce(forms: Forms, node: Node, args: Sequence[int]) -> int:
    return atoms.extremum(
        forms, node.at["fn"], _last(forms, args[0], node.at["axes"]), len(node.shape)
    )


def _normalise_concat(forms: Forms, node: Node, args: Sequence[int]) -> int:
    axis = node.at["axis"]
    return _back(
        forms, atoms.join_forms(forms, [_last(forms, form, [axis]) for form in args]), axis
    )


def _normalise_sort(forms: Forms, node: Node, args: Sequence[int]) -> int:
    axis = node.at["axis"]
    return _back(forms, atoms.ascending(forms, _last(forms, args[0], [axis])), axis)


def _normalise_read(forms: Forms, node: Node, args: Sequence[int]) -> int:
    """Reads each axis of the argument through an index."""
    index: list[Index] = []
    for (start, steps, cyclic), own, size in zip(
        node.at["places"], readers(node), forms.form[args[0]][0], strict=True
    ):
        if len(steps) != 1 or (cyclic and (start.constant is None or steps != (1,))):
            raise Rejected("all shifts of an axis at once have no normal form")
        if cyclic and not is_nonnegative(size - node.shape[own.start], forms.lows):
            raise Rejected("an axis that is gone round more than once has no normal form")
        if cyclic:
            step = rolled(size, -start.number)
        else:
            step = affine(start, steps[0])
        index.append(indices.through((own.start, ()), (step,)))
    return forms.move(args[0], tuple(index), node.shape)


def _normalise_matrix(forms: Forms, node: Node, args: Sequence[int]) -> int:
    if node.at["fn"] not in ("inv", "det"):
        raise Rejected(
            "eigenvalues, functions of matrices by them, and pseudo-inverses have no normal form"
        )
    return atoms.inverse_or_determinant(forms, node.at["fn"], args[0])


def _normalise_indicator(forms: Forms, node: Node, args: Sequence[int]) -> int:
    """Returns a form without operands, or [x = j] for j = 0, 1, ... along the last axis."""
    if node.at["offset"] is not None:
        return constant_atoms.leaf(forms, "triangle", node.at["offset"], node.shape)
    if not args:
        return constant_atoms.eye(forms, node.shape[0])
    rank = len(node.shape) - 1
    entries = forms.move(args[0], tuple((a, ()) for a in range(rank)), node.shape)
    counter = constant_atoms.leaf(forms, "counter", None, node.shape[-1:])
    counted = forms.move(counter, ((rank, ()),), node.shape)
    return equations.elementwise(forms, "eq", [entries, counted])


def _normalise_reshape(forms: Forms, node: Node, args: Sequence[int]) -> int:
    """Reshapes a form, term by term, as row-major order is linear.

    Parts that do not vary stand outside.
    """
    old = forms.form[args[0]][0]
    kept = [[a for a, size in enumerate(sizes) if size != ONE] for sizes in (old, node.shape)]
    inner, outer = tuple(old[a] for a in kept[0]), tuple(node.shape[a] for a in kept[1])
    places = tuple((kept[0].index(a), ()) if a in kept[0] else FIRST for a in range(len(old)))
    own: tuple[Index, ...] = tuple((a, ()) for a in kept[1])
    summands = []
    for parts, coefficient in forms.form[forms.move(args[0], places, inner)][1]:
        moving = tuple(
            p for p in parts if any(a >= 0 for _, row in forms.part[p][1] for a, _ in row)
        )
        factors = [
            forms.store_form(node.shape, {tuple(p for p in parts if p not in moving): coefficient})
        ]
        operand = atoms.single(forms, inner, moving)
        if inner == outer:
            factors.append(forms.move(operand, own, node.shape))
        elif moving:
            alike = (tuple(range(len(outer))),)
            head = Head("reshaped", None, (operand,), outer, 0, alike, forms.total(operand))
            piece = Piece(ONCE, ((forms.store_head(head), own),))
            factors.append(forms.close(Labels(node.shape), [piece]))
        summands.append(multiplied(forms, node.shape, factors, ONCE))
    return added(forms, node.shape, summands)


def _normalise_opaque(forms: Forms, node: Node, args: Sequence[int]) -> int:
    rank = tuple(range(len(node.shape)))
    data = (node.at["name"], node.at["symmetry"])
    head = forms.store_head(Head("unknown", data, tuple(args), node.shape, 0, (rank,), total=False))
    return forms.close(Labels(node.shape), [Piece(ONCE, ((head, tuple((a, ()) for a in rank)),))])


def _normalise_constant(forms: Forms, node: Node, args: Sequence[int]) -> int:
    return constant_atoms.constants(forms, as_integers(node.shape), node.at["values"])


def _normalise_size(forms: Forms, node: Node, args: Sequence[int]) -> int:
    return forms.store_form((), {(): indices.of_size(node.at["size"])})


NODES: dict[str, Callable[[Forms, Node, Sequence[int]], int]] = {
    INPUT: lambda forms, node, _: constant_atoms.leaf(
        forms, "argument", node.at["name"], node.shape
    ),
    "const": _normalise_constant,
    "size": _normalise_size,
    "iota": lambda forms, node, _: constant_atoms.leaf(forms, "counter", None, node.shape),
    "einsum": _normalise_einsum,
    "add": lambda forms, node, args: added(forms, node.shape, args),
    "map": lambda forms, node, args: equations.elementwise(forms, node.at["fn"], args),
    "select": lambda forms, node, args: equations.elementwise(forms, "select", args),
    "reduce": _normalise_reduce,
    "concat": _normalise_concat,
    "read": _normalise_read,
    "reshape": _normalise_reshape,
    "sort": _normalise_sort,
    "indicator": _normalise_indicator,
    PARAMETER: lambda forms, node, _: constant_atoms.leaf(
        forms, "parameter", node.at["digest"], node.shape
    ),
    "form": lambda forms, node, _: constant_atoms.leaf(
        forms, "bilinear", node.at["signs"], node.shape
    ),
    "matrix_function": _normalise_matrix,
    "opaque": _normalise_opaque,
}
