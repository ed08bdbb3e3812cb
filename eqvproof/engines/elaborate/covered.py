"""Rules of the kernel that the checker in Rocq does not have, rejected before printing."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from eqvproof.engines.elaborate.irreps import Product, is_turned
from eqvproof.engines.elaborate.source import Factor, Type
from eqvproof.engines.elaborate.translation import Line
from eqvproof.support.errors import ExportError


def require_rules(
    lines: Sequence[Line],
    types: Sequence[Type],
    functions: Sequence[str],
    factor: Factor,
    by_rules: Iterable[int],
) -> None:
    """Checks that the checker in Rocq has a rule for each of the lines that need one.

    It looks at the type of the line and those of its arguments.

    Raises:
        ExportError: there is no such rule; the message names the operation.
    """
    name = str(factor)
    for line in map(lines.__getitem__, by_rules):
        _, *rest = line.op
        powers = {types[a].power for a in _called(line)}
        function = functions[rest[0]] if powers else ""
        if function == "det" and not _is_known_determinant(line, types, factor):
            raise ExportError.of(
                f"det of matrices on whose axes {name} acts in different ways", "one way on both"
            )
        if function in ("prod", "det", "pow") and powers != {0}:
            raise ExportError.of(
                f"{function} of values that {name} multiplies", "values that it does not"
            )


def _is_known_determinant(line: Line, types: Sequence[Type], factor: Factor) -> bool:
    """Checks whether the determinants along both axes of matrices are known, or cancel."""
    _, _, batch, ((argument, _),) = line.op
    rows, columns = types[argument].acts[batch:]
    turned = (size for kind, size in (*rows, *columns) if is_turned(kind))
    known = all(size.constant is not None for size in turned)
    known = known and not any(isinstance(kind, Product) for kind, _ in (*rows, *columns))
    return rows == columns or (known and factor.family.rocq != "C")


def _called(line: Line) -> list[int]:
    """Returns the arguments of a line that applies a function."""
    kind, *rest = line.op
    if kind == "Map":
        return [*rest[1]]
    if kind == "Whole":
        return [argument for argument, _ in rest[2]]
    if kind in ("Fold", "Sort"):
        return [rest[1]]
    return []
