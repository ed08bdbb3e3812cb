"""Fingerprints: the same for the same function in another process, another for every change that matters."""

from __future__ import annotations

import functools
import itertools
import math
import operator
import os
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

from eqvproof.tracing.observing.fingerprint import fingerprint, same

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = {
    "models.py": """\
import functools
from dataclasses import dataclass
import numpy as np
import tools
from tools import shift
import settings

W = np.arange(6.0).reshape(2, 3)
TABLE = {"a": (1, 2), "b": frozenset({"x", "y", "z"})}

def plain(X, *, scale=2.0):
    return inner(X) * scale + tools.shift(X)

def inner(X):
    return X + W.sum() + len(TABLE["b"])

def make(power):
    def closure(X):
        return X ** power
    return closure

cube = make(3)
partial = functools.partial(plain, scale=4.0)

@dataclass(frozen=True)
class Layer:
    weight: float
    def __call__(self, X):
        return self.helper(X) * settings.FACTOR
    def helper(self, X):
        return self.weight * shift(X)

layer = Layer(1.5)
method = layer.helper
comprehension = lambda X: sum([x * 1.25 for x in (X, X)])

def imports_late(X):
    from parts import late
    from parts.below import lowered
    import parts.other
    return lowered(late.shifted(X)) + parts.other.VALUE

def has_attributes(X):
    return X * has_attributes.factor
has_attributes.factor = 17

class Named(type):
    @property
    def size(cls):
        return 19

class OfNamed(metaclass=Named):
    pass

def asks_a_metaclass(X):
    return X * OfNamed.size

def reads_a_file(X):
    return X + float(open("number.txt").read())
""",
    "parts/__init__.py": "",
    "parts/late.py": "def shifted(X):\n    from .below import raised\n    return raised(X) - 21\n",
    "parts/below.py": "def lowered(X):\n    return X - 23\n\ndef raised(X):\n    return X + 25\n",
    "parts/other.py": "VALUE = 27\n",
    "tools.py": "import deep\n\ndef shift(X):\n    return deep.below(X) - 1\n",
    "deep.py": "def below(X):\n    return X * 7\n",
    "settings.py": "FACTOR = 11\nUNUSED = 12\n",
}
LATE = ("imports_late", "has_attributes", "asks_a_metaclass")
NAMES = ("plain", "cube", "partial", "layer", "method", "comprehension", *LATE)
PRINT = f"""
import models
from eqvproof.tracing.observing.fingerprint import fingerprint
print([fingerprint(getattr(models, name)) for name in {NAMES!r}])
print(fingerprint(models.reads_a_file))
"""


def prints(folder: Path, seed: str = "0") -> list[str | None]:
    done = subprocess.run(
        [sys.executable, "-c", PRINT], cwd=folder, capture_output=True, text=True, check=True,
        env={
            **os.environ, "PYTHONPATH": f"{ROOT}{os.pathsep}.", "PYTHONHASHSEED": seed,
            "PYTHONDONTWRITEBYTECODE": "1",
        },
    )  # fmt: skip
    first, second = done.stdout.splitlines()
    assert second == "None"
    return list(eval(first))


@pytest.fixture(scope="module")
def before(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[str | None]]:
    folder = tmp_path_factory.mktemp("package")
    (folder / "parts").mkdir()
    for name, text in PACKAGE.items():
        (folder / name).write_text(text)
    return folder, prints(folder)


def test_other_processes_agree(before: tuple[Path, list[str | None]]) -> None:
    folder, known = before
    assert None not in known and len(set(known)) == len(NAMES)
    assert prints(folder, "1") == known


@pytest.mark.parametrize(
    ("file", "old", "new", "changed"),
    [
        ("models.py", "scale=2.0", "scale=2.5", {"plain", "partial"}),
        ("models.py", "W.sum()", "W.max()", {"plain", "partial"}),
        ("models.py", "arange(6.0)", "arange(1.0, 7.0)", {"plain", "partial"}),
        ("models.py", '"y", "z"', '"y"', {"plain", "partial"}),
        ("models.py", "make(3)", "make(4)", {"cube"}),
        ("models.py", "X ** power", "X * power", {"cube"}),
        ("models.py", "scale=4.0", "scale=5.0", {"partial"}),
        ("models.py", "Layer(1.5)", "Layer(2.5)", {"layer", "method"}),
        ("models.py", "self.weight * shift", "self.weight + shift", {"layer", "method"}),
        ("models.py", "x * 1.25", "x * 1.5", {"comprehension"}),
        ("tools.py", "- 1", "- 2", {"plain", "partial", "layer", "method"}),
        ("deep.py", "* 7", "* 8", {"plain", "partial", "layer", "method"}),
        ("settings.py", "FACTOR = 11", "FACTOR = 13", {"layer"}),
        ("models.py", "factor = 17", "factor = 18", {"has_attributes"}),
        ("models.py", "return 19", "return 20", {"asks_a_metaclass"}),
        ("parts/late.py", "- 21", "- 22", {"imports_late"}),
        ("parts/below.py", "- 23", "- 24", {"imports_late"}),
        ("parts/below.py", "+ 25", "+ 26", {"imports_late"}),
        ("parts/other.py", "27", "28", {"imports_late"}),
    ],
)
def test_every_change_that_matters_is_seen(
    before: tuple[Path, list[str | None]], file: str, old: str, new: str, changed: set[str]
) -> None:
    folder, known = before
    text = PACKAGE[file]
    assert old in text
    (folder / file).write_text(text.replace(old, new))
    try:
        after = prints(folder)
    finally:
        (folder / file).write_text(text)
    different = {name for name, a, b in zip(NAMES, known, after, strict=True) if a != b}
    assert changed <= different


