"""Losses and metrics of pairs, labels, rankings and embeddings."""

from __future__ import annotations

import math

import numpy as np
import scipy.stats
import torch
import torch.nn.functional as F
import torchmetrics.functional as M
import torchvision.ops as O
from timm.loss import LabelSmoothingCrossEntropy
from torch import nn

from benchmarks.packages.claims import numpy_false, numpy_true, torch_false, torch_true
from benchmarks.packages.helpers import (
    DIST,
    PAIR,
    ROWS,
    SETS,
    built_2,
    held,
    keras,
    list_mle,
    mincut_losses,
    named,
    packed,
    seeded,
    siglip,
    silhouette,
    using,
)


def fold_changes(X, labels):
    a, b = X[labels], X[~labels]
    return np.log2((a.mean(0) + 1e-9) / (b.mean(0) + 1e-9))


def winsorize(x):
    low, high = np.percentile(x, [5, 95])
    return np.clip(x, low, high)


def info_nce(x, y):
    x, y = F.normalize(x, dim=-1), F.normalize(y, dim=-1)
    logits = x @ y.t() / 0.07
    labels = torch.arange(x.shape[0], device=x.device)
    return F.cross_entropy(logits, labels)


def barlow(x, y):
    x, y = (x - x.mean(0)) / x.std(0), (y - y.mean(0)) / y.std(0)
    c = x.T @ y / x.shape[0]
    on = torch.diagonal(c).add(-1).pow(2).sum()
    off = c.flatten()[:-1].view(c.shape[0] - 1, c.shape[0] + 1)[:, 1:].flatten().pow(2).sum()
    return on + 0.005 * off


def vicreg_variance(x):
    return F.relu(1 - torch.sqrt(x.var(dim=0) + 1e-4)).mean()


def dice(p, t):
    p = p.sigmoid().reshape(-1)
    t = t.reshape(-1)
    return 1 - (2 * (p * t).sum() + 1) / (p.sum() + t.sum() + 1)


def gram_loss(x):
    n, c, h, w = x.shape
    f = x.view(n, c, h * w)
    return torch.bmm(f, f.transpose(1, 2)) / (c * h * w)


def clip_loss(x, y):
    x, y = x / x.norm(dim=-1, keepdim=True), y / y.norm(dim=-1, keepdim=True)
    logits = x @ y.t()
    target = torch.arange(len(logits))
    return (F.cross_entropy(logits, target) + F.cross_entropy(logits.t(), target)) / 2


def supcon(z, y):
    z = F.normalize(z, dim=1)
    sim = z @ z.T / 0.1
    same = (y[:, None] == y[None, :]).float().fill_diagonal_(0)
    sim = sim - torch.eye(len(z)) * 1e9
    logp = sim - torch.logsumexp(sim, dim=1, keepdim=True)
    return -((same * logp).sum(1) / same.sum(1).clamp(min=1)).mean()


def batch_hard(z, y):
    d = torch.cdist(z, z)
    same = y.unsqueeze(0) == y.unsqueeze(1)
    far = torch.where(same, d, torch.zeros_like(d)).amax(1)
    near = d.masked_fill(same, 1e6).amin(1)
    return F.relu(far - near + 0.2).mean()


def bag_of_bonds(Z, X):
    r = np.linalg.norm(X[:, None] - X[None], axis=-1)
    i, j = np.triu_indices(len(X), 1)
    return np.sort(Z[i] * Z[j] / r[i, j])[::-1]


def reciprocal_rank(scores, target):
    return 1.0 / (1 + (scores > (scores * target).sum()).sum())


def listnet(pred, gold):
    return -(torch.softmax(gold, -1) * torch.log_softmax(pred, -1)).sum(-1).mean()


def ranknet(s, y):
    d = s.unsqueeze(1) - s.unsqueeze(0)
    t = (y.unsqueeze(1) > y.unsqueeze(0)).to(s.dtype)
    return (F.binary_cross_entropy_with_logits(d, t, reduction="none") * (1 - torch.eye(len(s)))).mean()


def nt_xent(a, b, tau=0.5):
    z = F.normalize(torch.cat([a, b]), dim=1)
    n = a.shape[0]
    sim = z @ z.t() / tau
    sim.fill_diagonal_(float("-inf"))
    target = torch.cat([torch.arange(n, 2 * n), torch.arange(n)])
    return F.cross_entropy(sim, target)


def triplet_semi_hard(z, y, margin=0.3):
    d = torch.cdist(z, z)
    same = y[:, None] == y[None]
    loss = F.relu(d[:, :, None] - d[:, None, :] + margin)
    mask = same[:, :, None] & ~same[:, None, :]
    return (loss * mask).sum() / mask.sum().clamp(min=1)


def center_loss(z, y):
    onehot = F.one_hot(y, 3).to(z.dtype)
    count = onehot.sum(0).clamp(min=1)
    centers = onehot.T @ z / count[:, None]
    return ((z - centers[y]) ** 2).sum(1).mean()


def vicreg(x, y):
    n, d = x.shape
    sim = F.mse_loss(x, y)
    x = x - x.mean(dim=0)
    cov = (x.T @ x) / (n - 1)
    off = cov.pow(2).sum() - cov.diagonal().pow(2).sum()
    return 25 * sim + off / d


def dino(student, teacher):
    t = F.softmax((teacher - teacher.mean(0, keepdim=True)) / 0.04, dim=-1)
    return -(t * F.log_softmax(student / 0.1, dim=-1)).sum(-1).mean()


def focal(x, y, gamma=2.0):
    ce = F.cross_entropy(x, y, reduction="none")
    return ((1 - torch.exp(-ce)) ** gamma * ce).mean()


def lovasz_hinge(x, y):
    sign = 2.0 * y - 1.0
    err = 1.0 - x * sign
    err, perm = torch.sort(err, dim=0, descending=True)
    gt = y[perm].to(x.dtype)
    inter = gt.sum() - gt.cumsum(0)
    union = gt.sum() + (1 - gt).cumsum(0)
    jac = 1.0 - inter / union
    jac = torch.cat([jac[:1], jac[1:] - jac[:-1]])
    return torch.dot(F.relu(err), jac)


LOSS = "z: n 4, y[3]: n -> ()"

METRIC = "pytorch_metric_learning.losses:"

PAIR_local = "x: b 4, y: b 4 -> ()"

LOSS_2 = "lightly.loss:"


def label_propagation(A, Y, alpha=0.9):
    D = np.diag(1.0 / np.sqrt(A.sum(1)))
    S = D @ A @ D
    Fm = Y.copy()
    for _ in range(4):
        Fm = alpha * S @ Fm + (1 - alpha) * Y
    return Fm


