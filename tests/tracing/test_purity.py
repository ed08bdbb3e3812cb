"""What a target reads is known to be pure, or no strong verdict rests on it; what it stores is judged.

The first table reads the world outside in ways that give equal answers to equal calls within one run, so that
no comparison of calls could notice. The second holds uses of libraries that read nothing.
"""

# ruff: noqa: B008, E402, I001, UP030

from __future__ import annotations

import bisect
import collections
import contextvars
import dataclasses
import datetime
import decimal
import enum
import functools
import gc
import itertools
import locale
import logging
import math
import operator
import os
import pathlib
import platform
import re
import string
import sys
import threading
import time
import tracemalloc
import types
import warnings
import weakref
from typing import Any, NamedTuple

import numpy as np
import pytest

import eqvproof as ep
from eqvproof.support.errors import TraceError
from eqvproof.tracing.numpy.trace import trace_all_sizes, trace_at
from eqvproof.claims.signature import parse_signature

VECTOR = "x: n -> n"
SIGNATURE = parse_signature(VECTOR)
WORLD: dict[str, Any] = {}
PURE: dict[str, Any] = {}


def world(function: Any) -> Any:
    WORLD[function.__name__] = function
    return function


def pure(function: Any) -> Any:
    PURE[function.__name__] = function
    return function


SETTING = contextvars.ContextVar("SETTING", default=2.0)
FOLDER = pathlib.Path(os.sep)
FLAG, LOCAL = threading.Event(), threading.local()
LOCAL.value = 2.0
REFERENCE = weakref.ref(FLAG)
WORDS = {"alpha", "beta", "gamma", "delta"}
DATES = np.array(["2020-01-01"], dtype="M8[D]")
SECONDS = np.dtype("M8[s]")
from numpy import datetime64, geterr, is_busday


# -- the world ----------------------------------------------------------------------------------------------


@world
def clock_behind_a_text(x):
    return x * (np.array("now", dtype="datetime64[s]").astype(float) > 0)


@world
def clock_filled_in(x):
    return x * np.full((), "today", dtype="M8[D]").astype(float)


@world
def clock_of_a_name(x):
    return x * datetime64("today").astype(float)


@world
def clock_of_a_dtype(x):
    return x * SECONDS.type("now").astype(float)


@world
def clock_of_a_made_dtype(x):
    return x * np.dtype("M" + "8[s]").type("now").astype(float)


@world
def clock_stored_into_dates(x):
    dates = np.ones(1).astype("M8[D]")
    dates[0] = "today"
    return x * dates.astype(float)[0]


@world
def array_of_dates(x):
    return x * (DATES.astype(float)[0] > 0)


@world
def working_day(x):
    return x * (2.0 if is_busday("today") else 3.0)


@world
def year(x):
    return x * datetime.date.today().year


@world
def zone(x):
    return x * (time.timezone + 1.0)


@world
def command_line(x):
    return x * (1.0 + len(sys.argv))


@world
def variable(x):
    return x * (2.0 if "HOME" in os.environ else 3.0)


@world
def folder_exists(x):
    return x * (2.0 if FOLDER.exists() else 3.0)


@world
def name_of_the_machine(x):
    return x * (1.0 + len(platform.node()))


@world
def number_of_processors(x):
    return x * os.cpu_count()


@world
def language(x):
    return x * (1.0 + len(str(locale.getlocale())))


@world
def threads(x):
    return x * threading.active_count()


@world
def flag_of_a_thread(x):
    return x * (1.0 + FLAG.is_set())


@world
def value_of_a_thread(x):
    return x * LOCAL.value


@world
def context_variable(x):
    return x * SETTING.get()


@world
def decimal_places(x):
    return x * float(decimal.Decimal(1) / decimal.Decimal(3))


@world
def collector(x):
    return x * (1.0 + gc.isenabled())


@world
def memory_trace(x):
    return x * (1.0 + tracemalloc.is_tracing())


