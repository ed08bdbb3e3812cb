"""Handlers of exceptions that need not be seen: what they catch cannot arise, or goes on.

A handler that no trace has entered is harmless in three cases: what it catches follows from types
and names alone (`harmless_handlers`); no instruction runs that could lead to it; or it does nothing
but raise, so that the function has no value there, as without the handler.
"""

from __future__ import annotations

import builtins
import dis
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from types import CodeType, FunctionType, ModuleType

from eqvproof.tracing.observing.code import (
    DECIDED_BY_TYPES,
    caught,
    handlers_at,
    instructions,
    nested_codes,
    tests_classes,
)

Scopes = Sequence[Mapping[str, object]]
_HARMLESS = frozenset(
    {*(e.__name__ for e in DECIDED_BY_TYPES), "ModuleNotFoundError", "UnboundLocalError"}
)
_ENDS = frozenset({"RETURN_VALUE", "RETURN_CONST", "RAISE_VARARGS", "RERAISE"})
_JUMPS = frozenset({"JUMP_FORWARD", "JUMP_BACKWARD", "JUMP_BACKWARD_NO_INTERRUPT"})
_LOCAL = frozenset({"LOAD_FAST", "LOAD_FAST_BORROW", "LOAD_FAST_CHECK"})
_FORMATS = frozenset({"FORMAT_VALUE", "FORMAT_SIMPLE", "FORMAT_WITH_SPEC", "CONVERT_VALUE"})
#: What a handler may do before it raises.
_PLAIN = frozenset(
    "NOP CACHE EXTENDED_ARG NOT_TAKEN RESUME POP_TOP POP_EXCEPT PUSH_EXC_INFO COPY SWAP LOAD_CONST"
    " LOAD_COMMON_CONSTANT LOAD_SMALL_INT DELETE_FAST BUILD_STRING BUILD_TUPLE KW_NAMES PRECALL"
    " CALL STORE_FAST RERAISE".split()
)
_FUNCTIONS = (print, str, repr, type, len)
#: Exceptions that loops, or reads of attributes, take for an answer.
_ANSWERS = (StopIteration, StopAsyncIteration, GeneratorExit, LookupError, AttributeError)
#: Methods by which Python asks an object, and takes an exception for an answer.
_ASKED = frozenset(
    "__len__ __length_hint__ __getitem__ __next__ __iter__ __getattr__ __getattribute__ __array__"
    " __contains__ __index__ __float__ __int__ __bool__ __eq__ __hash__".split()
)
_OF_PLAIN_CLASSES = frozenset(
    "__module__ __doc__ __qualname__ __dict__ __weakref__ __static_attributes__ __firstlineno__"
    " __orig_bases__ __annotations__".split()
)
#: Packages of classes whose methods leave nothing behind.
_SAFE = ("builtins", "collections", "types", "numpy", "torch")
#: Methods that run where a text is made of an object, or an attribute is read.
_OF_TEXTS = frozenset({"__str__", "__repr__", "__format__", "__len__", "__mod__", "__rmod__"})
_READS = frozenset({"__getattr__", "__getattribute__", "__get__"})


def harmless_handlers(
    scopes: Iterable[Mapping[str, object]], *, mixes_classes: bool
) -> frozenset[str]:
    """Returns the names of the exceptions whose handlers need not be seen.

    Such a handler catches TypeError, AttributeError, NotImplementedError, NameError or ImportError.
    In a call on arrays these follow from what objects are, from the names in the code, and from
    what is installed; all arrays of a claim are of one type and, at one size, of one shape. So if
    the body raised none in the trace, it raises none for other entries: where the user's code
    raises one itself, under a condition on entries, the trace follows that branch, and finds the
    exception. ValueError, ZeroDivisionError, LinAlgError and all others may depend on entries.

    Classes of numbers may depend on entries: a power of a negative float of Python is complex, and
    max(x, 0) is the one or the other. Where the target uses such, imports alone are harmless.

    Args:
        scopes: the global variables of the functions that hold the handlers; a name that means
            something else there is left out.
        mixes_classes: whether the class of a number may depend on entries.
    """
    if mixes_classes:
        return frozenset({"ImportError", "ModuleNotFoundError"}).difference(*scopes)
    return _HARMLESS.difference(*scopes)


