"""The simplest term, and a nonlinearity."""

import numpy as np

import eqvproof as ep
from eqvproof.papers.statements import Conjunction, Remark, Typing

SIGNATURE = "W: k k, Y: k n -> n n"
sigma = ep.opaque("sigma", "M: p q -> p q")

STATEMENT = Remark(
    id="my23.sec3.3.quadratic-form",
    place="§3.3",
    printed="g(Y) = sigma(Y^T W Y), W of shape k x k, has the shape n x n for any n",
    claim=Conjunction(
        {
            "any sigma": Typing(lambda W, Y: sigma(Y.T @ W @ Y), SIGNATURE),
            "sigma = tanh": Typing(lambda W, Y: np.tanh(Y.T @ W @ Y), SIGNATURE),
        }
    ),
    reading="sigma is elementwise; the proof only uses that it preserves the shape of a matrix; W"
    " does not depend on n",
)
