"""The residual is 1e-5. Is it float32 or a bug?

A residual cannot tell. The first function below loses half of its digits in float32, where large
numbers cancel, and is equivariant; the second is off by 1e-7, below every common tolerance, and is
not. A verdict is about the function over the real numbers, so rounding does not matter: a claim
that holds has a proof, and one that fails has a point where exact numbers differ.

Asked in [e3nn #282](https://github.com/e3nn/e3nn/issues/282),
[se3-transformer-pytorch #3](https://github.com/lucidrains/se3-transformer-pytorch/issues/3),
[equiformer_v2 #5](https://github.com/atomicarchitects/equiformer_v2/issues/5).
"""

import numpy as np

import eqvproof as ep


@ep.claim("X: n d -> n n", under="O(d)")
def cancelling(X):
    return (X @ X.T + 1e6) / 1e3 - 1e3


@ep.claim("X: n d -> n d", under="O(d)")
def biased(X):
    return X / np.sqrt((X**2).sum() + 1) + 1e-7
