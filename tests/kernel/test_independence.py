"""The rules for independence: what is recorded of each line is true of its values, at random programs."""

from __future__ import annotations

import random
from dataclasses import replace
from fractions import Fraction
from functools import partial
from math import prod
from typing import Any

import pytest

from eqvproof.kernel import form_values, independence, known_entries, report
from eqvproof.kernel.form_program import read_program
from eqvproof.kernel.forms import Lab, Minus, Modulo, Num, Over, Place, Plus, SizePlace, Times
from eqvproof.kernel.independence import Good
from eqvproof.kernel.interval import Arithmetic, Ball, Undecided, hi, lo
from eqvproof.kernel.known_entries import BAD, GOOD, IN_ORDER, Known
from eqvproof.kernel.report import Rejected
from eqvproof.kernel.sizes import Size
from eqvproof.kernel.tensors import Tensor

FUNCTIONS = (
    "recip", "abs", "sign", "maximum", "minimum", "lt", "le", "gt", "ge", "eq", "ne", "not", "and", "or",
    "floor", "sqrt", "log", "exp", "max", "min", "cbrt", "tanh",
)  # fmt: skip
ARITY = {name: 2 for name in ("maximum", "minimum", "lt", "le", "gt", "ge", "eq", "ne", "and", "or")}
LEAVES: list[Any] = [["triangle", -2], ["triangle", -1], ["triangle", 0], ["triangle", 1], ["counter"]]
#: Sizes of the names of axes: the mask's, or those of entries that stay and of the others.
SIZES = {"n": 3, "m": 2, "k": 2}
#: Where the entries that stay are: at a mask, or first, or last.
WAYS = ("mask", "below", "from")


