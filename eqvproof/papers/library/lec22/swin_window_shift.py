"""Equivariance of window attention to cyclic shifts."""

from collections.abc import Mapping

import numpy as np

from eqvproof.papers.library.lec22.windows import window_attention, window_attention_on_line
from eqvproof.papers.statements import (
    AtSizes,
    Claim,
    Conjunction,
    Equivariance,
    Instance,
    NotFor,
    Proposition,
)

#: Number k of windows, each of m tokens.
SIZES = ({"k": 2, "m": 2}, {"k": 3, "m": 2}, {"k": 2, "m": 3}, {"k": 3, "m": 3})


def no_other_shifts(sizes: Mapping[str, int]) -> Claim:
    """Claims that, for some weights and tokens, only shifts by multiples of m commute."""
    k, m = sizes["k"], sizes["m"]

    def commutes(s: int) -> Claim:
        point = {"x": np.eye(k * m, dtype=int)[0], "weights": [0, 0, 1]}
        return Instance(
            lambda x, weights: window_attention_on_line(np.roll(x, s), weights, k),
            lambda x, weights: np.roll(window_attention_on_line(x, weights, k), s),
            f"x: {k * m}, weights: 3 -> {k * m}",
            point,
        )

    return Conjunction({f"not by {s}": NotFor(commutes(s)) for s in range(k * m) if s % m})


STATEMENT = Proposition(
    id="lec22.swin.window-shift",
    place="Extensions: Swin Transformer, window-based MSA",
    printed="window attention is equivariant to cyclic shifts by multiples of the window size, and"
    " to no others",
    claim=Conjunction(
        {
            "multiples of the window": Equivariance(
                window_attention, "X: k m d, WQ: d r, WK: d r, WV: d f -> k m f", under="C(k)"
            ),
            "no others": AtSizes(no_other_shifts, SIZES),
        }
    ),
    reading=(
        "k m tokens on a circle, in k windows of m; a shift of all tokens by m is a shift of the"
        " windows by one. In the plane the same holds in each direction",
        "no others: for other shifts there are weights and tokens with f(shift x) different from"
        " shift f(x). There are at least two windows: attention in a single window is standard"
        " attention, with which the slide contrasts it",
    ),
)
