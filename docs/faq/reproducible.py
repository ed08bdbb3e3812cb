"""The network is invariant, and still two orders of the nodes give different numbers.

Over the real numbers a sum does not depend on the order; over floats it does. `about="floats"`
asks whether the bits are equal. A maximum has equal bits, a sum does not. `ep.deepsets.pool` sums
with the same bits in every order.

Asked in [pytorch_geometric #2788](https://github.com/pyg-team/pytorch_geometric/issues/2788),
[pytorch_scatter #226](https://github.com/rusty1s/pytorch_scatter/issues/226),
[pytorch_geometric #446](https://github.com/pyg-team/pytorch_geometric/issues/446).
"""

import eqvproof as ep


@ep.claim("X: n c -> c", under="S(n)")
@ep.claim("X: n c -> c", under="S(n)", about="floats", sizes={"n": (1, 6), "c": 1})
def added(X):
    return X.sum(axis=0)


@ep.claim("X: n c -> c", under="S(n)", about="floats", sizes={"n": (1, 6), "c": 1})
def largest(X):
    return X.max(axis=0)
