"""The action of Householder's matrix on u and on vectors orthogonal to u."""

from eqvproof.papers.library.my23.notation import is_nonzero, orthogonal_part, reflection
from eqvproof.papers.statements import Conjunction, Identity, ProofStep

STATEMENT = ProofStep(
    id="my23.prop3.1.householder-action",
    place="Appendix A",
    formal=("Orthogonal.householder_flip", "Orthogonal.householder_fix"),
    printed="Q_u u = -u; Q_u w = w for w orthogonal to u; hence Q_u X = X for u orthogonal to the"
    " columns of X",
    claim=Conjunction(
        {
            "Q_u u = -u": Identity(
                lambda u: reflection(u) @ u,
                lambda u: -u,
                "u: d -> d",
                domain=is_nonzero,
                where="u != 0",
            ),
            "Q_u X = X": Identity(
                lambda u, Y: reflection(u) @ orthogonal_part(u, Y),
                orthogonal_part,
                "u: d, Y: d n -> d n",
                domain=is_nonzero,
                where="u != 0",
            ),
        }
    ),
    assumptions="u != 0, which is not printed: the formula divides by |u|^2",
    reading=(
        "columns orthogonal to u are written |u|^2 Y - u (u^T Y) with Y arbitrary; for u != 0 all"
        " such columns have this form; a single w is the case n = 1",
    ),
)
