"""Layers of e3nn on scalars and vectors, with the weights and the rounded constants that they have."""

from __future__ import annotations

from typing import Any

import pytest

import eqvproof as ep
from eqvproof.api import verify

torch = pytest.importorskip("torch", reason="PyTorch is not installed")
pytest.importorskip("e3nn", reason="e3nn is not installed")
pytestmark = [
    pytest.mark.filterwarnings("ignore::DeprecationWarning"),
    pytest.mark.filterwarnings("ignore::FutureWarning"),
    pytest.mark.filterwarnings("ignore::UserWarning"),
]
SIZES = {"d": 3}


def layer(name: str) -> Any:
    """A layer on vectors 1o and scalars 0e."""
    from e3nn import nn, o3

    torch.manual_seed(5)
    made = {
        "linear": lambda: o3.Linear("2x0e+1x1o", "1x0e+2x1o"),
        "gate": lambda: nn.Gate("2x0e", [torch.nn.functional.silu], "1x0e", [torch.sigmoid], "1x1o"),
        "norm activation": lambda: nn.NormActivation("2x1o", torch.sigmoid),
        "spherical harmonics": lambda: o3.SphericalHarmonics("0e+1o", normalize=True),
        "tensor product": lambda: o3.FullyConnectedTensorProduct("1x0e+1x1o", "1x1o", "1x0e+1x1o"),
        "batch norm": lambda: nn.BatchNorm("2x0e+2x1o"),
        "biases": lambda: o3.Linear("2x0e+3x1o+1x0e", "3x0e+2x1o", biases=True),
        "cross product": lambda: o3.FullyConnectedTensorProduct("1x1o", "1x1o", "1x0e+1x1e"),
    }[name]()
    return made.eval()


TYPES = {
    "linear": "X: n 2+d -> n 1+2d",
    "gate": "X: n 3+d -> n 2+d",
    "norm activation": "X: n 2d -> n 2d",
    "spherical harmonics": "X: n d -> n 1+d",
    "tensor product": "X: n 1+d, Y: n d -> n 1+d",
    "batch norm": "X: n 2+2d -> n 2+2d",
    "biases": "X: n 2+3d+1 -> n 3+2d",
    "cross product": "X: n d, Y: n d -> n 1+d",
}


@pytest.mark.parametrize("name", [n for n in TYPES if n != "cross product"])
def test_layers_are_equivariant_under_rotations_and_reflections(name: str) -> None:
    verdict = ep.check(layer(name), TYPES[name], under="O(d)", sizes=SIZES, budget=60)
    assert verdict.grade == "PROVED", str(verdict)
    assert verify(verdict.certificate).accepted


def test_a_pseudovector_rotates_and_does_not_reflect() -> None:
    module = layer("cross product")
    rotated = ep.check(module, TYPES["cross product"], under="SO(d)", sizes=SIZES, budget=60)
    assert rotated.holds and rotated.grade == "PROVED" and verify(rotated.certificate).accepted
    verdict = ep.check(module, TYPES["cross product"], under="O(d)", sizes=SIZES, budget=60)
    assert verdict.fails and verify(verdict.certificate).accepted


#: Scalars taken for vectors, or vectors for more than they are.
LARGER = [
    ("linear", "X: n 2+d -> n d+1+d", "O(d)"),  # the scalar in the wrong place
    ("gate", "X: n d+d -> n 2+d", "O(d)"),  # three scalars as a vector
    ("norm activation", "X: n k -> n k", "S(k)"),  # entries of two vectors exchanged
]


@pytest.mark.parametrize(("name", "signature", "under"), LARGER)
def test_a_larger_group_is_refuted(name: str, signature: str, under: str) -> None:
    sizes = SIZES if "d" in signature else {"k": 6}
    verdict = ep.check(layer(name), signature, under=under, sizes=sizes, budget=60)
    assert verdict.fails and verdict.grade in ("EXACT", "ENCLOSED"), str(verdict)
    assert verify(verdict.certificate).accepted
