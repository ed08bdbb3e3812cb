"""The patterns of groups that are written as text, and what a factor of them acts on."""

from __future__ import annotations

import re
from dataclasses import dataclass

from eqvproof.claims.groups.model import Factor
from eqvproof.claims.signature import Signature
from eqvproof.support.errors import GroupError

#: One factor, such as ``O(d)``, ``O(1,3; d)`` or ``S(n) each b``.
FACTOR = re.compile(
    r"[ \t\r\n]*(?P<family>[A-Za-z]+)[ \t\r\n]*\([ \t\r\n]*"
    r"((?P<numbers>[0-9]+[ \t\r\n]*,[ \t\r\n]*[0-9]+)[ \t\r\n]*;[ \t\r\n]*)?"
    r"(?P<axis>[A-Za-z0-9_]+)[ \t\r\n]*\)"
    r"([ \t\r\n]*each[ \t\r\n]+(?P<each>[A-Za-z_][A-Za-z0-9_]*))?"
)
#: The sign between two factors.
TIMES = re.compile(r"[ \t\r\n]*(x|×)[ \t\r\n]*")
#: The name of an axis.
NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")


def is_of_flips(axis: str | int) -> bool:
    """Checks whether an axis is one of size 1 that `claims.groups.flips` adds: ``_1``, ``_01``."""
    return isinstance(axis, str) and axis[:1] == "_" and axis[1:].lstrip("0") == "1"


@dataclass(frozen=True, slots=True)
class Place:
    """A part of the text of a group, at which errors point."""

    text: str
    start: int
    end: int

    def error(self, message: str, *, expected: str, hint: str, code: str) -> GroupError:
        """Builds the error, with a caret under the place."""
        from eqvproof.claims.signature.carets import caret_line

        line = caret_line(self.text, self.start, self.end)
        return GroupError(f"{message}\n{line}", expected=expected, hint=hint, code=code)


def is_still(factor: Factor) -> bool:
    """Checks whether the factor is given by generators that are all the identity."""
    if not factor.generators:
        return False
    from eqvproof.claims.groups.element import is_trivial

    return is_trivial(factor, len(factor.generators[0]))


def relabels(factor: Factor, signature: Signature) -> bool:
    """Checks whether the factor permutes an axis to which indices of an input point."""
    return factor.kind.permutes and any(a.indexes == factor.axis for a in signature.inputs)