def test_weights_of_modules_count() -> None:
    torch = pytest.importorskip("torch", reason="PyTorch is not installed")
    from eqvproof.tracing.observing.fingerprint import fingerprint

    layer = torch.nn.Linear(2, 2)
    one = fingerprint(layer)
    assert one is not None and one == fingerprint(layer)
    with torch.no_grad():
        layer.bias[0] += 1
    assert fingerprint(layer) != one
    assert fingerprint(layer) != fingerprint(layer.train(mode=False))


#: What a function may hold: each with a 2 that is a 3 in the other version, and its value at x = 1.
HELD = {
    "a number of one's own": """
class Weight(float):
    def __rmul__(self, other):
        return 2
weight = Weight(1)
f = lambda x: x * weight""",
    "a text of one's own": """
class Text(str):
    size = 2
text = Text("a")
f = lambda x: text.size""",
    "an enumeration": """
import enum
class Kind(enum.IntEnum):
    ONE = 1
    def times(self, x):
        return x * 2
kind = Kind.ONE
f = lambda x: kind.times(x)""",
    "a dictionary with a default": """
from collections import defaultdict
table = defaultdict(lambda: 2)
f = lambda x: x * table["a"]""",
    "a dictionary of one's own": """
class Table(dict):
    def __missing__(self, key):
        return 2
table = Table()
f = lambda x: x * table["a"]""",
    "an attribute of a list": """
class Layers(list):
    pass
layers = Layers()
layers.factor = 2
f = lambda x: x * layers.factor""",
    "an array of one's own": """
import numpy as np
class Weights(np.ndarray):
    def factor(self):
        return 2
weights = np.ones(1).view(Weights)
f = lambda x: x * weights.factor()""",
    "a method of a dictionary": "get = {'a': 2}.get\nf = lambda x: x * get('a')",
    "a method of a number": "times = (2).__mul__\nf = lambda x: times(x)",
    "a method of an array": "import numpy as np\ntotal = np.array([2]).sum\nf = lambda x: x * total()",
    "a ufunc": "import numpy as np\ng = np.frompyfunc(lambda x: 2 * x, 1, 1)\nf = lambda x: g(x)",
    "a constructor": """
class Layer:
    def __init__(self):
        self.factor = 2
    def __call__(self, x):
        return x * self.__class__().factor
f = Layer()
f.factor = 1""",
    "how something is written": """
class Layer:
    def __repr__(self):
        return "2"
layer = Layer()
f = lambda x: x * int(f"{layer}")""",
    "a deleter": """
class Layer:
    factor = 1
    def _delete(self):
        type(self).factor = 2
    gone = property(None, None, _delete)
layer = Layer()
def f(x):
    del layer.gone
    return layer.factor * x""",
    "a decorated function": """
import contextlib
__version__ = "1"
@contextlib.contextmanager
def factor():
    yield 2
def f(x):
    with factor() as k:
        return x * k""",
    "the order of memory": """
import numpy as np
W = np.asarray([[0, 2], [3, 0]], order="C")
f = lambda x: x * W.ravel("K")[1]""",
    "documentation": "def f(x):\n    '2'\n    return x * int(f.__doc__)",
}


def loaded(folder: Path, source: str) -> ModuleType:
    path = folder / "held.py"
    path.write_text(source)
    module = ModuleType("held")
    module.__file__ = str(path)
    sys.modules["held"] = module
    exec(compile(source, str(path), "exec"), vars(module))
    return module


@pytest.mark.parametrize("source", HELD.values(), ids=HELD)
def test_what_differs_in_what_is_held_is_seen(source: str, tmp_path: Path) -> None:
    others = source.replace("2", "3") if "order" not in source else source.replace('"C"', '"F"')
    one = loaded(tmp_path, source)
    known = fingerprint(one.f)
    assert known is None or known == fingerprint(one.f)
    value = one.f(1)
    other = loaded(tmp_path, others)
    again = fingerprint(other.f)
    assert (known is None and again is None) or known != again
    assert (value, other.f(1)) == (2, 3)


