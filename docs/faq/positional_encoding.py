"""Do positional encodings break permutation equivariance?

Their purpose is to break it. Attention without them treats its rows alike; encodings that are
added to the rows distinguish them. If the encodings are an argument that is permuted with the rows
(`E: n c`), the claim is different, and holds again.

Asked in [set_transformer #10](https://github.com/juho-lee/set_transformer/issues/10),
[TokenSet #2](https://github.com/Gengzigang/TokenSet/issues/2).
"""

import numpy as np

import eqvproof as ep


@ep.claim("X: n c -> n c", under="S(n)")
def attention(X):
    weight = np.exp(X @ X.T)
    return weight @ X / weight.sum(axis=1, keepdims=True)


@ep.claim("X: n c, E: n! c -> n c", under="S(n)")
@ep.claim("X: n c, E: n c -> n c", under="S(n)")
def with_positions(X, E):
    return attention(X + E)
