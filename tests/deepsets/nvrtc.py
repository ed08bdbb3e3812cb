"""NVRTC through its C interface: compiles CUDA sources where there is no driver and no device."""

from __future__ import annotations

import ctypes
import importlib.util
from pathlib import Path


def library() -> ctypes.CDLL | None:
    """NVRTC of the pip wheel, or None."""
    for package in ("nvidia.cuda_nvrtc", "nvidia.cu13"):
        try:
            spec = importlib.util.find_spec(package)
        except ModuleNotFoundError:
            continue
        for place in (spec.submodule_search_locations or []) if spec else []:
            found = sorted(Path(place).rglob("libnvrtc.so.*")) + sorted(Path(place).rglob("nvrtc64*_0.dll"))
            if found:
                return ctypes.CDLL(str(found[0]))
    return None


def compile_source(nvrtc: ctypes.CDLL, source: str, architecture: str) -> str:
    """The log; raises when the source does not compile, or compiles to nothing."""
    program = ctypes.c_void_p()
    text = source.encode()
    if nvrtc.nvrtcCreateProgram(ctypes.byref(program), text, b"pool.cu", 0, None, None):
        raise RuntimeError("no program")
    options = (ctypes.c_char_p * 2)(f"--gpu-architecture={architecture}".encode(), b"--fmad=false")
    status = nvrtc.nvrtcCompileProgram(program, 2, options)
    size = ctypes.c_size_t()
    nvrtc.nvrtcGetProgramLogSize(program, ctypes.byref(size))
    log = ctypes.create_string_buffer(size.value)
    nvrtc.nvrtcGetProgramLog(program, log)
    code = ctypes.c_size_t()
    if status == 0:
        nvrtc.nvrtcGetCUBINSize(program, ctypes.byref(code))
    nvrtc.nvrtcDestroyProgram(ctypes.byref(program))
    if status or not code.value:
        raise RuntimeError(log.value.decode())
    return log.value.decode()
