"""Objects that one object holds: items, slots, defaults, wrapped functions, attributes of a class.

Two walks over the state of a function use these rules: the guard compares states before and after
calls (`reachable_objects`), the fingerprint hashes a state (`fingerprint`). What either sees is
read past methods that a subclass overrides.
"""

from __future__ import annotations

import functools
import types
from collections import OrderedDict, deque
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import numpy as np

#: Types of immutable values that a text determines, unlike those of their subclasses.
ATOMS = frozenset(
    {
        type(None),
        bool,
        int,
        float,
        complex,
        str,
        bytes,
        Fraction,
        range,
        type(Ellipsis),
        type(NotImplemented),
    }
)
#: Attribute of a method that is exchanged for another one while a function is traced: the original.
EXCHANGED = "__eqvproof_exchanged__"
MAPPINGS = (dict, types.MappingProxyType)
COLLECTIONS = (list, tuple, set, frozenset, deque)
#: Types of objects that hold functions: the attributes of each that hold these and arguments.
WRAPPERS: dict[type, tuple[str, ...]] = {
    staticmethod: ("__func__",),
    classmethod: ("__func__",),
    property: ("fget", "fset", "fdel"),
    functools.partial: ("func", "args", "keywords"),
    functools.partialmethod: ("func", "args", "keywords"),
    functools.cached_property: ("func", "attrname"),
}
#: Functions and descriptors of compiled code.
COMPILED = (types.BuiltinFunctionType, types.MethodDescriptorType, types.WrapperDescriptorType,
            types.MethodWrapperType, types.ClassMethodDescriptorType, types.GetSetDescriptorType,
            types.MemberDescriptorType, np.ufunc, type(np.sum))  # fmt: skip
#: Attributes of a class on which no call depends.
_IDLE = frozenset(
    "__dict__ __weakref__ __doc__ __module__ __annotations__ __static_attributes__ __firstlineno__ "
    "__dataclass_fields__ __dataclass_params__ __annotate_func__".split()
)


def entries_of(mapping: Any) -> list[tuple[Any, Any]]:
    """Lists the (key, value) pairs of a dictionary or mapping proxy, in its order."""
    if isinstance(mapping, types.MappingProxyType):
        return list(dict(mapping).items())
    if isinstance(mapping, OrderedDict):  # whose order differs from that of the plain dictionary
        return [(key, dict.__getitem__(mapping, key)) for key in OrderedDict.__iter__(mapping)]
    return list(dict.items(mapping))


def elements_of(collection: Any) -> list[Any]:
    """Lists the elements of a list, tuple, set or deque, in its order."""
    kind = next(kind for kind in COLLECTIONS if isinstance(collection, kind))
    return list(kind.__iter__(collection))


def slots_of(value: object) -> list[tuple[str, Any]]:
    """Lists (name, content) of the filled slots of an object, private and hidden ones too."""
    found: list[tuple[str, Any]] = []
    for base in type(value).__mro__:
        declared = vars(base).get("__slots__")
        if declared is None:
            continue
        for name, member in vars(base).items():
            if isinstance(member, types.MemberDescriptorType):
                try:
                    found.append((name, member.__get__(value)))
                except AttributeError:  # not filled
                    continue
        names = [declared] if isinstance(declared, str) else declared
        for name in names:  # whose descriptors a decorator may have replaced
            replaced = not isinstance(vars(base).get(name), types.MemberDescriptorType)
            if replaced and name not in ("__dict__", "__weakref__") and hasattr(value, name):
                found.append((name, getattr(value, name)))
    return found


def wrapped_by(wrapper: Any) -> list[tuple[str, Any]]:
    """Lists (name, object) of the functions, arguments and attributes of one of the `WRAPPERS`."""
    names = next(names for kind, names in WRAPPERS.items() if isinstance(wrapper, kind))
    found = []
    for name in names:
        part = getattr(wrapper, name)
        if name == "args":
            found += [(f"args[{k}]", item) for k, item in enumerate(part)]
        elif name == "keywords":
            found += [(f"keywords[{key!r}]", item) for key, item in part.items()]
        elif part is not None:
            found.append((name, part))
    left_out = _IDLE.union(names)
    if isinstance(wrapper, functools.cached_property):
        left_out |= {"lock"}  # which the library itself takes and frees within a call
    attributes = getattr(wrapper, "__dict__", {})
    return found + [(name, item) for name, item in attributes.items() if name not in left_out]


def defaults_of(function: types.FunctionType) -> list[tuple[str, Any]]:
    """Lists (parameter, default) of a function; a default of no parameter has the name ""."""
    code, given = function.__code__, function.__defaults__ or ()
    names = code.co_varnames[: code.co_argcount]
    padded = ("",) * max(0, len(given) - len(names)) + names
    last = padded[len(padded) - len(given) :]
    return [*zip(last, given, strict=True), *(function.__kwdefaults__ or {}).items()]


def is_compiled(cls: type) -> bool:
    """Checks whether compiled code defines a class, so that its objects may hold hidden data."""
    for item in vars(cls).values():
        home: object
        if isinstance(item, (types.WrapperDescriptorType, types.MethodDescriptorType)):
            home = item.__objclass__
        elif isinstance(item, types.BuiltinFunctionType):
            home = item.__self__
        else:
            continue
        if home is cls:
            return True
    return False


def class_attributes(cls: type) -> Iterator[tuple[str, Any]]:
    """Yields (name, value) of the attributes that a class itself adds, sorted, without slots."""
    for name, item in sorted(vars(cls).items()):
        if name not in _IDLE and not isinstance(item, types.MemberDescriptorType):
            yield name, item
