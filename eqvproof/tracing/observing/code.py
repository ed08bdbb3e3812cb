"""Analysis of the user's bytecode for effects that a trace cannot see.

A trace shows what one run did. It does not show an exception handler that was not entered, a write
to a global, or an import of a clock. These are read off the bytecode of every function that ran.
"""

from __future__ import annotations

import dis
import inspect
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from types import CellType, CodeType, FunctionType
from typing import Any

from eqvproof.support.lazy import LaterModule
from eqvproof.tracing.observing.frames import place_text

_COMPARED = LaterModule("eqvproof.tracing.observing.compared_types")

_DUNDERS: frozenset[str] = frozenset(
    "__init__ __call__ __enter__ __exit__ __post_init__ __array_namespace__ __add__ __radd__ "
    "__sub__ __rsub__ __mul__ __rmul__ __truediv__ __rtruediv__ __pow__ __matmul__ __rmatmul__"
    " __neg__ "
    "__getitem__ __len__ __iter__ __next__ __version__".split()
)
_STORE_ATTR = dis.opmap["STORE_ATTR"]
#: Attributes that ask for a class, or for its name.
_OF_CLASSES = ("__class__", "__name__")
#: Prefixes of NumPy's types of dates; dates are made from texts, one of which is "now".
_DATES = ("M8", "m8", "datetime64", "timedelta64")


@dataclass(frozen=True, slots=True)
class Finding:
    """An effect of the user's code that a trace cannot see, and its place."""

    reason: str
    place: str


def nested_codes(code: CodeType) -> list[CodeType]:
    """Lists the code object and those defined inside it."""
    found = [code]
    for constant in code.co_consts:
        if inspect.iscode(constant):
            found += nested_codes(constant)
    return found


def cells_of(function: FunctionType) -> dict[str, CellType]:
    """Returns the outer variables of a function that are set."""
    found = {}
    for name, cell in zip(function.__code__.co_freevars, function.__closure__ or (), strict=True):
        try:
            cell.cell_contents  # noqa: B018
        except ValueError:
            continue
        found[name] = cell
    return found


@lru_cache(maxsize=512)
def instructions(code: CodeType) -> tuple[dis.Instruction, ...]:
    """Returns the instructions of a code object."""
    return tuple(dis.get_instructions(code))


@lru_cache(maxsize=512)
def arguments_at(code: CodeType) -> dict[int, object]:
    """Maps the offset of each instruction to the object it names, loads or calls."""
    return {i.offset: i.argval for i in instructions(code)}


def imports(code: CodeType) -> list[tuple[int, str]]:
    """Lists (offset, module) for the modules that a code object imports while it runs."""
    return [(i.offset, str(i.argval)) for i in instructions(code) if i.opname == "IMPORT_NAME"]


def import_statements(code: CodeType) -> list[tuple[str, tuple[str, ...]]]:
    """Lists (module, names taken from it) for the same imports; relative ones begin with dots."""
    body, found = [i for i in instructions(code) if i.opname not in SILENT], []
    for level, names, i in zip(body, body[1:], body[2:], strict=False):
        if i.opname == "IMPORT_NAME":
            found.append(("." * int(level.argval) + str(i.argval), tuple(names.argval or ())))
    return found


@dataclass(frozen=True, slots=True)
class Read:
    """A global or outer name that code loads, with the attributes that it then looks up.

    Attributes:
        offset: the offset of the instruction.
        name: the global or outer variable; "" for an attribute of anything else.
        chain: the attributes, each looked up on the previous one.
        use: the instruction that uses the value.
        before: the constant whose attribute is looked up, where the code writes one.
    """

    offset: int
    name: str
    chain: tuple[str, ...]
    before: Any = None
    use: str = ""


