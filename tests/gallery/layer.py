"""Entries of the gallery: a layer with its claim, and slips: edits of one line of the layer's code."""

from __future__ import annotations

import ast
import linecache
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any


@dataclass(frozen=True, slots=True)
class Slip:
    """A near miss: one line of the file reads differently.

    Attributes:
        what: what slipped.
        old: a text that stands in one line of the layer's code, or else in one line of its file.
        new: what stands there instead.
        under: the group of the claim that breaks; the layer's where empty.
        culprit: whether the verdict must name the changed line.
    """

    what: str
    old: str
    new: str
    under: str = ""
    culprit: bool = True


@dataclass(frozen=True, slots=True)
class Layer:
    """A layer and the symmetry that it has.

    Attributes:
        name: unique in the gallery.
        function: a function, an object that is called, or a module.
        signature: the typing.
        under: the group.
        slips: its near misses.
        options: of `ep.check`, such as sizes.
    """

    name: str
    function: Callable[..., Any]
    signature: str
    under: str
    slips: tuple[Slip, ...]
    options: Mapping[str, Any] = field(default_factory=dict)


class Gallery:
    """The layers of one file, in order."""

    def __init__(self, path: str) -> None:
        self.path = Path(path.split("#", maxsplit=1)[0])
        self.layers: dict[str, Layer] = {}

    def __call__(self, name: str, signature: str, under: str, *slips: Slip, **options: Any) -> Any:
        """A decorator that enters a function, or an instance of a class, and leaves it as it is."""

        def enter(thing: Any) -> Any:
            if name in self.layers:
                raise ValueError(f"two layers are called {name}")
            function = thing() if isinstance(thing, type) else thing
            self.layers[name] = Layer(name, function, signature, under, slips, options)
            return thing

        return enter


def misstep(gallery: Gallery, layer: Layer, slip: Slip) -> tuple[Callable[..., Any], int]:
    """The layer with a slip, and the number of the line that was changed."""
    lines = gallery.path.read_text(encoding="utf-8").splitlines(keepends=True)
    number = changed_line(lines, layer.name, slip)
    lines[number - 1] = lines[number - 1].replace(slip.old, slip.new)
    name = f"{gallery.path}#{layer.name}#{layer.slips.index(slip) + 1}"
    source = "".join(lines)
    linecache.cache[name] = (len(source), None, lines, name)
    scope: dict[str, Any] = {"__name__": f"tests.gallery.{gallery.path.stem}", "__file__": name}
    exec(compile(source, name, "exec", dont_inherit=True), scope)
    return scope["GALLERY"].layers[layer.name].function, number


def changed_line(lines: list[str], name: str, slip: Slip) -> int:
    """The one line that a slip changes: of the layer itself, or of what it uses."""
    tree = ast.parse("".join(lines))
    entered: set[int] = set()
    body: range = range(0)
    for node, decorators in _decorated(tree):
        for call in decorators:
            entered.update(range(call.lineno, (call.end_lineno or call.lineno) + 1))
            if isinstance(call, ast.Call) and call.args and ast.unparse(call.args[0]) == repr(name):
                body = range(node.lineno, (node.end_lineno or node.lineno) + 1)
    for where in (body, range(1, len(lines) + 1)):
        found = [k for k in where if k not in entered and slip.old in lines[k - 1]]
        if len(found) == 1 and lines[found[0] - 1].count(slip.old) == 1:
            return found[0]
        if found:
            break
    raise ValueError(f"{name}: {slip.old!r} stands in lines {found}, and should stand once in one")


def _decorated(tree: ast.Module) -> Iterator[tuple[ast.FunctionDef | ast.ClassDef, list[ast.expr]]]:
    for node in tree.body:
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)) and node.decorator_list:
            yield node, node.decorator_list
