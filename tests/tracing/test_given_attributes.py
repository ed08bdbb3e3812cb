"""What a user gives to objects of libraries, and what inert objects hold, is state."""

from __future__ import annotations

import sys
from types import ModuleType
from typing import Any

import numpy as np
import pytest

import eqvproof as ep
from tests.judged import assert_proved

CLAIM = "x: n -> n", "S(n)"
#: Calls until the function answers otherwise: more than a proof takes.
LATE = 300
#: What is held, and how code comes to a list in it.
HELD = {
    "function of numpy": ("q = np.linalg.norm; q.kept = [0]", "q.kept"),
    "function of a module": ("np.linalg.norm.kept = [0]", "np.linalg.norm.kept"),
    "dispatched function": ("q = np.sum; q.kept = [0]", "q.kept"),
    "logger": ("q = logging.getLogger('given'); q.kept = [0]", "q.kept"),
    "logger by name": ("logging.getLogger('given').kept = [0]", "logging.getLogger('given').kept"),
    "own logger": ("class L(logging.Logger): kept = [0]\nq = L('given')", "q.kept"),
    "own scalar": ("class N(np.float64): kept = [0]\nq = N(1.0)", "q.kept"),
    "scalar": ("class N(np.float64): pass\nq = N(1.0); q.kept = [0]", "q.kept"),
    "alias": ("class C(typing.Generic[T]): kept = [0]\nq = C[int]", "q.kept"),
    "plain alias": (
        "class C:\n    kept = [0]\n    __class_getitem__ = classmethod(types.GenericAlias)\nq = C[int]",
        "q.kept",
    ),
    "new type": ("q = typing.NewType('q', int); q.kept = [0]", "q.kept"),
    "annotated type": ("q = typing.Annotated[int, [0]]", "typing.get_args(q)[1]"),
    "annotation": (
        "class C:\n    a: typing.Annotated[int, [0]]",
        "typing.get_args(typing.get_type_hints(C, include_extras=True)['a'])[1]",
    ),
    "field": (
        "q = [0]\n@dataclasses.dataclass\nclass C:\n    a: q = 0\ndel q",
        "dataclasses.fields(C)[0].type",
    ),
    "finfo": ("q = np.finfo(float); q.kept = [0]", "q.kept"),
    "slice": ("class O: kept = [0]\nq = slice(None, O())", "q.stop.kept"),
    "dtype": (
        "class O: metadata = 1\nq = np.dtype(float, metadata={'kept': [0]})",
        "(O, q.metadata['kept'])[1]",
    ),
    "version": ("class C: __version__ = [0]", "C.__version__"),
    "named like abc": ("class C: _abc_kept = [0]", "C._abc_kept"),
    "said to be typing's": (
        "class C: pass\nC.__module__ = 'typing_tools'; q = C(); q.kept = [0]",
        "q.kept",
    ),
    "equal to a function": (
        "class C:\n    def __eq__(self, other): return other is np.sum\n"
        "    def __hash__(self): return hash(np.sum)\n    def __call__(self): pass\n"
        "q = C(); q.kept = [0]",
        "q.kept",
    ),
}
OF_TORCH = {
    "parameter": ("q = torch.nn.Parameter(torch.zeros(2)); q.kept = [0]", "q.kept"),
    "tensor": ("q = torch.zeros(2); q.kept = [0]", "q.kept"),
    "own tensor": (
        "class C(torch.Tensor): kept = [0]\nq = torch.zeros(2).as_subclass(C)",
        "q.kept",
    ),
    "function of torch": ("q = torch.nn.functional.relu; q.kept = [0]", "q.kept"),
    "class of torch": ("q = torch.nn.Linear; q.kept = [0]", "q.kept"),
    "layer": ("q = torch.nn.ReLU(); q.kept = [0]", "q.kept"),
}
TEMPLATE = """
import dataclasses, itertools, logging, types, typing
import numpy as np
T = typing.TypeVar("T")
{held}
def f(x):
    s = {way}
    s[0] = s[0] + 1
    if s[0] >= {late}: return x * x[0]
    return x
"""
#: Counters of other kinds: what is held, and the count in each call.
COUNTERS = {
    "method of a list": (
        "q = [0]\nadd, count = q.__iadd__, q.__len__",
        "add([0]); k = count()",
    ),
    "methods of a class": (
        "q = [0]\nclass C:\n    __call__ = q.append\n    __len__ = q.__len__\nc = C()",
        "c(0); k = len(c)",
    ),
    "attribute": ("class N(np.float64): pass\nq = N(1.0); q.kept = 0", "q.kept += 1; k = q.kept"),
}
EVERYDAY = {
    "logger": ("LOG = logging.getLogger('read')", "LOG.debug('called')"),
    "alias": ("Array = typing.Annotated[np.ndarray, 'n']", "x = typing.cast(Array, x)"),
    "new type": ("Size = typing.NewType('Size', int)", "n = Size(2)"),
    "dtype": ("KIND = np.dtype(float)", "x = x + np.zeros(1, dtype=KIND)"),
    "slice": ("ALL = slice(None)", "x = x[ALL]"),
    "bound": ("TABLE = {'a': 2.0}\nget = TABLE.get", "x = x * get('a')"),
    "annotations": (
        "@dataclasses.dataclass\nclass C:\n    a: 'typing.Any' = 2.0\nC1 = C()",
        "x = x * C1.a",
    ),
    "function": ("q = np.linalg.norm", "x = x * q(x)"),
    "version": ("class C: __version__ = '1.0'", "x = x if C.__version__ else 2 * x"),
}
USED = """
import dataclasses, logging, typing
import numpy as np
{0}
def f(x):
    {1}
    return 2 * x
"""


