"""Objects that code names outside of itself, resolved as at run time and checked for purity."""

from __future__ import annotations

import builtins
import sys
import types
from collections.abc import Collection
from functools import lru_cache
from types import CodeType
from typing import Any

import numpy as np

from eqvproof.support.lazy import LaterModule
from eqvproof.tracing.numpy.patching import Slot, explains_a_failure, needs_slot, slot_in
from eqvproof.tracing.observing import pure
from eqvproof.tracing.observing.code import (
    Read,
    attribute_questions,
    attributes_given,
    cells_of,
    imports,
    locals_read,
    makes_a_set_of_anything,
    reads,
)
from eqvproof.tracing.observing.data import atom_text
from eqvproof.tracing.observing.frames import is_absent, owner_of_module
from eqvproof.tracing.observing.held_objects import ATOMS
from eqvproof.tracing.observing.known import BUILTINS

_ANSWERS = LaterModule("eqvproof.tracing.observing.equal_answers")
Steps = Collection[tuple[CodeType, int]]


class Named:
    """The part of a walk that resolves names.

    Attributes:
        steps: what ran, and the code objects and names of it.
        tokens: the fingerprint, a flat list of texts and numbers.
        paths: for each token, how its value is reached.
        functions: every function of the user's that was met, with the code it runs.
        codes: every code object that may run.
        slots: places that hold array functions or named constants directly.
        holders: the containers and objects of the user's that a call may change.
        of_packages: the objects, functions and classes of packages that the user holds.
        own: the names of attributes that the user's objects, and those of libraries met here, have.
        libraries: packages whose objects were met; all their classes' attributes are known.
        ends: (reason, path) of objects at whose end code of the user's runs.
        findings: (reason, path) of what is not known to be pure, or cannot be read.
    """

    def __init__(
        self, steps: Steps | None, *, has_classes: bool = False, failed: Steps = ()
    ) -> None:
        self._failed = failed
        self._builtins = BUILTINS | {"type"} if has_classes else BUILTINS
        self.steps = steps
        if steps is None:
            self.only = None
        else:
            self.only = frozenset(code for code, _ in steps)
        self.names = frozenset() if steps is None else _names(steps)
        self.tokens: list[object] = []
        self.paths: list[str] = []
        self.functions: list[types.FunctionType] = []
        self.codes: set[CodeType] = set()
        self.slots: list[Slot] = []
        self.holders: list[tuple[object, str]] = []
        self.of_packages: list[tuple[object, str]] = []
        self.own: set[str] = set()
        self.libraries: set[str] = set()
        self.findings: list[tuple[str, str]] = []
        self.ends: list[tuple[str, str]] = []
        self._loose: set[str] = set()
        self._uses = _uses(steps or ())
        self._stack: list[tuple[object, str, bool]] = []
        self._trusted = False

    def _complain(self, reason: str, path: str) -> None:
        self.findings.append((reason, path))

    def _later(self, value: object, path: str, *, trusted: bool = False) -> None:
        self._stack.append((value, path, trusted))

    def _tell(self, path: str, *token: object) -> None:
        self.tokens.append(token)
        self.paths.append(path)

    def _attribute(self, name: str, value: object, path: str) -> None:
        if self.only is None or name in self.names:
            self._tell(path, "attribute", name)
            self._later(value, f"{path}.{name}")

    def _note_slot(self, owner: object, key: object, value: object) -> None:
        if needs_slot(value):
            self.slots.append(Slot(owner, key, value))

    def _exchange(self, scope: dict[str, object], name: str) -> None:
        slot = slot_in(scope, name)
        if slot is not None:
            self.slots.append(slot)

    def _reads(self, function: types.FunctionType, code: CodeType) -> None:
        """Resolves the names that code reads, where it ran."""
        scope, cells = function.__globals__, cells_of(function)
        for offset, name in imports(code):
            if self.steps is not None and (code, offset) in self.steps:
                module = sys.modules.get(name)
                if (code, offset) in self._failed and is_absent(name):
                    continue
                self._later(module if module is not None else types.ModuleType(name), name)
        for read in reads(code):
            if self.steps is not None and (code, read.offset) not in self.steps:
                continue
            if not read.name and (code, read.offset) in self._failed:
                continue
            name = read.name
            if explains_a_failure(name, scope):
                self.slots.append(Slot(scope, name, scope[name]))
            elif name in cells and name in function.__code__.co_freevars:
                self._follow(cells[name].cell_contents, name, read)
            elif name in scope:
                self._exchange(scope, name)
                self._follow(scope[name], name, read)
            elif name and hasattr(builtins, name) and name not in code.co_cellvars:
                self._exchange(scope, name)
                self._builtin(name, code, read.offset)
            else:
                self._ask(read.chain, read)

    def _builtin(self, name: str, code: CodeType, offset: int) -> None:
        if name in ("set", "frozenset") and makes_a_set_of_anything(code, offset):
            self._complain("the order of a set differs from process to process", name)
        if name in ("getattr", "hasattr") and _ANSWERS.are_harmless(attribute_questions(code)):
            return
        if name not in self._builtins:
            self._complain(f"{name}() is used", name)

    def _follow(self, value: object, path: str, read: Read) -> None:
        """Visits an outer value; looks up attributes of modules and records the others."""
        chain = read.chain
        while chain and isinstance(value, types.ModuleType):
            name, chain = chain[0], chain[1:]
            found = pure.MISSING
            if owner_of_module(value.__name__) == "user":
                found = vars(value).get(name, pure.MISSING)
                if found is pure.MISSING:
                    return
                self._note_slot(vars(value), name, found)
            elif not pure.known_in(value, name):
                self._complain(unknown(value, f"{path}.{name}"), f"{path}.{name}")
                return
            elif (found := getattr(value, name, pure.MISSING)) is pure.MISSING:
                return
            path = f"{path}.{name}"
            self._tell(
                path, "of a module", id(found) if type(found) not in ATOMS else atom_text(found)
            )
            value = found
        self._later(value, path)
        self._ask(chain, read)

    def _ask(self, chain: tuple[str, ...], read: Read) -> None:
        for name in chain:
            if name == "format" and type(read.before) is str and not {*".[!:"} & {*read.before}:
                continue
            self._loose.add(name)

    def _judge_attributes(self) -> None:
        """Refuses attributes that no array, number, text, container or visited object has.

        Nor may they be what the code itself gives to objects that it makes.
        """
        known = pure.attributes("torch" in sys.modules) | self.own
        given = {name for code, _ in self.steps or () for name in attributes_given(code)} - known
        asked = {name for name in self._loose - known if not name.startswith("__")}
        if given or asked:  # listing the classes of a library takes time
            known = known.union(*map(pure.companions, self.libraries))
            known |= given - known - _names_of_others("torch" in sys.modules)
        for name in sorted(asked - known):
            self._complain("the attribute is not known to be pure", f".{name}")

    def _module(self, module: types.ModuleType, path: str) -> None:
        """Visits a module that is held as a value, of which code may ask any name."""
        name, scope = module.__name__, vars(module)
        self._tell(path, "module", name)
        if owner_of_module(name) == "user" and name in sys.modules:
            for attribute in sorted(self.names & scope.keys()):
                self._note_slot(scope, attribute, scope[attribute])
                self._attribute(attribute, scope[attribute], path)
            self.own.update(scope)
            return
        if not pure.known_module(name):
            self._complain(unknown(module, path), path)
            return
        self.own.update(n for n in scope if not n.startswith("_") and pure.known_in(module, n))
        for attribute in sorted(self.names & scope.keys()):
            if not attribute.startswith("__") and not pure.known_in(module, attribute):
                self._complain(unknown(module, f"{path}.{attribute}"), f"{path}.{attribute}")
            elif isinstance(scope[attribute], types.ModuleType):
                self._later(scope[attribute], f"{path}.{attribute}")


