"""A second checker for the grade EXACT, for the kernel to agree with: a counterexample, in rational numbers.

Written from the format and from what the operations and groups mean, in the standard library, and with none
of the kernel's code: sizes are integers from the start, tensors are dictionaries from indices to Fractions
(None: undefined), and a group acts by whole matrices. It has no limits of work, for tests need none.
"""

from __future__ import annotations

import hashlib
import json
import math
import re
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from itertools import permutations, product
from typing import Any

Index = tuple[int, ...]
Entries = dict[Index, "Fraction | None"]
KINDS = ("counterexample", "evaluation", "difference")
PERMUTE, ROTATE = ("S", "A", "C", "D", "GenS"), ("O", "SO", "E", "SE", "B", "GenO")
FAMILIES = (*PERMUTE, *ROTATE, "Signs", "T", "Scale", "GL", "SL", "GenGL")
MOST = 10**15


class Wrong(Exception):
    """The certificate shows nothing."""


class Unsure(Exception):
    """A value that is no rational number, as far as this checker can tell."""


def need(condition: object, what: str) -> None:
    if not condition:
        raise Wrong(what)


# -- reading ---------------------------------------------------------------------------------------------


def _pairs(found: list[tuple[str, Any]]) -> dict[str, Any]:
    need(len({k for k, _ in found}) == len(found), "two equal keys")
    return dict(found)


def _int(digits: str) -> int:
    need(len(digits) <= 16 and digits != "-0", "integer")
    return int(digits)


def _refuse(text: str) -> Any:
    raise Wrong(text)


def read(raw: bytes) -> dict[str, Any]:
    try:
        data = json.loads(
            raw.decode(),
            object_pairs_hook=_pairs,
            parse_int=_int,
            parse_float=_refuse,
            parse_constant=_refuse,
        )
    except (ValueError, RecursionError) as error:
        raise Wrong(str(error)) from None
    need(isinstance(data, dict) and data.get("format") == "eqvproof-certificate", "format")
    need(type(data.get("version")) is int and data["version"] == 1, "version")
    body = {k: v for k, v in data.items() if k != "digest"}
    text = json.dumps(body, sort_keys=True, separators=(",", ":"))
    need(data.get("digest") == "sha256:" + hashlib.sha256(text.encode()).hexdigest(), "digest")
    return data


def exactly(value: Any, *keys: str) -> list[Any]:
    need(isinstance(value, dict) and sorted(value) == sorted(keys), f"keys {keys}")
    return [value[k] for k in keys]


def listed(value: Any, most: int = MOST) -> list[Any]:
    need(isinstance(value, list) and len(value) <= most, "a list")
    return value  # type: ignore[no-any-return]


def whole(value: Any, low: int = -MOST, high: int = MOST) -> int:
    need(type(value) is int and low <= value <= high, "an integer")
    return value  # type: ignore[no-any-return]


def named(value: Any) -> str:
    need(isinstance(value, str) and re.fullmatch("[A-Za-z_][A-Za-z0-9_]{0,63}", value), "a name")
    return value  # type: ignore[no-any-return]


def ratio(value: Any) -> Fraction:
    found = isinstance(value, str) and re.fullmatch("-?(0|[1-9][0-9]*)(/[1-9][0-9]*)?", value)
    need(found and value.isascii() and all(len(p.strip("-")) <= 4000 for p in value.split("/")), "a rational")
    number = Fraction(value)
    need(str(number) == value, "lowest terms")
    return number


def sized(value: Any, sizes: dict[str, int]) -> int:
    """A size: an integer, a name, or a polynomial in its one way of being written."""
    if isinstance(value, int):
        return whole(value)
    if isinstance(value, str):
        need(named(value) in sizes, "a size that nothing says")
        return sizes[value]
    seen, total = [], 0
    for term in listed(value, 64):
        need(isinstance(term, list) and len(term) == 2, "a term")
        c, names = whole(term[0]), [named(n) for n in listed(term[1], 12)]
        need(c != 0 and names == sorted(names) and all(n in sizes for n in names), "a term")
        seen.append((names, c))
        total += c * math.prod(sizes[n] for n in names)
    need(seen and [n for n, _ in seen] == sorted(n for n, _ in seen), "terms in order")
    need(len({tuple(n) for n, _ in seen}) == len(seen), "terms that could be added")
    need(
        len(seen) > 1 or not (seen[0][0] == [] or (len(seen[0][0]) == 1 and seen[0][1] == 1)), "a short form"
    )
    return total


