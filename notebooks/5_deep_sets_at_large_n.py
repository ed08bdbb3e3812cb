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
# # Deep Sets at large n
#
# An invariant function of a set is $\rho(\sum_k \phi(x_k))$. On paper the order of the points does not matter. In floats
# it does: a sum of many rounded terms depends on their order. `ep.deepsets` computes the sums so that it does not, for
# many points, on the CPU, and on a GPU where there is one. Which of the two this run had:

# %%
import time
from fractions import Fraction

import numpy as np
import sympy as sp

import eqvproof as ep

try:
    import cupy

    GPU = cupy.cuda.runtime.getDeviceProperties(0)["name"].decode()
except Exception as reason:  # no CuPy, no driver, no device
    cupy, GPU = None, f"none ({type(reason).__name__})"
print("GPU:", GPU)

# %% [markdown]
# ## The order of the points
#
# A large set, and a few features of each point. The sum of one column under some reorderings:

# %%
rng = np.random.default_rng(0)
n = 100_000
X = rng.normal(size=(n, 2))
x, y = sp.symbols("x y")
phi = (x, x * y, sp.exp(-(x**2)))
orders = [rng.permutation(n) for _ in range(8)]

plain = {float((X[p, 0] * X[p, 1]).sum()) for p in orders}
pooled = {ep.deepsets.pool(phi, X[p]).tobytes() for p in orders}
print(f"{n} points, {len(orders)} orders")
print("different results of np.sum:", len(plain))
print("different results of pool:  ", len(pooled))

# %% [markdown]
# ## Error against n
#
# `pool` adds exactly and rounds once. Beside it: NumPy's sum, and a running sum in the order of the rows. The exact sum
# of the float terms is computed with fractions.

# %%
sizes = [10, 100, 1000, 10_000]
errors: dict[str, list[float]] = {"running sum": [], "np.sum": [], "pool": []}
for size in sizes:
    column = rng.normal(size=size) * 10.0 ** rng.integers(-6, 6, size)
    exact = sum(map(Fraction, column.tolist()), Fraction(0))
    for name, total in {
        "running sum": np.cumsum(column)[-1],
        "np.sum": column.sum(),
        "pool": ep.deepsets.pool(x, column),
    }.items():
        errors[name].append(float(abs(Fraction(float(total)) - exact) / abs(exact)))
half_unit = [2.0**-53] * len(sizes)
ep.plots.deepsets_error(sizes, errors, bounds={"pool": half_unit})

# %%
print("pool within half a unit in the last place:", all(e <= b for e, b in zip(errors["pool"], half_unit)))

# %% [markdown]
# ## On the GPU
#
# The same call on a CuPy array runs there, and returns the same bits.

# %%
start = time.perf_counter()
here = ep.deepsets.pool(phi, X)
print(f"CPU: {time.perf_counter() - start:.3f} s")
if cupy is None:
    print("GPU: not compared, there is none here")
else:
    moved = cupy.asarray(X)
    ep.deepsets.pool(phi, moved)  # compiles
    start = time.perf_counter()
    there = ep.deepsets.pool(phi, moved).get()
    print(f"GPU ({GPU}): {time.perf_counter() - start:.3f} s, same bits: {there.tobytes() == here.tobytes()}")

# %% [markdown]
# ## Getting the points back
#
# Power sums determine a set of points. In exact arithmetic they always come back; in floats the decoder proves a bound
# on its error, or refuses:

# %%
for count in (4, 8, 16, 32):
    points = rng.uniform(-1, 1, count)
    sums = ep.deepsets.PowerSums(count)
    try:
        found = sums.decode(sums.encode(points))
        inside = bool((np.abs(found.points[:, 0] - np.sort(points)) <= found.bounds).all())
        print(f"{count:3} points: proved bound {found.bound:.1e}, true error inside: {inside}")
    except ep.EqvproofError as error:
        print(f"{count:3} points: refused ({error.code})")

# %% [markdown]
# A sketch is another code for the same job: integers, exact at every size, and the sketch of a union is the sum of the
# sketches.

# %%
sketch = ep.deepsets.Sketch(capacity=5_000)
values = rng.standard_normal(5_000)
total = sum(sketch.encode(part) for part in np.array_split(values, 7))
print(
    "all numbers back, bit for bit:",
    bool((np.sort(sketch.decode(total).elements()) == np.sort(values)).all()),
)

# %% [markdown]
# ## What a layer costs
#
# Equivariant layers of the form of Prop. 4.1 of my23 are written with four functions. What they cost in n is read off
# from these, and no n x n matrix is stored:

# %%
from eqvproof.deepsets.pair_forms import attention, linear_attention

for form in (attention(), linear_attention()):
    print(form.cost)
points, Z = rng.normal(size=(3, 60)), rng.normal(size=(3, 2))
with_matrix = points @ attention().coefficients(points, Z)
print("the same as with the n x n matrix:", np.allclose(attention()(points, Z), with_matrix, atol=1e-12))

# %% [markdown]
# And is a function of this form what it claims to be, in exact arithmetic, for every number of points?


# %%
def smooth_maximum(X):
    return np.log(np.exp(X).sum(axis=0))


verdict = ep.check(smooth_maximum, "X: n d -> d", under="S(n)")
print(verdict.outcome, verdict.grade, "|", verdict.scope)
