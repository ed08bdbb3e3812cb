"""Random numbers that a torch target draws after it has set the seed itself: constants.

The target is read twice, each time with the generator in another state at its beginning. Where the
state before a draw is the same both times, it is what the target has put there, and what is drawn
follows from it, from the shape, and from the numbers that the operation is given: the draw is made
as the target makes it, and what comes out is a constant. Of a shape that depends on the sizes of
axes nothing is drawn.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager

import torch
from torch._subclasses.fake_tensor import unset_fake_temporarily
from torch.utils._pytree import tree_leaves, tree_map_only

#: Operations of which a tensor gives the shape and the type of what is drawn, and no more.
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
#: In which states the generator is when a target is read.
SEEDS = 0x5DEECE66D1CE4E5B, 0x2545F4914F6CDD1D


@contextmanager
def seeded(seed: int) -> Iterator[None]:
    """The generator in a state of its own, and as it was in the end."""
    before = torch.default_generator.get_state()
    torch.default_generator.manual_seed(seed)
    try:
        yield
    finally:
        torch.default_generator.set_state(before)


def is_drawn(target: object, args: tuple[object, ...], kwargs: Mapping[str, object]) -> bool:
    """Whether an operation draws numbers by the generator that all share, in a shape that is known."""
    name = str(target).removeprefix("aten.")
    given = tree_leaves((args, dict(kwargs)))
    sizes = [n for t in given if isinstance(t, torch.Tensor) for n in (*t.shape, *t.stride())]
    return name in DRAWS and not any(
        isinstance(v, (torch.SymInt, torch.SymFloat, torch.Generator)) for v in (*given, *sizes)
    )


def drawn(
    target: Callable[..., torch.Tensor], args: tuple[object, ...], kwargs: Mapping[str, object]
) -> tuple[torch.Tensor, str]:
    """What an operation draws, and the state that it finds, as a short text."""
    with unset_fake_temporarily():
        blank = tree_map_only(torch.Tensor, _blank, (args, dict(kwargs)))
        state = hashlib.sha256(torch.default_generator.get_state().numpy().tobytes()).hexdigest()
        return target(*blank[0], **blank[1]), state


def dropout(x: torch.Tensor, p: float, train: bool | None) -> object:  # noqa: FBT001
    """What is dropped, as torch does it on tensors that are not fake: one draw for each entry.

    Of a shape that is not known it stays what it is, so that what is refused has the user's name.
    """
    if not train or p == 0 or any(isinstance(n, torch.SymInt) for n in x.shape):
        return NotImplemented
    kept = torch.ops.aten.bernoulli.p(torch.empty_like(x), 1 - p)
    return x * (kept / (1 - p) if p < 1 else kept), kept.bool()


def _blank(tensor: torch.Tensor) -> torch.Tensor:
    return torch.empty_strided(tuple(tensor.shape), tensor.stride(), dtype=tensor.dtype).zero_()
