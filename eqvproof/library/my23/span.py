"""The values of an equivariant function lie in the span of its argument."""

from eqvproof.library.my23 import householder_action, householder_orthogonal
from eqvproof.library.my23.factoring import coefficients, images, in_span
from eqvproof.library.my23.points import EQUIVARIANT
from eqvproof.statements import (
    Conjunction,
    Construction,
    Equivariance,
    Identity,
    ProofStep,
    Steps,
)

STATEMENT = ProofStep(
    id="my23.prop3.1.span",
    place="Appendix A",
    printed="for f as in Definition 3.1 the columns of f(X) lie in the span of the columns of X",
    claim=Steps(
        Conjunction(
            {
                **{
                    f"{n} is equivariant": Equivariance(f, "X: d n -> d n", "O(d)")
                    for n, f in EQUIVARIANT.items()
                },
                "v + u = v - u gives u = 0": Identity(
                    lambda u, v: ((v + u) - (v - u)) / 2, lambda u, v: u, "u: d, v: d -> d"
                ),
                "f(X) = X C": Construction(images, coefficients, in_span),
            }
        ),
        steps=(householder_orthogonal.STATEMENT, householder_action.STATEMENT),
        passage="f(X) = v + u, u orthogonal to X: f(X) = f(Q_u X) = Q_u f(X) = v - u",
    ),
    reading=(
        "the print forms Q_u for the part u of f(X) that is orthogonal to X, and shows u = 0, where Q_u is not defined: it is "
        "read as an argument for u != 0, which ends in a contradiction; for u = 0 there is nothing to show",
        "every f: the steps speak of all f; tried by themselves are functions that the engines prove equivariant",
    ),
)
