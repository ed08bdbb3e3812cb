"""A position encoding."""

import numpy as np

from eqvproof.papers.library.my23.notation import attention
from eqvproof.papers.statements import Array, Conjunction, Equivariance, NotFor, Remark

SIGNATURE = "WQ: r 2, WK: r 2, WV: 2 2, X: 2 n -> 2 n"


def encoding(X: Array) -> Array:
    """Computes the position encoding E for d = 2, so that i = 1 and n^{2i/d} = n.

    E_{2i-1,j} = sin(j / n^{2i/d}) and E_{2i,j} = cos(j / n^{2i/d}).
    """
    n = X.shape[1]
    angles = (np.arange(n) + 1) / n
    return np.stack([np.sin(angles), np.cos(angles)])


STATEMENT = Remark(
    id="my23.sec4.position",
    place="§4, and its footnote",
    printed="f permutation equivariant; X -> f(X + E) with a position encoding E need not be",
    claim=Conjunction(
        {
            "f = Attn is equivariant": Equivariance(attention, SIGNATURE, under="S(n)"),
            "f(X P + E P) = f(X + E) P": Equivariance(
                lambda WQ, WK, WV, X, E: attention(WQ, WK, WV, X + E),
                SIGNATURE.replace(" ->", ", E: 2 n ->"),
                under="S(n)",
            ),
            "not f(X P + E) = f(X + E) P for f(X) = X": NotFor(
                Equivariance(lambda X: X + encoding(X), "X: 2 n -> 2 n", under="S(n)")
            ),
        }
    ),
    reading=(
        "need not be: there are an equivariant f and a position encoding E for which X -> f(X + E)"
        " is not equivariant",
        "E is the encoding of the footnote, at d = 2. The equivariant f is the self-attention"
        " (2.1); for the claim that f(X + E) is not equivariant, f is the identity, which is (2.1)"
        " with W_V = 0",
    ),
)
