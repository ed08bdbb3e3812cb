"""How large Programs are as rational functions, and how likely a random point misses that two of them differ.

Each entry of a node is a rational function of the inputs and of one variable for each value of an
uninterpreted function (see `modular`); its size is a `Bound`.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from math import log2, prod

from eqvproof.evaluate.bound import (
    ONE_MINUS,
    VARIABLE,
    Bound,
    bits_of,
    determinant,
    inverse,
    with_variable,
)
from eqvproof.evaluate.modular import ALGEBRAIC, PARTIAL
from eqvproof.evaluate.operations import Sizes, shape_of
from eqvproof.program import Program, ops


@dataclass(frozen=True, slots=True)
class Analysis:
    """A Program as a rational function.

    Attributes:
        output: bounds for its value.
        arguments: bounds for every argument of an uninterpreted function.
        calls: how many values of uninterpreted functions are taken.
    """

    output: Bound
    arguments: Bound
    calls: int


class _Walk:
    def __init__(self, sizes: Sizes, *, located: bool) -> None:
        self.sizes = sizes
        self.located = located
        self.arguments = Bound()
        self.calls = 0

    def call(self, count: int, *arguments: Bound) -> Bound:
        """``count`` values of an uninterpreted function."""
        self.calls += count
        for x in arguments:
            self.arguments = self.arguments.larger(x)
        return VARIABLE

    def locate(self, node: ops.Op, args: Sequence[Bound], shape: tuple[int, ...]) -> None:
        """The hashes that say where a value is defined, see `definedness`."""
        match node:
            case ops.Map() if node.fn in PARTIAL:
                self.call(prod(shape), *args)
            case ops.Matrix(fn="inv"):
                self.call(prod(shape[:-2]), determinant(args[0], shape[-1]))
            case ops.Select() | ops.Opaque():
                self.call(prod(shape), *args, VARIABLE)

    def bound(self, node: ops.Op, args: Sequence[Bound], shapes: Sequence[tuple[int, ...]]) -> Bound:
        shape = shape_of(node, self.sizes)
        if self.located:
            self.locate(node, args, shape)
        match node:
            case ops.Const():
                common = math.lcm(*(v.denominator for v in node.values), 1)
                largest = max((abs(v.numerator) * common // v.denominator for v in node.values), default=1)
                return Bound(top_bits=bits_of(largest), common_bits=bits_of(common))
            case ops.SizeOf():
                return Bound(top_bits=bits_of(abs(node.size.value(self.sizes))))
            case ops.Iota():
                return Bound(top_bits=bits_of(shape[0]))
            case ops.Indicator():
                if not args:
                    return Bound()
                self.call(prod(shape), args[0].plus(Bound(top_bits=bits_of(shape[-1]))))
                return ONE_MINUS
            case ops.Einsum():
                return self._einsum(node, args, shapes)
            case ops.Add():
                return _fold(Bound.plus, args)
            case ops.Map():
                return self._map(node.fn, args, prod(shape))
            case ops.Select():
                self.call(prod(shape), args[0])
                return with_variable(args[1].plus(args[2]))
            case ops.Reduce():
                count = prod(shapes[0][a] for a in node.axes)
                if node.fn == "prod":
                    return args[0].power(count)
                return self._symmetric(args[0], count, prod(shapes[0]), prod(shape))
            case ops.Sort():
                count = shapes[0][node.axis]
                return self._symmetric(args[0], count, prod(shape) * count, prod(shape))
            case ops.Concat():
                return _fold(Bound.joined, args)
            case ops.Read() | ops.Reshape():
                return args[0]
            case ops.Matrix(fn="inv"):
                return inverse(args[0], shape[-1])
            case ops.Matrix(fn="eigvals"):
                symmetric = power = args[0].plus(args[0])
                for _ in range(shape[-1] - 1):
                    power = power.times(symmetric).summed(shape[-1])
                return self.call(prod(shape), power.summed(shape[-1]))
            case ops.Matrix(fn="pinv"):
                rows, columns = shapes[0][-2:]
                gram = args[0].times(args[0]).summed(rows)
                return (
                    self._spectral(gram, Bound(), (*shape[:-2], columns, columns))
                    .times(args[0])
                    .summed(columns)
                )
            case ops.Matrix(fn="spectral"):
                return self._spectral(args[0], args[1], shape)
            case ops.Matrix(fn="det"):
                return determinant(args[0], shapes[0][-1])
            case ops.Opaque():
                entries = sum(map(prod, shapes))
                digest = Bound(top=1, top_bits=bits_of(entries))
                return self.call(entries + len(shapes) + prod(shape), digest, *args)
        raise TypeError(f"no degree bound for {type(node).__name__}")

    def _spectral(self, matrix: Bound, weights: Bound, shape: tuple[int, ...]) -> Bound:
        """Coefficients, which are values of a function of n traces and n weights, times powers."""
        symmetric = power = matrix.plus(matrix)
        found = VARIABLE
        for _ in range(shape[-1] - 1):
            found = found.plus(VARIABLE.times(power))
            power = power.times(symmetric).summed(shape[-1])
        self.call(prod(shape[:-1]), power.summed(shape[-1]), weights)
        return found

    def _einsum(self, node: ops.Einsum, args: Sequence[Bound], shapes: Sequence[tuple[int, ...]]) -> Bound:
        """A denominator is needed once for each value of the summed labels that its factor has."""
        lengths: dict[int, int] = {}
        result = Bound()
        for x, labels, shape in zip(args, node.inputs, shapes, strict=True):
            mine = {k: s for k, s in zip(labels, shape, strict=True) if k not in node.output}
            lengths.update(mine)
            copies = max(prod(mine.values()), 1)
            more = copies - 1
            top, bits = x.top + more * x.bottom, x.top_bits + more * x.bottom_bits
            result = result.times(Bound(top, bits, copies * x.bottom, copies * x.bottom_bits, x.common_bits))
        return replace(result, top_bits=result.top_bits + log2(max(prod(lengths.values()), 1)))

    def _map(self, fn: str, args: Sequence[Bound], count: int) -> Bound:
        if fn not in ALGEBRAIC:
            return self.call(count, *args)
        x = args[0]
        y = args[1] if len(args) > 1 else Bound()
        match fn:
            case "recip":
                return x.reciprocal()
            case "abs":
                return x.times(self.call(count, x))
            case "maximum" | "minimum":
                self.call(count, x.plus(y))
                both = with_variable(x.plus(y))
                return replace(both, common_bits=both.common_bits + 1)
            case "lt" | "le" | "gt" | "ge" | "eq" | "ne":
                self.call(count, x.plus(y))
                return ONE_MINUS
            case "and" | "or":
                self.call(2 * count, x, y)
                return Bound(top=2, top_bits=2.0)
            case "mod":
                quotient = self.call(count, x.times(y.reciprocal()))
                return x.plus(y.times(quotient))
            case _:  # not, ceil
                return self.call(count, x)

    def _symmetric(self, x: Bound, count: int, entries: int, values: int) -> Bound:
        mean = x.summed(count)
        mean = replace(mean, common_bits=mean.common_bits + log2(max(count, 1)))
        self.call(entries, x.plus(mean))
        value = self.call(values, Bound(top=1, top_bits=log2(max(count, 1))))
        return mean.plus(value)


def _fold(operation: Callable[[Bound, Bound], Bound], args: Sequence[Bound]) -> Bound:
    result = args[0]
    for x in args[1:]:
        result = operation(result, x)
    return result


def analyse(
    program: Program,
    sizes: Mapping[str, int],
    inputs: Mapping[str, Bound] | None = None,
    *,
    located: bool = False,
) -> Analysis:
    """Bounds for a Program as a rational function.

    Args:
        program: what to bound.
        sizes: the axis sizes.
        inputs: bounds for inputs that are not variables themselves (Q X with Q a rational function).
        located: whether the hashes of `definedness` count too.
    """
    walk = _Walk(sizes, located=located)
    bounds: list[Bound] = []
    shapes: list[tuple[int, ...]] = []
    for node in program.nodes[: program.output + 1]:
        if isinstance(node, ops.Input):
            bounds.append((inputs or {}).get(node.name, VARIABLE))
        else:
            bounds.append(walk.bound(node, [bounds[a] for a in node.args], [shapes[a] for a in node.args]))
        shapes.append(shape_of(node, sizes))
    return Analysis(bounds[program.output], walk.arguments, walk.calls)


def log2_error(left: Analysis, right: Analysis, channels: int) -> float:
    """The logarithm of a bound for the probability that different rational functions agree in all channels.

    A polynomial N with integer coefficients, not zero, vanishes in a channel only if its prime divides a
    coefficient (at most bits/60 primes do, of more than 2^53 between 2^60 and 2^61) or the point is a root
    (probability at most 9/8 deg N / 2^60: hashed values are uniform up to the factor 9/8). This is asked for
    each pair of arguments of uninterpreted functions, with either sign, and for the two results.

    Exactness: a bound, if the keyed hash is a random function.
    Source: J. T. Schwartz 1980, R. Zippel 1979; P. Erdos 1932 for the number of primes.
    """
    arguments = left.arguments.larger(right.arguments)
    calls = left.calls + right.calls
    one_pair = _channel_miss(arguments, arguments)
    result = _channel_miss(left.output, right.output)
    pairs = max(calls * calls, 1)
    terms: list[float] = [channels * log2(result)]
    if calls:
        terms.append(log2(pairs) + channels * log2(one_pair))
    largest = max(terms)
    return largest + log2(sum(math.exp2(t - largest) for t in terms))


def _channel_miss(x: Bound, y: Bound) -> float:
    difference = x.plus(y)
    bits = difference.top_bits + max(x.common_bits, y.common_bits)
    return min(1.0, (bits / 60 + 1) / 2**53 + 9 / 8 * max(difference.top, 1) / 2**60)
