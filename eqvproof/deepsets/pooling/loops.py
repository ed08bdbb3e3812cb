"""The loops of `eqvproof.deepsets.pooling.compiled` as LLVM instructions.

A tile of T rows is checked and brought into columns that lie in the first cache; then, one group of features
after another, the tile is evaluated and added to sums that stay in registers. Beside one of the groups the
next tile is checked and gathered, so that loading goes on while sums are computed, and the rows of a later
tile are fetched from memory. Sums rest in a work space between tiles and are carried every few tiles.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from eqvproof.deepsets.machine import has_wide_vectors
from eqvproof.deepsets.phi.formula import Formula
from eqvproof.deepsets.pooling.emit import Lanes, emit_columns, emit_formula, pick_columns
from eqvproof.deepsets.pooling.groups import Group, split_groups
from eqvproof.deepsets.pooling.vectors import Vectors

#: how values are added: without a bound; from 0 in float64; from an anchor, with what additions lose
Rule = Literal["plain", "quick", "anchored"]
#: rows of the longest tile, and of the shortest
TILE, SHORTEST = 1024, 256
#: rows between two carries; and in float32 sums of float32 numbers, which are short
CARRY, SHORT = 4096, 1024
#: bytes of the first cache that a tile and what is kept of it may take; bytes from a tile to those fetched
_CACHE, _AHEAD = 36 << 10, 24 << 10
_LINE = 64


@dataclass(frozen=True, slots=True)
class Layout:
    """How a formula is evaluated in tiles.

    Args:
        groups: of its features.
        rows: of a tile.
        kept: values that groups share.
        gathers: whether rows are brought into columns first.
        sums: vectors of 8 float64 that a feature is summed in.
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
        """Numbers from one column to the next; not a power of two, so that caches hold many columns."""
        return self.rows + (16 if self.single else 8)

    @property
    def work(self) -> int:
        """Float64 numbers that a call works on: columns, shared values, sums."""
        vectors = (2 * self.columns if self.gathers else 0) + self.kept
        return vectors * self.pitch // (2 if self.single else 1) + 8 * self.sums * self.features


