"""Cross products and determinants of torch."""

from __future__ import annotations

from typing import Any

import pytest

import eqvproof as ep

torch = pytest.importorskip("torch")


def by_entries(x: Any, y: Any) -> Any:
    """x cross y, as it is written by hand."""
    (a, b, c), (p, q, r) = x.unbind(-1), y.unbind(-1)
    return torch.stack([b * r - c * q, c * p - a * r, a * q - b * p], -1)


CASES: list[tuple[Any, str, str, str]] = [
    (torch.linalg.cross, "X: k 3, Y: k 3 -> k 3", "SO(3)", "O(3)"),
    (lambda x, y: torch.cross(x, y, dim=0), "X: 3 k, Y: 3 k -> 3 k", "SO(3)", "O(3)"),
    (by_entries, "X: k 3, Y: k 3 -> k 3", "SO(3)", "O(3)"),
    (lambda x, y: torch.linalg.cross(x, torch.linalg.cross(x, y)), "X: k 3, Y: k 3 -> k 3", "O(3)", ""),
    (lambda x: torch.linalg.det(x), "X: 3 3! -> ()", "SO(3)", "O(3)"),
    (lambda x: torch.linalg.det(x).abs(), "X: 3 3! -> ()", "O(3)", ""),
]


@pytest.mark.parametrize(("f", "signature", "holds", "fails"), CASES)
def test_vectors(f: Any, signature: str, holds: str, fails: str) -> None:
    proved = ep.prove(f, signature, holds, backend="torch")
    assert proved.grade == "PROVED", proved.reason
    assert ep.verify(proved.certificate).accepted
    if fails:
        refuted = ep.check(f, signature, fails, backend="torch")
        assert refuted.fails and refuted.grade == "EXACT"
        assert ep.verify(refuted.certificate).accepted
