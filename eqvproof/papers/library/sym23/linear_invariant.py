"""Linear invariant functions, as functions of the group average."""

import numpy as np

from eqvproof.papers.statements import Conjunction, Equational, Identity, Proposition

STATEMENT = Proposition(
    id="sym23.linear-invariant",
    place="Framework, Building Invariances",
    printed="f linear and G-invariant: f(x) = f(x-bar), x-bar the average of *_g(x) over G",
    claim=Conjunction(
        {
            "f(x-bar) = f(x)": Equational(
                "f(mean(orbit(x))) = f(x)",
                {
                    "linearity: f of a mean is the mean of f": "f(mean(y)) = mean(each(y))",
                    "invariance, term by term: f(*_g x) = f(x)": "each(orbit(x)) = constant(f(x))",
                    "the mean of a constant": "mean(constant(z)) = z",
                },
                "x y z",
            ),
            "f of a mean is the mean of f": Identity(
                lambda W, P, x: W @ (P @ x).mean(0),
                lambda W, P, x: (P @ x @ W.T).mean(0),
                "W: m n, P: g n n, x: n -> m",
            ),
            "the mean of a constant": Identity(
                lambda y, ones: np.outer(0 * ones + 1, y).mean(0),
                lambda y, ones: y,
                "y: m, ones: g -> m",
            ),
        }
    ),
    reading=(
        "G is finite, with g elements, and acts on signals on n points by the matrices stacked in"
        " P; channels count as points; f is x -> W x. For compact G the same proof holds with"
        " integrals, which are not checked",
        "P may be any matrices: the proof does not use that they form a group, only that f is"
        " invariant under each of them",
    ),
)
