"""Rewrites code on the components of vectors as products with constant arrays.

``np.stack([x[1] * y[2] - x[2] * y[1], ...])`` shows nothing about rotations line by line; the same
function as ``sum_jk C[i, j, k] x[j] y[k]``, C an array of rationals, does. Entries, parts, shifts,
reversals and joins along axes of a constant size are such products with arrays of zeros and ones;
products and sums of these are multiplied out, and terms with the same factors are collected. Every
step is an identity of real numbers.

Where values are defined does not change: only values that are defined everywhere, or nowhere along
the axis in question, are taken apart, and all terms of a sum have the same factors that may be
undefined.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import accumulate, chain, pairwise
from typing import Any

import numpy as np

from eqvproof.claims.size import Size
from eqvproof.programs.builder import Builder
from eqvproof.programs.defined import Domains
from eqvproof.programs.node import Product, Reading
from eqvproof.programs.operations import WHOLE, Operation, Shape
from eqvproof.programs.places import indices
from eqvproof.programs.program import Program
from eqvproof.programs.terms import (
    MOST_ENTRIES,
    Leave,
    Term,
    canonical,
    exact_numbers,
    labelled_product,
    partial_factors,
    substitute_output,
    sum_of_roots,
    without_identities,
)

#: Most terms of a sum and factors of a product that are rewritten.
MOST_TERMS, MOST_FACTORS = 64, 8
#: Most products and sums of numbers (seconds of work); then the rest of a Program is left.
MOST_PRODUCTS = 1_000_000
#: Most runs of equal numbers along an axis that are taken one by one.
MOST_RUNS = 16


def rewrite_componentwise(
    program: Program,
    sizes: Iterable[int],
    cuts: Mapping[int, tuple[int, ...]] | None = None,
    *,
    joined: bool = False,
    moved: Mapping[str, frozenset[int]] | None = None,
    entrywise: bool = False,
) -> tuple[Program, bool]:
    """Rewrites entrywise code along axes of these sizes as products with constant arrays.

    Returns an equal Program, the same one if there is no such code, and whether it is equal only up
    to rounded numbers: with `joined`, tables times square roots of different numbers are added up,
    and each entry of the sum that is not rational becomes the float64 next to it, with a relative
    error of at most 2^-53.

    Args:
        program: the program.
        sizes: of axes that are taken apart.
        cuts: the parts of which axes of other sizes are joined: the entries of a part of one of
            these sizes are joined, or picked, as an axis of its own.
        joined: see above.
        moved: the axes of inputs whose entries are components; of values that depend on others
            alone, entries are read as they are. None: all axes.
        entrywise: whether entries of products, entry by entry, are taken apart as well.
    """
    reached = None
    if moved is not None:
        reached = _reached_axes(program, moved)
    work = _Rewriting(
        program,
        frozenset(sizes),
        dict(cuts or {}),
        joined=joined,
        reached=reached,
        entrywise=entrywise,
    )
    for number in range(len(program.nodes)):
        work.visit(number)
    output = work.node(program.output)
    if work.changed:
        program = work.b.program(output)
    return program, work.rounded


def multiplies_entries(op: Operation, sizes: Collection[int]) -> bool:
    """Checks whether entries along an axis of one of these sizes are products of such entries."""
    product = op.as_product
    return product is not None and any(
        size.constant in sizes and sum(label in row for row in product.inputs) > 1
        for label, size in zip(product.output, op.shape, strict=True)
    )


def _reached_axes(
    program: Program, moved: Mapping[str, frozenset[int]]
) -> Mapping[int, frozenset[int]]:
    """Returns the axes of each node that follow from these axes of inputs."""
    known = Domains(program)
    # arguments first: Programs are deeper than the stack
    for number, op in enumerate(program.nodes):
        if op.input_name is not None:
            known.differ[number] = moved.get(op.input_name, frozenset())
        known.differing_axes(number)
    return known.differ


class _Rewriting:
    """A rewriting in progress: the new nodes, and the terms of those that were taken apart."""

    def __init__(
        self, program: Program, sizes: frozenset[int], cuts: Mapping[int, tuple[int, ...]],
        *, joined: bool, reached: Mapping[int, frozenset[int]] | None = None, entrywise: bool = False,
    ) -> None:  # fmt: skip
        self.program, self.short, self.cuts, self.reached = program, sizes, cuts, reached
        self.entrywise = entrywise
        self.joined, self.rounded = joined, False
        self.b = Builder()
        for name, shape in program.inputs:
            self.b.input(name, shape)
        self.changed = False
        self.plain: dict[int, int] = {}  # old node -> new node, once made
        self.form: dict[int, list[Term]] = {}
        self.domains = Domains(self.b)
        self.numbers: dict[
            int, Any
        ] = {}  # old node -> what it is, products and sums of constants included
        self.fresh = 0
        self.products = 0
        self.depth = 0  # of products whose factors are products

    # -- the walk
    # --------------------------------------------------------------------------------------
    def visit(self, number: int) -> None:
        """Takes a node apart into terms if possible; else copies it with its new arguments."""
        op = self.program.nodes[number]
        self._note_numbers(number)
        try:
            terms = self._take_apart(op)
            if terms is not None:
                self.form[number] = self._collect(terms)
                return
            joined = self._join_by_parts(op) or self._split_by_runs(op) or self._split_at_zeros(op)
            if joined is not None:
                self.plain[number], self.changed = joined, True
                return
        except Leave:
            pass
        args = tuple(self.node(a) for a in op.args)
        self.plain[number] = self._times_zero(self.b.node(replace(op, args=args)))

    def node(self, number: int) -> int:
        """Returns the new node of an old one."""
        if number not in self.plain:
            made = self._build(self.form[number], self.program.nodes[number].shape)
            self.plain[number] = self._times_zero(made)
            self.changed = True
        return self.plain[number]

    def _take_apart(self, op: Operation) -> list[Term] | None:
        touched = any(a in self.form for a in op.args)
        product = op.as_product
        if op.as_reading is not None:
            return self._take_apart_read(op.as_reading)
        if op.joined_axis is not None and op.shape[op.joined_axis].constant in self.short:
            return self._join_terms(op.args, op.joined_axis, op.shape[op.joined_axis])
        if op.terms and touched:
            return [t for a in op.terms for t in self._terms(a)]
        if product is None or not (touched or any(self._is_array(a) for a in op.args)):
            return None
        try:
            return self._product(product)
        except Leave:
            return self._product(product, frozenset(filter(self._has_no_short_axis, op.args)))

    def _is_array(self, number: int) -> bool:
        op = self.program.nodes[number]
        return op.constant is not None and any(s.constant in self.short for s in op.shape)

    # -- forms
    # -----------------------------------------------------------------------------------------
    def _label(self) -> int:
        self.fresh += 1
        return self.fresh

    def _terms(self, number: int) -> list[Term]:
        """Returns the terms of an argument: as taken apart, or the node as a factor."""
        if number in self.form:
            return [self._rename_labels(t) for t in self.form[number]]
        op = self.program.nodes[number]
        if op.constant is not None and op.constant.size <= MOST_ENTRIES:
            labels = tuple(self._label() for _ in op.shape)
            return [
                Term(
                    labels,
                    exact_numbers(op.constant),
                    (),
                    labels,
                    dict(zip(labels, op.shape, strict=True)),
                )
            ]
        product = op.as_product
        if product is not None and self.entrywise and multiplies_entries(op, self.short):
            try:
                return self._factors(product)
            except Leave:
                pass
        return [self._factor(self.node(number))]

    def _factors(self, product: Product) -> list[Term]:
        """Takes apart the factors of a product, which may be products themselves."""
        if self.depth >= MOST_FACTORS:
            raise Leave
        self.depth += 1
        try:
            return self._product(product)
        finally:
            self.depth -= 1

    def _factor(self, x: int) -> Term:
        """Returns a new node as a term, without short axes along which its entries are equal."""
        shape = self.b.shape(x)
        labels = tuple(self._label() for _ in shape)
        row, one = list(labels), np.array(1, dtype=object)
        for axis in reversed(range(len(shape))):
            if shape[axis].constant in self.short - {1} and axis not in self.domains.differing_axes(
                x
            ):
                x = self._single(x, axis)
                del row[axis]
        return Term((), one, ((x, tuple(row)),), labels, dict(zip(labels, shape, strict=True)))

    def _single(self, x: int, axis: int) -> int:
        """Returns the value that all entries along an axis have."""
        op = self.b.nodes[x]
        product = op.as_product
        if op.function:
            return self.b.map(op.function, [self._single(a, axis) for a in op.args])
        if product is not None and all(product.output[axis] not in row for row in product.inputs):
            output = (*product.output[:axis], *product.output[axis + 1 :])
            sizes = dict(zip(product.output, op.shape, strict=True))
            return self.b.einsum(
                list(op.args), list(product.inputs), output, {k: sizes[k] for k in output}
            )
        return self.b.squeeze(self.b.slice(x, axis, 0, 1), axis)

    def _rename_labels(self, t: Term) -> Term:
        new = {k: self._label() for k in t.sizes}
        return Term(
            tuple(new[k] for k in t.labels), t.array,
            tuple((x, tuple(new[k] for k in row)) for x, row in t.factors),
            tuple(new[k] for k in t.output), {new[k]: s for k, s in t.sizes.items()},
        )  # fmt: skip

    def _take_apart_read(self, op: Reading) -> list[Term] | None:
        """Takes apart a read from short axes, or from a short part of a joined axis."""
        source = op.args[0]
        shape = self.program.nodes[source].shape
        places, counts, picked = list(op.places), list(op.shape), list[tuple[int, list[int]]]()
        parts = list[tuple[int, int, Size]]()
        if len(counts) != len(shape):
            return None
        for axis in op.changed_axes(shape):
            size, count, start = (
                shape[axis].constant,
                counts[axis].constant,
                places[axis].start.constant,
            )
            if size is None or count is None or start is None:
                continue
            if self.reached is not None and axis not in self.reached[source]:
                continue
            at = list(indices(places[axis], [count], size, start))
            if size in self.short:
                begin, length = (0, size)
            else:
                begin, length = self._part(source, size, at)
            if length:
                picked.append((axis, [i - begin for i in at]))
                parts.append((axis, begin, Size.of(length)))
                places[axis], counts[axis] = WHOLE, shape[axis]
        if not picked:
            return None
        is_whole = tuple(counts) == shape and all(p == WHOLE for p in places)
        if is_whole and all(length == shape[axis] for axis, _, length in parts):
            terms = self._terms(source)
        else:
            node = self.b.read(self.node(source), places, counts)
            for part in parts:
                node = self.b.slice(node, *part)
            terms = [self._factor(node)]
        for axis, at in picked:
            terms = [self._select(t, axis, at) for t in terms]
        return terms

    def _part(self, source: int, size: int, at: Sequence[int]) -> tuple[int, int]:
        """Returns (start, length) of the short part of an axis that holds all these entries.

        (0, 0) if there is none.
        """
        begin = 0
        if source in self.form:
            return 0, 0
        for length in self.cuts.get(size, ()):
            if (
                length in self.short
                and begin <= min(at)
                and max(at) < begin + length != begin + len(at)
            ):
                return begin, length
            begin += length
        return 0, 0

    def _select(self, t: Term, axis: int, places: Any) -> Term:
        """Selects ``out[i] = in[places[i]]`` along an axis of the output; -1 stands for a zero."""
        old, new = t.output[axis], self._label()
        matrix = np.zeros((len(places), t.sizes[old].constant or 0), dtype=object)
        for i, j in enumerate(places):
            if j >= 0:
                matrix[i, j] = 1
        output = (*t.output[:axis], new, *t.output[axis + 1 :])
        sizes = {**t.sizes, new: Size.of(len(places))}
        labels, array = labelled_product((t.labels, t.array), ((new, old), matrix))
        return self._sum_free_labels(Term(labels, array, t.factors, output, sizes))

    def _join_terms(self, args: Sequence[int], axis: int, whole: Size) -> list[Term]:
        length, at, found = whole.constant or 0, 0, []
        for a, size in zip(args, self._lengths(args, axis), strict=True):
            places = [i - at if at <= i < at + size else -1 for i in range(length)]
            found += [self._select(t, axis, places) for t in self._terms(a)]
            at += size
        return found

    def _lengths(self, args: Sequence[int], axis: int) -> list[int]:
        sizes = [self.program.nodes[a].shape[axis].constant for a in args]
        known = [size for size in sizes if size is not None]
        if len(known) < len(sizes):
            raise Leave
        return known

    # -- axes that are joined of parts
    # -----------------------------------------------------------------
    def _join_by_parts(self, op: Operation) -> int | None:
        """Groups the entries of a joined axis into its parts, and joins these."""
        if op.joined_axis is None:
            return None
        axis = op.joined_axis
        parts = self.cuts.get(op.shape[axis].constant or 0, ())
        left, pieces, shape = (
            list(zip(op.args, self._lengths(op.args, axis), strict=True)),
            [],
            op.shape,
        )
        if not any(a in self.form for a in op.args):
            return None
        for size in parts:
            taken: list[int] = []
            while size > 0 and left:
                argument, length = left.pop(0)
                taken, size = [*taken, argument], size - length
            if size:
                return None
            if len(taken) == 1:
                pieces.append(self.node(taken[0]))
                continue
            whole = sum(self._lengths(taken, axis))
            if whole not in self.short:
                pieces.append(self.b.concat([self.node(a) for a in taken], axis))
                continue
            terms = self._collect(self._join_terms(taken, axis, Size.of(whole)))
            here = (*shape[:axis], Size.of(whole), *shape[axis + 1 :])
            pieces.append(self._build(terms, here))
        if pieces and not left:
            return self.b.concat(pieces, axis)
        return None

    def _note_numbers(self, number: int) -> None:
        op = self.program.nodes[number]
        args, product = [self.numbers.get(a) for a in op.args], op.as_product
        sizes = [s.constant or 0 for s in op.shape]
        if math.prod(sizes) > MOST_ENTRIES:
            return
        if op.constant is not None:
            self.numbers[number] = np.vectorize(Fraction, otypes=[object])(op.constant)
        elif not args or any(a is None for a in args) or 0 in sizes:
            return
        elif op.terms:
            self.numbers[number] = sum(args)
        elif product is not None:
            ones = [
                (np.full(n, Fraction(1)), (k,)) for n, k in zip(sizes, product.output, strict=True)
            ]
            pairs: Any = [*zip(args, product.inputs, strict=True), *ones]
            names = {k: i for i, k in enumerate({k for _, row in pairs for k in row})}
            rows = ((a, [names[k] for k in row]) for a, row in pairs)
            self.numbers[number] = np.einsum(*chain(*rows), [names[k] for k in product.output])

    def _split_by_runs(self, op: Operation) -> int | None:
        """Splits a product with numbers along an axis at the places where the numbers change.

        Each run of equal numbers becomes one product with the number; the products are joined.
        """
        product = op.as_product
        for k, row in enumerate(product.inputs) if product is not None and len(op.args) > 1 else ():
            values, label = self.numbers.get(op.args[k]), row[0] if len(row) == 1 else None
            if product is None or values is None or label not in product.output:
                continue
            edges = [
                0,
                *(i for i in range(1, len(values)) if values[i] != values[i - 1]),
                len(values),
            ]
            if not 2 < len(edges) <= MOST_RUNS or any(r.count(label) > 1 for r in product.inputs):
                continue
            axis, pieces, none = product.output.index(label), list[int](), tuple[int, ...]()
            for start, stop in pairwise(edges):
                count = Size.of(stop - start)
                args, rows = [self.b.const(values[start])], [none]
                for a, r in zip(op.args, product.inputs, strict=True):
                    if (a, r) == (op.args[k], row):
                        continue
                    x = self.node(a)
                    args.append(
                        self._take_part(x, r.index(label), start, count) if label in r else x
                    )
                    rows.append(r)
                sizes = dict(zip(product.output, op.shape, strict=True)) | {label: count}
                pieces.append(self.b.einsum(args, rows, product.output, sizes))
            return self.b.concat(pieces, axis)
        return None

    def _split_at_zeros(self, op: Operation) -> int | None:
        """Splits a sum at the joins of an array of zeros and others, and joins the partial sums."""
        for a in op.terms:
            x = self.b.nodes[self.node(a)]
            while x.as_product is not None and sum(bool(row) for row in x.as_product.inputs) == 1:
                x = self.b.nodes[next(n for n, row in x.as_product.factors if row)]
            axis = x.joined_axis
            if axis is None or x.shape != op.shape or not any(self._is_zero(y) for y in x.args):
                continue
            sizes = [self.b.shape(y)[axis].constant or 0 for y in x.args]
            if sum(sizes) != op.shape[axis].constant:
                continue
            starts = zip(accumulate(sizes, initial=0), sizes, strict=False)
            parts = [
                [self._take_part(self.node(t), axis, s, Size.of(n)) for t in op.terms]
                for s, n in starts
            ]
            return self.b.concat([self.b.add(part) for part in parts], axis)
        return None

    def _times_zero(self, x: int) -> int:
        """Replaces 0 times a copied sum along a short axis by 0 times its terms.

        The copies lie along an axis as long as the summed one.

        Proof. Both are 0 where they are defined; the summand is so everywhere along the axis, or
        nowhere.
        """
        b, product = self.b, self.b.nodes[x].as_product
        if product is None or not any(map(self._is_zero, product.args)):
            return x
        sizes = product.labels(b.nodes)
        rows = [(b.const(0), ()) if self._is_zero(a) else (a, row) for a, row in product.factors]
        summed = {k for _, row in rows for k in row}
        for label in {*product.output} - summed:
            for k in summed - {*product.output}:
                at = [(a, i) for a, row in rows for i, own in enumerate(row) if own == k]
                if sizes[label] != sizes[k] or any(
                    i in self.domains.varying_axes(a) for a, i in at
                ):
                    continue
                renamed = [[label if own == k else own for own in row] for _, row in rows]
                self.changed = True
                return b.einsum([a for a, _ in rows], renamed, product.output, sizes)
        return x

    def _is_zero(self, x: int) -> bool:
        op = self.b.nodes[x]
        if op.constant is not None:
            return not np.any(op.constant)
        return op.as_product is not None and all(self._is_zero(a) for a in op.args)

    def _take_part(self, x: int, axis: int, start: int, count: Size) -> int:
        """Takes a part of an axis of a new node; for products, of their factors."""
        product = self.b.nodes[x].as_product
        label = None if product is None else product.output[axis]
        if product is None or label is None or all(label not in row for row in product.inputs):
            return self.b.slice(x, axis, start, count)
        if any(row.count(label) > 1 for row in product.inputs):
            return self.b.slice(x, axis, start, count)
        args = [
            self._take_part(a, row.index(label), start, count) if label in row else a
            for a, row in product.factors
        ]
        sizes = dict(zip(product.output, self.b.shape(x), strict=True)) | {label: count}
        return self.b.einsum(args, list(product.inputs), product.output, sizes)

    def _has_no_short_axis(self, number: int) -> bool:
        """Returns True if a value has no axis that is taken apart."""
        return not any(s.constant in self.short for s in self.program.nodes[number].shape)

    def _product(self, op: Product, kept: frozenset[int] = frozenset()) -> list[Term]:
        """Multiplies out products of sums; arguments in `kept` stay as they are."""
        sizes = dict(zip(op.output, op.shape, strict=True))
        for a, row in zip(op.args, op.inputs, strict=True):
            sizes.update(zip(row, self.program.nodes[a].shape, strict=True))
        own = {k: self._label() for k in sizes}
        one = np.array(1, dtype=object)
        output = tuple(own[k] for k in op.output)
        found = [Term((), one, (), output, {own[k]: s for k, s in sizes.items()})]
        for a, row in zip(op.args, op.inputs, strict=True):
            grown: list[Term] = []
            for t in found:
                for u in [self._factor(self.node(a))] if a in kept else self._terms(a):
                    if len(grown) >= MOST_TERMS or self.products >= MOST_PRODUCTS:
                        raise Leave
                    grown.append(substitute_output(t, u, tuple(own[k] for k in row)))
                    self.products += grown[-1].array.size
            found = grown
        return [self._sum_free_labels(t) for t in found]

    def _sum_free_labels(self, t: Term) -> Term:
        """Sums over the axes whose labels stand only in the array."""
        t = self._square_roots(t)
        used = {k for _, row in t.factors for k in row} | set(t.output)
        gone = tuple(i for i, k in enumerate(t.labels) if k not in used)
        self.products += t.array.size
        array = t.array
        if gone:
            array = array.sum(axis=gone)
        labels = tuple(k for i, k in enumerate(t.labels) if i not in gone)
        times = 1
        for k, size in t.sizes.items():
            if k not in used and k not in t.labels:  # a sum over what does not depend on the label
                if size.constant is None:
                    raise Leave
                times *= size.constant
        kept = used | set(labels)
        if times != 1:
            array = array * times
        array = np.asarray(array, dtype=object)
        result = Term(
            labels, array, t.factors, t.output,
            {k: s for k, s in t.sizes.items() if k in kept},
        )  # fmt: skip
        if array.size > MOST_ENTRIES or len(t.factors) > MOST_FACTORS:
            raise Leave
        return result

    def _square_roots(self, t: Term) -> Term:
        """Replaces two factors ``sqrt(q)``, q a number, by q."""
        array, factors = t.array, list(t.factors)
        for pair in t.factors:
            under = self.domains.under_root(pair[0])
            if under is not None and factors.count(pair) > 1:
                factors.remove(pair)
                factors.remove(pair)
                array = array * under
        if len(factors) == len(t.factors):
            return t
        return replace(t, array=array, factors=tuple(factors))

    # -- collecting
    # ------------------------------------------------------------------------------------
    def _collect(self, terms: Sequence[Term]) -> list[Term]:
        """Adds terms with equal factors; all terms must be undefined at the same places."""
        domains = {partial_factors(t, self.domains) for t in terms}
        if len(domains) > 1:
            raise Leave
        found: dict[Any, Term] = {}
        for term in terms:
            t = canonical(self._separate_labels(term))
            key = (
                t.labels,
                t.factors,
                t.output,
                tuple(sorted((k, s.terms) for k, s in t.sizes.items())),
            )
            old = found.get(key)
            if old is not None:
                t = replace(t, array=old.array + t.array)
            found[key] = t
        kept = [t for t in found.values() if np.any(t.array != 0)]
        kept = kept or [next(iter(found.values()))]
        if len(kept) > MOST_TERMS or any(self._undefined_as_built(t) not in domains for t in kept):
            raise Leave
        return kept

    def _undefined_as_built(self, t: Term) -> frozenset[Any]:
        """Returns the factors of a term, as it becomes a node, that may be undefined.

        Raises:
            Leave: see `partial_factors`.
        """
        return partial_factors(without_identities(t), self.domains)

    def _separate_labels(self, t: Term) -> Term:
        """Gives short axes of factors and of the output distinct labels, tied by the array."""
        labels, array, sizes = t.labels, t.array, dict(t.sizes)
        seen: set[int] = set()
        output, factors = list(t.output), [list(row) for _, row in t.factors]
        for row in (output, *factors):
            for i, k in enumerate(row):
                if sizes[k].constant not in self.short or k not in seen:
                    seen.add(k)
                    continue
                size = sizes[k].constant or 0
                row[i] = new = self._label()
                sizes[new] = sizes[k]
                if array.size * size * (1 if k in labels else size) > MOST_ENTRIES:
                    raise Leave
                labels, array = labelled_product(
                    (labels, array), ((k, new), np.eye(size, dtype=object))
                )
        for k in seen:  # an axis that no array has yet
            if sizes[k].constant in self.short and k not in labels:
                ones = np.ones(sizes[k].constant or 0, dtype=object)
                if array.size * ones.size > MOST_ENTRIES:
                    raise Leave
                labels, array = labelled_product((labels, array), ((k,), ones))
        rows = tuple((x, tuple(row)) for (x, _), row in zip(t.factors, factors, strict=True))
        return Term(labels, array, rows, tuple(output), sizes)

    def _varies_along_components(self, t: Term) -> bool:
        """Checks whether a factor may be undefined at some places of an axis of the array alone."""
        return any(
            label in t.labels and axis in self.domains.varying_axes(x)
            for x, row in t.factors
            for axis, label in enumerate(row)
        )

    # -- making nodes
    # ----------------------------------------------------------------------------------
    def _build(self, terms: Sequence[Term], shape: Shape) -> int:
        b = self.b
        parts = []
        if self.joined:
            terms = self._without_roots(terms)
        for term in terms:
            t = without_identities(term)
            constant = b.const(np.vectorize(Fraction, otypes=[object])(t.array))
            args = [constant, *(x for x, _ in t.factors)]
            rows = [t.labels, *(row for _, row in t.factors)]
            parts.append(b.einsum(args, rows, t.output, dict(t.sizes)))
        if len(parts) == 1:
            return b.broadcast_to(parts[0], shape)
        return b.broadcast_to(b.add(parts), shape)

    def _without_roots(self, terms: Sequence[Term]) -> list[Term]:
        """Joins terms that differ only in factors ``sqrt(q)``, q a number, rounding entries."""
        alike: dict[Any, list[tuple[Fraction, Term]]] = {}
        for t in terms:
            under, kept = Fraction(1), list[Any]()
            for pair in t.factors:
                q = self.domains.under_root(pair[0])
                if q is None:
                    under, kept = (under, [*kept, pair])
                else:
                    under, kept = (under * q, kept)
            key = t.labels, tuple(kept), t.output
            alike.setdefault(key, []).append((under, replace(t, factors=tuple(kept))))
        if len(alike) == len(terms):
            return list(terms)
        found = []
        for rows in alike.values():
            if len(rows) == 1 or self._varies_along_components(rows[0][1]):
                array = None
            else:
                array = sum_of_roots([(q, t.array) for q, t in rows])
            if array is None:
                return list(terms)
            found.append(replace(rows[0][1], array=array))
        self.rounded = True
        return found
