"""Every place that can hold state is seen by the guard of a target and by its fingerprint."""

from __future__ import annotations

import collections
import dataclasses
import functools
import types
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import eqvproof as ep
from eqvproof.tracing.observing.code import instructions
from eqvproof.tracing.observing.fingerprint import fingerprint
from eqvproof.tracing.observing.reachable_objects import Reach

Change = Callable[[], None]
Holder = Callable[[], tuple[Callable[[Any], Any], Change]]
HOLDERS: dict[str, Holder] = {}


def holder(make: Holder) -> Holder:
    HOLDERS[make.__name__] = make
    return make


SCALE = 2.0


@holder
def closure_cell():
    scale = 2.0

    def change():
        nonlocal scale
        scale = 3.0

    return (lambda x: x * scale), change


@holder
def cell_that_becomes_empty():
    scale = 2.0

    def change():
        nonlocal scale
        del scale

    return (lambda x: x * scale), change


@holder
def global_number():
    scope = {"SCALE": 2.0, "__name__": __name__}
    f = types.FunctionType((lambda x: x * SCALE).__code__, scope)
    return f, lambda: scope.update(SCALE=3.0)


@holder
def global_of_a_nested_function():
    scope = {"SCALE": 2.0, "__name__": __name__}
    outer = types.FunctionType((lambda x: (lambda y: y * SCALE)(x)).__code__, scope)
    return outer, lambda: scope.update(SCALE=3.0)


@holder
def called_function():
    table = [2.0]

    def inner(x):
        return x * table[0]

    return (lambda x: inner(x)), lambda: table.__setitem__(0, 3.0)


@holder
def attribute_of_a_function():
    def f(x):
        return x * f.scale

    f.scale = 2.0
    return f, lambda: setattr(f, "scale", 3.0)


@holder
def default():
    def f(x, scale=2.0):
        return x * scale

    return f, lambda: setattr(f, "__defaults__", (3.0,))


@holder
def keyword_default():
    def f(x, *, scale=2.0):
        return x * scale

    return f, lambda: f.__kwdefaults__.update(scale=3.0)


@holder
def content_of_a_default():
    def f(x, scales=[2.0]):  # noqa: B006
        return x * scales[0]

    return f, lambda: f.__defaults__[0].append(3.0)


@holder
def partial_positional():
    table = [2.0]
    return functools.partial(lambda t, x: x * t[0], table), lambda: table.append(3.0)


@holder
def partial_keyword():
    f = functools.partial(lambda x, scale: x * scale, scale=2.0)
    return f, lambda: f.keywords.update(scale=3.0)


@holder
def attribute_of_a_partial():
    inner = functools.partial(lambda x: x)
    inner.scale = 2.0
    return (lambda x: inner(x) * inner.scale), lambda: setattr(inner, "scale", 3.0)


@holder
def partial_of_a_subclass():
    class Partial(functools.partial):
        pass

    inner = Partial(lambda x, scale: x * scale, scale=2.0)
    return (lambda x: inner(x)), lambda: inner.keywords.update(scale=3.0)


class Layer:
    rate = 2.0
    rates = [2.0]

    def __init__(self):
        self.scale = 2.0
        self.held = [2.0]

    def __call__(self, x):
        return x * self.scale

    def method(self, x):
        return x * self.held[0]

    @property
    def read(self):
        return self.held[0]


@holder
def instance_that_is_called():
    layer = Layer()
    return layer, lambda: setattr(layer, "scale", 3.0)


@holder
def bound_method():
    layer = Layer()
    return layer.method, lambda: layer.held.insert(0, 3.0)


@holder
def property_of_an_instance():
    layer = Layer()
    return (lambda x: x * layer.read), lambda: layer.held.insert(0, 3.0)


@holder
def class_attribute():
    class Own(Layer):
        rate = 2.0

    layer = Own()
    return (lambda x: x * layer.rate), lambda: setattr(Own, "rate", 3.0)


@holder
def content_of_an_inherited_class_attribute():
    class Base:
        rates = [2.0]

    class Own(Base):
        pass

    layer = Own()
    return (lambda x: x * layer.rates[0]), lambda: Base.rates.insert(0, 3.0)


@holder
def static_method():
    table = [2.0]

    class Own:
        @staticmethod
        def times(x):
            return x * table[0]

    return (lambda x: Own.times(x)), lambda: table.insert(0, 3.0)


