"""Functions of which no trace for all sizes may rest: each is refused, and the message names the reason."""

# ruff: noqa: B006, B008, B010, F841, RUF059, E722

from __future__ import annotations

import collections
import contextlib
import copy
import functools
import itertools
import math
import operator
import os
import random
import sys
import time
import types
import warnings
from typing import Any

import numpy as np
import pytest
from numpy.random import default_rng

from eqvproof.claims.signature import parse_signature
from eqvproof.support.errors import TraceError
from eqvproof.tracing.numpy.trace import trace_all_sizes, trace_at

SIGNATURE = parse_signature("X: d n -> d n")
REFUSED: dict[str, tuple[Any, str]] = {}


def refused(reason: str) -> Any:
    """Enter a function into the table, with a part of the message."""

    def enter(function: Any) -> Any:
        REFUSED[function.__name__] = (function, reason)
        return function

    return enter


# -- branches on sizes ---------------------------------------------------------------------------------------


@refused("depends on the size")
def branch_on_shape(X):
    return X if X.shape[1] > 7 else 2 * X


@refused("depends on the size")
def branch_on_len(X):
    return X if len(X) > 7 else 2 * X


@refused("depends on the size")
def branch_on_size(X):
    return X if X.size > 1000 else 2 * X


@refused("depends on the size")
def branch_on_equal_shapes(X):
    return X if X.shape[0] == X.shape[1] else 2 * X


@refused("depends on the size")
def branch_on_shape_tuple(X):
    return X if X.shape == (3, 4) else 2 * X


@refused("no polynomial")
def branch_on_parity(X):
    return X if X.shape[1] % 2 == 0 else 2 * X


@refused("range")
def loop_over_range(X):
    return sum(X * i for i in range(X.shape[1]))


@refused("a loop over")
def loop_over_rows(X):
    return np.stack([row for row in X])


@refused("a loop over")
def unpacked_rows(X):
    first, *rest = X
    return X + first


@refused("dict or a set")
def look_up_size(X):
    return X * {3: 2.0}.get(X.shape[1], 1.0)


@refused("depends on the size")
def size_in_list(X):
    return X if X.shape[1] in [3, 4] else 2 * X


@refused("a text")
def size_as_text(X):
    return X * (2 if f"{X.shape[1]}" == "3" else 1)


@refused("depends on the size")
def smaller_size(X):
    return X * min(X.shape)


@refused("range")
def repeated_list(X):
    return X + sum([1.0] * X.shape[1])


@refused("squeeze")
def squeezed(X):
    return np.squeeze(X)


@refused("beyond an axis")
def first_two(X):
    return X + X[:, :2].sum()


@refused("beyond an axis")
def second_column(X):
    return X + X[:, 1:2].mean() + X[:, [1]]


@refused("depends on the size")
def match_on_size(X):
    match X.shape:
        case (_, 3):
            return X
    return 2 * X


# -- values as Python numbers --------------------------------------------------------------------------------


@refused("isinstance")
def is_a_float(X):
    return X if isinstance(X.sum(), float) else 2 * X


@refused("tolist|asks for the entries")
def listed(X):
    return np.array(X.tolist())


@refused("hash")
def hashed(X):
    return X if X.sum() in {0.0} else 2 * X


@refused("in needs the entries|truth value")
def contained(X):
    return X if 0.0 in X else 2 * X


@refused("a text")
def printed(X):
    return X * len(str(X.sum()))


@refused("is not traced")
def mantissas(X):
    return np.frexp(X)[0]


@refused("whether a value is finite")
def not_a_number(X):
    return np.where(np.isnan(np.log(X)), 0.0, np.log(X))


@refused("whether a value is finite")
def where_finite(X):
    return np.where(np.isfinite(np.log(X)), X, np.cumsum(X))


@refused("integers")
def cast_to_int(X):
    return X.astype(int)


@refused("not a real number")
def times_nan(X):
    return X * np.nan


@refused("entries .inf is used as numbers")
def constant_inf(X):
    return X * 0 + np.inf


@refused("no input was found")
def divided_by_zero(X):
    return X / 0


@refused("complex")
def order_of_complex_numbers(X):
    return np.maximum(X * 1j, X).real


# -- what an object is ---------------------------------------------------------------------------------------


@refused("isinstance")
def is_integer(X):
    return X if isinstance(X.shape[0], int) else 2 * X


@refused("identity|shape")
def class_of(X):
    return X if X.__class__ is np.ndarray else 2 * X


@refused("strides")
def has_attribute(X):
    return X if hasattr(X, "strides") else 2 * X


