"""Installed libraries are traced as they are, but for what shows that they are no functions."""

from __future__ import annotations

import importlib
from collections.abc import Iterator
from types import ModuleType
from typing import Any

import numpy as np
import pytest

import eqvproof as ep
from tests.installed import installed

LIBRARY = """
import contextvars, functools, importlib, inspect, itertools, locale, os, platform, random, threading, time
import logging, warnings
from math import sqrt
from random import random as draw
from time import monotonic
import numpy as np

START, _calls, TABLE, ROWS = time.time(), 0, {"n": 0}, []

LOG = logging.getLogger(__name__)
class Found:
    def __init__(self, x): self.compute(x)
    def compute(self, x): self.doubled_for_all = 2 * x
def found(x):
    LOG.debug("found")
    return Found(x)
def double(x): return 2 * x
def clock(x): return x if time.time() < START + 1e9 else np.cumsum(x)
def clock_by_name(x): return x if monotonic() > 0 else np.cumsum(x)
def clock_inside(x): return clock_by_name(x)
def draws(x): return x if draw() < 2 else np.cumsum(x)
def counts(x):
    global _calls
    _calls += 1
    return x if _calls < 10**6 else np.cumsum(x)
def counts_in_a_table(x):
    TABLE["n"] += 1
    return x if TABLE["n"] < 10**6 else np.cumsum(x)
def counts_in_a_list(x):
    ROWS.append(1)
    return x if len(ROWS) < 10**6 else np.cumsum(x)

class OfClass:
    n = 0
    def __call__(self, x):
        OfClass.n += 1
        return x if self.n < 10**6 else np.cumsum(x)

class ByType(OfClass):
    def __call__(self, x):
        self.__class__.n += 1
        return x if self.n < 10**6 else np.cumsum(x)

class Counter:
    def __init__(self): self.n = 0
    def __call__(self, x):
        self.n += 1
        return x if self.n < 10**6 else np.cumsum(x)

counter, of_class, by_type = Counter(), OfClass(), ByType()
def held(x): return counter(x)

settings = threading.local()
def options():
    if not hasattr(settings, "known"):
        settings.known = {"factor": 2}
    return settings.known
def with_settings(x): return options()["factor"] * x
def shuffles_when_asked(x, asked=False): return x if not asked or draw() < 2 else np.cumsum(x)
def count():
    settings.n = getattr(settings, "n", 0) + 1
    return settings.n
def counts_in_settings(x): return x if count() < 10**6 else np.cumsum(x)
def count_inside():
    settings.known["calls"] = options().setdefault("calls", 0) + 1
    settings.used = True
    return settings.known["calls"]
def counts_inside_settings(x): return x if count_inside() < 10**6 else np.cumsum(x)
def keeps_the_first(x):
    if not hasattr(settings, "first"):
        settings.first = x.sum()
    return x * settings.first
def draws_one(x): return x if np.random.rand() < 2 else np.cumsum(x)

class WithList:
    calls = [0]
    def __call__(self, x):
        self.calls[0] += 1
        return x if self.calls[0] < 10**6 else np.cumsum(x)

KIND, ENDLESS, COUNTS, DEEP = type, iter(range(10**9)), np.zeros(1), {"a": {"b": [0]}}
def environment(x): return x if os.environ.get("EQVPROOF_NONE") is None else np.cumsum(x)
def counts_in_the_environment(x):
    os.environ["EQVPROOF_NONE"] = str(int(os.environ.get("EQVPROOF_NONE", "0")) + 1)
    return x if int(os.environ["EQVPROOF_NONE"]) < 10**6 else np.cumsum(x)
def counts_behind_a_setting(x):
    held = os.environ.get.__self__
    held["EQVPROOF_NONE"] = str(int(os.getenv("EQVPROOF_NONE", "0")) + 1)
    return x if int(os.getenv("EQVPROOF_NONE")) < 10**6 else np.cumsum(x)
def reads_a_file(x): return x if open(os.devnull).read() == "" else np.cumsum(x)
def place_in_memory(x): return x if id(x) % 1000001 else np.cumsum(x)
def imports_a_clock(x):
    from time import monotonic
    return x if monotonic() > 0 else np.cumsum(x)
def counts_in_its_default(x, count=[0]):
    count[0] += 1
    return x if count[0] < 10**6 else np.cumsum(x)
def counts_by_name(x):
    setattr(counts_by_name, "n", getattr(counts_by_name, "n", 0) + 1)
    return x if counts_by_name.n < 10**6 else np.cumsum(x)
def counts_deep(x):
    DEEP["a"]["b"][0] += 1
    return x if DEEP["a"]["b"][0] < 10**6 else np.cumsum(x)
def counts_in_an_array(x):
    COUNTS[0] += 1
    return x if COUNTS[0] < 10**6 else np.cumsum(x)
def counts_by_an_iterator(x): return x if next(ENDLESS) < 10**6 else np.cumsum(x)
def counts_in_a_class(x): return WithList()(x)


@functools.cache
def remembered(k=0): return [0]
def counts_in_what_is_remembered(x):
    remembered()[0] += 1
    return x if remembered()[0] < 10**6 else np.cumsum(x)
@functools.lru_cache(maxsize=4)
def remembered_by_size(k): return {"n": 0}
def counts_in_one_of_what_is_remembered(x):
    remembered_by_size(3)["n"] += 1
    return x if remembered_by_size(3)["n"] < 10**6 else np.cumsum(x)
@functools.cache
def numbers_that_are_remembered(k): return [k]
def reads_what_is_remembered(x): return x * numbers_that_are_remembered(2)[0]
def prints(x): return x if str(np.array([1 / 3])) != "[0.33333333]" else np.cumsum(x)
def error_state(x): return x if np.geterr()["divide"] != "warn" else np.cumsum(x)
def error_state_inside(x):
    from numpy import geterr as state
    return x if state()["divide"] != "warn" else np.cumsum(x)
def warns(x):
    with warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter("always")
        np.array([1.0]) / np.array([0.0])
    return x if not seen else np.cumsum(x)
def frame(x):
    from sys import _getframe
    return x if _getframe(1).f_code.co_name != "analyst" else np.cumsum(x)
def frame_of_a_module(x): return x if inspect.currentframe().f_back is not None else np.cumsum(x)
def reaches_its_scope(x):
    scope = reaches_its_scope.__globals__
    scope["n"] = scope.get("n", 0) + 1
    return x if scope["n"] < 10**6 else np.cumsum(x)
def closure():
    count = [0]
    def counting(x):
        count[0] += 1
        return x if count[0] < 10**6 else np.cumsum(x)
    return counting
class Kept: pass
def keeps_a_closure(x):
    if not hasattr(Kept, "made"): setattr(Kept, "made", staticmethod(closure()))
    return Kept.made(x)
def makes_a_closure(x): return closure()(x)
IN_CONTEXT = contextvars.ContextVar("count", default=0)
def counts_in_its_context(x):
    IN_CONTEXT.set(IN_CONTEXT.get() + 1)
    return x if IN_CONTEXT.get() < 10**6 else np.cumsum(x)
HELD, BYTES, LONG, GENERATOR = [itertools.count()], bytearray(1), np.zeros(1000), np.random.default_rng(0)
def counts_by_a_held_iterator(x): return x if next(HELD[0]) < 10**6 else np.cumsum(x)
def counts_in_bytes(x):
    BYTES.append(0)
    return x if len(BYTES) < 10**6 else np.cumsum(x)
def counts_at_the_end(x):
    LONG[-1] += 1
    return x if LONG[-1] < 10**6 else np.cumsum(x)
def draws_from_its_generator(x): return x if GENERATOR.random() < 2 else np.cumsum(x)
def by_a_warning(x):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        try:
            return x + 0 / (x - 12345.75).sum()
        except RuntimeWarning:
            return np.cumsum(x)
def by_any_warning(x):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        try:
            return x + 0 / (x - 12345.75).sum()
        except Exception:
            return np.cumsum(x)
def by_an_error_state(x):
    with np.errstate(all="raise"):
        try:
            return x + 0 / (x - 12345.75).sum()
        except ArithmeticError:
            return np.cumsum(x)
def by_a_callers_error_state(x):
    try:
        return x + 0 / (x - 12345.75).sum()
    except FloatingPointError:
        return np.cumsum(x)
def filters(x): return x if warnings.filters[0][0] == "ignore" else np.cumsum(x)
def place(x): return x if locale.localeconv()["decimal_point"] != "," else np.cumsum(x)
def imports_by_name(x): return x if importlib.import_module("time").time() > 0 else np.cumsum(x)
def machine(x): return x if platform.system() != "none" else np.cumsum(x)

def real(x): return x if x.sum() != 12345.75 else np.cumsum(x)
def other(x): return x
def by_kind(x): return x if type(x) is not np.ndarray or x.sum() != 12345.75 else np.cumsum(x)
def by_kind_aliased(x): return x if KIND(x) is not np.ndarray or x.sum() != 12345.75 else np.cumsum(x)
def by_kind_given(x, kind=type): return x if kind(x) is not np.ndarray else real(x)
def by_class(x): return x if x.__class__ is not np.ndarray or x.sum() != 12345.75 else np.cumsum(x)
def by_table(x): return {np.ndarray: real}.get(type(x), other)(x)
def by_order(x): return x if np.ndarray not in type(x).__mro__ else real(x)
def by_kind_at_rare_entries(x):
    if x.sum() == 12345.75:
        return np.cumsum(x) if type(x) is np.ndarray else x
    return x
def by_kind_of_a_number_at_rare_entries(x):
    if x.sum() == 12345.75:
        return np.cumsum(x) if not isinstance(float(x.sum()), np.float64) else x
    return x
def says_the_kind_on_both_ways(x):
    if x.sum() > 0:
        return x * 2 if type(x) is list else x * 3
    return x
def _expect(x, ndim):
    if not type(x) is np.ndarray or x.ndim != ndim:
        raise TypeError(f"an array of {ndim} axes is expected, not {type(x)}")
def takes_an_array(x):
    _expect(x, 1)
    return x * 2
def takes_an_array_of_a_kind(x):
    _expect(x, 1)
    return x if KIND(x) is not np.ndarray or x.sum() != 12345.75 else np.cumsum(x)
def takes_an_array_at_rare_entries(x):
    _expect(x, 1)
    if x.sum() == 12345.75:
        return np.cumsum(x) if KIND(x) is np.ndarray else x
    return x
def by_isinstance(x): return real(x) if isinstance(x, np.ndarray) else other(x)
def by_kind_of_a_float(x):
    s = float(x.sum())
    return x if type(s) is not float or s != 12345.75 else np.cumsum(x)
def by_subclass_of_float(x):
    s = float(x.sum())
    return x if not issubclass(type(s), float) or s != 12345.75 else np.cumsum(x)
def by_table_of_float(x):
    s = float(x.sum())
    return x if {float: 1}.get(type(s)) is None or s != 12345.75 else np.cumsum(x)
def by_attribute_of_a_float(x):
    s = float(x.sum())
    return x if hasattr(s, "dtype") or s != 12345.75 else np.cumsum(x)
def by_isinstance_of_float(x):
    s = float(x.sum())
    return x if not isinstance(s, float) or s != 12345.75 else np.cumsum(x)
def scaled_by_a_float(x): return x / sqrt(float(np.dot(x, x)))
def rows_in_a_range(x): return x[range(len(x))]
def tripled(x): return 3 * x if type(x) is not list else np.array(x)

def by_kind_stored(x):
    try:
        kind = type(x)
        raise ValueError
    except ValueError:
        return x if kind is not np.ndarray or x.sum() != 12345.75 else np.cumsum(x)
def by_kind_told(x):
    try:
        raise ValueError(f"{type(x)}")
    except ValueError as error:
        return x if "ndarray" not in str(error) or x.sum() != 12345.75 else np.cumsum(x)

def is_real(x): return type(x) is np.ndarray
def kinds(x): return [is_real(v) for v in (x, 2 * x)]
def by_kind_found(x): return x if not is_real(x) or x.sum() != 12345.75 else np.cumsum(x)
def by_kind_found_deep(x): return x if not any(kinds(x)) or x.sum() != 12345.75 else np.cumsum(x)
def by_kind_found_in_a_loop(x):
    for found in (False, *kinds(x)):
        x = x if not found or x.sum() != 12345.75 else np.cumsum(x)
    return x
class Asked:
    def __init__(self, x): self.found = is_real(x)
def by_kind_kept(x): return x if not Asked(x).found or x.sum() != 12345.75 else np.cumsum(x)
def required(x):
    if isinstance(x, str) or not hasattr(x, "shape"):
        raise TypeError(f"an array, not {type(x)}")
    return x
def checked(x): return required(x) * tripled(x).sum()

def by_identity(x):
    known = {}
    known[id(x)] = 2 * x
    return known.get(id(x), x) if any(id(y) in known for y in [x]) else x
KNOWN = {}
def remembers_by_identity(x):
    known = KNOWN
    known[id(x)] = known.get(id(x), x)
    return known[id(x)]
class Address(dict):
    def __missing__(self, key): return key
def address_by_a_key(x):
    known = Address()
    return x if known[id(x)] % 1000001 else np.cumsum(x)
def address_in_a_range(x):
    some = range(0, 10**20, 1000001)
    return np.cumsum(x) if id(x) in some else x
def address_as_a_value(x):
    known = {}
    known[0] = id(x)
    return x if known[0] % 1000001 else np.cumsum(x)

class CountsInACell:
    def __init__(self): self.n, self.known = 0, {}
    def __call__(self, x):
        self.n += 1
        return [x if self.n < 10**6 else np.cumsum(x) for _ in [lambda: self]][0]
class KeepsInACell(CountsInACell):
    def __call__(self, x):
        self.last = getattr(self, "last", 0) + x.sum()
        return [x + 0 * self.last for _ in [lambda: self]][0]
class RemembersInACell(CountsInACell):
    def __call__(self, x):
        key = x.shape
        self.known.setdefault(key, x.sum())
        return [x * self.known[key] for _ in [lambda: self]][0]
class MarksInACell:
    def __init__(self): self.called = False
    def __call__(self, x):
        self.called = True
        return [2 * x for _ in [lambda: self]][0]
class NotThere:
    def __getattr__(self, name): raise ImportError(name)
in_a_cell, keeps_in_a_cell, remembers_in_a_cell = CountsInACell(), KeepsInACell(), RemembersInACell()
marks_in_a_cell, absent = MarksInACell(), NotThere()
def marks(x): return marks_in_a_cell(x)
def counts_in_a_cell(x): return in_a_cell(x)
def with_an_absent_module(x): return x if x.shape else absent.stack(x)
def own_input(x):
    input = 2 * x
    return (lambda: input)()
def says_the_kind(x):
    if x.ndim > 4 and isinstance(x, np.ndarray):
        raise ValueError(f"{type(x)} of many axes")
    for k in range(len(x.shape) if type is None else 1):
        x = 2 * x
    return x

from scipy.spatial.distance import pdist
class Distances:
    def fit(self, x):
        self.x = x
        return self
    @property
    def total(self): return pdist(self.x[:, None], "sqeuclidean").sum()
    @property
    def counted(self): return self.total if len(ROWS) < 10**6 and not ROWS.append(1) else np.cumsum(self.x)
def by_a_property(x): return x * Distances().fit(x).total
def counts_in_a_property(x): return x * Distances().fit(x).counted

import pickle
from typing import Callable, NamedTuple
class Pair(NamedTuple):
    first: Callable
    second: Callable
class Shares:
    def __init__(self, x): self.share = x / x.sum()
_results = {}
def halves_its_length(x):
    size = (x * x).sum()
    return x / 2 if size > 4 else x
def named(x): return (x, type(x).__name__)[0]
def named_if_long(x): return named(x) / 2 if (x * x).sum() > 4 else x
def named_if_short(x): return x / 2 if (x * x).sum() > 4 else named(x)
def by_kind_if_long(x): return x / 2 if (x * x).sum() < 4 else by_kind_found(x)
def raises_at_zero(x):
    if x.sum() == 0:
        raise ValueError("nothing to share")
    return x / x.sum()
def known_by_a_key(x, **options):
    key = pickle.dumps(options)
    return x if key == pickle.dumps({}) else np.cumsum(x)
def decides_by_pickled_sizes(x): return x if len(pickle.dumps(x.shape[0])) < 10**6 else np.cumsum(x)
def decides_by_pickled_entries(x): return x if len(pickle.dumps(x)) < 10**6 else np.cumsum(x)
"""
NAME = "eqvproof_installed_example"


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ModuleType]:
    """An installed package that requires NumPy."""
    with installed(tmp_path_factory.mktemp("env"), NAME, LIBRARY, "numpy"):
        yield importlib.import_module(NAME)


