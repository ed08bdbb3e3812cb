"""Random certificates of points at which random claims fail, or seem to: all groups, all operations."""

from __future__ import annotations

import random
from fractions import Fraction
from typing import Any

from tests import readings
from tests.kernel import encoding, second
from tests.kernel.corpus import JSON, seal

ONES = ("recip", "abs", "sign", "floor", "ceil", "rint", "not")
TWOS = tuple(f for f in second.BINARY if f != "pow")
NUMBERS = ("0", "1", "-1", "2", "1/2", "-3/2", "3")
TURNS: dict[int, list[list[list[str]]]] = {
    1: [[["1"]], [["-1"]]],
    2: [[["3/5", "-4/5"], ["4/5", "3/5"]], [["0", "1"], ["1", "0"]], [["0", "-1"], ["1", "0"]]],
    3: [[["0", "1", "0"], ["0", "0", "1"], ["1", "0", "0"]], [["2/3", "-1/3", "2/3"], ["2/3", "2/3", "-1/3"],
        ["-1/3", "2/3", "2/3"]], [["1", "0", "0"], ["0", "-1", "0"], ["0", "0", "1"]]],
}  # fmt: skip
SHEARS: dict[int, list[list[list[str]]]] = {
    1: [[["2"]], [["-1/3"]]],
    2: [[["1", "1"], ["0", "1"]], [["2", "1"], ["1", "1"]], [["0", "2"], ["1", "0"]]],
    3: [[["1", "1", "0"], ["0", "2", "0"], ["1", "0", "1"]]],
}


