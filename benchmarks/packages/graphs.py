"""torch_geometric and egnn-pytorch."""

from __future__ import annotations

import torch
import torch_geometric.nn as G
import torch_geometric.utils as U
from egnn_pytorch import EGNN

from benchmarks.packages.claims import family
from benchmarks.packages.layers import seeded

true, false = family("torch")
GRAPH = "x: n 4, e[n]: 2 m -> n 3"


def conv(make, signature=GRAPH):
    return (f"PyG {signature}", seeded(make))


def mlp(i, o):
    return torch.nn.Sequential(torch.nn.Linear(i, 8), torch.nn.ReLU(), torch.nn.Linear(8, o))


def pooled(pool):
    return lambda: lambda x: pool(x, torch.zeros(x.shape[0], dtype=torch.long))


def pooled_graphs(pool):
    return lambda: lambda x, g: pool(x, g)


def network():
    a, b = seeded(lambda: G.GCNConv(4, 8))(), seeded(lambda: G.GCNConv(8, 3))()
    return lambda x, e: G.global_mean_pool(b(a(x, e).relu(), e), torch.zeros(x.shape[0], dtype=torch.long))[0]


def egnn(which):
    def made():
        torch.manual_seed(0)
        layer = EGNN(dim=4).eval()
        return lambda h, x: layer(h[None], x[None])[which][0]

    return made


def edges_only(layer):
    return lambda: layer


CLAIMS = [
    true("PyG GCNConv", seeded(lambda: G.GCNConv(4, 3)), GRAPH, "S(n)"),
    true("PyG GCNConv edges", seeded(lambda: G.GCNConv(4, 3)), GRAPH, "S(m)"),
    true("PyG GATConv", seeded(lambda: G.GATConv(4, 3)), GRAPH, "S(n)"),
    true("PyG GATv2Conv", seeded(lambda: G.GATv2Conv(4, 3)), GRAPH, "S(n)"),
    true("PyG SAGEConv", seeded(lambda: G.SAGEConv(4, 3)), GRAPH, "S(n)"),
    true("PyG SAGEConv max", seeded(lambda: G.SAGEConv(4, 3, aggr="max")), GRAPH, "S(n)"),
    true("PyG GINConv", seeded(lambda: G.GINConv(mlp(4, 3))), GRAPH, "S(n)"),
    true("PyG GraphConv", seeded(lambda: G.GraphConv(4, 3)), GRAPH, "S(n)"),
    true("PyG TransformerConv", seeded(lambda: G.TransformerConv(4, 3)), GRAPH, "S(n)"),
    true("PyG EdgeConv", seeded(lambda: G.EdgeConv(mlp(8, 3))), GRAPH, "S(n)"),
    true("PyG ChebConv", seeded(lambda: G.ChebConv(4, 3, 2)), GRAPH, "S(n)"),
    true("PyG APPNP", seeded(lambda: G.APPNP(3, 0.1)), "x: n 3, e[n]: 2 m -> n 3", "S(n)"),
    true("PyG SGConv", seeded(lambda: G.SGConv(4, 3, K=2)), GRAPH, "S(n)"),
    true("PyG ResGatedGraphConv", seeded(lambda: G.ResGatedGraphConv(4, 3)), GRAPH, "S(n)"),
    true("PyG PointNetConv", seeded(lambda: G.PointNetConv(mlp(7, 3))), "x: n 4, p: n 3, e[n]: 2 m -> n 3", "S(n)"),
    true("PyG GCN network", network, "x: n 4, e[n]: 2 m -> 3", "S(n)"),
    true("PyG global_add_pool", pooled(G.global_add_pool), "x: n 4 -> 1 4", "S(n)"),
    true("PyG global_mean_pool graphs", pooled_graphs(lambda x, g: G.global_mean_pool(x, g, 3)), "x: n 4, g[3]: n -> 3 4", "S(n)"),
    true("PyG global_max_pool", pooled(G.global_max_pool), "x: n 4 -> 1 4", "S(n)"),
    true("PyG DeepSets", seeded(lambda: G.DeepSetsAggregation(mlp(4, 8), mlp(8, 3))), "x: n 4 -> 1 3", "S(n)"),
    true("PyG GraphNorm", seeded(lambda: G.GraphNorm(4)), "x: n 4 -> n 4", "S(n)"),
    true("PyG PairNorm", seeded(lambda: G.PairNorm()), "x: n d -> n d", "S(n)"),
    true("PyG degree", lambda: lambda x, e: U.degree(e[1], x.shape[0], dtype=x.dtype), "x: n 4, e[n]: 2 m -> n", "S(n)"),
    true("PyG softmax", lambda: lambda x, i: U.softmax(x, i, num_nodes=4), "x: n, i[4]: n -> n", "S(n)"),
    true("PyG to_dense_adj", lambda: lambda x, e: U.to_dense_adj(e, max_num_nodes=x.shape[0])[0], "x: n 4, e[n]: 2 m -> n n", "S(n)"),
    true("PyG LightGCN propagation", seeded(lambda: G.LGConv()), "x: n c, e[n]: 2 m -> n c", "S(n)"),
    true("EGNN features", egnn(0), "h: n 4, x: n 3 -> n 4", "E(3)"),
    true("EGNN coordinates", egnn(1), "h: n 4, x: n 3 -> n 3", "E(3)"),
    true("EGNN features permuted", egnn(0), "h: n 4, x: n 3 -> n 4", "S(n)"),
    false("PyG PointNetConv rotations", seeded(lambda: G.PointNetConv(mlp(7, 3))), "x: n v, p: n 3, e[n]: 2 m -> n 3", "S(v)", sizes={"v": 4}),
    false("PyG GCNConv wrong pool", lambda: (lambda c: lambda x, e: c(x, e)[0])(seeded(lambda: G.GCNConv(4, 3))()), "x: n 4, e[n]: 2 m -> 3", "S(n)"),
    false("PyG GCNConv of path", lambda: (lambda c: lambda x: c(x, torch.stack([torch.arange(x.shape[0] - 1), torch.arange(1, x.shape[0])])))(seeded(lambda: G.GCNConv(4, 3))()), "x: n 4 -> n 3", "S(n)"),
    false("PyG positional features", lambda: (lambda c: lambda x, e: c(x + torch.arange(x.shape[0])[:, None], e))(seeded(lambda: G.SAGEConv(4, 3))()), GRAPH, "S(n)"),
    false("PyG GINConv of first node", lambda: (lambda c: lambda x, e: c(x - x[:1], e))(seeded(lambda: G.GINConv(mlp(4, 3)))()), GRAPH, "S(n)"),
    false("EGNN reads coordinates", lambda: (lambda f: lambda h, x: f(h + x[:, :1], x))(egnn(0)()), "h: n 4, x: n 3 -> n 4", "O(3)"),
    false("EGNN coordinates not translated", egnn(1), "h: n 4, x: n 3 -> n 3^", "E(3)"),
]  # fmt: skip
