"""The mean of the elements as attention with the query 0."""

import numpy as np

from eqvproof.papers.library.classics.attention_blocks import attention
from eqvproof.papers.statements import Identity, Lemma

STATEMENT = Lemma(
    id="classics.settransformer.mean",
    place="Lee and others 2019, proof of universality",
    formal="Rows.classics_settransformer_mean",
    printed="the mean of the elements is attention with the query 0",
    claim=Identity(
        lambda X: attention(np.zeros((1, X.shape[1])), X, X)[0], lambda X: X.mean(0), "X: n c -> c"
    ),
    reading="all scores are 0, so that all weights are 1/n",
)
