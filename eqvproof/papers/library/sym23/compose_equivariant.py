"""Composition of two equivariant maps."""

import eqvproof as ep
from eqvproof.papers.statements import Conjunction, Equational, Equivariance, Proposition

B = ep.opaque("B", "x: n c -> n c", under="S(n)", example=lambda x: x + x.sum(0))
A = ep.opaque("A", "x: n c -> n c", under="S(n)", example=lambda x: x * x.sum(0))
V = ep.opaque("V", "x: d n -> d n", under="O(d)", example=lambda x: x @ x.T @ x)
U = ep.opaque("U", "x: d n -> d n", under="O(d)", example=lambda x: x + x @ x.T @ x)

STATEMENT = Proposition(
    id="sym23.compose.equivariant",
    place="Framework, Key Definitions, property 1",
    formal="Rows.sym23_compose_equivariant",
    printed="if A and B are G-equivariant, then A o B is G-equivariant",
    claim=Conjunction(
        {
            "every group": Equational(
                "A(B(star(g, x))) = star2(g, A(B(x)))",
                {
                    "B is equivariant": "B(star(g, x)) = star1(g, B(x))",
                    "A is equivariant": "A(star1(g, y)) = star2(g, A(y))",
                },
                "g x y",
            ),
            "permutations of points": Equivariance(
                lambda x: A(B(x)), "x: n c -> n c", under="S(n)"
            ),
            "orthogonal maps": Equivariance(lambda x: U(V(x)), "x: d n -> d n", under="O(d)"),
        }
    ),
    assumptions="the action on the values of B is that on the arguments of A (not printed)",
    reading="A and B are any functions; only their equivariance is used",
)
