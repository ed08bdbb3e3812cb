"""The dependence of sums over a list on the multiplicities of its elements."""

from eqvproof.papers.library.classics.pooling import feature_pairs, maximum, phi_of_vector, rho
from eqvproof.papers.statements import Enumeration, Identity, Remark

STATEMENT = Remark(
    id="classics.deepsets.set",
    place="on Zaheer and others 2017, Theorem 2",
    printed="rho(sum over x in X of phi(x)) depends on the set of the elements of X only, for a"
    " list X in which elements may be equal",
    claim=Identity(
        lambda a, b, s, t: rho(phi_of_vector(a, s) + phi_of_vector(a, s) + phi_of_vector(b, s), t),
        lambda a, b, s, t: rho(phi_of_vector(a, s) + phi_of_vector(b, s) + phi_of_vector(b, s), t),
        "a: d, b: d, s: p, t: q -> q",
    ),
    reading=(
        "a question to the paper, whose theorem is about sets and whose examples are point clouds:"
        " (a, a, b) and (a, b, b) are lists with the same set of elements",
        "phi and rho are any functions, left uninterpreted",
    ),
).repaired_as(
    printed="rho(max over x in X of phi(x)) depends on the set of the elements of X only",
    claim=Enumeration(
        lambda p, q: maximum(p, p, q),
        lambda p, q: maximum(p, q, q),
        "p: K, q: K -> K",
        feature_pairs,
        "a feature with values 0, 1",
    ),
    reading="checked at (a, a, b) and (a, b, b), with p = phi(a) and q = phi(b), for each feature"
    " by itself: only the order of its two values matters",
)
