"""Encodes a sketch on a GPU: one thread for each key, which adds atomically to its cells.

The hash functions are those of `hashing`; sums of integers modulo 2^64 have the same words in any
order. The cells stay on the device.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from eqvproof.deepsets.emit.cuda import Name, Source
from eqvproof.deepsets.sketches import hashing
from eqvproof.deepsets.sketches.keys import other_dtype_error
from eqvproof.deepsets.sketches.layout import Layout
from eqvproof.support.errors import BackendError

THREADS = 256

_SOURCE = """
typedef unsigned long long word;

__device__ __forceinline__ void add(word* row, word low, word high, word check) {
    atomicAdd(row, 1ULL);
    atomicAdd(row + 1, low);
    atomicAdd(row + 2, high);
    atomicAdd(row + 3, check);
}

extern "C" __global__ void encode(
    const TYPE* keys, word count, word* cells, word length, word starts, word seed, word other
) {
    word digest = 0;
    const word step = (word)gridDim.x * blockDim.x;
    for (word i = (word)blockIdx.x * blockDim.x + threadIdx.x; i < count; i += step) {
        const word x = keys[i];
BODY
    }
    atomicAdd(cells + 4 * (starts + 2) * length + 1, digest);
}
"""


def source(itemsize: int) -> str:
    """Writes the kernel for keys of ``itemsize`` bytes."""
    kinds = {1: "unsigned char", 2: "unsigned short", 4: "unsigned int", 8: "unsigned long long"}
    code = Source()
    x, length, starts, seed, other = (
        Name(code, "word", n) for n in ("x", "length", "starts", "seed", "other")
    )
    first, second = hashing.hashes(x, seed, other)
    low, high, check = x & hashing.LOW, x >> hashing.HALF, hashing.checksum(first, second)
    code.lines.append(f"        digest += {hashing.digest(first, second)};")
    for place in hashing.cells_of_key(first, second, length, starts):
        code.lines.append(f"        add(cells + 4 * {place}, {low}, {high}, {check});")
    return f"#define TYPE {kinds[itemsize]}" + _SOURCE.replace("BODY", "\n".join(code.lines))


@cache
def _kernel(itemsize: int) -> Any:
    import cupy

    return cupy.RawKernel(source(itemsize), "encode")


def encode(numbers: Any, dtype: np.dtype[Any], layout: Layout, into: Any = None) -> Any:
    """Encodes a CuPy array, or adds it to another sketch, on the array's device.

    Raises:
        DomainError: the numbers have another type.
        BackendError: ``into`` is on another device.
    """
    import cupy

    if numbers.dtype != dtype:
        raise other_dtype_error(numbers.dtype, dtype, "convert them with astype")
    with numbers.device:
        if into is None:
            into = cupy.zeros((layout.cells + 1, 4), cupy.uint64)
        elif not hasattr(into, "device") or into.device != numbers.device:
            raise BackendError(
                "the sketch given as into= is on another device than the numbers",
                given=f"{getattr(into, 'device', 'the host')}",
                expected=f"{numbers.device}",
                hint="encode without it, and add the two where you want the sum",
            )
        keys = cupy.ascontiguousarray(numbers).reshape(-1).view(f"u{dtype.itemsize}")
        if keys.size:
            blocks = min((keys.size + THREADS - 1) // THREADS, 1 << 16)
            arguments = (keys, np.uint64(keys.size), into, *layout.words)
            _kernel(dtype.itemsize)((blocks,), (THREADS,), arguments)
            into[-1, 0] += np.uint64(keys.size)
    return into
