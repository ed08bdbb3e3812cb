"""Functions and modules of torch."""

from __future__ import annotations

import torch
import torch.nn.functional as F

from benchmarks.exceptional_claims.claim import claims_for
from benchmarks.exceptional_claims.samplers import arrays, cloud, graph, low_rank, tied

claim = claims_for("torch")


@claim("X: n c, w: c -> k c", "S(n)", arrays((tied, "n c"), (tied, "c")), backend="torch", least={"n": 3})
def graph_pool(X, w):
    score = X @ w / w.norm()
    value, index = torch.topk(score, min(2, X.shape[0]))
    return X[index] * torch.sigmoid(value)[:, None]


@claim(
    "Q: n d, K: m d, V: m c -> n c", "O(d) x S(n) x S(m)",
    arrays((cloud, "n d"), (cloud, "m d"), (tied, "m c")), backend="torch",
)  # fmt: skip
def hard_attention(Q, K, V):
    scores = Q @ K.T
    A = F.one_hot(scores.argmax(dim=-1), K.shape[0]).to(V.dtype)
    return A @ V


@claim("X: n c, H: n c -> c", "S(n)", arrays((tied, "n c"), (tied, "n c")), backend="torch")
def max_pool_indices_gather(X, H):
    _, index = X.max(dim=0, keepdim=True)
    return torch.gather(H, 0, index).squeeze(0)


@claim("X: n 3, H: n c -> n m", "E(3) x S(n)", arrays((cloud, "n 3"), (tied, "n c")), backend="torch",
       least={"n": 4})  # fmt: skip
def edge_conv(X, H):
    d = torch.cdist(X, X, compute_mode="donot_use_mm_for_euclid_dist")
    index = d.topk(min(3, X.shape[0]), dim=-1, largest=False)[1]
    neighbours = H[index]
    centre = H.unsqueeze(1).expand_as(neighbours)
    return torch.relu(torch.cat([centre, neighbours - centre], dim=-1)).max(dim=1)[0]


@claim("X: n d -> n d", "E(d) x S(n)", arrays((cloud, "n d")), backend="torch")
def edge_conv_distances_along_wrong_axis(X):
    inner = X @ X.T
    sq = (X**2).sum(dim=0, keepdim=True)
    d = sq.sum() - 2 * inner
    index = d.topk(1, dim=-1, largest=False)[1]
    return X[index[:, 0]] - X


@claim("x: n, H: n c -> n! c", "S(n)", arrays((tied, "n"), (tied, "n c")), backend="torch")
def features_in_order_of_key(x, H):
    _, order = torch.sort(x)
    return H[order]


@claim("X: n c -> n c", "S(n)", arrays((tied, "n c")), backend="torch")
def median_centred(X):
    return X - X.median(dim=0, keepdim=True).values


class SignNet(torch.nn.Module):
    """phi(v) + phi(-v) for each eigenvector."""

    def __init__(self):
        super().__init__()
        torch.manual_seed(0)
        self.phi = torch.nn.Sequential(torch.nn.Linear(1, 4), torch.nn.ReLU(), torch.nn.Linear(4, 2)).double()

    def forward(self, A):
        W = (A + A.T) / 2
        L = torch.diag(W.sum(1)) - W
        _, V = torch.linalg.eigh(L)
        v = V[..., None]
        return (self.phi(v) + self.phi(-v)).sum(dim=1)


claim("A: n n -> n 2", "S(n)", arrays((lambda rng, n, _: graph(rng, n), "n n")), backend="torch")(SignNet())


@claim("M: 3 3! -> 3 3!", "SO(3)", arrays((low_rank, "3 3")), backend="torch")
def svd_rotation(M):
    U, _, Vh = torch.linalg.svd(M)
    d = torch.det(U @ Vh)
    U = torch.cat([U[:, :2], U[:, 2:] * d], dim=1)
    return U @ Vh


@claim("M: 3 3! -> 3 3!", "O(3)", arrays((low_rank, "3 3")), backend="torch")
def svd_rotation_claimed_for_reflections(M):
    U, _, Vh = torch.linalg.svd(M)
    one = torch.ones(2, dtype=M.dtype)
    D = torch.diag(torch.cat([one, torch.det(U @ Vh)[None]]))
    return U @ D @ Vh


@claim("S: b v, H: b c -> k c", "S(b) x S(v)", arrays((tied, "b v"), (tied, "b c")), backend="torch")
def beam_step(S, H):
    logp = torch.log_softmax(S, dim=-1)
    _, flat = logp.flatten().topk(2)
    parent = torch.div(flat, S.shape[1], rounding_mode="floor")
    return H[parent]


@claim("V: k d -> d", "O(d) x S(k)", arrays((cloud, "k d")), backend="torch")
def capsule_of_greatest_length(V):
    length = (V**2).sum(dim=-1)
    mask = F.one_hot(length.argmax(), V.shape[0]).to(V.dtype)
    v = (V * mask[:, None]).sum(dim=0)
    return v / (1 + v.norm())


@claim("X: n k -> n k", "S(n) x S(k)", arrays((tied, "n k")), backend="torch")
def straight_through_one_hot(X):
    y = X.softmax(dim=-1)
    index = y.max(dim=-1, keepdim=True)[1]
    return torch.zeros_like(X).scatter_(-1, index, 1.0)


@claim("X: n k -> n", "S(n) x S(k)", arrays((tied, "n k")), backend="torch")
def margin_of_two_best(X):
    best = X.topk(2, dim=-1).values
    return torch.relu(1 - (best[:, 0] - best[:, 1]))


@claim("X: n 3 -> m 3", "E(3) x S(n)", arrays((cloud, "n 3")), backend="torch")
def pointnet_sampling_from_row_zero(X):
    n = X.shape[0]
    distance = torch.full((n,), 1e10, dtype=X.dtype)
    far = torch.zeros((), dtype=torch.long)
    chosen = []
    for _ in range(2):
        chosen.append(far)
        distance = torch.minimum(distance, ((X - X[far]) ** 2).sum(-1))
        far = distance.argmax()
    return X[torch.stack(chosen)]


@claim("X: n c -> n c", "S(n)", arrays((tied, "n c")), backend="torch")
def rank_features_by_single_argsort(X):
    rank = X.argsort(dim=0).to(X.dtype)
    return X * rank / X.shape[0]


@claim("X: n 3 -> n", "E(3) x S(n)", arrays((cloud, "n 3")), backend="torch", least={"n": 3})
def local_density(X):
    d = torch.cdist(X, X, compute_mode="donot_use_mm_for_euclid_dist")
    radius = d.topk(min(3, X.shape[0]), dim=-1, largest=False).values[:, -1]
    return 1 / (1e-3 + radius**3)
