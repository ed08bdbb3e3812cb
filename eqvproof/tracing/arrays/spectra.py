"""Fourier transforms, represented by the arrays of which they are transforms.

An array of frequencies is stored as the array u whose transform it is,
``F u[k] = sum_j u[j] exp(-2 pi i j k / n)``, so that a Program needs no complex numbers: a product
of transforms is the transform of a circular convolution, a product with a conjugate that of a
correlation, and ``|F u|^2`` the transform of the correlation of u with itself, which is invariant
under shifts of u. Real and imaginary parts, where they are needed, are sums with cosines and sines.

Source: the convolution theorem; Wiener and Khinchin for the correlation.
"""

from __future__ import annotations

from dataclasses import dataclass

from eqvproof.programs import Builder, Size
from eqvproof.support.errors import ShapeError

Labels = list[int]


@dataclass(frozen=True, slots=True)
class Spectrum:
    """A complex array, stored as the transform of re + i im along some axes.

    Attributes:
        re: a node.
        im: a node, or None for zero.
        axes: the axes along which it is transformed, from 0 up.
        conjugate: whether the conjugate of the transform is meant.
        half: an axis that holds only the frequencies up to n/2 (rfft), or None.
    """

    re: int
    im: int | None
    axes: tuple[int, ...]
    conjugate: bool = False
    half: int | None = None


def last(b: Builder, x: int, axis: int) -> int:
    """Returns the value with one axis moved to the end."""
    rank = len(b.shape(x))
    return b.transpose(x, [*(i for i in range(rank) if i != axis), axis])


def shifts(b: Builder, x: int, axes: tuple[int, ...], sign: int) -> tuple[int, Labels, Labels]:
    """Returns x[i + sign j] along each axis: the node, its labels, and those of j for `axes`.

    The label i of an axis of x is its number.
    """
    rank = len(b.shape(x))
    labels = list(range(rank))
    second: Labels = []
    for axis in axes:
        at = labels.index(axis)
        x = b.circulant(last(b, x, at), b.shape(x)[at], sign)
        labels = [*labels[:at], *labels[at + 1 :], axis, rank + len(second)]
        second.append(labels[-1])
    return x, labels, second


def convolved(b: Builder, x: int, y: int, axes: tuple[int, ...]) -> int:
    """Returns sum_j x[i - j] y[j], circular along the axes, elementwise along the others."""
    x, y = _alike(b, x, y, axes)
    moved, labels, second = shifts(b, x, axes, -1)
    row = [second[axes.index(k)] if k in axes else k for k in range(len(b.shape(y)))]
    return b.einsum([moved, y], [labels, row], range(len(row)))


def correlated(b: Builder, x: int, y: int, axes: tuple[int, ...]) -> int:
    """Returns sum_j x[j + i] y[j], circular along the axes."""
    x, y = _alike(b, x, y, axes)
    moved, labels, second = shifts(b, x, axes, 1)
    output = [second[axes.index(k)] if k in axes else k for k in range(len(b.shape(y)))]
    return b.einsum([moved, y], [labels, list(range(len(output)))], output)


def _alike(b: Builder, x: int, y: int, axes: tuple[int, ...]) -> tuple[int, int]:
    shape = b.broadcast_shapes([b.shape(x), b.shape(y)])
    if any(b.shape(v)[k - len(shape)] != shape[k] for v in (x, y) for k in axes):
        raise ShapeError(
            "a product of transforms of different lengths",
            given="two transforms",
            expected="one length",
            hint="transform arrays of one length",
        )
    return b.broadcast_to(x, shape), b.broadcast_to(y, shape)


def reversed_(b: Builder, x: int, axes: tuple[int, ...]) -> int:
    """Returns x[-j mod n] along the axes."""
    for axis in axes:
        x = b.roll(b.flip(x, axis), axis, 1)
    return x


def plain(b: Builder, s: Spectrum) -> Spectrum:
    """Returns an equal spectrum without a conjugate: conj(F u) = F(conj(u) reversed)."""
    if not s.conjugate:
        return s
    im = None if s.im is None else b.neg(reversed_(b, s.im, s.axes))
    return Spectrum(reversed_(b, s.re, s.axes), im, s.axes, half=s.half)


def product(b: Builder, s: Spectrum, t: Spectrum) -> Spectrum:
    """Returns the product of two transforms along the same axes."""
    if s.axes != t.axes or s.half != t.half:
        raise ShapeError(
            "a product of transforms along different axes",
            given="two transforms",
            expected="one axis",
            hint="transform along the same axis",
        )
    if s.conjugate and not t.conjugate:
        s, t = t, s
    if t.conjugate and not s.conjugate:  # F s conj(F t) = F of sum_j s[j + i] conj t[j]
        found = _sum(
            b, correlated, (s.re, s.im), (t.re, None if t.im is None else b.neg(t.im)), s.axes
        )
        return Spectrum(*found, s.axes, half=s.half)
    found = _sum(b, convolved, (s.re, s.im), (t.re, t.im), s.axes)
    return Spectrum(*found, s.axes, conjugate=s.conjugate, half=s.half)


Parts = tuple[int, int | None]


def _sum(b: Builder, combine: object, x: Parts, y: Parts, axes: tuple[int, ...]) -> Parts:
    """Returns (x + i x') (y + i y') for a bilinear map."""

    def both(u: int | None, v: int | None) -> int | None:
        if u is None or v is None:
            return None
        if combine is convolved:
            return convolved(b, u, v, axes)
        return correlated(b, u, v, axes)

    re, low = both(x[0], y[0]), both(x[1], y[1])
    parts = [p for p in (both(x[0], y[1]), both(x[1], y[0])) if p is not None]
    first = re if low is None or re is None else b.sub(re, low)
    if first is None:
        raise ShapeError(
            "a product of nothing",
            given="no factors",
            expected="one at least",
            hint="leave the product out",
        )
    return first, (b.add(parts) if len(parts) == 2 else parts[0] if parts else None)


