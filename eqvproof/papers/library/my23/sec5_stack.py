"""Stacks of permutation equivariant layers."""

import eqvproof as ep
from eqvproof.papers.library.my23 import sec5_multihead
from eqvproof.papers.statements import Conjunction, Equational, Equivariance, Remark, Steps

layer = ep.opaque(
    "layer", "h: d n, Z: d k -> d n", under="S(n)", example=lambda h, Z: h + (Z * Z).sum()
)
before = ep.opaque(
    "h", "X: d n, Z: d k -> d n", under="S(n)", example=lambda X, Z: 2 * X + (Z * Z).sum()
)
SIGNATURE = "X: d n, Z: d k -> d n"

STATEMENT = Remark(
    id="my23.sec5.stack",
    place="§5, Compositions and hierarchical feature extraction",
    formal="Rows.my23_sec5_stack",
    printed="h^0 = X, h^l = sum_i W_i^l h^(l-1) g((Z_i^l)^T h^(l-1)), f = h^L satisfies Definition"
    " 4.1",
    claim=Steps(
        Conjunction(
            {
                "h^0": Equivariance(lambda X, Z: X, SIGNATURE, under="S(n)"),
                "from h^(l-1) to h^l": Equivariance(
                    lambda X, Z: layer(before(X, Z), Z), SIGNATURE, under="S(n)"
                ),
                "the same, whatever the dimensions": Equational(
                    "layer(h(act(X, P))) = act(layer(h(X)), P)",
                    {
                        "h^(l-1) is equivariant": "h(act(x, p)) = act(h(x), p)",
                        "the layer is": "layer(act(x, p)) = act(layer(x), p)",
                    },
                    "x p",
                ),
            }
        ),
        steps=(sec5_multihead.STATEMENT,),
        passage="induction on l: a layer is (5.3), applied to h^(l-1)",
    ),
    assumptions="every X g((Z_i^l)^T X) satisfies Definition 4.1, as in (B.1)",
    reading=(
        "the layer and h^(l-1) are any functions whose values P permutes, as those of (5.3);"
        " induction on l gives every L",
        "the dimension of h^l may change from layer to layer; Z stands for all matrices of the"
        " layers",
    ),
)