def test_where_a_call_raises_what_is_caught_is_seen(tmp_path: Path) -> None:
    """Two functions with the same instructions, of which one catches what more of them raise."""
    around = "def f(x):\n    try: y = x.real; z = x.nothing\n    except AttributeError: return 2\n"
    beside = "def f(x):\n    y = x.real\n    try: z = x.nothing\n    except AttributeError: return 2\n"
    one, other = loaded(tmp_path, around).f, loaded(tmp_path, beside).f
    assert one.__code__.co_exceptiontable != other.__code__.co_exceptiontable
    assert fingerprint(one) != fingerprint(other)


def test_tensors_of_all_kinds_are_read_or_refused() -> None:
    torch = pytest.importorskip("torch", reason="PyTorch is not installed")

    def prints_of(make):
        return [fingerprint(functools.partial(lambda w, X: X * w, make(k))) for k in (1.0, 1.0, 2.0)]

    short = prints_of(lambda k: torch.full((2,), k, dtype=torch.bfloat16))
    conjugate = prints_of(lambda k: torch.full((2,), k * 1j).conj())
    for one, same_one, other in (short, conjugate):
        assert one is not None and one == same_one != other
    for make in (lambda k: (k * torch.eye(2)).to_sparse(), lambda k: torch.ones(2, device="meta")):
        assert prints_of(make) == [None] * 3
    weight = torch.ones(1, requires_grad=True)
    one = fingerprint(lambda X: X * weight.grad)
    weight.grad = torch.ones(1)
    assert one != fingerprint(lambda X: X * weight.grad)


def test_an_installation_of_a_version_that_nobody_published_is_told_from_another(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import eqvproof.tracing.observing.fingerprint as module

    monkeypatch.setattr(module, "_LIBRARIES", (*module._LIBRARIES, str(tmp_path.resolve())))
    monkeypatch.syspath_prepend(str(tmp_path))
    (tmp_path / "ours").mkdir()
    (tmp_path / "ours" / "__init__.py").write_text("__version__ = '1'\ndef times(x):\n    return x * 2\n")
    described = tmp_path / "ours-1.dist-info"
    described.mkdir()
    (described / "RECORD").write_text("ours/__init__.py,sha256=one,50\n")
    import ours  # type: ignore[import-not-found]

    def printed() -> str | None:
        module._version.cache_clear()
        return fingerprint(ours.times)

    published = printed()
    assert published is not None
    (described / "RECORD").write_text("ours/__init__.py,sha256=other,50\n")
    assert printed() == published
    (described / "direct_url.json").write_text('{"url": "file:///somewhere"}')
    one = printed()
    (described / "RECORD").write_text("ours/__init__.py,sha256=another,50\n")
    assert len({published, one, printed()}) == 3


@pytest.mark.parametrize("value", [iter([1]), (x for x in ()), sys.stdout])
def test_what_cannot_be_read_has_no_fingerprint(value: object) -> None:
    from eqvproof.tracing.observing.fingerprint import fingerprint

    assert fingerprint(lambda X: X + next(value)) is None  # type: ignore[call-overload]


EXCHANGED = {
    "np.sum": ("lambda X: np.sum(X)", np, "sum", lambda X, **k: X),
    "np.linalg.norm": ("lambda X: np.linalg.norm(X)", np.linalg, "norm", lambda X: 1),
    "np.exp": ("lambda X: np.exp(X)", np, "exp", np.cos),
    "np.pi": ("lambda X: np.pi * np.max(X)", np, "max", max),
    "math.sin": ("lambda X: math.sin(X)", math, "sin", math.cos),
    "math.sqrt": ("lambda X: [math.sqrt(x) for x in X]", math, "sqrt", lambda x: x),
    "itertools": ("lambda X: list(itertools.chain(X))", itertools, "chain", zip),
    "functools": ("lambda X: functools.reduce(max, X)", functools, "reduce", sorted),
    "operator": ("lambda X: operator.mul(X, X)", operator, "mul", operator.add),
    "wrapped": ("lambda X: np.dot(X, X)", np, "dot", functools.wraps(np.dot)(lambda X, Y: X)),
}


@pytest.mark.parametrize(("source", "module", "name", "other"), EXCHANGED.values(), ids=EXCHANGED)
def test_a_library_function_that_was_exchanged_is_seen(source, module, name, other, monkeypatch) -> None:
    scope = {"np": np, "math": math, "itertools": itertools, "functools": functools, "operator": operator}
    f = eval(source, scope)
    known = fingerprint(f)
    assert known is not None and same(f, known)
    monkeypatch.setattr(module, name, other)
    assert not same(f, known)
    monkeypatch.undo()
    assert same(f, known) and not same(f, known[:-1] + "x") and not same(f, "None")