class Nodes:
    """A program that grows: shapes are integers."""

    def __init__(self, rng: random.Random, shape: list[int]) -> None:
        self.rng, self.nodes, self.shapes = rng, list[JSON](), list[list[int]]()
        self.new("input", [], shape, name="x")

    def new(self, op: str, args: list[int], shape: list[int], **at: Any) -> int:
        op, at = readings.written(op, self.shapes[args[0]] if args else [], **at)
        self.nodes.append({"op": op, "args": args, "shape": list(shape), **at})
        self.shapes.append(list(shape))
        return len(self.nodes) - 1

    def grow(self) -> int:
        """One more node, made from those that are there."""
        rng = self.rng
        x = rng.randrange(len(self.nodes))
        shape, rank = self.shapes[x], len(self.shapes[x])
        same = [k for k, s in enumerate(self.shapes) if s == shape]
        y, axis = rng.choice(same), rng.randrange(rank) if rank else 0
        labels = list(range(rank))
        away = [*shape[:axis], *shape[axis + 1 :]]
        makers: list[Any] = [
            lambda: self.new("map", [x], shape, fn=rng.choice(ONES)),
            lambda: self.new("map", [x, y], shape, fn=rng.choice(TWOS)),
            lambda: self.new("add", [x, y, x][: rng.choice((2, 3))], shape),
            lambda: self.new("select", [y, x, rng.choice(same)], shape),
            lambda: self.new("einsum", [x], [2, *shape], inputs=[labels], output=[9, *labels]),
            lambda: self.new("einsum", [x, y], shape, inputs=[labels, labels], output=labels),
        ]
        if rank:
            n, rest = shape[axis], [k for k in labels if k != axis]
            other = [k if k == axis else k + 5 for k in labels]
            count = rng.randint(1, n)
            start, step = rng.randint(0, n - count), rng.choice((1, 1, 2))
            count = min(count, (n - 1 - start) // step + 1)
            makers += [
                lambda: self.new("einsum", [x], shape[::-1], inputs=[labels], output=labels[::-1]),
                lambda: self.new("einsum", [x], away, inputs=[labels], output=rest),
                lambda: self.new(
                    "einsum", [x, y], [*away, *away], inputs=[labels, other],
                    output=rest + [k for k in other if k != axis]),
                lambda: self.new("reduce", [x], away, fn=rng.choice(("max", "min", "prod")), axes=[axis]),
                lambda: self.new("reduce", [x], [], fn=rng.choice(("max", "min", "prod")), axes=labels),
                lambda: self.new("concat", [x, y], [*shape[:axis], 2 * n, *shape[axis + 1 :]], axis=axis),
                lambda: self.new(
                    "slice", [x], [*shape[:axis], count, *shape[axis + 1 :]], axis=axis, start=start,
                    step=step),
                lambda: self.new("flip", [x], shape, axis=axis),
                lambda: self.new("roll", [x], shape, axis=axis, shift=rng.randint(-2, 4)),
                lambda: self.new("sort", [x], shape, axis=axis),
                lambda: self.new("reshape", [x], [second.math.prod(shape)]),
                lambda: self.new(
                    "circulant", [x], [*shape, rng.randint(1, 3)], sign=rng.choice((-1, 1))),
                lambda: self.new("indicator", [x], [*shape, 2]),
            ]  # fmt: skip
        if rank >= 2 and shape[-1] == shape[-2]:
            diagonal = [*labels[:-1], labels[-2]]
            makers += [
                lambda: self.new("inv", [x], shape),
                lambda: self.new("det", [x], shape[:-2]),
                lambda: self.new("einsum", [x], shape[:-1], inputs=[diagonal], output=labels[:-1]),
            ] * 3
        leaf = rng.choice(("const", "eye", "tri", "iota", "size"))
        if rng.random() < 0.2 and shape:
            return {
                "const": lambda: self.new(
                    "const", [], shape, values=[rng.choice(NUMBERS) for _ in range(second.math.prod(shape))]),
                "eye": lambda: self.new("indicator", [], [shape[-1], shape[-1]]),
                "tri": lambda: self.new("indicator", [], [shape[0], shape[-1]], offset=rng.randint(-1, 1)),
                "iota": lambda: self.new("iota", [], [shape[0]]),
                "size": lambda: self.new("size", [], [], size="n"),
            }[leaf]()  # fmt: skip
        return rng.choice(makers)()  # type: ignore[no-any-return]

    def program(self, output: int) -> JSON:
        """What the output uses."""
        used = {output}
        for k in range(output, -1, -1):
            used |= set(self.nodes[k]["args"]) if k in used else set()
        order = sorted(used)
        nodes = [{**self.nodes[k], "args": [order.index(a) for a in self.nodes[k]["args"]]} for k in order]
        return {
            "inputs": [{"name": "x", "shape": self.shapes[0]}], "nodes": nodes, "output": len(nodes) - 1,
        }  # fmt: skip


def element(rng: random.Random, factor: JSON, n: int) -> JSON:
    """An element of the factor, or now and then none."""
    family = factor["family"]
    found = {"family": family, "axis": factor["axis"]}
    if "generators" in factor:
        found["word"] = [rng.choice((1, -1, 2, -2)[: 2 * len(factor["generators"])]) for _ in range(3)]
    elif family in second.PERMUTE:
        found["permutation"] = rng.sample(range(n), n)
    elif family == "Signs":
        found["signs"] = [rng.choice((1, -1)) for _ in range(n)]
    elif family == "Scale":
        found["factor"] = rng.choice(("2", "1/3", "-1", "5"))
    else:
        if family != "T":
            found["matrix"] = rng.choice((SHEARS if family in ("GL", "SL") else TURNS)[n])
        if family in ("T", "E", "SE"):
            found["vector"] = [rng.choice(NUMBERS) for _ in range(n)]
    if rng.random() < 0.03:
        found[rng.choice(("family", "axis"))] = rng.choice(("O", "S", "n", "m", n, None))
    if rng.random() < 0.03 and "signs" in found:
        found["signs"][0] = rng.choice((0, 2, -2))
    if rng.random() < 0.15:
        for key in ("permutation", "signs", "vector", "matrix"):
            if key in found:
                change = rng.choice((lambda v: v[:-1], lambda v: [*v, v[0]], lambda v: [v[-1], *v[1:]]))
                found[key] = change(found[key])
    return found


def factor_of(rng: random.Random, n: int) -> JSON:
    family = rng.choice(second.FAMILIES)
    found: JSON = {"family": family, "axis": "n"}
    if family.startswith("Gen"):
        perms = [rng.sample(range(n), n) for _ in range(2)]
        found["generators"] = {"GenS": perms, "GenO": TURNS[n][:2], "GenGL": SHEARS[n]}[family]
    return found


def certificate(seed: int) -> JSON:
    """A certificate of a random point; what it says of both sides is what `second` finds."""
    rng = random.Random(f"point {seed}")
    n, k = rng.randint(1, 3), rng.randint(1, 3)
    factor = factor_of(rng, n)
    shape, axes = rng.choice((([n], [0]), ([n, k], [0]), ([k, n], [1]), ([n, n], [0, 1]), ([n + 1], [2])))
    mark = rng.choice(("", "", "", "^", "*", "!"))
    own = {0: [[1, "n", mark]], 1: [[1, "n", mark]], 2: [[1, "n", ""], [1, None, ""]]}
    typed = [
        own[i if i in axes else 2] if i in axes or axes == [2] else [[s, None, ""]]
        for i, s in enumerate(shape)
    ]
    nodes = Nodes(rng, shape)
    last = 0
    for _ in range(rng.randint(1, 5)):
        last = nodes.grow()
    program, result = encoding.program(nodes.program(last)), nodes.shapes[last]
    output = [[[1, "n", ""]] if s == n and rng.random() < 0.7 else [[max(s, 1), None, ""]] for s in result]
    what = {
        "kind": "equivariance", "inputs": [{"name": "x", "axes": typed, "type": "real"}], "output": output,
        "scope": {"n": rng.choice(("all", n, [1, n]))}, "group": [factor],
    }  # fmt: skip
    values = [rng.choice(NUMBERS) for _ in range(second.math.prod(shape))]
    evidence: JSON = {
        "sizes": {"n": n}, "inputs": {"x": {"shape": shape, "values": values}}, "arithmetic": "rational",
        "element": [element(rng, factor, n)], "entry": [0] * len(result),
        "left": {"shape": [], "values": ["0"]}, "right": {"shape": [], "values": ["1"]},
    }  # fmt: skip
    try:
        evidence |= _sides(what, program, evidence, n)
    except second.Wrong:
        pass
    if rng.random() < 0.1:
        evidence["left"], evidence["right"] = evidence["right"], evidence["left"]
    return seal("counterexample", claim=what, program=program, evidence=evidence)


def _sides(what: JSON, program: JSON, evidence: JSON, n: int) -> JSON:
    claim, sizes = second.Claim(what, "equivariance"), {"n": n}
    g = [second.Element(claim.group[0], evidence["element"][0], n)]
    x = second.tensor(evidence["inputs"]["x"])
    moved = {"x": second.act(g, x, claim.inputs["x"], sizes)}
    right = second.act(g, second.value_of(program, {"x": x}, sizes), claim.output, sizes)
    left = second.value_of(program, moved, sizes)
    differ = [i for i in left[1] if left[1][i] != right[1].get(i)]
    return {"left": _json(left), "right": _json(right), "entry": [*(differ or [*left[1], ()])[0]]}


def _json(value: tuple[tuple[int, ...], dict[Any, Fraction | None]]) -> JSON:
    return {"shape": [*value[0]], "values": [None if v is None else str(v) for v in value[1].values()]}