@lru_cache(maxsize=2)
def _names_of_others(torch: bool) -> frozenset[str]:  # noqa: FBT001
    """Returns the names by which frames, code, arrays and their memory are reached, too.

    An object may have attributes of these names; but the value asked may be another.
    """
    kinds: list[type] = [
        np.ndarray, np.generic, np.random.Generator, types.FrameType, types.CodeType, types.FunctionType,
        types.GeneratorType, types.CoroutineType, types.TracebackType, types.MethodType, type,
    ]  # fmt: skip
    if torch:
        kinds.append(sys.modules["torch"].Tensor)
    return frozenset(name for kind in kinds for name in dir(kind)) - {"data", "base"}


def unknown(value: Any, path: str) -> str:
    """Returns the message for something that is not known to be pure."""
    if isinstance(value, types.ModuleType):
        name = value.__name__
    else:
        name = getattr(value, "__module__", "")
    if name == "builtins":
        return f"{value.__name__}() is used"
    return f"{path} is used, of the module {name}: its result may depend on more than its arguments"


def _uses(steps: Steps) -> dict[str, set[str]]:
    """Maps each name to the instructions that use its values."""
    found: dict[str, set[str]] = {}
    for code in {code for code, _ in steps}:
        for read in (*reads(code), *locals_read(code)):
            if (code, read.offset) in steps:
                found.setdefault((read.name, *read.chain)[-1], set()).add(read.use)
    return found


def _names(steps: Steps) -> frozenset[str]:
    """Returns all names in the code that ran, and those asked for with getattr."""
    codes = {code for code, _ in steps}
    asked = {n for code in codes for n in attribute_questions(code) or ()}
    return frozenset(asked.union(*(code.co_names for code in codes)))
