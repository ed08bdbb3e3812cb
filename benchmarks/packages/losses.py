"""Losses and metrics of pairs, labels, rankings and embeddings."""

import math

import numpy as np
import scipy.stats
import torch
import torch.nn.functional as F
from torch import nn

from benchmarks.packages.claims import built, false, held, layer, of_numpy, of_torch, true, using
from benchmarks.packages.libraries import LabelSmoothingCrossEntropy, M, O


def fold_changes(X, labels):
    a, b = X[labels], X[~labels]
    return np.log2((a.mean(0) + 1e-9) / (b.mean(0) + 1e-9))

def winsorize(x):
    low, high = np.percentile(x, [5, 95])
    return np.clip(x, low, high)

def info_nce(x, y, tau=0.07):
    x, y = F.normalize(x, dim=-1), F.normalize(y, dim=-1)
    logits = x @ y.t() / tau
    labels = torch.arange(x.shape[0], device=x.device)
    return F.cross_entropy(logits, labels)

def barlow(x, y, eps=0.0):
    x, y = (x - x.mean(0)) / (x.std(0) + eps), (y - y.mean(0)) / (y.std(0) + eps)
    c = x.T @ y / x.shape[0]
    on = torch.diagonal(c).add(-1).pow(2).sum()
    off = c.flatten()[:-1].view(c.shape[0] - 1, c.shape[0] + 1)[:, 1:].flatten().pow(2).sum()
    return on + 0.005 * off

def dice(p, t):
    p = p.sigmoid().reshape(-1)
    t = t.reshape(-1)
    return 1 - (2 * (p * t).sum() + 1) / (p.sum() + t.sum() + 1)

def gram_loss(x):
    n, c, h, w = x.shape
    f = x.view(n, c, h * w)
    return torch.bmm(f, f.transpose(1, 2)) / (c * h * w)

def clip_loss(x, y, scale=1.0):
    x, y = x / x.norm(dim=-1, keepdim=True), y / y.norm(dim=-1, keepdim=True)
    logits = scale * x @ y.t()
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

def all_triplets(z, y, margin=0.3):
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

def nt_xent_off_diagonal(z1, z2, tau=0.5):
    n = z1.shape[0]
    z = F.normalize(torch.cat([z1, z2], dim=0), dim=1)
    sim = z @ z.T / tau
    eye = torch.eye(2 * n, dtype=torch.bool)
    neg = sim[~eye].view(2 * n, -1)
    pos = torch.cat([torch.diag(sim, n), torch.diag(sim, -n)])
    return (-pos + torch.logsumexp(neg, dim=-1)).mean()

def loss_to_centers(x, labels, centers):
    batch_size, num_classes = x.size(0), centers.size(0)
    distmat = torch.pow(x, 2).sum(dim=1, keepdim=True).expand(batch_size, num_classes)
    distmat = distmat + torch.pow(centers, 2).sum(dim=1, keepdim=True).expand(num_classes, batch_size).t()
    distmat = distmat - 2 * x @ centers.t()
    classes = torch.arange(num_classes).long()
    mask = labels.unsqueeze(1).expand(batch_size, num_classes).eq(classes.expand(batch_size, num_classes))
    return (distmat * mask.float()).clamp(min=1e-12, max=1e12).sum() / batch_size

def supcon_of_dots(features, labels, temperature=0.1):
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

def vicreg_of_both(x, y):
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

def hard_triplet(z, y, margin=0.3):
    d = torch.cdist(z, z)
    same = y[:, None] == y[None]
    pos = d.masked_fill(~same, 0).max(1)[0]
    neg = d.masked_fill(same, float("inf")).min(1)[0]
    return F.relu(pos - torch.where(torch.isinf(neg), torch.zeros_like(neg), neg) + margin).mean()

def pairwise_hinge(scores, relevance):
    ds = scores[:, None] - scores[None]
    dr = torch.sign(relevance[:, None] - relevance[None])
    return F.relu(1 - dr * ds).triu(1).sum()

def dice_of_classes(logits, target):
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

def loss(name):
    """A loss of pytorch_metric_learning on six points of three classes."""
    of = f"L.{name}(); y = torch.tensor([0, 0, 1, 1, 2, 2])"
    return held("pytorch_metric_learning.losses as L", "lambda x: f(x, y)", f"f = {of}")

def info_nce_of_similarities(sim):
    n = sim.shape[0]
    eye = torch.eye(n, dtype=torch.bool)
    negatives = sim[~eye].view(n, -1)
    return (torch.logsumexp(negatives, 1) - sim.diagonal()).mean()

