"""Scalar products of differences of positions, computed from distances."""

from eqvproof.papers.statements import Identity, Remark

STATEMENT = Remark(
    id="villar21.euclid.distances",
    place="Euclidean group, scalar functions",
    printed="the scalar products of differences of positions are known from distances: 2 (a - c) ."
    " (b - c) = |a - c|^2 + |b - c|^2 - |a - b|^2",
    claim=Identity(
        lambda a, b, c: 2 * (a - c) @ (b - c),
        lambda a, b, c: (a - c) @ (a - c) + (b - c) @ (b - c) - (a - b) @ (a - b),
        "a: d, b: d, c: d -> ()",
    ),
    reading="hence functions that are invariant to E(d) are functions of the distances"
    " (villar21.od.scalars, villar21.translation.scalars)",
)
