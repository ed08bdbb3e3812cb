"""Right layers are proved for all sizes; near misses fail, and the verdict names the changed line."""

from __future__ import annotations

import importlib.util
from collections.abc import Sequence
from functools import cache
from importlib import import_module
from typing import Any

import pytest

import eqvproof as ep
from eqvproof.engines.verdict import Verdict
from tests.gallery.layer import Gallery, Layer, Slip, changed_line, misstep

FAMILIES = (
    "attention", "sets", "graphs", "edges", "pairs", "geometric", "features", "circular", "normalisation",
    "spectral",
)  # fmt: skip
#: Families that need PyTorch.
TORCH = ("modules",)
MISSING = () if importlib.util.find_spec("torch") else TORCH
GALLERIES: dict[str, Gallery] = {
    name: import_module(f"tests.gallery.{name}").GALLERY
    for name in (*FAMILIES, *TORCH)
    if name not in MISSING
}
#: While modules are exported, torch warns.
EXPORTED = tuple(
    pytest.mark.filterwarnings(f"ignore::{name}Warning") for name in ("Deprecation", "Future", "User")
)
LAYERS = [(family, layer) for family, gallery in GALLERIES.items() for layer in gallery.layers.values()]
SLIPS = [(family, layer, slip) for family, layer in LAYERS for slip in layer.slips]
#: At least so many of the right layers are proved for all sizes.
SHARE_PROVED = 0.9
#: Layers of which no proof is found, and what is found instead: the whole list.
UNPROVED = {
    "sign-invariant features of eigenvectors": "DECIDED",
    "average over sign flips": "DECIDED",
    "symmetric filter": "DECIDED",
    "squared differences of neighbours": "DECIDED",
}
#: Seconds: most counterexamples are found at once and then made small; where there is none yet, more.
SHORT, LONG, EXPORT = 0.6, 30.0, 120.0


def layer_id(case: tuple[object, ...]) -> str:
    return " | ".join(str(getattr(c, "name", getattr(c, "what", c))) for c in case)


@cache
def verdict_of(family: str, name: str) -> Verdict:
    layer = GALLERIES[family].layers[name]
    budget = EXPORT if family in TORCH else LONG
    return ep.check(layer.function, layer.signature, layer.under, budget=budget, **layer.options)


def cases(entries: Sequence[Any]) -> list[Any]:
    return [pytest.param(e, id=layer_id(e), marks=EXPORTED if e[0] in TORCH else ()) for e in entries]


@pytest.mark.parametrize("case", cases(LAYERS))
def test_right_layers_hold(case: tuple[str, Layer]) -> None:
    family, layer = case
    verdict = verdict_of(family, layer.name)
    assert verdict.holds, str(verdict)
    assert verdict.grade == UNPROVED.get(layer.name, "PROVED"), str(verdict)
    if verdict.grade == "PROVED":
        assert verdict.certificate is not None
        assert ep.verify(verdict.certificate).accepted
    else:
        assert verdict.grade in ("DECIDED", "BOUNDED")


@pytest.mark.skipif(not MISSING, reason="PyTorch is installed")
def test_modules_are_missing() -> None:
    pytest.skip(f"PyTorch is not installed: without {', '.join(MISSING)}")


def test_most_layers_are_proved() -> None:
    names = [layer.name for _, layer in LAYERS]
    assert len(set(names)) == len(names)
    assert set(UNPROVED) <= set(names)
    assert 1 - len(UNPROVED) / len(names) >= SHARE_PROVED


@pytest.mark.sampled(8)
@pytest.mark.parametrize("case", cases(SLIPS))
def test_near_misses_fail(case: tuple[str, Layer, Slip]) -> None:
    family, layer, slip = case
    function, line = misstep(GALLERIES[family], layer, slip)
    under = slip.under or layer.under
    short = EXPORT if family in TORCH else SHORT
    verdict = ep.check(function, layer.signature, under, budget=short, **layer.options)
    place = f":{line}: " if slip.culprit else ""
    if verdict.certificate is None or place not in verdict.reason:  # on a busy machine there was no time
        verdict = ep.check(function, layer.signature, under, budget=LONG, **layer.options)
    assert verdict.fails, str(verdict)
    assert verdict.certificate is not None, str(verdict)
    assert ep.verify(verdict.certificate).accepted
    if slip.culprit:
        assert place in verdict.reason, verdict.reason
        assert slip.new in verdict.reason


def test_the_gallery_is_large() -> None:
    assert len(LAYERS) >= 120
    assert all(layer.slips for _, layer in LAYERS)
    assert sum(slip.culprit for _, _, slip in SLIPS) >= 150


def test_a_slip_that_changes_nothing_or_too_much_is_an_error() -> None:
    lines = GALLERIES["attention"].path.read_text(encoding="utf-8").splitlines(keepends=True)
    for old in ("stands nowhere", "return"):
        with pytest.raises(ValueError, match="should stand once"):
            changed_line(lines, "multi-head attention", Slip("", old, ""))