@world
def liveness(x):
    return x * (2.0 if REFERENCE() is None else 3.0)


@world
def recursion(x):
    return x * sys.getrecursionlimit()


@world
def error_state(x):
    return x * (2.0 if geterr()["over"] == "warn" else 3.0)


@world
def print_options(x):
    return x * len(str(np.arange(3) / 3))


@world
def print_options_in_a_text(x):
    return x * len(f"{np.arange(3) / 7}")


@world
def memory_not_written(x):
    return x * np.ndarray((1,))[0]


@world
def addresses(x):
    return x * (1.0 + np.ones(1).ctypes.data % 2)


@world
def attribute_of_a_text(x):
    return x * len("{0.ctypes.data}".format(np.arange(2)))  # noqa: UP032


@world
def order_of_a_set(x):
    return x * len(next(iter(WORDS)))


@world
def order_of_a_written_set(x):
    for word in {"alpha", "beta!", "gamma!!"}:
        return x * len(word)
    return x


@world
def order_of_a_made_set(x):
    return x * len(next(iter(set("alpha beta! gamma!!".split()))))


@world
def default_of_a_dictionary(x, seen=collections.defaultdict(time.time)):  # noqa: B006
    return x * seen["now"]


@world
def popped_from_a_written_set(x):
    return x * len({"alpha", "beta!"}.pop())


@world
def joined_sets(x):
    return x * len(next(iter({"alpha"} | {"beta!"})))


@world
def set_of_a_comprehension(x):
    return x * len(next(iter({k for k in ("alpha", "beta!")})))


@world
def set_of_keys(x):
    return x * len(next(iter({"alpha": 1}.keys() | ["beta!"])))


@world
def least_of_a_set(x):
    return x * len(min(set("alpha beta!".split()), key=lambda k: 0))


@world
def number_in_a_language(x):
    return x * len(f"{1234567:n}")


@world
def place_of_the_file(x):
    return x * len(__file__)


@world
def set_of_a_default(x, names=frozenset({"alpha", "beta!"})):
    chosen = names
    return x * len(next(iter(chosen)))


@world
def clock_of_a_static_method(x):
    return x * Clocked.now()


class Clocked:
    now = staticmethod(time.time)


@world
def recorded_warnings(x):
    with warnings.catch_warnings(record=True) as seen:
        warnings.warn("called", stacklevel=1)
    return x * (1.0 + len(seen))


@world
def error_state_of_scipy(x):
    special = pytest.importorskip("scipy.special")
    return x * len(special.geterr())


@world
def count_of_a_cache(x):
    return x * (weight.cache_info().hits + 1.0)


@world
def folder_of_numpy(x):
    return x * len(np.get_include())


@world
def module_by_another_name(x, library=np):
    return x * library.get_printoptions()["precision"]


@world
def module_in_a_variable(x):
    library = os
    return x * library.cpu_count()


@world
def module_in_a_container(x, modules=(time,)):
    return x * modules[0].timezone


@world
def imported_inside(x):
    from os import getpid

    return x * getpid()


def _hidden():
    import uuid

    @world
    def outer_module(x):
        return x * (1.0 + uuid.getnode() % 2)

    return outer_module


_hidden()


@world
def behind_a_helper(x):
    return x * _helper()


def _helper():
    return 1.0 + len(os.getcwd())


class Reader:
    @property
    def factor(self):
        return float(time.localtime().tm_year)

    def __call__(self, x):
        return x * self.factor


WORLD["behind_a_property"] = Reader()
WORLD["behind_a_partial"] = functools.partial(lambda source, x: x * source(), os.getpid)
WORLD["mapped"] = lambda x: x * next(map(os.path.getsize, [os.sep]))


@pytest.mark.parametrize("name", WORLD)
def test_what_is_not_known_to_be_pure_is_refused(name: str) -> None:
    with pytest.raises(TraceError):
        trace_all_sizes(WORLD[name], SIGNATURE)
    with pytest.raises(TraceError):
        trace_at(WORLD[name], SIGNATURE, {"n": 2})


