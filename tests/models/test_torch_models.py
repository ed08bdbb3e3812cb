"""Models of PyTorch as they are shipped: several results, `Data` and `Batch` of torch_geometric."""

from __future__ import annotations

import copy
from typing import Any

import pytest

from tests.judged import assert_proved, assert_refuted

torch = pytest.importorskip("torch", reason="torch is not installed")

ATTENTION = "q: b n 4, k: b m 4, v: b m 4 -> b n 4, b n m"
RECURRENT = "x: b 3 3 -> b 3 2, 1 b 2, 1 b 2"
SMALL = {"b": (1, 2), "n": (1, 2), "m": (1, 3)}


def module(made: Any) -> Any:
    """A module with weights that a seed gives, to be evaluated."""
    torch.manual_seed(0)
    return made().eval()


def test_attention_returns_values_and_weights() -> None:
    attend = module(lambda: torch.nn.MultiheadAttention(4, 2, batch_first=True))
    assert_proved(attend, ATTENTION, "S(n) x S(m)")
    assert_proved(attend, ATTENTION, "S(n) each b x S(m) each b", budget=60)

    def first_value_twice(q: Any, k: Any, v: Any) -> Any:
        return attend(q, k, v + v[:, :1])

    def first_of_batch(q: Any, k: Any, v: Any) -> Any:
        return attend(q, k, v + v[:1])

    assert_refuted(first_of_batch, ATTENTION, "S(m) each b", sizes={"b": 2, "n": 1, "m": 2}, budget=60)
    found = assert_refuted(first_value_twice, ATTENTION, "S(m)", sizes=SMALL)
    assert found.counterexample is not None and found.counterexample.result == "result 0"
    assert found.results["result 1"].grade == "PROVED"
    assert "v + v[:, :1]" in found.reason


def test_recurrent_network_returns_its_states() -> None:
    network = module(lambda: torch.nn.LSTM(3, 2, batch_first=True))
    assert list(assert_proved(network, RECURRENT, "S(b)").results) == ["result 0", "result 1", "result 2"]
    assert_refuted(lambda x: network(x + x[:1]), RECURRENT, "S(b)", sizes={"b": 2})


def test_layer_of_an_installed_package_returns_features_and_points() -> None:
    package = pytest.importorskip("egnn_pytorch", reason="egnn-pytorch is not installed")
    layer = module(lambda: package.EGNN(dim=2, m_dim=2))
    signature = "h: b n 2, x: b n d -> b n 2, b n d"
    assert_proved(layer, signature, "E(d) x S(n)", sizes={"d": 3}, budget=60)

    def moved(h: Any, x: Any) -> Any:
        return layer(h, x * x)

    found = assert_refuted(moved, signature, "O(d)", sizes={"d": 3, "b": 1, "n": (2, 2)}, budget=60)
    assert found.counterexample is not None and found.counterexample.result == "result 1"


GRAPHS = (
    "data.x: n 2, data.pos: n d, data.edge_index[n]: 2 m, data.batch[b]: n, data.num_graphs: sizes b"
    " -> h: n 2, pos: n d, pool: b 2"
)


def test_batch_of_graphs() -> None:
    graphs = pytest.importorskip("torch_geometric", reason="torch_geometric is not installed")
    one = graphs.data.Data(
        x=torch.zeros(4, 2), pos=torch.zeros(4, 3), edge_index=torch.tensor([[0, 1, 2], [1, 2, 3]])
    )
    data = graphs.data.Batch.from_data_list([one, copy.copy(one)])

    class Network(torch.nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.message = torch.nn.Linear(5, 2)

        def forward(self, data: Any) -> Any:
            i, j = data.edge_index
            apart = data.pos[i] - data.pos[j]
            squares = (apart * apart).sum(-1, keepdim=True)
            sent = self.message(torch.cat([data.x[i], data.x[j], squares], -1)).tanh()
            h = torch.zeros_like(data.x).index_add(0, i, sent)
            pos = data.pos + torch.zeros_like(data.pos).index_add(0, i, apart * sent[:, :1])
            return {"h": h, "pos": pos, "pool": graphs.nn.global_add_pool(h, data.batch, data.num_graphs)}

    network, given = module(Network), {"example": {"data": data}, "sizes": {"d": 3}}
    verdict = assert_proved(network, GRAPHS, "E(d) x S(n) x S(m) x S(b)", **given)
    assert list(verdict.results) == ["h", "pos", "pool"]
    assert data.num_graphs == 2 and data.pos.shape == (8, 3)

    def wrong(data: Any) -> Any:
        found = network(data)
        return {**found, "pos": found["pos"] * data.pos}

    failed = assert_refuted(wrong, GRAPHS, "E(d)", **given)
    assert failed.counterexample is not None and failed.counterexample.result == "pos"
    assert "data.pos" in failed.counterexample.inputs


def test_layers_of_torch_geometric_on_data() -> None:
    graphs = pytest.importorskip("torch_geometric", reason="torch_geometric is not installed")
    layer = module(lambda: graphs.nn.GCNConv(2, 2, add_self_loops=False, normalize=False))
    data = graphs.data.Data(x=torch.zeros(3, 2), edge_index=torch.tensor([[0, 1], [1, 2]]))
    signature, given = "data.x: n 2, data.edge_index[n]: 2 m -> n 2", {"example": {"data": data}}
    assert_proved(lambda data: layer(data.x, data.edge_index).tanh(), signature, "S(n) x S(m)", **given)

    def first_node_everywhere(data: Any) -> Any:
        h = layer(data.x, data.edge_index)
        return h.tanh() + h[0]

    assert_refuted(first_node_everywhere, signature, "S(n)", **given)
