"""Reads sizes that a user gives, and writes the sizes that a result covers in words."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import product
from typing import Any

from eqvproof.claims.signature import Signature
from eqvproof.claims.signature.model import number_of_kinds
from eqvproof.support.errors import OptionError
from eqvproof.tracing.samples import NO_SPANS, Spans

Range = tuple[int, int]
#: Without sizes=, searches try each axis from 1 up to this size.
LARGEST_DEFAULT = 4


def by_size(sizes: Mapping[str, int]) -> tuple[int, tuple[int, ...]]:
    """Returns the sort key of sizes, the smallest first: their sum, then one after another."""
    return sum(sizes.values()), tuple(sizes.values())


def smallest_first(spans: Mapping[str, Iterable[int]]) -> list[dict[str, int]]:
    """Returns all choices of one size for each name, the smallest first."""
    found = [dict(zip(spans, values, strict=True)) for values in product(*spans.values())]
    return sorted(found, key=by_size)


def read_sizes(
    sizes: Mapping[str, Any] | None, signature: Signature, pins: Mapping[str, int]
) -> tuple[dict[str, int], dict[str, Range], frozenset[str]]:
    """Parses the option `sizes`: returns pinned sizes, ranges, and the names without an upper end.

    The range of an axis without an upper end holds the sizes that a search tries.

    Raises:
        OptionError: an axis that is not in the signature, a size below 1, or an empty range.
    """
    pinned = dict(pins)
    ranges: dict[str, Range] = {}
    open_ended: set[str] = set()
    for name, value in (sizes or {}).items():
        if name not in signature.names:
            raise OptionError(
                f"sizes= names an axis {name!r} that the signature does not have",
                given=f"sizes={dict(sizes or {})!r}",
                expected="one of " + ", ".join(signature.names),
                hint="use the axis names of the signature",
                code="sizes.axis",
            )
        if isinstance(value, (tuple, list)):
            pair = value
        else:
            pair = (value, value)
        if len(pair) == 2 and pair[1] is None and isinstance(pair[0], int) and name not in pins:
            open_ended.add(name)
            pair = (pair[0], max(LARGEST_DEFAULT, pair[0] + 1))
        whole = len(pair) == 2 and all(isinstance(v, int) and not isinstance(v, bool) for v in pair)
        if not whole or not 1 <= pair[0] <= pair[1]:
            raise OptionError(
                f"the size of axis {name!r} is not usable",
                given=f"{value!r}",
                expected="an integer >= 1, or a pair (low, high) of integers with 1 <= low <= high",
                hint=f"write sizes={{{name!r}: 3}} or sizes={{{name!r}: (1, 6)}}; (4, None) is 4"
                f" and more",
                code="sizes.value",
            )
        if name in pins and not pair[0] <= pins[name] <= pair[1]:
            raise OptionError(
                f"axis {name!r} has the size {pins[name]} in the group, and another in sizes=",
                given=f"{value!r}",
                expected=f"{pins[name]}, or a range that holds it",
                hint="leave one of them out",
                code="sizes.clash",
            )
        if pair[0] == pair[1]:
            pinned[name] = pair[0]
        elif name not in pins:
            ranges[name] = (pair[0], pair[1])
    return pinned, ranges, frozenset(open_ended)


def all_sizes(
    signature: Signature, pins: Mapping[str, int], spans: Spans = NO_SPANS
) -> dict[str, Any]:
    """Returns the machine-readable form of "all sizes", or of the sizes in some spans."""
    known = {**{name: [low, high] for name, (low, high) in spans.items()}, **pins}
    return {name: known.get(name, "all") for name in signature.names}


def scope_text(scope: Mapping[str, Any]) -> str:
    """Writes a scope as a phrase, such as "for d = 3 and all n".

    Numbers of kinds are left out: they are part of the signature.
    """
    scope = {k: v for k, v in scope.items() if not number_of_kinds(k)}
    fixed = [f"{k} = {v}" for k, v in scope.items() if isinstance(v, int)]
    pairs = [(k, v) for k, v in scope.items() if isinstance(v, (list, tuple))]
    spans = [
        f"all {k} >= {v[0]}" if v[1] is None else f"{k} from {v[0]} to {v[1]}" for k, v in pairs
    ]
    free = [k for k, v in scope.items() if v == "all"]
    parts = fixed + spans + (["all " + ", ".join(free)] if free else [])
    if parts:
        return "for " + " and ".join(parts)
    return "at the sizes that the signature fixes"


def tried_text(tried: Sequence[Mapping[str, int]]) -> str:
    """Writes the sizes that were tried as a phrase."""
    tried = [{k: v for k, v in sizes.items() if not number_of_kinds(k)} for sizes in tried]
    if not tried or not tried[0]:
        return "at the sizes that the signature fixes"
    if len(tried) == 1:
        return "at " + ", ".join(f"{k} = {v}" for k, v in tried[0].items())
    parts = []
    for name in tried[0]:
        values = sorted({s[name] for s in tried})
        if len(values) == 1:
            parts.append(f"{name} = {values[0]}")
        elif values == list(range(values[0], values[-1] + 1)):
            parts.append(f"{name} in {values[0]}..{values[-1]}")
        else:
            parts.append(f"{name} in {{{', '.join(map(str, values))}}}")
    return f"at {len(tried)} sizes ({', '.join(parts)})"
