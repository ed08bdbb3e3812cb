"""Translation invariance of the Fourier modulus."""

import numpy as np

from eqvproof.papers.statements import Array, AtSizes, Conjunction, Equivariance, Identity, Remark

LARGEST = 8


def circulant(x: Array) -> Array:
    """Computes sum_u x(u) S^u for the cyclic shift S of n points.

    Its eigenvalues are the Fourier transform of x.
    """
    return np.stack([np.roll(x, s) for s in range(x.shape[0])])


def modulus(x: Array) -> Array:
    """Computes C C^T for the circulant C of x.

    Its eigenvalues are the squares of the Fourier modulus.
    """
    return circulant(x) @ circulant(x).T


def squared_modulus(C: Array, S: Array) -> Array:
    """Computes |sum_a (C_a + i S_a)|^2."""
    return C.sum() ** 2 + S.sum() ** 2


STATEMENT = Remark(
    id="sym23.stability.fourier-invariant",
    place="Framework, Locality",
    printed="f(x) = |x^|, the modulus of the Fourier transform, is translation invariant: x^ is"
    " multiplied by e^{-i xi v}",
    claim=Conjunction(
        {
            "n points on a circle": AtSizes(
                lambda sizes: Equivariance(modulus, "x: n -> n! n!", under="C(n)", sizes=sizes),
                tuple({"n": n} for n in range(1, LARGEST + 1)),
            ),
            "|sum_a z_a w|^2 = |sum_a z_a|^2 |w|^2": Identity(
                lambda C, S, p, q: squared_modulus(C * p - S * q, S * p + C * q),
                lambda C, S, p, q: squared_modulus(C, S) * (p * p + q * q),
                "C: n, S: n, p: (), q: () -> ()",
            ),
        }
    ),
    assumptions="e^{-i xi (u + v)} = e^{-i xi u} e^{-i xi v} and |e^{-i xi v}| = 1",
    reading=(
        "on a circle of n points all frequencies are checked at once: the squares of |x^| are the"
        " eigenvalues of C C^T for the circulant matrix C of x, in integer arithmetic, without"
        " roots of unity",
        "on the line: for sums x^(xi) = sum_a z_a with z_a = c_a e^{-i xi u_a}, which approximate"
        " the integral, a translation by v multiplies every z_a = C_a + i S_a by w = p + i q ="
        " e^{-i xi v}",
    ),
)
