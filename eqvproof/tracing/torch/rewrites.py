"""Replacements for torch functions whose own code branches on sizes, active while a target is read.

torch.cdist takes another path from 26 points on, and one_hot asks for the largest index. The
Program is compared with the unchanged target, so that a wrong formula here would be noticed. The
user's code may not ask for the memory layout, on which no value depends.
"""

from __future__ import annotations

import functools
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from types import ModuleType
from typing import TYPE_CHECKING, Any

from eqvproof.programs import keeps_roundings
from eqvproof.support.errors import TraceError
from eqvproof.tracing.observing.frames import owner_of_frame

if TYPE_CHECKING:
    from torch import Tensor


def replacing_torch_functions() -> AbstractContextManager[object]:
    """Returns a context in which torch's functions are replaced by those of the table."""
    import torch
    from torch.overrides import TorchFunctionMode

    table = _replacements(torch)

    class Rewriting(TorchFunctionMode):
        """Replaces calls of functions in the table by their formulas."""

        def __torch_function__(
            self,
            func: Callable[..., object],
            types: object,
            args: Sequence[object] = (),
            kwargs: Mapping[str, object] | None = None,
        ) -> object:
            formula = table.get(func)
            if formula is not None:
                found = formula(*args, **(kwargs or {}))
                if found is not NotImplemented:
                    return found
            return func(*args, **(kwargs or {}))

    return Rewriting()


