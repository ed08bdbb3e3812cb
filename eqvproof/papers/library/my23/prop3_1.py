"""Proposition 3.1: orthogonal equivariant functions of sequences."""

from eqvproof.papers.library.my23 import coefficient_invariance, fft, one_column
from eqvproof.papers.library.my23.factoring import build, cases, conditions
from eqvproof.papers.statements import Construction, Derivation, Illustrated, Proposition

STATEMENT = Proposition(
    id="my23.prop3.1",
    place="§3.1, Proposition 3.1; Appendix A",
    formal="MaYing.prop31",
    printed="every f that is orthogonal equivariant (Definition 3.1) is f(X) = X g(X^T X) for some"
    " g, for all X",
    claim=Illustrated(
        Derivation(
            "f(X) = times(X, G(gram(X)))",
            {
                "columns(f(x)) = f(x)": one_column.STATEMENT,
                "f(x) = times(x, g(x))": coefficient_invariance.STATEMENT,
                "g(x) = G(gram(x))": fft.STATEMENT,
            },
            {},
            "x",
        ),
        {"g computed": Construction(cases, build, conditions)},
    ),
    reading=(
        "some g: one function for all n together, with values of the shape that f(X) needs; its"
        " continuity is not claimed (see my23.prop3.1.continuous-g)",
        "a function g with g(Q X) = g(X) is a function G of X^T X",
        "computed: g(X) = X^+ f(X) has equal values at pairs with X^T X = Y^T Y, so that it is a"
        " function of X^T X, and X g(X) = f(X)",
    ),
)