def allowed_handlers(
    codes: Collection[CodeType],
    steps: Iterable[tuple[CodeType, int]],
    functions: Collection[FunctionType],
    met: Iterable[object],
    *,
    mixes_classes: bool,
    has_classes: bool,
) -> dict[CodeType, frozenset[int]]:
    """Maps code that ran to the offsets of the starts and tests of its handlers that are allowed.

    Args:
        codes: the code objects that ran.
        steps: the instructions that ran.
        functions: the functions that they belong to, and all others that the target reaches.
        met: all objects that the target reaches.
        mixes_classes: whether the class of a number may depend on entries.
        has_classes: whether the traced values answer which class they are of.
    """
    ran = defaultdict[CodeType, set[int]](set)
    for code, offset in steps:
        ran[code].add(offset)
    kinds = {base for v in met for base in (v if isinstance(v, type) else type(v)).__mro__}
    methods = frozenset(
        name
        for kind in kinds
        if kind.__module__.partition(".")[0] not in _SAFE
        for name, value in vars(kind).items()
        if hasattr(type(value), "__get__")
    )
    asked = any(code.co_name in _ASKED for code in codes)

    def allowed(*, by_types: bool) -> tuple[dict[CodeType, frozenset[int]], bool]:
        """Returns what is allowed, and whether one exception may become another one."""
        found, renames = {}, False
        for code in filter(handlers_at, codes):
            scopes = [f.__globals__ for f in functions if code in nested_codes(f.__code__)]
            harmless, harms = frozenset[str](), set[int]()
            if scopes and by_types:
                harmless = harmless_handlers(scopes, mixes_classes=mixes_classes)
            entered = _may_be_entered(code, ran[code], harmless)
            for clause in _clauses(code):
                if clause.offset not in entered or clause.catches_only(harmless):
                    continue
                end = _End(code, clause, scopes, methods)
                if not (scopes and end.only_raises()) or (asked and end.renames()):
                    harms.add(clause.offset)
                else:
                    renames = renames or end.renames()
            found[code] = frozenset({clause.offset for clause in _clauses(code)} - harms)
        return found, renames

    found, renames = allowed(by_types=has_classes)
    if renames:  # what entries decide may arrive under the name of what types decide
        found, _ = allowed(by_types=False)
    return found


@dataclass(frozen=True, slots=True)
class _Clause:
    """A test of a handler with what runs if it accepts, or the start of a handler without tests.

    Attributes:
        offset: the offset of the test, or of the start.
        start: the offset at which it goes on.
        names: the names of the classes that it accepts; none where they are not plain names.
    """

    offset: int
    start: int
    names: tuple[str, ...] = ()

    def catches_only(self, names: Collection[str]) -> bool:
        """Checks whether it catches nothing but exceptions of some names."""
        return bool(self.names) and all(name in names for name in self.names)


@lru_cache(maxsize=512)
def _clauses(code: CodeType) -> tuple[_Clause, ...]:
    body = [i for i in instructions(code) if i.opname not in ("CACHE", "EXTENDED_ARG")]
    found = []
    for k, i in enumerate(body):
        if i.opname == "PUSH_EXC_INFO" and not tests_classes(body, k):
            found.append(_Clause(i.offset, i.offset))
        if i.opname == "CHECK_EXC_MATCH":
            found.append(_Clause(i.offset, body[k + 2].offset, caught(code)[i.offset]))
    return tuple(found)


@lru_cache(maxsize=512)
def _protected(code: CodeType) -> tuple[tuple[int, int, int], ...]:
    """Lists (start, end, handler) of the instructions whose exceptions a handler takes."""
    parse: Callable[[CodeType], Iterable[tuple[int, int, int, int, bool]]]
    parse = vars(dis)["_parse_exception_table"]
    return tuple((start, end, target) for start, end, target, _, _ in parse(code))


@lru_cache(maxsize=512)
def _next(code: CodeType) -> Mapping[int, tuple[int, ...]]:
    """Maps each instruction to those that may run after it, if it raises nothing."""
    body = instructions(code)
    found = {}
    for k, i in enumerate(body):
        later = (
            []
            if i.opname in _ENDS or i.opname in _JUMPS
            else [b.offset for b in body[k + 1 : k + 2]]
        )
        if i.opcode in dis.hasjrel or i.opcode in dis.hasjabs:
            later.append(int(i.argval))
        found[i.offset] = tuple(later)
    return found


def _all_after(starts: Iterable[int], later: Callable[[int], Iterable[int]]) -> set[int]:
    """Returns some offsets, with all that come later."""
    found, left = set[int](), list(starts)
    while left:
        offset = left.pop()
        if offset not in found:
            found.add(offset)
            left += later(offset)
    return found


def _may_be_entered(code: CodeType, ran: Collection[int], harmless: Collection[str]) -> set[int]:
    """Returns the offsets of handlers that may run, if instructions that ran raise.

    Handlers raise too. What is only caught by harmless names is not caught.
    """
    after, protected = _next(code), _protected(code)
    never = {c.offset: c.start for c in _clauses(code) if c.catches_only(harmless)}
    jumps = {i.offset for i in instructions(code) if i.opname.startswith("POP_JUMP")}

    def later(offset: int) -> Iterator[int]:
        known = {start for test, start in never.items() if test < offset < start}
        yield from (k for k in after[offset] if not (offset in jumps and k in known))
        yield from (target for start, end, target in protected if start <= offset < end)

    starts = {target for start, end, target in protected if any(start <= k < end for k in ran)}
    return _all_after(starts, later)


