"""Group convolutions are equivariant."""

from eqvproof.papers.library.sym23.convolution import SIGNATURE, group_convolution
from eqvproof.papers.statements import Conjunction, Equational, Equivariance, Identity, Proposition

STATEMENT = Proposition(
    id="sym23.groupconv.equivariant",
    place="Architectures, CNN, Claim",
    formal="Rows.sym23_groupconv_equivariant",
    printed="for countable Omega, C_theta o *_h = *'_h o C_theta with *'_h from h.g = h g on G",
    claim=Conjunction(
        {
            "sum_u <(P_h x)(u), (P_g theta)(u)> = sum_u <x(u), (P_h^T P_g theta)(u)>": Identity(
                lambda P, H, x, theta: group_convolution(P, H @ x, theta),
                lambda P, H, x, theta: group_convolution(H.T @ P, x, theta),
                SIGNATURE.replace("x:", "H: u u, x:") + " -> g",
            ),
            "P_h^T P_g = P_{h^-1 g}": Equational(
                "times(T(P(h)), P(g)) = P(mul(inv(h), g))",
                {
                    "P_h^T = P_{h^-1}": "T(P(h)) = P(inv(h))",
                    "P_a P_b = P_{ab}": "times(P(a), P(b)) = P(mul(a, b))",
                },
                "g h a b",
            ),
            "the inverse of a permutation matrix is its transpose": Equivariance(
                lambda x: x.T @ x, "x: u c -> c c", under="S(u)"
            ),
        }
    ),
    reading=(
        "Omega is finite with u points, C = R^c, G any finite group with g elements that acts on"
        " Omega: P_g is the permutation "
        "matrix of g, (P_g x)(u) = x(g^-1.u)",
        "the right side at g is C_theta(x)(h^-1 g) = (*'_h C_theta(x))(g), by the second part",
        "the third part writes P_h^T P_h = I as (P_h x)^T (P_h x) = x^T x for all x",
    ),
)