@holder
def class_method():
    class Own:
        table = [2.0]

        @classmethod
        def times(cls, x):
            return x * cls.table[0]

    return (lambda x: Own.times(x)), lambda: Own.table.insert(0, 3.0)


@holder
def setter_and_deleter():
    table = [2.0]

    class Own:
        scale = 1.0

        def _delete(self):
            type(self).scale = table[0]

        gone = property(None, None, _delete)

    layer = Own()

    def f(x):
        del layer.gone
        return x * layer.scale

    return f, lambda: table.insert(0, 3.0)


@holder
def dataclass_field():
    @dataclasses.dataclass
    class Own:
        scale: float = 2.0

    layer = Own()
    return (lambda x: x * layer.scale), lambda: setattr(layer, "scale", 3.0)


@holder
def slotted_dataclass():
    @dataclasses.dataclass(slots=True)
    class Own:
        scale: float = 2.0

    layer = Own()
    return (lambda x: x * layer.scale), lambda: setattr(layer, "scale", 3.0)


@holder
def slot():
    class Own:
        __slots__ = ("scale",)

    layer = Own()
    layer.scale = 2.0
    return (lambda x: x * layer.scale), lambda: setattr(layer, "scale", 3.0)


@holder
def private_slot():
    class Own:
        __slots__ = ("__scale",)

        def __init__(self):
            self.change(2.0)

        def change(self, scale):
            self.__scale = scale

        def __call__(self, x):
            return x * self.__scale

    layer = Own()
    return layer, lambda: layer.change(3.0)


@holder
def slot_named_by_an_iterator():
    class Own:
        __slots__ = iter(("scale",))

    layer = Own()
    layer.scale = 2.0
    return (lambda x: x * layer.scale), lambda: setattr(layer, "scale", 3.0)


@holder
def slot_behind_one_of_the_same_name():
    class Base:
        __slots__ = ("scale",)

        def times(self, x):
            return x * Base.scale.__get__(self)

    class Own(Base):
        __slots__ = ("scale",)

    layer = Own()
    layer.scale = 2.0
    Base.scale.__set__(layer, 2.0)
    return (lambda x: layer.times(x)), lambda: Base.scale.__set__(layer, 3.0)


def items(make, change):
    def made():
        held = make()
        return (lambda x: x * len(held)), lambda: change(held)

    return made


HOLDERS |= {
    "list": items(lambda: [1], lambda h: h.append(2)),
    "list in a list": items(lambda: [[1]], lambda h: h[0].append(2)),
    "tuple of lists": items(lambda: ([1],), lambda h: h[0].append(2)),
    "value of a dict": items(lambda: {1: 2}, lambda h: h.update({1: 3})),
    "key of a dict": items(lambda: {1: 2}, lambda h: h.update({3: h.pop(1)})),
    "order of a dict": items(lambda: {1: 2, 3: 4}, lambda h: h.update({1: h.pop(1)})),
    "set": items(lambda: {1}, lambda h: h.add(2)),
    "deque": items(lambda: collections.deque([1]), lambda h: h.append(2)),
    "ordered dict": items(lambda: collections.OrderedDict(a=1), lambda h: h.update(a=2)),
    "order of an ordered dict": items(
        lambda: collections.OrderedDict(a=1, b=2), lambda h: h.move_to_end("a")
    ),
    "counter": items(lambda: collections.Counter("a"), lambda h: h.update("a")),
    "factory of a default dict": items(
        lambda: collections.defaultdict(int), lambda h: setattr(h, "default_factory", float)
    ),
    "array": items(lambda: np.ones(2), lambda h: h.fill(2)),
    "array of objects": items(lambda: np.array([[1], [2, 3]], dtype=object), lambda h: h[0].append(2)),
    "view": items(lambda: np.ones((2, 2)).T[:1], lambda h: h.base.fill(2)),
    "array of no dimensions": items(lambda: np.array(1.0), lambda h: h.fill(2)),
}


@holder
def attribute_of_a_namespace():
    held = types.SimpleNamespace(scale=2.0)
    return (lambda x: x * held.scale), lambda: setattr(held, "scale", 3.0)


@holder
def hidden_data_of_a_compiled_base():
    class Own(bytearray):
        pass

    held = Own(b"a")
    return (lambda x: x * len(held)), lambda: held.append(1)


