"""Signatures from annotations, "..." for axes that nobody names, named results of a tuple."""

from typing import NamedTuple

import numpy as np
import torch
from jaxtyping import Bool, Float

from benchmarks.question_claims.claim import Item

ITEM = Item(10, "Must I write the signature?")
ROWS = ("x: n d -> n d", "x: b n d -> b n d", "x: b c n d -> b c n d")


@ITEM.right("", "S(n)", plain=("x: n d -> d",))
def pooled(x: Float[np.ndarray, "n d"]) -> Float[np.ndarray, " d"]:
    return np.log(np.exp(x).mean(0))


@ITEM.right("", "E(dim)", plain=("x: atoms dim -> atoms atoms",))
def pair_distances(x: Float[np.ndarray, "atoms dim"]) -> Float[np.ndarray, "atoms atoms"]:
    return np.sqrt(((x[:, None] - x[None]) ** 2).sum(-1))


@ITEM.right("", "S(nodes)", plain=("h: nodes f, mask[bool]: nodes -> f",))
def readout(
    h: Float[np.ndarray, "nodes f"], mask: Bool[np.ndarray, " nodes"]
) -> Float[np.ndarray, " f"]:
    return np.where(mask[:, None], h, 0.0).sum(0)


@ITEM.right("", "S(n)", plain=("q: n d, k: n d, v: n d -> n d",))
def torch_attention(
    q: Float[torch.Tensor, "n d"], k: Float[torch.Tensor, "n d"], v: Float[torch.Tensor, "n d"]
) -> Float[torch.Tensor, "n d"]:
    return torch.softmax(q @ k.T / q.shape[-1] ** 0.5, dim=-1) @ v


@ITEM.right("", "O(3)", plain=("v: n 3 -> n 3", "v: b n 3 -> b n 3"))
def shortened(v: Float[np.ndarray, "... 3"]) -> Float[np.ndarray, "... 3"]:
    return v / (1 + (v**2).sum(-1, keepdims=True))


@ITEM.right("x: ... n d -> ... n d", "S(n)", plain=ROWS)
def centred_rows(x):
    return x - x.mean(axis=-2, keepdims=True)


@ITEM.right("x: ... d -> ...", "O(d)", plain=("x: d -> ()", "x: n d -> n", "x: b n d -> b n"))
def length(x):
    return np.sqrt((x * x).sum(-1))


@ITEM.right("x: ... n d -> ... n d", "S(n) x S(d)", plain=("x: n d -> n d", "x: b n d -> b n d"))
def softmax_of_all(x):
    e = np.exp(x - x.max((-2, -1), keepdims=True))
    return e / e.sum((-2, -1), keepdims=True)


@ITEM.right("x: n d -> energy: (), forces: n d^", "E(d)")
def energy_and_forces(x):
    dx = x[:, None] - x[None]
    g = np.exp(-(dx**2).sum(-1))
    return g.sum(), (4 * g[..., None] * dx).sum(1)


class Moments(NamedTuple):
    """What `moments` returns."""

    mean: np.ndarray
    covariance: np.ndarray


@ITEM.right("x: n d -> mean: d, covariance: d d", "O(d) x S(n)")
def moments(x):
    mean = x.mean(0)
    return Moments(mean, (x - mean).T @ (x - mean) / len(x))


@ITEM.wrong("", "S(n)", plain=("x: n d -> d",))
def last_state(x: Float[np.ndarray, "n d"]) -> Float[np.ndarray, " d"]:
    return np.tanh(x[-1] + x.mean(0))


@ITEM.wrong("", "E(dim)", plain=("x: atoms dim -> atoms atoms",))
def cosines(x: Float[np.ndarray, "atoms dim"]) -> Float[np.ndarray, "atoms atoms"]:
    return x @ x.T / (1 + (x**2).sum())


@ITEM.wrong("", "S(nodes)", plain=("h: nodes f, mask[bool]: nodes -> f",))
def first_unmasked(
    h: Float[np.ndarray, "nodes f"], mask: Bool[np.ndarray, " nodes"]
) -> Float[np.ndarray, " f"]:
    return h[np.argmax(mask)]


@ITEM.wrong("", "S(n)", plain=("q: n d, k: n d, v: n d -> n d",))
def torch_causal_attention(
    q: Float[torch.Tensor, "n d"], k: Float[torch.Tensor, "n d"], v: Float[torch.Tensor, "n d"]
) -> Float[torch.Tensor, "n d"]:
    scores = (q @ k.T).masked_fill(torch.ones(len(q), len(q)).triu(1) == 1, float("-inf"))
    return torch.softmax(scores, dim=-1) @ v


@ITEM.wrong("", "O(3)", plain=("v: n 3 -> n 3", "v: b n 3 -> b n 3"))
def shortened_by_coordinate(v: Float[np.ndarray, "... 3"]) -> Float[np.ndarray, "... 3"]:
    return v / (1 + v**2)


@ITEM.wrong("x: ... n d -> ... n d", "S(n)", plain=ROWS)
def differences_of_rows(x):
    return x - np.roll(x, 1, axis=-2)


@ITEM.wrong("x: ... d -> ...", "O(d)", plain=("x: d -> ()", "x: n d -> n", "x: b n d -> b n"))
def largest_coordinate(x):
    return np.abs(x).max(-1)


@ITEM.wrong("x: ... n d -> ... n d", "S(n)", plain=ROWS)
def rotary(x):
    angle = np.arange(x.shape[-2])[:, None] * 0.1
    return x * np.cos(angle)


@ITEM.wrong("x: n d -> energy: (), forces: n d^", "E(d)")
def energy_and_forces_in_a_trap(x):
    dx = x[:, None] - x[None]
    g = np.exp(-(dx**2).sum(-1))
    return g.sum(), (4 * g[..., None] * dx).sum(1) - 0.1 * x


@ITEM.wrong("x: n d -> mean: d, covariance: d d", "O(d) x S(n)")
def diagonal_moments(x):
    mean = x.mean(0)
    return Moments(mean, np.diag(((x - mean) ** 2).mean(0)))