@lru_cache(maxsize=512)
def _ends(code: CodeType) -> tuple[tuple[int, bool], ...]:
    """Lists (offset, whether it raises out of the code) of the instructions that end expressions.

    Targets of jumps, where other expressions go on, are listed as well.
    """
    body = instructions(code)
    starts = handlers_at(code)
    entries = dis.Bytecode(code).exception_entries  # type: ignore[attr-defined]
    caught = [range(e.start, e.end) for e in entries if e.target in starts]
    ends = [
        i for i in body if i.opname.startswith(_LAST) or i.opcode in (*dis.hasjrel, *dis.hasjabs)
    ]
    found = [
        (i.offset, i.opname == "RAISE_VARARGS" and not any(i.offset in part for part in caught))
        for i in ends
    ]
    return tuple(sorted([*found, *((i.offset, False) for i in body if i.is_jump_target)]))


def ends_in_raise(code: CodeType, offset: int) -> bool:
    """Checks whether an instruction belongs only to an expression raised out of the code."""
    return next((raises for end, raises in _ends(code) if end > offset), False)


def local_at(i: dis.Instruction) -> str:
    """Returns the local variable that an instruction loads, of two the last one; else ""."""
    name = i.argval[-1] if isinstance(i.argval, tuple) else i.argval
    if i.opname.startswith("LOAD_FAST"):
        return str(name)
    return ""


_LAST = ("RAISE_VARARGS", "RERAISE", "RETURN", "YIELD_VALUE", "STORE", "POP_TOP", "DELETE")
LOADS = (
    "LOAD_GLOBAL",
    "LOAD_NAME",
    "LOAD_FROM_DICT_OR_GLOBALS",
    "LOAD_DEREF",
    "LOAD_FROM_DICT_OR_DEREF",
)
QUESTIONS = ("LOAD_ATTR", "LOAD_METHOD", "LOAD_SUPER_ATTR", "IMPORT_FROM")
SILENT = ("CACHE", "PUSH_NULL", "NOP", "EXTENDED_ARG")


@lru_cache(maxsize=512)
def reads(code: CodeType) -> tuple[Read, ...]:
    """Lists what a code object reads by name.

    ``np.linalg.inv`` is one read, ``x.shape`` of a local x another.
    """
    body = [i for i in instructions(code) if i.opname not in SILENT]
    found: list[Read] = []
    asked = 0  # the attributes before this place belong to a name
    for k, i in enumerate(body):
        if i.opname in LOADS:
            end = k + 1
            while end < len(body) and body[end].opname in ("LOAD_ATTR", "LOAD_METHOD"):
                end += 1
            chain = tuple(str(j.argval) for j in body[k + 1 : end])
            found.append(Read(i.offset, str(i.argval), chain, use=body[end].opname))
            asked = end
        elif i.opname in QUESTIONS and k >= asked:
            if body[k - 1].opname == "LOAD_CONST":
                before = body[k - 1].argval
            else:
                before = None
            found.append(Read(i.offset, "", (str(i.argval),), before, body[k + 1].opname))
    return tuple(found)


#: Instructions that pass values on, pick entries or attributes of them, and compute no number.
_PASSES_ON = frozenset(
    "RESUME COPY_FREE_VARS MAKE_CELL PRECALL KW_NAMES CALL CALL_KW RETURN_VALUE RETURN_CONST "
    "LOAD_FAST LOAD_FAST_LOAD_FAST LOAD_FAST_BORROW LOAD_FAST_BORROW_LOAD_FAST_BORROW LOAD_DEREF "
    "LOAD_GLOBAL LOAD_CONST LOAD_SMALL_INT LOAD_ATTR LOAD_METHOD STORE_FAST STORE_FAST_LOAD_FAST "
    "BUILD_SLICE BUILD_TUPLE BINARY_SUBSCR BINARY_SLICE UNPACK_SEQUENCE".split()
)


