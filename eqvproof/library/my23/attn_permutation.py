"""Self-attention commutes with permutations of the sequence."""

from eqvproof.library.my23.notation import attention
from eqvproof.statements import Equivariance, Remark

STATEMENT = Remark(
    id="my23.attn.permutation",
    place="§2.2, (2.1); §4",
    printed="Attn(X P) = Attn(X) P for every n x n permutation matrix P",
    claim=Equivariance(attention, "WQ: e d, WK: e d, WV: d d, X: d n -> d n", under="S(n)"),
    reading="the weights are arbitrary and stay as they are, since none of their axes is n",
)
