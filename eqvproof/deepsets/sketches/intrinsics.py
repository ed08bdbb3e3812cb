"""Two machine instructions that numba does not name: adding to four words at once, and fetching ahead."""

from __future__ import annotations

import importlib
from typing import Any

ir: Any
types: Any
cgutils: Any
extending: Any
try:
    ir, types, cgutils, extending = (
        importlib.import_module(name)
        for name in ("llvmlite.ir", "numba.core.types", "numba.core.cgutils", "numba.extending")
    )
except ImportError:  # nothing here is called
    extending = None


def _row(context: Any, builder: Any, array_type: Any, array: Any, index: Any) -> Any:
    """The address of a row of four words."""
    data = context.make_array(array_type)(context, builder, array).data
    return builder.gep(data, [builder.mul(index, ir.Constant(ir.IntType(64), 4))])


def _add_row(typing: Any, cells: Any, index: Any, a: Any, b: Any, c: Any, d: Any) -> Any:
    """cells[index] += (a, b, c, d) for a C-contiguous array of four columns."""
    signature = types.void(cells, types.uint64, types.uint64, types.uint64, types.uint64, types.uint64)

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        vector = ir.VectorType(ir.IntType(64), 4)
        place = builder.bitcast(
            _row(context, builder, signature.args[0], *arguments[:2]), vector.as_pointer()
        )
        total = ir.Constant(vector, ir.Undefined)
        for j, value in enumerate(arguments[2:]):
            total = builder.insert_element(total, value, ir.Constant(ir.IntType(32), j))
        builder.store(builder.add(builder.load(place, align=8), total), place, align=8)
        return context.get_dummy_value()

    return signature, generate


def _fetch(typing: Any, cells: Any, index: Any) -> Any:
    """Ask for a row to be brought into the cache, for writing."""
    signature = types.void(cells, types.uint64)

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        pointer, number = ir.IntType(8).as_pointer(), ir.IntType(32)
        place = builder.bitcast(_row(context, builder, signature.args[0], *arguments), pointer)
        function = cgutils.get_or_insert_function(
            builder.module,
            ir.FunctionType(ir.VoidType(), [pointer, number, number, number]),
            "llvm.prefetch.p0",
        )
        builder.call(function, [place, *(ir.Constant(number, k) for k in (1, 3, 1))])
        return context.get_dummy_value()

    return signature, generate


add_row: Any = extending.intrinsic(_add_row) if extending is not None else None
fetch: Any = extending.intrinsic(_fetch) if extending is not None else None
