"""Degrees of Programs as rational functions; the error bound of one comparison at a random point.

Each entry of a node is a rational function of the inputs and of one variable for each value of an
uninterpreted function (see `modular`); its size is a `Bound`.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from math import log2

from eqvproof.numbers.bound import VARIABLE, Bound
from eqvproof.programs import Program
from eqvproof.programs.evaluate.call_counts import CallCounts


@dataclass(frozen=True, slots=True)
class Analysis:
    """Bounds for a Program as a rational function.

    Attributes:
        output: bounds for its value.
        arguments: bounds for every argument of an uninterpreted function.
        calls: how many values of uninterpreted functions are taken.
    """

    output: Bound
    arguments: Bound
    calls: int


def analyse(
    program: Program,
    sizes: Mapping[str, int],
    inputs: Mapping[str, Bound] | None = None,
) -> Analysis:
    """Bounds a Program as a rational function; hashes of `definedness` count as arguments.

    Args:
        program: what to bound.
        sizes: the axis sizes.
        inputs: bounds for inputs that are not variables themselves (Q X with Q a rational
            function).
    """
    counts = CallCounts(sizes)
    bounds: list[Bound] = []
    shapes: list[tuple[int, ...]] = []
    for node in program.nodes[: program.output + 1]:
        shape, args = node.lengths(sizes), [bounds[a] for a in node.args]
        node.count_conditions(args, shape, counts)
        if node.input_name is None:
            bounds.append(node.bound(args, [shapes[a] for a in node.args], shape, counts))
        else:
            bounds.append((inputs or {}).get(node.input_name, VARIABLE))
        shapes.append(shape)
    return Analysis(bounds[program.output], counts.arguments, counts.calls)


def log2_error(left: Analysis, right: Analysis, channels: int) -> float:
    """Bounds the log2 of the probability that different rational functions agree in all channels.

    A polynomial N with integer coefficients, not zero, vanishes in a channel only if its prime
    divides a coefficient (at most bits/60 primes do, of more than 2^53 between 2^60 and 2^61) or
    the point is a root (probability at most 9/8 deg N / 2^60: hashed values are uniform up to the
    factor 9/8). This is asked for each pair of arguments of uninterpreted functions, with either
    sign, and for the two results.

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
