"""Machine code from LLVM modules that are built as data; llvmlite brings LLVM, and numba brings llvmlite."""

from __future__ import annotations

import ctypes
import functools
from typing import Any


@functools.cache
def llvm() -> Any:
    """(llvmlite.binding, llvmlite.ir) for this processor, or None where llvmlite is not installed."""
    try:
        import llvmlite.binding as binding
        import llvmlite.ir as ir
    except ImportError:
        return None
    binding.initialize_native_target()
    binding.initialize_native_asmprinter()
    return binding, ir


@functools.cache
def has_wide_vectors() -> bool:
    """Whether this processor has vectors of 64 bytes (AVX-512), and so 32 registers of them."""
    binding, _ = llvm()
    return bool(binding.get_host_cpu_features().get("avx512f", False))


def machine_code(module: Any, name: str, arguments: int) -> tuple[Any, Any]:
    """A function of a module as machine code for this processor.

    Args:
        module: an `llvmlite.ir.Module`.
        name: of a function that takes pointers and 64-bit integers, and returns a 64-bit integer.
        arguments: how many.

    Returns:
        the ctypes function (it releases Python's lock), and what owns the machine code.
    """
    binding, _ = llvm()
    parsed = binding.parse_assembly(str(module))
    parsed.verify()
    features = binding.get_host_cpu_features()
    flags = features.flatten() + (",-prefer-256-bit" if has_wide_vectors() else "")
    target = binding.Target.from_default_triple()
    machine = target.create_target_machine(cpu=binding.get_host_cpu_name(), features=flags, opt=3)
    engine = binding.create_mcjit_compiler(parsed, machine)
    engine.finalize_object()
    kind = ctypes.CFUNCTYPE(ctypes.c_int64, *[ctypes.c_int64] * arguments)
    return kind(engine.get_function_address(name)), engine
