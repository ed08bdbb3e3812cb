"""Vector functions that commute with Lorentz transformations."""

from eqvproof.papers.library.villar21.scalars import ETA, coefficients
from eqvproof.papers.statements import Equivariance, Proposition

PLACE = "Lorentz group, vector functions"

STATEMENT = Proposition(
    id="villar21.lorentz.vectors",
    place=f"on {PLACE}",
    printed="sum_t f_t v_t is equivariant to O(1, 3) when the f_t are functions of the scalar"
    " products v_i^T v_j",
    claim=Equivariance(lambda V: V @ (V.T @ V).sum(0), "V: 4 n -> 4", under="Lorentz(4)"),
    reading="a slip: Euclidean products; checked for f_t = sum_s v_s . v_t",
).repaired_as(
    place=PLACE,
    printed="it is when they are functions of the Minkowski products v_i^T eta v_j",
    claim=Equivariance(
        lambda V: V @ coefficients(V.T @ ETA @ V), "V: 4 n -> 4", under="Lorentz(4)"
    ),
    reading="any functions f_t, left uninterpreted; one half of the proposition",
)
