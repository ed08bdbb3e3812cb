"""At which sizes a target of a framework is compared with its Program: fewer where that takes long."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import eqvproof as ep
from eqvproof.claims.signature import parse_signature
from eqvproof.programs import Builder, Size
from eqvproof.tracing.framework import comparisons
from eqvproof.tracing.samples import affordable

torch = pytest.importorskip("torch", reason="PyTorch is not installed")

WIDE = 18_256


def nodes(width: int) -> Any:
    """A product of matrices of that width, for each entry of an axis b."""
    b = Builder()
    x = b.input("x", [Size.of("b"), Size.of(width)])
    b.einsum([x, x], [[0, 1], [0, 2]], [0, 1, 2])
    return b.nodes


def chosen(width: int) -> list[tuple[int, str]]:
    found = comparisons(parse_signature("x: b -> b"), {}, (), {}, raises=False, jumps=True)
    return [(sizes["b"], style) for sizes, style in affordable(nodes(width), found, 1)]


def test_cheap_targets_are_compared_at_all_samples() -> None:
    found = comparisons(parse_signature("x: b -> b"), {}, (), {}, raises=False, jumps=True)
    assert chosen(3) == [(sizes["b"], style) for sizes, style in found]


def test_without_jumps_each_size_and_each_style_is_met() -> None:
    signature = parse_signature("x: b n -> b")
    most, fewer = (comparisons(signature, {}, (), {}, raises=True, jumps=jumps) for jumps in (True, False))
    assert fewer == most[: len(fewer)] and len(fewer) < len(most)
    assert {style for _, style in fewer} == {style for _, style in most}
    assert all((sizes, "normal") in fewer for sizes, _ in most)


def test_the_first_sizes_are_compared_whatever_they_take() -> None:
    assert chosen(10 * WIDE) == [(1, "normal"), (2, "normal"), (3, "normal")]


def test_what_fits_comes_after_them() -> None:
    """48 entries of the axis may be computed in all: not 67 at once, but those of several small samples."""
    assert chosen(WIDE) == chosen(10 * WIDE)
    sizes = [size for size, _ in chosen(WIDE // 4)]
    assert 67 not in sizes
    assert 40 < sum(sizes) <= 48
    assert {style for _, style in chosen(WIDE // 4)} == {style for _, style in chosen(3)}


def test_weights_count_as_often_as_they_are_fetched() -> None:
    """Of many weights and few products, each comparison takes the time of reading them."""
    b = Builder()
    x = b.input("x", [Size.of("b"), Size.of(1)])
    b.einsum([x, b.const(np.arange(2e7).reshape(1, -1))], [[0, 1], [1, 2]], [0, 2])
    found = comparisons(parse_signature("x: b -> b"), {}, (), {}, raises=False, jumps=True)
    assert list(affordable(b.nodes, found, 1)) == found[:3]


class Patches(torch.nn.Module):
    """Patches, a class token and positions, more numbers than a certificate writes out."""

    def __init__(self, width: int = 64) -> None:
        super().__init__()
        torch.manual_seed(0)
        self.patch = torch.nn.Conv2d(3, width, 8, 8)
        self.token = torch.nn.Parameter(torch.randn(1, 1, width))
        self.positions = torch.nn.Parameter(torch.randn(1, 5, width))
        self.layer = torch.nn.TransformerEncoderLayer(width, 4, 2 * width, batch_first=True)

    def forward(self, x: Any) -> Any:
        tokens = self.patch(x).flatten(2).transpose(1, 2)
        tokens = torch.cat([self.token.expand(x.shape[0], -1, -1), tokens], 1)
        return self.layer(tokens + self.positions)[:, 0]


def test_a_vision_transformer_has_a_short_certificate() -> None:
    """Weights with axes of one entry are named by their digest: the certificate stays short."""
    verdict = ep.check(Patches().eval(), "x: b 3 16 16 -> b 64", under="S(b)")
    assert verdict.grade == "PROVED", verdict
    assert ep.verify(verdict.certificate).accepted
    leaves = verdict.certificate["forms"]["leaves"]
    assert leaves and max(len(str(leaf)) for leaf in leaves) < 120, leaves


def test_near_miss_of_a_vision_transformer() -> None:
    """The same network, beside one entry of the batch."""
    module = Patches(8).eval()
    verdict = ep.check(lambda x: module(x) + module(x)[0], "x: b 3 16 16 -> b 8", under="S(b)")
    assert verdict.fails, verdict