@lru_cache(maxsize=512)
def names_passed_values(code: CodeType) -> frozenset[str] | None:
    """Returns the global and outer names of code that only calls these and passes values on.

    ``lambda x: net(x[None], mask)[0]`` has net and mask. Other code has None, also code that calls
    an attribute, or the result of another call.
    """
    body = [i for i in instructions(code) if i.opname not in SILENT]
    if any(i.opname not in _PASSES_ON and i.argrepr != "[]" for i in body):
        return None
    named = ("LOAD_GLOBAL", "LOAD_DEREF")
    for k, call in enumerate(body):
        if not call.opname.startswith("CALL"):
            continue
        start = start_of(call)
        callee = [
            i for i in body[:k] if start_of(i) == start and i.opname not in ("PRECALL", "KW_NAMES")
        ]
        if start is None or len(callee) != 1 or callee[0].opname not in named:
            return None
    return frozenset(str(i.argval) for i in body if i.opname in named)


def start_of(i: dis.Instruction) -> tuple[int, int] | None:
    """Returns the line and the column where the expression of an instruction starts."""
    at = i.positions
    if at is None or at.lineno is None or at.col_offset is None:
        return None
    return at.lineno, at.col_offset


@lru_cache(maxsize=512)
def locals_read(code: CodeType) -> tuple[Read, ...]:
    """Lists each load of a local variable in a code object."""
    body = [i for i in instructions(code) if i.opname not in SILENT]
    found: list[Read] = []
    for i, after in pairwise(body):
        if i.opname.startswith("LOAD_FAST"):
            *others, last = i.argval if isinstance(i.argval, tuple) else (i.argval,)
            found += [Read(i.offset, str(name), (), use=i.opname) for name in others]
            found.append(Read(i.offset, str(last), (), use=after.opname))
    return tuple(found)


@dataclass(frozen=True, slots=True)
class ClassQuestions:
    """Where code asks for the classes of values, by `type` or the attribute ``__class__``.

    Attributes:
        at: the offsets of the instructions that ask -> the local variable whose class is asked
            for; "" for other values.
        anywhere: whether it may ask at other instructions, too: `type` is no function it calls.
    """

    at: Mapping[int, str]
    anywhere: bool


@lru_cache(maxsize=512)
def class_questions(code: CodeType, names: frozenset[str]) -> ClassQuestions:
    """Finds the questions for classes in code; messages of exceptions may name classes.

    Args:
        code: the code object.
        names: the names of `type`.
    """
    body = [i for i in instructions(code) if i.opname not in (*SILENT, "PRECALL")]
    places = {i.offset: k for k, i in enumerate(body)}
    at, anywhere = dict[int, str](), False
    for read in reads(code):
        if ends_in_raise(code, read.offset):
            continue
        k = places[read.offset]
        if read.name in names and not read.chain:
            call = next((j for j in body[k + 1 :] if _calls(j, body[k])), None)
            if call is None:
                anywhere = True
                continue
            is_direct = body[k + 2] is call and call.argval == 1
            at[call.offset] = local_at(body[k + 1]) if is_direct else ""
        elif not read.name and read.chain == ("__class__",):
            at[read.offset] = local_at(body[k - 1])
        elif read.name in names or not {"type", "__class__"}.isdisjoint(read.chain):
            anywhere = True
    return ClassQuestions(at, anywhere)


@lru_cache(maxsize=4096)
def only_branches(code: CodeType, offset: int) -> bool:
    """Checks whether the result of an instruction decides a jump, perhaps compared with names."""
    body = [i for i in instructions(code) if i.opname not in (*SILENT, "PRECALL", "TO_BOOL")]
    k = next(k for k, i in enumerate(body) if i.offset == offset) + 1
    while body[k].opname.startswith("LOAD_"):
        k += 1
    if body[k].opname in ("IS_OP", "COMPARE_OP", "CONTAINS_OP"):
        k += 1
    return body[k].opname.startswith("POP_JUMP")


def _calls(call: dis.Instruction, function: dis.Instruction) -> bool:
    """Checks whether an instruction calls a function that another instruction loads."""
    is_call = call.opname == "CALL" and start_of(call) is not None
    return is_call and "NULL" in function.argrepr and start_of(call) == start_of(function)