def barlow_by_squares(a, b):
    a, b = (a - a.mean(0)) / a.std(0), (b - b.mean(0)) / b.std(0)
    c = a.T @ b / a.shape[0]
    on = (torch.diagonal(c) - 1).pow(2).sum()
    return on + 0.005 * (c.pow(2).sum() - torch.diagonal(c).pow(2).sum())

def vicreg_of_one(z):
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

def label_propagation_solved(W, Y, alpha=0.9):
    d = W.sum(1)
    S = W / np.sqrt(np.outer(d, d))
    return np.linalg.solve(np.eye(len(W)) - alpha * S, Y)

def rank_normal(x):
    r = x.argsort().argsort() + 1
    return (r - 0.5) / len(x)

def loss_of(imports, made):
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

def list_mle(s, y):
    _, order = torch.sort(y, descending=True)
    s = s[order]
    return (torch.logcumsumexp(s.flip(0), 0).flip(0) - s).sum()

def mincut_losses(adj, s):
    s = torch.softmax(s, dim=-1)
    k = s.shape[1]
    out = s.T @ adj @ s
    num = torch.trace(out)
    den = torch.trace(s.T @ torch.diag(adj.sum(1)) @ s)
    ss = s.T @ s
    ortho = torch.norm(ss / torch.norm(ss) - torch.eye(k, dtype=s.dtype) / torch.norm(torch.eye(k, dtype=s.dtype)))
    return -num / den + ortho

def siglip(zi, zt, t=10.0, b=-10.0):
    zi, zt = F.normalize(zi, dim=-1), F.normalize(zt, dim=-1)
    logits = t * zi @ zt.t() + b
    labels = 2 * torch.eye(logits.size(0), dtype=logits.dtype) - torch.ones_like(logits)
    return -F.logsigmoid(labels * logits).sum() / logits.size(0)

