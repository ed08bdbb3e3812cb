"""Branches, all of which are read where the inputs choose, and loops, which are unrolled.

The inputs may not decide the number of rounds of a loop.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from eqvproof.support.errors import ErrorCode, TraceError
from eqvproof.tracing.arrays.machine import fits
from eqvproof.tracing.framework_arrays import Node
from eqvproof.tracing.jax import special_values
from eqvproof.tracing.jax.equations import Equation
from eqvproof.tracing.jax.reader import Reader, primitive
from eqvproof.tracing.jax.values import Affine, Known, Value

#: Largest number of rounds of a loop that is unrolled.
MOST = 256


@primitive("cond")
def _cond(r: Reader, e: Equation, which: Value, *args: Value) -> list[Value]:
    """Evaluates the branch with this number, or with the nearest one that exists.

    A choice between all branches is made where the number depends on the inputs.
    """
    branches = e.params["branches"]
    if isinstance(which, Known):
        return r.closed(branches[min(max(int(which.array), 0), len(branches) - 1)], args)
    *others, found = [r.closed(branch, args) for branch in branches]
    w, b = r.node(which), r.builder
    is_truth = len(branches) == 2 and fits(b, w, "bool")
    for k, results in reversed(list(enumerate(others))):
        if is_truth:
            here = b.map("not", [w])
        else:
            here = b.map("le", [w, b.const(k)])
        found = [_select_branch(r, here, x, y) for x, y in zip(results, found, strict=True)]
    return found


def _select_branch(r: Reader, which: int, x: Value, y: Value) -> Value:
    """Returns x where `which` is not 0, else y."""
    if x is y or (isinstance(x, Node | Affine) and type(x) is type(y) and x == y):
        return x
    if any(map(special_values.is_infinite, (x, y))):
        return special_values.select_infinite(r, which, x, y)
    return Node(r.builder.select(which, r.node(x), r.node(y)))


@primitive("while")
def _while(r: Reader, e: Equation, *args: Value) -> list[Value]:
    p = e.params
    first, second = p["cond_nconsts"], p["cond_nconsts"] + p["body_nconsts"]
    tests, consts, state = list(args[:first]), list(args[first:second]), list(args[second:])
    for _ in range(MOST):
        (go,) = r.closed(p["cond_jaxpr"], [*tests, *state])
        if not isinstance(go, Known):
            raise TraceError(
                "a loop whose end the inputs or sizes decide", code=ErrorCode.TRACE_BRANCH
            )
        if not bool(go.array):
            return state
        state = r.closed(p["body_jaxpr"], [*consts, *state])
    raise TraceError(f"a loop of more than {MOST} rounds", code=ErrorCode.TRACE_BRANCH)


@primitive("scan")
def _scan(r: Reader, e: Equation, *args: Value) -> list[Value]:
    p = e.params
    length = r.symbols.size(p["length"]).constant
    if not p["num_carry"] and len(args) > p["num_consts"] and (length is None or length > MOST):
        return _scan_all_rows(r, e, args)
    if length is None:
        raise TraceError(
            "a scan along an axis whose size is not a number", code=ErrorCode.TRACE_SIZE
        )
    if length > MOST or not length:
        raise TraceError(f"a scan of no or more than {MOST} rounds", given=str(length))
    first, second = p["num_consts"], p["num_consts"] + p["num_carry"]
    consts, state, rows = list(args[:first]), list(args[first:second]), args[second:]
    collected: list[list[Value]] = []
    if p["reverse"]:
        order = range(length - 1, -1, -1)
    else:
        order = range(length)
    for k in order:
        outputs = r.closed(p["jaxpr"], [*consts, *state, *(_scan_row(r, x, k) for x in rows)])
        state = outputs[: p["num_carry"]]
        collected.append(outputs[p["num_carry"] :])
    if p["reverse"]:
        collected.reverse()
    stacked = [_stack(r, [row[i] for row in collected]) for i in range(len(collected[0]))]
    return [*state, *stacked]


def _scan_all_rows(r: Reader, e: Equation, args: Sequence[Value]) -> list[Value]:
    """Evaluates a scan that carries nothing from row to row, on all rows at once."""
    import jax
    from jax.extend.core import jaxpr_as_fun

    rows = [None if k < e.params["num_consts"] else 0 for k in range(len(args))]
    given = [jax.ShapeDtypeStruct(v.aval.shape, v.aval.dtype) for v in e.invars]
    return r.closed(jax.make_jaxpr(jax.vmap(jaxpr_as_fun(e.params["jaxpr"]), rows))(*given), args)


def _scan_row(r: Reader, x: Value, k: int) -> Value:
    if isinstance(x, Known):
        return Known(np.asarray(x.array[k]))
    if isinstance(x, Affine):
        return Affine(x.shape[1:], x.low + x.steps[0] * k, x.steps[1:])
    b = r.builder
    return Node(b.squeeze(b.slice(r.node(x), 0, k, 1), 0))


def _stack(r: Reader, rows: list[Value]) -> Value:
    b = r.builder
    if all(isinstance(x, Known) for x in rows):
        return Known(np.stack([x.array for x in rows if isinstance(x, Known)]))
    return Node(b.concat([b.expand(r.node(x), 0) for x in rows], 0))


@primitive("platform_index")
def _platform(r: Reader, e: Equation) -> Value:
    """Returns the branch for a CPU, since branches for several platforms compute the same."""
    for k, platforms in enumerate(e.params["platforms"]):
        if platforms is None or "cpu" in platforms:
            return Known(np.asarray(k))
    raise TraceError("branches for platforms without one for the CPU", code=ErrorCode.TRACE_BRANCH)