def tensor(value: Any, gaps: bool = False) -> tuple[Index, Entries]:
    shape, values = exactly(value, "shape", "values")
    lengths = tuple(whole(n, 0) for n in listed(shape, 32))
    need(len(listed(values)) == math.prod(lengths), "as many values as entries")
    numbers = [None if gaps and v is None else ratio(v) for v in values]
    return lengths, dict(zip(indices(lengths), numbers, strict=True))


def indices(shape: Sequence[int]) -> Iterator[Index]:
    return product(*map(range, shape))


# -- claims ----------------------------------------------------------------------------------------------

Term = tuple[int, "str | None", str]


def read_axes(value: Any) -> list[list[Term]]:
    found = []
    for axis in listed(value, 32):
        terms: list[Term] = []
        for term in listed(axis, 64):
            need(isinstance(term, list) and len(term) == 3, "a term")
            need(isinstance(term[2], str) and term[2] in ("", "!", "^", "*"), "a mark")
            name = None if term[1] is None else named(term[1])
            terms.append((whole(term[0], 1, 10**6), name, term[2]))
        need(terms, "an axis of something")
        found.append(terms)
    return found


def length(axis: list[Term], sizes: dict[str, int]) -> int:
    need(all(name is None or name in sizes for _, name, _ in axis), "an axis whose size nothing says")
    return sum(c * (1 if name is None else sizes[name]) for c, name, _ in axis)


class Claim:
    """What is denied: the typing, the group, and which sizes it is about."""

    def __init__(self, value: Any, kind: str) -> None:
        keys = ("kind", "inputs", "output", "scope", *(("group",) if kind == "equivariance" else ()))
        parts = dict(zip(keys, exactly(value, *keys), strict=True))
        need(parts["kind"] == kind, "kind")
        self.inputs: dict[str, list[list[Term]]] = {}
        self.limits: dict[str, str | None] = {}  # masks: None; index arrays: the axis
        for entry in listed(parts["inputs"], 64):
            need(isinstance(entry, dict), "an input")
            index = entry.get("type") == "index"
            name, axes, type_ = exactly(entry, *["name", "axes", "type", "indexes"][: 3 + index])[:3]
            need(isinstance(type_, str) and type_ in ("real", "bool", "index"), "type")
            need(named(name) not in self.inputs, "two inputs of one name")
            self.inputs[name] = read_axes(axes)
            if type_ != "real":
                self.limits[name] = named(entry["indexes"]) if index else None
        self.output = read_axes(parts["output"])
        self.given = {n for axes in self.inputs.values() for a in axes for _, n, _ in a if n}
        self.given |= {n for n in self.limits.values() if n}
        self.names = self.given | {n for a in self.output for _, n, _ in a if n}
        self.group = [Factor(f) for f in listed(parts["group"], 16)] if "group" in parts else []
        need(self.group or kind == "identity", "a group")
        places = [t for axes in (*self.inputs.values(), self.output) for a in axes for t in a]
        places += [(1, n, "") for n in self.limits.values() if n]
        for k, f in enumerate(self.group):
            need(any(f.moves(t) for t in places), "a factor that does nothing")
            need(all(f.key != g.key for g in self.group[:k]), "a factor twice")
            for name, axis in self.limits.items():
                moved = any(f.moves(t) for a in self.inputs[name] for t in a) or (axis and axis == f.axis)
                need(not moved or f.family in PERMUTE, "masks and labels are only permuted")
        self.scope = self._scope(parts["scope"])

    def _scope(self, value: Any) -> dict[str, tuple[int, float]]:
        need(isinstance(value, dict) and self.given <= set(value) <= self.names, "scope")
        found: dict[str, tuple[int, float]] = {}
        for name, scope in value.items():
            if scope == "all":
                found[name] = (1, math.inf)
            elif isinstance(scope, list):
                need(len(scope) == 2, "scope")
                found[name] = (whole(scope[0], 1), whole(scope[1], scope[0]))
            else:
                found[name] = (whole(scope, 1), scope)
        return found


