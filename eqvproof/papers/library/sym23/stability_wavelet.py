"""The wavelet transform at one scale, under small deformations."""

from eqvproof.papers.library.sym23.haar import (
    commutator_norm,
    kernel_norm,
    pad_signal,
    pad_translated,
    points,
    wavelet_coefficients,
)
from eqvproof.papers.statements import Conjunction, Enumeration, ForEvery, Identity, Proposition

STATEMENT = Proposition(
    id="sym23.stability.wavelet",
    place="Framework, Locality",
    printed="|f(*_t x) - f(x)| / |x| = O(eps) for every t with |t'| <= eps, f(x)(u) = W(x)(u, xi)"
    " at a fixed scale xi",
    claim=ForEvery(
        {
            "t constant, Haar wavelet": Identity(
                lambda x: wavelet_coefficients(pad_translated(x)),
                lambda x: wavelet_coefficients(pad_signal(x)),
                "x: n -> n+2",
            )
        }
    ),
    reading=(
        "*_t x(u) = x(u - t(u)); a constant t has t' = 0 <= eps for every eps > 0, so that O(eps)"
        " for all such t forces f(*_t x) = f(x) for translations: we check this. The source"
        " excludes constants; but a t that is constant near x and the compared values, with a"
        " small bump far away, gives the same values",
        "psi is the Haar wavelet, 1 on [0, 1/2) and -1 on [1/2, 1), xi = 1; x is constant on cells"
        " of length 1/2, zero outside n of them; values are compared at multiples of 1/2",
    ),
).repaired_as(
    printed="|f(*_t x) - *_t f(x)| <= 3 eps (1 - eps)^(-1/2) |x| for t(u) = eps u, 0 <= eps <="
    " 1/2, f with the Haar wavelet",
    claim=Conjunction(
        {
            "L1 norm of the kernel = 3 eps, piece by piece": Identity(
                commutator_norm,
                lambda eps: 3 * eps,
                "eps: () -> ()",
                domain=lambda at: 0 <= at["eps"] <= 1 / 2,
                where="0 <= eps <= 1/2",
            ),
            "L1 norm of the kernel, as an integral": Enumeration(
                kernel_norm, lambda eps: 3 * eps, "eps: () -> ()", points, "eps = k/32, k = 0 .. 16"
            ),
        }
    ),
    assumptions="Young's inequality: a convolution with k has L2 norm at most the L1 norm of k",
    reading=(
        "approximately equivariant, as the source concludes: f(*_t x) is compared with *_t f(x)."
        " Only for dilations, and one wavelet",
        "with s = 1 - eps, f(*_t x)(u) - *_t f(x)(u) = (k * x)(s u) for k(y) = psi(y / s) / s -"
        " psi(y), correlated with "
        "x; the dilation by s multiplies the L2 norm by s^(-1/2)",
    ),
)