class VAELoss(nn.Module):
    def __init__(self):
        super().__init__()
        self.enc, self.dec = nn.Linear(4, 6), nn.Linear(3, 4)

    def forward(self, x):
        mu, logvar = self.enc(x).chunk(2, -1)
        recon = self.dec(mu)
        kld = -0.5 * torch.sum(1 + logvar - mu.pow(2) - logvar.exp())
        return F.mse_loss(recon, x, reduction="sum") + kld


def vq_commitment(z, codebook):
    d = z.pow(2).sum(1, keepdim=True) + codebook.pow(2).sum(1) - 2 * z @ codebook.t()
    q = codebook[d.argmin(1)]
    return F.mse_loss(q.detach(), z) + 0.25 * F.mse_loss(q, z.detach())


def info_nce_2(query, keys, tau=0.1):
    query, keys = F.normalize(query, dim=-1), F.normalize(keys, dim=-1)
    logits = query @ keys.t() / tau
    labels = torch.arange(len(query), device=query.device)
    return F.cross_entropy(logits, labels)


def clip_loss_2(image, text):
    image = image / image.norm(dim=1, keepdim=True)
    text = text / text.norm(dim=1, keepdim=True)
    logits = math.exp(1.0) * image @ text.t()
    targets = torch.arange(image.shape[0])
    return (F.cross_entropy(logits, targets) + F.cross_entropy(logits.t(), targets)) / 2


def batch_all_triplet(z, y, margin=0.3):
    d = torch.cdist(z, z)
    same = y[:, None] == y[None, :]
    loss = F.relu(d[:, :, None] - d[:, None, :] + margin)
    keep = same[:, :, None] & ~same[:, None, :]
    return (loss * keep).sum() / (keep.sum() + 1e-8)


def nt_xent_2(z1, z2, tau=0.5):
    n = z1.shape[0]
    z = F.normalize(torch.cat([z1, z2], dim=0), dim=1)
    sim = z @ z.T / tau
    eye = torch.eye(2 * n, dtype=torch.bool)
    neg = sim[~eye].view(2 * n, -1)
    pos = torch.cat([torch.diag(sim, n), torch.diag(sim, -n)])
    return (-pos + torch.logsumexp(neg, dim=-1)).mean()


def off_diagonal(x):
    n, m = x.shape
    return x.flatten()[:-1].view(n - 1, n + 1)[:, 1:].flatten()


def barlow_twins(z1, z2, lambd=5e-3):
    n = z1.shape[0]
    z1 = (z1 - z1.mean(0)) / (z1.std(0) + 1e-6)
    z2 = (z2 - z2.mean(0)) / (z2.std(0) + 1e-6)
    c = z1.T @ z2 / n
    on = (torch.diagonal(c) - 1).pow(2).sum()
    return on + lambd * off_diagonal(c).pow(2).sum()


def center_loss_2(x, labels, centers):
    batch_size, num_classes = x.size(0), centers.size(0)
    distmat = torch.pow(x, 2).sum(dim=1, keepdim=True).expand(batch_size, num_classes)
    distmat = distmat + torch.pow(centers, 2).sum(dim=1, keepdim=True).expand(num_classes, batch_size).t()
    distmat = distmat - 2 * x @ centers.t()
    classes = torch.arange(num_classes).long()
    mask = labels.unsqueeze(1).expand(batch_size, num_classes).eq(classes.expand(batch_size, num_classes))
    return (distmat * mask.float()).clamp(min=1e-12, max=1e12).sum() / batch_size


def supcon_2(features, labels, temperature=0.1):
    labels = labels.contiguous().view(-1, 1)
    mask = torch.eq(labels, labels.T).float()
    logits = torch.matmul(features, features.T) / temperature
    logits_max, _ = torch.max(logits, dim=1, keepdim=True)
    logits = logits - logits_max.detach()
    logits_mask = torch.scatter(torch.ones_like(mask), 1, torch.arange(features.shape[0]).view(-1, 1), 0)
    mask = mask * logits_mask
    exp_logits = torch.exp(logits) * logits_mask
    log_prob = logits - torch.log(exp_logits.sum(1, keepdim=True) + 1e-9)
    return -((mask * log_prob).sum(1) / (mask.sum(1) + 1e-9)).mean()


def dice_loss(logits, target, smooth=1.0):
    p = torch.sigmoid(logits).reshape(-1)
    t = target.reshape(-1)
    inter = (p * t).sum()
    return 1 - (2.0 * inter + smooth) / (p.sum() + t.sum() + smooth)


def smooth_contacts(X, r0=1.5):
    d = np.sqrt(((X[:, None] - X[None]) ** 2).sum(-1))
    iu = np.triu_indices(len(X), k=1)
    x = d[iu] / r0
    return np.sum((1 - x**6) / (1 - x**12))


def ndcg(rel, scores, k=3):
    order = np.argsort(-scores)[:k]
    dcg = np.sum((2 ** rel[order] - 1) / np.log2(np.arange(2, k + 2)))
    ideal = np.sort(rel)[::-1][:k]
    return dcg / np.sum((2**ideal - 1) / np.log2(np.arange(2, k + 2)))


def gumbel_free_vq(z, codebook):
    d = z.pow(2).sum(1, keepdim=True) - 2 * z @ codebook.t() + codebook.pow(2).sum(1)
    idx = d.argmin(1)
    q = F.embedding(idx, codebook)
    loss = F.mse_loss(q.detach(), z) + 0.25 * F.mse_loss(q, z.detach())
    return z + (q - z).detach(), loss


def proto_loss(support, query, labels):
    proto = torch.stack([support[i::3].mean(0) for i in range(3)])
    return F.cross_entropy(-torch.cdist(query, proto) ** 2, labels)


def angular_margin(x, w, y, m=0.3, s=8.0):
    cos = F.normalize(x) @ F.normalize(w).T
    hot = F.one_hot(y, 3).to(cos.dtype)
    phi = torch.cos(torch.acos(cos.clamp(-1 + 1e-7, 1 - 1e-7)) + m)
    return F.cross_entropy(s * (hot * phi + (1 - hot) * cos), y)


def hungarian_free_set_loss(p, t):
    return torch.cdist(p, t).min(-1).values.mean(-1) + torch.cdist(p, t).amin(-2).mean(-1)


def vicreg_2(x, y):
    inv = F.mse_loss(x, y)
    var = sum(F.relu(1 - torch.sqrt(z.var(0) + 1e-4)).mean() for z in (x, y))
    cov = 0.0
    for z in (x, y):
        z = z - z.mean(0)
        c = z.T @ z / (z.shape[0] - 1)
        cov = cov + (c.pow(2).sum() - c.diagonal().pow(2).sum()) / z.shape[1]
    return inv + var + cov


def rank_correlation(x, y):
    rx, ry = x.argsort().argsort(), y.argsort().argsort()
    return np.corrcoef(rx, ry)[0, 1]


