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
        data = array.tobytes()
        return [data if array.size <= MOST_ENTRIES else crc32(data)]
    if torch is None or torch.nn.parameter.is_lazy(array) or array.device.type != "cpu":
        return []
    if array.numel() > MOST_ENTRIES:
        return [array._version]
    if type(array) not in (torch.Tensor, torch.nn.Parameter) or array.layout != torch.strided:
        return []
    flat = array.detach().contiguous().reshape(-1)
    return [flat.view(torch.uint8).numpy().tobytes() if flat.numel() else b""]


def put_bytes(array: Any, data: bytes) -> None:
    """Writes entries that `bytes_of` has read."""
    if isinstance(array, np.ndarray):
        array[...] = np.frombuffer(data, array.dtype).reshape(array.shape)
    elif data:
        torch = sys.modules["torch"]
        with torch.no_grad():
            array.copy_(torch.frombuffer(bytearray(data), dtype=array.dtype).reshape(array.shape))