class Factor:
    """One factor of the group, and where it acts."""

    def __init__(self, value: Any) -> None:
        need(isinstance(value, dict), "a factor")
        made = value.get("family") in ("GenS", "GenO", "GenGL")
        self.family, axis, *rest = exactly(value, *["family", "axis", "generators"][: 2 + made])
        need(isinstance(self.family, str) and self.family in FAMILIES, "a family")
        self.axis = whole(axis, 1) if type(axis) is int else named(axis)
        self.generators: list[list[Any]] = []
        for g in listed(rest[0], 64) if made else []:
            n = len(listed(g, 256))
            rows = [whole(v, 0, n - 1) if self.family == "GenS" else [ratio(x) for x in listed(v)] for v in g]
            self.generators.append(rows)
        need(not made or (self.generators and len({len(g) for g in self.generators}) == 1), "generators")
        need(not made or self.generators[0], "generators of some size")
        self.key = json.dumps([self.family, self.axis, value.get("generators")])

    def moves(self, term: Term) -> bool:
        c, name, mark = term
        here = (name is None and c == self.axis) if isinstance(self.axis, int) else name == self.axis
        return here and mark != "!"


# -- the value of a program ------------------------------------------------------------------------------

ATTRIBUTES: dict[str, tuple[str, ...]] = {
    "input": ("name",), "const": ("values",), "size": ("size",), "indicator": ("offset",), "iota": (),
    "einsum": ("inputs", "output"), "add": (), "map": ("fn",), "select": (), "reduce": ("fn", "axes"),
    "concat": ("axis",), "read": ("places",),
    "reshape": (), "sort": ("axis",), "matrix_function": ("fn",), "opaque": ("name", "symmetry"),
}  # fmt: skip


def _power(x: Fraction, y: Fraction) -> Fraction | None:
    if (x < 0 and y.denominator > 1) or (x == 0 and y < 0):
        return None
    if y.denominator > 1 and x not in (0, 1):
        raise Unsure("a power")
    return Fraction(0 if x == 0 and y else 1) if y.denominator > 1 else Fraction(x ** int(y))


def _root(x: Fraction) -> Fraction | None:
    if x < 0:
        return None
    found = Fraction(math.isqrt(x.numerator), math.isqrt(x.denominator))
    if found**2 != x:
        raise Unsure("a root")
    return found


def _only(at: int, value: int, defined: Callable[[Fraction], bool] = lambda x: True) -> Any:
    def f(x: Fraction) -> Fraction | None:
        if not defined(x):
            return None
        if x != at:
            raise Unsure("a transcendental number")
        return Fraction(value)

    return f


UNARY: dict[str, Callable[[Fraction], Any]] = {
    "recip": lambda x: 1 / x if x else None, "abs": abs, "sign": lambda x: Fraction((x > 0) - (x < 0)),
    "floor": lambda x: Fraction(math.floor(x)), "ceil": lambda x: Fraction(math.ceil(x)),
    "rint": lambda x: Fraction(round(x)), "not": lambda x: Fraction(x == 0), "sqrt": _root,
    "exp": _only(0, 1), "cos": _only(0, 1), "cosh": _only(0, 1), "log": _only(1, 0, lambda x: x > 0),
    "arcsin": _only(0, 0, lambda x: abs(x) <= 1), "arccos": _only(1, 0, lambda x: abs(x) <= 1),
    **dict.fromkeys("cbrt sin tan sinh tanh arctan arcsinh erf".split(), _only(0, 0)),
    **dict.fromkeys(("lgamma", "digamma"), _only(1, 0, lambda x: x > 0 or x.denominator > 1)),
}  # fmt: skip
BINARY: dict[str, Callable[[Fraction, Fraction], Any]] = {
    "maximum": max, "minimum": min, "pow": _power, "mod": lambda x, y: x % y if y else None,
    "lt": lambda x, y: x < y, "le": lambda x, y: x <= y, "gt": lambda x, y: x > y, "ge": lambda x, y: x >= y,
    "eq": lambda x, y: x == y, "ne": lambda x, y: x != y, "and": lambda x, y: x != 0 and y != 0,
    "or": lambda x, y: x != 0 or y != 0,
}  # fmt: skip


def strict(f: Callable[..., Any], *numbers: Fraction | None) -> Fraction | None:
    """f, undefined where an argument is."""
    if any(x is None for x in numbers):
        return None
    value = f(*numbers)
    return None if value is None else Fraction(value)


def added(*numbers: Fraction | None) -> Fraction | None:
    return strict(lambda *x: sum(x, Fraction(0)), *numbers)


