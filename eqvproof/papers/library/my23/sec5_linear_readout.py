"""A linear map after the coefficients."""

import eqvproof as ep
from eqvproof.papers.statements import Conjunction, Equivariance, Remark

f = ep.opaque("f", "X: d n, Z: d k -> d n", under="S(n)", example=lambda X, Z: X + (Z * Z).sum())
g = ep.opaque("g", "Y: k n -> n n")
SIGNATURE = "X: d n, Z: d k, W: r d -> r n"

STATEMENT = Remark(
    id="my23.sec5.linear-readout",
    place="§5, The evolution of embeddings, (5.1)",
    formal=("Rows.my23_sec5_linear_readout", "Rows.my23_sec5_linear_readout_embedding"),
    printed="W X g(Z^T X) satisfies Definition 4.1 when X g(Z^T X) does, as in (B.1); and it"
    " changes the embedding: with Q X, Q Z and Q' W Q^T it "
    "becomes Q' W X g(Z^T X)",
    claim=Conjunction(
        {
            "permutations": Equivariance(lambda X, Z, W: W @ f(X, Z), SIGNATURE, under="S(n)"),
            "embeddings": Equivariance(
                lambda X, Z, W: W @ X @ g(Z.T @ X), SIGNATURE, under="O(d) x O(r)"
            ),
        }
    ),
    reading=(
        "as in (B.1): f(X, Z) = X g(Z^T X) is any function with f(X P, Z) = f(X, Z) P; W, r x d,"
        " stays fixed under P",
        "the second part is for any g; the input has dimension d and the output r, which may"
        " differ; Q acts on the columns of W as W Q^T, Q' on its rows",
    ),
)
