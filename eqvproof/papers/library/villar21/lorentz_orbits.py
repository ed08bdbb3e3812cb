"""Orbits of the Lorentz group, and null vectors."""

from collections.abc import Iterator

from eqvproof.papers.library.villar21.scalars import ETA
from eqvproof.papers.statements import Array, Case, Identity, Injective, Lemma


def orbits() -> Iterator[Case]:
    """Yields vectors (t, x) in different orbits: 0 is fixed, the others differ in v . v or from 0."""
    for v in ((0, 0), (1, 0), (0, 1), (1, 1)):
        yield Case({"d": 2}, {"v": v})


def scaled_reflection(v: Array, w: Array) -> Array:
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
    " checked for one vector of R^2",
).repaired_as(
    printed="v and w with v . v = w . w and u . u != 0 for u = v - w are: (u . u) v - 2 (u . v) u"
    " = (u . u) w + (w . w - v . v) u",
    claim=Identity(
        scaled_reflection,
        lambda v, w: ((v - w) @ ETA @ (v - w)) * w + (w @ ETA @ w - v @ ETA @ v) * (v - w),
        "v: 4, w: 4 -> 4",
    ),
    reading="a . b is the Minkowski product, d = 3; if v . v = w . w, the reflection along u maps"
    " v to w",
)
