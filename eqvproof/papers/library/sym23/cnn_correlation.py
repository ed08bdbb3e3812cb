"""The group convolution for translations."""

from collections.abc import Mapping
from itertools import product

from eqvproof.papers.library.sym23.convolution import delta, over_differences, over_translations
from eqvproof.papers.statements import Array, AtSizes, Claim, Conjunction, Identity, Remark

SIZES = tuple({"h": h, "w": w} for h, w in ((1, 1), (1, 2), (1, 3), (2, 2), (2, 3), (3, 3)))
FILTER = (1, 2, 3)


def at(sizes: Mapping[str, int]) -> Claim:
    """Claims that both formulas agree at given sizes."""
    return Identity(over_translations, over_differences, "x: h w, theta: h w -> h w", sizes=sizes)


def by_deltas(x: Array, W: Array) -> Array:
    """Computes sum_z x(z) theta(z - (u, v)) for theta = sum_ij w_ij theta_ij.

    x has 3 more rows and columns than the result.
    """
    (h, w), total = (x.shape[0] - 3, x.shape[1] - 3), x.shape
    return sum(
        W[i - 1, j - 1] * (delta(h, total[0], i) @ x @ delta(w, total[1], j).T)
        for i, j in product(FILTER, FILTER)
    )


def by_shifts(x: Array, W: Array) -> Array:
    """Computes sum_ij w_ij x(u + i, v + j)."""
    h, w = x.shape[0] - 3, x.shape[1] - 3
    return sum(W[i - 1, j - 1] * x[i : i + h, j : j + w] for i, j in product(FILTER, FILTER))


STATEMENT = Remark(
    id="sym23.cnn.correlation",
    place="Architectures, CNN",
    printed="C_theta(x)(u) = sum_v x(v) theta(v - u); for theta_ij(u, v) = delta(u - i, v - j),"
    " C_{theta_ij}(x)(u, v) = x(u + i, v + j); "
    "C_theta(x)(u, v) = sum_ij w_ij x(u + i, v + j)",
    claim=Conjunction(
        {
            "C_theta(x)(u) = sum_v x(v) theta(v - u)": AtSizes(at, SIZES),
            "sum_ij w_ij C_{theta_ij}(x)(u, v) = sum_ij w_ij x(u + i, v + j)": Identity(
                by_deltas, by_shifts, "x: h+3 w+3, W: 3 3 -> h w"
            ),
        }
    ),
    reading=(
        "the first formula on a torus Z_h x Z_w, where all sums are finite",
        "the others on a window of Z^2: x has 3 more rows and columns than the part in which"
        " C_theta(x) is compared; the filter is 3 x 3 with any weights, and smaller filters and"
        " the single theta_ij have zero weights",
    ),
)
