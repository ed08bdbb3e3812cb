"""Entries that a mask picks, ``x[mask]``, where they only meet entries that the same mask picks.

The whole array stands in their place, with the mask. What is done entry by entry is done to all entries;
written back through the mask, summed or averaged, those count that are picked. Everything else is refused.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from eqvproof.arrays import masks
from eqvproof.arrays.context import current_context
from eqvproof.errors import TraceError
from eqvproof.frontends.torch.aten import ENTRYWISE, TABLE, Handler, kept, op
from eqvproof.frontends.torch.values import Node, Picked
from eqvproof.program import Builder


def pick(b: Builder, x: int, masks_of: list[int | None]) -> Node | Picked:
    """The entries of x that a mask over its first axes picks, in one axis."""
    mask = masks_of[0]
    if mask is None or any(m is not None for m in masks_of[1:]):
        raise _refusal("several masks, or one that is not for the first axes,")
    shape, rank = b.shape(x), len(b.shape(mask))
    if b.scalar_value(mask) == 1:
        return Node(b.reshape(int(x), [b.prod_sizes(int(x), range(rank)), *shape[rank:]]))
    return Picked(int(x), int(mask), 1)


@op("_pdist_forward")
def _pdist(b: Builder, x: int, p: float = 2.0) -> Picked:
    """The distances of rows to other ones, each twice."""
    gaps = b.sub(b.expand(int(x), 1), b.expand(int(x), 0))
    n = b.shape(x)[0]
    apart = b.map("not", [b.eye(n)])
    return Picked(int(TABLE["linalg_vector_norm"](b, Node(gaps), p, [-1])), apart, 2)


def is_picked(x: object) -> bool:
    """Whether an argument holds picked entries."""
    return any(map(is_picked, x)) if isinstance(x, list | tuple) else isinstance(x, Picked)


def handler_of(name: str, known: Handler | None) -> Callable[..., object]:
    """How an operation on picked entries is read, where one on all entries is known.

    Raises:
        TraceError: it is not.
    """
    if known is not None and (name in ENTRYWISE or name in ("clone", "detach", "alias", "_to_copy")):
        return _entrywise(known)
    if name == "index":
        return _looked_up
    if name in ("index_put", "_unsafe_index_put"):
        return _put
    if name in ("sum", "mean", "amax", "amin", "max", "min", "linalg_vector_norm"):
        return _reduced(name)
    raise _refusal(f"the torch operation {name} on")


def _like(args: Iterable[object]) -> Callable[[Any], Picked]:
    """Makes entries that are picked as all picked arguments are."""
    found = {(a.mask, a.copies) for a in args if isinstance(a, Picked)}
    if len(found) != 1:
        raise _refusal("several masks for")
    mask, copies = found.pop()
    return lambda node: Picked(int(node), mask, copies)


def _rank(b: Builder, x: Picked) -> int:
    """How many axes there are, where what is picked is one."""
    return len(b.shape(x.node)) - len(b.shape(x.mask)) + 1


def _entrywise(known: Handler) -> Callable[..., object]:
    def handler(b: Builder, *args: object, **options: object) -> Picked:
        ranks = {_rank(b, a) for a in args if isinstance(a, Picked)}
        others = [len(b.shape(a)) for a in args if isinstance(a, Node)]
        if len(ranks) != 1 or any(k >= min(ranks) for k in others):
            raise _refusal("another shape beside")
        return _like(args)(known(b, *map(_plain, args), **options))

    return handler


def _plain(x: object) -> Any:
    return Node(x.node) if isinstance(x, Picked) else x


def _looked_up(b: Builder, x: object, indices: list[object]) -> Picked:
    """Entries at positions that are picked."""
    if isinstance(x, Picked) or not all(isinstance(i, Picked) for i in indices):
        raise _refusal("an index beside")
    return _like(indices)(TABLE["index"](b, x, [*map(_plain, indices)]))


def _put(b: Builder, x: int | Picked, indices: list[int | None], values: object, *more: object) -> int:
    """What is picked goes where it came from."""
    if isinstance(x, Picked) or len(indices) != 1 or any(more) or not isinstance(values, Picked):
        raise _refusal("a write elsewhere of")
    if values.mask != indices[0] or values.copies != 1 or b.shape(x) != b.shape(values.node):
        raise _refusal("a write elsewhere of")
    return b.select(_wide(b, values), values.node, int(x))


def _wide(b: Builder, x: Picked) -> int:
    """The mask along all axes."""
    mask = x.mask
    while len(b.shape(mask)) < len(b.shape(x.node)):
        mask = b.expand(mask, len(b.shape(mask)))
    return b.broadcast_to(mask, b.shape(x.node))


def _reduced(name: str) -> Callable[..., object]:
    def handler(b: Builder, x: Picked, *args: Any, **options: Any) -> Picked | int:
        place = 1 if name == "linalg_vector_norm" else 0
        dim, keep = ([*args, None, None][place + k] for k in (0, 1))
        dim, keep = options.get("dim", dim), options.get("keepdim", keep)
        rank, lead = _rank(b, x), len(b.shape(x.mask))
        numbers = dim if isinstance(dim, list | tuple) else range(rank) if dim is None else [dim]
        axes = sorted(d % rank for d in numbers) or [*range(rank)]
        if name in ("max", "min") and dim is not None:
            raise _refusal("positions among")
        if 0 not in axes:
            return _like([x])(TABLE[name](b, _plain(x), *args[:place], [d - rank for d in axes], keep))
        mask, inner = _wide(b, x), [*range(lead), *(d + lead - 1 for d in axes[1:])]
        if name in ("sum", "mean"):
            total = b.sum(b.select(mask, x.node, b.const(0)), inner)
            node = b.div(total, b.const(x.copies) if name == "sum" else b.sum(mask, inner))
        elif (context := current_context()) is not None and name.endswith(("max", "min")):
            context.may_raise = True  # where none is picked
            low = b.neg(x.node) if name.endswith("min") else x.node
            top = masks.top(b, low, mask, inner)
            node = b.neg(top) if name.endswith("min") else top
        else:
            raise _refusal(f"the torch operation {name} on")
        return kept(b, node, axes, keep)

    return handler


def _refusal(what: str) -> TraceError:
    return TraceError(
        f"{what} entries chosen by a mask, so that their number depends on the inputs",
        hint="give the others the weight 0", code="trace.index",
    )  # fmt: skip