def sup_con(z, labels, temperature=0.5):
    z = F.normalize(z, dim=1)
    logits = z @ z.T / temperature
    logits = logits - logits.max(dim=1, keepdim=True)[0].detach()
    mask = (labels[:, None] == labels[None, :]).float()
    self_mask = 1 - torch.eye(len(z))
    mask = mask * self_mask
    exp = torch.exp(logits) * self_mask
    log_prob = logits - torch.log(exp.sum(1, keepdim=True))
    return -((mask * log_prob).sum(1) / (mask.sum(1) + 1e-6)).mean()


def simclr(z):
    n = z.shape[0] // 2
    z = F.normalize(z, dim=1)
    sim = z @ z.T / 0.1
    sim = sim.masked_fill(torch.eye(2 * n, dtype=torch.bool), -1e9)
    labels = (torch.arange(2 * n) + n) % (2 * n)
    return F.cross_entropy(sim, labels)


def nt_xent_cat(a, b):
    z = F.normalize(torch.cat([a, b]), dim=-1)
    n = a.shape[0]
    sim = z @ z.t() / 0.5
    sim.fill_diagonal_(float("-inf"))
    target = torch.cat([torch.arange(n, 2 * n), torch.arange(n)])
    return F.cross_entropy(sim, target)


def hard_triplet(z, y, margin=0.3):
    d = torch.cdist(z, z)
    same = y[:, None] == y[None]
    pos = d.masked_fill(~same, 0).max(1)[0]
    neg = d.masked_fill(same, float("inf")).min(1)[0]
    return F.relu(pos - torch.where(torch.isinf(neg), torch.zeros_like(neg), neg) + margin).mean()


def listnet_2(scores, relevance):
    return -(F.softmax(relevance, -1) * F.log_softmax(scores, -1)).sum()


def pairwise_hinge(scores, relevance):
    ds = scores[:, None] - scores[None]
    dr = torch.sign(relevance[:, None] - relevance[None])
    return F.relu(1 - dr * ds).triu(1).sum()


def focal_2(logits, target, gamma=2.0):
    ce = F.cross_entropy(logits, target, reduction="none")
    return ((1 - torch.exp(-ce)) ** gamma * ce).mean()


def dice_2(logits, target):
    p = logits.softmax(1)
    t = F.one_hot(target, 3).movedim(-1, 1).to(p.dtype)
    dims = (0, 2, 3)
    return 1 - ((2 * (p * t).sum(dims) + 1) / ((p + t).sum(dims) + 1)).mean()


def dbi_pairs(X):
    i, j = np.triu_indices(len(X), 1)
    return np.exp(-np.sum((X[i] - X[j]) ** 2, 1)).sum()


def nt_xent_masked(z1, z2, temperature=0.5):
    n = z1.shape[0]
    z = F.normalize(torch.cat([z1, z2]), dim=1)
    sim = z @ z.T / temperature
    mask = ~torch.eye(2 * n, dtype=torch.bool)
    sim = sim[mask].view(2 * n, -1)
    pos = (z1 * z2).sum(-1)
    pos = F.cosine_similarity(z1, z2, dim=-1) / temperature
    return (torch.logsumexp(sim, -1) - torch.cat([pos, pos])).mean()


def decorrelation(z):
    z = (z - z.mean(0)) / (z.std(0) + 1e-4)
    c = z.T @ z / z.shape[0]
    off = c.flatten()[:-1].view(c.shape[0] - 1, c.shape[0] + 1)[:, 1:].flatten()
    return (torch.diagonal(c) - 1).pow(2).sum() + 0.01 * off.pow(2).sum()


def circle_loss(sp, sn, m=0.25, gamma=2.0):
    ap, an = torch.clamp_min(-sp.detach() + 1 + m, 0.0), torch.clamp_min(sn.detach() + m, 0.0)
    lp, ln = -ap * (sp - 1 + m) * gamma, an * (sn - m) * gamma
    return F.softplus(torch.logsumexp(ln, dim=0) + torch.logsumexp(lp, dim=0))


def soft_rank(x, tau=1.0):
    return 1 + torch.sigmoid((x[:, None] - x[None]) / tau).sum(0) - 0.5


def lovasz_grad_hinge(logits, labels):
    signs = 2.0 * labels - 1.0
    errors = 1.0 - logits * signs
    errors_sorted, perm = torch.sort(errors, dim=0, descending=True)
    gt = labels[perm]
    gts = gt.sum()
    inter, union = gts - gt.cumsum(0), gts + (1 - gt).cumsum(0)
    j = 1.0 - inter / union
    g = torch.cat([j[:1], j[1:] - j[:-1]])
    return F.relu(errors_sorted) @ g


def relational_kd(s, t):
    def pd(e):
        sq = e.pow(2).sum(dim=1)
        prod = e @ e.t()
        res = (sq.unsqueeze(1) + sq.unsqueeze(0) - 2 * prod).clamp(min=1e-12).sqrt()
        res = res.clone()
        res[range(len(e)), range(len(e))] = 0
        return res
    dt = pd(t)
    dt = dt / dt[dt > 0].mean()
    ds = pd(s)
    ds = ds / ds[ds > 0].mean()
    return F.smooth_l1_loss(ds, dt)


def chatterjee_xi(x, y):
    n = len(x)
    r = scipy.stats.rankdata(y[np.argsort(x)])
    return 1 - 3 * np.abs(np.diff(r)).sum() / (n**2 - 1)


def simrank(A, c=0.8, steps=2):
    W = A / A.sum(0, keepdims=True)
    S = np.eye(len(A))
    for _ in range(steps):
        S = c * W.T @ S @ W
        np.fill_diagonal(S, 1)
    return S


def hodges_lehmann(x):
    i, j = np.triu_indices(len(x))
    return np.median((x[i] + x[j]) / 2)


def brown_corr(x, y):
    rx, ry = x.argsort().argsort(), y.argsort().argsort()
    n = len(x)
    return 1 - 6 * ((rx - ry) ** 2).sum() / (n * (n**2 - 1))


EMBEDDED = "x: 6 d -> ()"


def loss(name):
    """A loss of pytorch_metric_learning on six points of three classes."""
    of = f"L.{name}(); y = torch.tensor([0, 0, 1, 1, 2, 2])"
    return held("pytorch_metric_learning.losses as L", "lambda x: f(x, y)", f"f = {of}")


def info_nce_3(sim):
    n = sim.shape[0]
    eye = torch.eye(n, dtype=torch.bool)
    negatives = sim[~eye].view(n, -1)
    return (torch.logsumexp(negatives, 1) - sim.diagonal()).mean()


def barlow_2(a, b):
    a, b = (a - a.mean(0)) / a.std(0), (b - b.mean(0)) / b.std(0)
    c = a.T @ b / a.shape[0]
    on = (torch.diagonal(c) - 1).pow(2).sum()
    return on + 0.005 * (c.pow(2).sum() - torch.diagonal(c).pow(2).sum())