@pytest.mark.parametrize("name", ["clock_of_a_name", "variable", "order_of_a_set", "behind_a_property"])
def test_no_strong_verdict_rests_on_the_world(name: str) -> None:
    verdict = ep.check(WORLD[name], VECTOR, "S(n)", budget=1.0)
    assert verdict.grade in ("TESTED", ""), str(verdict)


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("year", "datetime.date"), ("command_line", "sys.argv"), ("behind_a_helper", "os.getcwd"),
        ("imported_inside", "os"), ("module_by_another_name", "get_printoptions"),
        ("context_variable", "ContextVar"), ("order_of_a_set", "order"), ("variable", "os.environ"),
    ],
)  # fmt: skip
def test_the_refusal_names_what_is_read(name: str, words: str) -> None:
    with pytest.raises(TraceError, match=words):
        trace_all_sizes(WORLD[name], SIGNATURE)


# -- what reads nothing -------------------------------------------------------------------------------------

LOGGER = logging.getLogger(__name__)
KEYS = {"mean", "sum"}
FIRST = operator.itemgetter(0)
PATTERN = re.compile(r"\d+")


class Mode(enum.Enum):
    SUM = "sum"
    MEAN = "mean"


@dataclasses.dataclass(frozen=True)
class Options:
    mode: Mode = Mode.MEAN
    power: int = 2


@functools.lru_cache
def weight(k):
    return np.sqrt(k) + math.comb(4, 2)


@functools.cache
def power_of(k):
    return 2**k


@pure
def cached_weight(x):
    return x * weight(3) * power_of(2)


@pure
def caches_of_a_method(x):
    return x * Table().entry(2)


class Table:
    @functools.lru_cache(maxsize=4)  # noqa: B019
    def entry(self, k):
        return float(math.factorial(k))

    @functools.cached_property
    def scale(self):
        return np.linspace(1.0, 2.0, 3).sum()


TABLE = Table()


@pure
def cached_property(x):
    return x * TABLE.scale


@pure
def enumeration(x, options=Options()):
    return x**options.power * (2.0 if options.mode == Mode.MEAN else 1.0)


@pure
def replaced_options(x, options=Options()):
    return x ** dataclasses.replace(options, power=3).power


@pure
def logs_and_warns(x):
    LOGGER.debug("called")
    warnings.warn("not that fast", stacklevel=2)
    return 2 * x


@pure
def keys_in_a_set(x):
    return x * (2.0 if "mean" in KEYS else 3.0)


@pure
def keys_in_a_set_that_is_a_default(x, keys=frozenset({"mean", "sum"})):
    return x * (2.0 if "mean" in keys else 3.0)


Pair = collections.namedtuple("Pair", "u v")


class Weights(NamedTuple):
    u: float
    v: float = 3.0


@pure
def items_of_a_dictionary(x):
    weights = {"b": 2.0, "a": 3.0}
    pairs = sorted(weights.items(), key=lambda pair: pair[0])
    pairs += list(zip(weights.keys(), (1.0, 2.0), strict=True))
    return x * sum(k for _, k in pairs) * sum(weights[k] for k in weights)


@pure
def named_tuples(x, pair=Pair(1.0, 2.0), weights=Weights(2.0)):
    u, v = pair._replace(u=3.0)
    return x * u + v * weights.v + Weights(1.0).u


class Slotted:
    __slots__ = ("scale", "shift")

    def __init__(self):
        self.scale, self.shift = 2.0, 1.0


@pure
def slots(x, options=Slotted()):
    return x * options.scale + options.shift


class Named(str, enum.Enum):  # noqa: UP042
    MEAN = "mean"
    SUM = "sum"


@pure
def texts_that_are_members(x, kind=Named.MEAN):
    return x * len(kind.value) * len(kind.name)