PURE = """
    halves_its_length raises_at_zero known_by_a_key scaled_by_a_float rows_in_a_range named_if_long
    named_if_short
    double with_settings shuffles_when_asked tripled other reads_what_is_remembered makes_a_closure
    environment by_identity checked marks marks_in_a_cell with_an_absent_module own_input says_the_kind
    says_the_kind_on_both_ways takes_an_array
    by_a_property"""


@pytest.mark.parametrize("name", PURE.split())
def test_a_function_is_proved(library: ModuleType, name: str) -> None:
    """Settings that are read or made at the first call, and random numbers not drawn, change nothing."""
    verdict = ep.prove(getattr(library, name), "x: n -> n", "S(n)")
    assert verdict.grade == "PROVED" and ep.verify(verdict.certificate).accepted


IMPURE = """
    decides_by_pickled_sizes decides_by_pickled_entries
    clock clock_by_name clock_inside draws counts counts_in_a_table counts_in_a_list of_class by_type
    counter held counts_in_settings counts_inside_settings keeps_the_first draws_one
    counts_in_the_environment counts_behind_a_setting
    reads_a_file place_in_memory imports_a_clock counts_in_its_default counts_by_name counts_deep
    counts_in_an_array counts_by_an_iterator counts_in_a_class counts_in_what_is_remembered
    counts_in_one_of_what_is_remembered prints error_state error_state_inside warns frame frame_of_a_module
    reaches_its_scope keeps_a_closure counts_in_its_context counts_by_a_held_iterator counts_in_bytes
    in_a_cell keeps_in_a_cell remembers_in_a_cell counts_in_a_cell
    remembers_by_identity address_by_a_key address_in_a_range address_as_a_value
    by_a_warning by_any_warning by_an_error_state by_a_callers_error_state
    counts_in_a_property counts_at_the_end draws_from_its_generator filters place imports_by_name machine"""
