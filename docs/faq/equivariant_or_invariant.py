"""Is self-attention permutation invariant, or equivariant?

Equivariant: its rows are reordered with the points. It becomes invariant if it is followed by
pooling, or if the queries do not come from the points (`Q: k! c`). In a signature, invariance
means that no axis of the result is named n.

Asked in [udlbook #131](https://github.com/udlbook/udlbook/issues/131),
[PCT #5](https://github.com/MenghaoGuo/PCT/issues/5).
"""

import numpy as np

import eqvproof as ep


@ep.claim("X: n c -> n c", under="S(n)")
@ep.claim("X: n c -> n! c", under="S(n)")
def attention(X):
    weight = np.exp(X @ X.T)
    return weight @ X / weight.sum(axis=1, keepdims=True)


@ep.claim("X: n c, Q: k c -> k c", under="S(n)")
def learned_queries(X, Q):
    weight = np.exp(Q @ X.T)
    return weight @ X / weight.sum(axis=1, keepdims=True)