@pure
def reduced(x):
    return x * np.add.reduce(np.multiply.outer(np.ones(2), np.ones(2)))[0]


@pure
def sets_of_sizes(x):
    axes = sorted(set(k % 2 for k in range(4)))
    axes += sorted(set((0, 1)))
    return x * len(axes) * len(set(range(3)))


@pure
def texts(x, names=("w1", "w2")):
    total = {"w_1": 1.0, "w_2": 2.0}
    return x * sum(total[f"w_{PATTERN.search(n).group()}"] for n in names) * len("{}-{}".format(*names))


@pure
def collections_of_parts(x):
    parts = collections.OrderedDict(a=x, b=2 * x)
    counts = collections.Counter("abca")
    return sum(parts.values()) * counts["a"] + counts.most_common(1)[0][1]


@pure
def iterators(x):
    steps = [a * b for a, b in itertools.product((1.0, 2.0), repeat=2)]
    return functools.reduce(operator.add, (x * s for s in itertools.accumulate(steps)))


@pure
def constants_of_modules(x):
    return x * len(string.ascii_lowercase) * math.pi + np.euler_gamma * x * np.finfo(np.float64).eps


@pure
def numpy_beside_the_traced(x):
    table = np.interp(0.5, [0.0, 1.0], [2.0, 4.0]) + np.polynomial.polynomial.polyval(2.0, [1.0, 1.0])
    return x * table * np.histogram([1.0, 2.0], bins=2)[0].sum() * bisect.bisect([1, 2, 3], 2)


@pure
def error_state_of_a_block(x):
    with np.errstate(divide="ignore"):
        return x / (1 + x * x)


@pure
def picked_by_a_getter(x):
    return FIRST([x, 2 * x])


@pure
def namespace(x, options=types.SimpleNamespace(scale=2.0)):
    return x * options.scale


@pure
def namespace_of_arrays(x, xp=np):
    return xp.where(x > 0, x, xp.zeros_like(x))


@pure
def asked_of_itself(x):
    return ASKED(x)


class Asked:
    factor = 2.0

    def __call__(self, x):
        return x * (self.factor if getattr(self, "special", None) is None else 3.0)


ASKED = Asked()


@pytest.mark.filterwarnings("ignore:not that fast")
@pytest.mark.parametrize("name", PURE)
def test_what_is_known_to_be_pure_is_proved(name: str) -> None:
    verdict = ep.prove(PURE[name], VECTOR, "S(n)")
    assert verdict.grade == "PROVED", str(verdict)
    assert ep.verify(verdict.certificate).accepted


# -- what is stored -----------------------------------------------------------------------------------------


class Counts:
    def __init__(self):
        self.calls = 0

    def __call__(self, x):
        self.calls += 1
        return 2 * x


class RunningMean:
    def __init__(self):
        self.mean = 0.0

    def __call__(self, x):
        self.mean = 0.9 * self.mean + 0.1 * x.mean()
        return x - x.mean()


class Lazy:
    def __init__(self):
        self.kernel = None

    def __call__(self, x):
        if self.kernel is None:
            self.kernel = np.array([1.0, 2.0]).sum()
        return x * self.kernel


class Memo:
    def __init__(self):
        self.known = {}

    def __call__(self, x):
        if "w" not in self.known:
            self.known["w"] = np.sqrt(2.0)
        return x * self.known["w"]


STATISTICS = {"calls": 0, "total": 0.0}


def statistics(x):
    STATISTICS["calls"] += 1
    STATISTICS["total"] = STATISTICS["total"] + x.sum()
    return x / 2


class Subtracts(RunningMean):
    def __call__(self, x):
        self.mean = 0.9 * self.mean + 0.1 * x.mean()
        return x - self.mean


class Changes(Counts):
    def __call__(self, x):
        self.calls += 1
        return x if self.calls < 10**9 else 2 * x