def vicreg_3(z):
    z = z - z.mean(0)
    std = torch.sqrt(z.var(0) + 1e-4)
    cov = z.T @ z / (z.shape[0] - 1)
    off = cov.pow(2).sum() - cov.diagonal().pow(2).sum()
    return F.relu(1 - std).mean() + off / z.shape[1]


def npair(a, p):  # N-pair loss
    logits = a @ p.t()
    target = torch.arange(a.size(0))
    return F.cross_entropy(logits, target) + 0.002 * (a.norm(dim=1).pow(2) + p.norm(dim=1).pow(2)).mean()


class ArcFace(nn.Module):
    def __init__(self, d=6, classes=4, s=30.0, m=0.5):
        super().__init__()
        self.weight = nn.Parameter(torch.randn(classes, d))
        self.s, self.m = s, m

    def forward(self, x, y):
        cosine = F.linear(F.normalize(x), F.normalize(self.weight))
        theta = torch.acos(cosine.clamp(-1 + 1e-7, 1 - 1e-7))
        one_hot = F.one_hot(y, cosine.size(1))
        logits = torch.where(one_hot.bool(), torch.cos(theta + self.m), cosine)
        return F.cross_entropy(self.s * logits, y)


def approx_ndcg(s, y, t=0.1):
    d = (s[None, :] - s[:, None]) / t
    rank = torch.sigmoid(d).sum(1) + 0.5
    gain = (2.0**y - 1) / torch.log2(1 + rank)
    ideal = torch.sort(y, descending=True).values
    return gain.sum() / ((2.0**ideal - 1) / torch.log2(torch.arange(len(y)) + 2.0)).sum()


def label_propagation_2(W, Y, alpha=0.9):
    d = W.sum(1)
    S = W / np.sqrt(np.outer(d, d))
    return np.linalg.solve(np.eye(len(W)) - alpha * S, Y)


def rank_normal(x):
    r = x.argsort().argsort() + 1
    return (r - 0.5) / len(x)


def of_torch(imports, made):
    """A function of two arguments that a call makes."""
    return held(imports, "lambda x, y: f(x, y)", f"f = {made}")


def decoupled(z1, z2, tau=0.1):
    cross = z1 @ z2.t()
    positive = -torch.diag(cross) / tau
    similarity = torch.cat((z1 @ z1.t(), cross), dim=1) / tau
    mask = torch.eye(z1.size(0), dtype=z1.dtype).repeat(1, 2)
    negative = torch.logsumexp(similarity + np.log(1e-45) * mask, dim=1)
    return (positive + negative).mean()


def rank_n_contrast(f, y, tau=2.0):
    diffs = (y[:, None] - y[None]).abs()
    logits = -(f[:, None] - f[None]).norm(2, dim=-1).div(tau)
    n = logits.shape[0]
    off = (1 - torch.eye(n)).bool()
    logits, diffs = logits.masked_select(off).view(n, n - 1), diffs.masked_select(off).view(n, n - 1)
    loss = 0.0
    for k in range(n - 1):
        mask = (diffs >= diffs[:, k : k + 1]).to(f.dtype)
        loss = loss - (logits[:, k] - torch.log((mask * logits.exp()).sum(-1))).sum() / (n * (n - 1))
    return loss


def lifted_structure(x, y, margin=1.0):
    d = torch.cdist(x, x)
    same = y[:, None] == y[None]
    eye = torch.eye(len(y), dtype=torch.bool)
    neg = torch.where(same, torch.full_like(d, float("-inf")), margin - d).logsumexp(1)
    pair = torch.logaddexp(neg[:, None], neg[None]) + d
    positive = same & ~eye
    return (F.relu(torch.where(positive, pair, torch.zeros_like(pair))) ** 2).sum() / 2


def permutation_p(x, y):  # rank sum with midranks
    z = np.concatenate([x, y])
    ranks = (z[:, None] > z[None, :]).sum(1) + 0.5 * ((z[:, None] == z[None, :]).sum(1) + 1)
    return ranks[: len(x)].sum() - len(x) * (len(x) + 1) / 2