def attributes_of_locals(code: CodeType) -> set[tuple[str, str]]:
    """Returns the pairs (local variable, attribute) that are looked up."""
    body = [i for i in instructions(code) if i.opname not in SILENT]
    asked = [
        (i, after) for i, after in pairwise(body) if after.opname in ("LOAD_ATTR", "LOAD_METHOD")
    ]
    return {(local_at(i), str(after.argval)) for i, after in asked if local_at(i)}


def integer_constants(code: CodeType) -> set[int | float]:
    """Returns the numbers among the constants of a code object."""
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
    """Maps offset -> (local variable, attribute) for instructions that set such an attribute."""
    found: dict[int, tuple[str, str]] = {}
    if _STORE_ATTR not in code.co_code[::2]:  # most code: disassembly takes a hundred times longer
        return found
    body = instructions(code)
    for k, i in enumerate(body):
        if i.opname == "STORE_ATTR":
            owner = body[k - 1]
            # x.k += 1: the object was copied where the attribute was asked for
            if owner.opname == "SWAP":
                asked = [
                    j
                    for j in range(k)
                    if body[j].opname == "COPY" and body[j + 1].argval == i.argval
                ]
                owner = body[asked[-1] - 1] if asked else owner
            name = local_at(owner)
            if owner.opname == "LOAD_DEREF" and owner.argval in code.co_cellvars:
                name = str(owner.argval)  # its own variable, which functions inside it read
            if name:
                found[i.offset] = (name, str(i.argval))
    return found


@lru_cache(maxsize=512)
def attribute_questions(code: CodeType) -> frozenset[str] | None:
    """Returns the names that getattr and hasattr ask ``self`` for; None for other uses."""
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


@lru_cache(maxsize=512)
def attributes_given(code: CodeType) -> frozenset[str]:
    """Lists the names of attributes that code gives to objects.

    An assignment `x.a = ...` gives one; so do the statements in the body of a class, and the
    keywords of calls, in code that names SimpleNamespace.
    """
    given = ("STORE_ATTR", "STORE_NAME")[: 1 + ("__qualname__" in code.co_names)]
    names = [str(i.argval) for i in instructions(code) if i.opname in given]
    if "SimpleNamespace" in code.co_names:
        names += [word for words in code.co_consts if type(words) is tuple for word in words]
    return frozenset(names)


#: Functions of a set whose result does not depend on its order.
_WHOLE = frozenset({"sorted", "len", "any", "all"})


def makes_a_set_of_anything(code: CodeType, offset: int) -> bool:
    """Checks whether `set`, loaded there, makes a set whose order may differ between processes."""
    body = [i for i in instructions(code) if i.opname not in SILENT]
    k = next(k for k, i in enumerate(body) if i.offset == offset)
    before, after = body[k - 1].argval if k else None, body[k + 1].argval
    return before not in _WHOLE and after != "range"


def _classes_caught(body: tuple[dis.Instruction, ...], k: int) -> tuple[str, ...]:
    """Returns the names of the classes that the handler tests for at k; empty for other handlers.

    What none of its tests accepts must go on as it is.
    """
    loads = body[k - 1 : k]
    if loads[0].opname == "BUILD_TUPLE":
        loads = body[k - 1 - loads[0].argval : k - 1]
    if any(i.opname != "LOAD_GLOBAL" for i in loads):
        return ()
    jump = body[k + 1]
    if not (jump.opname.startswith("POP_JUMP") and jump.opname.endswith("IF_FALSE")):
        return ()
    rest = [i.opname for i in body if i.offset >= jump.argval]
    ends = next((name for name in rest if name not in ("LOAD_GLOBAL", "BUILD_TUPLE")), "")
    if ends not in ("CHECK_EXC_MATCH", "RERAISE"):
        return ()
    return tuple(str(i.argval) for i in loads)