def value_of(
    program: Any, inputs: dict[str, tuple[Index, Entries]], sizes: dict[str, int]
) -> tuple[Index, Entries]:
    """The output of a program, which is read on the way."""
    declared, kinds, nodes, output = exactly(program, "inputs", "kinds", "nodes", "output")
    names = []
    for entry in listed(declared, 64):
        name, shape = exactly(entry, "name", "shape")
        names.append(named(name))
        need(
            name in inputs and [sized(s, sizes) for s in listed(shape, 32)] == [*inputs[name][0]], "an input"
        )
    need(names == list(inputs), "the inputs of the claim, in order")
    last = whole(output, 0, len(listed(nodes)) - 1)
    values: list[tuple[Index, Entries]] = []
    used = [set[int]() for _ in nodes]
    need(all(map(listed, nodes)), "a kind for every node")
    named_kinds = {whole(node[0], 0, len(listed(kinds)) - 1) for node in nodes}
    need(named_kinds == {*range(len(kinds))}, "a node of every kind")
    for k, node in enumerate(nodes):
        kind, args = kinds[node[0]], node[1:]
        need(isinstance(kind, dict) and isinstance(kind.get("op"), str) and kind["op"] in ATTRIBUTES, "op")
        op, shape, *rest = exactly(kind, "op", "shape", *ATTRIBUTES[kind["op"]])
        used[k] = {whole(a, 0, k - 1) for a in args}
        form = tuple(sized(s, sizes) for s in listed(shape, 32))
        need(all(n >= 0 for n in form), "sizes that are not negative")
        entries = apply(op, rest, form, [values[a] for a in args], inputs, sizes)
        need(set(entries) == set(indices(form)), "an entry for every index")
        values.append((form, {i: entries[i] for i in indices(form)}))
    reached, todo = {last}, [last]
    while todo:
        for a in used[todo.pop()] - reached:
            reached.add(a)
            todo.append(a)
    need(len(reached) == len(nodes), "no node in vain")
    return values[last]


def one_by_one(text: Any) -> Iterator[str]:
    """The numbers of a constant, from one text."""
    need(isinstance(text, str), "a text")
    for part in text.split(" ") if text else ():
        times = re.fullmatch("([1-9][0-9]{0,8})[*](.*)", part, re.ASCII)
        count, number = (int(times[1]), times[2]) if times else (1, part)
        need(count <= MOST, "so many numbers")
        if "x" in number:
            try:
                binary = float.fromhex(number)
            except (ValueError, OverflowError):
                binary = math.nan
            need(math.isfinite(binary) and binary != 0 and binary.hex() == number, "a float")
            number = str(Fraction(binary))
        yield from [number] * count


def apply(
    op: str, at: list[Any], shape: Index, args: list[tuple[Index, Entries]],
    inputs: dict[str, tuple[Index, Entries]], sizes: dict[str, int],
) -> Entries:  # fmt: skip
    """The entries of a node."""
    least = {"einsum": 1, "add": 2, "map": 0, "select": 3, "concat": 1}
    leaves = ("input", "const", "size", "indicator", "iota")
    few = 0 if op in leaves else least.get(op, 1)
    many = {"einsum": 256, "add": MOST, "map": 2, "concat": MOST, "indicator": 1}.get(op, few)
    need(few <= len(args) <= many, "so many arguments")
    if op == "input":
        need(named(at[0]) in inputs and inputs[at[0]][0] == shape, "an input of this shape")
        return inputs[at[0]][1]
    if op == "const":
        return tensor({"shape": list(shape), "values": list(one_by_one(at[0]))})[1]
    if op == "size":
        return {(): Fraction(sized(at[0], sizes))}
    if op == "iota":
        need(len(shape) == 1, op)
        return {i: Fraction(i[0]) for i in indices(shape)}
    if op == "indicator" and not args:
        offset = None if at[0] is None else whole(at[0])
        need(len(shape) == 2 and (offset is not None or shape[0] == shape[1]), op)
        return {(i, j): Fraction(i == j if offset is None else j <= i + offset) for i, j in indices(shape)}
    if op == "opaque":
        raise Unsure("an unknown function")
    if op == "einsum":
        return einsum(at, shape, args)
    shapes, values = [s for s, _ in args], [v for _, v in args]
    if op in ("add", "map", "select"):
        need(all(s == shape for s in shapes), "equal shapes")
        return {i: entrywise(op, at, [v[i] for v in values]) for i in indices(shape)}
    return rearranged(op, at, shape, shapes, values, sizes)


def entrywise(op: str, at: list[Any], x: list[Fraction | None]) -> Fraction | None:
    if op == "add":
        return added(*x)
    if op == "select":
        return None if x[0] is None else x[1] if x[0] else x[2]
    tables: list[dict[str, Any]] = [{"pi": None}, UNARY, {**BINARY, "arctan2": None}]
    need(isinstance(at[0], str) and at[0] in tables[len(x)], "a function of so many arguments")
    if tables[len(x)][at[0]] is None:
        raise Unsure(at[0])
    return strict(tables[len(x)][at[0]], *x)


