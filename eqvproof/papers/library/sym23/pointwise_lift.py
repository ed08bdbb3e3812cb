"""Equivariance of nonlinearities on channels."""

import numpy as np

import eqvproof as ep
from eqvproof.papers.statements import Conjunction, Equational, Equivariance, Proposition

A = ep.opaque("A", "x: n c -> n c", under="S(n)", example=lambda x: x + x.sum(0))

STATEMENT = Proposition(
    id="sym23.pointwise-lift",
    place="Framework, Building Invariances",
    formal="Rows.sym23_pointwise_lift",
    printed="for A G-equivariant and Sigma(x) := sigma o x, sigma acting on channels only, Sigma o"
    " A is G-equivariant",
    claim=Conjunction(
        {
            "every group, domain and sigma": Equational(
                "Sigma(A(star(g, x))) = star2(g, Sigma(A(x)))",
                {
                    "A is equivariant": "A(star(g, x)) = star1(g, A(x))",
                    "g *' y = y o ._{g^-1}": "star1(g, y) = comp(y, inv(g))",
                    "g *'' y = y o ._{g^-1}": "star2(g, y) = comp(y, inv(g))",
                    "Sigma(y) = sigma o y": "Sigma(y) = comp(sigma, y)",
                    "a o (b o c) = (a o b) o c": "comp(a, comp(b, c)) = comp(comp(a, b), c)",
                },
                "g x y a b c",
            ),
            "permutations of points, sigma(y) = V relu(U y + b)": Equivariance(
                lambda x, U, b, V: np.maximum(A(x) @ U + b, 0) @ V,
                "x: n c, U: c r, b: r, V: r c2 -> n c2",
                under="S(n)",
            ),
        }
    ),
    reading=(
        "A is any function, and only its equivariance is used; sigma is any function of the"
        " channels; *' and *'' act on the same domain, on signals with c' and c'' channels",
        "the second part is about a family of sigma, evaluated point by point, and has a"
        " certificate",
    ),
)