CLAIMS = [
    numpy_true("cells fold changes", lambda: fold_changes, "X: n g, labels[bool]: n -> g", "S(n)", draw="positive", sizes={"n": (9, 10)}),
    numpy_true("winsorize", lambda: winsorize, "x: n -> n", "S(n)"),
    numpy_true("bincount labels", lambda: lambda y: np.bincount(y, minlength=4) / len(y), "y[4]: n -> 4", "S(n)"),
    torch_true("InfoNCE", lambda: info_nce, "x: n d, y: n d -> ()", "S(n) x O(d)"),
    torch_true("Barlow twins", lambda: barlow, "x: n c, y: n c -> ()", "S(n)"),
    torch_true("VICReg variance", lambda: vicreg_variance, "x: n c -> ()", "S(n) x S(c)"),
    torch_true("dice loss", lambda: dice, "p: n h w, t: n h w -> ()", "S(h) x S(w)", draw="positive"),
    torch_true("style Gram", lambda: gram_loss, "x: b c h w -> b c c", "S(c) x S(h) x S(w)"),
    numpy_false("cells rank of genes", lambda: lambda X: np.cumsum(X.mean(0)) / X.mean(0).sum(), "X: n g -> g", "S(g)", draw="positive"),
    numpy_false("winsorize reversed", lambda: lambda x: winsorize(x)[::-1], "x: n -> n", "S(n)"),
    numpy_false("histogram of ranks", lambda: lambda x: np.histogram(x * np.arange(len(x)), bins=4, range=(-1, 1))[0], "x: n -> 4", "S(n)"),
    torch_false("InfoNCE translated", lambda: info_nce, "x: n d, y: n d -> ()", "T(d)"),
    torch_false("Barlow rotated", lambda: barlow, "x: n c, y: n c -> ()", "O(c)"),
    torch_true("torchvision giou", lambda: O.generalized_box_iou, "a: n 4, b: m 4 -> n m", "S(n) x S(m)"),
    torch_true("torchvision distance_box_iou_loss", lambda: lambda a, b: O.distance_box_iou_loss(a, b).sum(), "a: n 4, b: n 4 -> ()", "S(n)"),
    torch_true("torch MultiMarginLoss", lambda: nn.MultiMarginLoss(), "x: n c, y[c]: n -> ()", "S(n) x S(c)"),
    torch_true("torch MarginRankingLoss", lambda: lambda a, b: F.margin_ranking_loss(a, b, torch.ones_like(a)), "a: n, b: n -> ()", "S(n)"),
    torch_true("torch PoissonNLLLoss", lambda: nn.PoissonNLLLoss(), "x: n, y: n -> ()", "S(n)"),
    torch_true("torch GaussianNLLLoss", lambda: nn.GaussianNLLLoss(), "x: n d, y: n d, v: n d -> ()", "S(n) x S(d)", draw="positive"),
    torch_true("torch SoftMarginLoss", lambda: nn.SoftMarginLoss(), "x: n, y: n -> ()", "S(n)"),
    torch_true("torch cross_entropy weights", lambda: lambda x, y: F.cross_entropy(x, y, weight=torch.tensor([1.0, 2.0, 3.0], dtype=x.dtype)), "x: n 3, y[3]: n -> ()", "S(n)"),
    torch_true("torch nll ignore_index", lambda: lambda x, y: F.cross_entropy(x, y, ignore_index=0), "x: n 3, y[3]: n -> ()", "S(n)", sizes={"n": (8, 9)}),
    torch_true("CLIP loss", lambda: clip_loss, "x: n d, y: n d -> ()", "S(n) x O(d)"),
    torch_true("timm LabelSmoothing", lambda: LabelSmoothingCrossEntropy(0.1), "x: n c, y[c]: n -> ()", "S(n) x S(c)"),
    torch_false("torchvision giou swapped corners", lambda: O.generalized_box_iou_loss, "a: n 4, b: n 4 -> n", "O(4)"),
    torch_false("torch cross_entropy weights classes", lambda: lambda x, y: F.cross_entropy(x, y, weight=torch.tensor([1.0, 2.0, 3.0], dtype=x.dtype)), "x: n c, y[c]: n -> ()", "S(c)", sizes={"c": 3}),
    torch_false("CLIP loss one side", lambda: lambda x, y: clip_loss(x, y) + x[0, 0], "x: n d, y: n d -> ()", "S(n)"),
    torch_true("torch HingeEmbeddingLoss", lambda: lambda x, y: nn.HingeEmbeddingLoss()(x, 2 * y - 1), "x: n, y[2]: n -> ()", "S(n)"),
    torch_true("torch MultiLabelSoftMarginLoss", lambda: nn.MultiLabelSoftMarginLoss(), "x: n c, y: n c -> ()", "S(n) x S(c)"),
    torch_true("torch TripletMarginWithDistanceLoss", lambda: nn.TripletMarginWithDistanceLoss(), "a: n d, p: n d, q: n d -> ()", "S(n) x T(d)"),
    torch_true("torch binary_cross_entropy", lambda: lambda x, y: F.binary_cross_entropy(x.sigmoid(), y.sigmoid()), "x: n, y: n -> ()", "S(n)"),
    torch_true("torch supervised contrastive", lambda: supcon, "z: n d, y[3]: n -> ()", "S(n) x O(d)"),
    torch_true("torch batch hard triplet", lambda: batch_hard, "z: n d, y[3]: n -> ()", "S(n) x E(d)"),
    torch_true("torch tril_indices pairs", lambda: lambda x: (lambda i: (x[i[0]] * x[i[1]]).sum())(torch.tril_indices(len(x), len(x), -1)), "x: n d -> ()", "S(n) x O(d)"),
    torch_true("torchmetrics hinge", lambda: lambda p, y: M.hinge_loss(p, y, task="multiclass", num_classes=3), "p: n 3, y[3]: n -> ()", "S(n)"),
    torch_false("torch supervised contrastive shifted", lambda: supcon, "z: n d, y[3]: n -> ()", "T(d)"),
    torch_false("torch MultiLabelSoftMargin weighted", lambda: nn.MultiLabelSoftMarginLoss(weight=torch.tensor([1.0, 2.0, 3.0])), "x: n v, y: n v -> ()", "S(v)", sizes={"v": 3}),
    numpy_true("bag of bonds", lambda: bag_of_bonds, "Z: n, X: n d -> m", "S(n) x E(d)", sizes={"n": 4, "m": 6}),
    numpy_true("reciprocal rank", lambda: reciprocal_rank, "s: n, t: n -> ()", "S(n)"),
    torch_true("ListNet", lambda: listnet, "p: b n, g: b n -> ()", "S(b) x S(n)"),
    torch_true("RankNet", lambda: ranknet, "s: n, y: n -> ()", "S(n)"),
    torch_true("NT-Xent", lambda: nt_xent, "a: n d, b: n d -> ()", "S(n) x O(d)"),
    torch_true("triplets of all pairs", lambda: triplet_semi_hard, "z: n d, y[3]: n -> ()", "S(n) x E(d)"),
    torch_true("center loss", lambda: center_loss, "z: n d, y[3]: n -> ()", "S(n) x E(d)"),
    torch_true("VICReg", lambda: vicreg, "x: n d, y: n d -> ()", "S(n) x S(d)"),
    torch_true("DINO loss", lambda: dino, "s: n k, t: n k -> ()", "S(n) x S(k)"),
    torch_true("focal loss", lambda: focal, "x: n c, y[c]: n -> ()", "S(n) x S(c)"),
    torch_true("Lovasz hinge", lambda: lovasz_hinge, "x: n, y[2]: n -> ()", "S(n)"),
    numpy_false("NDCG with gains unsorted", lambda: lambda s, g: (g / np.log2(np.arange(2, len(g) + 2))).sum() * s.sum(), "s: n, g: n -> ()", "S(n)", draw="positive"),
    numpy_false("reciprocal rank scaled", lambda: reciprocal_rank, "s: n, t: n -> ()", "T(n)"),
    torch_false("RankNet scaled", lambda: ranknet, "s: n, y: n -> ()", "Scale(n)"),
    torch_false("NT-Xent translated", lambda: nt_xent, "a: n d, b: n d -> ()", "T(d)"),
    torch_false("VICReg rotated one side", lambda: vicreg, "x: n d, y: n d! -> ()", "O(d)"),
    torch_true("geomloss sinkhorn", built_2("geomloss:SamplesLoss", "sinkhorn", p=2, blur=0.5, backend="tensorized"), "x: n d, y: m d -> ()", "S(n) x T(d)"),
    torch_true("metric-learning contrastive", built_2(METRIC + "ContrastiveLoss"), LOSS, "S(n) x O(4)", sizes={"n": (4, 6)}),
    torch_true("metric-learning triplet", built_2(METRIC + "TripletMarginLoss"), LOSS, "S(n) x O(4)", sizes={"n": (6, 7)}),
    torch_true("metric-learning NTXent", built_2(METRIC + "NTXentLoss"), LOSS, "S(n) x O(4)", sizes={"n": (6, 7)}),
    torch_true("metric-learning multi-similarity", built_2(METRIC + "MultiSimilarityLoss"), LOSS, "S(n) x O(4)", sizes={"n": (6, 7)}),
    torch_true("kornia total variation", named("kornia.losses:total_variation"), "x: b c h w -> b c", "S(c)"),
    torch_true("kornia dice", using("kornia.losses:dice_loss", lambda f, x, y: f(x, y)), "x: b 3 h w, y[3]: b h w -> ()", "S(h) x S(w)"),
    torch_true("monai dice loss", built_2("monai.losses:DiceLoss", sigmoid=True), "x: b c h w, y: b c h w -> ()", "S(h) x S(w) x S(c)"),
    torch_true("monai tversky", built_2("monai.losses:TverskyLoss", sigmoid=True), "x: b c h w, y: b c h w -> ()", "S(h) x S(w)"),
    torch_false("metric-learning contrastive translated", built_2(METRIC + "ContrastiveLoss"), LOSS, "T(4)", sizes={"n": (4, 6)}),
    torch_false("kornia total variation of rows", named("kornia.losses:total_variation"), "x: b c h w -> b c", "S(h)"),
    torch_false("monai dice translated", built_2("monai.losses:DiceLoss", sigmoid=True), "x: b c h w, y: b c h w -> ()", "T(w)"),
    torch_true("lightly NT-Xent", built_2(LOSS_2 + "NTXentLoss"), PAIR_local, "S(b) x O(4)"),
    torch_true("lightly VICReg", built_2(LOSS_2 + "VICRegLoss"), PAIR_local, "S(b) x S(4)", sizes={"b": (3, 6)}),
    torch_true("lightly Barlow twins", built_2(LOSS_2 + "BarlowTwinsLoss"), PAIR_local, "S(b) x S(4)", sizes={"b": (3, 6)}),
    torch_true("lightly negative cosine", built_2(LOSS_2 + "NegativeCosineSimilarity"), PAIR_local, "S(b) x O(4)"),
    torch_true("lightly DCL", built_2(LOSS_2 + "DCLLoss"), PAIR_local, "S(b) x O(4)", sizes={"b": (3, 6)}),
    torch_false("lightly Barlow twins rotated", built_2(LOSS_2 + "BarlowTwinsLoss"), PAIR_local, "O(4)", sizes={"b": (3, 6)}),
    torch_false("lightly NT-Xent translated", built_2(LOSS_2 + "NTXentLoss"), PAIR_local, "T(4)"),
    numpy_true("label propagation", lambda: label_propagation, "A: n n, Y: n c -> n c", "S(n) x S(c)", draw="positive"),
    torch_true("VAE loss", seeded(VAELoss), "x: b 4 -> ()", "S(b)"),
    torch_true("vector quantisation losses", lambda: vq_commitment, "z: n d, c: k d -> ()", "S(n) x S(k) x E(d)"),
    torch_true("InfoNCE", lambda: info_nce_2, "q: n d, k: n d -> ()", "S(n) x O(d)"),
    torch_true("CLIP loss with a scale", lambda: clip_loss_2, "x: n d, y: n d -> ()", "S(n) x O(d)"),
    torch_true("triplets, all valid", lambda: batch_all_triplet, "z: n d, y[3]: n -> ()", "S(n) x E(d)"),
    torch_false("InfoNCE, keys alone moved", lambda: lambda q, k: info_nce_2(q, k.roll(1, 0)), "q: n d, k: n d -> ()", "S(n)", sizes={"n": (4, 6)}),
    torch_true("NT-Xent off diagonal", lambda: nt_xent_2, "a: n d, b: n d -> ()", "S(n) x O(d)", backend="torch"),
    torch_true("Barlow twins from scratch", lambda: barlow_twins, "a: n d, b: n d -> ()", "S(n) x S(d)", backend="torch", sizes={"n": (2, 5), "d": (2, 4)}),
    torch_true("center loss", lambda: center_loss_2, "x: n d, y[k]: n, c: k d -> ()", "S(n) x S(k) x O(d)", backend="torch"),
    torch_true("SupCon", lambda: supcon_2, "x: n d, y[3]: n -> ()", "S(n) x O(d)", backend="torch"),
    torch_true("dice loss", lambda: dice_loss, "x: b c n, y: b c n -> ()", "S(b) x S(c) x S(n)", backend="torch"),
    numpy_true("smooth contacts", lambda: smooth_contacts, "X: n d -> ()", "S(n) x E(d)"),
    torch_false("NT-Xent of one half", lambda: nt_xent_2, "a: n d, b: n! d -> ()", "S(n)", backend="torch"),
    torch_false("Barlow twins rotated", lambda: barlow_twins, "a: n d, b: n d -> ()", "O(d)", backend="torch", sizes={"n": (2, 5), "d": (2, 4)}),
    numpy_false("nDCG of the first", lambda: lambda r, s: ndcg(r, s) * r[0], "r: n, s: n -> ()", "S(n)", sizes={"n": (3, 5)}, draw="positive"),
    torch_true("auraloss SISDR", built_2("auraloss.time:SISDRLoss"), "x: b c t, y: b c t -> ()", "S(b) x S(c)"),
    torch_true("auraloss log cosh", built_2("auraloss.time:LogCoshLoss"), "x: b c t, y: b c t -> ()", "S(b) x S(t)"),
    torch_true("fast-bss-eval SI-SDR", using("fast_bss_eval:si_sdr_loss", lambda f, x, y: f(x, y, pairwise=False)), "x: b c t, y: b c t -> b c", "S(b) x O(t)"),
    torch_true("codes and their loss", lambda: gumbel_free_vq, "z: n d, c: k d -> n d, ()", "S(n) x O(d)"),
    torch_true("prototypes", lambda: proto_loss, "s: 6 d, q: n d, y[3]: n -> ()", "S(n) x E(d)"),
    torch_true("angular margin", lambda: angular_margin, "x: n d, w: 3 d, y[3]: n -> ()", "S(n) x O(d)"),
    torch_true("set loss by nearest", lambda: hungarian_free_set_loss, "p: b n d, t: b m d -> b", "S(n) x S(m) x E(d)"),
    torch_true("VICReg by hand", lambda: vicreg_2, "x: n d, y: n d -> ()", "S(n) x S(d)", sizes={"n": (2, 5), "d": (2, 4)}),
    numpy_true("Spearman by argsort", lambda: rank_correlation, "x: n, y: n -> ()", "Scale(n)", sizes={"n": (3, 5)}),
    torch_false("prototypes shuffled", lambda: proto_loss, "s: k d, q: n d, y[3]: n -> ()", "S(k)", sizes={"k": 6}),
    torch_false("VICReg rotated", lambda: vicreg_2, "x: n d, y: n d -> ()", "O(d)", sizes={"n": (3, 5), "d": (2, 4)}),
    torch_false("codes translated", lambda: lambda z, c: gumbel_free_vq(F.normalize(z), F.normalize(c))[0], "z: n d, c: k d -> n d", "T(d)"),
    torch_false("auraloss SISDR translated", built_2("auraloss.time:SISDRLoss", zero_mean=False), "x: b c t, y: b c t -> ()", "T(t)"),
    torch_true("SupCon", lambda: sup_con, "z: n d, y[3]: n -> ()", "S(n) x O(d)"),
    torch_true("NT-Xent concatenated", lambda: nt_xent_cat, PAIR, "S(n) x O(d)"),
    torch_true("SimCLR doubled", lambda: lambda a, b: simclr(torch.cat([a, b])), PAIR, "S(n) x O(d)"),
    torch_true("hard triplets", lambda: hard_triplet, "z: n d, y[2]: n -> ()", "S(n) x E(d)"),
    torch_true("ListNet", lambda: listnet_2, "s: n, r: n -> ()", "S(n)"),
    torch_true("pairwise hinge", lambda: pairwise_hinge, "s: n, r: n -> ()", "S(n)"),
    torch_true("focal", lambda: focal_2, "p: n 3, y[3]: n -> ()", "S(n)"),
    torch_true("dice", lambda: dice_2, "p: b 3 h w, y[3]: b h w -> ()", "S(b) x S(h) x S(w)"),
    torch_true("nn.GaussianNLLLoss full", lambda: nn.GaussianNLLLoss(full=True), "m: n, t: n, v: n -> ()", "S(n)", draw="positive"),
    torch_true("nn.MultiLabelMarginLoss off", lambda: nn.MultiLabelSoftMarginLoss(reduction="none"), "x: n c, y: n c -> n", "S(n) x S(c)"),
    torch_true("nn.PoissonNLLLoss full", lambda: nn.PoissonNLLLoss(full=True), "x: n, y: n -> ()", "S(n)", draw="positive"),
    torch_true("nn.CosineEmbeddingLoss", lambda: lambda a, b, y: nn.CosineEmbeddingLoss(margin=0.2)(a, b, torch.where(y, 1, -1)), "a: n d, b: n d, y[bool]: n -> ()", "S(n) x O(d)"),
    torch_true("nn.TripletMarginWithDistanceLoss", lambda: nn.TripletMarginWithDistanceLoss(swap=True), "a: n d, p: n d, q: n d -> ()", "S(n)"),
    torch_true("nn.CrossEntropyLoss smoothed", lambda: nn.CrossEntropyLoss(label_smoothing=0.1, ignore_index=2), "x: n 4, y[4]: n -> ()", "S(n)", sizes=SETS),
    numpy_true("pairs above the diagonal", lambda: dbi_pairs, "X: n d -> ()", "S(n) x E(d)"),
    torch_false("NT-Xent, half alone", lambda: nt_xent_cat, "a: n d, b: n! d -> ()", "S(n)"),
    torch_false("SimCLR interleaved", lambda: lambda z: simclr(z), "z: n d -> ()", "S(n)", sizes={"n": 6}),
    torch_false("SupCon, labels kept", lambda: sup_con, "z: n d, y[3]: n! -> ()", "S(n)"),
    torch_false("pairwise hinge above the diagonal", lambda: lambda s, r: F.relu(1 - (s[:, None] - s[None])).triu(1).sum(), "s: n, r: n -> ()", "S(n)"),
    torch_false("nn.CrossEntropyLoss weighted", lambda: nn.CrossEntropyLoss(weight=torch.tensor([1.0, 2.0, 3.0])), "x: n c, y[c]: n -> ()", "S(c)", sizes={"c": 3}),
    numpy_false("silhouette, labels kept", lambda: silhouette, "X: n d, y[2]: n! -> ()", "S(n)"),
    torch_true("NT-Xent boolean mask", lambda: nt_xent_masked, "a: n d, b: n d -> ()", "S(n) x O(d)"),
    torch_true("Barlow off diagonal by view", lambda: decorrelation, "z: n d -> ()", "S(n) x S(d)", sizes={"n": (3, 6), "d": (2, 5)}),
    torch_false("Barlow rotated", lambda: decorrelation, "z: n d -> ()", "O(d)", sizes={"n": (3, 6), "d": (2, 5)}),
    torch_true("circle loss", lambda: circle_loss, "p: n, q: m -> ()", "S(n) x S(m)"),
    torch_true("soft rank", lambda: soft_rank, "x: n -> n", "S(n)"),
    torch_true("Lovasz hinge", lambda: lambda p, y: lovasz_grad_hinge(p, y.to(p.dtype)), "p: n, y[bool]: n -> ()", "S(n)"),
    torch_true("RKD distance", lambda: relational_kd, "s: n d, t: n k -> ()", "S(n) x E(d)", sizes={"n": (3, 5)}),
    torch_false("RKD distance scaled one", lambda: lambda s, t: F.smooth_l1_loss(torch.cdist(s, s), torch.cdist(t, t)), "s: n d, t: n d! -> ()", "Scale(d)"),
    numpy_true("Chatterjee xi", lambda: chatterjee_xi, "x: n, y: n -> ()", "S(n)"),
    numpy_true("SimRank", lambda: simrank, "A: n n -> n n", "S(n)", **DIST),
    numpy_true("Hodges-Lehmann", lambda: hodges_lehmann, "x: n -> ()", "S(n)"),
    numpy_true("Spearman by ranks", lambda: brown_corr, "x: n, y: n -> ()", "S(n)", sizes={"n": (2, 5)}),
    *(torch_true(f"pml {f}", loss(f), EMBEDDED, "O(d)") for f in ("ContrastiveLoss", "TripletMarginLoss", "NTXentLoss",
      "CircleLoss", "MultiSimilarityLoss", "SupConLoss")),
    torch_false("pml NTXentLoss labels", loss("NTXentLoss"), "x: 6 4 -> ()", "S(6)"),
    torch_true("kornia dice_loss", held("kornia", "lambda x, y: kornia.losses.dice_loss(x, y)"),
         "x: b c 4 4, y[c]: b 4 4 -> ()", "S(b)"),
    torch_true("InfoNCE off the diagonal", lambda: info_nce_3, "s: n n -> ()", "S(n)"),
    torch_false("InfoNCE, rows alone", lambda: info_nce_3, "s: n n! -> ()", "S(n)"),
    torch_true("Barlow Twins", lambda: barlow_2, "a: n d, b: n d -> ()", "S(n) x S(d)"),
    torch_false("Barlow Twins turned", lambda: barlow_2, "a: n d, b: n d -> ()", "O(d)"),
    torch_true("VICReg", lambda: vicreg_3, ROWS, "S(n) x S(d)"),
    torch_false("VICReg turned", lambda: vicreg_3, ROWS, "O(d)"),
    torch_true("torch.distributions LowRankMultivariateNormal", lambda: lambda x, w: torch.distributions.LowRankMultivariateNormal(torch.zeros(3, dtype=x.dtype), w, torch.ones(3, dtype=x.dtype)).log_prob(x), "x: n 3, w: 3 2 -> n", "S(n) x O(3)"),
    torch_true("F.multi_margin_loss", lambda: lambda x, y: F.multi_margin_loss(x, y, p=2), "x: n c, y[c]: n -> ()", "S(n) x S(c)"),
    torch_true("F.soft_margin_loss", lambda: lambda x, y: F.soft_margin_loss(x, torch.sign(y)), "x: n, y: n -> ()", "S(n)"),
    torch_true("N-pair loss", lambda: npair, "a: n d, p: n d -> ()", "S(n) x O(d)"),
    torch_false("N-pair loss, anchors alone", lambda: npair, "a: n d, p: n! d -> ()", "S(n)"),
    torch_true("ArcFace", seeded(ArcFace), "x: n 6, y[4]: n -> ()", "S(n)"),
    torch_false("ListMLE, labels kept", lambda: list_mle, "s: n, y: n! -> ()", "S(n)"),
    torch_true("ApproxNDCG", lambda: approx_ndcg, "s: n, y: n -> ()", "S(n)", draw="positive"),
    torch_false("ApproxNDCG scaled", lambda: approx_ndcg, "s: n, y: n! -> ()", "Scale(n)", draw="positive"),
    numpy_true("label propagation", lambda: label_propagation_2, "W: n n, Y: n c -> n c", "S(n) x S(c)", draw="positive"),
    numpy_true("rank transform", lambda: rank_normal, "x: n -> n", "S(n)"),
    torch_true("keras cosine_similarity", keras("lambda z: keras.losses.cosine_similarity(z[0], z[1])"), "z: 2 n d -> n", "S(n) x O(d)", single=True),
    torch_true("monai DiceLoss", of_torch("monai.losses as M", "M.DiceLoss(sigmoid=True)"), "x: b c h w, y: b c h w -> ()", "S(b) x S(c) x S(h) x S(w)", draw="positive"),
    torch_true("monai FocalLoss", of_torch("monai.losses as M", "M.FocalLoss()"), "x: b c h w, y: b c h w -> ()", "S(b) x S(h) x S(w)", draw="positive", single=True),
    torch_true("monai TverskyLoss", of_torch("monai.losses as M", "M.TverskyLoss(sigmoid=True, batch=True)"), "x: b c h w, y: b c h w -> ()", "S(b) x S(h)", draw="positive"),
    torch_true("monai BarlowTwinsLoss", of_torch("monai.losses as M", "M.BarlowTwinsLoss(lambd=5e-3)"), "x: n d, y: n d -> ()", "S(n) x S(d)"),
    torch_false("monai DiceLoss, labels kept", of_torch("monai.losses as M", "M.DiceLoss(sigmoid=True)"), "x: b 1 h w, y: b! 1! h! w! -> ()", "S(b)", draw="positive"),
    torch_true("smp DiceLoss", of_torch("segmentation_models_pytorch as S", "S.losses.DiceLoss('binary')"), "x: b 1 h w, y: b 1 h w -> ()", "S(b) x S(h) x S(w)", draw="positive"),
    torch_true("smp JaccardLoss", of_torch("segmentation_models_pytorch as S", "S.losses.JaccardLoss('binary')"), "x: b 1 h w, y: b 1 h w -> ()", "S(b) x S(h)", draw="positive"),
    torch_true("smp FocalLoss", of_torch("segmentation_models_pytorch as S", "S.losses.FocalLoss('binary')"), "x: b 1 h w, y: b 1 h w -> ()", "S(b) x S(w)", draw="positive"),
    torch_false("smp DiceLoss, labels kept", of_torch("segmentation_models_pytorch as S", "S.losses.DiceLoss('binary')"), "x: b 1 h w, y: b! 1 h! w! -> ()", "S(b)", draw="positive"),
    torch_true("open_clip ClipLoss", held("open_clip.loss as O, torch", "lambda x, y: f(x, y, 10.0)", "f = O.ClipLoss()"), "x: n d, y: n d -> ()", "S(n) x O(d)"),
    torch_true("open_clip SigLipLoss", held("open_clip.loss as O, torch", "lambda x, y: f(x, y, 10.0, -10.0)", "f = O.SigLipLoss()"), "x: n d, y: n d -> ()", "S(n) x O(d)"),
    torch_false("open_clip ClipLoss, texts shuffled", held("open_clip.loss as O, torch", "lambda x, y: f(x, y, 10.0)", "f = O.ClipLoss()"), "x: n! d, y: n d -> ()", "S(n)"),
    torch_true("neuralop LpLoss", held("neuralop.losses as N", "lambda x, y: f(x, y)", "f = N.LpLoss(d=2, p=2)"), "x: b 1 h w, y: b 1 h w -> ()", "S(b) x S(h) x S(w)"),
    torch_false("neuralop LpLoss, one shuffled", held("neuralop.losses as N", "lambda x, y: f(x, y)", "f = N.LpLoss(d=2, p=2)"), "x: b 1 h w, y: b 1 h! w -> ()", "S(h)"),
    torch_true("MinCut losses", lambda: mincut_losses, "adj: n n, s: n k -> ()", "S(n) x S(k)", draw="positive"),
    torch_true("SigLIP", lambda: siglip, "x: n d, y: n d -> ()", "S(n) x O(d)"),
    torch_true("decoupled contrastive", lambda: decoupled, "x: n d, y: n d -> ()", "S(n) x O(d)"),
    torch_true("Rank-N-Contrast", lambda: rank_n_contrast, "f: n d, y: n -> ()", "S(n) x E(d)", sizes={"n": (3, 4), "d": (2, 3)}),
    torch_true("lifted structure", lambda: lifted_structure, "x: n d, y[3]: n -> ()", "S(n) x E(d)"),
    numpy_true("rank sum by comparisons", lambda: permutation_p, "x: n, y: m -> ()", "S(n) x S(m)"),
    torch_true("asteroid pairwise si-sdr", packed("asteroid.losses as A", "lambda x, y: A.pairwise_neg_sisdr(x, y)"), "x: b n t, y: b n t -> b n n", "S(b) x S(n) x S(t)", sizes={"b": (1, 2), "n": (2, 3), "t": (2, 4)}),
    torch_true("asteroid PIT of mse", packed("asteroid.losses as A", "lambda x, y: f(x, y)", "f = A.PITLossWrapper(A.pairwise_mse, pit_from='pw_mtx')"), "x: 1 n t, y: 1 n t -> ()", "S(n) x S(t)", sizes={"n": (2, 3)}),
    torch_true("asteroid multisource snr", packed("asteroid.losses as A", "lambda x, y: A.multisrc_neg_snr(x, y)"), "x: b n t, y: b n t -> b", "S(b) x S(n) x S(t)", sizes={"b": (1, 2), "n": (2, 3), "t": (2, 4)}),
    torch_false("decoupled contrastive moved", lambda: decoupled, "x: n d, y: n d -> ()", "T(d)"),
    torch_false("Rank-N-Contrast scaled", lambda: rank_n_contrast, "f: n d, y: n! -> ()", "Scale(d)"),
    torch_false("lifted structure, labels kept", lambda: lifted_structure, "x: n d, y[3]: n! -> ()", "S(n)"),
    torch_false("asteroid pairwise si-sdr moved", packed("asteroid.losses as A", "lambda x, y: A.pairwise_neg_snr(x, y)"), "x: b n t, y: b n t! -> b n n", "O(t)", sizes={"b": 1, "n": 2, "t": (2, 3)}),
]  # fmt: skip
