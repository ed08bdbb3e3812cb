"""Is max pooling permutation invariant?

Over the points, yes, and so are sum, mean and sorted values. Joining the features of all points in the
order of the points is not. And what permutations allow, rotations need not: the entrywise maximum of
vectors is no vector.

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