@refused("strides")
def get_attribute(X):
    return X * len(getattr(X, "strides", (1, 2)))


@refused("is_integer")
def asks_a_number(X):
    return X if hasattr(X.sum(), "is_integer") else 2 * X


@refused("how the memory")
def by_layout(X):
    return X if X.flags.c_contiguous else 2 * X


@refused("how the memory")
def by_memory(X):
    return X if np.may_share_memory(X, X.T) else 2 * X


ALIAS = type


@refused("type\\(\\)")
def alias_of_type(X):
    return X if ALIAS(X) is np.ndarray else 2 * X


@refused("type\\(\\)")
def hidden_in_a_dict(X, table={"t": type}):
    return X if table["t"](X) is np.ndarray else 2 * X


@refused("type\\(\\)")
def mapped_type(X):
    return X if next(map(type, [X])) is np.ndarray else 2 * X


@refused("isinstance")
def operator_attribute(X):
    return X if operator.attrgetter("__class__")(X) is np.ndarray else 2 * X


@refused("isinstance")
def match_class(X):
    match X:
        case np.ndarray():
            return X
    return 2 * X


@functools.singledispatch
def dispatched(x):
    return x


@refused("isinstance|functools|__get|runs")
def single_dispatch(X):
    return dispatched(X)


@refused("strides|not traced")
def strides(X):
    return X if X.strides[0] > 0 else 2 * X


@refused("globals\\(\\)")
def by_globals(X):
    return X if globals()["ALIAS"](X) is np.ndarray else 2 * X


@refused("__globals__|dunder|attribute")
def by_dunder(X):
    return X if by_dunder.__globals__["ALIAS"](X) is np.ndarray else 2 * X


@refused("hasattr\\(\\)")
def has_common_attribute(X):
    return X if hasattr(X, "shape") else 2 * X


@refused("getattr\\(\\)")
def get_common_attribute(X):
    return X * len(getattr(X, "shape", (1, 2)))


@refused("attrgetter|looked up|lead")
def operator_on_a_function(X):
    return X if operator.attrgetter("__globals__")(by_dunder)["ALIAS"](X) is np.ndarray else 2 * X


@refused("identity of two objects")
def by_identity(X):
    return [X, 2 * X][X.real is X]


@refused("is_|lead|identity")
def by_identity_in_c(X):
    return [X, 2 * X][all((operator.is_(X.real, X), X.sum() > 1e9))]


@refused("hash\\(\\)|object\\(\\)")
def by_hash_of_an_object(X):
    return X * (2 if hash(object()) % 9973 == 0 else 1)


@refused("not traced")
def by_short_dtype(X):
    return [X, 2 * X][all((X.astype(np.float32).dtype == np.float32, X.sum() > 1e9))]


@refused("attribute __name__")
def by_name_of_a_method(X):
    return [X, 2 * X][all((X.sum.__name__ == "sum", X.sum() > 1e9))]


@refused("the module builtins|leads")
def by_builtins(X):
    return X if __builtins__["type"](X) == np.ndarray else 2 * X


@refused("attribute sys")
def by_module_in_a_module(X):
    return X if contextlib.sys.gettrace() is None else 2 * X


@refused("of an object of a library is set|changed")
def state_in_a_library(X):
    f = functools.reduce
    t = types.SimpleNamespace
    g = warnings.warn
    w = copy.copy
    w.calls = 1
    return X


@refused("no local variable is set")
def state_in_a_module(X):
    math.calls = 1
    return X


@functools.cache
def remembered_list():
    return [0]


@functools.lru_cache(maxsize=4)
def remembered_ones(n):
    return np.ones(n)


class Remembers:
    @functools.lru_cache  # noqa: B019
    def calls(self):
        return []


REMEMBERS = Remembers()


@refused("what remembered_list remembers, which each call changes")
def state_in_a_cache(X):
    calls = remembered_list()
    calls[0] += 1
    return X if calls[0] < 10**9 else 2 * X


@refused("remembers, which each call changes")
def state_in_a_cached_array(X):
    w = remembered_ones(X.shape[1])
    w += 1
    return X * w


@refused("what calls remembers, which each call changes")
def state_in_the_cache_of_a_method(X):
    calls = REMEMBERS.calls()
    calls.append(1)
    return X * len(calls)


@refused("remembers, which each call changes")
def first_call_in_a_cache(X, cached=remembered_list):
    found = cached()
    if len(found) < 2:
        found.append(2.0)
    return X * found[1]


NAMESPACE = types.SimpleNamespace(calls=0)


