"""Writes the compiled loops of `eqvproof.deepsets.pooling.compiled` as LLVM instructions.

A tile of T rows is checked and transposed into columns in the first-level cache; then, one group of
features after another, the tile is evaluated and added to sums that stay in registers. During one
of the groups the next tile is checked and transposed, so that loading goes on while sums are
computed, and the rows of a later tile are prefetched. Between tiles, sums are stored in a work
space; they are carried every few tiles.
"""

from __future__ import annotations

import functools
import itertools
import operator
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

from eqvproof.deepsets.emit.llvm import Code, Lanes, Value, adds_products, has_wide_vectors
from eqvproof.deepsets.phi.formula import Formula
from eqvproof.deepsets.phi.numbers import two_sum
from eqvproof.deepsets.pooling.groups import Group, split_groups

#: how values are added: without a bound; in float32 from two anchors; in float64 from one anchor,
#: with the rest
Rule = Literal["plain", "quick", "anchored"]
#: number of rows in the longest tile, and in the shortest
TILE, SHORTEST = 1024, 256
#: number of rows between two carries; count of numbers in the state of one sum: the sum, and its
#: error terms
CARRY = {"plain": 4096, "quick": 1024, "anchored": 4096}
NUMBERS = {"plain": 1, "quick": 2, "anchored": 3}
#: number of rows between two carries of plain sums in float32
SHORT = 1024
#: number of anchors at which each value is cut, one after another; M = 3/2 2^(e + HEADROOM); the
#: ratio of the second anchor to the first
ANCHORS = {"plain": 0, "quick": 2, "anchored": 1}
HEADROOM = {"quick": 8, "anchored": 11}
_STEP = 2.0 ** (HEADROOM["quick"] - 24)
#: bytes of the first cache for a tile and its shared values; bytes between a tile and the lines
#: that are prefetched
_CACHE, _AHEAD = 36 << 10, 24 << 10
_LINE = 64
_WIDE = Lanes(8, single=False)


@dataclass(frozen=True, slots=True)
class Layout:
    """The split of a formula's evaluation into groups of features and tiles of rows.

    Args:
        groups: groups of features.
        rows: number of rows of a tile.
        kept: number of values that groups share.
        gathers: whether rows are transposed into columns first.
        columns: number of columns of phi.
        features: number of features.
        single: whether numbers are float32.
        sums: number of vectors of 8 float64 in which a feature is summed.
    """

    groups: tuple[Group, ...]
    rows: int
    kept: int
    gathers: bool
    columns: int
    features: int
    single: bool
    sums: int

    @property
    def pitch(self) -> int:
        """The distance between columns; not a power of two, so that caches hold many columns."""
        return self.rows + vector_length(single=self.single)

    @property
    def work(self) -> int:
        """The count of float64 in the work space of a call: columns, shared values, sums."""
        vectors = self.kept
        if self.gathers:
            vectors += 2 * self.columns
        numbers = vectors * self.pitch
        if self.single:
            numbers //= 2
        return numbers + 8 * self.sums * self.features


def vector_length(*, single: bool) -> int:
    """Returns the number of lanes of a vector of 64 bytes: 16 float32, or 8 float64."""
    if single:
        return 16
    return 8


def item_size(*, single: bool) -> int:
    """Returns the number of bytes of a float32 or a float64."""
    if single:
        return 4
    return 8


def registers_for_sums() -> int:
    """Returns the number of registers of this processor that hold sums."""
    if has_wide_vectors():
        return 20
    return 6


