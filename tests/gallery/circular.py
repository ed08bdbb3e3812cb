"""Signals on a circle or a torus: convolutions, filters, pooling; shifts and reflections."""

from __future__ import annotations

import numpy as np

from tests.gallery.layer import Gallery, Slip

GALLERY = layer = Gallery(__file__)
rng = np.random.default_rng(8)
KERNEL = rng.normal(size=(3, 2, 4))
DEEP = rng.normal(size=(3, 4, 4))


def convolve(x, kernel, dilation=1):
    taps = len(kernel)
    return sum(np.roll(x, dilation * (k - taps // 2), axis=0) @ kernel[k] for k in range(taps))


@layer(
    "circular convolution", "x: n 2 -> n 4", "C(n)",
    Slip("zeros beyond the end", "np.roll(x, 1, axis=0)", "np.vstack([0 * x[:1], x[:-1]])"),
    Slip("the reversed signal", "np.roll(x, -1, axis=0)", "x[::-1]"),
)  # fmt: skip
def circular_convolution(x):
    left = np.roll(x, 1, axis=0)
    right = np.roll(x, -1, axis=0)
    return left @ KERNEL[0] + x @ KERNEL[1] + right @ KERNEL[2]


@layer(
    "circular CNN", "x: n 2 -> n 4", "C(n)",
    Slip("the position is added", "np.maximum(convolve(x, KERNEL), 0)",
         "np.maximum(convolve(x, KERNEL) + np.arange(len(x))[:, None], 0)"),
    Slip("running sums for pooling", "h.mean(axis=0)", "np.cumsum(h, axis=0)"),
)  # fmt: skip
def circular_cnn(x):
    h = np.maximum(convolve(x, KERNEL), 0)
    h = h + np.tanh(convolve(h, DEEP, dilation=2))
    h = h - h.mean(axis=0)
    return np.maximum(convolve(h, DEEP), 0)


@layer(
    "circular CNN with global pooling", "x: n 2 -> 4", "C(n)",
    Slip("the first place in place of the mean", "h.mean(axis=0)", "h[0]"),
    Slip("every second place", "h.mean(axis=0)", "h[::2].mean(axis=0)"),
)  # fmt: skip
def pooled_cnn(x):
    h = np.maximum(convolve(x, KERNEL), 0)
    return h.mean(axis=0)


@layer(
    "convolution on a torus", "x: h w 2 -> h w 4", "C(h) x C(w)",
    Slip("rows padded with zeros", "np.roll(x, (a, b), axis=(0, 1))",
         "np.vstack([0 * x[:1], np.roll(x, (a, b), axis=(0, 1))[1:]])", "C(h)"),
    Slip("the second axis reversed", "return np.tanh(out)", "return np.tanh(out[:, ::-1])", "C(w)"),
)  # fmt: skip
def torus_convolution(x):
    out = 0.0
    for a in (-1, 0, 1):
        for b in (-1, 0, 1):
            out = out + np.roll(x, (a, b), axis=(0, 1)) @ KERNEL[(a + b) % 3]
    return np.tanh(out)


@layer(
    "symmetric filter", "x: n -> n", "D(n)",
    Slip("weights that are not symmetric", "0.25 * np.roll(x, -1)", "0.5 * np.roll(x, -1)", culprit=False),
)  # fmt: skip
def binomial_filter(x):
    return 0.25 * np.roll(x, 1) + 0.5 * x + 0.25 * np.roll(x, -1)


@layer(
    "squared differences of neighbours", "x: n -> ()", "D(n)",
    Slip("the step over the end is left out", "(x - np.roll(x, 1)) ** 2", "(x - np.roll(x, 1))[1:] ** 2"),
)  # fmt: skip
def energy(x):
    steps = (x - np.roll(x, 1)) ** 2
    return steps.sum()


@layer(
    "autocorrelation by shifts", "x: n -> 4", "C(n)",
    Slip("shifts without the wrap", "np.roll(x, s)", "np.roll(x, s) * (np.arange(len(x)) >= s)"),
)  # fmt: skip
def autocorrelation(x):
    return np.array([(x * np.roll(x, s)).sum() for s in range(4)])


@layer(
    "maximum over neighbours", "x: n 2 -> n 2", "C(n)",
    Slip("the largest so far", "np.roll(x, 1, axis=0)", "np.maximum(x, x[0])"),
)  # fmt: skip
def max_filter(x):
    return np.max([np.roll(x, 1, axis=0), x, np.roll(x, -1, axis=0)], axis=0)


@layer(
    "discrete Laplacian and gradient norm", "x: h w -> h w", "C(h) x C(w)",
    Slip("one difference at the border", "np.roll(x, -1, 1)", "np.hstack([x[:, 1:], x[:, -1:]])", "C(w)"),
)  # fmt: skip
def diffusion(x):
    up, down = np.roll(x, 1, 0), np.roll(x, -1, 0)
    left, right = np.roll(x, 1, 1), np.roll(x, -1, 1)
    speed = 1 / (1 + (down - up) ** 2 + (right - left) ** 2)
    return x + 0.1 * speed * (up + down + left + right - 4 * x)


@layer(
    "modulus of the discrete Fourier transform", "x: n -> n!", "C(n)",
    Slip("the real part for the modulus", "np.abs(np.fft.fft(x))", "np.real(np.fft.fft(x))"),
    Slip("the transform of the signal and its position", "np.abs(np.fft.fft(x))",
         "np.abs(np.fft.fft(x * np.arange(len(x))))"),
)  # fmt: skip
def dft_modulus(x):
    return np.abs(np.fft.fft(x))


@layer(
    "circular convolution by Fourier transforms", "x: n, k: n! -> n", "C(n)",
    Slip("the modulus of a transform", "np.fft.fft(x) * np.fft.fft(k)",
         "np.abs(np.fft.fft(x)) * np.fft.fft(k)"),
)  # fmt: skip
def fft_convolution(x, k):
    return np.real(np.fft.ifft(np.fft.fft(x) * np.fft.fft(k)))
