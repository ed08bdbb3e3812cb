"""Orbits of the Lorentz group, and null vectors."""

from collections.abc import Iterator

from eqvproof.papers.library.villar21.scalars import ETA
from eqvproof.papers.statements import Array, Case, Identity, Injective, Lemma


def orbits() -> Iterator[Case]:
    """Yields vectors (t, x), no two of them in one orbit.

    0 is fixed, and the others have other products or are not 0.
    """
    for v in ((0, 0), (1, 0), (0, 1), (1, 1)):
        yield Case({"d": 2}, {"v": v})


def reflected(v: Array, w: Array) -> Array:
    """Computes (u . u) v - 2 (u . v) u: (u . u) times the reflection of v along u = v - w."""
    u = v - w
    return (u @ ETA @ u) * v - 2 * (u @ ETA @ v) * u


STATEMENT = Lemma(
    id="villar21.lorentz.orbits",
    place="on Lorentz group, scalar functions",
    printed="vectors with equal Minkowski products are in one orbit of O(1, d), so that every"
    " invariant function is one of these products",
    claim=Injective(lambda v: v[0] ** 2 - v[1] ** 2, "v: d -> ()", orbits, "orbits"),
    reading="a question to the paper: the argument for O(d) used for O(1, d), for any function;"
    " judged for one vector of R^2",
).repaired_as(
    printed="v and w with v . v = w . w and u . u != 0 for u = v - w are: (u . u) v - 2 (u . v) u"
    " = (u . u) w + (w . w - v . v) u",
    claim=Identity(
        reflected,
        lambda v, w: ((v - w) @ ETA @ (v - w)) * w + (w @ ETA @ w - v @ ETA @ v) * (v - w),
        "v: 4, w: 4 -> 4",
    ),
    reading="a . b is the Minkowski product, d = 3; with v . v = w . w the reflection along u"
    " carries v to w",
)