def choose_layout(
    formula: Formula, *, single: bool, by_rows: bool, sums: int, longest: int
) -> Layout:
    """Chooses the longest tiles that fit the first cache, with the values that groups share."""
    size = max(1, registers_for_sums() // sums)
    d, item, rows = formula.columns, item_size(single=single), min(TILE, longest)
    most = len(formula.nodes)
    while True:
        room = _CACHE // (rows * item) - 2 * d
        groups = split_groups(formula, size, most)
        kept = max((place + 1 for g in groups for place in g.keeps), default=0)
        if kept <= room or (rows == SHORTEST and most < len(formula.nodes)):
            break
        if rows == SHORTEST:
            most = min(max(room, 12), len(formula.nodes) - 1)
        else:
            rows //= 2
    gathers = by_rows and d > 1
    return Layout(groups, rows, kept, gathers, d, formula.features, single, sums)


class Loops:
    """A builder of one loop, which checks, transposes and adds tiles, and carries the sums.

    The loop's arguments: the rows, the stride from one column to the next, the number of tiles,
    bounds of the columns, anchors, the state, the work space. Its value: the number of tiles added.
    """

    def __init__(self, formula: Formula, *, single: bool, by_rows: bool, rule: Rule) -> None:
        self.formula, self.by_rows, self.plain = formula, by_rows, rule == "plain"
        self.every, self.numbers = CARRY[rule], NUMBERS[rule]
        if self.plain and single:
            self.every = SHORT
        #: number of vectors of 8 float64 that are carried; number of sums to which a vector is
        #: added: the anchored ones and the rest
        self.carried, self.sums_per_vector = 1, ANCHORS[rule] + 1
        if single:
            self.carried = 2
        self.code = Code("piipppp", Lanes(vector_length(single=single), single))
        self.lanes = self.code.lanes
        #: whether float32 numbers are summed in float32; the lanes of sums
        self.in_place = single and rule != "anchored"
        if self.in_place:
            self.sums, self.sum_lanes = self.sums_per_vector, self.lanes
        else:
            self.sums, self.sum_lanes = self.sums_per_vector * self.carried, _WIDE
        self.layout = choose_layout(
            formula, single=single, by_rows=by_rows, sums=self.sums, longest=self.every
        )
        self.groups, self.gathers, self.rows = (
            self.layout.groups,
            self.layout.gathers,
            self.layout.rows,
        )
        sizes = [group.features for group in self.groups]
        #: the group during which the next tile is gathered: that with the fewest sums in registers
        self.gathering = sizes.index(min(sizes))

    def build(self) -> Any:
        """Writes and compiles the loop."""
        c, b = self.code, self.code.b
        self.x, self.stride, tiles, bounds, self.anchors, self.state, work = c.arguments
        held = 0
        if self.gathers:
            held = self.formula.columns
        ends = [self.layout.pitch * e for e in (0, held, 2 * held, 2 * held + self.layout.kept)]
        *both, self.kept, self.sum_of = (c.place(work, end) for end in ends)
        ones = c.place(self.state, self.formula.features * 8 * self.carried * self.numbers, _WIDE)
        if self.in_place:
            self.one = c.load(ones, 16, self.lanes, align=8)
        else:
            self.one = c.load(ones, 0, _WIDE, align=8)
        self.limits: list[Value] = []
        if not self.plain:
            self.limits = self.patterns(bounds)
        first, head, carry, on, done = (
            c.block(n) for n in ("first", "head", "carry", "on", "done")
        )
        self.reset()
        last, entry = tiles - 1, b.block
        b.cbranch((last < 0).ir, done, first)
        b.position_at_end(first)
        self.ahead_row, self.next_columns = c.whole(0), both[0]
        (found,) = c.loop(
            0,
            c.whole(self.rows),
            self.lanes.count,
            [self.no_lanes],
            lambda i, found: [self.gather(i, found)],
        )
        b.cbranch(c.any_lane(found).ir, done, head)
        start = b.block
        b.position_at_end(head)
        phis = [b.phi(v.ir.type) for v in (c.whole(0), *both)]
        for phi, given in zip(phis, (c.whole(0), *both), strict=True):
            phi.add_incoming(given.ir, start)
        tile, self.columns, self.next_columns = (Value(c, phi) for phi in phis)
        following = tile + 1
        self.row = tile * self.rows
        self.ahead_row = c.where(tile < last, following, tile) * self.rows
        exceeded = [self.add(group, number) for number, group in enumerate(self.groups)][
            self.gathering
        ]
        stops = c.any_lane(exceeded) | (tile == last)
        every = max(1, self.every // self.rows)
        b.cbranch(((following & (every - 1)) == 0).ir, carry, on)
        b.position_at_end(carry)
        self.carry()
        b.branch(on)
        b.position_at_end(on)
        for phi, given in zip(phis, (following, self.next_columns, self.columns), strict=True):
            phi.add_incoming(given.ir, on)
        b.cbranch(stops.ir, done, head)
        b.position_at_end(done)
        added = b.phi(c.i64)
        for block, count in ((entry, c.whole(0)), (start, c.whole(0)), (on, following)):
            added.add_incoming(count.ir, block)
        self.carry()
        b.ret(added)
        return c.compile()

    def loop_over_features(self, body: Any) -> None:
        """Writes a loop over the features."""

        def one(feature: Value) -> list[Value]:
            body(feature)
            return []

        self.code.loop(0, self.code.whole(self.formula.features), 1, [], one)

    def reset(self) -> None:
        """Stores the initial sums: the anchors, and 0 for the rest."""

        def feature(f: Value) -> None:
            for s in range(self.sums):
                self.put_sum(f, s, self.anchor(f, s % self.sums_per_vector))

        self.loop_over_features(feature)

    def anchor(self, feature: Value, which: int) -> Value:
        """Returns the anchor M, or the second anchor, in all lanes; 0 for the rest."""
        c = self.code
        if which + 1 == self.sums_per_vector:
            return c.constant(c.kind(self.sum_lanes), 0.0)
        first = c.number(self.anchors, feature, _WIDE)
        if not self.in_place:
            return first
        anchor: Value = c.narrow([first, first]) * _STEP**which
        return anchor

    def get_sum(self, feature: Any, which: int) -> Value:
        """Loads a sum from the work space."""
        place = self.code.place(self.sum_of, feature * (8 * self.sums) + 8 * which, _WIDE)
        return self.code.load(place, 0, self.sum_lanes, align=_LINE)

    def put_sum(self, feature: Any, which: int, value: Value) -> None:
        """Stores a sum in the work space."""
        self.code.store(
            self.sum_of, feature * (8 * self.sums) + 8 * which, value, _WIDE, align=_LINE
        )

    def patterns(self, bounds: Value) -> list[Value]:
        """Returns the bounds in the order in which entries lie in memory."""
        c, d, count = self.code, self.formula.columns, self.lanes.count
        limits = [c.number(bounds, j) for j in range(d)]
        if not self.by_rows or d == 1:
            return limits
        patterns = []
        for s in range(d):
            found = limits[(s * count) % d]
            for lane in range(count):
                mask = list(range(count))
                mask[lane] += count
                found = c.shuffle(found, limits[(s * count + lane) % d], mask)
            patterns.append(found)
        return patterns

    @property
    def no_lanes(self) -> Value:
        """The mask in which no lane is set."""
        ir = self.code.ir
        return self.code.constant(ir.VectorType(ir.IntType(1), self.lanes.count), 0)

    def gather(self, step: Value, found: Value) -> Value:
        """Checks L rows of the next tile and transposes them into columns.

        Returns:
            The mask ``found``, and set in it the lanes in which an entry is NaN or exceeds its
            bound.
        """
        c, d = self.code, self.formula.columns
        if self.plain and not self.gathers:
            return found
        start = self.ahead_row + step
        if self.by_rows:
            entries = [c.load(self.x, start * d + self.lanes.count * s) for s in range(d)]
        else:
            entries = [c.load(self.x, start + self.stride * j) for j in range(d)]
        for entry, limit in zip(entries, self.limits, strict=False):
            # not "greater": NaN exceeds every bound
            found = found | Value(c, c.b.fcmp_unordered(">", abs(entry).ir, limit.ir))
        if self.gathers:
            for j, column in enumerate(self.transpose(entries)):
                c.store(self.next_columns, step + j * self.layout.pitch, column, align=_LINE)
        return found

    def transpose(self, parts: list[Value]) -> list[Value]:
        """Transposes L rows that lie side by side in d vectors into columns.

        For even d, even and odd lanes are separated first, and transposed on their own.
        """
        d, count, shuffle, columns = len(parts), self.lanes.count, self.code.shuffle, []
        if d % 2 == 0:
            pairs = list(zip(parts[::2], parts[1::2], strict=True))
            halves = (
                [shuffle(x, y, range(bit, 2 * count, 2)) for x, y in pairs] for bit in range(2)
            )
            return list(itertools.chain(*zip(*map(self.transpose, halves), strict=True)))
        for j in range(d):
            places = [divmod(lane * d + j, count) for lane in range(count)]
            found = shuffle(parts[0], parts[0], [at * (s == 0) for s, at in places])
            for part in range(1, d):
                mask = list(range(count))
                for lane, (s, at) in enumerate(places):
                    if s == part:
                        mask[lane] = count + at
                found = shuffle(found, parts[part], mask)
            columns.append(found)
        return columns

    def add(self, group: Group, number: int) -> Value:
        """Adds one group's features of a tile to its sums.

        Returns the mask of lanes found while the next tile is gathered.
        """
        c = self.code
        places = [
            (c.whole(group.first + f), s) for f in range(group.features) for s in range(self.sums)
        ]

        def body(step: Value, *carried: Value) -> list[Value]:
            columns: list[Any] = [None] * group.formula.columns
            for j in group.reads:
                columns[j] = self.column(j, step)
            values = c.formula(group.formula, columns, fused=self.plain)
            for place, value in zip(group.keeps, values[group.features :], strict=True):
                c.store(self.kept, step + place * self.layout.pitch, value, align=_LINE)
            self.prefetch_later_tile(step, number)
            new: list[Value] = []
            plus = self.alternating_addition(group)
            for f, x in enumerate(values[: group.features]):
                new += self.add_to_sums(x, carried[f * self.sums : (f + 1) * self.sums], plus)
            found = carried[-1]
            if number == self.gathering:
                found = self.gather(step, found)
            return [*new, found]

        start = [*(self.get_sum(f, s) for f, s in places), self.no_lanes]
        *sums, found = c.loop(0, c.whole(self.rows), self.lanes.count, start, body)
        for (f, s), value in zip(places, sums, strict=True):
            self.put_sum(f, s, value)
        return found

    def column(self, j: int, step: Value) -> Value:
        """Loads L numbers of a column of phi, or of a value that an earlier group kept."""
        d, pitch = self.formula.columns, self.layout.pitch
        if j >= d:
            return self.code.load(self.kept, step + (j - d) * pitch, align=_LINE)
        if self.gathers:
            return self.code.load(self.columns, step + j * pitch, align=_LINE)
        at = self.row + step
        if not self.by_rows:
            at = at + self.stride * j
        return self.code.load(self.x, at)

    def alternating_addition(self, group: Group) -> Callable[[Value, Value], Value]:
        """Returns an addition that is sometimes written as `x 1 + y`, to use idle multipliers.

        The sum has the same bits.
        """
        ops = Counter(node.op for node in group.formula.nodes)
        vectors = self.sums // self.sums_per_vector
        count = group.features * vectors * (3 * self.sums_per_vector - 2)
        # conversions of float32 take the units of additions
        idle = count + 2 * group.features * (vectors - 1) + ops["add"] + ops["sub"] - ops["mul"]
        share = 0.0
        if adds_products():
            share = min(max(idle / (2 * count), 0.0), 1.0)
        turns = itertools.count(1)

        def plus(x: Value, y: Value) -> Value:
            turn = next(turns)
            if int(turn * share) > int((turn - 1) * share):
                return self.code.call("fma", x, self.one, y)
            total: Value = x + y
            return total

        return plus

    def add_to_sums(
        self, x: Value, sums: Any, plus: Callable[[Value, Value], Value]
    ) -> list[Value]:
        """Adds one value to the sums."""
        c = self.code
        if self.plain:
            c.fused = True
            total = sums[0] + x
            c.fused = False
            return [total]
        new: list[Value] = []
        parts = [x]
        if not self.in_place:
            parts = c.widen(x)
        for k, rest in enumerate(parts):
            *anchored, last = sums[k * self.sums_per_vector : (k + 1) * self.sums_per_vector]
            for p in anchored:
                new.append(plus(rest, p))
                rest = plus(-plus(-p, new[-1]), rest)
            new.append(plus(rest, last))
        return new

    def prefetch_later_tile(self, step: Value, number: int) -> None:
        """Prefetches some lines of a later tile.

        All groups together fetch the whole tile, evenly and in order.
        """
        c, d, groups = self.code, self.formula.columns, len(self.groups)
        item = item_size(single=self.lanes.single)
        if self.plain and not self.gathers and groups == 1:
            return  # processors prefetch memory that is read once, in order
        # if the next tile is being read, prefetch the one after it
        near = 2 - (self.plain and not self.gathers)
        away = self.row + self.rows * max(near, _AHEAD // (self.rows * d * item))
        if self.by_rows:
            part = (step + number * self.rows) * d
            start = away * d + part / groups
            places = [start + self.lanes.count * k for k in range(-(-d // groups))]
        else:
            places = [away + step + self.stride * j for j in range(number, d, groups)]
        for at in places:
            c.prefetch(c.place(self.x, at))

    def carry(self) -> None:
        """Adds the sums to the state, with the exact rounding errors; resets the sums."""
        c, per = self.code, self.numbers

        def feature(f: Value) -> None:
            sums = [
                self.get_sum(f, s) - self.anchor(f, s % self.sums_per_vector)
                for s in range(self.sums)
            ]
            parts: Any = [
                sums[k : k + self.sums_per_vector]
                for k in range(0, self.sums, self.sums_per_vector)
            ]
            if self.in_place:
                both = zip(*map(c.widen, reversed(sums)), strict=True)
                parts = [[functools.reduce(operator.add, values)] for values in both]
            for k, values in enumerate(parts):
                first = f * (8 * per * self.carried) + 8 * per * k
                state = [c.load(self.state, first + 8 * i, _WIDE) for i in range(per)]
                for at, value in enumerate(values):
                    for i in range(at, per - 1):
                        state[i], value = two_sum(state[i], value)
                    state[-1] = state[-1] + value
                for i, number in enumerate(state):
                    c.store(self.state, first + 8 * i, number, _WIDE)

        self.loop_over_features(feature)
        self.reset()
