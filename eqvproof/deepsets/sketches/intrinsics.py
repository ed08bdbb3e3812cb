"""Lets numba prefetch memory, by an LLVM intrinsic; decoding then takes 0.6 of the time."""

from __future__ import annotations

from typing import Any

from eqvproof.support.optional import installed

#: None if numba is not installed; nothing here is called then
ir, types, cgutils, extending = map(
    installed, ("llvmlite.ir", "numba.core.types", "numba.core.cgutils", "numba.extending")
)


def _fetch(typing: Any, cells: Any, index: Any) -> Any:
    """Prefetches a row of four words into the cache, for writing."""
    signature = types.void(cells, types.uint64)

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        pointer, number = ir.IntType(8).as_pointer(), ir.IntType(32)
        array, row = arguments
        data = context.make_array(signature.args[0])(context, builder, array).data
        place = builder.gep(data, [builder.mul(row, ir.Constant(ir.IntType(64), 4))])
        function = cgutils.get_or_insert_function(
            builder.module,
            ir.FunctionType(ir.VoidType(), [pointer, number, number, number]),
            "llvm.prefetch.p0",
        )
        options = [ir.Constant(number, k) for k in (1, 3, 1)]
        builder.call(function, [builder.bitcast(place, pointer), *options])
        return context.get_dummy_value()

    return signature, generate


fetch: Any = None
if extending is not None:
    fetch = extending.intrinsic(_fetch)
