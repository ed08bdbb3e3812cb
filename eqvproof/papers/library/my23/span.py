"""The values of an equivariant function lie in the span of its argument."""

from eqvproof.papers.library.my23 import householder_action, householder_orthogonal
from eqvproof.papers.library.my23.factoring import coefficients, images, in_span
from eqvproof.papers.library.my23.points import EQUIVARIANT
from eqvproof.papers.statements import (
    Conjunction,
    Construction,
    Derivation,
    Equivariance,
    Identity,
    Illustrated,
    ProofStep,
)

STATEMENT = ProofStep(
    id="my23.prop3.1.span",
    place="Appendix A",
    formal="MaYing.prop31_span",
    printed="for f as in Definition 3.1 the columns of f(X) lie in the span of the columns of X",
    claim=Illustrated(
        Conjunction(
            {
                "f(Q_u X) = Q_u f(X) = v - u": Derivation(
                    "f(act(Qu, X)) = plus(v, neg(u))",
                    {
                        "f(act(Qu, x)) = act(Qu, f(x))": householder_orthogonal.STATEMENT,
                        "act(Qu, v) = v": householder_action.STATEMENT,
                        "act(Qu, u) = neg(u)": householder_action.STATEMENT,
                    },
                    {
                        "v in the span, u orthogonal to it": "f(X) = plus(v, u)",
                        "Q_u is linear": "act(q, plus(a, b)) = plus(act(q, a), act(q, b))",
                    },
                    "x q a b",
                ),
                "f(Q_u X) = f(X) = v + u": Derivation(
                    "f(act(Qu, X)) = plus(v, u)",
                    {"act(Qu, X) = X": householder_action.STATEMENT},
                    {"v in the span, u orthogonal to it": "f(X) = plus(v, u)"},
                    "",
                ),
                "v + u = v - u gives u = 0": Identity(
                    lambda u, v: ((v + u) - (v - u)) / 2, lambda u, v: u, "u: d, v: d -> d"
                ),
            }
        ),
        {
            **{
                f"{n} is equivariant": Equivariance(f, "X: d n -> d n", "O(d)")
                for n, f in EQUIVARIANT.items()
            },
            "f(X) = X C": Construction(images, coefficients, in_span),
        },
    ),
    reading=(
        "the paper uses Q_u for the part u of f(X) that is orthogonal to X, and concludes u = 0,"
        " for which Q_u is not defined: we read it as an argument by contradiction for u != 0; for"
        " u = 0 there is nothing to show",
        "f is any function as in Definition 3.1; the engines prove that the examples are"
        " equivariant",
    ),
)
