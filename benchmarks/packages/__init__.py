"""Claims about layers, models, losses and statistics of published packages, as a user would write them."""

import importlib.util

import torch


def _declare_compiled_operations() -> list[torch.library.Library]:
    """torchvision's wheel for GPUs beside a torch without: its compiled operations, declared without code."""
    found = importlib.util.find_spec("torchvision")
    try:
        torch.ops.load_library(str(next(iter(found.submodule_search_locations))) + "/_C.so")  # type: ignore
    except OSError:
        made = torch.library.Library("torchvision", "DEF")
        for name in ("nms", "qnms"):
            made.define(f"{name}(Tensor dets, Tensor scores, float iou_threshold) -> Tensor")
        return [made]
    return []


_KEPT = _declare_compiled_operations()