def einsum(at: list[Any], shape: Index, args: list[tuple[Index, Entries]]) -> Entries:
    rows = [[whole(k, 0) for k in listed(row)] for row in listed(at[0])]
    out = [whole(k, 0) for k in listed(at[1])]
    need(len(rows) == len(args) and len(out) == len(shape) == len(set(out)), "labels")
    sizes = dict(zip(out, shape, strict=True))
    for row, (form, _) in zip(rows, args, strict=True):
        need(len(row) == len(form), "a label for every axis")
        need(all(sizes.setdefault(k, n) == n for k, n in zip(row, form, strict=True)), "one size a label")
    summed = [k for k in sizes if k not in out]
    result: Entries = {}
    for i in indices(shape):
        terms = []
        for j in indices([sizes[k] for k in summed]):
            point = dict(zip([*out, *summed], [*i, *j], strict=True))
            factors = [v[tuple(point[k] for k in r)] for r, (_, v) in zip(rows, args, strict=True)]
            terms.append(strict(lambda *x: math.prod(x, start=Fraction(1)), *factors))
        result[i] = added(*terms)
    return result


def rearranged(
    op: str, at: list[Any], shape: Index, shapes: list[Index], values: list[Entries], sizes: dict[str, int]
) -> Entries:
    """Everything that moves entries about, and what is done to fibres and matrices."""
    form, x = shapes[0], values[0]
    if op == "reshape":
        need(math.prod(form) == math.prod(shape), "as many entries")
        return dict(zip(indices(shape), x.values(), strict=True))
    if op == "reduce":
        need(isinstance(at[0], str) and at[0] in ("max", "min", "prod"), "fn")
        axes = [whole(k, 0) for k in listed(at[1])]
        need(axes == sorted(set(axes)) and all(k < len(form) for k in axes), "axes")
        need(shape == tuple(n for k, n in enumerate(form) if k not in axes), "what is left")
        fold: Any = {"max": max, "min": min, "prod": lambda *v: math.prod(v, start=Fraction(1))}[at[0]]
        groups: dict[Index, list[Any]] = {i: [] for i in indices(shape)}
        for i, v in x.items():
            groups[tuple(k for a, k in enumerate(i) if a not in axes)].append(v)
        one = Fraction(1) if at[0] == "prod" else None
        return {
            i: strict(lambda *v: fold(*v) if len(v) > 1 else v[0], *g) if g else one
            for i, g in groups.items()
        }
    if op == "matrix_function":
        n, fn = form[-1] if len(form) >= 2 else -1, at[0]
        need(fn in ("inv", "det"), "fn")
        need(len(form) >= 2 and form[-2] == n and shape == (form if fn == "inv" else form[:-2]), "square")
        found: Entries = {}
        for b in indices(form[:-2]):
            m = [[x[(*b, i, j)] for j in range(n)] for i in range(n)]
            whole_ = all(v is not None for row in m for v in row)
            det = determinant(m) if whole_ else None
            if fn == "det":
                found[b] = det
                continue
            for i, j in indices((n, n)):
                minor = [[v for c, v in enumerate(row) if c != i] for r, row in enumerate(m) if r != j]
                found[(*b, i, j)] = (-1) ** (i + j) * determinant(minor) / det if det else None
        return found
    if op == "indicator":
        need(at[0] is None and len(shape) >= 1 and shape[:-1] == form, "one axis more")
        return {i: strict(lambda v, k=i[-1]: v == k, x[i[:-1]]) for i in indices(shape)}
    if op == "read":
        return read_at(at[0], shape, form, x, sizes)
    axis = whole(at[0], 0)
    need(axis < len(shape) and len(form) == len(shape), "an axis")

    def moved(i: Index, k: int) -> Index:
        return (*i[:axis], k, *i[axis + 1 :])

    if op == "concat":
        need(all(len(s) == len(shape) and moved(s, shape[axis]) == shape for s in shapes), "shapes")
        need(sum(s[axis] for s in shapes) == shape[axis], "the sum of the parts")
        places = [(v, k) for s, v in zip(shapes, values, strict=True) for k in range(s[axis])]
        return {i: places[i[axis]][0][moved(i, places[i[axis]][1])] for i in indices(shape)}
    need(form == shape, "the same shape")
    n = shape[axis]
    result: Entries = {}
    for i in indices(moved(shape, min(n, 1))):
        fibre = [x[moved(i, k)] for k in range(n)]
        inside = sorted(v for v in fibre if v is not None)
        for k in range(n):
            result[moved(i, k)] = inside[k] if len(inside) == n else None
    return result


