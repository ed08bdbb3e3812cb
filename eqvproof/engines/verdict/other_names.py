"""Names under which users look for the attributes of a verdict."""

from __future__ import annotations

import difflib
from collections.abc import Sequence

_OTHER = {
    "proof": "derivation",
    "steps": "derivation",
    "message": "reason",
    "why": "reason",
    "result": "outcome",
    "status": "outcome",
    "passed": "holds",
    "ok": "holds",
    "success": "holds",
    "valid": "holds",
    "failed": "fails",
    "level": "grade",
}


def other_name(name: str, known: Sequence[str]) -> str:
    """Returns the question for the attribute that a name may stand for, or ""."""
    public = [n for n in known if not n.startswith("_")]
    near = difflib.get_close_matches(name.replace("_", ""), public, 1)
    if name in _OTHER:
        near = [_OTHER[name]]
    if name.startswith("__") or not near:
        return ""
    return f"; did you mean {near[0]!r}?"
