"""Claims about layers, models, losses and statistics of published packages, as a user would write them."""

import importlib.util

import torch


def _declare_compiled_operations() -> list[torch.library.Library]:
    """torchvision's wheel for GPUs beside a torch without: its compiled operations, declared without code."""
    found = importlib.util.find_spec("torchvision")
    if found is None or not found.submodule_search_locations:
        return []
    try:
        torch.ops.load_library(found.submodule_search_locations[0] + "/_C.so")
    except OSError:
        made = torch.library.Library("torchvision", "DEF")
        for name in ("nms", "qnms"):
            made.define(f"{name}(Tensor dets, Tensor scores, float iou_threshold) -> Tensor")
        return [made]
    return []


_KEPT = _declare_compiled_operations()
