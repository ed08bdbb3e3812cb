"""The vertices of the Birkhoff polytope."""

from eqvproof.papers.library.lec22.birkhoff import polytopes
from eqvproof.papers.statements import Theorem, Vertices

STATEMENT = Theorem(
    id="lec22.birkhoff.vertices",
    place="Birkhoff-von Neumann Theorem, 2",
    printed="the permutation matrices are exactly the vertices of the Birkhoff polytope",
    claim=Vertices(polytopes),
    reading="all vertices of B_n = {P >= 0 : rows and columns sum to 1} are computed exactly, at"
    " small n, and compared with all n! "
    "permutation matrices",
)
