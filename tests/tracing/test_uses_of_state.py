"""Values that calls leave may wander from place to place: no question about them decides a result."""

import dis
import itertools
import sys
from types import CodeType, ModuleType
from typing import Any

import numpy as np
import pytest

import eqvproof as ep
from eqvproof.tracing.observing.uses_of_state import renews_itself

PLACES = 40
#: The 40th call, and each 40th from then on, breaks the symmetry.
TEMPLATE = """
import abc, collections.abc, dataclasses, numbers
import numpy as np
class Base(abc.ABC): pass
class Multiplies:
    def __matmul__(self, other): return True
class Adds:
    def __add__(self, other): return type(other) == int
class Anything:
    def __eq__(self, other): return True
class IsCalled:
    def __eq__(self, other): return callable(other)
def fails(value):
    try: return value @ 1
    except TypeError: return False
def matches(value):
    match value:
        case {{}}: return True
        case _: return False
ADDS, PLAIN = Adds(), [1]
{holder}
def f(x):
    is_odd = {question}
    {moves}
    {last} = {special} if is_odd else PLAIN
    return np.where(x > 50, x * x[0], x) if is_odd else x
{start}
SPECIAL = {special}
{last} = SPECIAL
"""
PLAIN_CLASS = "class Holder: pass\nH = Holder()"
FIELDS = "\n".join(f"    q{k}: object = 0" for k in range(PLACES))
DATACLASS = f"@dataclasses.dataclass\nclass Holder:\n{FIELDS}\nH = Holder()"
#: The question that the code asks of the first place, and the value that it finds.
QUESTIONS = {
    "isinstance": ("isinstance({0}, float)", "7.5"),
    "number": ("isinstance({0}, numbers.Number)", "7"),
    "abstract": ("isinstance({0}, collections.abc.Mapping)", "{}"),
    "own class": ("isinstance({0}, Base)", "Base()"),
    "callable": ("callable({0})", "f"),
    "type": ("type({0}) == int", "7"),
    "class": ("{0}.__class__ == int", "7"),
    "pattern": ("matches({0})", "{}"),
    "failure": ("fails({0})", "Multiplies()"),
    "method": ("(1).__add__({0}) == 8", "7"),
    "operand": ("ADDS + {0}", "7"),
    "scalar": ("np.isscalar({0})", "7"),
    "iterable": ("not np.iterable({0})", "7"),
    "length": ("np.size({0}) == 3", "(1, 2, 3)"),
    "identity": ("{0} is None", "None"),
    "text": ("str({0}) == '7'", "7"),
}
OF_DATACLASSES = {
    "equal": ("REFERENCE == H", "f"),
    "text": ("str(H).startswith('Holder(q0=7,')", "7"),
    "written": ("f'{{H}}'.startswith('Holder(q0=7,')", "7"),
    "tuple": ("isinstance(dataclasses.astuple(H)[0], int)", "7"),
    "copy": ("isinstance(dataclasses.replace(H).q0, int)", "7"),
}
REFERENCE = f"\nREFERENCE = Holder(IsCalled(), *[Anything()] * {PLACES - 1})"


def wandering(kind: str, question: str, special: str) -> ModuleType:
    """Makes a module whose f moves a value through many places, and asks for it at the first."""
    places = [f"H.q{k}" if kind != "dict" else f"H['q{k}']" for k in range(PLACES)]
    holder = {"dict": "H = {}", "class": PLAIN_CLASS, "dataclass": DATACLASS + REFERENCE}[kind]
    moves = [f"{one} = {other}" for one, other in itertools.pairwise(places)]
    source = TEMPLATE.format(
        holder=holder, question=question.format(places[0]), moves="\n    ".join(moves), last=places[-1],
        special=special, start="\n".join(f"{p} = PLAIN" for p in places),
    )  # fmt: skip
    module = ModuleType(f"wandering_{kind}")
    sys.modules[module.__name__] = module
    exec(compile(source, f"<{module.__name__}>", "exec"), vars(module))
    return module


CASES = [(kind, *QUESTIONS[q]) for kind in ("class", "dict") for q in QUESTIONS] + [
    ("dataclass", *asked) for asked in OF_DATACLASSES.values()
]


@pytest.mark.parametrize(("kind", "question", "special"), CASES)
def test_no_question_about_what_wanders_is_answered(kind: str, question: str, special: str) -> None:
    module = wandering(kind, question, special)
    first = ep.check(module.f, "x: n -> n", "S(n)", budget=5)
    assert first.outcome != "HOLDS" or first.grade == "TESTED", str(first)


#: Statements of a method, and whether ``self.n`` is read in them to compute its own next value only.
STATEMENTS = {
    "self.n += 1": True,
    "self.n -= x.mean(axis=0) * g(x, key=1)": True,
    "self.n = self.n + 1": True,
    "self.n = 0.9 * self.n + 0.1 * x.mean()": True,
    "self.n = (1 - self.rate) * self.n + self.rate * g(x)": True,
    "self.n = -self.n": True,
    "self.n = self.m = self.n + 1": False,
    "self.n = m = self.n + 1": False,
    "self.m = self.n": False,
    "self.m = self.n + 1": False,
    "other.n = self.n + 1": False,
    "self.m += self.n": False,
    "self.n = g(self.n)": False,
    "self.n = 1 + g(x, n=self.n)": False,
    "self.n = (m := self.n) + 1": False,
    "self.n = [self.n]": False,
    "self.n = x[self.n] + 1": False,
    "self.n = self.n[0] + 1": False,
    "self.n = self.n.real + 1": False,
    "self.n = self.n + 1 if self.n else 2": False,
    "self.n = self.n or 1": False,
    "self.n = self.n < 1": False,
    "self.n, self.m = self.n + 1, 2": False,
    "self.n, self.m = 2, self.n + 1": False,
    "self.m, self.n = 2, self.n + 1": False,
    "self.n, self.m, self.k = 1, 2, self.n + 1": False,
    "(self.n, self.m), self.k = (1, self.n + 1), 2": False,
    "m = self.n": False,
    "return self.n": False,
    "yield self.n": False,
    "g(self.n)": False,
    "self.n": False,
    "STATE.n = self.n + 1": False,
    "self.n = f'{self.n}'": False,
    "self.n = (lambda: self.n)() + 1": False,
}