class Forms:
    """A program in forms that is drawn line by line; most lines use those before them."""

    def __init__(self, rng: random.Random, way: str) -> None:
        self.rng, self.is_prefix = rng, way != "mask"
        self.axis: Any = [[1, ["k"]], [1, ["m"]]] if self.is_prefix else "n"
        self.kinds: list[list[Any]] = []
        self.ranks: list[int] = []
        #: Lines of other sizes.
        self.hidden = set[int]()
        if self.is_prefix:
            self._add(1, "Input", [0], axis="m")
            self._add(1, "Input", [1], axis="k")
            order = (0, 1) if way == "below" else (1, 0)
            self._add(1, "Join", [[["m", "k"][k] for k in order], 0], *order)
        else:
            for number in range(3):
                self._add(1, "Input", [number])
            self._add(1, "Choose", [[0]], 2, *rng.choice([(0, 1), (1, 0)]))
        self.first = len(self.kinds) - 1

    def _add(self, rank: int, name: str, data: list[Any], *used: int, axis: Any = None) -> None:
        self.kinds.append([[axis or self.axis] * rank, name, data, list(used)])
        self.ranks.append(rank)

    def line(self, rank: int | None = None) -> int:
        """A line that has been drawn, with so many axes."""
        lines = range(self.first - (not self.is_prefix), len(self.kinds))  # the mask, and those from then on
        found = [k for k in lines if k not in self.hidden and rank in (None, self.ranks[k])]
        return self.rng.choice([*found, *found[-3:]] or [self.first])

    def grow(self) -> None:
        """Draws one more line."""
        rng = self.rng
        rank = rng.choice((1, 1, 2))
        often = ("map", "contract", "choose") + ("moved", "distance", "window") * self.is_prefix
        match rng.choice((*often, *often, "add", "fold", "leaf", "scalar", "partial", "complement")):
            case "map":
                name = rng.choice([f for f in FUNCTIONS if f not in ("max", "min")])
                one = self.line()
                rank = self.ranks[one]
                rest = [self.line(rank) for _ in range(ARITY.get(name, 1) - 1)]
                if all(self.ranks[k] == rank for k in rest):
                    self._add(rank, "Map", [FUNCTIONS.index(name)], one, *rest)
            case "contract":
                used = [self.line() for _ in range(rng.randint(1, 3))]
                places = [[rng.randrange(3) for _ in range(self.ranks[k])] for k in used]
                known = sorted({label for row in places for label in row} | {0})
                out = rng.sample(known, min(rank, len(known)))
                summed = [[label, self.axis] for label in known if label not in out]
                pairs = [[0, row] for row in places]
                self._add(len(out), "Contract", [pairs, summed, out], *used)
            case "moved":  # entries moved along the first axis, with others in place of the last or first
                one, filled = self.line(), self.line()
                rank, count = self.ranks[one], rng.choice((1, 2))
                if 0 < rank == self.ranks[filled]:
                    rest = [[-count, []], *self.axis]
                    ends = [(one, 0, rest), (filled, 0, count)]
                    if rng.random() < 0.5:
                        ends = [(filled, rest, count), (one, count, rest)]
                    for line, start, size in ends:
                        self._add(rank, "View", ["Cut", 0, start, size], line)
                        self.kinds[-1][0] = [size, *self.kinds[-1][0][1:]]
                    parts = [len(self.kinds) - 2, len(self.kinds) - 1]
                    rng.shuffle(parts)
                    sizes = [self.kinds[k][0][0] for k in parts]
                    self._add(rank, "Join", [sizes, 0], *parts)
                    self.hidden |= {*parts}
            case "complement":
                one, number = self.line(), rng.choice((-1, 1, 1))
                rank, first = self.ranks[one], len(self.kinds)
                self._add(0, "Scalar", [number])
                self._add(0, "Scalar", [rng.choice((-number, -number, 2))])
                labels = [*range(rank)]
                self._add(rank, "Contract", [[[0, []], [1, labels]], [], labels], first + 1, one)
                self._add(rank, "Contract", [[[0, []]], [], labels], first)
                self._add(rank, "Add", [], *rng.sample((first + 2, first + 3), 2))
            case "partial":  # 0 times what may be undefined
                zeros, one = self.line(), self.line()
                rank = self.ranks[one]
                self._add(rank, "Map", [FUNCTIONS.index(rng.choice(("recip", "log", "sqrt")))], one)
                places = [[0, rng.sample(range(rank), min(rank, self.ranks[zeros]))], [1, [*range(rank)]]]
                if self.ranks[zeros] <= rank:
                    out = [[*range(rank)]]
                    self._add(rank, "Contract", [places, [], *out], zeros, len(self.kinds) - 1)
            case "window":  # a sum over a part of the first axis, or over neighbours in it
                one, rest = self.line(), [[-1, []], *self.axis]
                rank = self.ranks[one]
                if rank and rng.random() < 0.5:
                    start, size = rng.choice([(0, "m"), (0, rest), (1, rest), ("k", "m"), (1, "m")])
                    self._add(rank, "View", ["Cut", 0, start, size], one)
                    self.kinds[-1][0] = [size, *self.kinds[-1][0][1:]]
                    self.hidden.add(len(self.kinds) - 1)
                    summed = [[[0, [*range(rank)]]], [[0, size]], [*range(1, rank)]]
                    self._add(rank - 1, "Contract", summed, len(self.kinds) - 1)
                elif rank:
                    row, *more = [*range(rank)]
                    places = [["Plus", row, rank], *more]
                    self._add(rank, "Contract", [[[0, places]], [[rank, 2]], [row, *more]], one)
                    self.kinds[-1][0] = [rest, *self.kinds[-1][0][1:]]
                    self._add(rank, "View", ["Cut", 0, rng.choice((0, "k")), 1], self.line(rank))
                    self.kinds[-1][0] = [1, *self.kinds[-1][0][1:]]
                    parts = [len(self.kinds) - 2, len(self.kinds) - 1]
                    self.hidden |= {*parts}
                    rng.shuffle(parts)
                    self._add(rank, "Join", [[self.kinds[k][0][0] for k in parts], 0], *parts)
            case "distance":  # compared with a number, or with that of other entries
                first = len(self.kinds)
                self._add(1, "Leaf", [LEAVES.index(["counter"])])
                self._add(0, "Scalar", [-1])
                self._add(2, "Contract", [[[0, []], [1, [0]]], [], [0, 1]], first + 1, first)
                self._add(2, "Contract", [[[0, [1]]], [], [0, 1]], first)
                self._add(2, "Add", [], first + 2, first + 3)
                self._add(0, "Scalar", [rng.choice((0, 1, 2))])
                self._add(2, "Contract", [[[0, []]], [], [0, 1]], first + 5)
                left = first + 4
                if rng.random() < 0.6:
                    self._add(2, "Map", [FUNCTIONS.index("abs")], left)
                    left = len(self.kinds) - 1
                name = rng.choice(("le", "lt", "gt", "ge"))
                pair = rng.sample((left, first + 6), 2)
                self._add(2, "Map", [FUNCTIONS.index(name)], *pair)
            case "add":
                one = self.line()
                more = [k for k in (self.line(self.ranks[one]),) if self.ranks[k] == self.ranks[one]]
                self._add(self.ranks[one], "Add", [], one, *more)
            case "choose":
                one = self.line()
                rank = self.ranks[one]
                two, condition = self.line(rank), self.line()
                if self.ranks[two] == rank and self.ranks[condition] <= rank:
                    axes = rng.sample(range(rank), self.ranks[condition])
                    self._add(rank, "Choose", [axes], condition, one, two)
            case "fold":
                one = self.line()
                if self.ranks[one] > 1:
                    name = FUNCTIONS.index(rng.choice(("max", "min")))
                    axis = rng.randrange(self.ranks[one])
                    self._add(self.ranks[one] - 1, "Fold", [name, axis, self.axis], one)
            case "leaf":
                number = rng.randrange(len(LEAVES))
                self._add(1 if LEAVES[number] == ["counter"] else 2, "Leaf", [number])
            case "scalar":
                self._add(0, "Scalar", [rng.choice((-1, 0, 1, 2))])

    def written(self) -> dict[str, Any]:
        """The program as certificates hold it."""
        shapes: list[Any] = []
        lines, kinds = [], []
        for shape, name, data, used in self.kinds:
            if shape not in shapes:
                shapes.append(shape)
            kinds.append([shapes.index(shape), name, *_with_holes(name, data, len(used))])
            lines.append([len(kinds) - 1, *used])
        return {
            "functions": [*FUNCTIONS], "leaves": [*LEAVES],
            "shapes": shapes, "kinds": kinds, "lines": lines,
        }  # fmt: skip


