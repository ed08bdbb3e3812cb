"""Proofs under translations T and positive multiples Scale: one type a value, recomputed line by line.

*Translations.* Adding t to the points among the inputs adds (num/den) t to a value along one axis, the
same at all other indices ("shift"), or leaves it as it is ("still"). Sums: coefficients add. A product and
sum with one shifted factor whose own axis is kept: ``sum_j (x_ij + c t_i) w_j = sum_j x_ij w_j + c t_i sum_j
w_j``, so ``sum_j w_j`` must be known: numbers and sizes, the size of a summed label that stands nowhere else,
and 1 for the sum of an identity matrix or of ``e_j / sum_j e_j`` over j. max, min, sort, parts, reversal and
shift over another axis commute with adding a constant. Whatever is computed from still values is still.

*Multiples.* Multiplying the moved axes of the inputs by c > 0 multiplies a value by c^degree. Degrees add in
products and agree in sums, choices and joinings; 1/v, sqrt, cbrt, |v| multiply them by -1, 1/2, 1/3, 1;
order, sign and being 0 do not change; other functions need degree 0. The zero tensor has every degree.

Partial functions are applied to still values, or to c^k v where they are defined when they are at v: both
sides are defined at the same places.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from . import text
from .claims import Axis, Claim, Factor
from .decode import Node, Program
from .lines import Lines
from .reading import moved, readers
from .report import Rejected, spend
from .sizes import ONE, Size, is_nonnegative
from .text import fields, integer, rational

POWERS = {"recip": Fraction(-1), "sqrt": Fraction(1, 2), "cbrt": Fraction(1, 3), "abs": Fraction(1)}
STILL, ZERO = "still", "zero"


@dataclass(frozen=True, slots=True)
class Shift:
    """(num/den) t is added along an axis."""

    axis: int
    num: Size
    den: Size

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Shift):
            return False
        return self.axis == other.axis and self.num * other.den == other.num * self.den

    def __hash__(self) -> int:
        return hash(self.axis)


#: Shift or STILL under T; a rational or ZERO under Scale.
Type = Shift | Fraction | str


def derive(
    claim: Claim, program: Program, factor: Factor, proof: Lines, path: str, lows: Mapping[str, int]
) -> None:
    """Every line is what its rule gives; the last is the claimed type of the output.

    Raises:
        Rejected: otherwise.
    """
    given = {name: claimed(axes, factor) for name, axes in claim.inputs}
    indexed = {name: Size.of(claim.pins.get(n, n)) for name, n in claim.indices.items()}
    named = [_read(stated, f"{path} of type {k}", factor, claim) for k, (stated, _) in enumerate(proof.types)]
    if any(odd for _, odd in proof.types):
        raise Rejected(f"{path}: a parity, which {factor} does not have")
    types: list[Type] = []
    for k, line in enumerate(proof.lines):
        where = f"{path}[{k}]"
        spend(24)
        node = program.nodes[line.node]
        args = [types[p] for p in line.premises]
        if node.op == "input":
            found = given[node.at["name"]]
        else:
            moved = factor.family == "T"
            found = (
                translated(node, args, program, lows, indexed) if moved else multiplied(node, args, program)
            )
        if named[line.type] != found:
            raise Rejected(f"{where}: the rule for {node.op} does not give this type")
        types.append(found)
    if not proof.lines or proof.lines[-1].node != program.output:
        raise Rejected(f"{path}: the last line is not about the output")
    wanted = claimed(claim.output, factor)
    if types[-1] != wanted and types[-1] != ZERO:
        raise Rejected(f"{path}: the derived type of the output is not the claimed one")


def _read(value: Any, path: str, factor: Factor, claim: Claim) -> Type:
    if factor.family == "T":
        if value == STILL:
            return STILL
        axis, num, den = fields(value, path, "axis", "num", "den")
        return Shift(
            integer(axis, path, 0), text.size(num, path, claim.pins), text.size(den, path, claim.pins)
        )
    return ZERO if value == ZERO else rational(value, path)


def claimed(axes: Sequence[Axis], factor: Factor) -> Type:
    """What the claim says of an input or of the output."""
    if factor.family == "T":
        places = [i for i, axis in enumerate(axes) if any(factor.translates(t) for t in axis)]
        if not places:
            return STILL
        if len(places) > 1 or len(axes[places[0]]) > 1:
            raise Rejected("a value with several parts that are translated")
        term = axes[places[0]][0]
        if term.name is not None and term.coefficient != 1:
            raise Rejected("a multiple of an axis that is translated")
        return Shift(places[0], ONE, ONE)
    return Fraction(degree(axes, factor))


def degree(axes: Sequence[Axis], factor: Factor) -> int:
    """One for each axis that is multiplied, less one for each dual."""
    total = 0
    for axis in axes:
        acted = [t for t in axis if factor.acts_on(t)]
        if acted and len(axis) > 1:
            raise Rejected("a sum of axes, of which a part is multiplied")
        total += sum(-1 if t.mark == "*" else 1 for t in acted)
    return total


# -- multiples -------------------------------------------------------------------------------------------


def multiplied(node: Node, args: Sequence[Type], program: Program) -> Type:
    """The degree of a node."""
    fn = node.at.get("fn", "")
    match node.op:
        case "const":
            return Fraction(0) if any(node.at["values"]) else ZERO
        case "parameter" | "size" | "eye" | "tri" | "iota":
            return Fraction(0)
        case "einsum":
            return ZERO if ZERO in args else sum(_numbers(args), Fraction(0))
        case "add" | "concat":
            return _equal(args)
        case "read" | "reshape" | "sort" | "eigvals":
            return args[0]
        case "spectral":
            return args[1]
        case "select":
            return _equal(args[1:])
        case "map":
            return _map(fn, node, args, program)
        case "reduce":
            if fn in ("max", "min"):
                return args[0]
            shape = program.nodes[node.args[0]].shape
            return _times(args[0], [shape[i].constant for i in node.at["axes"]])
        case "inv" | "pinv":
            return ZERO if args[0] == ZERO else -_numbers(args)[0]
        case "det":
            return _times(args[0], [program.nodes[node.args[0]].shape[-1].constant])
        case _:
            return _plain(args)


def _numbers(args: Sequence[Type]) -> list[Fraction]:
    return [a for a in args if isinstance(a, Fraction)]


def _equal(args: Sequence[Type]) -> Type:
    found = set(_numbers(args))
    if len(found) > 1:
        raise Rejected("values of different degrees are combined")
    return found.pop() if found else ZERO


def _plain(args: Sequence[Type]) -> Type:
    if any(_numbers(args)):
        raise Rejected("a function that is not homogeneous, of a value that is multiplied")
    return Fraction(0)


def _times(base: Type, counts: Sequence[int | None]) -> Type:
    """The product of no zeros is 1, so that a product of zeros has degree 0 only."""
    if not isinstance(base, Fraction) or base == 0:
        return Fraction(0)
    for count in counts:
        if count is None:
            raise Rejected("a product whose number of factors depends on a size")
        base *= count
    return base


def _map(fn: str, node: Node, args: Sequence[Type], program: Program) -> Type:
    if fn in POWERS:
        return args[0] if args[0] == ZERO else _numbers(args)[0] * POWERS[fn]
    if fn in ("maximum", "minimum", "mod"):
        return _equal(args)
    if fn in ("lt", "le", "gt", "ge", "eq", "ne", "arctan2"):
        _equal(args)
        return Fraction(0)
    if fn in ("and", "or", "not", "sign"):
        return Fraction(0)
    if fn == "pow" and isinstance(args[0], Fraction):
        exponent = _constant(program, node.args[1])
        if exponent is not None:
            return args[0] * exponent
    return _plain(args)


def _constant(program: Program, index: int) -> Fraction | None:
    node = program.nodes[index]
    if node.op == "const" and node.at["values"] and len(set(node.at["values"])) == 1:
        value: Fraction = node.at["values"][0]
        return value
    if node.op == "einsum" and len(node.args) == 1 and not node.at["inputs"][0]:
        return _constant(program, node.args[0])
    return None


# -- translations ----------------------------------------------------------------------------------------


def translated(
    node: Node, args: Sequence[Type], program: Program, lows: Mapping[str, int], indexed: Mapping[str, Size]
) -> Type:
    """How a node moves."""
    if all(a == STILL for a in args):
        return STILL
    moving = [a for a in args if isinstance(a, Shift)]
    match node.op:
        case "add":
            if any(a.axis != moving[0].axis for a in moving):
                raise Rejected("translations along different axes are added")
            num, den = Size.of(0), ONE
            for a in moving:
                num, den = num * a.den + a.num * den, den * a.den
            return Shift(moving[0].axis, num, den) if num.terms else STILL
        case "einsum":
            return _weighted(node, args, program, lows, indexed)
        case "select":
            return _alike(args[1:]) if args[0] == STILL else _refuse()
        case "concat":
            return _off(_alike(args), [node.at["axis"]])
        case "reduce":
            found = _off(args[0], list(node.at["axes"]))
            before = sum(i < found.axis for i in node.at["axes"])
            return Shift(found.axis - before, found.num, found.den) if node.at["fn"] != "prod" else _refuse()
        case "read":
            found = _off(args[0], moved(node, program.nodes[node.args[0]].shape))
            return Shift(readers(node)[found.axis].start, found.num, found.den)
        case "sort":
            return _off(args[0], [node.at["axis"]])
        case _:
            return _refuse()


def _refuse() -> Type:
    raise Rejected("no rule for coordinates that are translated")


def _alike(args: Sequence[Type]) -> Type:
    if any(a != args[0] for a in args):
        return _refuse()
    return args[0]


def _off(move: Type, axes: Sequence[int]) -> Shift:
    if not isinstance(move, Shift) or move.axis in axes:
        raise Rejected("the coordinates themselves are reduced, joined or reordered")
    return move


def _weighted(
    node: Node, args: Sequence[Type], program: Program, lows: Mapping[str, int], indexed: Mapping[str, Size]
) -> Type:
    places = [k for k, a in enumerate(args) if isinstance(a, Shift)]
    rows, output = node.at["inputs"], list(node.at["output"])
    place, row = places[0], rows[places[0]]
    move = args[place]
    if len(places) != 1 or not isinstance(move, Shift):
        return _refuse()
    label = row[move.axis]
    others = [(x, r) for k, (x, r) in enumerate(zip(node.args, rows, strict=True)) if k != place]
    if list(row).count(label) != 1 or label not in output or any(label in r for _, r in others):
        return _refuse()
    sizes = dict(zip(row, program.nodes[node.args[place]].shape, strict=True))
    summed = {k for k in row if k not in output}
    if not all(is_nonnegative(sizes[k] - ONE, lows) for k in summed):
        raise Rejected("a sum of points that is empty at some size")  # then it is 0, whatever the weights are
    num, den = move.num, move.den
    rest: list[tuple[int, list[int]]] = []
    for x, r in others:
        value = None if r else _scalar(program, x)
        if value is not None:
            num, den = num * value[0], den * value[1]
            continue
        free = [k for k in r if k in summed]
        once = len(free) == 1 and r.count(free[0]) == 1 and all(k in output or k in summed for k in r)
        if once and _sums_to_one(program, x, list(r).index(free[0]), indexed):
            summed.discard(free[0])
        else:
            rest.append((x, list(r)))
    if rest:
        summed.discard(_shared_out(program, rest, summed, output))
    for k in summed:
        num = num * sizes[k]
    return Shift(output.index(label), num, den) if num.terms else STILL


def _scalar(program: Program, index: int) -> tuple[Size, Size] | None:
    """A scalar node as a ratio of sizes."""
    node = program.nodes[index]
    if node.shape:
        return None
    if node.op == "const":
        value: Fraction = node.at["values"][0]
        return Size.of(value.numerator), Size.of(value.denominator)
    if node.op == "size":
        return node.at["size"], ONE
    if node.op == "map" and node.at["fn"] == "recip":
        inner = _scalar(program, node.args[0])
        return (inner[1], inner[0]) if inner is not None and inner[0].terms else None
    if node.op == "einsum" and not any(node.at["inputs"]):
        num, den = ONE, ONE
        for a in node.args:
            factor = _scalar(program, a)
            if factor is None:
                return None
            num, den = num * factor[0], den * factor[1]
        return num, den
    return None


def _sums_to_one(program: Program, index: int, axis: int, indexed: Mapping[str, Size]) -> bool:
    """Whether a node is I, or one-hot vectors of positions in range, or e / sum(e) with that axis summed.

    Or such a thing, its entries moved about or repeated along other axes.
    """
    node = program.nodes[index]
    spend(20)
    if node.op == "eye":
        return True
    if node.op == "onehot":
        source = program.nodes[node.args[0]]
        in_range = source.op == "input" and indexed.get(source.at["name"]) == node.shape[-1]
        return in_range and axis == len(node.shape) - 1
    if node.op == "read":
        behind = next(a for a, own in enumerate(readers(node)) if axis in own)
        still = behind not in moved(node, program.nodes[node.args[0]].shape)
        return still and _sums_to_one(program, node.args[0], behind, indexed)
    if node.op == "concat":
        return axis != node.at["axis"] and all(_sums_to_one(program, a, axis, indexed) for a in node.args)
    if node.op == "einsum" and len(node.args) == 1:
        row, places = list(node.at["inputs"][0]), node.at["output"]
        sizes = zip(row, program.nodes[node.args[0]].shape, strict=True)
        view = all(k in places or size == ONE for k, size in sizes) and row.count(places[axis]) == 1
        return view and _sums_to_one(program, node.args[0], row.index(places[axis]), indexed)
    if node.op != "einsum" or len(node.args) != 2:
        return False
    rows, kept = [list(r) for r in node.at["inputs"]], list(node.at["output"])
    pairs = list(zip(node.args, rows, strict=True))
    return any(_is_share(program, *pairs[i], *pairs[1 - i], kept[axis], kept) for i in (0, 1))


def _shared_out(
    program: Program, factors: Sequence[tuple[int, list[int]]], summed: set[int], kept: Sequence[int]
) -> int:
    """The index over which two factors of one product are e and 1 / sum(e)."""
    spend(20 * len(summed))
    for index in summed if len(factors) == 2 else ():
        for i in (0, 1):
            if _is_share(program, *factors[i], *factors[1 - i], index, kept):
                return index
    raise Rejected("the weights of points are not seen to sum to 1")


def _is_share(
    program: Program, e: int, row: list[int], r: int, inverse_row: list[int], label: int, kept: Sequence[int]
) -> bool:
    """Whether r is 1 / sum(e), the sum over the axis of e that is labelled so; other labels of e are kept."""
    inverse = program.nodes[r]
    if inverse.op != "map" or inverse.at["fn"] != "recip" or label in inverse_row or label not in row:
        return False
    if len(set(row)) != len(row) or any(k != label and k not in kept for k in row):
        return False  # a sum over another label too: 1 as often as that has values
    total, own = _behind_units(program, inverse.args[0], inverse_row)
    if total.op != "einsum" or tuple(total.args) != (e,):
        return False
    inner = list(total.at["inputs"][0])
    gone = [k for k in inner if k not in total.at["output"]]
    if len(set(inner)) != len(inner) or gone != [inner[row.index(label)]]:
        return False
    names = dict(zip(inner, row, strict=True))
    return [names.get(k) for k in total.at["output"]] == own


def _behind_units(program: Program, index: int, row: list[int]) -> tuple[Node, list[int]]:
    """The node behind a view that adds axes of size 1, with the labels of its own axes."""
    node = program.nodes[index]
    if node.op == "einsum" and len(node.args) == 1:
        inner, output = list(node.at["inputs"][0]), list(node.at["output"])
        new = [k for k in output if k not in inner]
        if set(inner) <= set(output) and new and all(node.shape[output.index(k)] == ONE for k in new):
            names: Mapping[int, int] = dict(zip(output, row, strict=True))
            return program.nodes[node.args[0]], [names[k] for k in inner]
    return node, row
