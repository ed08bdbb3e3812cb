"""How far from symmetric: right where there is no violation at all, wrong where there is a small one."""

import numpy as np

from benchmarks.question_claims.claim import Item

ITEM = Item(8, "How far from symmetric is it?", "violation")
rng = np.random.default_rng(8)
NEAR_IDENTITY = np.eye(2) + 0.02 * rng.normal(size=(2, 2))


@ITEM.right("x: n d -> n d", "O(d)", box=(1, 2), sizes={"n": 2, "d": 2})
def unit_vectors(x):
    return x / np.sqrt((x**2).sum(1, keepdims=True))


@ITEM.right("x: n -> n", "S(n)", sizes={"n": 3})
def softmax(x):
    e = np.exp(x - x.max())
    return e / e.sum()


@ITEM.right("x: n d -> n n", "E(d)", sizes={"n": 3, "d": 2})
def gaussian_kernel(x):
    return np.exp(-0.5 * ((x[:, None] - x[None]) ** 2).sum(-1))


@ITEM.right("x: n -> n", "C(n)", sizes={"n": 4})
def circular_blur(x):
    return 0.25 * np.roll(x, -1) + 0.5 * x + 0.25 * np.roll(x, 1)


@ITEM.right("x: n -> ()", "S(n)", sizes={"n": 3})
def median(x):
    return np.median(x)


@ITEM.right("x: d -> d", "Signs(d)", sizes={"d": 2})
def odd_saturation(x):
    return x / np.sqrt(1 + x**2)


@ITEM.right("x: n -> n", "Scale(n)", box=(1, 2), sizes={"n": 3})
def root_of_squares(x):
    return x**2 / np.sqrt((x**2).sum())


@ITEM.right("q: n d, k: n d, v: n d -> n d", "S(n)", sizes={"n": 2, "d": 2})
def attention(q, k, v):
    e = np.exp(q @ k.T)
    return (e / e.sum(1, keepdims=True)) @ v


@ITEM.right("x: n d -> d d", "O(d)", sizes={"n": 2, "d": 2})
def inertia(x):
    return (x**2).sum() * np.eye(x.shape[1]) - x.T @ x


@ITEM.right("a: 3, b: 3 -> 3", "SO(3)")
def double_cross(a, b):
    return np.cross(a, np.cross(a, b))


@ITEM.wrong("x: n d -> n d", "O(d)", sizes={"n": 2, "d": 2}, relative=False)
def nearly_the_identity(x):
    return x @ NEAR_IDENTITY


@ITEM.wrong("x: n d -> n d", "O(d)", sizes={"n": 1, "d": 2}, relative=False)
def slightly_cubic(x):
    return x + 0.01 * x**3


@ITEM.wrong("x: n -> n", "S(n)", sizes={"n": 3}, relative=False)
def softmax_of_warmer_rows(x):
    e = np.exp(x * (1 + 0.02 * np.arange(len(x))))
    return e / e.sum()


@ITEM.wrong("x: n -> n", "C(n)", sizes={"n": 4}, relative=False)
def blur_with_zeros(x):
    p = np.pad(x, 1)
    return 0.02 * p[:-2] + 0.96 * p[1:-1] + 0.02 * p[2:]


@ITEM.wrong("x: n -> ()", "S(n)", sizes={"n": 3}, relative=False)
def nearly_a_mean(x):
    return x @ np.array([0.33, 0.33, 0.34])


@ITEM.wrong("x: d -> ()", "O(d)", box=(1, 2), sizes={"d": 2})
def octagonal_length(x):
    a, b = np.abs(x)
    return 0.96 * np.maximum(a, b) + 0.398 * np.minimum(a, b)


@ITEM.wrong("x: d -> d", "Signs(d)", box=(0.5, 1), sizes={"d": 2})
def saturation_with_bias(x):
    return np.tanh(x + 0.02)


@ITEM.wrong("x: d -> d", "Signs(d)", box=(1, 2), sizes={"d": 2})
def slightly_leaky(x):
    return np.where(x > 0, x, 0.97 * x)


@ITEM.wrong("x: n 3 -> n", "SO(3)", box=(1, 2), sizes={"n": 1})
def oblate_radius(x):
    return np.sqrt(x[:, 0] ** 2 + x[:, 1] ** 2 + 1.05 * x[:, 2] ** 2)


@ITEM.wrong("x: n d -> n d", "S(n)", sizes={"n": 2, "d": 1}, relative=False)
def attention_with_positions(x):
    n = len(x)
    e = np.exp(x @ x.T + 0.05 * np.tri(n))
    return e / e.sum(1, keepdims=True) @ x
