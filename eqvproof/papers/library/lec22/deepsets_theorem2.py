"""Functions of sets over a countable universe."""

from eqvproof.papers.library.lec22 import deepsets_code, deepsets_sufficient
from eqvproof.papers.library.lec22.codes import encode_and_decode, random_sets, sets_agree
from eqvproof.papers.statements import Conjunction, Construction, Derivation, Illustrated, Theorem

STATEMENT = Theorem(
    id="lec22.deepsets.theorem2",
    place="Deep Sets, Theorem 2",
    printed="over a countable universe f(X) is a set function iff it is rho(sum over x in X of"
    " phi(x)) for some phi and rho",
    claim=Illustrated(
        Conjunction(
            {
                "rho(sum phi) is a set function": Derivation(
                    "form(permuted(X)) = form(X)",
                    {"form(permuted(x)) = form(x)": deepsets_sufficient.STATEMENT},
                    {},
                    "x",
                ),
                "a set function is rho(sum phi)": Derivation(
                    "f(X) = rho(sum(X))",
                    {"X_from(sum(x)) = x": deepsets_code.STATEMENT},
                    {"rho(s) = f(the set with code s)": "rho(s) = f(X_from(s))"},
                    "x s",
                ),
            }
        ),
        {"sets from their codes": Construction(random_sets, encode_and_decode, sets_agree)},
    ),
    assumptions="a countable universe has an injective map c to the natural numbers",
    reading=(
        "X is a finite set; phi(x) = 4^{-c(x)}; rho has the value f(X) at the code of X, which"
        " determines X, and any value elsewhere",
        "infinite subsets have convergent sums, which also determine them (digits 0 and 1 in base"
        " 4); this is not checked",
    ),
)
