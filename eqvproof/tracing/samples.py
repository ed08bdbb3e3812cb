"""Sizes and inputs on which a Program is compared with its target."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import product
from math import prod

import numpy as np

from eqvproof.claims.signature import Signature
from eqvproof.programs.operations import Operation
from eqvproof.support.errors import TraceError
from eqvproof.tracing.arrays.values import Numbers

Array = Numbers
#: Styles without ties: a comparison of two entries is decided by more than a rounding error.
GENERIC = frozenset({"normal", "negative", "large", "tiny", "positive", "singular"})
PRIMES = (2, 3, 5, 7, 4, 6)
LARGE = 67
#: Largest number of entries in one value of a Program during a replay.
MOST_ENTRIES = 200_000
#: Products and entries that the comparisons of one Program may take together (the first few are
#: made anyway); and the time to fetch an entry of a constant from memory, in products.
MOST_WORK, FETCHED = 1e9, 16
#: Largest number of integers from a target's code that are used as sizes, and of numbers as
#: magnitudes.
MOST_MINED = 6

STYLES = (
    "normal",
    "integers",
    "zeros",
    "ones",
    "ties",
    "negative",
    "large",
    "tiny",
    "one-hot",
    "positive",
    "singular",
)
#: Styles for targets without jumps, in the order of sizes: small sizes first, then large ones.
PLAIN_STYLES = ("negative", "zeros", "integers", "large", "normal", "one-hot")
#: Styles at which definedness is compared: no overflow is to be expected.
MODERATE = frozenset(STYLES) - {"large"}

#: The range of each axis size that a claim covers, by name: from the first number to the second,
#: without an upper end where that is None.
Spans = Mapping[str, tuple[int, int | None]]
NO_SPANS: Spans = {}
Job = tuple[dict[str, int], str]


def lower_ends(spans: Spans) -> dict[str, int]:
    """Returns the least size of each span."""
    return {name: low for name, (low, _) in spans.items()}


def within(sizes: Mapping[str, int], spans: Spans) -> dict[str, int]:
    """Returns the sizes with those outside their spans moved into them.

    Different sizes below a span are moved to different sizes as far as the span has enough.
    """
    found = dict(sizes)
    for name, (low, high) in spans.items():
        if name in found:
            size = found[name] if found[name] >= low else low + found[name] - 1
            found[name] = size if high is None else min(high, size)
    return found


def limited_to(spans: Spans, limits: Mapping[str, int]) -> dict[str, tuple[int, int | None]]:
    """Returns the spans cut at the greatest sizes in `limits`."""
    found = dict(spans)
    for name, most in limits.items():
        low, high = found.get(name, (1, None))
        found[name] = low, most if high is None else min(high, most)
    return found


def size_choices(names: Sequence[str], constants: Iterable[int | float]) -> list[dict[str, int]]:
    """Lists sizes to compare at.

    These are small sizes, distinct sizes, one large size for each axis, and sizes next to integers
    in the target's code.
    """
    if not names:
        return [{}]
    found: list[dict[str, int]] = [dict.fromkeys(names, s) for s in (1, 2, 3)]
    found.append({n: PRIMES[i % len(PRIMES)] for i, n in enumerate(names)})
    found.append({n: PRIMES[-1 - i % len(PRIMES)] for i, n in enumerate(names)})
    found.append({n: 8 if i % 2 else 1 for i, n in enumerate(names)})
    found.append({n: 1 if i % 2 else 5 for i, n in enumerate(names)})
    for n in names:
        found.append({m: LARGE if m == n else 2 + i % 2 for i, m in enumerate(names)})
    mined = sorted(
        {
            int(c)
            for c in constants
            if isinstance(c, int) and not isinstance(c, bool) and 3 < c <= 200
        }
    )
    for c in mined[:MOST_MINED]:
        for s, n in product((c, c + 1), names):
            found.append({m: s if m == n else 2 for m in names})
    unique: list[dict[str, int]] = []
    for choice in found:
        if choice not in unique:
            unique.append(choice)
    return unique


def jobs(
    names: Sequence[str],
    constants: Iterable[int | float],
    limit: int,
    *,
    jumps: bool,
    is_plain: bool = False,
) -> list[tuple[dict[str, int], str, float]]:
    """Lists the comparisons to make, the most telling ones first: sizes, input style, magnitude.

    Each style is used at one size, and two styles at each other size. For a target that `jumps`,
    where values decide what is computed, each style is used at a second size, too. One that
    `is_plain` is compared once at each size, see `_plain_jobs`.
    """
    numbers = sorted(constants)
    if is_plain:
        return _plain_jobs(names, numbers)[:limit]
    choices = size_choices(names, numbers)
    middle = choices[min(3, len(choices) - 1)]
    found = [(middle, STYLES[0], 1.0)]
    found += [(c, STYLES[0], 1.0) for c in choices if c != middle]
    found += [(middle, style, 1.0) for style in STYLES[1:]]
    found += [(middle, "large", m / 1000.0) for m in magnitudes(numbers)]
    found += [
        (c, STYLES[1 + i % (len(STYLES) - 1)], 1.0) for i, c in enumerate(choices) if c != middle
    ]
    found += [(choices[min(1, len(choices) - 1)], style, 1.0) for style in STYLES[1:] if jumps]
    return found[:limit]


def _plain_jobs(
    names: Sequence[str], numbers: Sequence[int | float]
) -> list[tuple[dict[str, int], str, float]]:
    """Lists the comparisons of a target whose Program is one formula without jumps.

    Its Program computes the same formula at all inputs, so that one comparison serves a size and a
    style at once. Sizes are all different, all equal, all or one of them 1, and one of them large.
    """
    choices = size_choices(names, numbers)
    middle = choices[min(3, len(choices) - 1)]
    extra = (
        dict.fromkeys(names, 3),
        {n: PRIMES[-1 - i % len(PRIMES)] for i, n in enumerate(names)},
    )
    others = [c for c in choices if c != middle and (len(names) < 2 or c not in extra)]
    found = [(middle, STYLES[0], 1.0)]
    found += [(c, PLAIN_STYLES[i % len(PLAIN_STYLES)], 1.0) for i, c in enumerate(others)]
    found += [(middle, style, 1.0) for style in PLAIN_STYLES[len(others) :] if style != STYLES[0]]
    return found + [(middle, "large", m / 1000.0) for m in magnitudes(numbers)]


def affordable(nodes: Sequence[Operation], found: Sequence[Job], free: int) -> Iterator[Job]:
    """Yields those comparisons, sizes and style, that fit into the remaining work.

    The first three are made, four where sizes can differ from each other, being more than one.

    Args:
        nodes: the values that the target computes, including intermediate ones.
        found: the comparisons, the most telling ones first.
        free: the number of sizes that vary.
    """
    left = MOST_WORK
    for number, (sizes, style) in enumerate(found):
        work = _work(nodes, sizes)
        if number < 3 + (free > 1) or work <= left:
            left -= work
            yield sizes, style


def _work(nodes: Sequence[Operation], sizes: Mapping[str, int]) -> float:
    """Estimates the work of the nodes at these sizes: entries of all values and products summed."""
    found = 0.0
    for node in nodes:
        sides = node.shape if node.as_product is None else node.as_product.labels(nodes).values()
        found += prod(float(s.value(sizes)) for s in sides) * (
            1 if node.constant is None else FETCHED
        )
    return found


def make_inputs(
    signature: Signature,
    sizes: dict[str, int],
    style: str,
    rng: np.random.Generator,
    magnitude: float = 1.0,
) -> dict[str, Array]:
    """Builds input arrays of the declared shapes in one style."""
    result: dict[str, Array] = {}
    for argument in signature.inputs:
        shape = tuple(axis.at(sizes) for axis in argument.axes)
        if argument.indexes is not None:
            result[argument.name] = _positions(shape, style, sizes[argument.indexes], rng)
            continue
        values = np.asarray(_make(shape, style, rng) * magnitude, dtype=np.float64)
        result[argument.name] = values > 0.25 if argument.kind == "bool" else values
    return result


def _positions(shape: tuple[int, ...], style: str, size: int, rng: np.random.Generator) -> Array:
    """Builds an array of positions in an axis: all equal, in order, few or any of them."""
    if style in ("zeros", "ones"):
        return np.full(shape, size - 1 if style == "ones" else 0, dtype=np.int64)
    if style == "one-hot":
        return (np.arange(int(np.prod(shape))) % size).reshape(shape)
    low = max(size - 2, 0) if style == "ties" else 0
    return rng.integers(low, size, shape)


def _make(shape: tuple[int, ...], style: str, rng: np.random.Generator) -> Array:
    if style in ("zeros", "ones"):
        return np.full(shape, float(style == "ones"))
    if style in ("integers", "ties"):
        return rng.integers(*((-3, 4) if style == "integers" else (0, 2)), shape).astype(float)
    if style == "one-hot":
        result = np.zeros(shape)
        if shape:
            flat = result.reshape(-1, shape[-1])
            flat[np.arange(len(flat)), np.arange(len(flat)) % shape[-1]] = 1.0
        return result
    values = rng.standard_normal(shape)
    if style in ("negative", "positive"):
        if style == "positive":
            return np.abs(values) + 0.5
        return -np.abs(values) - 0.25
    if style == "wide":
        return values * 2.0 ** rng.integers(-20, 21, shape)
    if style == "singular" and len(shape) >= 2 and shape[-2] > 1:
        values[..., -1, :] = values[..., 0, :]
    return values * {"large": 1000.0, "tiny": 1e-4}.get(style, 1.0)


def require_finite(count: int) -> None:
    """Raises an error if a target had no finite value at any sample: nothing was compared."""
    if not count:
        raise TraceError(
            "no input was found at which the result is a finite number", code="trace.undefined",
            hint="check for a division by 0, a logarithm of a negative number, nan or inf",
        )  # fmt: skip


def magnitudes(constants: Iterable[int | float]) -> Iterator[float]:
    """Yields magnitudes next to the numbers in the code, beyond those that the styles have."""
    found = sorted({abs(float(c)) for c in constants if 4 < abs(c) < 1e8 or 0 < abs(c) < 1e-3})
    for c in found[:MOST_MINED]:
        yield c
        yield 3 * c
