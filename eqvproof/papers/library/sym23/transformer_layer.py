"""The attention layer that results from the printed phi and psi."""

import numpy as np

from eqvproof.papers.library.sym23.attention import WEIGHTS, causal, layer, scores
from eqvproof.papers.statements import Array, Identity, Remark


def printed_layer(Q: Array, K: Array, V: Array, Out: Array, X: Array) -> Array:
    """Computes x_i + sum_h O_h^T (sum_{j<=i} a_h(x_i, x_j) V_h x_j)."""
    inner = np.einsum("hij,hef,jf->hie", scores(Q, K, X, causal(X)), V, X)
    return X + np.einsum("hed,hie->id", Out, inner)


STATEMENT = Remark(
    id="sym23.transformer.layer",
    place="Architectures, Transformer",
    printed="the choices give f(X, A)_i = x_i + sum_h O_h^T (sum_{j<=i} a_h(x_i, x_j) V_h x_j)",
    claim=Identity(
        lambda Q, K, V, Out, X: layer(Q, K, V, Out, X, causal(X)),
        printed_layer,
        f"{WEIGHTS}, X: n d -> n d",
    ),
    reading=(
        "h heads; d_head is written r; the tokens are the rows of X; the last printed form of a_h"
        " omits the index h of Q and K",
        "a_h(x_i, x_j) is defined for neighbours j <= i; we set it to 0 for j > i, so that the sum"
        " over all j is the printed one",
    ),
)
