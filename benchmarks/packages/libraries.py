"""Packages that may be missing, under the names that the claims use: a family imports here what it names.

A package that is not installed is an `Absent`, which raises ImportError when it is called; its claims are skipped.
"""

from __future__ import annotations

import importlib
from typing import Any

_WHERE = {
    "EGNN": "egnn_pytorch:EGNN",
    "eqx": "equinox",
    "linen": "flax.linen",
    "jraph": "jraph",
    "optax": "optax",
    "ot": "ot",
    "covariance": "sklearn.covariance",
    "decomposition": "sklearn.decomposition",
    "gaussian_process": "sklearn.gaussian_process",
    "kernel_ridge": "sklearn.kernel_ridge",
    "linear_model": "sklearn.linear_model",
    "metrics": "sklearn.metrics",
    "pairwise": "sklearn.metrics.pairwise",
    "neighbors": "sklearn.neighbors",
    "preprocessing": "sklearn.preprocessing",
    "timm": "timm",
    "L": "timm.layers",
    "LabelSmoothingCrossEntropy": "timm.loss:LabelSmoothingCrossEntropy",
    "mlp_mixer": "timm.models.mlp_mixer",
    "vision_transformer": "timm.models.vision_transformer",
    "G": "torch_geometric.nn",
    "U": "torch_geometric.utils",
    "M": "torchmetrics.functional",
    "torchvision": "torchvision",
    "tv": "torchvision.models.vision_transformer",
    "O": "torchvision.ops",
    "T": "transformers",
    "X": "x_transformers",
}


class Absent:
    """Stands for a package that is not installed, or for what is in it."""

    def __init__(self, path: str) -> None:
        self._path = path

    def __getattr__(self, name: str) -> Absent:
        if name.startswith("__"):
            raise AttributeError(name)
        return Absent(f"{self._path}.{name}")

    def __call__(self, *arguments: Any, **options: Any) -> Any:
        raise ImportError(f"{self._path} is not installed")


def __getattr__(name: str) -> Any:
    if name not in _WHERE:
        raise AttributeError(name)
    module, _, attribute = _WHERE[name].partition(":")
    try:
        found = importlib.import_module(module)
    except ImportError:
        return Absent(_WHERE[name])
    return getattr(found, attribute) if attribute else found
