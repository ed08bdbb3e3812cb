"""torch.distributions and torchmetrics."""

from __future__ import annotations

import torch
from torch import distributions as D
from torchmetrics import functional as M

from benchmarks.packages.claims import family

true, false = family("torch")


def normal(x, m, s):
    return D.Normal(m, s).log_prob(x).sum()


def divergence(p, q):
    return D.kl_divergence(D.Categorical(probs=p), D.Categorical(probs=q))


CLAIMS = [
    true("Normal.log_prob", lambda: normal, "x: n, m: n, s: n -> ()", "S(n)", draw="positive"),
    true("Normal translations", lambda: lambda x: D.Normal(x.mean(0), 1.0).log_prob(x).sum(), "x: n d -> ()", "T(d)"),
    true("Normal rotations", lambda: lambda x, m: D.Normal(m, 1.0).log_prob(x).sum(-1), "x: n d, m: d -> n", "E(d)"),
    true("Categorical.entropy", lambda: lambda x: D.Categorical(logits=x).entropy(), "x: n c -> n", "S(c)"),
    true("Categorical.log_prob", lambda: lambda x, y: D.Categorical(logits=x).log_prob(y), "x: n c, y[c]: n -> n", "S(c)"),
    true("kl Categorical", lambda: divergence, "p: n c, q: n c -> n", "S(c)", draw="positive"),
    true("kl Normal", lambda: lambda m, s: D.kl_divergence(D.Normal(m, s), D.Normal(torch.zeros_like(m), torch.ones_like(s))).sum(-1), "m: n d, s: n d -> n", "S(d)", draw="positive"),
    true("Independent Laplace", lambda: lambda x: D.Independent(D.Laplace(torch.zeros_like(x), 1.0), 1).log_prob(x), "x: n d -> n", "Signs(d)"),
    true("MultivariateNormal identity", lambda: lambda x: D.MultivariateNormal(torch.zeros_like(x[0]), torch.eye(x.shape[-1])).log_prob(x), "x: n d -> n", "O(d)"),
    true("Bernoulli.log_prob", lambda: lambda x, y: D.Bernoulli(logits=x).log_prob((y > 0).to(x.dtype)).mean(), "x: n, y: n -> ()", "S(n)"),
    true("Dirichlet entropy", lambda: lambda a: D.Dirichlet(a).entropy(), "a: n c -> n", "S(c)", draw="positive"),
    true("Poisson.log_prob", lambda: lambda r, y: D.Poisson(r).log_prob(torch.floor(y)), "r: n, y: n -> n", "S(n)", draw="positive"),
    true("Gamma mean", lambda: lambda a, r: D.Gamma(a, r).mean / D.Gamma(a, r).variance, "a: n, r: n -> n", "S(n)", draw="positive"),
    true("MixtureSameFamily", lambda: lambda x, w, m: D.MixtureSameFamily(D.Categorical(logits=w), D.Normal(m, 1.0)).log_prob(x), "x: n, w: k, m: k -> n", "S(k) x S(n)"),
    false("Normal fixed mean translations", lambda: lambda x: D.Normal(0.0, 1.0).log_prob(x).sum(), "x: n d -> ()", "T(d)"),
    false("Independent Laplace rotations", lambda: lambda x: D.Independent(D.Laplace(torch.zeros_like(x), 1.0), 1).log_prob(x), "x: n d -> n", "O(d)"),
    false("Categorical.log_prob of class 0", lambda: lambda x: D.Categorical(logits=x).log_prob(torch.zeros(x.shape[0])), "x: n c -> n", "S(c)"),
    false("kl Normal swapped scales", lambda: lambda m: D.kl_divergence(D.Normal(m, 1.0), D.Normal(m * 0, torch.arange(1, m.shape[-1] + 1).to(m.dtype))).sum(-1), "m: n d -> n", "S(d)"),
    false("Categorical.probs rows", lambda: lambda x: D.Categorical(logits=x).probs.cumsum(-1), "x: n c -> n c", "S(c)"),
    true("mean_squared_error", lambda: M.mean_squared_error, "x: n, y: n -> ()", "S(n)"),
    true("pearson_corrcoef", lambda: M.pearson_corrcoef, "x: n, y: n -> ()", "S(n)", sizes={"n": (2, 9)}),
    true("r2_score", lambda: M.r2_score, "x: n, y: n -> ()", "S(n)", sizes={"n": (2, 9)}),
    true("cosine_similarity", lambda: lambda x, y: M.cosine_similarity(x, y, reduction="mean"), "x: n d, y: n d -> ()", "O(d) x S(n)", single=True),
    true("pairwise_cosine_similarity", lambda: lambda x, y: M.pairwise_cosine_similarity(x, y), "x: n d, y: m d -> n m", "O(d)"),
    true("pairwise_euclidean_distance", lambda: lambda x, y: M.pairwise_euclidean_distance(x, y), "x: n d, y: m d -> n m", "E(d)"),
    true("pairwise_manhattan_distance", lambda: lambda x, y: M.pairwise_manhattan_distance(x, y), "x: n d, y: m d -> n m", "T(d) x S(n)"),
    true("explained_variance", lambda: M.explained_variance, "x: n, y: n -> ()", "S(n)"),
    true("kl_divergence", lambda: M.kl_divergence, "p: n c, q: n c -> ()", "S(c)", draw="positive"),
    true("signal_noise_ratio", lambda: M.signal_noise_ratio, "x: n, y: n -> ()", "S(n)"),
    true("concordance_corrcoef", lambda: M.concordance_corrcoef, "x: n, y: n -> 1", "S(n)", sizes={"n": (2, 9)}),
    true("total_variation", lambda: lambda x: M.total_variation(x[None]), "x: c 5 5 -> ()", "S(c)"),
    false("mean_absolute_error rotations", lambda: lambda x, y: M.mean_absolute_error(x, y), "x: n d, y: n d -> ()", "O(d)"),
    false("pairwise_cosine_similarity translations", lambda: lambda x, y: M.pairwise_cosine_similarity(x, y), "x: n d, y: m d -> n m", "E(d)"),
    false("pairwise_manhattan_distance rotations", lambda: lambda x, y: M.pairwise_manhattan_distance(x, y), "x: n d, y: m d -> n m", "O(d)"),
    false("r2_score swapped", lambda: lambda x, y: M.r2_score(x, y) * x[0], "x: n, y: n -> ()", "S(n)", sizes={"n": (2, 9)}),
]  # fmt: skip
