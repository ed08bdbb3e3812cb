"""The one decoder: text to checked data, or a refusal that names the place.

Everything is refused that is not exactly of the known form: unknown or missing keys, duplicate keys,
floats, NaN, booleans for integers, numbers that are not in canonical form, nodes that use later nodes.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import accumulate
from typing import Any

from .report import Rejected, Unreadable, spend
from .sizes import Size

FORMAT, VERSION = "eqvproof-certificate", 1
MOST_BYTES, MOST_DEPTH, MOST_DIGITS, MOST_INTEGER = 2_000_000, 24, 4000, 10**15
MOST_NODES, MOST_RANK, MOST_DEGREE = 5000, 32, 12
RATIONAL = re.compile(r"(-?)(0|[1-9][0-9]*)(?:/([1-9][0-9]*))?", re.ASCII)
NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,63}", re.ASCII)
LABEL = re.compile(r"[A-Za-z_][A-Za-z0-9_.]{0,127}", re.ASCII)
KINDS = {
    "O": "orth", "SO": "orth", "S": "perm", "A": "perm", "C": "perm", "D": "perm", "Signs": "sign",
    "T": "shift", "E": "rigid", "SE": "rigid", "Scale": "scale",
}  # fmt: skip

Decoder = Callable[[Any, str, Mapping[str, int]], Any]


# -- text ------------------------------------------------------------------------------------------------


def parse(text: str | bytes) -> dict[str, Any]:
    """Strict JSON of a certificate, with its format, version and digest checked."""
    try:
        if len(text) > MOST_BYTES:
            raise Unreadable(f"longer than {MOST_BYTES} bytes")
        raw = text.encode("utf-8") if isinstance(text, str) else bytes(text)
        brackets = raw.translate(None, delete=bytes(set(range(256)) - set(b"[]{}")))
        step = {ord("["): 1, ord("{"): 1, ord("]"): -1, ord("}"): -1}
        if max(accumulate(map(step.__getitem__, brackets)), default=0) > MOST_DEPTH:
            raise Unreadable(f"nested more than {MOST_DEPTH} deep")
        data = json.loads(
            raw.decode("utf-8"), object_pairs_hook=_object, parse_float=_no_number, parse_int=_integer,
            parse_constant=_no_number,
        )  # fmt: skip
    except Unreadable:
        raise
    except (ValueError, RecursionError) as error:
        raise Unreadable(f"not JSON: {str(error)[:200]}") from None
    if not isinstance(data, dict) or data.get("format") != FORMAT:
        raise Unreadable(f'not an object with "format": "{FORMAT}"')
    if data.get("version") is True or data.get("version") != VERSION:
        raise Rejected(f"$.version: this kernel knows version {VERSION} only")
    if data.get("digest") != digest({k: v for k, v in data.items() if k != "digest"}):
        raise Rejected("$.digest: the content has another digest")
    return data


def digest(data: Any) -> str:
    """The SHA-256 of the canonical JSON text."""
    try:
        text = json.dumps(data, sort_keys=True, separators=(",", ":"), ensure_ascii=True)
    except (ValueError, RecursionError) as error:
        raise Unreadable(f"not JSON: {error}") from None
    return "sha256:" + hashlib.sha256(text.encode("ascii")).hexdigest()


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    result = dict(pairs)
    if len(result) != len(pairs):
        raise Unreadable("an object with two equal keys")
    return result


def _integer(digits: str) -> int:
    if len(digits) > 16 or digits == "-0":
        raise Unreadable(f"an integer that is too long or not canonical: {digits[:20]}")
    return int(digits)


def _no_number(text: str) -> Any:
    raise Unreadable(f"a number that is not an integer: {text[:20]}")


# -- small parts -----------------------------------------------------------------------------------------


def fields(value: Any, path: str, *keys: str) -> list[Any]:
    """The values of an object that has exactly these keys."""
    if not isinstance(value, dict) or value.keys() != set(keys):
        raise Rejected(f"{path}: expected an object with exactly the keys {', '.join(keys)}")
    return [value[key] for key in keys]


def items(value: Any, path: str, most: int = MOST_BYTES) -> list[Any]:
    """A list."""
    if not isinstance(value, list) or len(value) > most:
        raise Rejected(f"{path}: expected a list of at most {most}")
    return value


def integer(value: Any, path: str, low: int = -MOST_INTEGER, high: int = MOST_INTEGER) -> int:
    """An integer in a range; a boolean is none."""
    if type(value) is not int or not low <= value <= high:
        raise Rejected(f"{path}: expected an integer from {low} to {high}")
    return value


def text(value: Any, path: str, pattern: re.Pattern[str] = NAME) -> str:
    """A text that matches a pattern entirely."""
    if not isinstance(value, str) or not pattern.fullmatch(value):
        raise Rejected(f"{path}: expected a name")
    return value


def one_of(value: Any, path: str, choices: Mapping[str, Any] | tuple[str, ...]) -> str:
    """One of some texts."""
    if not isinstance(value, str) or value not in choices:
        raise Rejected(f"{path}: expected one of {', '.join(choices)}")
    return value


def rational(value: Any, path: str) -> Fraction:
    """A rational written "p" or "p/q" in lowest terms, q >= 2."""
    if isinstance(value, str) and len(value) <= 2 * MOST_DIGITS:
        match = RATIONAL.fullmatch(value)
        if match and value != "-0" and len(match[2]) <= MOST_DIGITS and len(match[3] or "") <= MOST_DIGITS:
            spend(3 + len(value) // 16)
            denominator = int(match[3] or "1")
            result = Fraction(int(match[1] + match[2]), denominator)
            if result.denominator == denominator and match[3] != "1":
                return result
    raise Rejected(f"{path}: expected a rational as text in lowest terms")


def size(value: Any, path: str, pins: Mapping[str, int]) -> Size:
    """A size in canonical form: an int, a name, or [[coefficient, [names]], ...]; pinned names are put in."""
    spend(2)
    if type(value) is int:
        return Size.of(integer(value, path))
    if isinstance(value, str):
        name = text(value, path)
        return Size.of(pins.get(name, name))
    terms = []
    for term in items(value, path, 64):
        coefficient, names = pair(term, path)
        monomial = tuple(text(name, path) for name in items(names, path, MOST_DEGREE))
        terms.append((monomial, integer(coefficient, path)))
    keys = [names for names, _ in terms]
    plain = len(terms) == 1 and (keys[0] == () or (terms[0][1] == 1 and len(keys[0]) == 1))
    if (
        not terms or plain or any(c == 0 for _, c in terms) or keys != sorted(set(keys))
        or any(list(names) != sorted(names) for names in keys)
    ):  # fmt: skip
        raise Rejected(f"{path}: a size that is not in canonical form")
    result = Size(tuple(terms))
    if result.names & pins.keys():
        result = result.substitute({name: Size.of(value) for name, value in pins.items()})
    return result


def pair(value: Any, path: str) -> list[Any]:
    """A list of two."""
    if len(items(value, path)) != 2:
        raise Rejected(f"{path}: expected a pair")
    return items(value, path)


@dataclass(frozen=True, slots=True)
class Tensor:
    """Numbers in row-major order; an entry may be None (undefined)."""

    shape: tuple[int, ...]
    values: list[Any]


def tensor(value: Any, path: str, *, undefined: bool = False) -> Tensor:
    """A tensor of rationals; null entries only where they may be undefined."""
    shape, values = fields(value, path, "shape", "values")
    sizes = tuple(integer(s, f"{path}.shape", 0) for s in items(shape, f"{path}.shape", MOST_RANK))
    count = 1
    for s in sizes:
        count *= s
    if len(items(values, f"{path}.values")) != count:
        raise Rejected(f"{path}: {len(values)} values for the shape {list(sizes)}")
    numbers = [None if undefined and v is None else rational(v, f"{path}.values") for v in values]
    return Tensor(sizes, numbers)


# -- claims ----------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Term:
    """A part of an axis: some copies of a named size, or a literal size."""

    coefficient: int
    name: str | None
    mark: str

    @property
    def size(self) -> Size:
        """The size of the part."""
        return Size.of(self.coefficient) * (Size.of(self.name) if self.name else Size.of(1))


Axis = tuple[Term, ...]


@dataclass(frozen=True, slots=True)
class Factor:
    """A factor of the group, with the axis name, or the literal size, on which it acts."""

    family: str
    axis: str | int

    def acts_on(self, term: Term) -> bool:
        """Whether it acts on a part of an axis, by its standard matrix on each copy."""
        if isinstance(self.axis, int):
            return term.name is None and term.coefficient == self.axis and term.mark != "!"
        return term.name == self.axis and term.mark != "!"

    def translates(self, term: Term) -> bool:
        """Whether a translation adds to a part of an axis: to points, which have no mark."""
        return self.acts_on(term) and term.mark == ""

    @property
    def kind(self) -> str:
        """What the elements are: permutations, orthogonal, signs, translations, motions, multiples."""
        return KINDS[self.family]

    def __str__(self) -> str:
        return f"{self.family}({self.axis})"


@dataclass(frozen=True, slots=True)
class Claim:
    """What is claimed: typing, group (none for an identity), and sizes as (low, high or None).

    Attributes:
        masks: the inputs whose entries are 0 or 1.
        indices: the inputs whose entries index an axis, with its name: a permutation g of that axis moves
            the entry j to the i with (g x)[i] = x[j].
    """

    inputs: tuple[tuple[str, tuple[Axis, ...]], ...]
    output: tuple[Axis, ...]
    group: tuple[Factor, ...]
    scope: dict[str, tuple[int, int | None]]
    masks: frozenset[str] = frozenset()
    indices: Mapping[str, str] = field(default_factory=dict)

    @property
    def input_names(self) -> frozenset[str]:
        """The axis names of the inputs."""
        names = {t.name for _, axes in self.inputs for axis in axes for t in axis if t.name}
        return frozenset(names | set(self.indices.values()))

    @property
    def names(self) -> frozenset[str]:
        """All axis names."""
        return self.input_names | {t.name for axis in self.output for t in axis if t.name}

    @property
    def pins(self) -> dict[str, int]:
        """The names with one size only."""
        return {name: low for name, (low, high) in self.scope.items() if low == high}


def axis_size(axis: Axis, bound: Mapping[str, Size]) -> Size:
    """The size of an axis when its names stand for these sizes."""
    total = Size(())
    for term in axis:
        total = total + (term.size.substitute(bound) if term.name else term.size)
    return total


def bind_output(output: tuple[Axis, ...], shape: Sequence[Size], bound: dict[str, Size]) -> None:
    """A name that only the output mentions, alone on an axis, stands for the size found there.

    Raises:
        Rejected: the shape is not the claimed one.
    """
    if len(output) != len(shape):
        raise Rejected("the result has another number of axes than the claim says")
    for axis, found in zip(output, shape, strict=True):
        if len(axis) == axis[0].coefficient == 1 and axis[0].name:
            bound.setdefault(axis[0].name, found)
    if any(term.name and term.name not in bound for axis in output for term in axis):
        raise Rejected("$.claim.output: a name whose size nothing determines")
    if [axis_size(axis, bound) for axis in output] != list(shape):
        raise Rejected("the result does not have the claimed shape")


def axes(value: Any, path: str) -> tuple[Axis, ...]:
    """Axes: lists of terms [coefficient, name or null, mark]."""
    result = []
    for axis in items(value, path, MOST_RANK):
        terms = []
        for term in items(axis, path, 64):
            if len(items(term, path)) != 3:
                raise Rejected(f"{path}: a term is [coefficient, name, mark]")
            name = None if term[1] is None else text(term[1], path)
            mark = one_of(term[2], path, ("", "!", "^", "*"))
            terms.append(Term(integer(term[0], path, 1, 10**6), name, mark))
        if not terms:
            raise Rejected(f"{path}: an axis without terms")
        result.append(tuple(terms))
    return tuple(result)


def group(value: Any, path: str, all_axes: list[Axis]) -> tuple[Factor, ...]:
    """Factors, each of which acts somewhere."""
    factors = []
    for i, entry in enumerate(items(value, path, 16)):
        family, axis = fields(entry, f"{path}[{i}]", "family", "axis")
        where = integer(axis, path, 1) if type(axis) is int else text(axis, path)
        factor = Factor(one_of(family, f"{path}[{i}].family", KINDS), where)
        if factor in factors or not any(factor.acts_on(t) for a in all_axes for t in a):
            raise Rejected(f"{path}[{i}]: {factor} acts on no axis, or stands there twice")
        factors.append(factor)
    if not factors:
        raise Rejected(f"{path}: a group without factors")
    return tuple(factors)


def claim(value: Any, kind: str) -> Claim:
    """A claim of the given kind, "equivariance" or "identity"."""
    keys = ("kind", "inputs", "output", "scope") + (("group",) if kind == "equivariance" else ())
    parts = dict(zip(keys, fields(value, "$.claim", *keys), strict=True))
    if parts["kind"] != kind:
        raise Rejected(f"$.claim.kind: expected {kind}")
    inputs, masks, indices = [], set(), {}
    for i, entry in enumerate(items(parts["inputs"], "$.claim.inputs", 64)):
        path = f"$.claim.inputs[{i}]"
        more = ("indexes",) if isinstance(entry, dict) and entry.get("type") == "index" else ()
        name, its_axes, type_, *indexed = fields(entry, path, "name", "axes", "type", *more)
        inputs.append((text(name, path), axes(its_axes, path)))
        if one_of(type_, f"{path}.type", ("real", "bool", "index")) == "bool":
            masks.add(name)
        if indexed:
            indices[name] = text(indexed[0], path)
    if len({name for name, _ in inputs}) != len(inputs):
        raise Rejected("$.claim.inputs: two inputs of one name")
    output = axes(parts["output"], "$.claim.output")
    all_axes: list[Axis] = [axis for _, its_axes in inputs for axis in its_axes] + list(output)
    all_axes += [(Term(1, name, ""),) for name in indices.values()]
    factors = group(parts["group"], "$.claim.group", all_axes) if "group" in parts else ()
    result = Claim(tuple(inputs), output, factors, _scope(parts["scope"]), frozenset(masks), indices)
    for name, its_axes in inputs:
        for factor in factors:
            acted = any(factor.acts_on(t) for axis in its_axes for t in axis)
            acted = acted or factor.axis == indices.get(name)
            if factor.kind != "perm" and acted and (name in masks or name in indices):
                raise Rejected(f"$.claim: {factor} does not act on masks and indices")
    if not result.input_names <= result.scope.keys() <= result.names:
        raise Rejected("$.claim.scope: expected every axis name of the signature, and no other")
    return result


def _scope(value: Any) -> dict[str, tuple[int, int | None]]:
    result: dict[str, tuple[int, int | None]] = {}
    if not isinstance(value, dict):
        raise Rejected("$.claim.scope: expected an object")
    for name, sizes in value.items():
        path = f"$.claim.scope.{text(name, '$.claim.scope')}"
        if isinstance(sizes, list):
            low, high = pair(sizes, path)
            result[name] = (integer(low, path, 1), integer(high, path, integer(low, path, 1)))
        elif sizes == "all":
            result[name] = (1, None)
        else:
            result[name] = (integer(sizes, path, 1), integer(sizes, path, 1))
    return result


# -- programs --------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Node:
    """An operation: `at` holds its attributes."""

    op: str
    args: tuple[int, ...]
    shape: tuple[Size, ...]
    at: dict[str, Any]


@dataclass(frozen=True, slots=True)
class Program:
    """Operations, each using earlier ones only."""

    inputs: tuple[tuple[str, tuple[Size, ...]], ...]
    nodes: tuple[Node, ...]
    output: int
    digest: str

    @property
    def shape(self) -> tuple[Size, ...]:
        """The shape of the result."""
        return self.nodes[self.output].shape


def _sizes(value: Any, path: str, pins: Mapping[str, int]) -> tuple[Size, ...]:
    return tuple(size(v, path, pins) for v in items(value, path, MOST_RANK))


def _integers(value: Any, path: str, pins: Mapping[str, int]) -> tuple[int, ...]:
    return tuple(integer(v, path, 0) for v in items(value, path))


def _rows(value: Any, path: str, pins: Mapping[str, int]) -> tuple[tuple[int, ...], ...]:
    return tuple(_integers(v, path, pins) for v in items(value, path))


def _symmetry(value: Any, path: str, pins: Mapping[str, int]) -> Any:
    if value is None:
        return None
    inputs, output, factors = fields(value, path, "inputs", "output", "group")
    rows = tuple(axes(v, path) for v in items(inputs, path))
    result = axes(output, path)
    return rows, result, group(factors, path, [a for row in (*rows, result) for a in row])


def _plain(read: Callable[..., Any], *more: Any) -> Decoder:
    return lambda value, path, pins: read(value, path, *more)


FUNCTIONS: dict[str, int] = {
    "pi": 0, **dict.fromkeys(
        "recip exp log sqrt cbrt abs sign sin cos tan sinh cosh tanh arcsin arccos arctan arcsinh erf floor "
        "ceil rint not".split(), 1
    ), **dict.fromkeys("maximum minimum arctan2 pow mod lt le gt ge eq ne and or".split(), 2),
}  # fmt: skip

#: op -> (fewest arguments, most arguments, attributes)
OPERATIONS: dict[str, tuple[int, int, dict[str, Decoder]]] = {
    "input": (0, 0, {"name": _plain(text)}),
    "const": (0, 0, {"values": lambda v, path, _: [rational(x, path) for x in items(v, path)]}),
    "size": (0, 0, {"size": size}),
    "eye": (0, 0, {}),
    "tri": (0, 0, {"offset": _plain(integer)}),
    "iota": (0, 0, {}),
    "einsum": (1, 256, {"inputs": _rows, "output": _integers}),
    "add": (2, MOST_NODES, {}),
    "map": (0, 2, {"fn": _plain(one_of, FUNCTIONS)}),
    "select": (3, 3, {}),
    "reduce": (1, 1, {"fn": _plain(one_of, ("max", "min", "prod")), "axes": _integers}),
    "concat": (1, MOST_NODES, {"axis": _plain(integer, 0)}),
    "slice": (1, 1, {"axis": _plain(integer, 0), "start": size, "step": _plain(integer, 1)}),
    "flip": (1, 1, {"axis": _plain(integer, 0)}),
    "roll": (1, 1, {"axis": _plain(integer, 0), "shift": _plain(integer)}),
    "reshape": (1, 1, {}),
    "sort": (1, 1, {"axis": _plain(integer, 0)}),
    "inv": (1, 1, {}),
    "det": (1, 1, {}),
    "opaque": (0, 256, {"name": _plain(text, LABEL), "symmetry": _symmetry}),
}


def program(value: Any, path: str, pins: Mapping[str, int]) -> Program:
    """A program, with pinned axis names replaced by their sizes."""
    inputs, nodes, output = fields(value, path, "inputs", "nodes", "output")
    declared = []
    for entry in items(inputs, f"{path}.inputs", 64):
        name, shape = fields(entry, f"{path}.inputs", "name", "shape")
        declared.append((text(name, f"{path}.inputs"), _sizes(shape, f"{path}.inputs", pins)))
    result = [_node(n, i, f"{path}.nodes[{i}]", pins) for i, n in enumerate(items(nodes, path, MOST_NODES))]
    last = integer(output, f"{path}.output", 0, len(result) - 1)
    used = {last}
    for i in range(last, -1, -1):
        if i in used:
            used.update(result[i].args)
    if len(used) != len(result):
        raise Rejected(f"{path}: nodes that the output does not use")
    return Program(tuple(declared), tuple(result), last, digest(value))


def _node(value: Any, number: int, path: str, pins: Mapping[str, int]) -> Node:
    spend(10)
    op = one_of(value.get("op") if isinstance(value, dict) else None, f"{path}.op", OPERATIONS)
    fewest, most, attributes = OPERATIONS[op]
    _, args, shape, *rest = fields(value, path, "op", "args", "shape", *attributes)
    ids = tuple(integer(a, f"{path}.args", 0, number - 1) for a in items(args, f"{path}.args"))
    at = {k: read(v, f"{path}.{k}", pins) for (k, read), v in zip(attributes.items(), rest, strict=True)}
    wanted = FUNCTIONS[at["fn"]] if op == "map" else len(ids)
    if not fewest <= len(ids) <= most or len(ids) != wanted:
        raise Rejected(f"{path}.args: a wrong number of arguments for {op}")
    return Node(op, ids, _sizes(shape, f"{path}.shape", pins), at)


# -- proofs ----------------------------------------------------------------------------------------------

Blocks = list[list[tuple[Size, bool]]]


@dataclass(frozen=True, slots=True)
class Line:
    """A line of a proof: an act ("uni" or blocks) for each axis of a node, from earlier lines."""

    node: int
    acts: tuple[str | Blocks, ...]
    premises: tuple[int, ...]


def lines(value: Any, path: str, pins: Mapping[str, int]) -> list[Line]:
    """The lines of a proof for one factor."""
    result = []
    for i, entry in enumerate(items(value, path, 16 * MOST_NODES)):
        spend(40)
        where = f"{path}[{i}]"
        node, type_, premises = fields(entry, where, "node", "type", "from")
        acts = tuple(_act(a, where, pins) for a in items(type_, where, MOST_RANK))
        numbers = tuple(integer(p, where, 0, i - 1) for p in items(premises, where))
        result.append(Line(integer(node, where, 0), acts, numbers))
    return result


def _act(value: Any, path: str, pins: Mapping[str, int]) -> str | Blocks:
    if isinstance(value, str):
        return one_of(value, path, ("uni",))
    blocks = []
    for block in items(value, path):
        spend(8)
        factors = []
        for factor in items(block, path):
            its_size, acted = pair(factor, path)
            factors.append((size(its_size, path, pins), integer(acted, path, 0, 1) == 1))
        if not factors:
            raise Rejected(f"{path}: a block without factors")
        blocks.append(factors)
    return blocks
