"""Reads modules of TorchScript, whose code is a graph of operations."""

from __future__ import annotations

import re
from typing import Protocol

#: What TorchScript code may do besides computing, and names of operations that ask for more than
#: their arguments.
_PLAIN = frozenset(
    "Constant GetAttr If Loop ListConstruct ListUnpack TupleConstruct TupleUnpack TupleIndex"
    " DictConstruct"
    " RaiseException unchecked_cast NumToTensor Uninitialized device dtype".split()
)
_ASKS = re.compile("^(get|is|set|has)_|time|seed|rand|state|save|load|file|print|warn|thread|cuda")


class _Script(Protocol):
    inlined_graph: object


def plain_graph(layer: _Script) -> str | None:
    """Returns the code of a module of TorchScript; None if it may change its state."""
    graph = str(layer.inlined_graph)
    if _is_plain(graph):
        return graph
    return None


def _is_plain(graph: str) -> bool:
    """Checks whether TorchScript code, as text, depends only on arguments and state dictionaries.

    It must set no attribute, write nothing in place, and call no Python; constants are shown with
    their values.
    """
    kinds = set(re.findall(r"(\w+)::(\w+)", graph))
    computed = [name for space, name in kinds if space == "aten"]
    in_place = any(name.endswith("_") and not name.endswith("__") for name in computed)
    plain = all(space == "aten" or (space == "prim" and name in _PLAIN) for space, name in kinds)
    return (
        plain and not in_place and not any(map(_ASKS.search, computed)) and "<Tensor>" not in graph
    )
