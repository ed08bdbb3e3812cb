"""ATen operations that normalise: by rows (layer norm), groups of channels, or the batch."""

from __future__ import annotations

from collections.abc import Sequence

from eqvproof.programs import Builder, Size, keeps_roundings
from eqvproof.programs.evaluate.library_functions import NORMALISED
from eqvproof.support.errors import ErrorCode, TraceError
from eqvproof.tracing.arrays import formulas
from eqvproof.tracing.torch.aten import Length, moments, op, squared_deviations


def mean_and_scale(
    b: Builder, x: int, axes: Sequence[int], eps: float, *, in_one_pass: bool = False
) -> tuple[int, int]:
    """Returns the mean along axes, and 1 / sqrt(variance + eps), with the axes kept."""
    mean, squares = moments(b, x, axes)
    if in_one_pass:  # the algorithms of GPU libraries are not published
        squares = b.alternative_rounding(squares, lambda: squared_deviations(b, x, axes))
    variance = b.restore(b.div(squares, b.size(b.prod_sizes(x, axes))), axes)
    return mean, formulas.rsqrt(b, b.add([variance, b.const(eps)]))


def standardise(
    b: Builder, x: int, mean: int, scale: int, weight: int | None, bias: int | None
) -> int:
    """Returns (x - mean) scale weight + bias; kernels may compute x a + (bias - mean a).

    Here a is scale weight.

    With its roundings kept, sums are made of parts, so as to round no less than either way does, to
    first order and in units u. With ``p = |x a|``, ``q = |mean a|``, ``t = |(x - mean) a| <= p +
    q``, y the result:

        (x - mean) scale weight + bias    3 t + y
        x a + (bias - mean a)             p + y, and what entries have in common: t + q + |bias - mean a|
        here                              3 (p + q) + t + 3 (t + |bias|), and in common: t + 3 q + 3 |bias|

    The last is the largest, as ``|bias - mean a| <= |bias| + q`` and ``y <= t + |bias|``. For
    independent roundings the squares of these terms are added, with 3 for 3^2, and it is so, too:
    ``(|bias| + q)^2`` is at most ``2 bias^2 + 2 q^2``. Without a bias its terms are missing, and y
    is t.

    Source: PyTorch, aten/src/ATen/native/cpu: batch_norm_kernel.cpp, group_norm_kernel.cpp (the
    second); layer_norm_kernel.cpp (the first, or (x scale - mean scale) weight + bias, which rounds
    no more).
    """
    if weight is None:
        factor = scale
    else:
        factor = b.mul(scale, weight)
    y = b.mul(b.sum_in_parts([x, b.neg(b.sum_in_parts([mean], 4))], 2), factor)
    if bias is None:
        return y
    return b.sum_in_parts([y, b.sum_in_parts([bias], 4)], 2)


def along_channels(b: Builder, x: int, vector: int) -> int:
    """Returns a vector along the second axis of x, with as many axes as x."""
    return b.reshape(vector, [1, b.shape(x)[1], *[1] * (len(b.shape(x)) - 2)])


def factors_along_channels(
    b: Builder, x: int, weight: int | None, bias: int | None
) -> tuple[int | None, int | None]:
    """Returns weight and bias along the second axis of x, where they are given."""
    return (
        None if weight is None else along_channels(b, x, weight),
        None if bias is None else along_channels(b, x, bias),
    )


@op("native_layer_norm")
def _layer_norm(
    b: Builder, x: int, shape: Sequence[Length], weight: int | None, bias: int | None, eps: float
) -> tuple[int, ...]:
    rank = len(b.shape(x))
    axes = range(rank - len(shape), rank)

    def steps(rows: int, along: Sequence[int]) -> int:
        return standardise(b, rows, *mean_and_scale(b, rows, along, eps), None, None)

    y = b.function_of_rows(NORMALISED, steps, x, axes, [b.const(eps)])
    if weight is not None:
        y = b.mul(y, weight)
    if bias is not None:
        y = b.sum_in_parts([y, b.sum_in_parts([bias], 4)], 2)
    return y, *mean_and_scale(b, x, axes, eps)


@op("native_group_norm")
def _group_norm(
    b: Builder,
    x: int,
    weight: int | None,
    bias: int | None,
    n: Length,
    c: Length,
    hw: Length,
    groups: int,
    eps: float,
) -> tuple[int, ...]:
    per = Size.of(c).divide(groups)
    if per is None:
        raise TraceError("channels that are not a multiple of the groups", given=str(c))
    grouped = b.reshape(x, [Size.of(n), groups, per * Size.of(hw)])
    mean, scale = mean_and_scale(b, grouped, [2], eps)
    weight, bias = factors_along_channels(b, x, weight, bias)
    if keeps_roundings():  # x a + b is computed of all of x, with an a for each channel
        wide = [b.reshape(b.broadcast_to(m, b.shape(grouped)), b.shape(x)) for m in (mean, scale)]
        return standardise(b, x, wide[0], wide[1], weight, bias), mean, scale
    y = b.reshape(standardise(b, grouped, mean, scale, None, None), b.shape(x))
    if weight is not None:
        y = b.mul(y, weight)
    if bias is not None:
        y = b.add([y, bias])
    return y, mean, scale


@op("_native_batch_norm_legit_no_training")
def _batch_norm(
    b: Builder,
    x: int,
    weight: int | None,
    bias: int | None,
    mean: int,
    var: int,
    momentum: float,
    eps: float,
) -> tuple[int, ...]:
    scale = formulas.rsqrt(b, b.add([var, b.const(eps)]))
    middle, factor = along_channels(b, x, mean), along_channels(b, x, scale)
    weights = factors_along_channels(b, x, weight, bias)
    return standardise(b, x, middle, factor, *weights), mean, scale


@op("_native_batch_norm_legit", "_native_batch_norm_legit_functional")
def _batch_norm_legit(
    b: Builder, x: int, weight: int | None, bias: int | None, *more: float | bool | None
) -> tuple[int, ...]:
    """Normalises with the statistics of the batch; running statistics are not read."""
    training, _, eps = more[-3:]
    if training is not True:
        raise TraceError(
            "batch normalisation by running statistics that a call changes",
            code=ErrorCode.TRACE_STATE,
        )
    axes = [i for i in range(len(b.shape(x))) if i != 1]
    mean, scale = mean_and_scale(b, int(x), axes, eps or 0.0, in_one_pass=True)
    weights = factors_along_channels(b, x, weight, bias)
    return standardise(b, int(x), mean, scale, *weights), mean, scale