def _replacements(torch: ModuleType) -> dict[object, Callable[..., object]]:
    from torch.fx.experimental.symbolic_shapes import free_unbacked_symbols

    def truth(x: Tensor) -> object:
        """Asks whether the entry is nonzero, for a tensor of numbers."""
        if x.dtype == torch.bool:
            return NotImplemented
        return bool((x != 0).item())

    def cdist(x: Tensor, y: Tensor, p: float = 2.0, compute_mode: object = None) -> object:
        differentiates = torch.is_grad_enabled()
        if differentiates and p != 2:
            return NotImplemented
        gap = x.unsqueeze(-2) - y.unsqueeze(-3)
        if p == 2:
            squares = (gap * gap).sum(-1)
            if keeps_roundings():  # many points: by a product of matrices
                product = x @ y.transpose(-1, -2)
                sums = (x * x).sum(-1).unsqueeze(-1) + (y * y).sum(-1).unsqueeze(-2)
                squares = torch.maximum(squares, sums - 2 * product)
            if differentiates:  # where there is no distance, the derivative is 0
                return torch.where(
                    squares > 0, torch.where(squares > 0, squares, 1.0).sqrt(), squares
                )
            return squares.sqrt()
        if p == 1:
            return gap.abs().sum(-1)
        if p == float("inf"):
            return gap.abs().amax(-1)
        return NotImplemented

    def getitem(x: Tensor, index: object) -> object:
        """Returns an entry at a position that values decide, without asking for the number."""
        places = _scalar_positions(torch, index)
        if places is None:
            return NotImplemented
        return torch.ops.aten.index.Tensor(x, places)

    def setitem(x: Tensor, index: object, value: Tensor | float) -> object:
        places = _scalar_positions(torch, index)
        if places is None:
            return NotImplemented
        if isinstance(value, torch.Tensor):
            given = value
        else:
            given = torch.full((), value, dtype=x.dtype)
        x.index_put_(tuple(places), given.to(x.dtype))
        return None

    def one_hot(index: Tensor, num_classes: int = -1) -> object:
        if isinstance(num_classes, int) and num_classes < 0:
            return NotImplemented
        places = torch.arange(num_classes, device=index.device)
        return (index.unsqueeze(-1) == places).to(torch.int64)

    def embedding_bag(
        input: Tensor,
        weight: Tensor,
        offsets: object = None,
        max_norm: object = None,
        norm_type: object = 2.0,
        scale_grad_by_freq: object = False,  # noqa: FBT002
        mode: str = "mean",
        sparse: object = False,  # noqa: FBT002
        per_sample_weights: Tensor | None = None,
        include_last_offset: object = False,  # noqa: FBT002
        padding_idx: object = None,
    ) -> object:
        """Reduces the rows of each bag, where all bags are of one size."""
        if input.dim() != 2 or max_norm is not None or padding_idx is not None:
            return NotImplemented
        rows = weight[input]
        if per_sample_weights is not None:
            rows = rows * per_sample_weights.unsqueeze(-1)
        if mode == "max":
            return rows.amax(1)
        return rows.sum(1) if mode == "sum" else rows.mean(1)

    def bilinear(x: Tensor, y: Tensor, weight: Tensor, bias: Tensor | None = None) -> object:
        """Sums over both vectors for every output entry."""
        product = x.unsqueeze(-2).unsqueeze(-1) * weight * y.unsqueeze(-2).unsqueeze(-2)
        found = product.sum((-2, -1), dtype=product.dtype)
        if bias is None:
            return found
        return found + bias

    def cov(
        x: Tensor, *, correction: int = 1, fweights: object = None, aweights: object = None
    ) -> Any:
        """Returns the covariance of rows, or the variance of one row."""
        if fweights is not None or aweights is not None or x.dim() > 2:
            return NotImplemented
        rows = x - x.mean(-1, keepdim=True)
        if x.dim() == 2:
            return rows @ rows.mH / (x.shape[-1] - correction)
        return x.var(correction=correction)

    def corrcoef(x: Tensor) -> object:
        if x.dim() != 2:
            return NotImplemented
        found = cov(x)
        spread = found.diagonal().sqrt()
        return found / spread.unsqueeze(0) / spread.unsqueeze(1)

    def equal(x: Tensor, y: Tensor) -> bool:
        """Asks whether two tensors are equal."""
        return x.shape == y.shape and bool((x == y).all())

    def matrix_power(x: Tensor, n: object) -> object:
        if n:
            return NotImplemented
        return 0 * x + torch.eye(x.shape[-1], dtype=x.dtype)  # undefined where x is

    def blended(x: Tensor, *args: object, mode: str = "nearest", **options: object) -> object:
        """Refuses interpolation with kept roundings: torch's kernel uses other weights."""
        if keeps_roundings() and "nearest" not in mode:
            raise TraceError(
                "the roundings of interpolation are not known", given=mode, code="rounding.other",
                expected="sums, products and functions", hint="write it as a product with a matrix",
            )  # fmt: skip
        return NotImplemented

    def memory(x: Tensor, *args: object, **options: object) -> object:
        """Refuses the user's question for memory layout; libraries get the example's answer."""
        if owner_of_frame(sys._getframe(2)) != "user":
            return NotImplemented
        raise TraceError(
            "how the memory of a tensor lies is asked for", code="trace.isinstance",
            hint="the formula does not depend on it; leave the test out",
        )  # fmt: skip

    def kron(x: Tensor, y: Tensor) -> object:
        if x.dim() != y.dim():
            return NotImplemented
        left = x.reshape([s for d in x.shape for s in (d, 1)])
        wide = left * y.reshape([s for d in y.shape for s in (1, d)])
        return wide.reshape([p * q for p, q in zip(x.shape, y.shape, strict=True)])

    def quantile(
        x: Tensor,
        q: object,
        dim: int | None = None,
        keepdim: object = None,
        *,
        interpolation: str = "linear",
    ) -> object:
        if interpolation != "linear" or not isinstance(q, float):
            return NotImplemented
        if dim is None:
            rows, axis = x.reshape(-1), 0
        else:
            rows, axis = x, dim
        ordered = rows.sort(dim=axis).values.movedim(axis, -1)
        n = ordered.shape[-1]
        gap = (torch.arange(n, device=x.device, dtype=x.dtype) - q * (n - 1)).abs()
        found = (ordered * (1 - gap).clamp(min=0)).sum(-1)
        if keepdim:
            if dim is None:
                return NotImplemented
            return found.unsqueeze(dim)
        return found

    def linspace(
        start: float, end: float, steps: int, *, dtype: object = None, **options: object
    ) -> object:
        """Returns as many points as a size says."""
        if not isinstance(steps, torch.SymInt) or any(
            isinstance(e, torch.Tensor) for e in (start, end)
        ):
            return NotImplemented
        places = torch.arange(steps, dtype=dtype or torch.get_default_dtype(), **options)
        gaps = (places.new_zeros(()) + steps - 1).clamp(min=1)  # one point is the start
        return places * ((end - start) / gaps) + start

    def fill_diagonal(x: Tensor, value: float, wrap: object = False) -> object:  # noqa: FBT002
        if x.dim() != 2 or wrap:
            return NotImplemented
        rows, columns = (torch.arange(s, device=x.device) for s in x.shape)
        return x.masked_fill_(rows.unsqueeze(1) == columns, value)

    def triangle(
        rows: int, columns: int, offset: int = 0, *, upper: bool = True, **options: object
    ) -> object:
        """Returns the row and the column of each place in a triangle."""
        device = options.get("device")
        i, j = torch.arange(rows, device=device).unsqueeze(1), torch.arange(columns, device=device)
        if upper:
            inside = j - i >= offset
        else:
            inside = j - i <= offset
        return torch.stack([(i + 0 * j)[inside], (0 * i + j)[inside]])

    def histc(x: Tensor, bins: int = 100, min: float = 0, max: float = 0) -> object:
        """Counts entries in bins that include their lower bound; the last one includes both."""
        if min >= max:
            return NotImplemented
        place, last = ((x.reshape(-1, 1) - min) * (bins / (max - min))), bins - 1
        k = torch.arange(bins, device=x.device)
        inside = (place >= k) & ((place < k + 1) | ((k == last) & (place == bins)))
        return inside.sum(0).to(x.dtype)

    def einsum(*args: object) -> object:
        """Returns einsum of three or more factors, which torch pairs by asking for sizes."""
        if len(args) == 2 and isinstance(args[1], (list, tuple)):
            given = args[1]
        else:
            given = args[1:]
        rows, arrow, out = str(args[0]).replace(" ", "").partition("->")
        inputs = rows.split(",")
        letters_only = {*rows, *out} <= {*"abcdefghijklmnopqrstuvwxyz,"}
        plain = arrow and len(inputs) == len(given) > 2 and letters_only
        if not plain or any(len({*row}) != len(row) for row in (*inputs, out)):
            return NotImplemented
        letters = [*out, *sorted({*rows} - {*out, ","})]
        total: Any = None
        for row, factor in zip(inputs, given, strict=True):
            wide = factor.permute([row.index(k) for k in letters if k in row])
            for place, k in enumerate(letters):
                if k not in row:
                    wide = wide.unsqueeze(place)
            if total is None:
                total = wide
            else:
                total = total * wide
        summed = list(range(len(out), len(letters)))
        if summed:
            return total.sum(summed, dtype=total.dtype)
        return total

    def tensordot(x: Tensor, y: Tensor, dims: Any = 2, out: object = None) -> object:
        """Returns tensordot as a sum over last axes, where the inputs decide sizes."""
        if isinstance(dims, torch.Tensor) or out is not None or not free_unbacked_symbols((x, y)):
            return NotImplemented
        if isinstance(dims, int):
            left, right = ([*range(-dims, 0)], [*range(dims)])
        else:
            left, right = map(list, dims)
        ends = [*range(-len(left), 0)]
        x, y = x.movedim(left, ends), y.movedim(right, ends)
        kept = len(left), y.dim() - len(right)
        if x.shape[x.dim() - kept[0] :] != y.shape[kept[1] :]:
            return NotImplemented
        wide = x[(..., *[None] * kept[1], *[slice(None)] * kept[0])]
        if ends:
            return (wide * y).sum(ends, dtype=y.dtype)
        return wide * y

    return {
        torch.einsum: einsum,
        torch.tensordot: tensordot,
        torch.Tensor.__bool__: truth,
        torch.is_nonzero: truth,
        torch.Tensor.is_nonzero: truth,
        torch.Tensor.__getitem__: getitem,
        torch.Tensor.__setitem__: setitem,
        torch.cdist: cdist,
        torch.nn.functional.one_hot: one_hot,
        torch.nn.functional.embedding_bag: embedding_bag,
        torch.kron: kron,
        torch.nn.functional.interpolate: blended,
        torch.nn.functional.grid_sample: functools.partial(blended, mode="bilinear"),
        torch.cov: cov,
        torch.Tensor.cov: cov,
        torch.corrcoef: corrcoef,
        torch.Tensor.corrcoef: corrcoef,
        torch.nn.functional.bilinear: bilinear,
        torch.equal: equal,
        torch.Tensor.equal: equal,
        torch.matrix_power: matrix_power,
        torch.linalg.matrix_power: matrix_power,
        torch.quantile: quantile,
        torch.Tensor.quantile: quantile,
        torch.Tensor.fill_diagonal_: fill_diagonal,
        torch.histc: histc,
        torch.linspace: linspace,
        torch.triu_indices: triangle,
        torch.tril_indices: functools.partial(triangle, upper=False),
        torch.Tensor.histc: histc,
        torch.Tensor.is_contiguous: memory,
        torch.Tensor.stride: memory,
    }


def _scalar_positions(torch: ModuleType, index: object) -> list[Any] | None:
    """Returns index parts that are whole axes (None here) or integer scalars; else None."""
    if not isinstance(index, tuple):
        index = (index,)
    places: list[Any] = []
    for part in index:
        if isinstance(part, slice) and part == slice(None):
            places.append(None)
        else:
            places.append(part)
    picked = [p for p in places if p is not None]

    def is_number(part: object) -> bool:
        whole = isinstance(part, torch.Tensor) and part.dtype in (torch.int64, torch.int32)
        return whole and part.dim() == 0  # type: ignore[attr-defined]

    if picked and all(map(is_number, picked)):
        return places
    return None