@refused("no local variable|changed")
def state_in_a_namespace(X):
    NAMESPACE.calls += 1
    return X


@refused("changed")
def state_in_a_container_of_a_library(X):
    copy._deepcopy_dispatch["calls"] = copy._deepcopy_dispatch.get("calls", 0) + 1
    return X


@refused("the module sys")
def by_stack(X):
    return X if sys.gettrace() is None else 2 * X


@refused("the module sys|sys is imported")
def by_imported_stack(X):
    import sys as s

    return X if s.gettrace() is None else 2 * X


@refused("id\\(\\)")
def by_address(X):
    return X * (id(X) % 2)


# -- exceptions ----------------------------------------------------------------------------------------------


@refused("try/except|depends on the size")
def swallowed(X):
    try:
        return X if X.shape[1] > 7 else 2 * X
    except Exception:
        return X


@refused("foo of an array")
def swallowed_bare(X):
    try:
        return X.foo
    except:
        return X


@refused("try/except")
def fallback_inverse(X):
    try:
        return np.linalg.inv(X @ X.T + np.eye(X.shape[0])) @ X
    except np.linalg.LinAlgError:
        return X


@refused("intercepted|len|finally")
def swallowed_finally(X):
    try:
        Y = X * len(X)
    finally:
        return X  # noqa: B012


@refused("suppress|len")
def suppressed(X):
    Y = X
    with contextlib.suppress(Exception):
        Y = X * len(X)
    return Y


@refused("suppress")
def suppressed_harmless(X):
    with contextlib.suppress(ValueError):
        return X * 2
    return X


class Swallow:
    def __enter__(self):
        return self

    def __exit__(self, *exc):
        return True


@refused("swallow|len")
def own_context_manager(X):
    Y = X
    with Swallow():
        Y = X * len(X)
    return Y


# -- randomness and state ------------------------------------------------------------------------------------


@refused("random")
def adds_noise(X):
    return X + np.random.rand()


@refused("random")
def adds_python_noise(X):
    return X + random.random()


@refused("random|Cannot convert")
def rarely_random(X):
    return X * (1.0 if default_rng().random() > 1e-9 else 2.0)


GENERATOR = np.random.default_rng(0)


@refused("random|changed|Generator")
def own_generator(X):
    return X + GENERATOR.standard_normal()


@refused("random")
def seeded(X):
    np.random.seed(0)
    return X + np.random.rand()


@refused("time")
def clock(X):
    return X * (time.time() > 0)


@refused("the module os")
def environment(X):
    return X * len(os.environ.get("HOME", ""))


@refused("open\\(\\)")
def reads_a_file(X):
    with open(__file__) as f:
        return X * len(f.read())


COUNT = 0


@refused("global variable COUNT")
def counter(X):
    global COUNT
    COUNT += 1
    return X * (1 if COUNT < 1000 else 2)


CALLS: list[int] = []


@refused("changed|state")
def appends(X):
    CALLS.append(1)
    return X * (1 if len(CALLS) < 1000 else 2)


@refused("own_attribute.*, which each call changes")
def own_attribute(X):
    own_attribute.calls = 1 + own_attribute.__dict__.get("calls", 0) if False else own_attribute.calls + 1
    return X * (1 if own_attribute.calls < 1000 else 2)


own_attribute.calls = 0


@refused("changed|state")
def default_argument(X, calls=[0]):
    calls[0] += 1
    return X * (1 if calls[0] < 1000 else 2)


def _closure():
    calls = 0

    @refused("nonlocal")
    def closure_counter(X):
        nonlocal calls
        calls += 1
        return X * (1 if calls < 1000 else 2)

    @refused("count|state cannot be read")
    def closure_iterator(X, numbers=itertools.count()):
        return X * (1 if next(numbers) < 1000 else 2)

    return closure_counter, closure_iterator


_closure()


class Holder:
    calls = 0


@refused("no local variable is set")
def class_attribute(X):
    Holder.calls += 1
    return X * (1 if Holder.calls < 1000 else 2)


class Layer:
    def __init__(self):
        self.seen = 0

    def __call__(self, X):
        self.seen = self.seen + 1
        return X * (1 if self.seen < 1000 else 2)


REFUSED["callable_object"] = (Layer(), "Layer.seen, which each call changes")


class Remembers:
    def __init__(self):
        self.first = None

    def forget(self, X):
        self.first = 1.0 if self.first is None else None
        return X if self.first is None else 2 * X


REFUSED["bound_method"] = (Remembers().forget, "another way|Remembers.first")
MEMO: dict[str, Any] = {}


