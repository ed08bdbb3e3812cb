"""I permuted the nodes, and my graph network gave something else.

Did you permute both axes of the adjacency matrix? A relabelling acts on its rows *and* columns
(`A: n n`). If only the rows are permuted (`A: n n!`), no graph network is equivariant.

Asked in [spektral #114](https://github.com/danielegrattarola/spektral/issues/114),
[chainer-chemistry #142](https://github.com/chainer/chainer-chemistry/issues/142).
"""

import numpy as np

import eqvproof as ep


@ep.claim("X: n c, A: n n -> n c", under="S(n)")
@ep.claim("X: n c, A: n n! -> n c", under="S(n)")
def graph_convolution(X, A):
    degree = 1 + np.abs(A).sum(axis=1, keepdims=True)
    return np.maximum(X + A @ X / degree, 0)
