"""The user's code objects, read for what a trace cannot see.

A trace shows what one run did. It shows no exception handler that was not entered, no write to a global, no
import of a clock. These are read off the bytecode of every function that ran.
"""

from __future__ import annotations

import builtins
import contextlib
import dis
import inspect
import operator
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from types import CodeType
from typing import Any

from eqvproof.frontends.frames import place_text

#: Builtins that ask what an object is, run text, or reach the world outside.
FORBIDDEN_BUILTINS: frozenset[str] = frozenset(
    "type hasattr getattr setattr delattr id hash repr object globals locals vars dir eval exec compile open "
    "input __import__ breakpoint memoryview help exit quit copyright credits license".split()
)
FORBIDDEN_OBJECTS: tuple[Any, ...] = (
    *(getattr(builtins, name) for name in sorted(FORBIDDEN_BUILTINS) if hasattr(builtins, name)),
    operator.attrgetter, operator.methodcaller, operator.is_, operator.is_not, contextlib.suppress,
    contextlib.ExitStack,
)  # fmt: skip
#: Modules whose functions are functions: equal arguments, equal results.
PURE_MODULES: frozenset[str] = frozenset(
    "numpy scipy array_api_compat einops math cmath operator functools itertools collections typing "
    "typing_extensions dataclasses enum abc numbers fractions contextlib warnings copy string textwrap types "
    "__future__ eqvproof builtins "
    "reprlib _operator _functools _collections _collections_abc _abc".split()
)
_DUNDERS: frozenset[str] = frozenset(
    "__init__ __call__ __enter__ __exit__ __post_init__ __array_namespace__ __add__ __radd__ "
    "__sub__ __rsub__ __mul__ __rmul__ __truediv__ __rtruediv__ __pow__ __matmul__ __rmatmul__ __neg__ "
    "__getitem__ __len__ __iter__ __next__ __version__".split()
)
#: Attributes that lead out of what can be followed.
_HIDDEN: frozenset[str] = frozenset(
    "_eqvproof f_globals f_locals f_back gi_frame tb_frame attrgetter methodcaller is_ is_not suppress "
    "ExitStack sys _sys os _os builtins inspect gc ctypes importlib threading _thread weakref "
    "_weakref".split()
)


@dataclass(frozen=True, slots=True)
class Finding:
    """Something in the user's code that a trace cannot answer for."""

    reason: str
    place: str


def nested_codes(code: CodeType) -> list[CodeType]:
    """The code object and those defined inside it."""
    found = [code]
    for constant in code.co_consts:
        if inspect.iscode(constant):
            found += nested_codes(constant)
    return found


@lru_cache(maxsize=512)
def instructions(code: CodeType) -> tuple[dis.Instruction, ...]:
    """The instructions of a code object."""
    return tuple(dis.get_instructions(code))


@lru_cache(maxsize=512)
def arguments_at(code: CodeType) -> dict[int, Any]:
    """Offset of an instruction -> what it names, loads or calls."""
    return {i.offset: i.argval for i in instructions(code)}


def global_names(code: CodeType) -> frozenset[str]:
    """The global names that a code object loads."""
    return frozenset(
        str(i.argval)
        for i in instructions(code)
        if i.opname in ("LOAD_GLOBAL", "LOAD_NAME", "LOAD_FROM_DICT_OR_GLOBALS")
    )


def attribute_names(code: CodeType) -> frozenset[str]:
    """The names that a code object mentions, attributes among them."""
    return frozenset(code.co_names)


def imported_modules(code: CodeType) -> frozenset[str]:
    """The modules that a code object imports while it runs."""
    return frozenset(str(i.argval) for i in instructions(code) if i.opname == "IMPORT_NAME")


def integer_constants(code: CodeType) -> set[int | float]:
    """The numbers that stand in a code object."""
    found: set[int | float] = set()
    stack: list[Any] = list(code.co_consts)
    while stack:
        value = stack.pop()
        if type(value) in (int, float):
            found.add(value)
        elif type(value) in (tuple, frozenset):
            stack.extend(value)
    return found


@lru_cache(maxsize=512)
def attribute_stores(code: CodeType) -> Mapping[int, tuple[str, str]]:
    """offset -> (local variable, attribute) of the instructions that set an attribute of a local variable."""
    body = instructions(code)
    found: dict[int, tuple[str, str]] = {}
    for before, i in pairwise(body):
        if i.opname == "STORE_ATTR" and before.opname.startswith("LOAD_FAST"):
            owner = before.argval[-1] if isinstance(before.argval, tuple) else before.argval
            found[i.offset] = (str(owner), str(i.argval))
    return found