BY_KIND = """
    by_kind by_kind_aliased by_kind_given by_class by_table by_order by_isinstance by_kind_of_a_float
    by_subclass_of_float by_table_of_float by_attribute_of_a_float by_isinstance_of_float by_kind_stored
    by_kind_told by_kind_found by_kind_found_deep by_kind_found_in_a_loop by_kind_kept
    takes_an_array_of_a_kind takes_an_array_at_rare_entries
    by_kind_if_long by_kind_at_rare_entries by_kind_of_a_number_at_rare_entries"""


@pytest.mark.parametrize("name", BY_KIND.split())
def test_a_branch_on_the_class_of_an_argument_is_not_proved(library: ModuleType, name: str) -> None:
    """At entries that sum up to 12345.75 it gives running sums, which no replay meets."""
    f = getattr(library, name)
    x, swap = np.array([12345.0, 0.75]), [1, 0]
    assert not np.array_equal(f(x[swap]), f(x)[swap])
    assert ep.prove(f, "x: n -> n", "S(n)").outcome == "UNDECIDED"


@pytest.mark.parametrize("name", IMPURE.split())
@pytest.mark.parametrize("wrapped", [False, True])
def test_what_is_no_function_of_its_arguments_is_not_proved(
    library: ModuleType, name: str, wrapped: bool
) -> None:
    f = getattr(library, name)

    def through(x: Any) -> Any:
        return np.negative(f(x))

    assert ep.prove(through if wrapped else f, "x: n -> n", "S(n)").outcome == "UNDECIDED"


