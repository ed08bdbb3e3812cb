"""Finds why a function may do more than compute a value from its arguments.

How often it runs then matters: np.vectorize runs it for each entry, np.piecewise where a piece has
entries, and a trace once on each way.

What is allowed is listed; all else is refused. The code may read numbers, other such functions,
functions of NumPy and math, and reductions of arrays; it may call methods of its own values alone.
It may write into what it has made, by no name from outside, since it holds no array, container or
object from outside.
"""

from __future__ import annotations

import builtins
import math
from collections.abc import Mapping
from types import BuiltinFunctionType, CodeType, FunctionType, ModuleType
from typing import Any

import numpy as np

from eqvproof.tracing.arrays.functions import FUNCTIONS, UFUNCS
from eqvproof.tracing.arrays.values import is_traced
from eqvproof.tracing.observing.code import Read, cells_of, instructions, nested_codes, reads
from eqvproof.tracing.observing.held_objects import ATOMS

#: Instructions that write elsewhere, or do more than compute.
_REFUSED = frozenset(
    "STORE_SUBSCR DELETE_SUBSCR STORE_SLICE STORE_ATTR DELETE_ATTR STORE_GLOBAL DELETE_GLOBAL "
    "STORE_NAME DELETE_NAME IMPORT_NAME IMPORT_FROM YIELD_VALUE SEND LOAD_BUILD_CLASS "
    "PUSH_EXC_INFO CHECK_EXC_MATCH BEFORE_WITH IS_OP CONTAINS_OP FORMAT_VALUE FORMAT_SIMPLE "
    "FORMAT_WITH_SPEC BUILD_STRING".split()
)
#: Others give integers where their arguments are floats, or ask for classes.
_BUILTINS = frozenset(
    "abs float range tuple list zip enumerate ValueError ArithmeticError ZeroDivisionError".split()
)
#: What may be asked of arrays from outside: their numbers as wholes, none of their memory.
_REDUCTIONS = frozenset("mean sum max min std var prod shape size ndim".split())
#: Functions of NumPy that write into their arguments, draw numbers, or tell memory.
_WRITING = frozenset(
    "copyto put place putmask fill_diagonal put_along_axis shares_memory may_share_memory".split()
)
#: Prefixes of attributes of frames, generators, code and classes.
_INNER = ("__", "gi_", "cr_", "ag_", "f_", "co_", "tb_", "func_")


def reason_against(function: object) -> str:
    """Says why a function may do more than compute a value from its arguments, or ""."""
    queue, seen = [as_written(function)], set[int]()
    while queue:
        value = queue.pop()
        if id(value) in seen or _is_known(value):
            continue
        seen.add(id(value))
        if type(value) is not FunctionType:
            return "it is, or calls, what is no plain function"
        given = (*(value.__defaults__ or ()), *(value.__kwdefaults__ or {}).values())
        if not all(type(default) in ATOMS for default in given):
            return "a default is no number"
        for code in nested_codes(value.__code__):
            found = _refused_instruction(code, value) or _refused_name(code, value, queue)
            if found:
                return found
    return ""


def as_written(value: Any) -> Any:
    """Returns the function for which another one stands in traced code."""
    while hasattr(type(value), "_original"):
        value = value._original
    return value


def _is_known(value: Any) -> bool:
    if isinstance(value, np.ufunc):
        return value in UFUNCS
    name = getattr(value, "__name__", "")
    if type(value) is BuiltinFunctionType and value.__module__ == "math":
        return getattr(math, name, None) is value
    if not callable(value):
        return False
    if getattr(builtins, name, None) is value:
        return name in _BUILTINS
    return type(value) is not FunctionType and value in FUNCTIONS and name not in _WRITING


def _refused_instruction(code: CodeType, function: FunctionType) -> str:
    body = [i for i in instructions(code) if i.opname not in ("CACHE", "EXTENDED_ARG", "NOP")]
    for before, i, after in zip([None, *body], body, [*body[1:], None], strict=False):
        if i.opname == "COMPARE_OP" and not (
            after is not None and after.opname.startswith(("POP_JUMP", "TO_BOOL"))
        ):
            return "it computes with a truth value, which is a number of Python"
        if i.argrepr in ("**", "**=") and (before is None or type(before.argval) is not int):
            return "it takes a power, which may be complex in Python"
        outer = i.opname in ("STORE_DEREF", "DELETE_DEREF") and (
            i.argval in function.__code__.co_freevars
        )
        if outer or i.opname in _REFUSED:
            return "it writes into what it holds, or does more than compute"
        if i.opname in ("LOAD_ATTR", "LOAD_METHOD") and str(i.argval).startswith(_INNER):
            return f"it asks for .{i.argval}"
    names = (word for words in code.co_consts if type(words) is tuple for word in words)
    if "out" in names:
        return "it gives a function an array to write into"
    return ""


def _refused_name(code: CodeType, function: FunctionType, queue: list[object]) -> str:
    scope: Mapping[str, Any] = function.__globals__
    cells = cells_of(function)
    own = {name for inner in nested_codes(function.__code__) for name in inner.co_cellvars}
    for read in reads(code):
        if not read.name or (read.name in own and read.name not in cells):
            continue  # an attribute of a value of its own, or a variable that functions in it read
        if read.name in cells:
            value = cells[read.name].cell_contents
        elif read.name in scope:
            value = scope[read.name]
        elif hasattr(builtins, read.name):
            value = getattr(builtins, read.name)
        else:
            return f"the name {read.name} is not known"
        found = _refused_value(value, read, queue)
        if found:
            return found
    return ""


def _refused_value(value: Any, read: Read, queue: list[object]) -> str:
    chain = read.chain
    while isinstance(value, ModuleType) and chain:
        value, chain = getattr(value, chain[0], None), chain[1:]
    if type(value) in ATOMS or issubclass(type(value), np.generic):
        return ""
    if is_traced(value) or issubclass(type(value), np.ndarray):
        if not value.ndim or (chain and chain[0] in _REDUCTIONS):
            return ""
        return f"it uses the array {read.name}"
    queue.append(as_written(value))
    if chain or isinstance(value, ModuleType):
        return f"it uses {read.name}.{'.'.join(read.chain)}"
    return ""