def _with_holes(name: str, data: list[Any], count: int) -> list[Any]:
    """The fields of a form, with numbers from 0 on in place of its arguments."""
    match name, data:
        case "Contract", [pairs, summed, out]:
            return [[[k, row] for k, (_, row) in enumerate(pairs)], summed, out]
        case "Join", [sizes, axis]:
            return [[[k, size] for k, size in enumerate(sizes)], axis]
        case "Choose", [axes]:
            return [0, axes, 1, 2]
        case "Fold", [function, axis, size]:
            return [function, 0, axis, size]
        case "View", [view, axis, start, size]:
            return [view, 0, axis, start, size]
        case "Add" | "Map", _:
            return [*data, [*range(count)]]
    return data


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("start", [0, 1000])
def test_what_is_recorded_is_true(start: int, way: str) -> None:
    informative = 0
    for seed in range(start, start + 40):
        rng = random.Random(f"{seed} {way}")
        forms = Forms(rng, way)
        for _ in range(rng.randint(4, 14)):
            forms.grow()
        informative += _check(forms.written(), rng, way)
    assert informative > 100


def _check(written: Any, rng: random.Random, way: str) -> int:
    """Compares what is recorded of the lines with their values; returns how many depend on y."""
    report.allow(10**8)
    try:
        program = read_program(written, "$", {}, dict.fromkeys(SIZES, 1))
    except Rejected as refused:
        raise AssertionError(written) from refused
    good = {
        "mask": Good(mask=2, holds=rng.random() < 0.7),
        "below": Good(limit=Size.of("m")),
        "from": Good(limit=Size.of("k"), is_below=False),
    }[way]
    known = independence.follow(program, frozenset([1]), good, dict.fromkeys(SIZES, 1))
    sized = form_values.read_forms(written, "$", SIZES)
    informative = 0
    for _ in range(3):
        mask = [Fraction(rng.randrange(2)) for _ in range(3)]
        x = [Fraction(rng.randint(-2, 2)) for _ in range(3 - (way != "mask"))]
        both = []
        for _ in range(2):
            y = [Fraction(rng.randint(-2, 2)) for _ in range(3)]
            given = [x, y[:2]] if way != "mask" else [x, y, mask]
            both.append(_values(sized, [Tensor((len(v),), v) for v in given]))
        for k, (v, w) in enumerate(zip(*both, strict=True)):
            if v is None or w is None:  # not decided
                continue
            informative += bool(known[k].reads)
            for index, pair in zip(_indices(v.shape), zip(v.values, w.values, strict=True), strict=True):
                _require(known[k], index, pair, partial(_is_good, mask, good), (written, k))
    return informative


def _values(sized: Any, given: list[Tensor]) -> list[Tensor | None]:
    found: list[Tensor | None] = []
    for k in range(len(sized.lines)):
        short = replace(sized, lines=sized.lines[: k + 1], shapes=sized.shapes[: k + 1])
        try:
            found.append(form_values.evaluate(short, given, Arithmetic(60)))
        except Undecided:
            found.append(None)
    return found


def _indices(shape: tuple[int, ...]) -> list[tuple[int, ...]]:
    found: list[tuple[int, ...]] = [()]
    for size in shape:
        found = [(*index, i) for index in found for i in range(size)]
    assert len(found) == prod(shape)
    return found