@refused("shape|earlier call")
def memo(X):
    if "value" not in MEMO:
        MEMO["value"] = X * 1.0
    return MEMO["value"]


BUFFER = np.zeros(3)


@refused("changed|state")
def writes_global_array(X):
    BUFFER[0] += 1
    return X * (1 if BUFFER[0] < 1000 else 2)


SWITCH = iter([1.0] * 10**6)


@refused("iterator|state cannot be read")
def global_iterator(X):
    return X * next(SWITCH)


DEQUE = collections.deque([1.0] * 9 + [2.0])


@refused("deque|state")
def rotates(X):
    DEQUE.rotate(1)
    return X * DEQUE[0]


@refused("setattr\\(\\)|replaces numpy.tanh")
def monkeypatch(X):
    setattr(np, "tanh", np.sin)
    return np.tanh(X)


@refused("set hidden state")
def sets_error_state(X):
    np.seterr(all="ignore")
    return X


@refused("numpy.loadtxt is not known to be pure")
def loads(X):
    return X + np.loadtxt("nowhere.txt")


# -- writes --------------------------------------------------------------------------------------------------


@refused("a write into the argument X")
def writes_input(X):
    X += 1
    return X


@refused("a write into the argument X")
def writes_entry(X):
    X[0, 0] = 1
    return X


@refused("a write into the argument X")
def writes_view(X):
    Y = X.T
    Y *= 2
    return X


@refused("a write into the argument X")
def writes_reshaped(X):
    np.multiply(X.reshape(-1), 2, out=X.reshape(-1))
    return X


@refused("a write into the argument X")
def writes_asarray(X):
    Y = np.asarray(X)
    Y -= Y.mean()
    return Y


@refused("a view")
def writes_shared(X):
    Y = X * 2
    Z = Y.T
    Y += 1
    return Z.T


@refused("a view")
def writes_part_of_shared(X):
    Y = X * 2
    T = Y.T
    Z = Y[:1]
    Z += 1
    return T.T


@refused("a write into the argument X")
def sorts_input(X):
    X.sort(axis=0)
    return X


@refused("read-only")
def writes_broadcast(X):
    Y = np.broadcast_to(X.sum() * np.ones(1), X.shape)
    Y += 1
    return Y


@refused("np.empty")
def uninitialised(X):
    return X + 0 * np.empty(X.shape)


# -- results -------------------------------------------------------------------------------------------------


@refused("returns None")
def returns_none(X):
    X + 1


@refused("a tuple")
def returns_tuple(X):
    return X, X


@refused("a list")
def returns_list(X):
    return [X]


@refused("shape \\(n, d\\)")
def wrong_shape(X):
    return X.T


@refused("raises ValueError")
def raises(X):
    raise ValueError("not today")


@refused("differ|do not broadcast|inner sizes")
def shapes_clash(X):
    return X @ X


@refused("raises|real arrays")
def raises_at_some_input(X):
    return X * math.sqrt(X.sum())


@refused("Generator|generator")
def returns_generator(X):
    return (x for x in (X,))


@pytest.mark.parametrize("name", REFUSED)
def test_refused_for_all_sizes(name: str) -> None:
    function, reason = REFUSED[name]
    with pytest.raises(TraceError, match=reason):
        trace_all_sizes(function, SIGNATURE)


#: Those that read well once the sizes are fixed.
FINE_AT_FIXED_SIZES = frozenset({
    "branch_on_shape", "branch_on_len", "branch_on_size", "branch_on_equal_shapes", "branch_on_shape_tuple",
    "branch_on_parity", "loop_over_range", "loop_over_rows", "unpacked_rows", "int_of_size", "look_up_size",
    "size_in_list", "size_as_text", "smaller_size", "repeated_list", "squeezed", "first_two", "second_column",
    "match_on_size", "shapes_clash", "wrong_shape", "is_integer",
})  # fmt: skip


@pytest.mark.parametrize("name", REFUSED)
def test_refused_at_fixed_sizes(name: str) -> None:
    function, reason = REFUSED[name]
    if name in FINE_AT_FIXED_SIZES:
        trace_at(function, SIGNATURE, {"d": 3, "n": 3})
        return
    with pytest.raises(TraceError):
        trace_at(function, SIGNATURE, {"d": 3, "n": 3})


def test_nothing_is_left_behind() -> None:
    assert type(np) is types.ModuleType
    assert type(math) is types.ModuleType
    assert np.pi == math.pi
    assert type(np.sqrt) is np.ufunc
    assert sys.gettrace() is None or "eqvproof" not in repr(sys.gettrace())
    assert copy.copy(warnings.filters) is not None
