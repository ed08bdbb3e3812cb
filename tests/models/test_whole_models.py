"""Whole networks at usual sizes, as they are written, and each with one character of it wrong."""

from __future__ import annotations

import importlib.util
import sys
from dataclasses import dataclass, field
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from tests.judged import assert_proved, assert_refuted

HERE = Path(__file__).parent


@dataclass(frozen=True)
class Case:
    """A network, what is claimed of it, and a line of it with the same line after one character changed.

    Attributes:
        line, wrong: of the network; none where only the claim that holds is judged.
        factor: of the group, under which the broken network is asked.
        sizes: at which it is asked.
        given: further options of both claims.
    """

    network: str
    signature: str
    under: str
    line: str
    wrong: str
    factor: str = "O(3)"
    sizes: dict[str, Any] = field(default_factory=lambda: {"n": 2, "m": 1})
    given: dict[str, Any] = field(default_factory=dict)


def _load(path: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None and spec.loader is not None
    sys.modules[path.stem] = module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def _judge(case: Case, source: str, made: Any, given: dict[str, Any], folder: Path) -> None:
    assert_proved(made(_load(HERE / source), case.network), case.signature, case.under, budget=400, **given)
    if not case.line:
        return
    text = (HERE / source).read_text()
    assert text.count(case.line) == 1 and len(case.wrong) - len(case.line) in (-1, 0, 1)
    assert sum(a != b for a, b in zip(case.line, case.wrong, strict=False)) <= 1
    path = folder / f"broken_{source}"
    path.write_text(text.replace(case.line, case.wrong))
    broken = made(_load(path), case.network)
    sizes = {name: size for name, size in case.sizes.items() if name in case.signature}
    found = assert_refuted(broken, case.signature, case.factor, sizes=sizes, budget=400, **given)
    number = text[: text.index(case.line)].count("\n") + 1
    assert f"{path.name}:{number}" in found.reason, found.reason


# -- PyTorch ------------------------------------------------------------------------------------------------
TORCH = [
    Case(
        "EGNN", "h: n 5, x: n 3, E[n]: 2 m -> n 5, n 3", "E(3) x S(n) x S(m)",
        "row, apart * self.coord(m)", "row, apart + self.coord(m)",
    ),
    Case(
        "PaiNN", "s: n 16, v: n 3^ 16, pos: n 3, E[n]: 2 m -> n 16, n 3^ 16", "E(3) x S(n) x S(m)",
        "asv * (u * w).sum(1)", "asv * (u + w).sum(1)",
    ),
    Case(
        "GVPConv", "s: n 8, v: n 4 3^, pos: n 3, E[n]: 2 m -> n 8, n 4 3^", "E(3) x S(n) x S(m)",
        "(r * r).sum(-1", "(r + r).sum(-1",
    ),
    Case(
        "SchNet", "z[10]: n, pos: n 3, E[n]: 2 m -> 1", "E(3) x S(n) x S(m)",
        "(pos[i] - pos[j]).norm", "(pos[i] * pos[j]).norm",
    ),
]  # fmt: skip


def _module(networks: ModuleType, name: str) -> Any:
    torch = pytest.importorskip("torch", reason="torch is not installed")
    torch.manual_seed(0)
    return getattr(networks, name)().eval()


@pytest.mark.parametrize("case", TORCH, ids=lambda case: case.network)
def test_networks_of_torch(case: Case, tmp_path: Path) -> None:
    if case.network == "SchNet":
        pytest.importorskip("torch_geometric", reason="torch_geometric is not installed")
    _judge(case, "torch_networks.py", _module, case.given, tmp_path)


def test_a_network_on_data_of_torch_geometric(tmp_path: Path) -> None:
    torch = pytest.importorskip("torch", reason="torch is not installed")
    data = pytest.importorskip("torch_geometric.data", reason="torch_geometric is not installed")
    graph = data.Data(x=torch.zeros(3, 4), pos=torch.zeros(3, 3), edge_index=torch.tensor([[0, 1], [1, 2]]))
    case = Case(
        "OnData",
        "data.x: n 4, data.pos: n 3, data.edge_index[n]: 2 m, data.batch[b]: n, data.num_graphs: sizes b"
        " -> b 1",
        "E(3) x S(n) x S(m) x S(b)",
        "(data.pos[i] - data.pos[j]).norm", "(data.pos[i] * data.pos[j]).norm",
        sizes={"n": 2, "m": 1, "b": 1},
        given={"example": {"data": data.Batch.from_data_list([graph, graph])}},
    )  # fmt: skip
    _judge(case, "torch_networks.py", _module, case.given, tmp_path)


# -- e3nn ---------------------------------------------------------------------------------------------------
HIDDEN, EDGES = "16x0e+8x1o+4x2e", "8x0e+8x1o+4x2e+2x3o"
CHANNELS = "4x0e+4x1o+4x2e+4x3o"
HARMONICS = "1x0e+1x1o+1x2e+1x3o+1x4e+1x5o+1x6e"
E3NN = [
    Case(
        "Product", f"h: n <{HIDDEN}>, y: n <0e+1o+2e> -> n <{HIDDEN}>", "O(3) x S(n)",
        "h + self.product(h, y)", "h * self.product(h, y)",
    ),
    Case(
        "Harmonics", f"x: n 3 -> n <{HARMONICS}>", "O(3) x S(n)",
        "torch.exp(-(x**2)", "torch.exp(-(x**3)",
    ),
    Case(
        "Gated", f"h: n <{HIDDEN}> -> n <{HIDDEN}>", "O(3) x S(n)",
        "h + self.gate(self.before(h))", "h * self.gate(self.before(h))",
    ),
    Case(
        "Normed", f"h: n <{HIDDEN}> -> n <{HIDDEN}>", "O(3) x S(n)",
        "h - self.activate(h)", "h / self.activate(h)",
    ),
    Case(
        "Interaction", f"h: n <{EDGES}>, pos: n 3, E[n]: 2 m -> n <{EDGES}>", "E(3) x S(n) x S(m)",
        "r = pos[i] - pos[j]", "r = pos[i] * pos[j]",
    ),
    Case(
        "MACE", f"h: n <{CHANNELS}>, pos: n 3, E[n]: 2 m -> n <4x0e+4x1o>", "E(3) x S(n) x S(m)",
        "r = pos[i] - pos[j]", "r = pos[i] * pos[j]",
    ),
]  # fmt: skip


@pytest.mark.parametrize("case", E3NN, ids=lambda case: case.network)
def test_networks_of_e3nn(case: Case, tmp_path: Path) -> None:
    pytest.importorskip("e3nn.o3", reason="e3nn is not installed", exc_type=ImportError)
    _judge(case, "e3nn_networks.py", _module, case.given, tmp_path)


def test_a_network_of_e3nn_that_makes_its_graph() -> None:
    """Of the pairs that are nearer than a radius, as many as there are."""
    torch = pytest.importorskip("torch", reason="torch is not installed")
    o3 = pytest.importorskip("e3nn.o3", reason="e3nn is not installed", exc_type=ImportError)
    models = pytest.importorskip("e3nn.nn.models.gate_points_2101", exc_type=ImportError)
    torch.manual_seed(0)
    network = models.Network(
        "3x0e+2x1o", "5x0e+5x0o+5x1e+5x1o", "2x0o+2x1o+2x2e", "4x0e", o3.Irreps.spherical_harmonics(3),
        layers=1, max_radius=2.0, number_of_basis=5, radial_layers=1, radial_neurons=8, num_neighbors=4.0,
        num_nodes=5,
    )  # fmt: skip

    def of_arrays(pos: Any, x: Any, z: Any) -> Any:
        return network({"pos": pos, "x": x, "z": z})

    signature = "pos: 5! 3, x: 5! <3x0e+2x1o>, z: 5! 4 -> 1 <2x0o+2x1o+2x2e>"
    assert_proved(of_arrays, signature, "E(3)", backend="torch", budget=400)