def layout(formula: Formula, *, single: bool, by_rows: bool, sums: int) -> Layout:
    """The longest tiles that, with what is kept of them, stay in the first cache."""
    size = max(1, (20 if has_wide_vectors() else 6) // sums)
    d, item, rows = formula.columns, 4 if single else 8, TILE
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
    """One function: check, gather, add, carry."""

    def __init__(
        self, ir: Any, function: Any, formula: Formula, *, single: bool, by_rows: bool, rule: Rule
    ) -> None:
        self.ir, self.function, self.formula = ir, function, formula
        self.single, self.by_rows, self.plain = single, by_rows, rule == "plain"
        self.anchored = rule == "anchored"
        self.lanes = Lanes(ir, 16 if single else 8, single)
        self.v = Vectors(ir, function, self.lanes)
        self.wide = self.v.half
        self.in_place = self.plain and single  # sums of float32 numbers in float32
        #: vectors of sums that a vector of values is added to, 8 float64 each, and of those carried
        self.carried = 2 if single else 1
        self.sums = 1 if self.in_place else self.carried * (2 if self.anchored else 1)
        self.layout = layout(formula, single=single, by_rows=by_rows, sums=self.sums)
        self.groups, self.gathers, self.rows = self.layout.groups, self.layout.gathers, self.layout.rows

    def build(self) -> None:
        """The whole function."""
        f, ir, v = self.function, self.ir, self.v
        entry, first, head, done = (f.append_basic_block(n) for n in ("entry", "first", "head", "done"))
        b = ir.IRBuilder(entry)
        double, element = ir.DoubleType().as_pointer(), self.lanes.element.as_pointer()
        self.x, self.bounds, work = (b.bitcast(f.args[a], element) for a in (0, 3, 6))
        self.anchors, self.state = (b.bitcast(f.args[a], double) for a in (4, 5))
        held = self.formula.columns if self.gathers else 0
        sizes = (held, held, self.layout.kept)
        ends = [self.layout.pitch * sum(sizes[:i]) for i in range(4)]
        *both, self.kept, self.sum_of = (
            b.gep(work, [v.whole(end)], source_etype=self.lanes.element) for end in ends
        )
        self.limits = [] if self.plain else self.patterns(b)
        self.reset(b)
        last, entry = b.sub(f.args[2], v.whole(1)), b.block
        b.cbranch(b.icmp_signed("<", last, v.whole(0)), done, first)
        b.position_at_end(first)
        self.ahead_row, self.next_columns = v.whole(0), both[0]
        (found,) = v.for_each(
            b, v.whole(0), v.whole(self.rows), self.lanes.count, [self.nowhere],
            lambda b, step, found: [self.gather(b, step, found[0])],
        )  # fmt: skip
        b.cbranch(self.anywhere(b, found), done, head)
        start = b.block
        b.position_at_end(head)
        tile, *swapped = b.phi(v.i64), b.phi(both[0].type), b.phi(both[0].type)
        for value, given in zip((tile, *swapped), (v.whole(0), *both), strict=True):
            value.add_incoming(given, start)
        self.columns, self.next_columns = swapped
        following = b.add(tile, v.whole(1))
        self.row = b.mul(tile, v.whole(self.rows))
        self.ahead_row = b.mul(b.select(b.icmp_signed("<", tile, last), following, tile), v.whole(self.rows))
        exceeded = [self.add(b, group, number) for number, group in enumerate(self.groups)][self.gathering]
        stops = b.or_(self.anywhere(b, exceeded), b.icmp_signed("==", tile, last))
        every = max(1, (SHORT if self.in_place else CARRY) // self.rows)
        carry, on = f.append_basic_block("carry"), f.append_basic_block("on")
        due = b.icmp_signed("==", b.and_(following, v.whole(every - 1)), v.whole(0))
        b.cbranch(due, carry, on)
        b.position_at_end(carry)
        self.carry(b)
        b.branch(on)
        b.position_at_end(on)
        for value, given in zip((tile, *swapped), (following, swapped[1], swapped[0]), strict=True):
            value.add_incoming(given, on)
        b.cbranch(stops, done, head)
        b.position_at_end(done)
        added = b.phi(v.i64)
        for block, count in ((entry, v.whole(0)), (start, v.whole(0)), (on, following)):
            added.add_incoming(count, block)
        self.carry(b)
        b.ret(added)

    def reset(self, b: Any) -> None:
        """Sums before anything is added: M and 0, or 0."""

        def feature(b: Any, f: Any, _: Any) -> list[Any]:
            for s in range(self.sums):
                zero = (self.lanes if self.in_place else self.wide).const(0.0)
                self.put_sum(b, f, s, self.anchor(b, f) if self.anchored and s % 2 == 0 else zero)
            return []

        self.v.for_each(b, self.v.whole(0), self.v.whole(self.formula.features), 1, [], feature)

    def anchor(self, b: Any, feature: Any) -> Any:
        """M in all lanes."""
        double = self.ir.DoubleType()
        number = b.load(b.gep(self.anchors, [feature], source_etype=double), typ=double)
        return self.v.splat(b, number, self.wide.vector)

    def sum_place(self, b: Any, feature: Any, which: int) -> tuple[Any, Lanes]:
        """Where a sum rests; the offset counts float64."""
        lanes = self.lanes if self.in_place else self.wide
        at = b.add(b.mul(feature, self.v.whole(8 * self.layout.sums)), self.v.whole(8 * which))
        base = b.bitcast(self.sum_of, self.ir.DoubleType().as_pointer())
        place = b.gep(base, [at], source_etype=self.ir.DoubleType())
        return b.bitcast(place, lanes.vector.as_pointer()), lanes

    def get_sum(self, b: Any, feature: Any, which: int) -> Any:
        """A sum as it rests."""
        place, lanes = self.sum_place(b, feature, which)
        return b.load(place, align=_LINE, typ=lanes.vector)

    def put_sum(self, b: Any, feature: Any, which: int, value: Any) -> None:
        """A sum to rest."""
        place, _ = self.sum_place(b, feature, which)
        b.store(value, place, align=_LINE)

    def patterns(self, b: Any) -> list[Any]:
        """The bounds in the order in which entries lie in memory."""
        count, d, i32 = self.lanes.count, self.formula.columns, self.ir.IntType(32)
        limits = [self.v.number(b, self.bounds, self.v.whole(j)) for j in range(d)]
        if not self.by_rows:
            return [self.v.splat(b, limit, self.lanes.vector) for limit in limits]
        patterns = []
        for s in range(d):
            vector = self.lanes.const(0.0)
            for lane in range(count):
                limit = limits[(s * count + lane) % d]
                vector = b.insert_element(vector, limit, self.ir.Constant(i32, lane))
            patterns.append(vector)
        return patterns

    @property
    def nowhere(self) -> Any:
        """No lane."""
        count = self.lanes.count
        kind = self.ir.VectorType(self.ir.IntType(1), count)
        return self.ir.Constant(kind, [self.ir.Constant(self.ir.IntType(1), 0)] * count)

    def anywhere(self, b: Any, found: Any) -> Any:
        """Whether a lane is set."""
        kind = self.ir.IntType(self.lanes.count)
        return b.icmp_unsigned("!=", b.bitcast(found, kind), self.ir.Constant(kind, 0))

    def gather(self, b: Any, step: Any, found: Any) -> Any:
        """Checks L rows of the tile to come and brings them into columns.

        Returns:
            the lanes found so far, and those in which an entry is NaN or exceeds its bound.
        """
        count, d, v = self.lanes.count, self.formula.columns, self.v
        if self.plain and not self.gathers:
            return found
        start = b.add(self.ahead_row, step)
        if self.by_rows:
            first = b.mul(start, v.whole(d))
            entries = [v.load(b, self.x, b.add(first, v.whole(count * s)), self.lanes) for s in range(d)]
        else:
            entries = emit_columns(b, self.lanes, self.x, start, self.function.args[1], d)
        for entry, limit in zip(entries, self.limits, strict=False):
            size = self.lanes.call(b, "llvm.fabs", entry)
            found = b.or_(found, b.fcmp_unordered(">", size, limit))
        if self.gathers:
            for j, column in enumerate(pick_columns(b, self.lanes, entries)):
                self.store(b, self.next_columns, b.add(v.whole(j * self.layout.pitch), step), column)
        return found

    @property
    def gathering(self) -> int:
        """The group beside which the tile to come is gathered: the one that needs the fewest registers."""
        sizes = [group.features for group in self.groups]
        return sizes.index(min(sizes))

    def add(self, b: Any, group: Group, number: int) -> Any:
        """One group's features of a tile, added to its sums; lanes found while the next tile is gathered."""
        v, d = self.v, self.formula.columns
        places = [(v.whole(group.first + f), s) for f in range(group.features) for s in range(self.sums)]
        start = [self.get_sum(b, f, s) for f, s in places]

        def body(b: Any, step: Any, carried: list[Any]) -> list[Any]:
            *sums, lanes = carried
            columns: list[Any] = [None] * group.formula.columns
            for j in group.reads:
                if j >= d:
                    columns[j] = self.fetch(b, self.kept, b.add(v.whole((j - d) * self.layout.pitch), step))
                elif self.gathers:
                    columns[j] = self.fetch(b, self.columns, b.add(v.whole(j * self.layout.pitch), step))
                else:
                    at = b.add(self.row, step)
                    at = at if self.by_rows else b.add(at, b.mul(self.function.args[1], v.whole(j)))
                    columns[j] = v.load(b, self.x, at, self.lanes)
            values = emit_formula(group.formula, columns, b, self.lanes, fused=self.plain)
            for place, value in zip(group.keeps, values[group.features :], strict=True):
                self.store(b, self.kept, b.add(v.whole(place * self.layout.pitch), step), value)
            self.ahead(b, step, number)
            new: list[Any] = []
            for f, x in enumerate(values[: group.features]):
                new += self.added(b, x, sums[f * self.sums : (f + 1) * self.sums])
            return [*new, self.gather(b, step, lanes) if number == self.gathering else lanes]

        start.append(self.nowhere)
        *sums, found = v.for_each(b, v.whole(0), v.whole(self.rows), self.lanes.count, start, body)
        for (f, s), value in zip(places, sums, strict=True):
            self.put_sum(b, f, s, value)
        return found

    def added(self, b: Any, x: Any, sums: list[Any]) -> list[Any]:
        """Sums with one more value."""
        if self.plain:
            return [b.fadd(sums[0], x, flags=("contract",))]
        wide = self.v.widen(b, x)
        if not self.anchored:
            return [b.fadd(s, h) for s, h in zip(sums, wide, strict=True)]
        new = []
        for h, p, s in zip(wide, sums[::2], sums[1::2], strict=True):
            t = b.fadd(p, h)
            new += [t, b.fadd(s, b.fsub(h, b.fsub(t, p)))]
        return new

    def ahead(self, b: Any, step: Any, number: int) -> None:
        """Asks for some lines of a later tile: all groups together for all of it, evenly and in order."""
        v, d, item, groups = self.v, self.formula.columns, 4 if self.single else 8, len(self.groups)
        away = self.rows * max(1, _AHEAD // (self.rows * d * item))
        if self.by_rows:
            first = b.mul(b.add(self.row, v.whole(away)), v.whole(d))
            part = b.mul(b.add(step, v.whole(number * self.rows)), v.whole(d))
            start = b.add(first, b.udiv(part, v.whole(groups)))
            places = [b.add(start, v.whole(self.lanes.count * k)) for k in range(-(-d // groups))]
        else:
            start = b.add(b.add(self.row, v.whole(away)), step)
            columns = range(number, d, groups)
            places = [b.add(start, b.mul(self.function.args[1], v.whole(j))) for j in columns]
        for at in places:
            v.prefetch(b, b.gep(self.x, [at], source_etype=self.lanes.element))

    def store(self, b: Any, base: Any, at: Any, value: Any) -> None:
        """A vector into the work space."""
        place = b.gep(base, [at], source_etype=self.lanes.element)
        b.store(value, b.bitcast(place, self.lanes.vector.as_pointer()), align=_LINE)

    def fetch(self, b: Any, base: Any, at: Any) -> Any:
        """A vector from the work space."""
        place = b.gep(base, [at], source_etype=self.lanes.element)
        return b.load(b.bitcast(place, self.lanes.vector.as_pointer()), align=_LINE, typ=self.lanes.vector)

    def carry(self, b: Any) -> None:
        """Adds the sums to the state: A, and what its additions lost; the sums start again."""
        per = 1 if self.plain else 3

        def feature(b: Any, f: Any, _: Any) -> list[Any]:
            sums = [self.get_sum(b, f, s) for s in range(self.sums)]
            zero = self.wide.const(0.0)
            if self.anchored:
                pairs = [
                    (b.fsub(p, self.anchor(b, f)), s) for p, s in zip(sums[::2], sums[1::2], strict=True)
                ]
            else:
                pairs = [(s, zero) for s in (self.v.widen(b, sums[0]) if self.in_place else sums)]
            for p, (value, small) in enumerate(pairs):
                first = b.add(b.mul(f, self.v.whole(8 * per * self.carried)), self.v.whole(8 * per * p))
                at = [b.add(first, self.v.whole(8 * k)) for k in range(per)]
                state = [self.v.load(b, self.state, a, self.wide) for a in at]
                if self.plain:
                    new = [b.fadd(state[0], value)]
                else:
                    total, lost = self.v.two_sum(b, state[0], value)
                    second, lost_again = self.v.two_sum(b, state[1], lost)
                    second, lost_more = self.v.two_sum(b, second, small)
                    new = [total, second, b.fadd(b.fadd(state[2], lost_again), lost_more)]
                for a, n in zip(at, new, strict=True):
                    self.v.store_wide(b, self.state, a, [n])
            return []

        self.v.for_each(b, self.v.whole(0), self.v.whole(self.formula.features), 1, [], feature)
        self.reset(b)
