"""Whole networks at usual sizes, as they are written, and each with one character of it wrong."""

from __future__ import annotations

import importlib.util
import os
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from types import ModuleType
from typing import Any

import eqvproof as ep

HERE = Path(__file__).parent


@dataclass(frozen=True)
class Case:
    """A network, what is claimed of it, and a line of it with the same line after one character changed.

    Attributes:
        factor: of the group, under which the broken network is asked.
        sizes: at which it is asked.
        needs: what has to be installed.
        given: further options of both claims, from the module of the network.
    """

    source: str
    network: str
    signature: str
    under: str
    line: str
    wrong: str
    factor: str = "O(3)"
    sizes: dict[str, Any] = field(default_factory=lambda: {"n": 2, "m": 1})
    needs: tuple[str, ...] = ("torch",)
    given: Callable[[ModuleType], dict[str, Any]] = lambda networks: {}


@dataclass(frozen=True)
class Judged:
    """A verdict, whether the kernel accepts it, and the seconds of processor time that it took."""

    verdict: ep.Verdict
    is_accepted: bool
    seconds: float


def load(path: Path) -> ModuleType:
    """The module of a file."""
    spec = importlib.util.spec_from_file_location(path.stem, path)
    if spec is None or spec.loader is None:
        raise ImportError(str(path))
    sys.modules[path.stem] = module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def judged(networks: ModuleType, case: Case, under: str, **options: Any) -> Judged:
    """The verdict on the network of a module, with weights that a seed gives."""
    if "torch" in case.needs:
        import torch

        torch.manual_seed(0)
    made = getattr(networks, case.network)()
    made = made.eval() if "torch" in case.needs else made
    start = sum(os.times()[:4])
    verdict = ep.check(made, case.signature, under, budget=400, **case.given(networks), **options)
    accepted = verdict.certificate is not None and ep.verify(verdict.certificate).accepted
    return Judged(verdict, accepted, sum(os.times()[:4]) - start)


def whole(case: Case) -> Judged:
    """The network as it is written, under the whole group."""
    return judged(load(HERE / case.source), case, case.under)


def broken(case: Case, folder: Path) -> tuple[Judged, bool]:
    """The network with one character of it wrong, and whether the verdict names the line."""
    text = (HERE / case.source).read_text()
    if text.count(case.line) != 1 or sum(a != b for a, b in zip(case.line, case.wrong, strict=True)) != 1:
        raise ValueError(f"{case.network}: not one line with one character wrong")
    path = folder / f"broken_{case.source}"
    path.write_text(text.replace(case.line, case.wrong))
    sizes = {name: size for name, size in case.sizes.items() if name in case.signature}
    found = judged(load(path), case, case.factor, sizes=sizes)
    number = text[: text.index(case.line)].count("\n") + 1
    return found, f"{path.name}:{number}:" in found.verdict.reason


def _on_data(networks: ModuleType) -> dict[str, Any]:
    import torch
    from torch_geometric.data import Batch, Data

    graph = Data(x=torch.zeros(3, 4), pos=torch.zeros(3, 3), edge_index=torch.tensor([[0, 1], [1, 2]]))
    return {"example": {"data": Batch.from_data_list([graph, graph])}}


def _on_graphs(networks: ModuleType) -> dict[str, Any]:
    return {"example": {"graph": networks.graph()}}


TORCH, E3NN, JAX = "torch_networks.py", "e3nn_networks.py", "jax_networks.py"
HIDDEN, EDGES = "16x0e+8x1o+4x2e", "8x0e+8x1o+4x2e+2x3o"
CHANNELS = "4x0e+4x1o+4x2e+4x3o"
HARMONICS = "1x0e+1x1o+1x2e+1x3o+1x4e+1x5o+1x6e"
GEOMETRIC, IRREPS = ("torch", "torch_geometric"), ("torch", "e3nn.o3")
CASES = [
    Case(
        TORCH, "EGNN", "h: n 5, x: n 3, E[n]: 2 m -> n 5, n 3", "E(3) x S(n) x S(m)",
        "row, apart * self.coord(m)", "row, apart + self.coord(m)",
    ),
    Case(
        TORCH, "PaiNN", "s: n 16, v: n 3^ 16, pos: n 3, E[n]: 2 m -> n 16, n 3^ 16", "E(3) x S(n) x S(m)",
        "asv * (u * w).sum(1)", "asv * (u + w).sum(1)",
    ),
    Case(
        TORCH, "GVPConv", "s: n 8, v: n 4 3^, pos: n 3, E[n]: 2 m -> n 8, n 4 3^", "E(3) x S(n) x S(m)",
        "(r * r).sum(-1", "(r + r).sum(-1",
    ),
    Case(
        TORCH, "SchNet", "z[10]: n, pos: n 3, E[n]: 2 m -> 1", "E(3) x S(n) x S(m)",
        "(pos[i] - pos[j]).norm", "(pos[i] * pos[j]).norm", needs=GEOMETRIC,
    ),
    Case(
        TORCH, "OnData",
        "data.x: n 4, data.pos: n 3, data.edge_index[n]: 2 m, data.batch[b]: n, data.num_graphs: sizes b"
        " -> b 1",
        "E(3) x S(n) x S(m) x S(b)",
        "(data.pos[i] - data.pos[j]).norm", "(data.pos[i] * data.pos[j]).norm",
        sizes={"n": 2, "m": 1, "b": 1}, needs=GEOMETRIC, given=_on_data,
    ),
    Case(
        JAX, "GraphNetwork",
        "graph.nodes.h: n 16, graph.nodes.x: n 3, graph.edges: m 2, graph.senders[n]: m,"
        " graph.receivers[n]: m -> nodes.h: n 16, nodes.x: n 3",
        "E(3) x S(n) x S(m)", 'received["x"] - sent["x"]', 'received["x"] * sent["x"]',
        needs=("jax", "jraph"), given=_on_graphs,
    ),
    Case(
        E3NN, "Product", f"h: n <{HIDDEN}>, y: n <0e+1o+2e> -> n <{HIDDEN}>", "O(3) x S(n)",
        "h + self.product(h, y)", "h * self.product(h, y)", needs=IRREPS,
    ),
    Case(
        E3NN, "Harmonics", f"x: n 3 -> n <{HARMONICS}>", "O(3) x S(n)",
        "torch.exp(-(x**2)", "torch.exp(-(x**3)", needs=IRREPS,
    ),
    Case(
        E3NN, "Gated", f"h: n <{HIDDEN}> -> n <{HIDDEN}>", "O(3) x S(n)",
        "h + self.gate(self.before(h))", "h * self.gate(self.before(h))", needs=IRREPS,
    ),
    Case(
        E3NN, "Normed", f"h: n <{HIDDEN}> -> n <{HIDDEN}>", "O(3) x S(n)",
        "h - self.activate(h)", "h / self.activate(h)", needs=IRREPS,
    ),
    Case(
        E3NN, "Interaction", f"h: n <{EDGES}>, pos: n 3, E[n]: 2 m -> n <{EDGES}>", "E(3) x S(n) x S(m)",
        "r = pos[i] - pos[j]", "r = pos[i] * pos[j]", needs=IRREPS,
    ),
    Case(
        E3NN, "MACE", f"h: n <{CHANNELS}>, pos: n 3, E[n]: 2 m -> n <4x0e+4x1o>", "E(3) x S(n) x S(m)",
        "r = pos[i] - pos[j]", "r = pos[i] * pos[j]", needs=IRREPS,
    ),
]  # fmt: skip
