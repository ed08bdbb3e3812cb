"""Convolutions with a stride."""

from collections.abc import Mapping

import numpy as np

from eqvproof.papers.library.sym23.convolution import strided_correlation
from eqvproof.papers.statements import (
    AtSizes,
    Claim,
    Conjunction,
    Identity,
    Instance,
    NotFor,
    Remark,
)

#: Stride k, and length m of the result; the signal has length k m.
SIZES = tuple({"k": k, "m": m} for k, m in ((2, 1), (2, 2), (3, 1), (2, 3), (3, 2), (3, 3)))


def translate_by_multiples(sizes: Mapping[str, int]) -> Claim:
    """Claims that a translation of x by k translates y by 1; hence one by j k translates it by j."""
    k, m = sizes["k"], sizes["m"]
    return Identity(
        lambda x, theta: strided_correlation(np.roll(x, k), theta, m),
        lambda x, theta: np.roll(strided_correlation(x, theta, m), 1),
        f"x: {k * m}, theta: {k * m} -> {m}",
    )


def no_other_translations(sizes: Mapping[str, int]) -> Claim:
    """Claims that, for some weights and x, y is translated only if x is by a multiple of k."""
    k, m = sizes["k"], sizes["m"]
    point = {"x": np.eye(k * m, dtype=int)[0], "theta": np.arange(k * m)}

    def same(s: int, t: int) -> Claim:
        return Instance(
            lambda x, theta: strided_correlation(np.roll(x, s), theta, m),
            lambda x, theta: np.roll(strided_correlation(x, theta, m), t),
            f"x: {k * m}, theta: {k * m} -> {m}",
            point,
        )

    shifts = [(s, t) for s in range(k * m) if s % k for t in range(m)]
    return Conjunction({f"not by {s} and {t}": NotFor(same(s, t)) for s, t in shifts})


STATEMENT = Remark(
    id="sym23.cnn.stride",
    place="Architectures, CNN",
    printed="a convolution with stride k > 1 is equivariant to translations by multiples of k, and"
    " to no others",
    claim=Conjunction(
        {
            "multiples of k": AtSizes(translate_by_multiples, SIZES),
            "no others": AtSizes(no_other_translations, SIZES),
        }
    ),
    reading=(
        "y(u) = sum_v x(v) theta(v - k u), on a circle of k m points, at some k and m",
        "to no others: for other translations of x there are weights and a signal for which y is"
        " not translated by any amount; particular weights, such as theta = 0 or a constant theta,"
        " may allow more translations",
    ),
)
