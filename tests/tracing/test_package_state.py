"""What objects and modules of packages keep from a first call may decide later calls."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from types import ModuleType
from typing import Any

import pytest

import eqvproof as ep
from tests.installed import installed

LIBRARY = """
import collections
import functools
import numpy as np
import scipy.sparse

class OnSelf:
    def __call__(self, x):
        if not hasattr(self, "k"):
            self.k = x[0]
        return x * self.k
class NoneFirst:
    def __init__(self): self.k = None
    def __call__(self, x):
        if self.k is None:
            self.k = x[0]
        return x * self.k
class Fitted:
    fitted_ = False
    def go(self, x):
        if not self.fitted_:
            self.mean_ = x[0]; self.fitted_ = True
        return x - self.mean_
class InDict:
    def __init__(self): self.cache = {}
    def __call__(self, x):
        if "k" not in self.cache:
            self.cache["k"] = x[0]
        return x * self.cache["k"]
class InList:
    def __init__(self): self.cache = []
    def __call__(self, x):
        if not self.cache:
            self.cache.append(x[0])
        return x * self.cache[0]
class Inner:
    def __init__(self): self.inner = OnSelf()
    def __call__(self, x): return self.inner(x)
class Deep:
    def __init__(self): self.a = {"b": [Inner()]}
    def __call__(self, x): return self.a["b"][0](x)
class Slots:
    __slots__ = ("k",)
    def __call__(self, x):
        if not hasattr(self, "k"):
            self.k = x[0]
        return x * self.k
class BySetattr:
    def __call__(self, x):
        if not hasattr(self, "k"):
            object.__setattr__(self, "k", x[0])
        return x * self.k
class ByVars:
    def __call__(self, x):
        self.__dict__.setdefault("k", x[0])
        return x * self.k
class ByDefault:
    def __init__(self): self.d = collections.defaultdict(list)
    def __call__(self, x):
        d = self.d["a"]
        if not d: d.append(x[0])
        return x * d[0]
class OnClass:
    cache = {}
    def __call__(self, x):
        if not self.cache: self.cache["k"] = x[0]
        return x * self.cache["k"]
class OnClassByType:
    def __call__(self, x):
        cls = self.__class__
        if not hasattr(cls, "k"): setattr(cls, "k", x[0])
        return x * cls.k
class Filled:
    def __init__(self): self.b, self.n = np.zeros(1), np.zeros(1)
    def __call__(self, x):
        if not self.n[0]:
            self.b[0], self.n[0] = np.asarray(x)[0], 1
        return x * self.b[0]
class Deque:
    def __init__(self): self.q = collections.deque(maxlen=1)
    def __call__(self, x):
        if not len(self.q): self.q.append(x[0])
        return x * self.q[0]
class DictSub(dict):
    def __call__(self, x):
        if "k" not in self: self["k"] = x[0]
        return x * self["k"]
class ListSub(list):
    def __call__(self, x):
        if not len(self): self.append(x[0])
        return x * self[0]
class Box: pass
class Linked:
    def __init__(self): self.box = Box()
    def __call__(self, x):
        if not hasattr(self.box, "k"): self.box.k = x[0]
        return x * self.box.k
class Method:
    def apply(self, x):
        return self._get(x) * x
    def _get(self, x):
        if "_k" not in vars(self): self._k = x[0]
        return self._k
class Prop:
    @functools.cached_property
    def k(self): return self.x[0]
    def __call__(self, x):
        self.x = x
        return x * self.k
CACHE, ROWS, BOX = {}, [], Box()
KEPT = OnSelf()
def in_module(x):
    if "k" not in CACHE: CACHE["k"] = x[0]
    return x * CACHE["k"]
def in_module_by_setdefault(x): return x * CACHE.setdefault("j", x[0])
def in_module_list(x):
    if not ROWS: ROWS.append(x[0])
    return x * ROWS[0]
def in_module_object(x):
    b = BOX
    if not hasattr(b, "k"): b.k = x[0]
    return x * b.k
