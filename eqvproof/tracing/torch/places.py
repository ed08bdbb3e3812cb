"""The places in the user's code that lead to an operation of torch, or else the submodule."""

from __future__ import annotations

from types import FrameType

import torch

from eqvproof.tracing.observing.frames import DEEPEST, is_wrapper, owner_of_frame

_CALL = torch.nn.Module._call_impl.__code__


def places_from(start: FrameType | None, outermost: object) -> tuple[tuple[str, int], ...]:
    """Returns (file, line) for the user's frames, innermost first.

    Where there are none, as in `torch.nn.Sequential`, the submodule takes their place, with the
    line 0: by its path in the outermost module, and its class.

    Args:
        start: the frame of the operation.
        outermost: the frame at which the search ends.
    """
    found: list[tuple[str, int]] = []
    modules: list[torch.nn.Module] = []
    frame = start
    while frame is not None and frame is not outermost and len(found) < DEEPEST:
        if is_wrapper(frame):
            break
        place = frame.f_code.co_filename, frame.f_lineno
        if owner_of_frame(frame) == "user" and place not in found:
            found.append(place)
        if not found and frame.f_code is _CALL:
            modules.append(frame.f_locals["self"])
        frame = frame.f_back
    if not found and len(modules) > 1:
        inner, outer = modules[0], modules[-1]
        path = next((path for path, m in outer.named_modules() if m is inner), "")
        found.append((f"submodule {path} ({type(inner).__name__})", 0))
    return tuple(found)
