"""Invariants of Vector Neurons."""

from eqvproof.papers.statements import Equivariance, Proposition

STATEMENT = Proposition(
    id="classics.vectors.invariant",
    place="Deng and others 2021, invariant layer",
    formal="Rows.classics_vectors_invariant",
    printed="V T(V)^T is invariant to rotations when T is a layer that commutes with them",
    claim=Equivariance(lambda V, W: V @ (W @ V).T, "V: c d, W: e c -> c e", under="O(d)"),
    reading="T is the linear layer V -> W V; in any dimension, and with reflections",
)