class AsksForNone:
    def __init__(self):
        self.last = 1.0

    def __call__(self, x):
        self.last = self.last + 1.0
        return x if self.last is not None else 2 * x


class Remembers:
    def __init__(self):
        self.seen = []

    def __call__(self, x):
        self.seen.append(1)
        return x if len(self.seen) < 10**9 else 2 * x


class Indexes(Counts):
    def __call__(self, x):
        self.calls += 1
        return x * (1.0, 1.0, 1.0, 2.0)[min(self.calls // 10**9, 3)]


@pytest.mark.parametrize(
    "make", [Counts, RunningMean, Lazy, Memo, lambda: statistics], ids=lambda m: m.__name__
)
def test_what_the_result_does_not_depend_on_may_change(make: Any) -> None:
    target = make()
    verdict = ep.prove(target, VECTOR, "S(n)")
    assert verdict.grade == "PROVED", str(verdict)
    assert ep.verify(verdict.certificate).accepted
    left = {**vars(target), **STATISTICS} if hasattr(target, "__dict__") else STATISTICS
    assert all(isinstance(v, (int, float, dict)) for v in left.values()), "a traced value is left behind"


@pytest.mark.parametrize("make", [Changes, AsksForNone, Remembers, Indexes])
def test_what_the_result_may_depend_on_is_named_and_nobody_accused(make: Any) -> None:
    verdict = ep.check(make(), VECTOR, "S(n)", budget=20)
    assert verdict.outcome == "UNDECIDED", str(verdict)
    assert "equal calls gave equal answers" in verdict.reason and "which each call changes" in verdict.reason
    assert "no function" not in verdict.reason


def test_different_answers_are_what_was_seen() -> None:
    verdict = ep.check(Subtracts(), VECTOR, "S(n)", budget=20)
    assert verdict.outcome == "UNDECIDED", str(verdict)
    assert "two calls with equal arguments returned different results" in verdict.reason
    assert "Subtracts.mean, which each call changes" in verdict.reason


def keeps_first_shape():
    first = {}
    return lambda x: x * (1 + (first.setdefault("shape", x.shape) != x.shape))


def keeps_first_length():
    lengths = []

    def target(x):
        if not lengths:
            lengths.append(len(x))
        return x + (len(x) - lengths[0])

    return target


class KeepsFirstMask:
    mask = None

    def __call__(self, x):
        if self.mask is None:
            self.mask = np.arange(len(x)) < 1
        return x if len(self.mask) == len(x) else np.where(np.arange(len(x)) < len(self.mask), x, 0 * x)


class KeepsFirstScale:
    def __call__(self, x):
        self.__dict__.setdefault("scale", 1 / x.shape[0])
        return x * self.scale


@pytest.mark.parametrize("sizes", [None, {"n": 2}, {"n": (2, 2)}])
@pytest.mark.parametrize("make", [keeps_first_shape, keeps_first_length, KeepsFirstMask, KeepsFirstScale])
def test_the_size_of_a_first_call_is_state_at_fixed_sizes_too(make: Any, sizes: Any) -> None:
    """What it holds at one size depends on whether calls at another size came before."""
    for verdict in (
        ep.prove(make(), VECTOR, "S(n)", sizes=sizes),
        ep.check(make(), VECTOR, "S(n)", sizes=sizes, budget=2.0),
    ):
        assert verdict.grade not in ("PROVED", "DECIDED", "BOUNDED", "EXACT", "ENCLOSED"), str(verdict)


class Owner:
    weight = 2.0


LIVING = Owner()
ALIVE, GONE = weakref.proxy(LIVING), weakref.proxy(Owner())


@pytest.mark.parametrize("f", [lambda x: x * ALIVE.weight, lambda x: x if GONE is None else 2 * x])
def test_weak_references_are_no_part_of_a_function(f: Any) -> None:
    found = ep.check(f, "x: n -> n", "S(n)", budget=20)
    assert "weak reference" in found.reason and found.grade in ("", "TESTED")