def read_at(places: Any, shape: Index, form: Index, x: Entries, sizes: dict[str, int]) -> Entries:
    """The entries at these places; each must lie in its axis."""
    need(isinstance(places, list) and len(places) == len(form), "a place for each axis")
    rows: list[tuple[int, list[int], bool]] = []
    for place in places:
        need(isinstance(place, list) and len(place) == 3 and type(place[2]) is bool, "a place")
        need(isinstance(place[1], list), "steps")
        rows.append((sized(place[0], sizes), [whole(s) for s in place[1]], place[2]))
    need(sum(len(steps) for _, steps, _ in rows) == len(shape), "each axis of the result read by once")
    found: Entries = {}
    for i in indices(shape):
        left, where = list(i), []
        for (start, steps, cyclic), n in zip(rows, form, strict=True):
            k = start + sum(s * left.pop(0) for s in steps)
            where.append(k % n if cyclic else k)
            need(0 <= where[-1] < n, "inside")
        found[i] = x[tuple(where)]
    return found


def determinant(m: list[list[Any]]) -> Fraction:
    """By Leibniz' formula."""
    n, total = len(m), Fraction(0)
    for p in permutations(range(n)):
        swaps = sum(p[i] > p[j] for i in range(n) for j in range(i + 1, n))
        total += (-1) ** swaps * math.prod((m[i][p[i]] for i in range(n)), start=Fraction(1))
    return total


# -- group elements --------------------------------------------------------------------------------------

Matrix = list[list[Fraction]]


def of_permutation(p: list[int]) -> Matrix:
    return [[Fraction(j == k) for j in range(len(p))] for k in p]


def times(a: Matrix, b: Matrix) -> Matrix:
    return [
        [sum((x * row[j] for x, row in zip(r, b, strict=True)), Fraction(0)) for j in range(len(a))]
        for r in a
    ]


def flipped(a: Matrix) -> Matrix:
    return [list(c) for c in zip(*a, strict=True)]


def inverted(a: Matrix) -> Matrix:
    det = determinant(a)
    need(det, "an invertible matrix")
    n = range(len(a))
    minors = [
        [[[v for c, v in enumerate(r) if c != i] for k, r in enumerate(a) if k != j] for j in n] for i in n
    ]
    return [[(-1) ** (i + j) * determinant(minors[i][j]) / det for j in n] for i in n]