CLAIMS = [
    of_numpy(fold_changes, "X: n g, labels[bool]: n -> g", true("cells fold changes", "S(n)"), n=(9, 10), draw="positive"),
    of_numpy(winsorize, "x: n -> n", true("winsorize", "S(n)")),
    of_numpy(lambda y: np.bincount(y, minlength=4) / len(y), "y[4]: n -> 4", true("bincount labels", "S(n)")),
    of_torch(info_nce, "x: n d, y: n d -> ()", true("InfoNCE", "S(n) x O(d)"), false("InfoNCE translated", "T(d)")),
    of_torch(barlow, "x: n c, y: n c -> ()", true("Barlow twins", "S(n)"), false("Barlow rotated", "O(c)")),
    of_torch(lambda x: F.relu(1 - torch.sqrt(x.var(dim=0) + 1e-4)).mean(), "x: n c -> ()", true("VICReg variance", "S(n) x S(c)")),
    of_torch(dice, "p: n h w, t: n h w -> ()", true("dice loss", "S(h) x S(w)"), draw="positive"),
    of_torch(gram_loss, "x: b c h w -> b c c", true("style Gram", "S(c) x S(h) x S(w)")),
    of_numpy(lambda X: np.cumsum(X.mean(0)) / X.mean(0).sum(), "X: n g -> g", false("cells rank of genes", "S(g)"), draw="positive"),
    of_numpy(lambda x: winsorize(x)[::-1], "x: n -> n", false("winsorize reversed", "S(n)")),
    of_numpy(lambda x: np.histogram(x * np.arange(len(x)), bins=4, range=(-1, 1))[0], "x: n -> 4", false("histogram of ranks", "S(n)")),
    of_torch(O.generalized_box_iou, "a: n 4, b: m 4 -> n m", true("torchvision giou", "S(n) x S(m)")),
    of_torch(lambda a, b: O.distance_box_iou_loss(a, b).sum(), "a: n 4, b: n 4 -> ()", true("torchvision distance_box_iou_loss", "S(n)")),
    of_torch(layer(nn.MultiMarginLoss), "x: n c, y[c]: n -> ()", true("torch MultiMarginLoss", "S(n) x S(c)")),
    of_torch(lambda a, b: F.margin_ranking_loss(a, b, torch.ones_like(a)), "a: n, b: n -> ()", true("torch MarginRankingLoss", "S(n)")),
    of_torch(layer(nn.PoissonNLLLoss), "x: n, y: n -> ()", true("torch PoissonNLLLoss", "S(n)")),
    of_torch(layer(nn.GaussianNLLLoss), "x: n d, y: n d, v: n d -> ()", true("torch GaussianNLLLoss", "S(n) x S(d)"), draw="positive"),
    of_torch(layer(nn.SoftMarginLoss), "x: n, y: n -> ()", true("torch SoftMarginLoss", "S(n)")),
    of_torch(lambda x, y: F.cross_entropy(x, y, weight=torch.tensor([1.0, 2.0, 3.0], dtype=x.dtype)), "x: n 3, y[3]: n -> ()", true("torch cross_entropy weights", "S(n)")),
    of_torch(lambda x, y: F.cross_entropy(x, y, ignore_index=0), "x: n 3, y[3]: n -> ()", true("torch nll ignore_index", "S(n)"), n=(8, 9)),
    of_torch(clip_loss, "x: n d, y: n d -> ()", true("CLIP loss", "S(n) x O(d)")),
    of_torch(layer(LabelSmoothingCrossEntropy, 0.1), "x: n c, y[c]: n -> ()", true("timm LabelSmoothing", "S(n) x S(c)")),
    of_torch(O.generalized_box_iou_loss, "a: n 4, b: n 4 -> n", false("torchvision giou swapped corners", "O(4)")),
    of_torch(lambda x, y: F.cross_entropy(x, y, weight=torch.tensor([1.0, 2.0, 3.0], dtype=x.dtype)), "x: n c, y[c]: n -> ()", false("torch cross_entropy weights classes", "S(c)"), c=3),
    of_torch(lambda x, y: clip_loss(x, y) + x[0, 0], "x: n d, y: n d -> ()", false("CLIP loss one side", "S(n)")),
    of_torch(lambda x, y: nn.HingeEmbeddingLoss()(x, 2 * y - 1), "x: n, y[2]: n -> ()", true("torch HingeEmbeddingLoss", "S(n)")),
    of_torch(layer(nn.MultiLabelSoftMarginLoss), "x: n c, y: n c -> ()", true("torch MultiLabelSoftMarginLoss", "S(n) x S(c)")),
    of_torch(layer(nn.TripletMarginWithDistanceLoss), "a: n d, p: n d, q: n d -> ()", true("torch TripletMarginWithDistanceLoss", "S(n) x T(d)")),
    of_torch(lambda x, y: F.binary_cross_entropy(x.sigmoid(), y.sigmoid()), "x: n, y: n -> ()", true("torch binary_cross_entropy", "S(n)")),
    of_torch(supcon, "z: n d, y[3]: n -> ()", true("torch supervised contrastive", "S(n) x O(d)"), false("torch supervised contrastive shifted", "T(d)")),
    of_torch(batch_hard, "z: n d, y[3]: n -> ()", true("torch batch hard triplet", "S(n) x E(d)")),
    of_torch(lambda x: (lambda i: (x[i[0]] * x[i[1]]).sum())(torch.tril_indices(len(x), len(x), -1)), "x: n d -> ()", true("torch tril_indices pairs", "S(n) x O(d)")),
    of_torch(lambda p, y: M.hinge_loss(p, y, task="multiclass", num_classes=3), "p: n 3, y[3]: n -> ()", true("torchmetrics hinge", "S(n)")),
    of_torch(built(lambda: nn.MultiLabelSoftMarginLoss(weight=torch.tensor([1.0, 2.0, 3.0]))), "x: n v, y: n v -> ()", false("torch MultiLabelSoftMargin weighted", "S(v)"), v=3),
    of_numpy(bag_of_bonds, "Z: n, X: n d -> m", true("bag of bonds", "S(n) x E(d)"), n=4, m=6),
    of_numpy(lambda scores, target: 1.0 / (1 + (scores > (scores * target).sum()).sum()), "s: n, t: n -> ()", true("reciprocal rank", "S(n)"), false("reciprocal rank scaled", "T(n)")),
    of_torch(listnet, "p: b n, g: b n -> ()", true("ListNet", "S(b) x S(n)")),
    of_torch(ranknet, "s: n, y: n -> ()", true("RankNet", "S(n)"), false("RankNet scaled", "Scale(n)")),
    of_torch(nt_xent, "a: n d, b: n d -> ()", true("NT-Xent", "S(n) x O(d)"), false("NT-Xent translated", "T(d)"), true("NT-Xent concatenated", "S(n) x O(d)")),
    of_torch(all_triplets, "z: n d, y[3]: n -> ()", true("triplets of all pairs", "S(n) x E(d)"), true("triplets, all valid", "S(n) x E(d)")),
    of_torch(center_loss, "z: n d, y[3]: n -> ()", true("center loss", "S(n) x E(d)")),
    of_torch(vicreg, "x: n d, y: n d -> ()", true("VICReg", "S(n) x S(d)")),
    of_torch(dino, "s: n k, t: n k -> ()", true("DINO loss", "S(n) x S(k)")),
    of_torch(focal, "x: n c, y[c]: n -> ()", true("focal loss", "S(n) x S(c)")),
    of_torch(lovasz_hinge, "x: n, y[2]: n -> ()", true("Lovasz hinge", "S(n)")),
    of_numpy(lambda s, g: (g / np.log2(np.arange(2, len(g) + 2))).sum() * s.sum(), "s: n, g: n -> ()", false("NDCG with gains unsorted", "S(n)"), draw="positive"),
    of_torch(vicreg, "x: n d, y: n d! -> ()", false("VICReg rotated one side", "O(d)")),
    of_torch(layer("geomloss:SamplesLoss", "sinkhorn", p=2, blur=0.5, backend="tensorized"), "x: n d, y: m d -> ()", true("geomloss sinkhorn", "S(n) x T(d)")),
    of_torch(layer("pytorch_metric_learning.losses:ContrastiveLoss"), "z: n 4, y[3]: n -> ()", true("metric-learning contrastive", "S(n) x O(4)"), false("metric-learning contrastive translated", "T(4)"), n=(4, 6)),
    of_torch(layer("pytorch_metric_learning.losses:TripletMarginLoss"), "z: n 4, y[3]: n -> ()", true("metric-learning triplet", "S(n) x O(4)"), n=(6, 7)),
    of_torch(layer("pytorch_metric_learning.losses:NTXentLoss"), "z: n 4, y[3]: n -> ()", true("metric-learning NTXent", "S(n) x O(4)"), n=(6, 7)),
    of_torch(layer("pytorch_metric_learning.losses:MultiSimilarityLoss"), "z: n 4, y[3]: n -> ()", true("metric-learning multi-similarity", "S(n) x O(4)"), n=(6, 7)),
    of_torch("kornia.losses:total_variation", "x: b c h w -> b c", true("kornia total variation", "S(c)"), false("kornia total variation of rows", "S(h)")),
    of_torch(using("kornia.losses:dice_loss", lambda f, x, y: f(x, y)), "x: b 3 h w, y[3]: b h w -> ()", true("kornia dice", "S(h) x S(w)")),
    of_torch(layer("monai.losses:DiceLoss", sigmoid=True), "x: b c h w, y: b c h w -> ()", true("monai dice loss", "S(h) x S(w) x S(c)"), false("monai dice translated", "T(w)")),
    of_torch(layer("monai.losses:TverskyLoss", sigmoid=True), "x: b c h w, y: b c h w -> ()", true("monai tversky", "S(h) x S(w)")),
    of_torch(layer("lightly.loss:NTXentLoss"), "x: b 4, y: b 4 -> ()", true("lightly NT-Xent", "S(b) x O(4)"), false("lightly NT-Xent translated", "T(4)")),
    of_torch(layer("lightly.loss:VICRegLoss"), "x: b 4, y: b 4 -> ()", true("lightly VICReg", "S(b) x S(4)"), b=(3, 6)),
    of_torch(layer("lightly.loss:BarlowTwinsLoss"), "x: b 4, y: b 4 -> ()", true("lightly Barlow twins", "S(b) x S(4)"), false("lightly Barlow twins rotated", "O(4)"), b=(3, 6)),
    of_torch(layer("lightly.loss:NegativeCosineSimilarity"), "x: b 4, y: b 4 -> ()", true("lightly negative cosine", "S(b) x O(4)")),
    of_torch(layer("lightly.loss:DCLLoss"), "x: b 4, y: b 4 -> ()", true("lightly DCL", "S(b) x O(4)"), b=(3, 6)),
    of_numpy(label_propagation, "A: n n, Y: n c -> n c", true("label propagation", "S(n) x S(c)"), draw="positive"),
    of_torch(layer(VAELoss), "x: b 4 -> ()", true("VAE loss", "S(b)")),
    of_torch(lambda z, c: gumbel_free_vq(z, c)[1], "z: n d, c: k d -> ()", true("vector quantisation losses", "S(n) x S(k) x E(d)")),
    of_torch(lambda q, k: info_nce(q, k, 0.1), "q: n d, k: n d -> ()", true("InfoNCE", "S(n) x O(d)")),
    of_torch(lambda x, y: clip_loss(x, y, math.exp(1.0)), "x: n d, y: n d -> ()", true("CLIP loss with a scale", "S(n) x O(d)")),
    of_torch(lambda q, k: info_nce(q, k.roll(1, 0), 0.1), "q: n d, k: n d -> ()", false("InfoNCE, keys alone moved", "S(n)"), n=(4, 6)),
    of_torch(nt_xent_off_diagonal, "a: n d, b: n d -> ()", true("NT-Xent off diagonal", "S(n) x O(d)"), backend="torch"),
    of_torch(lambda a, b: barlow(a, b, 1e-6), "a: n d, b: n d -> ()", true("Barlow twins from scratch", "S(n) x S(d)"), false("Barlow twins rotated", "O(d)"), n=(2, 5), d=(2, 4), backend="torch"),
    of_torch(loss_to_centers, "x: n d, y[k]: n, c: k d -> ()", true("center loss", "S(n) x S(k) x O(d)"), backend="torch"),
    of_torch(supcon_of_dots, "x: n d, y[3]: n -> ()", true("SupCon", "S(n) x O(d)"), backend="torch"),
    of_torch(dice, "x: b c n, y: b c n -> ()", true("dice loss", "S(b) x S(c) x S(n)"), backend="torch"),
    of_numpy(smooth_contacts, "X: n d -> ()", true("smooth contacts", "S(n) x E(d)")),
    of_torch(nt_xent_off_diagonal, "a: n d, b: n! d -> ()", false("NT-Xent of one half", "S(n)"), backend="torch"),
    of_numpy(lambda r, s: ndcg(r, s) * r[0], "r: n, s: n -> ()", false("nDCG of the first", "S(n)"), n=(3, 5), draw="positive"),
    of_torch(layer("auraloss.time:SISDRLoss"), "x: b c t, y: b c t -> ()", true("auraloss SISDR", "S(b) x S(c)")),
    of_torch(layer("auraloss.time:LogCoshLoss"), "x: b c t, y: b c t -> ()", true("auraloss log cosh", "S(b) x S(t)")),
    of_torch(using("fast_bss_eval:si_sdr_loss", lambda f, x, y: f(x, y, pairwise=False)), "x: b c t, y: b c t -> b c", true("fast-bss-eval SI-SDR", "S(b) x O(t)")),
    of_torch(gumbel_free_vq, "z: n d, c: k d -> n d, ()", true("codes and their loss", "S(n) x O(d)")),
    of_torch(proto_loss, "s: 6 d, q: n d, y[3]: n -> ()", true("prototypes", "S(n) x E(d)")),
    of_torch(angular_margin, "x: n d, w: 3 d, y[3]: n -> ()", true("angular margin", "S(n) x O(d)")),
    of_torch(lambda p, t: torch.cdist(p, t).min(-1).values.mean(-1) + torch.cdist(p, t).amin(-2).mean(-1), "p: b n d, t: b m d -> b", true("set loss by nearest", "S(n) x S(m) x E(d)")),
    of_torch(vicreg_of_both, "x: n d, y: n d -> ()", true("VICReg by hand", "S(n) x S(d)", n=(2, 5)), false("VICReg rotated", "O(d)", n=(3, 5)), d=(2, 4)),
    of_numpy(rank_correlation, "x: n, y: n -> ()", true("Spearman by argsort", "Scale(n)"), n=(3, 5)),
    of_torch(proto_loss, "s: k d, q: n d, y[3]: n -> ()", false("prototypes shuffled", "S(k)"), k=6),
    of_torch(lambda z, c: gumbel_free_vq(F.normalize(z), F.normalize(c))[0], "z: n d, c: k d -> n d", false("codes translated", "T(d)")),
    of_torch(layer("auraloss.time:SISDRLoss", zero_mean=False), "x: b c t, y: b c t -> ()", false("auraloss SISDR translated", "T(t)")),
    of_torch(sup_con, "z: n d, y[3]: n -> ()", true("SupCon", "S(n) x O(d)")),
    of_torch(lambda a, b: simclr(torch.cat([a, b])), "a: n d, b: n d -> ()", true("SimCLR doubled", "S(n) x O(d)")),
    of_torch(hard_triplet, "z: n d, y[2]: n -> ()", true("hard triplets", "S(n) x E(d)")),
    of_torch(listnet, "s: n, r: n -> ()", true("ListNet", "S(n)")),
    of_torch(pairwise_hinge, "s: n, r: n -> ()", true("pairwise hinge", "S(n)")),
    of_torch(focal, "p: n 3, y[3]: n -> ()", true("focal", "S(n)")),
    of_torch(dice_of_classes, "p: b 3 h w, y[3]: b h w -> ()", true("dice", "S(b) x S(h) x S(w)")),
    of_torch(layer(nn.GaussianNLLLoss, full=True), "m: n, t: n, v: n -> ()", true("nn.GaussianNLLLoss full", "S(n)"), draw="positive"),
    of_torch(layer(nn.MultiLabelSoftMarginLoss, reduction="none"), "x: n c, y: n c -> n", true("nn.MultiLabelMarginLoss off", "S(n) x S(c)")),
    of_torch(layer(nn.PoissonNLLLoss, full=True), "x: n, y: n -> ()", true("nn.PoissonNLLLoss full", "S(n)"), draw="positive"),
    of_torch(lambda a, b, y: nn.CosineEmbeddingLoss(margin=0.2)(a, b, torch.where(y, 1, -1)), "a: n d, b: n d, y[bool]: n -> ()", true("nn.CosineEmbeddingLoss", "S(n) x O(d)")),
    of_torch(layer(nn.TripletMarginWithDistanceLoss, swap=True), "a: n d, p: n d, q: n d -> ()", true("nn.TripletMarginWithDistanceLoss", "S(n)")),
    of_torch(layer(nn.CrossEntropyLoss, label_smoothing=0.1, ignore_index=2), "x: n 4, y[4]: n -> ()", true("nn.CrossEntropyLoss smoothed", "S(n)"), n=(4, 7)),
    of_numpy(dbi_pairs, "X: n d -> ()", true("pairs above the diagonal", "S(n) x E(d)")),
    of_torch(nt_xent, "a: n d, b: n! d -> ()", false("NT-Xent, half alone", "S(n)")),
    of_torch(lambda z: simclr(z), "z: n d -> ()", false("SimCLR interleaved", "S(n)"), n=6),
    of_torch(sup_con, "z: n d, y[3]: n! -> ()", false("SupCon, labels kept", "S(n)")),
    of_torch(lambda s, r: F.relu(1 - (s[:, None] - s[None])).triu(1).sum(), "s: n, r: n -> ()", false("pairwise hinge above the diagonal", "S(n)")),
    of_torch(built(lambda: nn.CrossEntropyLoss(weight=torch.tensor([1.0, 2.0, 3.0]))), "x: n c, y[c]: n -> ()", false("nn.CrossEntropyLoss weighted", "S(c)"), c=3),
    of_torch(nt_xent_masked, "a: n d, b: n d -> ()", true("NT-Xent boolean mask", "S(n) x O(d)")),
    of_torch(decorrelation, "z: n d -> ()", true("Barlow off diagonal by view", "S(n) x S(d)"), false("Barlow rotated", "O(d)"), n=(3, 6), d=(2, 5)),
    of_torch(circle_loss, "p: n, q: m -> ()", true("circle loss", "S(n) x S(m)")),
    of_torch(lambda x, tau=1.0: 1 + torch.sigmoid((x[:, None] - x[None]) / tau).sum(0) - 0.5, "x: n -> n", true("soft rank", "S(n)")),
    of_torch(lambda p, y: lovasz_hinge(p, y.to(p.dtype)), "p: n, y[bool]: n -> ()", true("Lovasz hinge", "S(n)")),
    of_torch(relational_kd, "s: n d, t: n k -> ()", true("RKD distance", "S(n) x E(d)"), n=(3, 5)),
    of_torch(lambda s, t: F.smooth_l1_loss(torch.cdist(s, s), torch.cdist(t, t)), "s: n d, t: n d! -> ()", false("RKD distance scaled one", "Scale(d)")),
    of_numpy(chatterjee_xi, "x: n, y: n -> ()", true("Chatterjee xi", "S(n)")),
    of_numpy(simrank, "A: n n -> n n", true("SimRank", "S(n)"), draw="positive"),
    of_numpy(hodges_lehmann, "x: n -> ()", true("Hodges-Lehmann", "S(n)")),
    of_numpy(brown_corr, "x: n, y: n -> ()", true("Spearman by ranks", "S(n)"), n=(2, 5)),
    of_torch(loss("ContrastiveLoss"), "x: 6 d -> ()", true("pml ContrastiveLoss", "O(d)")),
    of_torch(loss("TripletMarginLoss"), "x: 6 d -> ()", true("pml TripletMarginLoss", "O(d)")),
    of_torch(loss("NTXentLoss"), "x: 6 d -> ()", true("pml NTXentLoss", "O(d)")),
    of_torch(loss("CircleLoss"), "x: 6 d -> ()", true("pml CircleLoss", "O(d)")),
    of_torch(loss("MultiSimilarityLoss"), "x: 6 d -> ()", true("pml MultiSimilarityLoss", "O(d)")),
    of_torch(loss("SupConLoss"), "x: 6 d -> ()", true("pml SupConLoss", "O(d)")),
    of_torch(loss("NTXentLoss"), "x: 6 4 -> ()", false("pml NTXentLoss labels", "S(6)")),
    of_torch(held("kornia", "lambda x, y: kornia.losses.dice_loss(x, y)"), "x: b c 4 4, y[c]: b 4 4 -> ()", true("kornia dice_loss", "S(b)")),
    of_torch(info_nce_of_similarities, "s: n n -> ()", true("InfoNCE off the diagonal", "S(n)")),
    of_torch(info_nce_of_similarities, "s: n n! -> ()", false("InfoNCE, rows alone", "S(n)")),
    of_torch(barlow_by_squares, "a: n d, b: n d -> ()", true("Barlow Twins", "S(n) x S(d)"), false("Barlow Twins turned", "O(d)")),
    of_torch(vicreg_of_one, "x: n d -> ()", true("VICReg", "S(n) x S(d)"), false("VICReg turned", "O(d)")),
    of_torch(lambda x, w: torch.distributions.LowRankMultivariateNormal(torch.zeros(3, dtype=x.dtype), w, torch.ones(3, dtype=x.dtype)).log_prob(x), "x: n 3, w: 3 2 -> n", true("torch.distributions LowRankMultivariateNormal", "S(n) x O(3)")),
    of_torch(lambda x, y: F.multi_margin_loss(x, y, p=2), "x: n c, y[c]: n -> ()", true("F.multi_margin_loss", "S(n) x S(c)")),
    of_torch(lambda x, y: F.soft_margin_loss(x, torch.sign(y)), "x: n, y: n -> ()", true("F.soft_margin_loss", "S(n)")),
    of_torch(npair, "a: n d, p: n d -> ()", true("N-pair loss", "S(n) x O(d)")),
    of_torch(npair, "a: n d, p: n! d -> ()", false("N-pair loss, anchors alone", "S(n)")),
    of_torch(layer(ArcFace), "x: n 6, y[4]: n -> ()", true("ArcFace", "S(n)")),
    of_torch(list_mle, "s: n, y: n! -> ()", false("ListMLE, labels kept", "S(n)")),
    of_torch(approx_ndcg, "s: n, y: n -> ()", true("ApproxNDCG", "S(n)"), draw="positive"),
    of_torch(approx_ndcg, "s: n, y: n! -> ()", false("ApproxNDCG scaled", "Scale(n)"), draw="positive"),
    of_numpy(label_propagation_solved, "W: n n, Y: n c -> n c", true("label propagation", "S(n) x S(c)"), draw="positive"),
    of_numpy(rank_normal, "x: n -> n", true("rank transform", "S(n)")),
    of_torch(loss_of("monai.losses as M", "M.DiceLoss(sigmoid=True)"), "x: b c h w, y: b c h w -> ()", true("monai DiceLoss", "S(b) x S(c) x S(h) x S(w)"), draw="positive"),
    of_torch(loss_of("monai.losses as M", "M.FocalLoss()"), "x: b c h w, y: b c h w -> ()", true("monai FocalLoss", "S(b) x S(h) x S(w)"), draw="positive", single=True),
    of_torch(loss_of("monai.losses as M", "M.TverskyLoss(sigmoid=True, batch=True)"), "x: b c h w, y: b c h w -> ()", true("monai TverskyLoss", "S(b) x S(h)"), draw="positive"),
    of_torch(loss_of("monai.losses as M", "M.BarlowTwinsLoss(lambd=5e-3)"), "x: n d, y: n d -> ()", true("monai BarlowTwinsLoss", "S(n) x S(d)")),
    of_torch(loss_of("monai.losses as M", "M.DiceLoss(sigmoid=True)"), "x: b 1 h w, y: b! 1! h! w! -> ()", false("monai DiceLoss, labels kept", "S(b)"), draw="positive"),
    of_torch(loss_of("segmentation_models_pytorch as S", "S.losses.DiceLoss('binary')"), "x: b 1 h w, y: b 1 h w -> ()", true("smp DiceLoss", "S(b) x S(h) x S(w)"), draw="positive"),
    of_torch(loss_of("segmentation_models_pytorch as S", "S.losses.JaccardLoss('binary')"), "x: b 1 h w, y: b 1 h w -> ()", true("smp JaccardLoss", "S(b) x S(h)"), draw="positive"),
    of_torch(loss_of("segmentation_models_pytorch as S", "S.losses.FocalLoss('binary')"), "x: b 1 h w, y: b 1 h w -> ()", true("smp FocalLoss", "S(b) x S(w)"), draw="positive"),
    of_torch(loss_of("segmentation_models_pytorch as S", "S.losses.DiceLoss('binary')"), "x: b 1 h w, y: b! 1 h! w! -> ()", false("smp DiceLoss, labels kept", "S(b)"), draw="positive"),
    of_torch(held("open_clip.loss as O, torch", "lambda x, y: f(x, y, 10.0)", "f = O.ClipLoss()"), "x: n d, y: n d -> ()", true("open_clip ClipLoss", "S(n) x O(d)")),
    of_torch(held("open_clip.loss as O, torch", "lambda x, y: f(x, y, 10.0, -10.0)", "f = O.SigLipLoss()"), "x: n d, y: n d -> ()", true("open_clip SigLipLoss", "S(n) x O(d)")),
    of_torch(held("open_clip.loss as O, torch", "lambda x, y: f(x, y, 10.0)", "f = O.ClipLoss()"), "x: n! d, y: n d -> ()", false("open_clip ClipLoss, texts shuffled", "S(n)")),
    of_torch(held("neuralop.losses as N", "lambda x, y: f(x, y)", "f = N.LpLoss(d=2, p=2)"), "x: b 1 h w, y: b 1 h w -> ()", true("neuralop LpLoss", "S(b) x S(h) x S(w)")),
    of_torch(held("neuralop.losses as N", "lambda x, y: f(x, y)", "f = N.LpLoss(d=2, p=2)"), "x: b 1 h w, y: b 1 h! w -> ()", false("neuralop LpLoss, one shuffled", "S(h)")),
    of_torch(mincut_losses, "adj: n n, s: n k -> ()", true("MinCut losses", "S(n) x S(k)"), draw="positive"),
    of_torch(mincut_losses, "adj: n! n!, s: n k -> ()", false("MinCut losses of nodes alone", "S(n)"), draw="positive"),
    of_torch(siglip, "x: n d, y: n d -> ()", true("SigLIP", "S(n) x O(d)")),
    of_torch(siglip, "x: n d, y: n! d -> ()", false("SigLIP, images alone", "S(n)")),
    of_torch(decoupled, "x: n d, y: n d -> ()", true("decoupled contrastive", "S(n) x O(d)"), false("decoupled contrastive moved", "T(d)")),
    of_torch(rank_n_contrast, "f: n d, y: n -> ()", true("Rank-N-Contrast", "S(n) x E(d)"), n=(3, 4), d=(2, 3)),
    of_torch(lifted_structure, "x: n d, y[3]: n -> ()", true("lifted structure", "S(n) x E(d)")),
    of_numpy(permutation_p, "x: n, y: m -> ()", true("rank sum by comparisons", "S(n) x S(m)")),
    of_torch(held("asteroid.losses as A", "lambda x, y: A.pairwise_neg_sisdr(x, y)"), "x: b n t, y: b n t -> b n n", true("asteroid pairwise si-sdr", "S(b) x S(n) x S(t)"), b=(1, 2), n=(2, 3), t=(2, 4)),
    of_torch(held("asteroid.losses as A", "lambda x, y: f(x, y)", "f = A.PITLossWrapper(A.pairwise_mse, pit_from='pw_mtx')"), "x: 1 n t, y: 1 n t -> ()", true("asteroid PIT of mse", "S(n) x S(t)"), n=(2, 3)),
    of_torch(held("asteroid.losses as A", "lambda x, y: A.multisrc_neg_snr(x, y)"), "x: b n t, y: b n t -> b", true("asteroid multisource snr", "S(b) x S(n) x S(t)"), b=(1, 2), n=(2, 3), t=(2, 4)),
    of_torch(rank_n_contrast, "f: n d, y: n! -> ()", false("Rank-N-Contrast scaled", "Scale(d)")),
    of_torch(lifted_structure, "x: n d, y[3]: n! -> ()", false("lifted structure, labels kept", "S(n)")),
    of_torch(held("asteroid.losses as A", "lambda x, y: A.pairwise_neg_snr(x, y)"), "x: b n t, y: b n t! -> b n n", false("asteroid pairwise si-sdr moved", "O(t)"), b=1, n=2, t=(2, 3)),
    of_torch(list_mle, "s: n, y: n -> ()", true("ListMLE", "S(n)")),
    of_torch(lambda s: (torch.logcumsumexp(s.flip(0), 0).flip(0) - s).sum(), "s: n -> ()", false("ListMLE without sorting", "S(n)")),
]  # fmt: skip
