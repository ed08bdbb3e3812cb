"""Random Programs through the Builder, over all operations, with inputs that meet the corner cases."""

from __future__ import annotations

import random
from collections.abc import Callable
from fractions import Fraction

import numpy as np

from eqvproof.programs import Builder, Program, Size
from eqvproof.programs import operations as ops
from eqvproof.programs.operations import FUNCTIONS, REDUCE_FUNCTIONS
from eqvproof.support.errors import ShapeError

SIZES = ("n", "d", 1, 2)
RATIONAL_MAPS = tuple(
    "recip abs sign floor ceil rint not maximum minimum mod lt le gt ge eq ne and or".split()
)


class Grower:
    """Adds random nodes to a Builder; methods named after operations."""

    def __init__(self, seed: int, *, rational: bool = False) -> None:
        self.r = random.Random(seed)
        self.b = Builder()
        self.rational = rational
        self.maps = RATIONAL_MAPS if rational else tuple(FUNCTIONS)
        self.nodes = [self.b.input("X", ["n", "d"]), self.b.input("v", ["n"])]

    def pick(self, suitable: Callable[[int], bool] = lambda x: True) -> int:
        """A recent node, if one is suitable (else ShapeError, and the caller tries something else)."""
        found = [x for x in self.nodes if suitable(x)]
        if not found:
            raise ShapeError("none")
        return self.r.choice(found[-6:])

    def leaf(self) -> int:
        b, r = self.b, self.r
        size = Size.of(r.choice(SIZES))
        return r.choice(
            [
                lambda: b.eye(size),
                lambda: b.form(Size.of(size), signs=True),
                lambda: b.tri(size, r.choice(SIZES), r.randint(-1, 1)),
                lambda: b.iota(size),
                lambda: b.size(Size.of("n") * 2 + r.randint(-1, 2)),
                lambda: b.const(Fraction(r.randint(-4, 4), r.choice([1, 1, 2, 3]))),
                lambda: b.const([[Fraction(r.randint(-2, 2)) for _ in range(2)] for _ in range(2)]),
            ]
        )()

    def einsum(self) -> int:
        args = [self.pick(lambda x: len(self.b.shape(x)) <= 3) for _ in range(self.r.randint(1, 3))]
        pool: dict[Size, list[int]] = {}
        rows, fresh = [], 0
        for x in args:
            row = []
            for s in self.b.shape(x):
                known = pool.setdefault(s, [])
                if not known or self.r.random() < 0.35:
                    known.append(fresh)
                    fresh += 1
                row.append(self.r.choice(known))
            rows.append(row)
        labels = sorted({k for row in rows for k in row})
        output = self.r.sample(labels, min(len(labels), self.r.randint(0, 3)))
        sizes = {}
        if self.r.random() < 0.2:
            output.append(fresh)
            sizes[fresh] = Size.of(self.r.choice(SIZES))
        return self.b.einsum(args, rows, output, sizes)

    def add(self) -> int:
        x = self.pick()
        return self.b.add([x, self.like(x)])

    def map(self) -> int:
        fn = self.r.choice(self.maps)
        x = self.pick()
        arity = FUNCTIONS[fn].arity
        like = [
            self.pick(lambda y: self.b.shape(y) in ((), self.b.shape(x))) for _ in range(max(0, arity - 1))
        ]
        args = [x, *like][:arity]
        self.r.shuffle(args)
        return self.b.map(fn, args)

    def like(self, x: int) -> int:
        return self.pick(lambda y: self.b.shape(y) in ((), self.b.shape(x)))

    def select(self) -> int:
        x = self.pick()
        same = [self.like(x), self.like(x)]
        return self.b.select(self.r.choice([x, same[0]]), x, same[1])

    def reduce(self) -> int:
        x = self.pick(lambda y: len(self.b.shape(y)) > 0)
        rank = len(self.b.shape(x))
        return self.b.reduce(
            self.r.choice(REDUCE_FUNCTIONS), x, self.r.sample(range(rank), self.r.randint(1, rank))
        )

    def axis_of(self) -> tuple[int, int]:
        x = self.pick(lambda y: len(self.b.shape(y)) > 0)
        return x, self.r.randrange(len(self.b.shape(x)))

    def concat(self) -> int:
        x, axis = self.axis_of()
        return self.b.concat([x, self.pick(lambda y: self.b.shape(y) == self.b.shape(x))], axis)

    def slice(self) -> int:
        x, axis = self.axis_of()
        size = self.b.shape(x)[axis]
        if self.r.random() < 0.5:
            return self.b.slice(x, axis, 0, 1)
        if size.constant == 2:
            return self.b.slice(x, axis, self.r.randint(0, 1), 1, 2)
        return self.b.slice(x, axis, size - 1, 1)

    def flip(self) -> int:
        return self.b.flip(*self.axis_of())

    def roll(self) -> int:
        return self.b.roll(*self.axis_of(), self.r.randint(-3, 3))

    def sort(self) -> int:
        return self.b.sort(*self.axis_of())

    def circulant(self) -> int:
        x = self.pick(lambda y: 0 < len(self.b.shape(y)) < 3)
        return self.b.circulant(x, self.r.choice([*SIZES, self.b.shape(x)[-1]]), self.r.choice([1, -1]))

    def onehot(self) -> int:
        return self.b.onehot(self.pick(lambda y: len(self.b.shape(y)) < 3), self.r.choice(SIZES))

    def reshape(self) -> int:
        x = self.pick(lambda y: len(self.b.shape(y)) > 1)
        shape = list(self.b.shape(x))
        i = self.r.randrange(len(shape) - 1)
        return self.b.reshape(x, [*shape[:i], shape[i] * shape[i + 1], *shape[i + 2 :]])

    def square(self) -> int:
        return self.pick(lambda y: len(s := self.b.shape(y)) >= 2 and s[-1] == s[-2])

    def inv(self) -> int:
        return self.b.inv(self.square())

    def eigvals(self) -> int:
        if self.rational:
            raise ShapeError("eigenvalues are irrational")
        return self.b.eigvals(self.square())

    def pinv(self) -> int:
        return self.b.pinv(self.pick(lambda y: len(self.b.shape(y)) >= 2))

    def spectral(self) -> int:
        if self.rational:
            raise ShapeError("eigenvalues are irrational")
        x = self.square()
        return self.b.spectral(x, self.b.map(self.r.choice(["exp", "arctan", "cos"]), [self.b.eigvals(x)]))

    def cholesky(self) -> int:
        if self.rational:
            raise ShapeError("roots are irrational")
        x = self.square()
        labels = [*range(len(self.b.shape(x)) - 2)]
        rows = [[*labels, -1, -3], [*labels, -2, -3]]
        gram = self.b.einsum([x, x], rows, [*labels, -1, -2])
        return self.b.matrix("cholesky", self.r.choice([x, gram, gram]))

    def expm(self) -> int:
        if self.rational:
            raise ShapeError("exponentials are irrational")
        return self.b.matrix(self.r.choice(["expm", "cosm", "sinm", "coshm", "sinhm"]), self.square())

    def det(self) -> int:
        return self.b.det(self.square())

    def opaque(self) -> int:
        return self.b.opaque("f", [self.pick()], [self.r.choice(SIZES)])

    STEPS = (
        "leaf einsum einsum einsum add map map map select reduce concat slice flip roll sort circulant "
        "onehot reshape inv det opaque eigvals spectral pinv expm cholesky"
    ).split()

    def grow(self, steps: int) -> Program:
        """A Program of about this many steps."""
        for _ in range(steps):
            try:
                node = getattr(self, self.r.choice(self.STEPS))()
            except ShapeError:
                continue
            if len(self.b.shape(node)) <= 4:
                self.nodes.append(node)
        return self.b.program(self.nodes[-1])


def random_program(seed: int, *, rational: bool = False) -> Program:
    """A random Program in inputs X: n d and v: n."""
    grower = Grower(seed, rational=rational)
    return grower.grow(grower.r.randint(2, 12))


def random_inputs(seed: int, sizes: dict[str, int]) -> dict[str, np.ndarray]:
    """Small rationals, with ties and zeros."""
    r = random.Random(seed)

    def tensor(*shape: int) -> np.ndarray:
        values = np.empty(int(np.prod(shape)), dtype=object)
        values[:] = [Fraction(r.randint(-3, 3), r.choice([1, 1, 2])) for _ in values]
        return values.reshape(shape)

    return {"X": tensor(sizes["n"], sizes["d"]), "v": tensor(sizes["n"])}


def operations_used(program: Program) -> set[str]:
    """Names of operations, and of elementwise functions as ``map:exp``."""
    names = {node.op for node in program.nodes}
    names |= {f"map:{node.fn}" for node in program.nodes if isinstance(node, ops.Map)}
    return names | {f"matrix:{node.fn}" for node in program.nodes if isinstance(node, ops.Matrix)}
