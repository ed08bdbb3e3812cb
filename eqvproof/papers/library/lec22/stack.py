"""Stacks of equivariant layers with an invariant layer at the end."""

import eqvproof as ep
from eqvproof.papers.statements import Conjunction, Equational, Equivariance, Proposition

layer = ep.opaque("layer", "x: n d -> n d", under="S(n)", example=lambda x: x + x.sum(0))
before = ep.opaque("h", "x: n d -> n d", under="S(n)", example=lambda x: x * x.sum(0))
last = ep.opaque("last", "x: n d -> d", under="S(n)", example=lambda x: x.sum(0))

STATEMENT = Proposition(
    id="lec22.stack",
    place="Deep Sets, Recipe for making the model deep",
    formal="Rows.lec22_stack",
    printed="equivariant layers one after another, with an invariant layer at the end, are"
    " invariant",
    claim=Conjunction(
        {
            "one more layer": Equivariance(
                lambda x: layer(before(x)), "x: n d -> n d", under="S(n)"
            ),
            "the last layer": Equivariance(lambda x: last(before(x)), "x: n d -> d", under="S(n)"),
            "whatever the dimensions": Equational(
                "last(layer(h(act(g, X)))) = last(layer(h(X)))",
                {
                    "the layers before are equivariant": "h(act(g, x)) = act(g, h(x))",
                    "a layer is": "layer(act(g, x)) = act(g, layer(x))",
                    "the last one is invariant": "last(act(g, x)) = last(x)",
                },
                "g x",
            ),
        }
    ),
    reading="layers are any functions; only their equivariance (invariance) is used; induction on"
    " their number, which may be 0",
)