def test_a_branch_on_values_in_a_library_is_followed(library: ModuleType) -> None:
    verdict = ep.check(library.halves_its_length, "x: n -> n", "T(n)")
    assert verdict.grade == "EXACT" and ep.verify(verdict.certificate).accepted
    assert ep.prove(lambda x: library.halves_its_length(x) + x[0], "x: n -> n", "S(n)").outcome == "UNDECIDED"


@pytest.mark.parametrize("name", ["named_if_long", "named_if_short"])
def test_what_one_way_is_told_says_nothing_of_another(library: ModuleType, name: str) -> None:
    """One of the two ways through the function asks for a class, which its caller may use from there on."""
    pytest.importorskip("torch", reason="PyTorch is not installed")
    verdict = ep.prove(getattr(library, name), "x: n -> n", "S(n)", backend="torch")
    assert verdict.grade == "PROVED" and ep.verify(verdict.certificate).accepted


def test_functions_in_a_named_tuple_of_a_library_are_reached(library: ModuleType) -> None:
    pair = library.Pair(lambda x: 2 * x, lambda x: np.cumsum(x))
    assert ep.prove(lambda x: pair.first(x), "x: n -> n", "S(n)").grade == "PROVED"
    assert ep.check(lambda x: pair.second(x), "x: n -> n", "S(n)").grade == "EXACT"


