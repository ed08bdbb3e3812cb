"""Builds Programs: equal nodes are shared, shapes checked, products folded into sums.

Core:  input const size eye tri iota pi einsum add map select reduce concat read reshape sort
       onehot inv det eigvals spectral pinv opaque
Sugar: slice flip roll circulant broadcast_to neg sub mul div power transpose expand restore squeeze
       sum mean matmul prod_sizes

Every method returns the index of a node; `shape` gives its shape. Equal nodes are one node. What
NumPy spells as ``(X**2).sum(0)``, ``norm(X, axis=0)**2`` or ``einsum("ij,ij->j", X, X)`` becomes
one einsum.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np

import eqvproof.programs.operations as ops
from eqvproof.claims.size import Size, settled_from
from eqvproof.programs.broadcasting import reshape_copies
from eqvproof.programs.comparisons import compare_mask, decide_comparison, decide_extreme
from eqvproof.programs.fold import fold_einsum, without_copies
from eqvproof.programs.node import Labels, Weight
from eqvproof.programs.node_table import NodeTable
from eqvproof.programs.operations import WHOLE, Operation, Place, Shape
from eqvproof.programs.operations.stored import Stored, store_array
from eqvproof.programs.places import compose_places, normalise_place
from eqvproof.programs.program import Program
from eqvproof.support.errors import ShapeError

ONE = Size.of(1)


def require_arity(fn: str, args: Sequence[int]) -> None:
    """Raises ShapeError if an elementwise function is given a wrong number of arguments."""
    if ops.FUNCTIONS[fn].arity != len(args):
        raise ShapeError(
            f"{fn} takes {ops.FUNCTIONS[fn].arity} arguments",
            given=str(len(args)),
            expected="as many values as the function takes",
            hint="count its arguments",
        )


class Builder(NodeTable):
    """Builds nodes of a Program; see the module docstring for its methods.

    Its attributes are those of `NodeTable`.
    """

    def program(self, output: int) -> Program:
        """Returns the Program with the result ``output``, without nodes that it does not need."""
        needed = self.behind(output)
        number = {x: i for i, x in enumerate(sorted(needed))}
        nodes = tuple(_renumber(self.nodes[x], number) for x in sorted(needed))
        return Program(tuple(self._inputs), nodes, number[output])

    # -- leaves
    # --------------------------------------------------------------------------------------

    def input(self, name: str, shape: Sequence[Size | int | str]) -> int:
        """Adds an argument of the function."""
        sizes = tuple(Size.of(s) for s in shape)
        if (name, sizes) not in self._inputs:
            self._inputs.append((name, sizes))
        return self.node(ops.Input((), sizes, name))

    def placeholder(self, name: str) -> int:
        """Adds a number that is no argument; what depends on it is copied with another value."""
        return self.node(ops.Input((), (), name))

    def const(self, value: Any) -> int:
        """Adds a number or an array of numbers (ints, Fractions, floats taken exactly)."""
        values: Stored | tuple[Fraction, ...] | None = None
        if isinstance(value, np.ndarray):
            values = store_array(value)
        if values is None:
            value = np.asarray(value, dtype=object)
            values = tuple(_exact_fraction(v) for v in value.ravel())
        return self.node(ops.Const((), tuple(Size.of(s) for s in value.shape), values))

    def size(self, size: Size | int | str) -> int:
        """Builds the value of a size, as a scalar."""
        size = Size.of(size)
        if size.constant is not None:
            return self.const(size.constant)
        return self.node(ops.SizeOf((), (), size))

    def eye(self, size: Size | int | str) -> int:
        """Builds the identity matrix."""
        return self.node(ops.Indicator((), (Size.of(size), Size.of(size))))

    def form(self, size: Size, *, signs: bool) -> int:
        """Builds the matrix diag(1, -1, ..., -1), or, of an even size, [[0, I], [-I, 0]]."""
        return self.node(ops.Form((), (size, size), signs))

    def tri(self, rows: Size | int | str, columns: Size | int | str, offset: int = 0) -> int:
        """Builds the matrix of ones where j <= i + offset, else zeros."""
        return self.node(ops.Indicator((), (Size.of(rows), Size.of(columns)), int(offset)))

    def iota(self, size: Size | int | str) -> int:
        """Builds the vector 0, 1, ..., size - 1."""
        return self.node(ops.Iota((), (Size.of(size),)))

    def pi(self) -> int:
        """Builds the number pi."""
        return self.node(ops.Map((), (), "pi"))

    # -- core
    # ----------------------------------------------------------------------------------------

    def einsum(
        self,
        args: Sequence[int],
        inputs: Sequence[Sequence[int]],
        output: Sequence[int],
        sizes: Mapping[int, Size] | None = None,
    ) -> int:
        """Builds the product of the arguments, summed over the labels that are not in ``output``.

        ``sizes`` gives the sizes of the output labels that stand in no input (broadcast axes).
        """
        rows = [tuple(i) for i in inputs]
        asked = list(zip(args, rows, strict=True))
        node = fold_einsum(self, list(args), rows, tuple(output), dict(sizes or {}))
        self._note_product(node, asked, tuple(output))
        if not set(args) <= set(self.nodes[node].args):
            self.origins.setdefault(node, tuple(args))
        return node

    def _note_product(self, node: int, factors: list[Weight], output: Labels) -> None:
        """Notes how a product was asked for, in `asked`."""
        if any(a >= node for a, _ in factors):
            return
        if self.asked.setdefault(node, (factors, output)) != (factors, output):
            self.asked[node] = None

    def add(self, args: Sequence[int]) -> int:
        """Builds the sum of values (broadcast to a common shape)."""
        shape = self.broadcast_shapes([self.shape(a) for a in args])
        flat: list[int] = []
        constant = Fraction(0)
        for a in args:
            x = self.broadcast_to(a, shape)
            op = self.nodes[x]
            terms: tuple[int, ...] = (x,)
            if isinstance(op, ops.Add) and len(op.args) + len(args) <= 32:
                terms = op.args
            for term in terms:
                value = self.scalar_value(term)
                if value is None:
                    flat.append(term)
                else:
                    constant += value
        if constant or not flat:
            flat.append(self.broadcast_to(self.const(constant), shape))
        if len(flat) == 1:
            return flat[0]
        node = self.node(ops.Add(tuple(flat), shape))
        folded = tuple(a for a in args if a != node and isinstance(self.nodes[a], ops.Add))
        if folded:
            self.origins.setdefault(node, folded)
        return node

    def map(self, fn: str, args: Sequence[int]) -> int:
        """Builds an elementwise function of its arguments (broadcast to a common shape)."""
        require_arity(fn, args)
        if len(args) == 1:
            value = self.scalar_value(args[0])
            if value is not None:
                value = _rational_map(fn, value)
            if value is not None:
                return self.broadcast_to(self.const(value), self.shape(args[0]))
        shape = self.broadcast_shapes([self.shape(a) for a in args])
        wide = tuple(self.broadcast_to(a, shape) for a in args)
        if len(wide) == 2:
            answer = decide_comparison(self, fn, *wide)
            if answer is not None:
                return self.broadcast_to(self.const(answer), shape)
            compared = compare_mask(self, fn, *wide)
            if compared is not None:
                mask, at_0, at_1 = compared
                if at_0 == at_1:
                    return self.broadcast_to(self.const(int(at_0)), shape)
                return self.map("not", [mask]) if at_0 else mask
        found = decide_extreme(self, fn, wide)
        if found is not None:
            return found
        if fn in ("maximum", "minimum"):
            from eqvproof.programs.running_values import join_extremes

            joined = join_extremes(self, fn, wide)
            if joined is not None:
                return joined
        return self._rewrite_clip(fn, wide) or self.node(ops.Map(wide, shape, fn))

    def _rewrite_clip(self, fn: str, args: tuple[int, ...]) -> int:
        """Rewrites a clip of x to [-c, c], c >= 0, as sign(x) min(|x|, c); 0 if it is none.

        This form shows that the function is odd.
        """
        other = {"minimum": "maximum", "maximum": "minimum"}.get(fn)
        if other is None:
            return 0
        for x, y in (args, args[::-1]):
            inner, bound = self.nodes[x], self.scalar_value(y)
            if bound is None or not isinstance(inner, ops.Map) or inner.fn != other:
                continue
            for low, z in (inner.args, inner.args[::-1]):
                half_width = bound if fn == "minimum" else -bound
                if half_width >= 0 and self.scalar_value(low) == -bound:
                    size = self.map("minimum", [self.map("abs", [z]), self.const(abs(bound))])
                    return self.mul(self.map("sign", [z]), size)
        return 0

    def select(self, c: int, a: int, b: int) -> int:
        """Builds the choice of a where c is not 0, else b."""
        shape = self.broadcast_shapes([self.shape(x) for x in (c, a, b)])
        known = self.scalar_value(c)
        if known is not None:
            taken = a if known else b
            return self.broadcast_to(taken, shape)
        from eqvproof.programs.running_values import choose_extreme, choose_terms

        found = choose_extreme(self, c, a, b)
        if found is None:
            found = choose_terms(self, c, a, b)
        if found is not None:
            return found
        a, b = self._lost_like(a, b, shape), self._lost_like(b, a, shape)
        return self.node(ops.Select(tuple(self.broadcast_to(x, shape) for x in (c, a, b)), shape))

    def _lost_like(self, x: int, other: int, shape: Shape) -> int:
        """Returns other / 0 for a number that is nowhere defined, else x: it moves as other does."""
        view, source = self.nodes[x].single_factor, x
        if view is not None and not view[1]:
            source = view[0]
        op = self.nodes[source]
        if not shape or self.shape(source) or self.shape(other) != shape or len(op.args) != 1:
            return x
        number = self.scalar_value(op.args[0])
        is_lost = number is not None and (
            (op.function == "recip" and number == 0) or (op.function == "sqrt" and number < 0)
        )
        if not is_lost:
            return x
        return self.mul(source, other)

    def reduce(self, fn: str, x: int, axes: Sequence[int]) -> int:
        """Builds max, min or prod over axes."""
        axes = tuple(sorted({self.axis(x, a) for a in axes}))
        if fn != "prod":
            x, axes = without_copies(self, x, axes)
        if not axes:
            return x
        shape = tuple(s for i, s in enumerate(self.shape(x)) if i not in axes)
        return self.node(ops.Reduce((x,), shape, fn, axes))

    def concat(self, args: Sequence[int], axis: int) -> int:
        """Joins the arguments along an axis."""
        shapes = [self.shape(a) for a in args]
        axis = self.axis(args[0], axis)
        for s in shapes[1:]:
            if len(s) != len(shapes[0]) or any(
                p != q for i, (p, q) in enumerate(zip(s, shapes[0], strict=True)) if i != axis
            ):
                raise ShapeError(
                    "arrays to join differ off the joined axis",
                    given=" and ".join(map(show, shapes)),
                    expected="equal sizes along all other axes",
                    hint="join along the axis in which they differ",
                )
        total = sum((s[axis] for s in shapes), Size.of(0))
        from eqvproof.programs.pieces import fold_concat

        folded = fold_concat(self, list(args), axis)
        if folded is not None:
            return folded
        shape = (*shapes[0][:axis], total, *shapes[0][axis + 1 :])
        return self.node(ops.Concat(tuple(args), shape, axis))

    def slice(self, x: int, axis: int, start: Size | int, length: Size | int, step: int = 1) -> int:
        """Takes ``length`` entries of an axis from ``start`` on, every ``step``-th.

        They must be in range for all sizes. Raises: ShapeError.
        """
        axis = self.axis(x, axis)
        first, count, size = Size.of(start), Size.of(length), self.shape(x)[axis]
        last = first + (count - 1) * step
        empty = count.constant == 0

        def is_inside() -> bool:
            return first.is_at_least(0) and (empty or (size - last).is_at_least(1))

        if step < 1 or not is_inside():
            error = ShapeError(
                "an index that is out of range for some sizes",
                given=f"entries {first} to {last} of an axis of size {size}",
                expected="an index that lies in the axis for every size from 1 up",
                hint="give sizes=, so that the index is in range",
            )
            if step > 0:
                error.spans = settled_from((*first.names, *last.names, *size.names), is_inside)
            raise error
        if not first.terms and count == size and step == 1:
            return x
        from eqvproof.programs.pieces import fold_slice

        folded = fold_slice(self, x, axis, first, count, step)
        if folded is None:
            return self._read_axis(x, axis, Place(first, (step,)), count)
        return folded

    def flip(self, x: int, axis: int) -> int:
        """Reverses an axis."""
        axis = self.axis(x, axis)
        size = self.shape(x)[axis]
        return self._read_axis(x, axis, Place(size - 1, (-1,)), size)

    def roll(self, x: int, axis: int, shift: int) -> int:
        """Shifts an axis cyclically."""
        axis = self.axis(x, axis)
        return self._read_axis(
            x, axis, Place(Size.of(-int(shift)), (1,), cyclic=True), self.shape(x)[axis]
        )

    def _read_axis(self, x: int, axis: int, place: Place, *counts: Size) -> int:
        """Reads one axis at other places; `counts` are the sizes of the axes that replace it."""
        shape = self.shape(x)
        places = [place if a == axis else WHOLE for a in range(len(shape))]
        return self.read(x, places, (*shape[:axis], *counts, *shape[axis + 1 :]))

    def read(self, x: int, places: Sequence[Place], shape: Sequence[Size]) -> int:
        """Reads the entries of x at these places, which lie in its axes for all sizes."""
        node, new, op = ops.Read((x,), tuple(shape), tuple(places)), self.shape(x), self.nodes[x]
        rows = [tuple(node.shape[k] for k in axes) for axes in node.axes()]
        node = replace(
            node,
            places=tuple(
                normalise_place(p, row, s) for p, row, s in zip(node.places, rows, new, strict=True)
            ),
        )
        if isinstance(op, ops.Read):
            sizes = self.shape(op.args[0])
            inner = [
                compose_places(
                    p, node.places[axes.start : axes.stop], new[axes.start : axes.stop], s
                )
                for p, axes, s in zip(op.places, op.axes(), sizes, strict=True)
            ]
            known = [p for p in inner if p is not None]
            if len(known) == len(inner):
                return self.read(op.args[0], known, node.shape)
        if node.shape == new and all(p == WHOLE for p in node.places):
            return x
        return self.node(node)

    def reshape(self, x: int, shape: Sequence[Size | int | str]) -> int:
        """Reshapes a value; entries stay in row-major order."""
        new = tuple(Size.of(s) for s in shape)
        old = self.shape(x)
        if _size_product(old) != _size_product(new):
            raise ShapeError(
                "a reshape that changes the number of entries",
                given=f"{show(old)} to {show(new)}",
                expected="the same number of entries",
                hint="compare the products of both shapes",
            )
        if new == old:
            return x
        op = self.nodes[x]
        if isinstance(op, ops.Const):
            return self.node(ops.Const((), new, op.values))
        if op.keeps_order:
            return self.reshape(op.args[0], new)
        if [s for s in old if s != ONE] == [s for s in new if s != ONE]:
            kept = [i for i, s in enumerate(old) if s != ONE]
            position = iter(kept)
            output = [next(position) if s != ONE else len(old) + i for i, s in enumerate(new)]
            units = {label: ONE for label in output if label >= len(old)}
            return self.einsum([x], [range(len(old))], output, units)
        cut = reshape_copies(self, x, new)
        if cut is None:
            return self.node(ops.Reshape((x,), new))
        return cut

    def sort(self, x: int, axis: int) -> int:
        """Sorts in ascending order along an axis."""
        return self.node(ops.Sort((x,), self.shape(x), self.axis(x, axis)))

    def circulant(self, x: int, count: Size | int | str, sign: int) -> int:
        """Builds all cyclic shifts: x[..., (i + sign j) mod s] for j < ``count``.

        j runs along a new last axis, and s is the size of the last axis of x.
        """
        if sign not in (1, -1) or not self.shape(x):
            raise ShapeError(
                "shifts of no axis, or in no direction",
                given=str(sign),
                expected="1 or -1, and an axis",
                hint="name the axis that is shifted",
            )
        last = len(self.shape(x)) - 1
        place = Place(Size.of(0), (1, sign), cyclic=True)
        return self._read_axis(x, last, place, self.shape(x)[last], Size.of(count))

    def onehot(self, x: int, size: Size | int | str) -> int:
        """Builds one-hot vectors along a new last axis, with 1 at the position an entry holds."""
        return self.node(ops.Indicator((x,), (*self.shape(x), Size.of(size))))

    def matrix(self, fn: str, *args: int) -> int:
        """Builds a function of the last two axes of the first argument; see `operations.matrix`."""
        if fn != "pinv":
            self._require_square(args[0])
        *batch, rows, columns = self.shape(args[0])
        kept = [columns, rows][: 2 - ops.MATRIX_FUNCTIONS[fn].lost]
        return self.node(ops.Matrix(args, (*batch, *kept), fn))

    def inv(self, x: int) -> int:
        """Builds the inverse over the last two axes."""
        return self.matrix("inv", x)

    def eigvals(self, x: int) -> int:
        """Builds the ascending eigenvalues of the symmetric part over the last two axes."""
        return self.matrix("eigvals", x)

    def pinv(self, x: int) -> int:
        """Builds the pseudo-inverse over the last two axes."""
        return self.matrix("pinv", x)

    def spectral(self, x: int, weights: int) -> int:
        """Builds sum_k w_k v_k v_k^T over the last two axes.

        The v_k are the eigenvectors of the symmetric part.
        """
        self._require_square(x)
        if self.shape(weights) != self.shape(x)[:-1]:
            raise ShapeError(
                "one number for each eigenvalue is needed",
                given=show(self.shape(weights)),
                expected="as many weights as eigenvalues",
                hint="give a vector of the size of the matrix",
            )
        return self.matrix("spectral", x, weights)

    def det(self, x: int) -> int:
        """Builds the determinant over the last two axes."""
        return self.matrix("det", x)

    def eigenvectors(
        self, x: int, start: Size | int = 0, columns: Sequence[Size] | None = None
    ) -> int:
        """Builds unit eigenvectors as columns: all, or `columns` of them from number `start` on.

        If `columns` is empty, it builds the one eigenvector of that number.
        """
        rest = self.shape(x)[:-1]
        if columns is None:
            columns = self.shape(x)[-1:]
        return self.node(ops.Eigenvectors((x,), (*rest, *columns), Size.of(start)))

    def opaque(
        self,
        name: str,
        args: Sequence[int],
        shape: Sequence[Size | int | str],
        symmetry: Any = None,
    ) -> int:
        """Builds an uninterpreted function.

        ``symmetry`` is JSON data in the form of a claim, or None.
        """
        text = None
        if symmetry is not None:
            text = json.dumps(symmetry, sort_keys=True)
        return self.node(ops.Opaque(tuple(args), tuple(Size.of(s) for s in shape), name, text))

    # -- sugar
    # ---------------------------------------------------------------------------------------

    def axis(self, x: int, axis: int) -> int:
        """Returns the axis as a number from 0 up. Raises: ShapeError."""
        rank = len(self.shape(x))
        if not -rank <= axis < rank:
            raise ShapeError(
                "an axis that is not there",
                given=f"axis {axis}",
                expected=f"one of {rank} axes",
                hint="count axes from 0, or from -1 backwards",
            )
        return int(axis % rank)

    def broadcast_shapes(self, shapes: Sequence[Shape]) -> Shape:
        """Returns the common shape under NumPy's rules; sizes must be equal polynomials or 1."""
        rank = max((len(s) for s in shapes), default=0)
        result = [ONE] * rank
        for s in shapes:
            for i, size in enumerate(s, start=rank - len(s)):
                if result[i] == ONE:
                    result[i] = size
                elif size not in (ONE, result[i]):
                    raise ShapeError(
                        "shapes that do not broadcast for all sizes",
                        given=" and ".join(map(show, shapes)),
                        expected="axes of equal size, or of size 1",
                        hint="give equal axes one name, or add an axis of size 1",
                    )
        return tuple(result)

    def broadcast_to(self, x: int, shape: Sequence[Size | int | str]) -> int:
        """Repeats a value along new axes and axes of size 1."""
        new = tuple(Size.of(s) for s in shape)
        old = self.shape(x)
        if old == new:
            return x
        shift = len(new) - len(old)
        if shift < 0 or any(s not in (ONE, new[i + shift]) for i, s in enumerate(old)):
            raise ShapeError(
                "a value that does not broadcast",
                given=f"{show(old)} to {show(new)}",
                expected="axes of equal size, or of size 1",
                hint="add an axis of size 1, or transpose",
            )
        labels = [i + shift if s == new[i + shift] else -1 - i for i, s in enumerate(old)]
        missing = {i: s for i, s in enumerate(new) if i not in labels}
        return self.einsum([x], [labels], range(len(new)), missing)

    def neg(self, x: int) -> int:
        """Builds -x."""
        return self.mul(self.const(-1), x)

    def sub(self, a: int, b: int) -> int:
        """Builds a - b."""
        return self.add([a, self.neg(b)])

    def mul(self, a: int, b: int) -> int:
        """Builds a * b, elementwise with broadcasting."""
        shape, labels = self._broadcast_labels([self.shape(a), self.shape(b)])
        used = {i for row in labels for i in row}
        sizes = {i: s for i, s in enumerate(shape) if i not in used}
        return self.einsum([a, b], labels, range(len(shape)), sizes)

    def _broadcast_labels(self, shapes: Sequence[Shape]) -> tuple[Shape, list[list[int]]]:
        """Returns the common shape of several shapes, and for each the labels of its axes.

        Axes that are repeated have labels of their own.
        """
        shape = self.broadcast_shapes(shapes)
        rank = len(shape)
        return shape, [
            [i if s == shape[i] else k * rank + i for i, s in enumerate(one, start=rank - len(one))]
            for k, one in enumerate(shapes, start=1)
        ]

    def div(self, a: int, b: int) -> int:
        """Builds a / b."""
        return self.mul(a, self.map("recip", [b]))

    def power(self, x: int, exponent: Fraction | int) -> int:
        """Builds x to a rational power."""
        e = Fraction(exponent)
        if e < 0:
            return self.map("recip", [self.power(x, -e)])
        if e == Fraction(1, 2):
            return self.map("sqrt", [x])
        if e.denominator != 1 or e > 8:
            return self.map("pow", [x, self.const(e)])
        if e == 0:
            return self.defined_where(x, self.const(1))
        labels = tuple(range(len(self.shape(x))))
        if self.nodes[x].function == "abs" and e % 2 == 0:  # |x|^2 = x^2
            x = self.nodes[x].args[0]
        return self.einsum([x] * int(e), [labels] * int(e), labels)

    def defined_where(self, x: int, value: int) -> int:
        """Builds a value in the shape of x that is defined only where x is, such as x^0.

        The value may be broadcast to that shape.
        """
        wide = self.broadcast_to(value, self.shape(x))
        if self.is_total(x):
            return wide
        return self.add([wide, self.mul(self.const(0), x)])

    def valid_if_finite(self, x: int, flag: int) -> int:
        """Returns a flag that holds if x is a finite number.

        Over the reals every x is, and the flag is returned as it is; see `AsComputed`.
        """
        return flag

    def transpose(self, x: int, order: Sequence[int] | None = None) -> int:
        """Permutes the axes (default: reverses them)."""
        rank = len(self.shape(x))
        axes = list(range(rank))[::-1]
        if order is not None:
            axes = [self.axis(x, a) for a in order]
        if sorted(axes) != list(range(rank)):
            raise ShapeError(
                "a transpose needs each axis once",
                given=str(list(order or ())),
                expected="a permutation of the axes",
                hint="name each axis once",
            )
        return self.einsum([x], [range(rank)], axes)

    def expand(self, x: int, axis: int) -> int:
        """Adds a new axis of size 1 before position ``axis``."""
        rank = len(self.shape(x))
        axis = axis % (rank + 1)
        output = list(range(rank))
        output.insert(axis, rank)
        return self.einsum([x], [range(rank)], output, {rank: ONE})

    def restore(self, x: int, axes: Iterable[int]) -> int:
        """Adds axes of size 1 where axes were reduced."""
        for axis in sorted(axes):
            x = self.expand(x, axis)
        return x

    def squeeze(self, x: int, axis: int) -> int:
        """Removes an axis of size 1."""
        axis = self.axis(x, axis)
        if self.shape(x)[axis] != ONE:
            raise ShapeError(
                "squeeze needs an axis of size 1",
                given=show(self.shape(x)),
                expected="an axis of size 1",
                hint="leave the axis, or sum over it",
            )
        return self.sum(x, [axis])

    def sum(self, x: int, axes: Sequence[int] | None = None) -> int:
        """Builds the sum over axes (default: all)."""
        rank, gone = len(self.shape(x)), self._axes(x, axes)
        return self.einsum([x], [range(rank)], [i for i in range(rank) if i not in gone])

    def mean(self, x: int, axes: Sequence[int] | None = None) -> int:
        """Builds the mean over axes (default: all)."""
        return self.div(self.sum(x, axes), self.size(self.prod_sizes(x, axes)))

    def prod_sizes(self, x: int, axes: Sequence[int] | None = None) -> Size:
        """Returns the number of entries that the axes span."""
        shape = self.shape(x)
        return _size_product([shape[i] for i in self._axes(x, axes)])

    def _axes(self, x: int, axes: Sequence[int] | None) -> set[int]:
        """Returns axes as numbers from 0 up (default: all)."""
        if axes is None:
            return set(range(len(self.shape(x))))
        return {self.axis(x, a) for a in axes}

    def matmul(self, a: int, b: int) -> int:
        """Builds a @ b, with NumPy's rules for one and more than two axes."""
        left, right = self.shape(a), self.shape(b)
        if not left or not right:
            raise ShapeError(
                "matmul of a scalar",
                given=f"{show(left)} @ {show(right)}",
                expected="matrices or vectors",
                hint="use * for a scalar",
            )
        inner, rows, columns = -1, -2, -3
        tail_a, tail_b = [rows, inner][-len(left) :], [inner, columns][: len(right)]
        if left[-1] != right[-len(tail_b)]:
            raise ShapeError(
                "inner sizes of a matrix product differ",
                given=f"{show(left)} @ {show(right)}",
                expected="as many columns on the left as rows on the right",
                hint="transpose one of them",
            )
        batch, (rows_a, rows_b) = self._broadcast_labels(
            [left[: -len(tail_a)], right[: -len(tail_b)]]
        )
        output = [*range(len(batch)), *tail_a[:-1], *tail_b[1:]]
        return self.einsum([a, b], [rows_a + tail_a, rows_b + tail_b], output)

    def alternative_rounding(self, x: int, other: Callable[[], int]) -> int:
        """Returns x, which libraries may also compute as `other`; see `AsComputed`."""
        return x

    def sum_in_parts(self, args: Sequence[int], parts: int) -> int:
        """Builds the sum; libraries may add parts of it in another order, see `AsComputed`."""
        if len(args) > 1:
            return self.add(args)
        return args[0]

    def computed_by_updates(self, what: str, x: int, rows: int, axes: Sequence[int]) -> int:
        """Returns x, a mean or squared deviations of rows along axes; see `AsComputed`.

        Libraries update these entry by entry.
        """
        return x

    def function_of_rows(
        self, what: str, steps: Callable[[int, Sequence[int]], int], x: int, axes: Sequence[int],
        more: Sequence[int] = (),
    ) -> int:  # fmt: skip
        """Builds a function along axes by its steps; its derivative is known, see `AsComputed`."""
        return steps(x, axes)

    def accept_other_formula(self, what: str) -> None:
        """Accepts that libraries compute it in another way than its nodes do; see `AsComputed`."""

    def library_value(self, x: int) -> int:
        """Returns x, which a library may compute by another formula; see `AsComputed`."""
        return x

    def _require_square(self, x: int) -> None:
        shape = self.shape(x)
        if len(shape) < 2 or shape[-1] != shape[-2]:
            raise ShapeError(
                "a square matrix is needed",
                given=show(shape),
                expected="as many rows as columns",
                hint="look at the last two axes",
            )