@lru_cache(maxsize=512)
def caught(code: CodeType) -> Mapping[int, tuple[str, ...]]:
    """Maps the offset of each test of a handler to the names of the classes that it accepts."""
    body = tuple(i for i in instructions(code) if i.opname not in (*SILENT, "NOT_TAKEN"))
    tests = [k for k, i in enumerate(body) if i.opname == "CHECK_EXC_MATCH"]
    return {body[k].offset: _classes_caught(body, k) for k in tests}


@lru_cache(maxsize=512)
def handlers_at(code: CodeType) -> frozenset[int]:
    """Returns the offsets at which handlers of exceptions start."""
    return frozenset(i.offset for i in instructions(code) if i.opname == "PUSH_EXC_INFO")


#: Exceptions that types and shapes decide, and what is installed; never the entries of an array.
DECIDED_BY_TYPES = (TypeError, AttributeError, ImportError, NameError, NotImplementedError)


def following(code: CodeType, offset: int) -> tuple[CodeType, int]:
    """Returns the place of the instruction after another one."""
    later = (i.offset for i in instructions(code) if i.offset > offset and i.opname != "CACHE")
    return code, next(later, offset)


def examine(
    code: CodeType, *, has_classes: bool = False, allowed: Collection[int] = ()
) -> list[Finding]:
    """Lists the effects of one code object that a trace cannot see.

    With `has_classes`, the traced values answer which class they are of. Handlers of the exceptions
    with the names `harmless` are allowed.
    """
    findings: list[Finding] = []
    line = code.co_firstlineno
    body = instructions(code)
    for k, i in enumerate(body):
        position = i.positions
        if position is not None and position.lineno is not None:
            line = position.lineno
        else:
            line = line
        if i.offset in allowed and i.opname in ("CHECK_EXC_MATCH", "PUSH_EXC_INFO"):
            continue
        reason = _reason(code, body, k, has_classes=has_classes)
        if reason:
            finding = Finding(reason, place_text(code.co_filename, line))
            if finding not in findings:
                findings.append(finding)
    if code.co_flags & (inspect.CO_COROUTINE | inspect.CO_ASYNC_GENERATOR):
        findings.append(Finding("async code", place_text(code.co_filename, code.co_firstlineno)))
    return findings


#: Instructions that make the classes for which a handler tests.
_OF_TESTS = frozenset(
    "CACHE EXTENDED_ARG COPY LOAD_GLOBAL LOAD_NAME LOAD_ATTR LOAD_METHOD LOAD_FAST LOAD_FAST_BORROW"
    " LOAD_DEREF LOAD_CONST BUILD_TUPLE BINARY_SUBSCR BINARY_OP PUSH_NULL PRECALL CALL"
    " LIST_TO_TUPLE BUILD_LIST LIST_EXTEND CALL_INTRINSIC_1".split()
)