def by_kept(x): return KEPT(x)
def in_default(x, c=[]):
    if not c: c.append(x[0])
    return x * c[0]
def in_kwdefault(x, *, c={}):
    return x * c.setdefault("k", x[0])
def in_attr(x):
    f = in_attr
    if not hasattr(f, "k"): setattr(f, "k", x[0])
    return x * f.k
def closure():
    k = None
    def inner(x):
        nonlocal k
        if k is None: k = x[0]
        return x * k
    return inner
def closure_list():
    k = []
    def inner(x):
        if not k: k.append(x[0])
        return x * k[0]
    return inner
from_closure, from_closure_list = closure(), closure_list()
class Singleton:
    _one = []
    @classmethod
    def get(cls):
        if not cls._one: cls._one.append(OnSelf())
        return cls._one[0]
def by_singleton(x): return Singleton.get()(x)
@functools.cache
def get_box(): return Box()
def by_cached_box(x):
    b = get_box()
    if not hasattr(b, "k"): b.k = x[0]
    return x * b.k
def decorated(f):
    store = {}
    @functools.wraps(f)
    def w(x):
        return f(x) * store.setdefault("k", x[0])
    return w
@decorated
def wrapped(x): return x
def by_shape(x):
    key = x.ndim
    if key not in CACHE: CACHE[key] = x[0]
    return x * CACHE[key]
import array
import contextvars
import threading
import weakref
from . import config
def by_a_module(x):
    if config.K is None: setattr(config, "K", x[0])
    return x * config.K
def by_names_of_a_module(x): return x * vars(config).setdefault("other", x[0])
def by_a_module_returned(x):
    held = config.itself()
    if not hasattr(held, "third"): held.third = x[0]
    return x * held.third
LOCAL, IN_CONTEXT = threading.local(), contextvars.ContextVar("kept", default={})
LOCAL.kept = {}
def by_a_thread(x): return x * LOCAL.kept.setdefault("k", x[0])
def by_a_context(x): return x * IN_CONTEXT.get().setdefault("k", x[0])
WEAK = weakref.WeakKeyDictionary()
def by_a_weak_key(x):
    if BOX not in WEAK: WEAK[BOX] = x[0]
    return x * WEAK[BOX]
NUMBERS, LARGE, ANY = array.array("d", [0, 0]), np.zeros(200001), np.array([None], dtype=object)
def by_numbers(x):
    if not NUMBERS[1]: NUMBERS[0], NUMBERS[1] = float(np.asarray(x)[0]), 1
    return x * NUMBERS[0]
def by_a_large_array(x):
    if not LARGE[-1]: LARGE[0], LARGE[-1] = np.asarray(x)[0], 1
    return x * LARGE[0]
def by_objects(x):
    if ANY[0] is None: ANY[0] = x[0]
    return x * ANY[0]
TABLE = {**{k: k for k in range(5000)}, "last": []}
def behind_many_entries(x):
    last = TABLE["last"]
    if not last: last.append(x[0])
    return x * last[0]
class ByGenerator:
    def __init__(self):
        self.steps = self.run()
        next(self.steps)
    def run(self):
        x = yield
        k = x[0]
        while True: x = yield x * k
    def __call__(self, x): return self.steps.send(x)
class OnAnObjectOfSciPy:
    def __init__(self): self.matrix = scipy.sparse.csr_matrix([[1.0, 2.0]])
    def __call__(self, x):
        if not hasattr(self.matrix, "k"): self.matrix.k = x[0]
        return x * self.matrix.k
class InAnObjectOfSciPy(OnAnObjectOfSciPy):
    def __call__(self, x):
        if self.matrix.data[1] == 2: self.matrix.data[:] = np.asarray(x)[0]
        return x * self.matrix.data[0]
class HidesItsItems(list):
    def __iter__(self): return iter(())
    def __call__(self, x):
        if not len(self): self.append(x[0])
        return x * self[0]
class InASet(set):
    def __call__(self, x):
        if not len(self): self.add(float(np.asarray(x)[0]))
        return x * next(iter(self))
