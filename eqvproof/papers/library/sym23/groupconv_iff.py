"""Linear equivariant maps and group convolutions."""

from collections.abc import Iterator

import numpy as np

from eqvproof.papers.library.sym23.convolution import SIGNATURE, group_convolution
from eqvproof.papers.library.sym23.finite import GROUPS, elements, product, regular_matrix
from eqvproof.papers.statements import Array, Conjunction, LinearMaps, MapSpace, Proposition, Typing


def filters(name: str) -> list[Array]:
    """Builds the matrices of C_theta on X(G, R) for theta = delta_a, a in G: 1 where g^-1 u = a."""
    every = elements(GROUPS[name])
    return [np.array([[int(product(g, a) == u) for u in every] for g in every]) for a in every]


def spaces(*channels: int) -> Iterator[MapSpace]:
    """Yields spaces of maps from X(G, R^c) to itself.

    X(G, R^c) is the regular representation, c times; the filters have c x c matrices as values.
    """
    for c in channels:
        one = np.eye(c, dtype=int)
        units = [np.outer(one[i], one[j]) for i in range(c) for j in range(c)]
        for name, generators in GROUPS.items():
            moves = [np.kron(regular_matrix(name, h), one) for h in generators]
            yield MapSpace(
                f"{name} (c = {c})",
                moves,
                moves,
                [np.kron(W, e) for W in filters(name) for e in units],
            )


STATEMENT = Proposition(
    id="sym23.groupconv.iff",
    place="Architectures, CNN, after the definition of the group convolution",
    printed="f : X(G, C) -> X(G, C) is linear and G-equivariant if and only if it is a group"
    " convolution C_theta",
    claim=Conjunction(
        {
            "C = R": LinearMaps(lambda: spaces(1)),
            "C_theta : X(G, C) -> X(G, C)": Typing(
                lambda P, x, theta: group_convolution(P, x, theta)[:, None],
                SIGNATURE.replace("u", "g") + " -> g c",
            ),
        }
    ),
    reading=(
        "C = R^c for any c; group convolution is as defined in the source, with Omega = G and one"
        " number at each g. It maps X(G, C) to X(G, C) only for c = 1; for G = 1, c = 2 the"
        " identity map is linear and equivariant, but no C_theta",
        "finite groups; C = R is decided for some of them by exact linear algebra",
    ),
).repaired_as(
    printed="f is linear and equivariant iff f(x)(g) = sum_u theta(g^-1 u) x(u) with theta : G ->"
    " linear maps of C",
    claim=LinearMaps(lambda: spaces(1, 2)),
    reading="a filter with c x c matrices as values; decided for some groups and c = 1, 2",
)