class Element:
    """A group element: a matrix, a translation, a multiple."""

    def __init__(self, factor: Factor, value: Any, n: int) -> None:
        family, gen = factor.family, bool(factor.generators)
        key = {"Signs": ["signs"], "T": ["vector"], "Scale": ["factor"], "E": ["matrix", "vector"]}
        keys = ["word"] if gen else ["permutation"] if family in PERMUTE else key.get(
            "E" if family == "SE" else family, ["matrix"])  # fmt: skip
        its, axis, *rest = exactly(value, "family", "axis", *keys)
        need(its == family and axis == factor.axis and type(axis) is type(factor.axis), "the factor")
        data = dict(zip(keys, rest, strict=True))
        self.factor = factor
        self.times = ratio(data["factor"]) if "factor" in data else Fraction(1)
        need(self.times > 0, "a positive multiple")
        self.vector = [ratio(v) for v in listed(data["vector"])] if "vector" in data else []
        need("vector" not in data or len(self.vector) == n, "a vector of that size")
        self.matrix: Matrix | None = None
        if gen:
            self.matrix = self._word(data["word"], n)
        elif "permutation" in data:
            p = [whole(v, 0, n - 1) for v in listed(data["permutation"])]
            self.matrix = of_permutation(self._in_family(family, p, n))
        elif "signs" in data:
            signs = [whole(v, -1, 1) for v in listed(data["signs"])]
            need(len(signs) == n and all(signs), "signs")
            self.matrix = [[Fraction(s if i == j else 0) for j in range(n)] for i, s in enumerate(signs)]
        elif "matrix" in data:
            self.matrix = [[ratio(v) for v in listed(row)] for row in listed(data["matrix"])]
            need(len(self.matrix) == n and all(len(r) == n for r in self.matrix), "a square matrix")
            self._check(family, self.matrix)
        linear = family in ("GL", "SL", "GenGL")
        self.dual = flipped(inverted(self.matrix)) if linear and self.matrix else None

    @staticmethod
    def _check(family: str, m: Matrix) -> None:
        if family in ROTATE:
            need(times(m, flipped(m)) == of_permutation(list(range(len(m)))), "an orthogonal matrix")
        need(family not in ("SO", "SE", "SL") or determinant(m) == 1, "determinant 1")
        need(family not in ("GL", "GenGL") or determinant(m), "an invertible matrix")
        need(family != "B" or all(v.denominator == 1 for row in m for v in row), "integers")

    @staticmethod
    def _in_family(family: str, p: list[int], n: int) -> list[int]:
        need(sorted(p) == list(range(n)), "a permutation")
        need(family != "A" or determinant(of_permutation(p)) == 1, "an even permutation")
        shifts = [[(k + i) % n for i in range(n)] for k in range(n)]
        turned = [[(k - i) % n for i in range(n)] for k in range(n)]
        need(family != "C" or p in shifts, "a shift")
        need(family != "D" or p in shifts + turned, "a rotation or reflection")
        return p

    def _word(self, value: Any, n: int) -> Matrix:
        given = []
        for g in self.factor.generators:
            if self.factor.family == "GenS":
                given.append(of_permutation(self._in_family("S", g, len(g))))
            else:
                need(all(len(r) == len(g) for r in g), "a square matrix")
                self._check(self.factor.family, g)
                given.append(g)
        need(len(given[0]) == n, "generators of that size")
        found = of_permutation(list(range(n)))
        for k in listed(value, 64):
            need(whole(k, -len(given), len(given)) != 0, "a generator")
            found = times(found, given[k - 1] if k > 0 else inverted(given[-k - 1]))
        return found

    def __call__(self, value: tuple[Index, Entries], axes: list[list[Term]], sizes: dict[str, int]) -> Any:
        """g x."""
        shape, x = value
        acted = [k for k, axis in enumerate(axes) if any(self.factor.moves(t) for t in axis)]
        points = [k for k in acted if any(self.factor.moves(t) and t[2] == "" for t in axes[k])]
        if self.factor.family == "Scale":
            need(all(len(axes[k]) == 1 for k in acted), "a part of an axis is multiplied")
            power = sum(-1 if axes[k][0][2] == "*" else 1 for k in acted)
            return shape, {i: strict(lambda v: v * self.times**power, v) for i, v in x.items()}
        if self.vector and points:
            rigid = self.factor.family in ("E", "SE")
            need(len(points) == 1 and not (rigid and len(acted) > 1), "points along one axis")
        if self.matrix is not None:
            for k in acted:
                rows = self._rows(axes[k], sizes)
                x = {
                    i: added(*(
                        strict(lambda v, c=c: c * v, x[(*i[:k], j, *i[k + 1 :])])
                        for j, c in enumerate(rows[i[k]]) if c
                    )) for i in x
                }  # fmt: skip
        if self.vector and points:
            k, plan = points[0], list[Fraction]()
            for c, name, mark in axes[points[0]]:
                n = c * (sizes[name] if name else 1)
                here = self.factor.moves((c, name, mark)) and mark == ""
                plan += self.vector * (n // len(self.vector)) if here else [Fraction(0)] * n
            x = {i: added(v, plan[i[k]]) for i, v in x.items()}
        return shape, x

    def _rows(self, axis: list[Term], sizes: dict[str, int]) -> Matrix:
        blocks: list[Matrix] = []
        for c, name, mark in axis:
            if self.factor.moves((c, name, mark)):
                one = self.dual if mark == "*" and self.dual else self.matrix or []
                blocks += [one] * (c if name else 1)
            else:
                blocks += [[[Fraction(1)]]] * (c * (sizes[name] if name else 1))
        n, at, rows = sum(map(len, blocks)), 0, []
        for block in blocks:
            rows += [[Fraction(0)] * at + r + [Fraction(0)] * (n - at - len(block)) for r in block]
            at += len(block)
        return rows


# -- the check -------------------------------------------------------------------------------------------


def is_exact(data: Any) -> bool:
    """Whether the certificate is of the grade EXACT, and shows what it says.

    Raises:
        Unsure: that hangs on a number which is not rational.
    """
    try:
        _check(read(data if isinstance(data, bytes) else json.dumps(data).encode()))
    except Wrong:
        return False
    return True


def _check(data: dict[str, Any]) -> None:
    from tests.kernel.second_forms import value_of_forms

    kind = data.get("kind")
    need(isinstance(kind, str) and kind in KINDS, "a kind of the grade EXACT")
    programs = {"counterexample": ["forms"], "evaluation": [], "difference": ["forms", "other"]}[
        str(kind)
    ]
    exactly(data, "format", "version", "kind", "digest", "claim", "evidence", *programs)
    same = isinstance(data["claim"], dict) and data["claim"].get("kind") == "identity"
    need(same == (kind == "difference") or kind == "evaluation", "a claim of this kind")
    claim = Claim(data["claim"], "identity" if same else "equivariance")
    more = [*["element"] * (not same), *["values"] * (kind == "evaluation")]
    keys = ["sizes", "inputs", "arithmetic", "entry", "left", "right", *more]
    found = dict(zip(keys, exactly(data["evidence"], *keys), strict=True))
    need(found["arithmetic"] == "rational", "rational arithmetic")
    said = found["sizes"]
    need(isinstance(said, dict) and claim.given <= set(said) <= claim.names, "sizes")
    for name, n in said.items():
        low, high = claim.scope.get(name, (1, math.inf))
        need(whole(n, low) <= high, "a size in scope")
    sizes = {name: said[name] for name in claim.given}
    inputs = {}
    for name, value in zip(claim.inputs, exactly(found["inputs"], *claim.inputs), strict=True):
        shape, entries = inputs[name] = tensor(value)
        need(shape == tuple(length(a, sizes) for a in claim.inputs[name]), "the shape of an input")
        if name in claim.limits:
            axis = claim.limits[name]
            need(set(entries.values()) <= set(range(2 if axis is None else sizes[axis])), "labels")
    if same:
        if kind == "evaluation":
            left, right = (tensor(v, gaps=True) for v in exactly(found["values"], "left", "right"))
        else:
            left, right = (value_of_forms(data[p], inputs, sizes) for p in programs)
        need(left[0] == right[0], "one shape")
        bind(claim, left[0], said, sizes)
    else:
        if kind == "evaluation":
            at, moved_at = exactly(found["values"], "at", "moved")
            right, left = tensor(at, gaps=True), tensor(moved_at, gaps=True)
        else:
            right = value_of_forms(data["forms"], inputs, sizes)
        full = bind(claim, right[0], said, sizes)
        given = listed(found["element"])
        need(len(given) == len(claim.group), "an element for each factor")
        g = [
            Element(f, e, f.axis if isinstance(f.axis, int) else full[f.axis])
            for f, e in zip(claim.group, given, strict=True)
        ]
        moved = {name: act(g, inputs[name], axes, full) for name, axes in claim.inputs.items()}
        for name, axis in claim.limits.items():
            for e in g:
                if axis is not None and e.factor.axis == axis and e.matrix is not None:
                    label = {row.index(1): i for i, row in enumerate(e.matrix)}
                    shape, entries = moved[name]
                    moved[name] = shape, {i: Fraction(label[int(v)]) for i, v in entries.items()}
        if kind == "evaluation" and moved == inputs:
            need(left == right, "one value at one point")
        right = act(g, right, claim.output, full)
        if kind == "counterexample":
            left = value_of_forms(data["forms"], moved, sizes)
    entry = tuple(whole(i, 0) for i in listed(found["entry"]))
    need(left[0] == right[0] and entry in left[1], "an entry")
    need(tensor(found["left"], gaps=True) == left and tensor(found["right"], gaps=True) == right, "values")
    need(left[1][entry] != right[1][entry], "a difference")


def act(g: list[Element], value: Any, axes: list[list[Term]], sizes: dict[str, int]) -> Any:
    for element in g:
        value = element(value, axes, sizes)
    return value


def bind(claim: Claim, shape: Index, said: dict[str, int], sizes: dict[str, int]) -> dict[str, int]:
    """All sizes, with those that only the result determines."""
    full = dict(sizes)
    need(len(shape) == len(claim.output), "as many axes as claimed")
    for axis, n in zip(claim.output, shape, strict=True):
        if len(axis) == 1 and axis[0][0] == 1 and axis[0][1]:
            full.setdefault(axis[0][1], n)
    need([length(a, full) for a in claim.output] == list(shape), "the claimed shape")
    for name in set(full) - claim.given:
        low, high = claim.scope.get(name, (1, math.inf))
        need(said.get(name, full[name]) == full[name], "the size of the result")
        need((low, high) in ((1, math.inf), (full[name], full[name])), "a scope for what the result decides")
    return full