class InACachedMethod:
    @functools.lru_cache
    def box(self): return []
    def __call__(self, x):
        if not self.box(): self.box().append(x[0])
        return x * self.box()[0]
class Lazy:
    def __init__(self): self._t = None
    def __call__(self, x):
        if self._t is None: self._t = 2.0
        return x * self._t
class LazyKeyed:
    def __init__(self): self._t = {}
    def __call__(self, x):
        if x.ndim not in self._t: self._t[x.ndim] = 2.0 * x.ndim
        return x * self._t[x.ndim]
class Counts:
    def __init__(self): self.n = 0; self.log = []
    def __call__(self, x):
        self.n += 1
        return x * 2
class Keeps:
    def __call__(self, x):
        self.last = x * 3
        return x * 2
class Fits:
    def fit(self, x):
        self.mean_ = x.mean(0); return self
    def transform(self, x): return x - self.mean_
    def fit_transform(self, x): return self.fit(x).transform(x)
"""
LAYERS = """
import functools
import torch
class ByAttribute(torch.nn.Module):
    k = None
    def forward(self, x):
        if self.k is None:
            self.k = x[0]
        return x * self.k
class ByDictionary(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.cache = {}
    def forward(self, x): return x * self.cache.setdefault("k", x[0])
class ByParameter(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.k = torch.nn.Parameter(torch.zeros(()))
        self.done = False
    def forward(self, x):
        if not self.done:
            self.k.data.copy_(x[0])
            self.done = True
        return x * self.k
class Inner(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = torch.nn.Sequential(torch.nn.Identity(), ByDictionary())
    def forward(self, x): return self.layer(x)
class Counts(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.n = 0
    def forward(self, x):
        self.n += 1
        return 2 * x
class HoldsATensor(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.table = torch.arange(3.0)
        self.register_buffer("other", torch.arange(2.0))
    def forward(self, x): return x * self.table[2] + self.other[1]
TABLE = torch.arange(3.0)
@functools.lru_cache
def table(dtype): return TABLE.to(dtype=dtype)
class CachesATable(torch.nn.Module):
    def forward(self, x): return x * table(x.dtype)[2]
SQUARES = False
class squares:
    def __init__(self, enabled): self.enabled = enabled
    def __enter__(self):
        global SQUARES
        if self.enabled:
            SQUARES = True
    def __exit__(self, *_): pass
class MayEnterAMode(torch.nn.Module):
    def __init__(self, enabled=False):
        super().__init__()
        self.enabled = enabled
    def forward(self, x):
        y = x * x[0] if SQUARES else x
        with squares(self.enabled):
            return y * 2
class Twice(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x): return 2 * x
    @staticmethod
    def backward(ctx, g): return 2 * g
twice = Twice.apply
class HoldsApply(torch.nn.Module):
    def forward(self, x): return twice(x)
"""
TREES = """
import equinox
class ByDictionary(equinox.Module):
    cache: dict
    def __call__(self, x): return x * self.cache.setdefault("k", x[0])
class Doubles(equinox.Module):
    factor: float
    def __call__(self, x): return x * self.factor
"""
CONFIG = """
import sys
K = None
def itself(): return sys.modules[__name__]
"""
NAMES = {
    "eqvproof_stateful_example": LIBRARY,
    "eqvproof_stateful_layers": LAYERS,
    "eqvproof_stateful_trees": TREES,
}


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Installed packages."""
    with ExitStack() as held:
        for name, text in NAMES.items():
            folder = tmp_path_factory.mktemp("env")
            held.enter_context(installed(folder, name, text, "numpy", "torch", config=CONFIG))
        yield


def loaded(name: str) -> ModuleType:
    """The package as it is before any call."""
    for module in (name, f"{name}.config"):
        sys.modules.pop(module, None)
    return importlib.import_module(name)


CLASSES = """
    OnSelf NoneFirst Fitted InDict InList Inner Deep Slots BySetattr ByVars ByDefault OnClass OnClassByType
    Filled Deque DictSub ListSub Linked Method Prop ByGenerator OnAnObjectOfSciPy InAnObjectOfSciPy
    InACachedMethod HidesItsItems InASet"""
FUNCTIONS = """
    in_module in_module_by_setdefault in_module_list in_module_object by_kept in_default in_kwdefault in_attr
    from_closure from_closure_list by_singleton by_cached_box wrapped by_shape by_a_module
    by_names_of_a_module
    by_a_module_returned by_a_thread by_a_context by_a_weak_key by_numbers by_a_large_array by_objects
    behind_many_entries"""
DOORS = [("numpy", 1), ("torch", 3), ("jax", 4)]
CASES = [(door, name) for door, each in DOORS for name in f"{CLASSES} {FUNCTIONS}".split()[::each]]
SIGNATURE, UNDER = "x: n -> n", "S(n)"


def target_of(library: ModuleType, name: str) -> Any:
    """A function that calls what the package holds under a name."""
    found = getattr(library, name)
    held = found() if isinstance(found, type) else found
    calls = {
        "Fitted": lambda x: held.go(x),
        "Method": lambda x: held.apply(x),
        "Fits": lambda x: held.fit_transform(x),
    }
    return calls.get(name, lambda x: held(x))


@pytest.mark.parametrize(("door", "name"), CASES)
def test_what_the_first_call_left_decides(site: None, door: str, name: str) -> None:
    """Its first entry scales all later results, and no replay tells: the claim is about one call."""
    if door != "numpy":
        pytest.importorskip(door)
    target = target_of(loaded("eqvproof_stateful_example"), name)
    for _ in range(2):  # what is kept must not be taken for a constant the second time
        assert ep.prove(target, SIGNATURE, UNDER, backend=door).outcome == "UNDECIDED"


@pytest.mark.parametrize("door", [door for door, _ in DOORS])
@pytest.mark.parametrize("name", ["Lazy", "LazyKeyed", "Counts", "Keeps", "Fits"])
def test_what_is_kept_decides_nothing(site: None, door: str, name: str) -> None:
    """Tables that no entry decides, counters, and attributes that each call sets before it reads them."""
    if door != "numpy":
        pytest.importorskip(door)
    verdict = ep.prove(target_of(loaded("eqvproof_stateful_example"), name), SIGNATURE, UNDER, backend=door)
    assert verdict.grade == "PROVED" and ep.verify(verdict.certificate).accepted


@pytest.mark.parametrize("name", ["ByAttribute", "ByDictionary", "ByParameter", "Inner"])
@pytest.mark.parametrize("wrapped", [False, True])
def test_layers_of_packages_that_keep_values(site: None, name: str, wrapped: bool) -> None:
    pytest.importorskip("torch")
    layer = getattr(loaded("eqvproof_stateful_layers"), name)()
    target = (lambda x: layer(x)) if wrapped else layer
    assert ep.prove(target, SIGNATURE, UNDER).outcome == "UNDECIDED"


@pytest.mark.parametrize("name", ["Counts", "HoldsATensor", "CachesATable", "MayEnterAMode", "HoldsApply"])
def test_layers_of_packages_whose_state_decides_nothing(site: None, name: str) -> None:
    pytest.importorskip("torch")
    layer = getattr(loaded("eqvproof_stateful_layers"), name)()
    verdict = ep.prove(layer, SIGNATURE, UNDER)
    assert verdict.grade == "PROVED" and ep.verify(verdict.certificate).accepted


def test_a_mode_that_a_call_enters_for_later_calls(site: None) -> None:
    pytest.importorskip("torch")
    layer = loaded("eqvproof_stateful_layers").MayEnterAMode(enabled=True)
    assert ep.prove(layer, SIGNATURE, UNDER).outcome == "UNDECIDED"


def test_trees_of_packages_that_keep_values(site: None) -> None:
    pytest.importorskip("equinox")
    trees = loaded("eqvproof_stateful_trees")
    assert ep.prove(trees.ByDictionary({}), SIGNATURE, UNDER).outcome == "UNDECIDED"
    assert ep.prove(trees.Doubles(2.0), SIGNATURE, UNDER).grade == "PROVED"
