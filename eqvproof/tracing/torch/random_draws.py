"""Random numbers that a torch target draws after it has set the seed itself are constants.

The target is read twice, with the generator in two different states at the start. Where the state
before a draw is equal both times, the target has set it, and the drawn numbers follow from it, from
the shape, and from the numbers passed to the operation: the draw is made as the target makes it,
and the result is a constant. Draws whose shape depends on the sizes of axes are refused.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager

import torch
from torch._subclasses.fake_tensor import unset_fake_temporarily
from torch.utils._pytree import tree_leaves, tree_map_only

#: Operations that use a tensor only for the shape and the type of the numbers drawn.
DRAWS = frozenset(
    {
        "rand.default",
        "randn.default",
        "randint.default",
        "randint.low",
        "randperm.default",
        "rand_like.default",
        "randn_like.default",
        "randint_like.default",
        "randint_like.low_dtype",
        "bernoulli.p",
        "uniform.default",
        "exponential.default",
        "geometric.default",
        "log_normal.default",
        "cauchy.default",
        "random.default",
        "random.to",
        "random.from",
        "normal_functional.default",
    }
)
#: The states of the generator at the start of each reading of a target.
SEEDS = 0x5DEECE66D1CE4E5B, 0x2545F4914F6CDD1D


@contextmanager
def with_seed(seed: int) -> Iterator[None]:
    """Sets the seed of the generator in a block, and restores its state afterwards."""
    before = torch.default_generator.get_state()
    torch.default_generator.manual_seed(seed)
    try:
        yield
    finally:
        torch.default_generator.set_state(before)


def is_reproducible_draw(
    target: object, args: tuple[object, ...], kwargs: Mapping[str, object]
) -> bool:
    """Checks whether an operation draws from the global generator in a known shape."""
    name = str(target).removeprefix("aten.")
    given = tree_leaves((args, dict(kwargs)))
    sizes = [n for t in given if isinstance(t, torch.Tensor) for n in (*t.shape, *t.stride())]
    return name in DRAWS and not any(
        isinstance(v, (torch.SymInt, torch.SymFloat, torch.Generator)) for v in (*given, *sizes)
    )


def draw(
    target: Callable[..., torch.Tensor], args: tuple[object, ...], kwargs: Mapping[str, object]
) -> tuple[torch.Tensor, str]:
    """Draws the numbers of an operation; also returns a digest of the generator's state before."""
    with unset_fake_temporarily():
        blank = tree_map_only(torch.Tensor, _zeros_like, (args, dict(kwargs)))
        state = hashlib.sha256(torch.default_generator.get_state().numpy().tobytes()).hexdigest()
        return target(*blank[0], **blank[1]), state


def dropout(x: torch.Tensor, p: float, train: bool | None) -> object:  # noqa: FBT001
    """Applies dropout as torch does to real tensors, with one draw for each entry.

    For an unknown shape the operation is kept, so that a refusal names it as the user does.
    """
    if not train or p == 0 or any(isinstance(n, torch.SymInt) for n in x.shape):
        return NotImplemented
    kept = torch.ops.aten.bernoulli.p(torch.empty_like(x), 1 - p)
    weight = kept
    if p < 1:
        weight = kept / (1 - p)
    return x * weight, kept.bool()


def _zeros_like(tensor: torch.Tensor) -> torch.Tensor:
    return torch.empty_strided(tuple(tensor.shape), tensor.stride(), dtype=tensor.dtype).zero_()
