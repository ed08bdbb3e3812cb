"""May I add a small matrix before inverting a covariance?

A multiple of the identity, yes. Other diagonal matrices, for instance with distinct entries to
break ties, depend on the choice of axes: if the regulariser is small then the error is small, but
it is not zero.

Asked in [pre-training-via-denoising #5](https://github.com/shehzaidi/pre-training-via-denoising/issues/5).
"""

import numpy as np

import eqvproof as ep


@ep.claim("X: n d -> n d", under="O(d)")
def with_identity(X):
    d = X.shape[1]
    return X @ np.linalg.inv(X.T @ X + 1e-3 * np.eye(d))


@ep.claim("X: n d -> n d", under="O(d)", sizes={"d": 3})
def with_distinct_entries(X):
    return X @ np.linalg.inv(X.T @ X + np.diag([1e-3, 2e-3, 3e-3]))
