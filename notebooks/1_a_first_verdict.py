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
# # A first verdict
#
# You have a function and a doubt: is it really equivariant? Here the function is a layer that mixes points by their
# inner products. Its author says: rotate the points and the result rotates along, reorder them and the result is
# reordered. One call asks.

# %%
import numpy as np

import eqvproof as ep


def mix(X):
    scores = X.T @ X
    weights = np.exp(scores - scores.max(axis=0))
    return X @ (weights / weights.sum(axis=0))


verdict = ep.check(mix, "X: d n -> d n", under="O(d) x S(n)")
verdict

# %% [markdown]
# The signature names the axes: the columns of `X` are points of dimension `d`, `n` of them. `O(d) x S(n)` acts on
# every axis of that name, of the argument and of the result. The answer is a *proof*: the table says what each value
# becomes under the group, and by which rule. Its scope is all sizes at once:

# %%
print(verdict.outcome, verdict.grade, "|", verdict.scope)

# %% [markdown]
# ## A claim that fails
#
# Somebody adds a normalisation of the kind that is everywhere: centre the entries of each point, and divide by their
# spread.


# %%
def normalised(X):
    centred = X - X.mean(axis=0)
    return centred / np.sqrt(1 + (centred**2).mean(axis=0))


def mix_normalised(X):
    return normalised(mix(X))


doubt = ep.check(mix_normalised, "X: d n -> d n", under="O(d) x S(n)")
doubt

# %% [markdown]
# No tolerance was involved: both sides are given as exact numbers, or enclosed in intervals that do not meet. The
# search starts with the smallest sizes, the simplest group elements and small integers, so that you can follow the
# counterexample with pencil and paper. It also comes as code that needs NumPy alone:

# %%
if doubt.counterexample is not None:
    print(doubt.counterexample.code())

# %% [markdown]
# And as a picture: the input before and after the group element, the two sides, and their difference.

# %%
ep.plots.counterexample(doubt)

# %% [markdown]
# ## Which half is wrong?
#
# The claim was about a product of groups. One at a time:

# %%
parts = {}
for group in ("S(n)", "S(d)", "O(d)"):
    parts[group] = ep.check(mix_normalised, "X: d n -> d n", under=group)
    print(f"{group}: {parts[group].outcome} {parts[group].grade}")

# %% [markdown]
# The points may be reordered, and so may the coordinates; only rotations and reflections see what the normalisation
# does. Dividing each point by its length alone looks at no coordinate:


# %%
def by_length(X):
    return X / np.sqrt(1 + (X**2).mean(axis=0))


repaired = ep.check(lambda X: by_length(mix(X)), "X: d n -> d n", under="O(d) x S(n)")
print(repaired.outcome, repaired.grade, "|", repaired.scope)

# %% [markdown]
# ## What you can keep
#
# A verdict carries a certificate. A small checker that shares no code with the search re-checks it, without your
# function; the same certificate can stand beside your code, and `eqvproof verify` accepts it on another machine.

# %%
print(ep.verify(repaired.certificate).accepted)

# %% [markdown]
# In a test suite the same question is one line:

# %%
from eqvproof.testing import assert_equivariant

assured = assert_equivariant(mix, "X: d n -> d n", "O(d) x S(n)", at_least="PROVED")
