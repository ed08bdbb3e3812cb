"""Defines formulas of a row x in R^d as lists of operations `v_i = op(v_a, v_b, ...)`.

Every backend (NumPy blocks, compiled loops, CUDA) carries out the same operations in the same
order, each rounded once to nearest, none fused: the result has the same bits everywhere. Functions
such as exp are expanded to these operations (`eqvproof.deepsets.phi.expand`), so their values have
the same bits everywhere too.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from eqvproof.support.errors import DomainError

#: operation -> number of arguments. Each is exact, or rounded once as IEEE 754 defines it.
PRIMITIVE = {
    "column": 0,  # value: index of the column
    "const": 0,  # value: the number
    "add": 2,
    "sub": 2,
    "mul": 2,
    "div": 2,
    "neg": 1,
    "abs": 1,
    "sqrt": 1,
    "rint": 1,  # to the nearest integer, ties to even
    "max": 2,  # the first if it is greater or NaN, else the second
    "min": 2,
    "lt": 2,  # comparisons give 1.0 or 0.0
    "le": 2,
    "eq": 2,
    "select": 3,  # the second if the first is not 0, else the third
    "pow2": 1,  # 2^k, k an integer in [-1022, 1023]
    "mantissa": 1,  # a positive normal number is mantissa 2^exponent, mantissa in [1, 2)
    "exponent": 1,
}
#: expanded to primitive operations before evaluation; float64 only.
EXPANDED = {"exp": 1, "log": 1, "tanh": 1, "sinh": 1, "cosh": 1, "floor": 1, "ceil": 1, "sign": 1}
#: evaluated by the library of each backend: the bits are the same only within one backend of one
#: machine.
FOREIGN = {"sin": 1, "cos": 1, "tan": 1, "arctan": 1, "arcsin": 1, "arccos": 1, "arcsinh": 1}
ARITY = {**PRIMITIVE, **EXPANDED, **FOREIGN}


@dataclass(frozen=True, slots=True)
class Node:
    """One operation: its name, the indices of its arguments, the number of a constant or column."""

    op: str
    args: tuple[int, ...] = ()
    value: float = 0.0


@dataclass(frozen=True, slots=True)
class Formula:
    """The function `phi: R^d -> R^m` as a list of operations.

    Args:
        columns: d.
        nodes: the operations; each comes after its arguments.
        outputs: indices of the m features.
        scalar: whether phi(x) is a number rather than a vector of one number.
    """

    columns: int
    nodes: tuple[Node, ...]
    outputs: tuple[int, ...]
    scalar: bool = False
    _hash: int = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(
            self, "_hash", hash((self.columns, self.nodes, self.outputs, self.scalar))
        )

    def __hash__(self) -> int:  # computed once: formulas are keys of caches
        return self._hash

    @property
    def features(self) -> int:
        """The number m of features."""
        return len(self.outputs)

    @property
    def needs_float64(self) -> bool:
        """True if an operation is expanded with constants that are specific to float64."""
        return any(node.op in EXPANDED for node in self.nodes)

    @property
    def operations(self) -> int:
        """The number of operations that one row takes."""
        return sum(node.op not in ("column", "const") for node in self.nodes)

    def of(self, outputs: Iterable[int]) -> Formula:
        """Returns a formula whose features are other values of this one, without unused operations."""
        wanted = tuple(outputs)
        new = {old: i for i, old in enumerate(used_nodes(self.nodes, wanted))}
        nodes = (
            replace(self.nodes[old], args=tuple(new[a] for a in self.nodes[old].args))
            for old in new
        )
        return Formula(self.columns, tuple(nodes), tuple(new[o] for o in wanted), self.scalar)

    def last_use(self) -> dict[int, list[int]]:
        """Lists, for each node, the values that it is the last to use."""
        last: dict[int, int] = {}
        for i, node in enumerate(self.nodes):
            for a in node.args:
                last[a] = i
        free: dict[int, list[int]] = {}
        for value, at in last.items():
            if value not in self.outputs:
                free.setdefault(at, []).append(value)
        return free


class Tape:
    """A formula under construction; equal operations are written once."""

    def __init__(self, columns: int) -> None:
        self.columns = columns
        self.nodes: list[Node] = []
        self._known: dict[tuple[str, tuple[int, ...], str], int] = {}

    def put(self, op: str, *args: int, value: float = 0.0) -> int:
        """Writes `op(args)` and returns its index."""
        if ARITY.get(op) != len(args):
            raise DomainError(
                "formulas do not have this operation",
                given=f"{op} of {len(args)} arguments",
                expected="an operation of the formula language with its own number of arguments",
                hint="write phi with SymPy",
            )
        number = ""
        if value or op == "const":
            number = float(value).hex()
        key = (op, args, number)
        if key not in self._known:
            self._known[key] = len(self.nodes)
            self.nodes.append(Node(op, args, float(value)))
        return self._known[key]

    def column(self, index: int) -> int:
        """Writes x_index."""
        if not 0 <= index < self.columns:
            raise DomainError(
                "phi uses a column that the rows do not have",
                given=f"x_{index + 1}",
                expected=f"x_1 to x_{self.columns}",
                hint="write phi with SymPy",
            )
        return self.put("column", value=index)

    def const(self, value: float) -> int:
        """Writes a constant."""
        return self.put("const", value=value)

    def power(self, base: int, exponent: int) -> int:
        """Writes `base^exponent` for an integer exponent.

        Even powers are written as squares, so that `bounds` finds that they are not negative.
        """
        if exponent < 0:
            return self.put("div", self.const(1.0), self.power(base, -exponent))
        if exponent == 0:
            return self.const(1.0)
        if exponent == 1:
            return base
        if exponent % 2:
            return self.put("mul", self.power(base, exponent - 1), base)
        half = self.power(base, exponent // 2)
        return self.put("mul", half, half)

    def monomial(self, exponents: tuple[int, ...]) -> int:
        """Writes `prod_j x_j^{a_j}`, always by the same operations."""
        result: int | None = None
        for j, a in enumerate(exponents):
            if a:
                factor = self.power(self.column(j), a)
                if result is None:
                    result = factor
                else:
                    result = self.put("mul", result, factor)
        if result is None:
            return self.const(1.0)
        return result

    def copy(
        self,
        formula: Formula,
        outputs: Sequence[int],
        known: Mapping[int, int] | None = None,
        write: Callable[[Node, tuple[int, ...]], int] | None = None,
    ) -> list[int]:
        """Copies values of another formula, with all operations they are computed from.

        Args:
            formula: another formula.
            outputs: the indices of the values in it.
            known: value of the formula -> value of this tape that is used in its place.
            write: writes one operation, given its arguments on this tape. The default writes it
                unchanged.

        Returns:
            The indices of the values on this tape.
        """
        new = dict(known or {})
        for n in used_nodes(formula.nodes, outputs, new):
            node = formula.nodes[n]
            args = tuple(new[a] for a in node.args)
            if write is None:
                new[n] = self.put(node.op, *args, value=node.value)
            else:
                new[n] = write(node, args)
        return [new[o] for o in outputs]

    def formula(self, outputs: Iterable[int], *, scalar: bool = False) -> Formula:
        """Returns the formula of these outputs, without the operations they do not use."""
        return Formula(self.columns, tuple(self.nodes), (), scalar).of(outputs)


def used_nodes(
    nodes: Sequence[Node], outputs: Iterable[int], known: Collection[int] = ()
) -> list[int]:
    """Returns the indices of the nodes that outputs are computed from, in order.

    Known nodes are left out, and so are the nodes that only they use.
    """
    seen, found, stack = set(known), [], list(outputs)
    while stack:
        at = stack.pop()
        if at not in seen:
            seen.add(at)
            found.append(at)
            stack.extend(nodes[at].args)
    return sorted(found)