def test_an_attribute_that_a_class_of_a_library_gives_its_objects_is_read(library: ModuleType) -> None:
    shares = library.Shares
    assert ep.prove(lambda x: shares(x).share, "x: n -> n", "S(n)").grade == "PROVED"
    assert ep.check(lambda x: shares(x).share, "x: n -> n", "O(n)").grade == "EXACT"


def test_an_object_that_a_function_of_a_library_returns_is_read(library: ModuleType) -> None:
    """Its class is met in no name, an attribute is set by another method, and a logger is asked."""
    found = library.found
    assert ep.prove(lambda x: found(x).doubled_for_all, "x: n -> n", "S(n)").grade == "PROVED"
    assert ep.check(lambda x: found(x).doubled_for_all, "x: n -> n", "O(n)").holds
    verdict = ep.check(lambda x: found(x).doubled_for_all[:1], "x: n -> 1", "S(n)")
    assert verdict.grade == "EXACT" and not verdict.holds


def test_a_name_that_a_module_of_a_library_lacks(library: ModuleType) -> None:
    """The branch that names it does not run; what asks for it is told, and no mistake of ours."""

    def f(x: Any) -> Any:
        return library.absent(x) if hasattr(library, "absent") else library.double(x)

    verdict = ep.prove(f, "x: n -> n", "S(n)")
    assert verdict.outcome == "UNDECIDED" and "hasattr" in verdict.reason, str(verdict)
