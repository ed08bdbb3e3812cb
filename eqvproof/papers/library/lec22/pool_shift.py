"""Global pooling."""

from eqvproof.papers.statements import Conjunction, Equivariance, Proposition

SIGNATURE = "X: h w c -> c"

STATEMENT = Proposition(
    id="lec22.pool.shift",
    place="Translation and Shift Invariance",
    formal="Rows.lec22_pool_shift",
    printed="global pooling is shift invariant (sum, mean, maximum)",
    claim=Conjunction(
        {
            "sum": Equivariance(lambda X: X.sum((0, 1)), SIGNATURE, under="C(h) x C(w)"),
            "mean": Equivariance(lambda X: X.mean((0, 1)), SIGNATURE, under="C(h) x C(w)"),
            "maximum": Equivariance(lambda X: X.max((0, 1)), SIGNATURE, under="C(h) x C(w)"),
        }
    ),
    reading="images of h x w points with c channels, shifted cyclically; pooled over all points. A"
    " line is the case w = 1",
)
