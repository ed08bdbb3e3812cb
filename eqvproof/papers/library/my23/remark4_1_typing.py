"""Queries and keys as knowledge."""

import numpy as np

from eqvproof.papers.library.my23.sec3_2_attention_form import knowledge
from eqvproof.papers.statements import Remark, Typing

STATEMENT = Remark(
    id="my23.remark4.1.typing",
    place="§4, Remark 4.1",
    printed="Z = [W_Q, W_K] is a d x k knowledge matrix, W_Q and W_K having the shape d_1 x d",
    claim=Typing(lambda WQ, WK: np.concatenate([WQ, WK], axis=1), "WQ: r d, WK: r d -> d k"),
    reading="[A, B] joins columns, as everywhere in the source; d_1 is written r; k is arbitrary",
).repaired_as(
    printed="Z = [W_Q^T, W_K^T] is a d x k knowledge matrix with k = 2 d_1",
    claim=Typing(knowledge, "WQ: r d, WK: r d -> d 2r"),
    reading="as in §3.2 and §3.3",
)
