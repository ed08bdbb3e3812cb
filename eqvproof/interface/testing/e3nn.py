"""The assertion of ``e3nn.util.test``, with a verdict in place of random trials and a tolerance."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from eqvproof.engines.verdict import Verdict
from eqvproof.interface.testing import assertions
from eqvproof.support.short_tracebacks import shortens_tracebacks

#: The name that e3nn gives to an argument of points in space.
POINTS = "cartesian_points"


@shortens_tracebacks
def assert_equivariant(
    func: Callable[..., Any],
    args_in: Sequence[Any] | None = None,
    irreps_in: Any = None,
    irreps_out: Any = None,
    tolerance: float | None = None,
    *,
    ntrials: int = 1,
    do_parity: bool = True,
    do_translation: bool = True,
    transform_dtype: Any = None,
    at_least: str = "TESTED",
    **options: Any,
) -> Verdict | None:
    """Asserts that a function is equivariant, like ``e3nn.util.test.assert_equivariant``.

    It takes the arguments of that function.

    Args:
        func: the function, or a module with ``irreps_in`` and ``irreps_out``.
        args_in: arguments with the shapes of the claim; by default with one batch axis.
        irreps_in: irreps of each argument, "cartesian_points", or None for an argument on which the
            group does not act, and which keeps its value in `args_in`.
        irreps_out: irreps of each result.
        tolerance, ntrials, transform_dtype: ignored: there are no trials and no tolerance.
        do_parity: whether reflections are claimed too.
        do_translation: whether points may be translated too.
        at_least: the weakest grade that passes.
        options: options of `eqvproof.check`.

    Returns:
        The verdict; None if all irreps are 0e, so that nothing is claimed.

    Raises:
        AssertionError: the claim fails, or the grade is weaker; with the verdict.
    """
    __tracebackhide__ = True
    from e3nn.util._argtools import _get_args_in, _get_io_irreps

    args_in, irreps_in, irreps_out = _get_args_in(
        func, args_in=args_in, irreps_in=irreps_in, irreps_out=irreps_out
    )
    irreps_in, irreps_out = _get_io_irreps(func, irreps_in=irreps_in, irreps_out=irreps_out)
    acted_on = [k for k, irreps in enumerate(irreps_in) if irreps is not None]
    inputs = [f"x{k}: {_axes(args_in[k].shape, irreps_in[k])}" for k in acted_on]
    results = func(*args_in)
    if not isinstance(results, (list, tuple)):
        results = [results]
    shapes = [r.shape for r in results]
    outputs = [_axes(s, irreps) for s, irreps in zip(shapes, irreps_out, strict=True)]
    if all(
        irreps is None or {str(ir) for _, ir in irreps} <= {"0e"}
        for irreps in (*irreps_in, *irreps_out)
        if irreps != POINTS
    ) and POINTS not in (*irreps_in, *irreps_out):
        return None
    group = "O(3)"
    if do_translation and POINTS in irreps_in:
        group = "E(3)"
    if not do_parity:
        group = "S" + group
    signature = f"{', '.join(inputs)} -> {', '.join(outputs)}"
    options = {"backend": "torch", **options}
    function = _fix_other_arguments(func, args_in, acted_on)
    return assertions.assert_equivariant(function, signature, group, at_least=at_least, **options)


def _fix_other_arguments(
    func: Callable[..., Any], args: Sequence[Any], indices: Sequence[int]
) -> Callable[..., Any]:
    """Returns the function of some arguments, with the others fixed; itself if these are all."""
    if len(indices) == len(args):
        return func

    def partial(*given: Any) -> Any:
        every = list(args)
        for k, value in zip(indices, given, strict=True):
            every[k] = value
        return func(*every)

    return partial


def _axes(shape: Sequence[int], irreps: Any) -> str:
    """Returns the axes of an array of that shape, irreps on the last."""
    batch = [f"{n}!" for n in shape[:-1]]
    if irreps == POINTS:
        last = "3"
    elif irreps is None:
        last = f"{shape[-1]}!"
    else:
        last = f"<{irreps}>"
    return " ".join([*batch, last])
