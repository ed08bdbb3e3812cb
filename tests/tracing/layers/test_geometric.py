"""Layers of torch_geometric on edge lists, with the weights that they have."""

from __future__ import annotations

from typing import Any

import pytest

import eqvproof as ep
from eqvproof.api import verify

torch = pytest.importorskip("torch", reason="PyTorch is not installed")
geometric = pytest.importorskip("torch_geometric.nn", reason="torch_geometric is not installed")
pytestmark = [
    pytest.mark.filterwarnings("ignore::DeprecationWarning"),
    pytest.mark.filterwarnings("ignore::FutureWarning"),
    pytest.mark.filterwarnings("ignore::UserWarning"),
]


def layer(name: str) -> Any:
    """A layer from 3 to 2 features."""
    torch.manual_seed(5)
    match name:
        case "GINConv":
            inner = torch.nn.Sequential(torch.nn.Linear(3, 4), torch.nn.ReLU(), torch.nn.Linear(4, 2))
            made = geometric.GINConv(inner)
        case "EdgeConv":
            made = geometric.EdgeConv(torch.nn.Linear(6, 2))
        case _:
            made = getattr(geometric, name)(3, 2)
    return made.eval()


@pytest.mark.parametrize("name", ["GCNConv", "GATConv", "GINConv", "EdgeConv"])
def test_layers_are_equivariant_under_relabelled_nodes_and_reordered_edges(name: str) -> None:
    verdict = ep.check(layer(name), "X: n 3, E[n]: 2 m -> n 2", under="S(n) x S(m)", budget=120)
    assert verdict.holds and verdict.grade == "PROVED", str(verdict)
    assert verify(verdict.certificate).accepted


@pytest.mark.parametrize("name", ["GCNConv", "GATConv", "GINConv"])
def test_features_may_not_change_sign(name: str) -> None:
    verdict = ep.check(layer(name), "X: n 3, E[n]: 2 m -> n 2", under="Signs(3)", budget=60)
    assert verdict.fails and verdict.grade in ("EXACT", "ENCLOSED"), str(verdict)
    assert verify(verdict.certificate).accepted


class Pooled(torch.nn.Module):
    """All nodes are of one graph: their positions in the list of graphs are written out."""

    def __init__(self, aggregation: Any) -> None:
        super().__init__()
        self.aggregation = aggregation

    def forward(self, x: Any) -> Any:
        return self.aggregation(x, torch.zeros(x.shape[0], dtype=torch.long), dim_size=1)


def test_aggregations_of_one_graph() -> None:
    torch.manual_seed(5)
    module = Pooled(geometric.DeepSetsAggregation(torch.nn.Linear(3, 4), torch.nn.Linear(4, 2))).eval()
    verdict = ep.check(module, "X: n 3 -> 1 2", under="S(n)", budget=60)
    assert verdict.grade == "PROVED" and verify(verdict.certificate).accepted, str(verdict)
    verdict = ep.check(module, "X: n 3 -> 1 2", under="Signs(3)", budget=60)
    assert verdict.fails and verify(verdict.certificate).accepted


class FirstEdges(torch.nn.Module):
    """The mean over the edges that are no loops: their number is part of the result."""

    def forward(self, x: Any, edges: Any) -> Any:
        edges = edges[:, edges[0] != edges[1]]
        return x[edges[0]].mean(0) + 0 * x.sum()


class NumbersOfNodes(torch.nn.Module):
    """The mean of the numbers of nodes at which edges that are no loops begin."""

    def forward(self, x: Any, edges: Any) -> Any:
        edges = edges[:, edges[0] != edges[1]]
        return edges[0].double().mean() * x.sum(0)


class LastChosen(torch.nn.Module):
    """The greatest of the features looked up by edges that are no loops."""

    def forward(self, x: Any, edges: Any) -> Any:
        edges = edges[:, edges[0] != edges[1]]
        return torch.cat([x[edges[0]], -x.abs().sum(0, keepdim=True)]).amax(0)


@pytest.mark.parametrize("module", [FirstEdges(), LastChosen()], ids=lambda m: type(m).__name__)
def test_entries_that_a_mask_chose_are_counted_in_a_proof(module: Any) -> None:
    verdict = ep.prove(module, "X: n 3, E[n]: 2 m -> 3", under="S(n)")
    assert verdict.grade == "PROVED", str(verdict)


def test_the_numbers_of_nodes_that_a_mask_chose_are_no_numbers() -> None:
    assert ep.check(NumbersOfNodes(), "X: n 3, E[n]: 2 m -> 3", under="S(n)", budget=30).fails


class Summed(torch.nn.Module):
    """Messages along the edges that are no loops, summed at their ends."""

    def forward(self, x: Any, edges: Any) -> Any:
        source, end = edges[:, edges[0] != edges[1]]
        return torch.zeros_like(x).index_add(0, end, torch.tanh(x[source]))


def test_messages_along_chosen_edges_are_proved() -> None:
    verdict = ep.check(Summed(), "X: n d, E[n]: 2 m -> n d", under="S(n) x S(m) x S(d)", budget=60)
    assert verdict.grade == "PROVED" and verify(verdict.certificate).accepted, str(verdict)


class Near(torch.nn.Module):
    """Unit vectors to the neighbours that are nearer than 2, each weighed by what is between, summed."""

    def forward(self, pos: Any) -> Any:
        apart = torch.cdist(pos, pos)
        i, j = ((apart < 2) & (apart > 0)).nonzero().T
        gap = self.gap(pos, i, j)
        return torch.zeros_like(pos).index_add(0, i, gap / gap.norm(dim=-1, keepdim=True))

    def gap(self, pos: Any, i: Any, j: Any) -> Any:
        return pos[i] - pos[j]


class Farther(Near):
    def gap(self, pos: Any, i: Any, j: Any) -> Any:
        return pos[i] + pos[j]


class Greatest(torch.nn.Module):
    """Along the edges that are no loops the greatest of 1 / x, which at loops may be undefined."""

    def forward(self, x: Any, edges: Any) -> Any:
        i, j = edges[:, edges[0] != edges[1]]
        index = j[:, None].expand(-1, x.shape[1])
        return torch.zeros_like(x).scatter_reduce(0, index, 1 / (x[i] - x[j]), "amax", include_self=False)


def test_a_graph_of_all_pairs_that_are_near() -> None:
    """``nonzero`` of a mask: a loop, where the vector of length 0 has no direction, counts for nothing."""
    signature = "pos: 4! 3 -> 4! 3^"
    verdict = ep.check(Near(), signature, under="E(3)", budget=60)
    assert verdict.grade == "PROVED" and verify(verdict.certificate).accepted, str(verdict)
    wrong = ep.check(Farther(), signature, under="T(3)", budget=60)
    assert wrong.fails and wrong.grade in ("EXACT", "ENCLOSED") and verify(wrong.certificate).accepted


def test_what_is_undefined_at_entries_that_a_mask_leaves_out_does_not_make_all_undefined() -> None:
    """A bound on all entries would be undefined at each input, and every claim of it would be true."""
    verdict = ep.prove(Greatest(), "X: n 3, E[n]: 2 m -> n 3", under="Signs(3)")
    assert verdict.grade != "PROVED", str(verdict)