def _reason(code: CodeType, body: tuple[dis.Instruction, ...], k: int, *, has_classes: bool) -> str:
    i = body[k]
    name = str(i.argval)
    if i.opname in ("CHECK_EXC_MATCH", "CHECK_EG_MATCH"):
        return "exceptions are caught (try/except): what happens then is not seen"
    if i.opname == "PUSH_EXC_INFO":
        after = next((j.opname for j in body[k + 1 :] if j.opname not in ("NOP", "CACHE")), "")
        if after != "WITH_EXCEPT_START" and not tests_classes(body, k):
            return "exceptions are intercepted (a bare except, or finally): what happens then is not seen"
    if i.opname in ("STORE_GLOBAL", "DELETE_GLOBAL"):
        return f"the global variable {name} is written: the function keeps state between calls"
    if i.opname in ("STORE_DEREF", "DELETE_DEREF") and name in code.co_freevars:
        return f"the outer variable {name} is written (nonlocal): the function may keep state between calls"
    if i.opname in ("LOAD_GLOBAL", "LOAD_NAME") and name in (
        "__builtins__", "__loader__", "__spec__", "__file__", "__path__", "__cached__",
    ):  # fmt: skip
        return f"{name} leads to what a trace cannot follow"
    if i.opname == "STORE_NAME" and name == "__del__":
        return "a class has __del__, which runs when an object ends"
    if i.opname == "IS_OP" and not body[k - 1].opname.startswith(
        ("LOAD_CONST", "LOAD_COMMON_CONST")
    ):
        if _COMPARED.are_types(code, i.offset, has_classes=has_classes):
            return ""
        return "the identity of two objects is asked for (is): it is an accident of memory"
    if i.opname == "STORE_ATTR" and i.offset not in attribute_stores(code):
        return f"the attribute {name} of something that is no local variable is set"
    asked = i.opname in (*QUESTIONS, "STORE_ATTR", "DELETE_ATTR")
    if has_classes and name in _OF_CLASSES and i.opname in QUESTIONS:
        return ""
    if asked and name.startswith("__") and name.endswith("__") and name not in _DUNDERS:
        return f"the attribute {name} asks what an object is, which a traced array cannot answer"
    if (
        i.opname == "LOAD_CONST"
        and type(i.argval) is frozenset
        and body[k + 1].opname != "CONTAINS_OP"
    ):
        if not all(isinstance(v, (int, float)) for v in i.argval):
            return "a set is gone through in an order that differs from process to process"
    if _is_a_written_set(code, body, k) or (
        name in ("keys", "items") and _takes_keys_as_a_set(body, k)
    ):
        return "a set is made, whose order differs from process to process"
    if i.opname in ("FORMAT_VALUE", "FORMAT_WITH_SPEC") and _follows_the_language(i, body[k - 1]):
        return "a number is written as the language of the process has it"
    if (
        i.opname == "LOAD_CONST"
        and type(i.argval) is str
        and i.argval.lstrip("<>=|").startswith(_DATES)
    ):
        return f"{i.argval!r} is a type of dates, which read the clock"
    return ""


def _is_a_written_set(code: CodeType, body: tuple[dis.Instruction, ...], k: int) -> bool:
    """Checks whether a set is written there and not consumed at once by a function of sets."""
    i = body[k]
    whole = [j.argval for j in body[:k] if j.opname not in SILENT][-1:] in [
        [name] for name in _WHOLE
    ]
    if inspect.iscode(i.argval):
        return i.argval.co_name == "<setcomp>" and not whole
    if i.opname != "BUILD_SET" or code.co_name == "<setcomp>":
        return False
    after = next(
        (j.opname for j in body[k + 1 :] if j.opname not in ("LOAD_CONST", "SET_UPDATE")), ""
    )
    return after != "CONTAINS_OP" and not whole


def _takes_keys_as_a_set(body: tuple[dis.Instruction, ...], k: int) -> bool:
    """Checks whether a dictionary's keys are stored or joined, rather than iterated at once."""
    if body[k].opname not in ("LOAD_ATTR", "LOAD_METHOD"):
        return False
    after = [j for j in body[k + 1 :] if j.opname not in (*SILENT, "PRECALL")]
    if not after or after[0].opname != "CALL":
        return False
    above = 0  # values that lie on the keys
    for i in after[1:]:
        if i.opname.startswith(("STORE", "BINARY", "RETURN")) and above <= 1:
            return above == 0 or i.opname == "BINARY_OP"
        if i.opname.startswith("CALL") and above <= (i.arg or 0):
            return False
        above += dis.stack_effect(i.opcode, i.arg, jump=False)
        if above < 0:
            return False
    return False


def _follows_the_language(i: dis.Instruction, spec: dis.Instruction) -> bool:
    """Checks whether a number is formatted with "n", or with a format that is not constant."""
    if i.opname == "FORMAT_VALUE" and not i.argval[1]:
        return False
    return spec.opname != "LOAD_CONST" or str(spec.argval).endswith("n")


def tests_classes(body: Sequence[dis.Instruction], k: int) -> bool:
    """Checks whether the handler that starts at k tests the exception's class at once."""
    return next((i.opname for i in body[k + 1 :] if i.opname not in _OF_TESTS), "") in (
        "CHECK_EXC_MATCH",
        "CHECK_EG_MATCH",
    )
