"""Cross products and determinants of torch."""

from __future__ import annotations

from typing import Any

import pytest

import eqvproof as ep
from tests.judged import assert_proved, assert_refuted

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


def edge_frames(x: Any, source: Any, target: Any) -> Any:
    """Three vectors at each edge; of an edge from a point to itself all are 0."""
    a, b = x[source] - x[target], torch.cross(x[source], x[target], dim=-1)
    a, b = (v / (v.norm(dim=-1, keepdim=True) + 1) for v in (a, b))
    return torch.stack((a, b, torch.cross(a, b, dim=-1)), dim=1)


def test_frames_of_edges() -> None:
    signature = "x: n 3, s[n]: e, t[n]: e -> e 3! 3"
    assert_proved(edge_frames, signature, "S(n) x S(e) x SO(3)")
    assert_refuted(edge_frames, signature, "O(3)")


def test_what_differs_at_one_point_is_not_proved() -> None:
    def alone(x: Any) -> Any:
        a = torch.cross(x, x.flip(0), dim=-1)
        return a / (a.norm(dim=-1, keepdim=True) + 1) + (x[:, :1] if len(x) == 1 else 0)

    assert_refuted(alone, "x: n 3 -> n 3", "SO(3)")