@holder
def function_of_a_subclass_of_property():
    table = [2.0]

    class Read(property):
        pass

    class Own:
        scale = Read(lambda self: table[0])

    layer = Own()
    return (lambda x: x * layer.scale), lambda: table.insert(0, 3.0)


@holder
def cached_property():
    table = [2.0]

    class Own:
        @functools.cached_property
        def scale(self):
            return table[0]

    layer = Own()
    return (lambda x: x * layer.scale), lambda: table.insert(0, 3.0)


@holder
def partial_method():
    table = [2.0]

    class Own:
        def times(self, held, x):
            return x * held[0]

        twice = functools.partialmethod(times, table)

    layer = Own()
    return (lambda x: layer.twice(x)), lambda: table.insert(0, 3.0)


@holder
def attribute_of_a_dict():
    class Own(dict):
        pass

    held = Own()
    held.index = 2
    return (lambda x: x * held.index), lambda: setattr(held, "index", 3)


@holder
def slot_of_a_list():
    class Own(list):
        __slots__ = ("scale",)

    held = Own()
    held.scale = 2
    return (lambda x: x * held.scale), lambda: setattr(held, "scale", 3)


@holder
def items_of_a_list_that_hides_them():
    class Own(list):
        def __iter__(self):
            return iter(())

    held = Own([2])
    return (lambda x: x * held[0]), lambda: held.__setitem__(0, 3)


@holder
def items_of_a_dict_that_hides_them():
    class Own(dict):
        def __iter__(self):
            return iter(())

    held = Own(a=2)
    return (lambda x: x * held["a"]), lambda: held.update(a=3)


@holder
def object_of_a_mapping_proxy():
    held = {"a": 2}
    proxy = types.MappingProxyType(held)
    return (lambda x: x * proxy["a"]), lambda: held.update(a=3)


def torch_layer(change):
    def made():
        torch = pytest.importorskip("torch", reason="PyTorch is not installed")
        layer = torch.nn.Sequential(torch.nn.Linear(2, 2), torch.nn.BatchNorm1d(2)).eval()
        with torch.no_grad():
            layer[0].weight.fill_(1)
        return (lambda x: layer(x)), lambda: change(layer)

    return made


HOLDERS |= {
    "parameter": torch_layer(lambda layer: layer[0].weight.data.fill_(2)),
    "buffer": torch_layer(lambda layer: layer[1].running_mean.fill_(2)),
    "mode": torch_layer(lambda layer: layer.train()),
    "attribute of a layer": torch_layer(lambda layer: setattr(layer[1], "eps", 0.5)),
    "hook": torch_layer(lambda layer: layer[0].register_forward_hook(lambda *a: a[-1] * 2) and None),
}


def seen_by_the_guard(f: Callable[[Any], Any]) -> list[object] | None:
    """Returns the fingerprint of a function all of whose code ran; None if it is refused."""
    steps = {(c, i.offset) for c in Reach(f).codes for i in instructions(c)}
    found = Reach(f, steps)
    return None if found.findings else found.tokens


@pytest.mark.parametrize("name", HOLDERS)
def test_the_guard_sees_what_changes(name: str) -> None:
    f, change = HOLDERS[name]()
    before = seen_by_the_guard(f)
    change()
    after = seen_by_the_guard(f)
    assert before is None or before != after


@pytest.mark.parametrize("name", HOLDERS)
def test_the_fingerprint_sees_what_changes(name: str) -> None:
    f, change = HOLDERS[name]()
    before = fingerprint(f)
    change()
    after = fingerprint(f)
    assert before is None or before != after


class CountsInAPrivateSlot:
    """A function that breaks the symmetry after more calls than a check makes."""

    __slots__ = ("__calls",)

    def __init__(self) -> None:
        self.__calls = 0

    def __call__(self, x):
        self.__calls += 1
        return x if self.__calls < 5000 else x * np.arange(x.shape[0])


class CountsInAListThatHidesItsItems(list):
    def __iter__(self):
        return iter(())

    def __call__(self, x):
        self[0] += 1
        return x if self[0] < 5000 else x * np.arange(x.shape[0])


@pytest.mark.parametrize("f", [CountsInAPrivateSlot(), CountsInAListThatHidesItsItems([0])])
def test_no_strong_verdict_rests_on_a_hidden_counter(f: Callable[[Any], Any]) -> None:
    verdict = ep.check(f, "x: n -> n", "S(n)", budget=1.0)
    assert verdict.grade in ("TESTED", ""), str(verdict)