def _is_good(mask: list[Fraction], good: Good, point: tuple[int, ...]) -> bool:
    if good.limit is not None:
        return any((k < SIZES["m"]) if good.is_below else (k >= SIZES["k"]) for k in point)
    return (mask[point[0]] != 0) == good.holds


def _at(place: Place, index: tuple[int, ...]) -> int:
    match place:
        case Lab(label):
            return index[label]
        case Num(number):
            return number
        case SizePlace(size):
            return size.substitute({n: Size.of(v) for n, v in SIZES.items()}).number
        case Plus(a, b):
            return _at(a, index) + _at(b, index)
        case Minus(a, b):
            return max(_at(a, index) - _at(b, index), 0)
        case Times(a, b):
            return _at(a, index) * _at(b, index)
        case Over(a, b):
            return _at(a, index) // _at(b, index)
        case Modulo(a, b):
            return _at(a, index) % _at(b, index)
    raise AssertionError(place)


def _require(known: Known, index: tuple[int, ...], pair: tuple[Any, Any], is_good: Any, where: Any) -> None:
    """Requires that what is recorded of a line is true of an entry, with both values of y."""
    if known.reads is not None and all(
        is_good(tuple(_at(p, index) for p in point)) for point in known.reads
    ):
        assert pair[0] == pair[1], where
    if known.defined:
        assert (pair[0] is None) == (pair[1] is None), where
    if known.defined == known_entries.EVERYWHERE:
        assert None not in pair, where
    if None not in pair and known.is_zero_fixed:
        assert _is_zero(pair[0]) in (None, _is_zero(pair[1])) or _is_zero(pair[1]) is None, where
    for value in pair:
        if value is None:
            continue
        if known.unit is not None:
            assert value in (0, known.unit) or isinstance(value, Ball), where
        assert hi(value) >= 0 or known.sign < known_entries.NONNEGATIVE, where
        assert hi(value) > 0 or known.sign < known_entries.POSITIVE, where
        facts = {False: known.if_nonzero, True: known.if_zero}.get(_is_zero(value), frozenset())
        assert facts is not None, where
        for kind, point in facts:
            at = tuple(_at(p, index) for p in point)
            match kind:
                case "good":
                    assert is_good(at), where
                case "not good":
                    assert not is_good(at), where
                case _:
                    assert kind == IN_ORDER and at[0] <= at[1], where
    assert {GOOD, BAD} == {"good", "not good"}


def _is_zero(value: Any) -> bool | None:
    if isinstance(value, Ball) and lo(value) <= 0 <= hi(value):
        return None
    return not isinstance(value, Ball) and value == 0


def test_what_grows_from_line_to_line_is_not_recorded() -> None:
    """Places through views, and squares of numbers, would take memory without end."""
    views = [[1, "View", "Split", 0, 0, 2, "n"], [0, "View", "Merge", 0, 0, 2, "n"]]
    kinds = [[0, "Input", 0], [0, "Input", 1], [0, "Input", 2], [0, "Choose", 0, [0], 1, 2], *views]
    lines = [[0], [1], [2], [3, 2, 0, 1]]
    for k in range(80):
        lines.append([4 + k % 2, len(lines) - 1])
    kinds += [[2, "Scalar", 3], [2, "Contract", [[0, []], [1, []]], [], []]]
    lines.append([6])
    for _ in range(80):
        lines.append([7, len(lines) - 1, len(lines) - 1])
    shapes = [[[[2, ["n"]]]], [2, "n"], []]
    written = {"functions": [], "leaves": [], "shapes": shapes, "kinds": kinds, "lines": lines}
    report.allow(10**6)
    program = read_program(written, "$", {}, {"n": 1})
    known = independence.follow(program, frozenset([1]), Good(mask=2), {"n": 1})
    assert known[3].reads and known[83].reads is None and known[-1].index is None


def test_deep_places_are_not_recorded() -> None:
    """A place that is one deeper from line to line would end in a recursion, or take long."""
    before = ["Minus", 0, ["Num", 1]]
    kinds = [[0, "Input", 0], [0, "Input", 1], [0, "Input", 2], [0, "Choose", 0, [0], 1, 2]]
    kinds.append([0, "Contract", [[0, [before]]], [], [0]])
    lines = [[0], [1], [2], [3, 2, 0, 1], *([4, 3 + k] for k in range(2000))]
    written = {"functions": [], "leaves": [], "shapes": [["n"]], "kinds": kinds, "lines": lines}
    report.allow(10**7)
    program = read_program(written, "$", {}, {"n": 1})
    known = independence.follow(program, frozenset([1]), Good(mask=2), {"n": 1})
    assert known[4].reads and known[-1].reads is None
