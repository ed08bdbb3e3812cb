"""Encoding a sketch on a GPU: one thread a key, atomic additions to its cells.

The arithmetic of `hashing`, in the same constants; integers modulo 2^64 add up to the same words in any
order. Cells stay on the device, where sketches of other devices can be added.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from eqvproof.deepsets.sketches.hashing import M1, M2, M3, M4
from eqvproof.deepsets.sketches.layout import Layout
from eqvproof.errors import BackendError, DomainError

THREADS = 256

_SOURCE = """
typedef unsigned long long word;

__device__ __forceinline__ word mix(word x) {
    x = (x ^ (x >> 32)) * M1;
    x = (x ^ (x >> 32)) * M1;
    return x ^ (x >> 32);
}

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
        const word first = mix(x ^ seed);
        const word second = mix((x + other) * M2);
        const word base = (((first >> 32) * starts) >> 32) * length;
        const word a = base + (((first & LOW) * length) >> 32);
        const word b = base + length + (((second >> 32) * length) >> 32);
        const word c = base + 2 * length + (((second & LOW) * length) >> 32);
        word check = first * M3 + second;
        check = (check ^ (check >> 32)) * M4;
        check = check ^ (check >> 29);
        word own = second * M4 + first;
        own = (own ^ (own >> 31)) * M3;
        digest += own ^ (own >> 32);
        add(cells + 4 * a, x & LOW, x >> 32, check);
        add(cells + 4 * b, x & LOW, x >> 32, check);
        add(cells + 4 * c, x & LOW, x >> 32, check);
    }
    atomicAdd(cells + 4 * (starts + 2) * length + 1, digest);
}
"""


def source(itemsize: int) -> str:
    """The kernel for keys of a number of bytes."""
    kinds = {1: "unsigned char", 2: "unsigned short", 4: "unsigned int", 8: "unsigned long long"}
    constants = {"M1": M1, "M2": M2, "M3": M3, "M4": M4, "LOW": 0xFFFFFFFF}
    lines = [f"#define {name} {value}ULL" for name, value in constants.items()]
    return "\n".join([*lines, f"#define TYPE {kinds[itemsize]}", _SOURCE])


@cache
def _kernel(itemsize: int) -> Any:
    import cupy

    return cupy.RawKernel(source(itemsize), "encode")


def encode(numbers: Any, dtype: np.dtype[Any], layout: Layout, into: Any = None) -> Any:
    """The sketch of a CuPy array, or its sum with another, on the array's device.

    Raises:
        DomainError: for numbers of another type.
        BackendError: for an `into` that lies elsewhere.
    """
    import cupy

    if numbers.dtype != dtype:
        raise DomainError(
            "the numbers are of another type than the sketch's",
            given=str(numbers.dtype),
            expected=str(dtype),
            code="domain.dtype",
        )
    with numbers.device:
        if into is None:
            into = cupy.zeros((layout.cells + 1, 4), cupy.uint64)
        elif not hasattr(into, "device") or into.device != numbers.device:
            raise BackendError(
                "the sketch to add to lies on another device than the numbers",
                given=f"{getattr(into, 'device', 'the host')}",
                expected=f"{numbers.device}",
                hint="encode without it, and add the two where you want the sum",
            )
        keys = cupy.ascontiguousarray(numbers).reshape(-1).view(f"u{dtype.itemsize}")
        if keys.size:
            blocks = min((keys.size + THREADS - 1) // THREADS, 1 << 16)
            words = (keys.size, layout.length, layout.starts, *layout.seeds)
            count, length, starts, seed, other = (np.uint64(w) for w in words)
            _kernel(dtype.itemsize)((blocks,), (THREADS,), (keys, count, into, length, starts, seed, other))
            into[-1, 0] += np.uint64(keys.size)
    return into
