"""Is max pooling permutation invariant?

Over the points it is, and so are sum, mean and sorted values. Concatenating the features of all
points in the order of the points is not. And an operation that commutes with permutations need not
commute with rotations: the entrywise maximum of vectors is not a vector.

Asked in [pointnet #55](https://github.com/charlesq34/pointnet/issues/55),
[pytorch_geometric #686](https://github.com/pyg-team/pytorch_geometric/issues/686),
[FCGF #48](https://github.com/chrischoy/FCGF/issues/48).
"""

import eqvproof as ep


@ep.claim("X: n c -> c", under="S(n)")
@ep.claim("X: n d -> d", under="O(d)")
def max_pool(X):
    return X.max(axis=0)


@ep.claim("X: n c -> k", under="S(n)")
def join(X):
    return X.reshape(-1)