def waves(b: Builder, size: Size, fn: str) -> int:
    """Returns cos or sin of 2 pi j k / n, for j and k below n."""
    places = b.einsum([b.iota(size), b.iota(size)], [[0], [1]], [0, 1])
    step = b.mul(b.mul(b.const(2), b.pi()), b.map("recip", [b.size(size)]))
    return b.map(fn, [b.mul(step, places)])


def _transformed(b: Builder, x: int, axis: int, fn: str) -> int:
    rank = len(b.shape(x))
    row = list(range(rank))
    output = [rank if k == axis else k for k in row]
    return b.einsum([x, waves(b, b.shape(x)[axis], fn)], [row, [axis, rank]], output)


def parts(b: Builder, s: Spectrum) -> tuple[int, int]:
    """Returns the real and imaginary parts, in frequencies along all axes."""
    s = plain(b, s)
    re, im = s.re, s.im
    for axis in s.axes:  # (re + i im) (cos - i sin)
        cosines = (
            _transformed(b, re, axis, "cos"),
            None if im is None else _transformed(b, im, axis, "cos"),
        )
        sines = (
            _transformed(b, re, axis, "sin"),
            None if im is None else _transformed(b, im, axis, "sin"),
        )
        if sines[1] is None:
            re = cosines[0]
        else:
            re = b.add([cosines[0], sines[1]])
        if cosines[1] is None:
            im = b.neg(sines[0])
        else:
            im = b.sub(cosines[1], sines[0])
    if im is None:
        im = b.broadcast_to(b.const(0), b.shape(re))
    else:
        im = im
    return cut(b, re, s.half), cut(b, im, s.half)


def cut(b: Builder, x: int, half: int | None) -> int:
    """Returns the frequencies up to n/2 of an axis."""
    if half is None:
        return x
    size = b.shape(x)[half].constant
    if size is None:
        raise ShapeError(
            "the frequencies of rfft: how many depends on the size",
            hint="use np.fft.fft, or give sizes=",
            given="an axis whose size is not known",
            expected="a known size",
        )
    return b.slice(x, half, 0, size // 2 + 1)


def power(b: Builder, s: Spectrum) -> int:
    """Returns |F u|^2, the (real) transform of the correlation of u with itself."""
    found = b.add([correlated(b, v, v, s.axes) for v in (s.re, s.im) if v is not None])
    if s.im is not None and len(s.axes) > 1:
        raise ShapeError(
            "the modulus of a transform of complex numbers along several axes",
            given="a transform along several axes", expected="a transform along one axis",
            hint="transform one axis after the other",
        )  # fmt: skip
    if len(s.axes) == 1:  # what is odd under i -> -i has no part in the modulus
        total = _transformed(b, found, s.axes[0], "cos")
        if s.im is not None:
            cross = b.sub(correlated(b, s.im, s.re, s.axes), correlated(b, s.re, s.im, s.axes))
            total = b.add([total, _transformed(b, cross, s.axes[0], "sin")])
        return cut(b, total, s.half)
    return parts(b, Spectrum(found, None, s.axes, half=s.half))[0]


def modulus(b: Builder, s: Spectrum) -> int:
    """Returns |F u|; its square is never negative, which rounding may violate."""
    squared = power(b, s)
    return b.map("sqrt", [b.map("maximum", [squared, b.const(0)])])


def even(b: Builder, x: int, axis: int) -> Spectrum:
    """Returns real frequencies x[k] = x[n - k] as a transform, stored up to n/2.

    It is the transform of sum_k x[k] cos(2 pi j k / n) / n, since the sines of k and n - k cancel.
    """
    found = Spectrum(_transformed(b, x, axis, "cos"), None, (axis,), half=axis)
    return scaled(b, found, b.map("recip", [b.size(b.shape(x)[axis])]))


def forward(b: Builder, s: Spectrum, axis: int) -> Spectrum:
    """Returns the transform along one more axis.

    Of a transform along that axis it is n times the reversed array.
    """
    b.accept_other_formula("Fourier transforms")
    s = plain(b, s)
    if axis not in s.axes:
        return Spectrum(s.re, s.im, tuple(sorted((*s.axes, axis))), half=s.half)
    return scaled(b, backward(b, s, axis, reverse=True), b.size(b.shape(s.re)[axis]))


def backward(b: Builder, s: Spectrum, axis: int, *, reverse: bool = False) -> Spectrum:
    """Returns the inverse transform along an axis."""
    b.accept_other_formula("Fourier transforms")
    s = plain(b, s)
    flip = (lambda x: reversed_(b, x, (axis,))) if reverse or axis not in s.axes else (lambda x: x)
    re, im = flip(s.re), None if s.im is None else flip(s.im)
    if axis in s.axes:
        half = None if s.half == axis else s.half
        return Spectrum(re, im, tuple(a for a in s.axes if a != axis), half=half)
    found = Spectrum(re, im, tuple(sorted((*s.axes, axis))), half=s.half)
    return scaled(b, found, b.map("recip", [b.size(b.shape(re)[axis])]))


def scaled(b: Builder, s: Spectrum, factor: int) -> Spectrum:
    """Multiplies by real numbers that do not vary along the transformed axes."""
    im = None if s.im is None else b.mul(s.im, factor)
    return Spectrum(b.mul(s.re, factor), im, s.axes, s.conjugate, s.half)
