"""Pair forms as others write them: NumPy, torch, torch.compile, JAX, numexpr, KeOps."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

#: the forms that peers are compared on
ATTENTION, GAUSSIAN, RATIONAL = "attention (softmax)", "Gaussian kernel", "rational kernel"
Run = Callable[[], Any]
_ROWS = 256


def numpy_blocks(name: str, Y: np.ndarray, V: np.ndarray, threads: int) -> Run:
    """By blocks of rows whose memory is kept."""
    half, squares, result = Y.shape[1] // 2, (Y**2).sum(axis=1), np.empty_like(V)
    room = np.empty((_ROWS, len(Y)), Y.dtype)

    def run() -> np.ndarray:
        for start in range(0, len(Y), _ROWS):
            part = slice(start, min(start + _ROWS, len(Y)))
            w = room[: part.stop - start]
            if name == ATTENTION:
                np.matmul(Y[part, :half], Y[:, half:].T, out=w)
                w -= w.max(axis=1, keepdims=True)
                np.exp(w, out=w)
                np.divide(w @ V, w.sum(axis=1, keepdims=True), out=result[part])
                continue
            np.matmul(Y[part] * -2, Y.T, out=w)
            w += squares
            w += squares[part, None]
            if name == GAUSSIAN:
                w *= -0.5
                np.exp(w, out=w)
            else:
                w += 1
                np.reciprocal(w, out=w)
            np.matmul(w, V, out=result[part])
        return result

    return run


def numpy_dense(name: str, Y: np.ndarray, V: np.ndarray, threads: int) -> Run | None:
    """The n x n matrix at once, where it takes at most 1 GB."""
    if len(Y) ** 2 * Y.itemsize > 2**30:
        return None
    half, squares = Y.shape[1] // 2, (Y**2).sum(axis=1)

    def run() -> np.ndarray:
        if name == ATTENTION:
            scores = Y[:, :half] @ Y[:, half:].T
            w = np.exp(scores - scores.max(axis=1, keepdims=True))
            return (w / w.sum(axis=1, keepdims=True)) @ V
        far = squares[:, None] + squares - 2 * (Y @ Y.T)
        return (np.exp(-0.5 * far) if name == GAUSSIAN else 1 / (1 + far)) @ V

    return run


def numexpr_blocks(name: str, Y: np.ndarray, V: np.ndarray, threads: int) -> Run:
    """NumPy's blocks with the functions fused by numexpr."""
    import numexpr

    numexpr.set_num_threads(threads)
    half, squares = Y.shape[1] // 2, (Y**2).sum(axis=1)
    formula = {GAUSSIAN: "exp(p - a / h - b / h)", RATIONAL: "1 / (o + a + b - h * p)"}.get(name)
    one, two = Y.dtype.type(1), Y.dtype.type(2)

    def run() -> np.ndarray:
        result = np.empty_like(V)
        for start in range(0, len(Y), 256):
            part = slice(start, start + 256)
            if formula is None:
                s = Y[part, :half] @ Y[:, half:].T
                w = numexpr.evaluate("exp(s - m)", {"s": s, "m": s.max(axis=1, keepdims=True)})
                result[part] = (w @ V) / w.sum(axis=1, keepdims=True)
                continue
            given = {"p": Y[part] @ Y.T, "a": squares[part, None], "b": squares[None], "o": one, "h": two}
            result[part] = numexpr.evaluate(formula, given) @ V
        return result

    return run


def _torch_block(torch: Any, name: str, Y: Any, V: Any) -> Callable[[Any, Any], Any]:
    half, squares = Y.shape[1] // 2, (Y**2).sum(1)

    def block(points: Any, own: Any) -> Any:
        if name == ATTENTION:
            return torch.softmax(points[:, :half] @ Y[:, half:].T, 1) @ V
        far = own[:, None] + squares - 2 * (points @ Y.T)
        return (torch.exp(-0.5 * far) if name == GAUSSIAN else 1 / (1 + far)) @ V

    return block


