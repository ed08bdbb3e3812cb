"""What a torch target can reach: the user's code, and the data that must not change.

Code of torch itself is trusted to be traced faithfully by ``torch.export``; the user's own functions, methods
and submodules are read for what an exported graph cannot show, and everything they hold is fingerprinted.
"""

from __future__ import annotations

import hashlib
import inspect
from collections.abc import Callable, Iterator
from types import CodeType, FunctionType, MethodType, ModuleType
from typing import Any

import numpy as np

from eqvproof.errors import TraceError
from eqvproof.frontends.code import FORBIDDEN_BUILTINS, examine, global_names, nested_codes

#: Names by which code asks whether it is being traced.
TELLTALES = frozenset(
    "is_exporting is_compiling is_tracing is_dynamo_compiling is_scripting FakeTensor is_fake "
    "is_grad_enabled requires_grad grad_fn data_ptr untyped_storage".split()
)
PLAIN = (int, float, complex, str, bytes, bool, type(None), type, ModuleType, range, slice)


class Surroundings:
    """The user's functions behind a target, and a fingerprint of the data that they can reach.

    Attributes:
        functions: the user's functions.
        token: equal tokens mean equal data.
    """

    def __init__(self, target: Callable[..., Any]) -> None:
        self.functions: dict[CodeType, FunctionType] = {}
        self._seen: dict[int, Any] = {}
        self._digest = hashlib.sha256()
        self._visit(target, "target")
        self._digest.update(_random_state())
        self.token = self._digest.hexdigest()

    def judge(self) -> None:
        """Refuse what an exported graph cannot answer for.

        Raises:
            TraceError: with the reason and the line.
        """
        for code in self.functions:
            for inner in nested_codes(code):
                place = f"{inner.co_filename.rsplit('/', 1)[-1]}:{inner.co_firstlineno}"
                for finding in examine(inner):
                    raise TraceError(finding.reason, given=finding.place, code="trace.impure")
                asked = sorted((FORBIDDEN_BUILTINS & global_names(inner)) | (TELLTALES & set(inner.co_names)))
                if asked:
                    raise TraceError(
                        f"the target uses {asked[0]}, which an exported graph cannot answer for",
                        given=place,
                        code="trace.impure",
                    )

    def _visit(self, value: Any, path: str) -> None:
        if id(value) in self._seen and not isinstance(value, PLAIN):
            self._add(path, "again")
            return
        self._seen[id(value)] = value
        if isinstance(value, PLAIN):
            self._add(path, repr(value))
        elif isinstance(value, np.ndarray):
            self._add(path, str(value.dtype), str(value.shape), value.tobytes())
        elif isinstance(value, np.generic):
            self._add(path, repr(value))
        elif isinstance(value, (tuple, list, set, frozenset)):
            for i, item in enumerate(
                sorted(value, key=repr) if isinstance(value, (set, frozenset)) else value
            ):
                self._visit(item, f"{path}[{i}]")
            self._add(path, str(len(value)))
        elif isinstance(value, dict):
            for key, item in value.items():
                self._visit(item, f"{path}[{key!r}]")
            self._add(path, str(len(value)))
        elif isinstance(value, MethodType):
            self._visit(value.__self__, path + ".self")
            self._visit(value.__func__, path)
        elif isinstance(value, FunctionType):
            self._function(value, path)
        else:
            self._object(value, path)

    def _function(self, function: FunctionType, path: str) -> None:
        if _is_torch(function.__module__):
            return
        self.functions[function.__code__] = function
        for name, cell in zip(function.__code__.co_freevars, function.__closure__ or (), strict=True):
            try:
                self._visit(cell.cell_contents, f"{path}.{name}")
            except ValueError:  # a cell that is still empty
                continue
        self._visit(function.__defaults__, path + ".defaults")
        self._visit(function.__kwdefaults__, path + ".kwdefaults")
        self._visit(dict(function.__dict__), path + ".dict")
        for code in nested_codes(function.__code__):
            for name in sorted(global_names(code)):
                if name in function.__globals__:
                    self._visit(function.__globals__[name], f"{path}.{name}")

    def _object(self, value: Any, path: str) -> None:
        import torch

        if isinstance(value, torch.Tensor):
            array = value.detach().cpu()
            data = array.double().numpy() if array.is_floating_point() else array.numpy()
            self._add(path, str(array.dtype), str(tuple(array.shape)), data.tobytes())
            return
        if isinstance(value, (torch.dtype, torch.device)) or _is_torch(getattr(value, "__module__", "")):
            if not isinstance(value, torch.nn.Module):
                self._add(path, repr(type(value)))
                return
        if isinstance(value, torch.nn.Module):
            for method in _methods(type(value)):
                self._visit(method, f"{path}.{method.__name__}")
            for name, item in sorted(vars(value).items()):
                self._visit(item, f"{path}.{name}")
            return
        if callable(value) and inspect.isbuiltin(value):
            self._add(path, repr(value))
            return
        if isinstance(value, torch.Generator) or not hasattr(value, "__dict__"):
            raise TraceError(
                "the target reaches an object whose state cannot be read",
                given=f"{path}: {type(value).__name__}",
                code="trace.state",
            )
        for method in _methods(type(value)):
            self._visit(method, f"{path}.{method.__name__}")
        self._visit(dict(vars(value)), path)

    def _add(self, *parts: str | bytes) -> None:
        for part in parts:
            self._digest.update(part.encode() if isinstance(part, str) else part)
            self._digest.update(b"\0")


def _methods(cls: type) -> Iterator[FunctionType]:
    for base in cls.__mro__:
        if not _is_torch(base.__module__) and base is not object:
            yield from (
                v for v in vars(base).values() if isinstance(v, FunctionType) and v.__name__ != "__init__"
            )


def _is_torch(module: Any) -> bool:
    return str(module or "").split(".")[0] in (
        "torch",
        "builtins",
        "collections",
        "math",
        "typing",
        "functools",
    )


def _random_state() -> bytes:
    import random

    import torch

    legacy: Any = np.random.get_state(legacy=False)
    state = legacy["state"]
    parts = (torch.get_rng_state().tolist(), state["key"].tolist(), state["pos"], random.getstate())
    return repr(parts).encode()
