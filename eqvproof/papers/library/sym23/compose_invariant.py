"""Composition of an invariant with an equivariant map."""

import eqvproof as ep
from eqvproof.papers.statements import Conjunction, Equational, Equivariance, Proposition

B = ep.opaque("B", "x: n c -> n c", under="S(n)", example=lambda x: x + x.sum(0))
A = ep.opaque("A", "x: n c -> c", under="S(n)", example=lambda x: x.sum(0))
V = ep.opaque("V", "x: d n -> d n", under="O(d)", example=lambda x: x @ x.T @ x)
U = ep.opaque("U", "x: d n -> n", under="O(d)", example=lambda x: (x * x).sum(0))

STATEMENT = Proposition(
    id="sym23.compose.invariant",
    place="Framework, Key Definitions, property 2",
    formal="Rows.sym23_compose_invariant",
    printed="if A is G-invariant and B is G-equivariant, then A o B is G-invariant",
    claim=Conjunction(
        {
            "every group": Equational(
                "A(B(star(g, x))) = A(B(x))",
                {
                    "B is equivariant": "B(star(g, x)) = star1(g, B(x))",
                    "A is invariant": "A(star1(g, y)) = A(y)",
                },
                "g x y",
            ),
            "permutations of points": Equivariance(lambda x: A(B(x)), "x: n c -> c", under="S(n)"),
            "orthogonal maps": Equivariance(lambda x: U(V(x)), "x: d n -> n", under="O(d)"),
        }
    ),
    assumptions="the action on the values of B is that on the arguments of A (not printed)",
    reading="A and B are any functions; only their invariance and equivariance are used",
)