def show(shape: Sequence[Size]) -> str:
    """Returns a shape as text."""
    return "(" + ", ".join(str(s) for s in shape) + ")"


def _size_product(sizes: Sequence[Size]) -> Size:
    return math.prod(sizes, start=ONE)


def _exact_fraction(value: Any) -> Fraction:
    if isinstance(value, Fraction):
        return value
    if isinstance(value, (bool, np.bool_)):
        return Fraction(int(value))
    if isinstance(value, (int, np.integer)):
        return Fraction(int(value))
    try:
        return Fraction(float(value))
    except (OverflowError, ValueError) as error:
        raise ShapeError(
            "a constant that is not a real number",
            given=repr(value),
            expected="finite numbers",
            hint="look for NaN, infinities and complex numbers",
        ) from error


def _rational_map(fn: str, value: Fraction) -> Fraction | None:
    """Returns fn(value) if that is rational and obvious, else None."""
    if fn == "recip":
        if value:
            return 1 / value
        return None
    if fn == "abs":
        return abs(value)
    if fn == "sqrt" and value >= 0:
        root = Fraction(math.isqrt(value.numerator), math.isqrt(value.denominator))
        if root * root == value:
            return root
        return None
    if fn == "exp" and value == 0:
        return Fraction(1)
    if fn == "log" and value == 1:
        return Fraction(0)
    return None


def _renumber(op: Operation, number: Mapping[int, int]) -> Operation:
    return replace(op, args=tuple(number[a] for a in op.args))