@lru_cache(maxsize=512)
def attribute_questions(code: CodeType) -> frozenset[str] | None:
    """The names that getattr and hasattr ask ``self`` for; None where they ask anything else."""
    body = [i for i in instructions(code) if i.opname not in ("CACHE", "PRECALL", "PUSH_NULL")]
    found = set()
    for k, i in enumerate(body):
        if i.argval not in ("getattr", "hasattr") or i.opname != "LOAD_GLOBAL":
            continue
        owner, name = [*body[k + 1 : k + 3], None, None][:2]
        fits = owner is not None and owner.opname.startswith("LOAD_FAST") and owner.argval == "self"
        if not fits or name is None or name.opname != "LOAD_CONST" or type(name.argval) is not str:
            return None
        found.add(name.argval)
    return frozenset(found)


def examine(code: CodeType) -> list[Finding]:
    """What one code object does that a trace cannot see."""
    findings: list[Finding] = []
    line = code.co_firstlineno
    body = instructions(code)
    for k, i in enumerate(body):
        position = i.positions
        line = position.lineno if position is not None and position.lineno is not None else line
        reason = _reason(code, body, k)
        if reason:
            finding = Finding(reason, place_text(code.co_filename, line))
            if finding not in findings:
                findings.append(finding)
    if code.co_flags & (inspect.CO_COROUTINE | inspect.CO_ASYNC_GENERATOR):
        findings.append(Finding("async code", place_text(code.co_filename, code.co_firstlineno)))
    return findings


def _reason(code: CodeType, body: tuple[dis.Instruction, ...], k: int) -> str:
    i = body[k]
    name = str(i.argval)
    if i.opname in ("CHECK_EXC_MATCH", "CHECK_EG_MATCH"):
        return "exceptions are caught (try/except): what happens then is not seen"
    if i.opname == "PUSH_EXC_INFO":
        after = next((j.opname for j in body[k + 1 :] if j.opname not in ("NOP", "CACHE")), "")
        if after != "WITH_EXCEPT_START" and not _has_match(body, k):
            return "exceptions are intercepted (a bare except, or finally): what happens then is not seen"
    if i.opname in ("STORE_GLOBAL", "DELETE_GLOBAL"):
        return f"the global variable {name} is written: the function keeps state between calls"
    if i.opname in ("STORE_DEREF", "DELETE_DEREF") and name in code.co_freevars:
        return f"the outer variable {name} is written (nonlocal): the function may keep state between calls"
    if i.opname == "IMPORT_NAME" and name.split(".")[0] not in PURE_MODULES:
        return (
            f"the module {name} is imported inside the function: it may be random, or read the world outside"
        )
    if i.opname == "IMPORT_NAME" and name.split(".")[0] == "builtins":
        return "the module builtins is imported inside the function"
    if i.opname in ("LOAD_GLOBAL", "LOAD_NAME") and name in ("__builtins__", "__loader__", "__spec__"):
        return f"{name} leads to what a trace cannot follow"
    if i.opname == "IS_OP" and not body[k - 1].opname.startswith(("LOAD_CONST", "LOAD_COMMON_CONST")):
        return "the identity of two objects is asked for (is): it is an accident of memory"
    if i.opname == "STORE_ATTR" and not body[k - 1].opname.startswith("LOAD_FAST"):
        return f"the attribute {name} of something that is no local variable is set"
    if i.opname in (
        "LOAD_ATTR",
        "LOAD_METHOD",
        "STORE_ATTR",
        "DELETE_ATTR",
        "LOAD_SUPER_ATTR",
        "IMPORT_FROM",
    ):
        if name.startswith("__") and name.endswith("__") and name not in _DUNDERS:
            return f"the attribute {name} asks what an object is, which a traced array cannot answer"
        if name in _HIDDEN:
            return f"the attribute {name} is internal"
    return ""


def _has_match(body: tuple[dis.Instruction, ...], k: int) -> bool:
    """Whether the handler that starts at k tests the type of the exception (reported there)."""
    for i in body[k + 1 :]:
        if i.opname == "PUSH_EXC_INFO":
            return False
        if i.opname in ("CHECK_EXC_MATCH", "CHECK_EG_MATCH"):
            return True
    return False
