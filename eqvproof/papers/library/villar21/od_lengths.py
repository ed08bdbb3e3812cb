"""Invariant functions of vectors, as functions of their lengths."""

from eqvproof.papers.statements import Equivariance, Identity, Implies, Remark

STATEMENT = Remark(
    id="villar21.od.lengths",
    place="on O(d), scalar functions",
    printed="a function of v and w that is invariant to O(d) is a function of |v| and |w|",
    claim=Implies(
        Equivariance(lambda v, w: v @ w, "v: d, w: d -> ()", under="O(d)"),
        Identity(lambda v, w: v @ w, lambda v, w: v @ (-w), "v: d, w: d -> ()"),
    ),
    reading="a question to the paper: (v, w) and (v, -w) have the same lengths; checked for the"
    " function v . w",
).repaired_as(
    printed="lengths of v, w and v + w suffice: v . w = (|v + w|^2 - |v|^2 - |w|^2) / 2",
    claim=Identity(
        lambda v, w: v @ w,
        lambda v, w: ((v + w) @ (v + w) - v @ v - w @ w) / 2,
        "v: d, w: d -> ()",
    ),
    reading="then all scalar products are known, and so is every invariant function"
    " (villar21.od.scalars)",
)
