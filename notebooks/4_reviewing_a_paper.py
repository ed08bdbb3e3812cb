# ---
# jupyter:
#   jupytext:
#     formats: py:percent
#   kernelspec:
#     display_name: Python 3
#     language: python
#     name: python3
# ---

# %% [markdown]
# # Reviewing a paper
#
# A paper, yours or one to referee, states propositions about a layer. Write each down as it is printed, in a few lines;
# the engines judge it. Here is a short (invented) section on a layer for point clouds:
#
# > **Proposition 1.** The layer $f(X, A) = X + A\,X$ commutes with relabelling the points.
# >
# > **Proposition 2.** It commutes with rotations of the coordinates.
# >
# > **Remark 3.** It commutes with translations as well.
# >
# > **Lemma 4.** With $L = D - A$, $D$ the diagonal of row sums, $L X = D X - A X$ and the constant vector is in the
# > kernel of $L$.

# %%
import tempfile
from pathlib import Path

import numpy as np

import eqvproof as ep
from eqvproof.papers.report import review_page
from eqvproof.statements import Equivariance, Identity


def layer(X, A):
    return X + A @ X


def laplacian(A):
    return np.diag(A.sum(axis=1)) - A


def laplacian_layer(X, A):
    return X + laplacian(A) @ X


statements = [
    ep.Proposition(
        id="cloud.prop1",
        place="Proposition 1",
        printed="f(P X, P A P^T) = P f(X, A) for every permutation matrix P",
        claim=Equivariance(layer, "X: n d, A: n n -> n d", under="S(n)"),
    ),
    ep.Proposition(
        id="cloud.prop2",
        place="Proposition 2",
        printed="f(X Q, A) = f(X, A) Q for every orthogonal Q",
        claim=Equivariance(layer, "X: n d, A: n n -> n d", under="O(d)"),
    ),
    ep.Remark(
        id="cloud.remark3",
        place="Remark 3",
        printed="f(X + 1 t^T, A) = f(X, A) + 1 t^T for every vector t",
        claim=Equivariance(layer, "X: n d, A: n n -> n d", under="T(d)"),
        reading="A is any matrix, as the paper introduces it; nothing is said of its row sums",
        repaired=ep.Remark(
            id="cloud.remark3.repaired",
            place="Remark 3",
            printed="with the Laplacian in place of A, f commutes with translations",
            claim=Equivariance(laplacian_layer, "X: n d, A: n n -> n d", under="T(d)"),
        ),
    ),
    ep.Lemma(
        id="cloud.lemma4",
        place="Lemma 4",
        printed="L X = D X - A X",
        claim=Identity(
            lambda X, A: laplacian(A) @ X,
            lambda X, A: A.sum(axis=1)[:, None] * X - A @ X,
            "X: n d, A: n n -> n d",
        ),
    ),
    ep.Lemma(
        id="cloud.lemma4.kernel",
        place="Lemma 4",
        printed="L 1 = 0",
        claim=Identity(lambda A: laplacian(A).sum(axis=1), lambda A: 0 * A.sum(axis=1), "A: n n -> n"),
    ),
]
review = ep.review(statements)
review

# %% [markdown]
# A click on a heading sorts the table. A row holds its verdicts; the remark's is a counterexample of the smallest size:

# %%
review["cloud.remark3"].verdicts[0]

# %% [markdown]
# ## What to hand over
#
# One page that needs no network, with every statement, its verdict and its evidence; and certificates that a referee
# can re-check without running your code.

# %%
with tempfile.TemporaryDirectory() as folder:
    page = Path(folder) / "review.html"
    page.write_text(review_page(review, "A layer for point clouds"), encoding="utf-8")
    print("page:", page.stat().st_size > 0)
accepted = [ep.verify(c).accepted for row in review for _, c in row.certificates]
print("certificates:", len(accepted), "| accepted:", sum(accepted))

# %% [markdown]
# ## A published paper
#
# The statements of some papers come with the package. A part of one of them, and the same at a glance:

# %%
published = ep.library.review("my23.attn.permutation", "my23.attn.orthogonal-fixed-weights", "my23.def3.1")
ep.plots.review(published)

# %%
for row in published:
    if row.outcome == ep.Outcome.FAILS:
        print(f"{row.id} ({row.statement.place}): {row.outcome} {row.grade}, {row.scope}")
        print(f"  printed:  {row.statement.printed}")
        print(f"  repaired: {row.repaired_by}")
