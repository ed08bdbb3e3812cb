"""Layer norm and the scale of its argument."""

from eqvproof.papers.library.lec22.layernorm import layernorm
from eqvproof.papers.statements import Equivariance, Identity, Proposition

STATEMENT = Proposition(
    id="lec22.layernorm.scale",
    place="Layer Norm & Residual Connection",
    printed="with the printed eps > 0, layer norm is invariant to scaling of x: LN(t x) = LN(x)",
    claim=Identity(
        lambda x, t, eps: layernorm(t * x, eps, 1, 0),
        lambda x, t, eps: layernorm(x, eps, 1, 0),
        "x: k, t: (), eps: () -> k",
        domain=lambda at: bool(at["t"] > 0 and at["eps"] > 0),
        where="t > 0, eps > 0",
    ),
    reading="one element x with k features is scaled by t > 0; gamma = 1 and beta = 0, which do"
    " not matter here",
).repaired_as(
    printed="with eps = 0, layer norm is invariant to scaling of x by t > 0, where the variance of"
    " x is not 0",
    claim=Equivariance(
        lambda x, gamma, beta: layernorm(x, 0, gamma, beta),
        "x: k, gamma: k!, beta: k! -> k!",
        under="Scale(k)",
    ),
    reading="with eps = 0 we divide by the standard deviation; where it is 0, neither side is"
    " defined",
)
