"""The same layers as PyTorch modules."""

from __future__ import annotations

import torch
from torch import nn
from torch.nn import functional as F

from tests.gallery.layer import Gallery, Slip

GALLERY = layer = Gallery(__file__)
torch.manual_seed(0)


class Evaluated(nn.Module):
    """A module in evaluation mode, with doubles."""

    def __init__(self) -> None:
        super().__init__()
        self.build()
        self.double().eval()


@layer(
    "torch: Deep Sets", "X: n 3 -> 2", "S(n)",
    Slip("running sums, and the largest of them", "h.sum(dim=0)", "h.cumsum(dim=0).amax(dim=0)"),
)  # fmt: skip
class DeepSets(Evaluated):
    def build(self):
        self.phi = nn.Sequential(nn.Linear(3, 5), nn.ReLU(), nn.Linear(5, 4))
        self.rho = nn.Linear(4, 2)

    def forward(self, X):
        h = self.phi(X)
        return self.rho(h.sum(dim=0))


@layer(
    "torch: multi-head attention", "X: n 4 -> n 4", "S(n)",
    Slip("running sums in place of sums", "weights @ v", "torch.cumsum(weights @ v, dim=1)"),
)  # fmt: skip
class MultiHead(Evaluated):
    def build(self):
        self.q, self.k, self.v, self.out = (nn.Linear(4, 4) for _ in range(4))

    def split(self, x):
        return x.view(-1, 2, 2).transpose(0, 1)

    def forward(self, X):
        q, k, v = self.split(self.q(X)), self.split(self.k(X)), self.split(self.v(X))
        weights = torch.softmax(q @ k.transpose(1, 2) / 2**0.5, dim=-1)
        heads = (weights @ v).transpose(0, 1).reshape(-1, 4)
        return self.out(heads)


@layer(
    "torch: scaled dot-product attention", "X: b n 4 -> b n 4", "S(b) x S(n)",
    Slip("causal, by mistake", "q, k, v)", "q, k, v, is_causal=True)", "S(n)"),
)  # fmt: skip
class FlashAttention(Evaluated):
    def build(self):
        self.qkv = nn.Linear(4, 12)

    def forward(self, X):
        q, k, v = self.qkv(X).chunk(3, dim=-1)
        return F.scaled_dot_product_attention(q, k, v)


@layer(
    "torch: GCN", "X: n 3, A: n n -> n 4", "S(n)",
    Slip("half of the matrix", "A + torch.eye(A.shape[0], dtype=A.dtype)", "torch.triu(A)"),
)  # fmt: skip
class GCN(Evaluated):
    def build(self):
        self.linear = nn.Linear(3, 4)

    def forward(self, X, A):
        A = A + torch.eye(A.shape[0], dtype=A.dtype)
        degree = A.abs().sum(dim=1) + 1
        return F.relu(self.linear(A @ X / degree[:, None]))


@layer(
    "torch: vector neurons", "V: n 3! d -> n 4! d", "S(n) x O(d)",
    Slip("ReLU on vectors", "torch.where(dot >= 0, q, q - dot * k / norm2)", "torch.relu(q)", "O(d)"),
)  # fmt: skip
class VectorNeurons(Evaluated):
    def build(self):
        self.W, self.U = nn.Linear(3, 4, bias=False), nn.Linear(3, 4, bias=False)

    def forward(self, V):
        q = self.W(V.transpose(1, 2)).transpose(1, 2)
        k = self.U(V.transpose(1, 2)).transpose(1, 2)
        dot = (q * k).sum(dim=-1, keepdim=True)
        norm2 = (k * k).sum(dim=-1, keepdim=True) + 1e-6
        return torch.where(dot >= 0, q, q - dot * k / norm2)
