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
# # An equivariant function reads nothing but inner products
#
# Proposition 3.1 of my23: if $f(QX) = Q f(X)$ for every orthogonal $Q$ and every $X$, then $f(X) = X\, g(X^\top X)$ for
# some function $g$ of the Gram matrix. This notebook walks through its proof with a function in hand. Each step makes
# the object that the proof speaks of, a *witness*, with exact numbers, and checks it.

# %%
from fractions import Fraction

import numpy as np

import eqvproof as ep


def f(X):
    G = X.T @ X
    return X @ (G @ G) - 2 * X * (X**2).sum()


ep.check(f, "X: d n -> d n", under="O(d)")

# %% [markdown]
# ## Step 1: a reflection that leaves X alone
#
# Take a vector $u$ orthogonal to the columns of $X$. The Householder reflection $H = I - 2uu^\top/u^\top u$ is
# orthogonal, turns $u$ around, and moves no column of $X$.

# %%
X = np.array([[1, 2], [0, 1], [0, 0]], dtype=object)
u = [0, 0, 5]
H = ep.householder(u)
print(H.matrix)
print("H is orthogonal:", (H.matrix.T @ H.matrix == np.eye(3, dtype=int)).all())
print("H u = -u:       ", (H.apply(np.array(u, dtype=object)) == [-v for v in u]).all())
print("H X = X:        ", (H.apply(X) == X).all())

# %% [markdown]
# ## Step 2: f(X) lies in the span of X
#
# Then $f(X) = f(HX) = H f(X)$: nothing in $f(X)$ points along $u$. This holds for every such $u$, so the columns of
# $f(X)$ are combinations of the columns of $X$. `coefficients` finds them, those of least norm, exactly:

# %%
found = ep.coefficients(f, X)
print("f(X) = X C with C =", np.array(found).tolist())
print("X C = f(X):", (X @ np.array(found) == f(X)).all())
ep.plots.coefficients(found)

# %% [markdown]
# A function that leaves the span betrays itself: the reflection along what sticks out is the counterexample.


# %%
def shifted(X):
    return X + 1


outside = ep.coefficients(shifted, X)
R = outside.reflection
print(outside)
if R is not None:
    print("R X = X:             ", (R.apply(X) == X).all())
    print("f(R X) = R f(X):     ", (shifted(R.apply(X)) == R.apply(shifted(X))).all())

# %% [markdown]
# ## Step 3: equal Gram matrices, one orthogonal matrix
#
# The coefficients still depend on $X$. The proof needs: if $X^\top X = Y^\top Y$, then $Y = QX$ for some orthogonal $Q$.
# Here is a pair whose $Q$ is hidden, and the witness that finds one:

# %%
Xs, Ys = next(iter(ep.gram_pairs(3, 4)))
print("equal Gram matrices:", (Xs.T @ Xs == Ys.T @ Ys).all())
witness = ep.orthogonal_witness(Xs, Ys)
print(witness.Q)
print("Q X = Y:", (witness.Q @ Xs == Ys).all(), "| reflections:", len(witness.reflections))
print("re-checked by the kernel:", ep.verify(witness.certificate).accepted)

# %% [markdown]
# Where the Gram matrices differ there is no such matrix, and the inner product that rules it out is named:

# %%
try:
    ep.orthogonal_witness(Xs, Ys + np.eye(3, 4, dtype=int))
except ep.GramMismatch as error:
    print(error)

# %% [markdown]
# ## Step 4: the coefficients are the same
#
# So $Y = QX$, and $f(Y) = Q f(X) = Q X C = Y C$: the same coefficients serve, and they are a function $g$ of the Gram
# matrix alone.

# %%
CX, CY = (np.array(ep.coefficients(f, M)) for M in (Xs, Ys))
print("equal coefficients:", (CX == CY).all())

# %% [markdown]
# `factor_through_gram` puts the steps together. What it returns never sees $X$: it is called on Gram matrices.

# %%
g = ep.factor_through_gram(f, "X: d n -> d n")
C = np.array(g((Xs.T @ Xs).tolist()), dtype=object)
print("X g(X^T X) = f(X):", (Xs @ C == f(Xs)).all())
print("Y g(X^T X) = f(Y):", (Ys @ C == f(Ys)).all())

# %% [markdown]
# ## Step 5: the statement itself
#
# The library holds the proposition and the steps of its proof as they are printed. Each is judged by itself; where one
# does not hold as printed, the row says so, and its repaired form follows. Two of them here;
# `ep.library.review("my23.prop3.1")` judges them all.

# %%
ep.library.review("my23.prop3.1.sufficient", "my23.prop3.1.householder-action")

# %% [markdown]
# ## What the proposition does not say
#
# $g$ need not be continuous, even where $f$ is. For $f(x) = x/\sqrt{|x|}$ the function is $g(x^\top x) = 1/\sqrt{|x|}$,
# which grows without bound near 0:

# %%
for k in range(0, 5, 2):
    x = np.array([[Fraction(1, 4**k)], [0]], dtype=float)
    root = ep.coefficients(lambda v: v / np.sqrt(np.sqrt((v**2).sum())), x)
    print(f"|x| = {x[0, 0]:<12g} g = {float(np.array(root)[0, 0]):g}")
