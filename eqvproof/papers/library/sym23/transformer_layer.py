"""The attention layer that results from the printed phi and psi."""

import numpy as np

from eqvproof.papers.library.sym23.attention import WEIGHTS, causal, layer, scores
from eqvproof.papers.statements import Array, Identity, Remark


def printed(Q: Array, K: Array, V: Array, Out: Array, X: Array) -> Array:
    """Computes x_i + sum_h O_h^T (sum_{j<=i} a_h(x_i, x_j) V_h x_j)."""
    inner = np.einsum("hij,hef,jf->hie", scores(Q, K, X, causal(X)), V, X)
    return X + np.einsum("hed,hie->id", Out, inner)


STATEMENT = Remark(
    id="sym23.transformer.layer",
    place="Architectures, Transformer",
    printed="the choices give f(X, A)_i = x_i + sum_h O_h^T (sum_{j<=i} a_h(x_i, x_j) V_h x_j)",
    claim=Identity(
        lambda Q, K, V, Out, X: layer(Q, K, V, Out, X, causal(X)),
        printed,
        f"{WEIGHTS}, X: n d -> n d",
    ),
    reading=(
        "h heads; d_head is written e; the tokens are the rows of X; in the last printed form of"
        " a_h the index h of Q and K is left "
        "out, and is meant",
        "a_h(x_i, x_j) is defined for neighbours j <= i, and put 0 for j > i, so that a sum over"
        " all j is the printed one",
    ),
)
