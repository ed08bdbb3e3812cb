"""A theorem on sets over a countable universe, used for sequences of vectors."""

import numpy as np

from eqvproof.papers.library.my23 import prop4_1_sum_decomposition
from eqvproof.papers.statements import (
    Array,
    Conjunction,
    Derivation,
    Equivariance,
    Identity,
    Implies,
    ProofStep,
)


def total(X: Array) -> Array:
    """Computes x_2 + .. + x_n, the vectors being the columns of X."""
    return X.sum(1)


STATEMENT = ProofStep(
    id="my23.prop4.1.deep-sets-citation",
    place="Appendix B, citing [57, Theorem 2]",
    formal="Refuted.my23_prop4_1_deep_sets_citation",
    printed="g~_11, invariant to permutations of x_2, .., x_n, has by [57, Theorem 2] the form"
    " rho(sum_k psi(x_k)) in these arguments",
    claim=Conjunction(
        {
            "an invariant function of vectors is a function of their set": Implies(
                Equivariance(total, "X: d m -> d", under="S(m)"),
                Identity(
                    lambda a, b: total(np.stack([a, a, b], axis=1)),
                    lambda a, b: total(np.stack([a, b, b], axis=1)),
                    "a: d, b: d -> d",
                ),
            )
        }
    ),
    reading=(
        "read as an inference: the theorem is about functions of sets with elements from a"
        " countable universe, so that it applies only if g~_11 is one. We check whether an"
        " invariant function of x_2, .., x_n is a function of the set {x_2, .., x_n}: then it has"
        " equal values at (a, a, b) and (a, b, b)",
        "the other hypothesis does not hold either: R^d is not countable (Cantor), and the proof"
        " of the theorem enumerates the universe",
        "the conclusion itself holds: see the repaired form",
    ),
).repaired_as(
    printed="g~_11, invariant to permutations of x_2, .., x_n, has for each n the form rho(sum_k"
    " psi(x_k)), psi the monomials up to degree n - 1",
    claim=Derivation(
        "first(R) = rho(sum(R))",
        {"f(x) = rho(sum(x))": prop4_1_sum_decomposition.STATEMENT},
        {"g~_11 is an invariant function f of the rest R = x_2, .., x_n": "first(x) = f(x)"},
        "x",
    ),
    assumptions=prop4_1_sum_decomposition.STATEMENT.assumptions,
    reading="by my23.prop4.1.sum-decomposition for n - 1 vectors, with x_1 and Z fixed; rho and"
    " psi depend on n",
)