class _End:
    """Follows a handler from where a clause has accepted an exception."""

    def __init__(
        self, code: CodeType, clause: _Clause, scopes: Scopes, methods: frozenset[str]
    ) -> None:
        self._code, self._clause, self._scopes, self._methods = code, clause, scopes, methods
        starts = {i.offset for i in instructions(code) if i.opname == "PUSH_EXC_INFO"}

        def later(offset: int) -> Iterator[int]:
            yield from _next(code)[offset]
            for start, end, target in _protected(code):
                if start <= offset < end and target not in starts:
                    yield target

        offsets = _all_after({clause.start}, later)
        self._body = [
            i
            for i in instructions(code)
            if i.offset in offsets and i.opname not in ("CACHE", "EXTENDED_ARG")
        ]
        first, pairs = self._body[0], pairwise(self._body)
        self._own = {i.argval for i in self._body if i.opname == "STORE_FAST"}
        again = {
            j.argval for i, j in pairs if j.opname == "STORE_FAST" and i.opname != "LOAD_CONST"
        }
        self._caught = {first.argval} & self._own - again

    def only_raises(self) -> bool:
        """Checks whether it always raises, and has no effect but printed texts."""
        return self._is_test_plain() and all(map(self._is_plain, range(len(self._body))))

    def renames(self) -> bool:
        """Checks whether what it raises may be another exception than the one it caught."""
        makes = _FORMATS | {"CALL", "LOAD_ATTR", "BINARY_OP"}
        return any(i.opname in makes or (i.opname == "RAISE_VARARGS" and i.arg) for i in self._body)

    def _is_test_plain(self) -> bool:
        """Checks that the classes it tests for are names of modules, with attributes."""
        if self._clause.start == self._clause.offset:
            return True
        chains: list[list[str]] = [[]]
        for i in reversed([i for i in instructions(self._code) if i.offset < self._clause.offset]):
            if i.opname in _ENDS or i.opname in _JUMPS or i.opname == "PUSH_EXC_INFO":
                tests = [chain for chain in chains if chain]
                return all(_is_class(scope, chain) for chain in tests for scope in self._scopes)
            if i.opname in ("LOAD_GLOBAL", "LOAD_ATTR"):
                chains[-1].insert(0, str(i.argval))
            elif i.opname not in ("BUILD_TUPLE", "CACHE", "EXTENDED_ARG"):
                return False
            if i.opname == "LOAD_GLOBAL":
                chains.append([])
        return False

    def _is_plain(self, k: int) -> bool:
        i, before = self._body[k], self._body[k - 1]
        if i.opname == "RAISE_VARARGS":
            raised, *cause = self._body[max(k - (i.arg or 0), 0) : k] or [i]
            makes = not i.arg or raised.opname in ("CALL", "LOAD_GLOBAL")
            return (makes or self._is_caught(raised)) and all(
                j.opname == "LOAD_CONST" or self._is_caught(j) for j in cause
            )
        if i.opname in _PLAIN or (i.opname == "BINARY_OP" and i.argrepr == "%"):
            return True
        if i.opname in _LOCAL or i.opname in _FORMATS:
            return i.argval in self._own or not self._has_code(_OF_TEXTS)
        if i.opname == "LOAD_GLOBAL":
            return all(self._may_call(_value_of_global(s, str(i.argval))) for s in self._scopes)
        if i.opname == "LOAD_METHOD" or (i.opname == "LOAD_ATTR" and i.argrepr != i.argval):
            is_text = before.opname == "LOAD_CONST" and type(before.argval) is str
            return is_text and i.argval == "format"
        return i.opname == "LOAD_ATTR" and not self._has_code({*_READS, str(i.argval)})

    def _is_caught(self, i: dis.Instruction) -> bool:
        return i.opname in _LOCAL and i.argval in self._caught

    def _has_code(self, names: Collection[str]) -> bool:
        return not self._methods.isdisjoint(names)

    def _may_call(self, value: object) -> bool:
        if any(value is f for f in _FUNCTIONS):
            return not self._has_code(_OF_TEXTS)
        return _is_plain_exception(value)


def _value_of_global(scope: Mapping[str, object], name: str) -> object:
    """Returns the value of a global name; None if it has none."""
    return scope.get(name, vars(builtins).get(name))


def _is_class(scope: Mapping[str, object], chain: Sequence[str]) -> bool:
    """Checks whether a name with attributes of modules is a class of exceptions."""
    value = _value_of_global(scope, chain[0])
    for name in chain[1:]:
        value = vars(value).get(name) if isinstance(value, ModuleType) else None
    return isinstance(value, type) and issubclass(value, BaseException)


def _is_plain_exception(value: object) -> bool:
    """Checks whether a value is a class of exceptions without code of its own.

    Those that loops and reads of attributes take for an answer are left out.
    """
    if type(value) is not type or not issubclass(value, BaseException):
        return False
    own = [kind for kind in value.__mro__ if kind.__module__ != "builtins"]
    names = {name for kind in own for name in vars(kind)}
    return names <= _OF_PLAIN_CLASSES and not issubclass(value, _ANSWERS)
