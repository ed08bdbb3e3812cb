"""Instability of the Fourier modulus under small dilations."""

from eqvproof.papers.library.sym23.bands import dilations, frequency, is_inside, squared_change
from eqvproof.papers.library.sym23.drawings import fourier_against_wavelet
from eqvproof.papers.statements import Conjunction, Enumeration, Identity, Remark

STATEMENT = Remark(
    id="sym23.stability.fourier-unstable",
    place="Framework, Locality",
    printed="under x(u - t(u)) with |t'| <= eps, the relative change of |x^|, over all x, does not"
    " go to 0 with eps",
    claim=Conjunction(
        {
            "the two bands meet in one point": Identity(
                lambda eps: (1 - eps) * (frequency(eps) + 1),
                frequency,
                "eps: () -> ()",
                domain=is_inside,
                where="0 < eps < 1",
            ),
            "squared relative change = 1 + 1 / (1 - eps)": Enumeration(
                squared_change,
                lambda eps: 1 + 1 / (1 - eps),
                "eps: () -> ()",
                dilations,
                "eps = 1/2, 1/4, .., 1/4096",
            ),
            "1 + 1 / (1 - eps) = 1 + (1 / r)^2 >= 1 for eps = 1 - r^2": Identity(
                lambda r: 1 + 1 / (1 - (1 - r * r)),
                lambda r: 1 + (1 / r) ** 2,
                "r: () -> ()",
                domain=lambda at: at["r"] != 0,
                where="r != 0",
            ),
        }
    ),
    reading=(
        "t(u) = eps u, a dilation with t' = eps; for every eps another x, with a frequency near 1"
        " / eps: the supremum over all x does not go to 0",
        "x^ is 1 on a band [w, w + 1] of length 1 and 0 elsewhere; relative change: the L2 norm of"
        " |y^| - |x^| over that of x^. "
        "Real x have a second band at -w, which doubles both",
        "the integral over step functions is evaluated exactly at eps = 2^-k; the first and third"
        " part hold for every eps",
    ),
    picture=fourier_against_wavelet,
)