def function_of(text: str, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Runs a text as a module of the user's, and returns its f."""
    made = ModuleType("given_attributes")
    monkeypatch.setitem(sys.modules, made.__name__, made)
    made.__file__ = "given_attributes.py"
    exec(compile(text, made.__file__, "exec", dont_inherit=True), vars(made))
    return made.f


def breaks_later(f: Any) -> bool:
    """Checks whether a later call breaks the symmetry, as it would after a proof."""
    x = np.array([2.0, 3.0, 4.0])
    return any(f(x)[0] == 4 for _ in range(LATE + 1))


@pytest.mark.parametrize("name", HELD)
def test_lists_in_objects_of_libraries(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    held, way = HELD[name]
    f = function_of(TEMPLATE.format(held=held, way=way, late=LATE), monkeypatch)
    try:
        verdict = ep.prove(f, *CLAIM)
        assert not verdict.holds, str(verdict)
        assert breaks_later(f)
    finally:
        for q in (np.linalg.norm, np.sum):
            vars(q).pop("kept", None)


@pytest.mark.parametrize("name", OF_TORCH)
def test_lists_in_objects_of_torch(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    torch = pytest.importorskip("torch")
    held, way = OF_TORCH[name]
    text = "import torch\n" + TEMPLATE.format(held=held, way=way, late=LATE)
    f = function_of(text, monkeypatch)
    try:
        assert not ep.prove(f, *CLAIM).holds
        assert breaks_later(f)
    finally:
        for q in (torch.nn.functional.relu, torch.nn.Linear):
            if "kept" in vars(q):
                del q.kept


@pytest.mark.parametrize("name", COUNTERS)
def test_counters_in_objects_of_libraries(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    held, count = COUNTERS[name]
    text = (
        f"import numpy as np\n{held}\ndef f(x):\n    {count}\n"
        f"    if k >= {LATE}: return x * x[0]\n    return x\n"
    )
    f = function_of(text, monkeypatch)
    assert not ep.prove(f, *CLAIM).holds
    assert breaks_later(f)


@pytest.mark.parametrize("name", EVERYDAY)
def test_objects_that_hold_no_state(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    assert_proved(function_of(USED.format(*EVERYDAY[name]), monkeypatch), *CLAIM)
