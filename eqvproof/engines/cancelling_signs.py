"""Types under sign flips that no rule infers: values whose signs cancel, such as f(v) + f(-v).

Floats show which values of a Program stay the same when signs are flipped, or change sign by an
index of theirs. If no rule infers that type for such a value, the kernel's normal forms may show it
(see `kernel.flips`) from typed values, which are found by following the Program backwards.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from eqvproof.claims.size import least_sizes
from eqvproof.engines.elaborate.program import lines_of_program
from eqvproof.engines.elaborate.proof import forms_to_json
from eqvproof.engines.elaborate.translation import Held
from eqvproof.engines.observed_signs import MOST_SINGLE, Seen
from eqvproof.engines.verdict import packing
from eqvproof.kernel import flips, report
from eqvproof.kernel.form_program import read_program
from eqvproof.kernel.sizes import Size as FormSize
from eqvproof.programs import Program, Size
from eqvproof.programs.rules import Context, Type, Typed
from eqvproof.programs.rules.acts import is_fixed, std
from eqvproof.support.errors import ExportError

#: Kinds of values at which the search backwards ends: see `Flips._premises`.
Ends = Literal["still", "typed", "apart"]
ENDS: tuple[Ends, ...] = ("still", "apart", "typed")
Table = Sequence[Mapping[Typed, object]]
#: Nodes with their types.
Premises = tuple[tuple[int, Typed], ...]
#: Largest size of an axis along which sums are written out.
MOST_WRITTEN = 16
#: Largest amount of work on proofs for one flip, failed ones included; less for flips of inputs,
#: for which other rules mostly suffice.
MOST_SPENT, MOST_SPENT_ON_INPUTS = 4 * report.MOST_WORK, report.MOST_WORK // 2


@dataclass(frozen=True, slots=True)
class Shown:
    """A proof by normal forms that a value has some type under sign flips.

    Attributes:
        premises: the typed nodes on which it depends.
        way: how the kernel computes the normal forms.
    """

    premises: Premises
    way: flips.Way

    def to_json(self, line: int) -> dict[str, object]:
        """Returns the proof in the JSON form of certificates, for the given line."""
        return {"line": line, "single": self.way.single, "written": sorted(self.way.written)}


class Flips:
    """A Program under the sign flips of one factor, or of the eigenvectors that a node holds."""

    def __init__(self, program: Program, context: Context, inputs: Mapping[str, Type]) -> None:
        self.program, self.context, self.inputs = program, context, inputs
        #: The proofs found, by node and type.
        self.shown: dict[tuple[int, Typed], Shown] = {}
        self._forms: _Forms | None = None
        self._work, self._spent = report.MOST_WORK // 2, 0
        self._seen: Seen | None = None
        #: For each node, whether it depends on inputs or eigenvectors, and whether it depends on
        #: values that flips change.
        self._varies: list[bool] = []
        self._moves: list[bool] = []
        for number, node in enumerate(program.nodes):
            is_leaf = node.input_name is not None or node.is_up_to_signs
            self._varies.append(is_leaf or any(self._varies[a] for a in node.args))
            if context.flipped is not None:
                is_moved = number == context.flipped
            else:
                is_moved = node.input_name is not None
            self._moves.append(is_moved or any(self._moves[a] for a in node.args))

    def type_of(self, node: int, table: Table, claimed: Typed | None = None) -> Typed | None:
        """Searches for the type of a node that no rule types; None if normal forms show none.

        If the values agree with the claimed type, it is this one: axes of size 1 leave a choice.
        """
        if self.context.relabelled or self.program.nodes[node].is_up_to_signs:
            return None
        self._seen = self._seen or Seen(self.program, self.context, self.inputs)
        wanted = self._seen.type_of(node, claimed)
        if wanted is None or (node, wanted) in self.shown:
            return wanted
        for ends in ENDS:
            premises = self._premises(node, table, ends)
            for way in self._ways(node, premises) if premises else ():
                if self._is_shown(node, wanted, premises, way):
                    self.shown[node, wanted] = Shown(premises, way)
                    return wanted
        return None

    def _is_shown(self, node: int, wanted: Typed, premises: Premises, way: flips.Way) -> bool:
        """Checks whether the kernel's normal forms show a type.

        The search may use half the work that the kernel does in all.
        """
        if self.context.flipped is None:
            most = MOST_SPENT_ON_INPUTS
        else:
            most = MOST_SPENT
        if self._spent > most or self._work <= 0:
            return False
        try:
            self._forms = self._forms or _Forms.of(self.program, self.context)
        except (ExportError, report.Rejected):
            self._work = 0
            return False
        report.allow(self._work)
        try:
            return self._forms.show(node, wanted, premises, way)
        except (report.Rejected, RecursionError):
            return False
        finally:
            used = report.done()
            self._spent += used
            self._work -= used

    def _premises(self, node: int, table: Table, ends: Ends) -> Premises:
        """Returns typed values from which, with constants, a node is computed.

        They are leaves and, of other values, the first "typed" ones, the first that are "still"
        under flips, or those that are "apart" from values that flips change. There are none if a
        leaf has no type.
        """
        nodes, found = self.program.nodes, dict[int, Typed]()
        for this in self._behind(node, found):
            is_leaf = nodes[this].input_name is not None or nodes[this].is_up_to_signs
            types = [t for t in table[this] if _is_simple(t, self.context.size)]
            still = [t for t in types if all(map(is_fixed, t.acts)) and not t.odd]
            is_end = (
                is_leaf or not self._moves[this] or ends == "typed" or (still and ends == "still")
            )
            if self._varies[this] and types and is_end:
                found[this] = (still or types)[0]
            elif is_leaf:
                return ()
        return tuple(sorted(found.items(), key=lambda pair: pair[0]))

    def _behind(self, node: int, ends: Iterable[int]) -> Iterator[int]:
        """Yields the nodes from which a node is computed, except those behind `ends`."""
        seen, stack = set[int](), [*self.program.nodes[node].args]
        while stack:
            this = stack.pop()
            if this not in seen:
                seen.add(this)
                yield this
                stack.extend(self.program.nodes[this].args if this not in ends else ())

    def _ways(self, node: int, premises: Premises) -> Iterator[flips.Way]:
        """Yields the ways in which normal forms may show a type, those of least work first."""
        ends = [end for end, _ in premises]
        inside = [node, *(x for x in self._behind(node, ends) if x not in ends)]
        sizes = {size.constant or 0 for x in inside for size in self.program.nodes[x].shape}
        short = frozenset(n for n in sizes if 2 <= n <= MOST_WRITTEN)
        count = self.context.size.constant or 0
        for written in (frozenset[int](), short) if short else (short,):
            yield flips.Way(single=False, written=written)
            if 1 <= count <= MOST_SINGLE:
                yield flips.Way(single=True, written=written)


@dataclass(frozen=True, slots=True)
class _Forms:
    """The forms of a Program, as the kernel reads them.

    Attributes:
        moved: the forms under the flips.
        held: for each node the line that stands for it, with some of its axes.
    """

    moved: flips.Flips
    held: Sequence[Held]

    @classmethod
    def of(cls, program: Program, context: Context) -> _Forms:
        """Writes a Program in forms.

        Raises:
            ExportError: an operation has none.
            Rejected: the kernel does not read them, as where sizes may be negative.
        """
        data = program.to_json(is_stored=True)
        text = packing.write_numbers(data, packing.free_parameters(data, {"factors": ()}))
        written, lows = lines_of_program(text), least_sizes(program.names)
        report.allow(report.MOST_WORK)
        known = forms_to_json(written)
        vectors = written.eigenvectors
        key = ["eigenvectors"] * bool(vectors)
        read = read_program(known, "$", {}, lows, *key)
        first, nodes = len(program.inputs), [node for node, *_ in vectors]
        partial = {first + k for k in range(len(nodes))}
        flipped = context.flipped
        if flipped is not None and len(program.nodes[program.nodes[flipped].args[0]].shape) == 2:
            partial.discard(first + nodes.index(flipped))
        real = flips.real_lines(read, lows, partial)
        count = FormSize(context.size.terms)
        held = tuple(map(written.standing_for, range(len(written.held))))
        return cls(flips.Flips(read, count, lows, real), held)

    def show(self, node: int, wanted: Typed, premises: Premises, way: flips.Way) -> bool:
        """Checks whether normal forms show a type of a node by those of others.

        Raises:
            Rejected: the forms are too long, or it is not computed from these.
        """
        found, atoms = self._flipped(node, wanted), dict[int, flips.Flipped]()
        for premise, typed in premises:
            atom = self._flipped(premise, typed)
            if atom is not None:
                atoms[atom.line] = atom
        return found is not None and self.moved.holds(atoms, found, way)

    def _flipped(self, node: int, typed: Typed) -> flips.Flipped | None:
        """Returns the line of a node with the signs that its type gives it; None for 0."""
        held = self.held[node]
        if held.line is None:
            return None
        axes = tuple(k for k, a in enumerate(held.axes) if not is_fixed(typed.acts[a]))
        return flips.Flipped(held.line, axes, bool(typed.odd))


def _is_simple(typed: Typed, size: Size) -> bool:
    """Checks whether along each axis all signs are flipped, or none."""
    return all(is_fixed(act) or act == std(size) for act in typed.acts)