def torch_blocks(name: str, Y: np.ndarray, V: np.ndarray, threads: int) -> Run:
    """Fused attention with q and k padded to the width of v, or blocks of rows whose memory is kept.

    `scaled_dot_product_attention` leaves its fused kernel where the widths differ; zeros change no score.
    """
    import torch

    torch.set_num_threads(threads)
    points, values, half = torch.from_numpy(Y), torch.from_numpy(V), Y.shape[1] // 2
    if name == ATTENTION:
        q, k = (torch.zeros_like(values) for _ in range(2))
        q[:, :half], k[:, :half] = points[:, :half], points[:, half:]
        attend = torch.nn.functional.scaled_dot_product_attention
        return lambda: attend(q[None, None], k[None, None], values[None, None], scale=1.0)
    squares, result = (points**2).sum(1), torch.empty_like(values)
    room = torch.empty((_ROWS, len(points)), dtype=points.dtype)

    def run() -> Any:
        for start in range(0, len(points), _ROWS):
            part = slice(start, min(start + _ROWS, len(points)))
            w = room[: part.stop - start]
            torch.addmm(squares, points[part], points.T, alpha=-2, out=w)
            w += squares[part, None]
            w = w.mul_(-0.5).exp_() if name == GAUSSIAN else w.add_(1).reciprocal_()
            torch.mm(w, values, out=result[part])
        return result

    return run


def torch_compiled(name: str, Y: np.ndarray, V: np.ndarray, threads: int) -> Run:
    """Blocks of rows through torch.compile."""
    import torch

    torch.set_num_threads(threads)
    points, values = torch.from_numpy(Y), torch.from_numpy(V)
    block = _torch_block(torch, name, points, values)
    torch.compiler.reset()
    return _rows(torch, points, torch.compile(block, dynamic=False))


def _rows(torch: Any, points: Any, block: Callable[[Any, Any], Any]) -> Run:
    squares = (points**2).sum(1)
    parts = list(zip(points.split(_ROWS), squares.split(_ROWS), strict=True))
    return lambda: torch.cat([block(*part) for part in parts])


def jax_blocks(name: str, Y: np.ndarray, V: np.ndarray, threads: int) -> Run:
    """Blocks of rows in one jitted function (JAX chooses its threads)."""
    import jax
    import jax.numpy as jnp

    jax.config.update("jax_enable_x64", Y.dtype == np.float64)
    points, values = jnp.asarray(Y), jnp.asarray(V)
    half, squares = Y.shape[1] // 2, (points**2).sum(1)
    rows = len(Y) // -(-len(Y) // _ROWS)

    @jax.jit
    def run(points: Any, values: Any) -> Any:
        def one(y: Any) -> Any:
            if name == ATTENTION:
                return jax.nn.softmax(points[:, half:] @ y[:half]) @ values
            far = y @ y + squares - 2 * (points @ y)
            return (jnp.exp(-0.5 * far) if name == GAUSSIAN else 1 / (1 + far)) @ values

        return jax.lax.map(one, points, batch_size=rows)

    return lambda: run(points, values).block_until_ready()


def keops(name: str, Y: np.ndarray, V: np.ndarray, threads: int) -> Run:
    """KeOps' lazy tensors, compiled by the C++ compiler."""
    import os

    os.environ["OMP_NUM_THREADS"] = str(threads)
    import pykeops
    from pykeops.numpy import LazyTensor

    pykeops.set_verbose(False)
    half = Y.shape[1] // 2

    def run() -> Any:
        if name == ATTENTION:
            q = LazyTensor(np.ascontiguousarray(Y[:, :half])[:, None])
            k = LazyTensor(np.ascontiguousarray(Y[:, half:])[None])
            return (q | k).sumsoftmaxweight(LazyTensor(V[None]), axis=1)
        far = ((LazyTensor(Y[:, None]) - LazyTensor(Y[None])) ** 2).sum(-1)
        return ((-0.5 * far).exp() if name == GAUSSIAN else 1 / (1 + far)) @ V

    return run


#: why ours may take less than a tenth of the time
WHY = {
    "NumPy, dense": "it writes and reads n x n matrices",
    "NumPy, blocks": "each block goes through the caches once for each of its functions",
    "torch": "each block goes through the caches once for each of its functions",
    "torch.compile": "what is fused is one pass over a block, which is written before it and read after it",
    "JAX, jit": "what is fused is one pass over a block, which is written before it and read after it",
    "numexpr": "inner products and products with X stand outside what is fused",
    "KeOps": "one pair after another, without inner products in registers",
}
#: name -> how it is made; the first two take part in every round, the others in one
PEERS: dict[str, Callable[[str, np.ndarray, np.ndarray, int], Run | None]] = {
    "torch": torch_blocks,
    "NumPy, blocks": numpy_blocks,
    "NumPy, dense": numpy_dense,
    "torch.compile": torch_compiled,
    "JAX, jit": jax_blocks,
    "numexpr": numexpr_blocks,
    "KeOps": keops,
}
