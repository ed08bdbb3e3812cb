"""Random instances of one operation with typed arguments, and the exact test of what a rule says of them.

An instance has argument types, values that agree with them (constant along uniform axes, undefined entries
where the type allows them), and a group matrix. A rule is right on the instance when, for every type that it
gives to the result, moving the arguments moves the result by that type.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from eqvproof.claims.groups.families.linear import LINEAR
from eqvproof.claims.groups.families.orthogonal import ORTHOGONAL
from eqvproof.claims.groups.families.permutations import PERMUTATIONS
from eqvproof.claims.groups.families.signs import SIGNS
from eqvproof.claims.groups.kinds import Kind
from eqvproof.programs import Size
from eqvproof.programs import operations as ops
from eqvproof.programs.rules import Context, Stuck, Type
from eqvproof.programs.rules.acts import Act, act_size, canonical, dual, fix, is_fixed, std
from tests import readings
from tests.programs.rules.reference import (
    act_matrix,
    apply_along,
    determinant,
    equal,
    evaluate,
    tensor,
)

A, K, ONE = Size.of("a"), Size.of("k"), Size.of(1)
#: (act, size) pairs from which axes are drawn.
AXES: list[tuple[Act, Size]] = [
    (std(A), A),
    (std(A), A),
    (std(A), A),
    (fix(A), A),
    (None, A),
    (fix(K), K),
    (None, K),
    (fix(ONE), ONE),
    (canonical([[(A, True)], [(K, False)]]), A + K),
    (canonical([[(A, True)], [(A, True)]]), A * 2),
    (canonical([[(A, True), (K, False)]]), A * K),
    (canonical([[(K, False), (A, True)]]), A * K),
]
#: A family of each kind that acts by matrices.
FAMILY: dict[Kind, str] = {PERMUTATIONS: "S", ORTHOGONAL: "O", SIGNS: "Signs", LINEAR: "GL"}
KINDS = list(FAMILY)
each_kind = pytest.mark.parametrize("kind", KINDS, ids=lambda kind: type(kind).__name__)


class Instance:
    """An operation with typed argument values and a group matrix."""

    def __init__(self, rng: random.Random, make: Callable[[Instance], ops.Operation], kind: Kind) -> None:
        self.rng, self.kind = rng, kind
        self.sizes = {"a": rng.choice([1, 2, 2, 3]), "k": rng.choice([1, 2, 2])}
        self.family = "C" if kind.permutes and rng.random() < 0.3 else FAMILY[kind]
        self.rho = group_matrix(rng, kind, self.sizes["a"])
        if self.family == "C":
            shift, n = rng.randrange(self.sizes["a"]), self.sizes["a"]
            flags = [Fraction(int((i + shift) % n == j)) for i in range(n) for j in range(n)]
            self.rho = tensor((n, n), flags)
        self.types: list[Type] = []
        self.shapes: list[ops.Shape] = []
        self.labels: set[int] = set()
        self.op = make(self)
        pairs = zip(self.types, self.shapes, strict=True)
        self.values = [
            self.value(t, s) if i not in self.labels else self.positions(t, s)
            for i, (t, s) in enumerate(pairs)
        ]

    def axis(self) -> tuple[Act, Size]:
        """A random axis."""
        act, size = self.rng.choice(AXES)
        if self.rng.random() < 0.4:
            act = dual(act, self.kind)
        if size.value(self.sizes) > 6 or (self.rng.random() < 0.3 and not is_fixed(act)):
            return std(A), A
        return act, size

    def argument(self, axes: Sequence[tuple[Act, Size]]) -> int:
        """A new argument with these axes; its number."""
        self.types.append(tuple(a for a, _ in axes))
        self.shapes.append(tuple(s for _, s in axes))
        return len(self.types) - 1

    def value(self, type_: Type, shape: ops.Shape) -> Any:
        """A random value of a type."""
        full = tuple(s.value(self.sizes) for s in shape)
        source = tuple(1 if a is None else n for a, n in zip(type_, full, strict=True))
        small = [
            Fraction(self.rng.choice([-3, -2, -1, -1, 0, 1, 1, 2, 3])) for _ in range(int(np.prod(source)))
        ]
        array = tensor(source, small)
        if self.rng.random() < 0.3 and array.size:
            mixed = self.kind.rotates or self.kind.has_dual
            place = tuple(
                slice(None) if mixed and not is_fixed(a) else self.rng.randrange(n)
                for a, n in zip(type_, source, strict=True)
            )
            array[place] = None
        return np.broadcast_to(array, full).copy()

    def positions(self, type_: Type, shape: ops.Shape) -> Any:
        """Random positions of the axis that the group permutes."""
        full = tuple(s.value(self.sizes) for s in shape)
        source = tuple(1 if a is None else n for a, n in zip(type_, full, strict=True))
        count = int(np.prod(source))
        some = tensor(source, [Fraction(self.rng.randrange(self.sizes["a"])) for _ in range(count)])
        return np.broadcast_to(some, full).copy()

    def relabelled(self, value: Any) -> Any:
        """Each entry j as the i at which the group puts what was at j."""
        found = [Fraction(int(np.flatnonzero(self.rho[:, int(v)] != 0)[0])) for v in value.flat]
        return tensor(value.shape, found)

    def context(self) -> Context:
        """What the rule is told."""
        nodes = [ops.Input((), s, f"x{i}") for i, s in enumerate(self.shapes)]
        names = frozenset(f"x{i}" for i in self.labels)
        return Context(self.family, "a", A, [*nodes, self.op], {}, names)

    def violation(self, rule: Callable[..., list[Type]] | None = None) -> str:
        """Why a type that the rule gives is wrong on this instance, or "" ."""
        try:
            rule = rule or type(self.op).infer
            results = rule(self.op, self.types, self.context())
        except Stuck:
            return ""
        plain = evaluate(self.op, [self.values[a] for a in self.op.args], self.sizes)
        moved_args = [self.move(v, t) for v, t in zip(self.values, self.types, strict=True)]
        for i in self.labels:
            moved_args[i] = self.relabelled(moved_args[i])
        moved = evaluate(self.op, [moved_args[a] for a in self.op.args], self.sizes)
        for result in results:
            if len(result) != plain.ndim:
                return f"{self.op}: the type {result} has another number of axes"
            sizes = [s if a is None else act_size(a) for a, s in zip(result, self.op.shape, strict=True)]
            moved_sizes = {s for act in result for block in act or () for s, moves in block if moves}
            if tuple(sizes) != self.op.shape or moved_sizes - {A}:
                return f"{self.op}: the type {result} has other sizes than {plain.shape}"
            expected = self.move(plain, result)
            if not equal(moved, expected):
                return f"{self.op} with {self.types} at {self.sizes} is not {result}"
            for axis, act in enumerate(result):
                first = np.repeat(np.take(plain, [0], axis=axis), plain.shape[axis], axis=axis)
                if act is None and not equal(first, plain):
                    return f"{self.op} with {self.types} is not uniform along axis {axis}"
        return ""

    def accepted(self) -> bool:
        """Whether the rule gives a type in which something moves."""
        try:
            return bool(self.op.infer(self.types, self.context()))
        except Stuck:
            return False

    def move(self, value: Any, type_: Type) -> Any:
        """The value with every axis moved by its act."""
        for axis, act in enumerate(type_):
            value = apply_along(act_matrix(act, value.shape[axis], self.rho, self.sizes), value, axis)
        return value


def group_matrix(rng: random.Random, kind: Kind, size: int) -> Any:
    """A random matrix of the kind, over Fractions."""
    if kind.flips_signs:
        signs = [rng.choice([-1, 1]) for _ in range(size)]
        return tensor((size, size), [Fraction(signs[i] * (i == j)) for i in range(size) for j in range(size)])
    if kind.has_dual:
        while True:
            rows = tensor((size, size), [Fraction(rng.choice([-1, 0, 1, 1, 2])) for _ in range(size**2)])
            if determinant(rows):
                return rows
    permutation = list(range(size))
    rng.shuffle(permutation)
    p = tensor((size, size), [Fraction(int(permutation[i] == j)) for i in range(size) for j in range(size)])
    if kind.permutes:
        return p
    u = [Fraction(rng.choice([-2, -1, 0, 1, 3])) for _ in range(size)]
    norm = sum(x * x for x in u) or Fraction(1)
    reflect = [int(i == j) - 2 * u[i] * u[j] / norm for i in range(size) for j in range(size)]
    return tensor((size, size), list(np.asarray(reflect, dtype=object))).dot(p)


def make_einsum(i: Instance) -> ops.Operation:
    """Labels with an axis each, used one to three times; few summed and broadcast ones."""
    rng = i.rng
    labels = {k: i.axis() for k in range(rng.randint(1, 3))}
    rows = [[rng.choice(list(labels)) for _ in range(rng.randint(0, 2))] for _ in range(rng.randint(1, 3))]
    used = {k for row in rows for k in row}
    output = [k for k in labels if k in used and rng.random() < 0.5]
    output += [k for k in labels if k not in used and rng.random() < 0.5]
    rng.shuffle(output)
    args = []
    for row in rows:
        axes = []
        for k in row:
            act, size = labels[k]
            other = rng.random()
            axes.append(((None if other < 0.15 else fix(size) if other < 0.25 else act), size))
        args.append(i.argument(axes))
    return ops.Einsum(
        tuple(args), tuple(labels[k][1] for k in output), tuple(map(tuple, rows)), tuple(output)
    )


def alike(i: Instance, count: int, rank: int | None = None) -> tuple[tuple[int, ...], ops.Shape]:
    """Arguments of one shape whose acts agree except for a few."""
    rng = i.rng
    axes = [i.axis() for _ in range(rng.randint(0, 2) if rank is None else rank)]
    args = []
    for _ in range(count):
        args.append(
            i.argument(
                [
                    ((None if r < 0.2 else fix(size) if r < 0.3 else act), size)
                    for act, size in axes
                    for r in [rng.random()]
                ]
            )
        )
    return tuple(args), tuple(s for _, s in axes)


def make_add(i: Instance) -> ops.Operation:
    """Two or three terms."""
    args, shape = alike(i, i.rng.randint(2, 3))
    return ops.Add(args, shape)


def make_map(i: Instance) -> ops.Operation:
    """An elementwise function of one or two values."""
    fn = i.rng.choice(["recip", "exp", "abs", "sign", "sqrt", "tanh", "cos", "maximum", "lt", "pow", "not"])
    args, shape = alike(i, {"maximum": 2, "lt": 2, "pow": 2}.get(fn, 1))
    return ops.Map(args, shape, fn)


def make_select(i: Instance) -> ops.Operation:
    """A choice."""
    args, shape = alike(i, 3)
    return ops.Select(args, shape)


def make_reduce(i: Instance) -> ops.Operation:
    """A reduction over some axes."""
    args, shape = alike(i, 1, i.rng.randint(1, 3))
    axes = tuple(sorted(i.rng.sample(range(len(shape)), i.rng.randint(1, len(shape)))))
    return ops.Reduce(
        args,
        tuple(s for k, s in enumerate(shape) if k not in axes),
        i.rng.choice(["max", "min", "prod"]),
        axes,
    )


def make_sort(i: Instance) -> ops.Operation:
    """A sort along an axis."""
    args, shape = alike(i, 1, i.rng.randint(1, 2))
    return ops.Sort(args, shape, i.rng.randrange(len(shape)))


def make_concat(i: Instance) -> ops.Operation:
    """Two or three parts."""
    rng = i.rng
    axis, other = rng.randint(0, 1), i.axis()
    args, total = [], Size.of(0)
    for _ in range(rng.randint(2, 3)):
        act, size = i.axis()
        second = (None if rng.random() < 0.2 else other[0], other[1])
        args.append(i.argument([(act, size), second] if axis == 0 else [second, (act, size)]))
        total = total + size
    return ops.Concat(tuple(args), (total, other[1]) if axis == 0 else (other[1], total), axis)


def make_part(i: Instance) -> ops.Operation:
    """A part of an axis, whole blocks or not."""
    rng = i.rng
    parts = rng.choice(
        [
            [(A, True), (K, False)],
            [(K, False), (A, True)],
            [(A, True), (A, True)],
            [(A, True), (A, True), (A, True)],
            [(A, True)],
            [(K, False)],
        ]
    )
    act = canonical([[p] for p in parts])
    size = sum((s for s, _ in parts), Size.of(0))
    cuts = [Size.of(0)]
    for s, _ in parts:
        cuts.append(cuts[-1] + s)
    first, last = sorted(rng.sample(range(len(cuts)), 2))
    start, count, step = cuts[first], cuts[last] - cuts[first], 1
    if rng.random() < 0.4:
        start, count = Size.of(0), Size.of(1)
    elif rng.random() < 0.2 and size.value(i.sizes) > 1:  # all but one
        count = size - 1
        start = Size.of(rng.randint(0, 1))
    x = i.argument([(None if rng.random() < 0.1 else act, size), i.axis()])
    return readings.part((x,), (count, i.shapes[x][1]), 0, start, step)


def make_flip(i: Instance) -> ops.Operation:
    """A reversal or a shift."""
    args, shape = alike(i, 1, 2)
    axis = i.rng.randrange(2)
    shift = i.rng.randint(1, 2)
    return i.rng.choice([readings.flip(args, shape, axis), readings.roll(args, shape, axis, shift)])


def make_reshape(i: Instance) -> ops.Operation:
    """Joins and splits of a, k and 2."""
    two = Size.of(2)
    atoms = [(std(A), A), (fix(K), K), (fix(two), two), (fix(A), A), (None, K)]
    atoms.append((canonical([[(A, True)], [(A, True)]]), A * 2))  # the same as two (x) A
    axes = [i.rng.choice(atoms) for _ in range(i.rng.randint(1, 3))]
    tokens = [part for _, s in axes for part in ((two, A) if s == A * 2 else (s,))]
    if i.rng.random() < 0.3:
        i.rng.shuffle(tokens)
    if i.rng.random() < 0.5 and len(axes) > 1:
        joined = canonical([[f for act, s in axes[:2] for f in (fix(s) if act is None else act)[0]]])  # type: ignore
        axes = [(joined, axes[0][1] * axes[1][1]), *axes[2:]]
    shape: list[Size] = []
    for t in tokens:
        if shape and i.rng.random() < 0.5:
            shape[-1] = shape[-1] * t
        else:
            shape.append(t)
    return ops.Reshape((i.argument(axes),), tuple(shape))


def make_circulant(i: Instance) -> ops.Operation:
    """All shifts of a last axis."""
    rng = i.rng
    act, size = rng.choice([(std(A), A), (std(A), A), (fix(A), A), (None, A), (fix(K), K)])
    rest = [i.axis() for _ in range(rng.randint(0, 1))]
    x = i.argument([*rest, (act, size)])
    return readings.circulant((x,), (*i.shapes[x], rng.choice([A, A, K, ONE])), rng.choice([-1, 1]))


def make_eigvals(i: Instance) -> ops.Operation:
    """Eigenvalues of matrices in a batch."""
    rng = i.rng
    pairs = [
        (std(A), std(A)),
        (std(A), std(A)),
        (fix(A), std(A)),
        (fix(A), fix(A)),
        (None, std(A)),
        (None, None),
    ]
    rows, columns = rng.choice(pairs)
    batch = [i.axis()] if rng.random() < 0.5 else []
    x = i.argument([*batch, (rows, A), (columns, A)])
    return ops.Matrix((x,), i.shapes[x][:-1], "eigvals")


def make_spectral(i: Instance) -> ops.Operation:
    """Functions of matrices in a batch, by numbers for their eigenvalues."""
    rng = i.rng
    acts = [(std(A), std(A)), (std(A), std(A)), (fix(A), std(A)), (fix(A), fix(A)), (None, std(A))]
    rows, columns = rng.choice(acts)
    batch = [i.axis()] if rng.random() < 0.5 else []
    other = [(None if rng.random() < 0.3 else act, size) for act, size in batch]
    x = i.argument([*batch, (rows, A), (columns, A)])
    w = i.argument([*other, (rng.choice([fix(A), fix(A), None, std(A)]), A)])
    return ops.Matrix((x, w), i.shapes[x], "spectral")


def make_series(i: Instance) -> ops.Operation:
    """Power series of matrices in a batch."""
    rng = i.rng
    paired = (std(A), dual(std(A), i.kind))
    acts = [(std(A), std(A)), paired, paired, (fix(A), std(A)), (fix(A), fix(A)), (None, std(A))]
    rows, columns = rng.choice(acts)
    batch = [i.axis()] if rng.random() < 0.5 else []
    x = i.argument([*batch, (rows, A), (columns, A)])
    return ops.Matrix((x,), i.shapes[x], rng.choice(["expm", "cosm", "sinm", "coshm", "sinhm"]))


def make_cholesky(i: Instance) -> ops.Operation:
    """Cholesky factors of matrices in a batch."""
    rng = i.rng
    acts = [(fix(A), fix(A)), (None, None), (fix(K), fix(K)), (std(A), std(A)), (fix(A), std(A))]
    rows, columns = rng.choice(acts)
    batch = [i.axis()] if rng.random() < 0.7 else []
    size = K if rows == fix(K) else A
    x = i.argument([*batch, (rows, size), (columns, size)])
    return ops.Matrix((x,), i.shapes[x], "cholesky")


def make_pinv(i: Instance) -> ops.Operation:
    """Pseudo-inverses of matrices in a batch."""
    rng = i.rng
    rows, columns = (rng.choice([(std(A), A), (fix(A), A), (None, A), (fix(K), K)]) for _ in range(2))
    batch = [i.axis()] if rng.random() < 0.5 else []
    x = i.argument([*batch, rows, columns])
    *lead, first, second = i.shapes[x]
    return ops.Matrix((x,), (*lead, second, first), "pinv")


def make_onehot(i: Instance) -> ops.Operation:
    """One-hot vectors of numbers, or of positions that the group relabels."""
    rng = i.rng
    x = i.argument([i.axis() for _ in range(rng.randint(0, 2))])
    if i.kind.permutes and rng.random() < 0.6:
        i.labels.add(x)
        return ops.Indicator((x,), (*i.shapes[x], rng.choice([A, A, A, K])))
    return ops.Indicator((x,), (*i.shapes[x], rng.choice([A, K, Size.of(2)])))


def make_matrix(i: Instance) -> ops.Operation:
    """An inverse or a determinant of matrices in a batch."""
    rng = i.rng
    pairs = [(std(A), std(A)), (fix(A), std(A)), (std(A), fix(A)), (fix(A), fix(A)), (None, std(A))]
    rows, columns = rng.choice(pairs)
    batch = [i.axis()] if rng.random() < 0.5 else []
    x = i.argument([*batch, (rows, A), (columns, A)])
    shape = i.shapes[x]
    return rng.choice([ops.Matrix((x,), shape, "inv"), ops.Matrix((x,), shape[:-2], "det")])


def make_leaf(i: Instance) -> ops.Operation:
    """A leaf without arguments."""
    rng = i.rng
    two = Size.of(2)
    values = tuple(Fraction(rng.choice([0, 0, 1, 2])) for _ in range(4))
    return rng.choice(
        [
            ops.Indicator((), (A, A)),
            ops.Indicator((), (K, K)),
            ops.Indicator((), (A, A), 0),
            ops.Iota((), (A,)),
            ops.SizeOf((), (), A),
            ops.Const((), (two, two), values),
            ops.Const((), (two, two), (values[0],) * 4),
            ops.Const((), (), values[:1]),
            ops.Const((), (two, two), (values[0], values[0], values[1], values[1])),
        ]
    )


MAKERS: dict[str, Callable[[Instance], ops.Operation]] = {
    "einsum": make_einsum,
    "add": make_add,
    "map": make_map,
    "select": make_select,
    "reduce": make_reduce,
    "sort": make_sort,
    "concat": make_concat,
    "part": make_part,
    "flip": make_flip,
    "reshape": make_reshape,
    "circulant": make_circulant,
    "onehot": make_onehot,
    "eigvals": make_eigvals,
    "spectral": make_spectral,
    "series": make_series,
    "cholesky": make_cholesky,
    "pinv": make_pinv,
    "matrix": make_matrix,
    "leaf": make_leaf,
}
