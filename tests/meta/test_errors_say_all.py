"""Every error of the package says what was given, what was expected and what to try."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

import eqvproof
from eqvproof import errors

ROOT = Path(eqvproof.__file__).parent
KINDS = {
    name for name, value in vars(errors).items()
    if isinstance(value, type) and issubclass(value, errors.EqvproofError)
} - {"TraceError", "GramMismatch", "MultisetMismatch", "CongruenceMismatch", "CertificateError"}  # fmt: skip
#: A message that came whole from another process.
WHOLE = {"EqvproofError(answer['error'])"}


def unsaid(tree: ast.AST) -> list[str]:
    """Errors that are raised where they are made, without one of the three parts."""
    found = []
    for node in ast.walk(tree):
        call = node.exc if isinstance(node, ast.Raise) else None
        if isinstance(call, ast.Call) and getattr(call.func, "id", "") in KINDS:
            said = {k.arg for k in call.keywords}
            if not {"given", "expected", "hint"} <= said and None not in said:
                found.append(ast.unparse(call))
    return found


def test_what_is_left_out_is_noticed() -> None:
    assert unsaid(ast.parse("raise ShapeError('x', given='1', hint='y')")) == [
        "ShapeError('x', given='1', hint='y')"
    ]
    assert not unsaid(ast.parse("raise ShapeError('x', given='1', expected='2', hint='y')"))


@pytest.mark.parametrize("folder", sorted({f.relative_to(ROOT).parts[0] for f in ROOT.rglob("*.py")}))
def test_all_three_parts_are_said(folder: str) -> None:
    files = [ROOT / folder] if folder.endswith(".py") else (ROOT / folder).rglob("*.py")
    found = {f.name: unsaid(ast.parse(f.read_text(encoding="utf-8"))) for f in files}
    left = {name: [e for e in calls if e not in WHOLE] for name, calls in found.items()}
    assert not {name: calls for name, calls in left.items() if calls}
