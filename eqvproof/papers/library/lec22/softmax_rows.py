"""The printed softmax outputs, row by row."""

import numpy as np

from eqvproof.papers.library.lec22.attention import softmax
from eqvproof.papers.library.lec22.scores import WORDS, weights
from eqvproof.papers.statements import Conjunction, Identity, Instance, Remark

STATEMENT = Remark(
    id="lec22.softmax.rows",
    place="Multi-Head Attention, the table after the softmax",
    formal="Refuted.lec22_softmax_rows",
    printed="every row of the printed table is an output of softmax: non-negative, with the sum 1",
    claim=Conjunction(
        {
            **{
                f"row '{word}' sums to 1": Instance(
                    lambda w: w.sum(), lambda w: 1, "w: 4 -> ()", {"w": weights(i)}
                )
                for i, word in enumerate(WORDS)
            },
            **{
                f"row '{word}' is not negative": Instance(
                    lambda w: np.minimum(w, 0), lambda w: 0 * w, "w: 4 -> 4", {"w": weights(i)}
                )
                for i, word in enumerate(WORDS)
            },
        }
    ),
    reading="the printed numbers are exact tenths: 0.1 is 1/10",
).repaired_as(
    formal="Rows.lec22_softmax_rows_repaired",
    printed="every row of the softmax of any scores is non-negative, with the sum 1",
    claim=Conjunction(
        {
            "sum": Identity(
                lambda M: softmax(M).sum(1), lambda M: np.ones(M.shape[0]), "M: n m -> n"
            ),
            "e^t is a square": Identity(
                lambda M: np.exp(M), lambda M: np.exp(M / 2) ** 2, "M: n m -> n m"
            ),
        }
    ),
    reading="sums of squares and their quotients are not negative; the sum of a row rounded to"
    " tenths may differ from 1",
)
