"""What a result does not depend on: padding, another argument, later entries, entries outside a window."""

import numpy as np

from benchmarks.question_claims.claim import Item

ITEM = Item(2, "What does the result not depend on?", "independent")


def softmax(s):
    e = np.exp(s - s.max(-1, keepdims=True))
    return e / e.sum(-1, keepdims=True)


@ITEM.right("x: n, keep[bool]: n -> ()", of="x[~keep]")
def largest_kept(x, keep):
    return np.where(keep, x, -np.inf).max()


@ITEM.right("x: n d, keep[bool]: n, w: d -> d", of="x[~keep]")
def attention_pooling(x, keep, w):
    scores = np.exp(x @ w) * keep
    return (scores / scores.sum()) @ x


@ITEM.right("x: n d, keep[bool]: n -> d", of="x[~keep]")
def masked_variance(x, keep):
    k = keep[:, None]
    mean = (x * k).sum(0) / k.sum()
    return (k * (x - mean) ** 2).sum(0) / k.sum()


@ITEM.right("p: n, y: n, keep[bool]: n -> ()", of="y[~keep]")
def masked_logistic_loss(p, y, keep):
    loss = np.logaddexp(0, p) - y * p
    return np.where(keep, loss, 0).sum() / keep.sum()


@ITEM.right("q: m d, k: n d, b: d -> m n", of="b")
def attention_with_key_bias(q, k, b):
    return softmax(q @ (k + b).T / np.sqrt(q.shape[-1]))


@ITEM.right("x: n d, y: m d -> n d", of="y")
def layer_norm_in_a_batch(x, y):
    z = np.concatenate([x, y])
    z = (z - z.mean(1, keepdims=True)) / np.sqrt(z.var(1, keepdims=True) + 1e-6)
    return z[: len(x)]


@ITEM.right("x: n d -> n d", question="causal")
def mean_so_far(x):
    return np.cumsum(x, axis=0) / np.arange(1, len(x) + 1)[:, None]


@ITEM.right("x: n d -> n d", question="causal", before=2)
def filter_of_the_past(x):
    padded = np.pad(x, ((2, 0), (0, 0)))
    return 0.2 * padded[:-2] + 0.3 * padded[1:-1] + 0.5 * padded[2:]


@ITEM.right("x: n d -> n d", question="causal")
def masked_attention(x):
    n = x.shape[0]
    scores = x @ x.T / np.sqrt(x.shape[1])
    scores = np.where(np.triu(np.ones((n, n)), 1) == 1, -np.inf, scores)
    return softmax(scores) @ x


@ITEM.right("x: n -> n", question="causal", before=2, after=2)
def two_blurs(x):
    for _ in range(2):
        p = np.pad(x, 1)
        x = np.tanh((p[:-2] + p[1:-1] + p[2:]) / 3)
    return x


@ITEM.wrong("x: n d, keep[bool]: n -> d", of="x[~keep]")
def variance_about_the_whole_mean(x, keep):
    k = keep[:, None]
    return (k * (x - x.mean(0)) ** 2).sum(0) / k.sum()


@ITEM.wrong("x: n d, keep[bool]: n, w: d -> d", of="x[~keep]")
def softmax_before_the_mask(x, keep, w):
    return (softmax(x @ w) * keep) @ x


@ITEM.wrong("x: n, keep[bool]: n -> ()", of="x[~keep]")
def shifted_by_the_largest(x, keep):
    return (np.exp(x - x.max()) * keep).sum()


@ITEM.wrong("p: n, y: n, keep[bool]: n -> ()", of="y[~keep]")
def loss_times_share(p, y, keep):
    return ((p - y) ** 2).mean() * keep.mean()


@ITEM.wrong("q: m d, k: n d, b: d -> m n", of="b")
def cosine_attention_with_key_bias(q, k, b):
    k = k + b
    k = k / np.sqrt((k**2).sum(-1, keepdims=True) + 1e-6)
    return softmax(q @ k.T)


@ITEM.wrong("x: n d, y: m d -> n d", of="y")
def scaled_by_the_batch(x, y):
    z = np.concatenate([x, y])
    return x / np.sqrt((z**2).mean(0) + 1e-6)


@ITEM.wrong("x: n d -> n d", question="causal")
def centred_average(x):
    p = np.pad(x, ((1, 1), (0, 0)), mode="edge")
    return (p[:-2] + p[1:-1] + p[2:]) / 3


@ITEM.wrong("x: n d -> n d", question="causal", before=1)
def longer_past_than_said(x):
    padded = np.pad(x, ((2, 0), (0, 0)))
    return padded[2:] - 0.1 * padded[:-2]


@ITEM.wrong("x: n d -> n d", question="causal")
def mask_off_by_one(x):
    n = x.shape[0]
    scores = np.where(np.tri(n, n, 1) == 1, x @ x.T, -np.inf)
    return softmax(scores) @ x


@ITEM.wrong("x: n -> n", question="causal")
def normalised_by_the_peak(x):
    return np.cumsum(x) / (1 + np.abs(x).max())