@pytest.mark.parametrize("statement", STATEMENTS)
def test_what_is_read_only_for_its_own_next_value(statement: str) -> None:
    scope: dict[str, Any] = {}
    exec(f"def f(self, other, x, g):\n    {statement}", scope)
    codes: list[CodeType] = [scope["f"].__code__]
    codes += [c for c in codes[0].co_consts if isinstance(c, CodeType)]
    found = [
        renews_itself(code, i.offset)
        for code in codes
        for i in dis.get_instructions(code)
        if i.opname == "LOAD_ATTR" and i.argval == "n"
    ]
    assert found and all(found) == STATEMENTS[statement], statement


class Box:
    n = 0


class Adds:
    """A number of the user's, whose operators do more than compute."""

    calls = 0

    def __radd__(self, other: object) -> object:
        Adds.calls += 1
        return other

    def __str__(self) -> str:
        Adds.calls += 1
        return "%s"


BOX, TALLY, RECENT, ADDS = Box(), {"n": 0}, list[int](), Adds()
COUNTS, OBJECTS = np.array([0.0]), np.array([0, None], dtype=object)
COUNTED, TEXT = Box(), Box()
TEXT.n = "%s"


def by_attribute(is_large: bool) -> bool:
    box = BOX
    before, box.n = box.n, box.n + 1 if is_large else 0
    return before >= 5


def in_a_dict(is_large: bool) -> bool:
    before = TALLY["n"]
    if is_large:
        TALLY["n"] = before + 1
    else:
        TALLY["n"] = 0
    return before >= 5


def in_a_list(is_large: bool) -> bool:
    before = len(RECENT)
    if is_large:
        RECENT.append(1)
    else:
        RECENT.clear()
    return before >= 5


def in_an_array(is_large: bool) -> bool:
    before = COUNTS[0]
    COUNTS[0] = COUNTS[0] + 1 if is_large else 0
    return before >= 5


def in_an_array_of_objects(is_large: bool) -> bool:
    before = OBJECTS[0]
    if is_large:
        OBJECTS[0] = before + 1
    else:
        OBJECTS[0] = 0
    return before >= 5


@pytest.mark.parametrize("streak", [by_attribute, in_a_dict, in_a_list, in_an_array, in_an_array_of_objects])
def test_what_one_branch_stores_and_another_one_takes_back_is_state(streak: Any) -> None:
    """Five large inputs in a row break the symmetry: no few calls in the order of branches show it."""

    def f(x: Any) -> Any:
        return x * x[0] if streak((x**4).sum() > 1e11) else x

    verdict = ep.check(f, "x: n -> n", "S(n)", budget=5)
    assert verdict.outcome != "HOLDS" or verdict.grade == "TESTED", str(verdict)
    assert "which each call changes" in verdict.reason


def test_a_branch_may_store_what_is_only_counted() -> None:
    def f(x: Any) -> Any:
        box = COUNTED
        box.n += 1
        if x.sum() > 0:
            box.n += 1
            return 2 * x
        return x

    verdict = ep.prove(f, "x: n -> n", "S(n)")
    assert verdict.grade == "PROVED" and ep.verify(verdict.certificate).accepted
    assert type(COUNTED.n) is int


def test_entries_of_vectorize_start_from_one_state() -> None:
    def entry(t: float) -> float:
        box = BOX
        before, box.n = box.n, 1 if t > 0 else 0
        return t if before else 2 * t

    verdict = ep.check(lambda x: np.vectorize(entry)(x), "x: n -> n", "S(n)", budget=5)
    assert verdict.outcome != "HOLDS" or verdict.grade == "TESTED", str(verdict)


def joins_an_operand_of_its_own(x: Any) -> Any:
    box = COUNTED
    box.n = box.n + ADDS
    return x


def renews_a_text(x: Any) -> Any:
    box = TEXT
    box.n = box.n % ADDS
    return x


@pytest.mark.parametrize("f", [joins_an_operand_of_its_own, renews_a_text])
def test_arithmetic_with_state_runs_no_code_of_the_user(f: Any) -> None:
    verdict = ep.check(f, "x: n -> n", "S(n)", budget=5)
    assert verdict.outcome != "HOLDS" or verdict.grade == "TESTED", str(verdict)


def test_a_stand_in_that_one_branch_moves_is_seen() -> None:
    table = {"first": 0, "second": 1}

    def f(x: Any) -> Any:
        table["second"] += 1
        if x.sum() > 0:
            table["first"] = table["second"]
        else:
            table["first"] = 0
        return x

    verdict = ep.check(f, "x: n -> n", "S(n)", budget=5)
    assert verdict.outcome != "HOLDS" or verdict.grade == "TESTED", str(verdict)
