"""Every change of one field of a certificate."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from typing import Any

from eqvproof.kernel import Unreadable, check_certificate

Path = tuple[Any, ...]
WORDS = {
    "einsum": ("add", "matrix_function"),
    "add": ("concat", "select"),
    "map": ("size", "sort"),
    "sort": ("reshape", "indicator"),
    "inv": ("pinv", "det"),
    "det": ("inv",),
    "eigvals": ("det",),
    "spectral": ("inv",),
    "cholesky": ("inv", "expm"),
    "exp": ("abs", "tanh"),
    "recip": ("sqrt",),
    "sqrt": ("abs",),
    "tanh": ("exp", "cos", "rint"),
    "abs": ("exp", "sin"),
    "max": ("min", "prod"),
    "prod": ("max",),
    "gt": ("maximum", "lt"),
    "read": ("reshape", "sort"),
    "uni": ("", "fix"),
    "O": ("SO", "S", "Signs", "C", "U", "E", "T"),
    "SO": ("O", "S"),
    "S": ("O", "A", "SO"),
    "A": ("S", "C"),
    "C": ("S", "A"),
    "Signs": ("O", "S"),
    "d": ("n", "e"),
    "n": ("d", "c", "k"),
    "k": ("n",),
    "c": ("n",),
    "m": ("n",),
    "x": ("y", "z"),
    "X": ("Z",),
    "": ("!", "^", "*", "?"),
    "!": ("", "^"),
    "all": (2, [1, 4], [2, 1], 0),
    "Fix": ("Std", "Dual"),
    "Std": ("Fix", "Dual"),
    "Dual": ("Std",),
    "Prod": ("Det",),
    "Cut": ("Split", "Merge"),
    "Split": ("Merge", "Cut"),
    "Merge": ("Split", "Cut"),
    "real": ("bool", "index"),
    "rational": ("ball",),
    "ball": ("rational",),
    "proof": ("counterexample", "identity", "witness"),
    "counterexample": ("evaluation", "proof"),
    "equivariance": ("identity",),
    "identity": ("equivariance",),
}


def places(data: Any, path: Path = ()) -> Iterator[tuple[Path, Any]]:
    """Every value inside, with its path; the digest left out."""
    if path != ("digest",):
        yield path, data
    inside = data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ()
    for key, value in inside:
        yield from places(value, (*path, key))


def variants(value: Any) -> Iterator[Any]:
    """Other values in the place of this one."""
    if isinstance(value, bool) or value is None:
        yield from (0, "0", [], True)
    elif isinstance(value, int):
        yield from (value + 1, value - 1, -value - 1, value + 0.5, str(value), value == 1, [value])
    elif isinstance(value, str):
        yield from WORDS.get(value, ())
        yield from (value + "x", value[:-1], None, [value], value.upper() + "_")
        if value.lstrip("-")[:1].isdigit():
            yield from (value + "1", "-" + value.lstrip("-"), value + "/2", value + "/1", "1" + value, "0")
    elif isinstance(value, list):
        for i, item in enumerate(value):
            yield value[:i] + value[i + 1 :]
            yield [*value[: i + 1], copy.deepcopy(item), *value[i + 1 :]]
        for i in range(len(value) - 1):
            yield [*value[:i], value[i + 1], value[i], *value[i + 2 :]]
        yield from ([*value, 0], [*value, []], {}, None)
    elif isinstance(value, dict):
        for key in value:
            yield {k: v for k, v in value.items() if k != key}
            yield {(k + "_" if k == key else k): v for k, v in value.items()}
        yield from ({**value, "more": 1}, [], None)


def mutants(certificate: dict[str, Any]) -> Iterator[tuple[Path, dict[str, Any]]]:
    """The certificate with one field changed, not sealed again, and the path of the field."""
    for path, value in list(places(certificate)):
        for other in variants(value):
            if other == value and type(other) is type(value):
                continue
            if not path:
                if isinstance(other, dict):
                    yield path, other
                continue
            yield path, replaced(certificate, path, other)


def replaced(value: Any, path: Path, other: Any) -> Any:
    """The value with something else at a path; what lies beside the path is shared."""
    if not path:
        return other
    changed = value.copy()
    changed[path[0]] = replaced(value[path[0]], path[1:], other)
    return changed


def is_accepted(data: Any) -> bool:
    """Whether the kernel accepts what may be altered; what it cannot read it does not."""
    try:
        report = check_certificate(data)
    except Unreadable:
        return False
    assert "internal error" not in report.reason, report.reason
    return report.accepted
