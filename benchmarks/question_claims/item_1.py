"""The nearest claim that holds: right where there is one, wrong where nothing nearby holds."""

import numpy as np

from benchmarks.question_claims.claim import Item

ITEM = Item(1, "It fails. Under which group does it hold?", "nearest")
rng = np.random.default_rng(11)
WEIGHT, GAMMA, BETA = rng.normal(size=(3, 5)), rng.normal(size=4), rng.normal(size=4)


@ITEM.right("a: 3, b: 3, c: 3 -> ()", "O(3)", place="SO(3)")
def signed_volume(a, b, c):
    return a @ np.cross(b, c)


@ITEM.right("x: n 3 -> n 3", "E(3)", place="x: n 3 -> n 3^ | E(3)")
def from_the_centroid(x):
    return x - x.mean(axis=0)


@ITEM.right("x: n -> n", "S(n)", place="C(n)")
def one_sided_filter(x):
    return x + 0.5 * np.roll(x, 1) + 0.25 * np.roll(x, 2)


@ITEM.right("x: n -> n", "S(n)", place="D(n)")
def second_difference(x):
    return np.roll(x, 1) - 2 * x + np.roll(x, -1)


@ITEM.right("x: n d -> n d", "O(d)", place="B(d)")
def activation_by_coordinate(x):
    return np.tanh(x)


@ITEM.right("x: n d -> n", "O(d)", place="S(d)")
def strongest_channel(x):
    return x.max(axis=-1)


@ITEM.right("x: n d -> n", "E(d)", place="O(d)")
def radius(x):
    return np.linalg.norm(x, axis=1)


@ITEM.right("x: n d -> n n", "E(d)", place="T(d)")
def city_block_distances(x):
    return np.abs(x[:, None] - x[None]).sum(-1)


@ITEM.right("m: n, x: n d -> d", "E(d)", place="O(d)")
def first_moment(m, x):
    return (m[:, None] * x).sum(0)


@ITEM.right("A: d d! -> ()", "GL(d)", place="SL(d)", sizes={"d": 3})
def determinant(A):
    return np.linalg.det(A)


@ITEM.wrong("x: n 3 -> n", "O(3)")
def mixed_coordinates(x):
    return x[:, 0] + 2 * x[:, 1] ** 2 - 3 * x[:, 2] * x[:, 0]


@ITEM.wrong("x: n -> n", "S(n)")
def ramp(x):
    return x * np.arange(1, len(x) + 1)


@ITEM.wrong("x: n -> n", "S(n)")
def running_total(x):
    return np.cumsum(x)


@ITEM.wrong("x: n 3 -> n 5", "O(3)")
def dense_layer(x):
    return np.exp(-((x @ WEIGHT - 0.3) ** 2))


@ITEM.wrong("x: n d -> n d", "E(d)")
def waves_added_up(x):
    return np.sin(x).cumsum(axis=1)


@ITEM.wrong("x: n 4 -> n 4", "O(4)")
def layer_norm_with_gain(x):
    centred = x - x.mean(-1, keepdims=True)
    return GAMMA * centred / np.sqrt(centred.var(-1, keepdims=True) + 1e-5) + BETA


@ITEM.wrong("q: 4 -> 3 3", "O(4)")
def rotation_of_quaternion(q):
    w, x, y, z = q
    return np.array(
        [
            [w * w + x * x - y * y - z * z, 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), w * w - x * x + y * y - z * z, 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), w * w - x * x - y * y + z * z],
        ]
    )


@ITEM.wrong("x: n -> n", "S(n)")
def running_maximum(x):
    return np.maximum.accumulate(x)


@ITEM.wrong("x: n -> n", "C(n)", sizes={"n": (5, 8)})
def smoothed_with_zeros(x):
    return np.convolve(x, [1.0, 2.0, 4.0], mode="same")


@ITEM.wrong("x: n d -> n d", "S(n)")
def discounted(x):
    return x * 0.9 ** np.arange(len(x))[:, None]
