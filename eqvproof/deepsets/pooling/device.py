"""Computes `sum_k phi(x_k)` on a GPU by one kernel; its blocks are merged exactly on the host.

Arrays on the device are summed there. Host arrays are streamed to it in chunks that fit
(``device="cuda"``). A feature whose rounded sum the kernel cannot determine (a NaN, an infinity, a
sum too close to a tie) is summed exactly on the host.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator
from typing import Any

import numpy as np

from eqvproof.deepsets.arguments import library_name
from eqvproof.deepsets.phi.formula import Formula
from eqvproof.deepsets.pooling.cuda import LOSS, THREADS, Kernel, write_kernels
from eqvproof.deepsets.pooling.host import add_sums, exact_partial_sums
from eqvproof.deepsets.progress import Progress
from eqvproof.deepsets.sums.exact import ExactSum
from eqvproof.deepsets.sums.rounding import units
from eqvproof.support.errors import BackendError
from eqvproof.support.optional import required

#: largest share of the free memory that a chunk of host rows takes
_SHARE = 0.4


def cupy_module() -> Any:
    """Imports CuPy, if it has a device.

    Raises:
        BackendError: CuPy is not installed, or sees no GPU.
    """
    cupy = required("cupy", extra="cuda12", purpose="a GPU")  # or cuda13
    try:
        if not cupy.cuda.runtime.getDeviceCount():
            raise LookupError("no device")
    except (LookupError, cupy.cuda.runtime.CUDARuntimeError) as error:
        raise BackendError(
            "CuPy sees no GPU", given=str(error), hint="pass NumPy arrays", expected="a GPU"
        ) from error
    return cupy


def device_sums(formula: Formula, rows: Any, working: str, rule: str) -> list[Any]:
    """Sums every feature by a rule, over rows on the device, or host rows that are streamed to it."""
    cupy = cupy_module()
    if rule == "exact":
        return _sum_exactly(formula, rows, working)
    plain = rule == "plain"
    parts = (
        device_partial_sums(cupy, formula, chunk, working, plain=plain)
        for chunk in _device_chunks(cupy, rows, working)
    )
    zeros: list[Any] = [0.0] * formula.features
    if not plain:
        zeros = [ExactSum() for _ in formula.outputs]
    return functools.reduce(add_sums, parts, zeros)


def device_partial_sums(
    cupy: Any, formula: Formula, rows: Any, working: str, *, plain: bool
) -> list[Any]:
    """Sums every feature by the kernel, or all of them exactly if a value is not finite."""
    blocks, per_thread = _run_kernels(cupy, formula, rows, plain=plain)
    if plain:
        return list(blocks[:, :, 0].sum(axis=0))
    if not np.isfinite(blocks).all():
        return _sum_exactly(formula, rows, working)
    return sums_of_blocks(blocks, rows.shape[0], per_thread)


def sums_of_blocks(blocks: np.ndarray, rows: int, per_thread: int) -> list[ExactSum]:
    """Merges the results of a kernel's blocks (blocks, features, 3) to sums with error bounds."""
    partials = []
    for sums in np.moveaxis(blocks, 1, 0):
        partial = ExactSum()
        top = sum(units(float(v)) for v in sums[:, 2])
        lost = (top * (per_thread + 48) ** 3 >> -LOSS) + len(blocks)
        partial.add_units(sum(units(float(v)) for v in sums[:, :2].ravel() if v), rows, lost)
        partials.append(partial)
    return partials


def _run_kernels(cupy: Any, formula: Formula, rows: Any, *, plain: bool) -> tuple[np.ndarray, int]:
    """Runs the kernels; returns their results, and the largest number of rows of a thread.

    The results (blocks, features, 3) are sums, error terms and largest absolute values.
    """
    count, item = rows.shape[0], rows.dtype.itemsize
    grid = max(
        1, min(-(-count // THREADS), 4 * cupy.cuda.Device().attributes["MultiProcessorCount"])
    )
    found = []
    for kernel in write_kernels(formula, single=item == 4, plain=plain):
        out = cupy.zeros((grid, kernel.features, 3))
        arguments = (
            rows,
            np.int64(count),
            np.int64(rows.strides[0] // item),
            np.int64(rows.strides[1] // item),
            out,
        )
        _load_kernel(kernel)((grid,), (THREADS,), arguments)
        found.append(out.get())
    return np.concatenate(found, axis=1), -(-count // (grid * THREADS))


@functools.lru_cache(maxsize=256)
def _load_kernel(kernel: Kernel) -> Any:
    """Loads the kernel on the device; CuPy caches compiled code on disk."""
    import cupy

    return cupy.RawKernel(kernel.source, kernel.name, options=("--fmad=false",))


def _device_chunks(cupy: Any, rows: Any, working: str) -> Iterator[Any]:
    """Yields rows on the device in the dtype of phi; host rows are copied in parts that fit."""
    if library_name(rows) == "cupy":
        if rows.shape[0]:
            if rows.dtype != working:
                rows = rows.astype(working)
            yield rows
        return
    free, _ = cupy.cuda.runtime.memGetInfo()
    size = max(1, int(free * _SHARE) // max(1, rows.shape[1] * np.dtype(working).itemsize))
    with Progress("rows to the GPU", len(rows)) as bar:
        for start in range(0, len(rows), size):
            yield cupy.asarray(np.ascontiguousarray(rows[start : start + size], dtype=working))
            bar.advance(len(rows[start : start + size]))


def _sum_exactly(formula: Formula, rows: Any, working: str) -> list[ExactSum]:
    """Sums every feature exactly on the host."""
    total = [ExactSum() for _ in formula.outputs]
    for start in range(0, rows.shape[0], 1 << 20):
        part = rows[start : start + (1 << 20)]
        if not isinstance(part, np.ndarray):
            part = part.get()
        total = add_sums(total, exact_partial_sums(formula, part, working))
    return total
