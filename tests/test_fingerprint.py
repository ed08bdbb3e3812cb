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

import numpy as np
import pytest

from eqvproof.fingerprint import fingerprint, same

ROOT = Path(__file__).resolve().parents[1]
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
from eqvproof.fingerprint import fingerprint
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
    from eqvproof.fingerprint import fingerprint

    layer = torch.nn.Linear(2, 2)
    one = fingerprint(layer)
    assert one is not None and one == fingerprint(layer)
    with torch.no_grad():
        layer.bias[0] += 1
    assert fingerprint(layer) != one
    assert fingerprint(layer) != fingerprint(layer.train(mode=False))


@pytest.mark.parametrize("value", [iter([1]), (x for x in ()), sys.stdout])
def test_what_cannot_be_read_has_no_fingerprint(value: object) -> None:
    from eqvproof.fingerprint import fingerprint

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
