"""The entries of an array as bytes, and back."""

from __future__ import annotations

import sys
from typing import Any
from zlib import crc32

import numpy as np

#: Largest number of entries of an array of which a copy is kept.
MOST_ENTRIES = 100000


def bytes_of(array: Any) -> list[object]:
    """Returns the entries of an array or tensor as bytes; of a large one, what shows a change."""
    torch = sys.modules.get("torch")
    if isinstance(array, np.ndarray):
        if array.dtype == object:
            return list(array.flat)
        data = np.ndarray.tobytes(array)  # a subclass, such as one with units, may refuse
        if array.size > MOST_ENTRIES:
            return [crc32(data)]
        return [data]
    if torch is None or torch.nn.parameter.is_lazy(array):
        return []
    from torch.utils._python_dispatch import _disable_current_modes

    # neither a trace around this nor a class of tensors of its own answers
    with _disable_current_modes(), torch._C.DisableTorchFunction():
        # the sizes of a traced tensor are not asked for
        is_plain = type(array) in (torch.Tensor, torch.nn.Parameter) and array.device.type == "cpu"
        if not is_plain or array.layout != torch.strided or array.numel() > MOST_ENTRIES:
            if array.is_inference():
                return []
            return [array._version]
        flat = array.detach().contiguous().reshape(-1)
        if not flat.numel():
            return []
        return [flat.view(torch.uint8).numpy().tobytes()]


def put_bytes(array: Any, data: bytes) -> None:
    """Writes entries that `bytes_of` has read as bytes."""
    if isinstance(array, np.ndarray):
        np.asarray(array)[...] = np.frombuffer(data, array.dtype).reshape(array.shape)
    else:
        torch = sys.modules["torch"]
        with torch.no_grad():
            array.copy_(torch.frombuffer(bytearray(data), dtype=array.dtype).reshape(array.shape))
