"""The shape of every node, recomputed; everything must be in range for all sizes of the scope."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from .decode import Node, Program
from .reading import is_in_range
from .report import Rejected, spend
from .sizes import ONE, ZERO, Size, is_nonnegative

Shape = tuple[Size, ...]


def check_shapes(program: Program, lows: Mapping[str, int]) -> None:
    """Refuse a program in which some shape does not follow from its arguments.

    Raises:
        Rejected: naming the node.
    """
    seen: set[tuple[int, ...]] = set()
    for i, node in enumerate(program.nodes):
        key = (node.kind, *(program.nodes[a].kind for a in node.args))
        if key in seen and node.op != "const":
            spend(1 + len(node.args))
            continue  # kinds are all that is read below, but for the values of constants
        seen.add(key)
        spend(5 + len(node.shape) + len(node.args))
        shapes = [program.nodes[a].shape for a in node.args]
        good = all(is_nonnegative(s, lows) for s in node.shape)
        names = {name for s in node.shape for name in s.names}
        read = [node.at["size"]] if node.op == "size" else [p[0] for p in node.at.get("places", ())]
        names |= {name for s in read for name in s.names}
        if not names <= lows.keys():
            raise Rejected(f"node {i}: a size that depends on {', '.join(sorted(names - lows.keys()))}")
        if node.op == "input":
            good = good and (node.at["name"], node.shape) in program.inputs
        elif node.op == "read":
            good = good and is_in_range(node, shapes[0], lows)
        else:
            good = good and SHAPES[node.op](node, shapes)
        if not good:
            raise Rejected(f"node {i}: {node.op} does not have this shape, or not for all sizes")


def product(shape: Shape) -> Size:
    """The number of entries."""
    total = ONE
    for size in shape:
        total = total * size
    return total


def _same(node: Node, shapes: list[Shape]) -> bool:
    return all(shape == node.shape for shape in shapes)


def _const(node: Node, shapes: list[Shape]) -> bool:
    return product(node.shape).constant == len(node.at["values"])


def _literal(node: Node, shapes: list[Shape]) -> bool:
    return all(size.constant is not None for size in node.shape)


def _scalar(node: Node, shapes: list[Shape]) -> bool:
    return node.shape == ()


def _indicator(node: Node, shapes: list[Shape]) -> bool:
    """[x = j] has one axis more than x; of two indices, [i = j] is square."""
    shape, equal = node.shape, node.at["offset"] is None
    if shapes:
        return equal and len(shape) >= 1 and shape[:-1] == shapes[0]
    return len(shape) == 2 and (not equal or shape[0] == shape[1])


def _einsum(node: Node, shapes: list[Shape]) -> bool:
    rows, output = node.at["inputs"], node.at["output"]
    if [len(row) for row in rows] != [len(shape) for shape in shapes] or len(output) != len(node.shape):
        return False
    sizes = dict(zip(output, node.shape, strict=True))
    pairs = [pair for row, shape in zip(rows, shapes, strict=True) for pair in zip(row, shape, strict=True)]
    return len(sizes) == len(output) and all(sizes.setdefault(label, size) == size for label, size in pairs)


def _map(node: Node, shapes: list[Shape]) -> bool:
    return _same(node, shapes) and (node.args != () or node.shape == ())


def _reduce(node: Node, shapes: list[Shape]) -> bool:
    axes = node.at["axes"]
    kept = tuple(s for i, s in enumerate(shapes[0]) if i not in axes)
    return list(axes) == sorted(set(axes)) and len(kept) + len(axes) == len(shapes[0]) and kept == node.shape


def _concat(node: Node, shapes: list[Shape]) -> bool:
    axis, total = node.at["axis"], ZERO
    for shape in shapes:
        if len(shape) != len(node.shape) or axis >= len(shape):
            return False
        total = total + shape[axis]
    wanted = [(*shape[:axis], total, *shape[axis + 1 :]) for shape in shapes]
    return all(shape == node.shape for shape in wanted)


def _along(node: Node, shapes: list[Shape]) -> bool:
    return node.at["axis"] < len(node.shape) and _same(node, shapes)


def _reshape(node: Node, shapes: list[Shape]) -> bool:
    return product(shapes[0]) == product(node.shape)


def _matrix(node: Node, shapes: list[Shape]) -> bool:
    fn, shape = node.at["fn"], shapes[0]
    if len(shape) < 2 or (fn != "pinv" and shape[-1] != shape[-2]):
        return False
    turned = (*shape[:-2], shape[-1], shape[-2])
    wanted = {"det": shape[:-2], "eigvals": shape[:-1]}.get(fn, turned)
    return node.shape == wanted and all(weights == shape[:-1] for weights in shapes[1:])


SHAPES: dict[str, Callable[[Node, list[Shape]], bool]] = {
    "const": _const, "parameter": _literal, "size": _scalar, "indicator": _indicator,
    "iota": lambda node, _: len(node.shape) == 1, "einsum": _einsum, "add": _same, "map": _map,
    "select": _same, "reduce": _reduce, "concat": _concat,
    "reshape": _reshape, "sort": _along, "matrix": _matrix, "opaque": lambda node, _: True,
}  # fmt: skip
