"""Is sort pooling permutation invariant?

Sorting every column separately is. Sorting whole rows by one column is invariant only if that
column has no ties, since tied rows keep their input order. Random tests never draw a tie.

Asked in [stellargraph #1210](https://github.com/stellargraph/stellargraph/pull/1210).
"""

import numpy as np

import eqvproof as ep


@ep.claim("X: n c -> n! c", under="S(n)")
def sorted_columns(X):
    return np.sort(X, axis=0)


@ep.claim("X: n 2 -> n! 2", under="S(n)")
def sorted_by_last_column(X):
    return X[np.argsort(X[:, -1], kind="stable")]
