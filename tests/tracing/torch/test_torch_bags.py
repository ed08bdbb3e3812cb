"""Bags of embeddings of one size, masks of bytes, shifts of integers, and tensors of a class of their own."""

from __future__ import annotations

from typing import Any

import pytest

import eqvproof as ep
from eqvproof.tracing.observing.entries import stored_entries
from tests.judged import assert_proved, assert_refuted

torch = pytest.importorskip("torch", reason="PyTorch is not installed")
F = torch.nn.functional
TABLE = torch.tensor(
    [[1.0, 2.0, -1.0], [0.5, 0.25, 3.0], [-2.0, 1.5, 0.0], [4.0, -3.0, 1.0], [0.0, 1.0, 2.0]]
)


def weighted(i: Any, w: Any) -> Any:
    return F.embedding_bag(i, TABLE, mode="sum", per_sample_weights=w)


def by_place(i: Any) -> Any:
    w = torch.arange(i.shape[1], dtype=torch.float32).expand(i.shape)
    return F.embedding_bag(i, TABLE, mode="sum", per_sample_weights=w)


def bytes_where(x: Any) -> Any:
    return torch.where((x > 0).to(torch.uint8), x, -2 * x)


def by_dtype(x: Any) -> Any:
    if x.dtype is torch.bool or x.dtype is torch.int64:
        return x.sum()
    return x.sum(0)


def by_object(x: Any) -> Any:
    return x.sum(0) if x.T.T is x else 2 * x.sum(0)


def doubled_places(x: Any) -> Any:
    return x * (torch.arange(x.shape[0]) << 1).unsqueeze(-1)


class Kept(torch.nn.Parameter):  # type: ignore[misc]
    """A parameter whose methods return another object, as manifold tensors do."""

    def detach(self) -> Any:
        return [self]


class Guarded(torch.Tensor):  # type: ignore[misc]
    """A tensor that no function of torch may be applied to."""

    @classmethod
    def __torch_function__(cls, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        raise TypeError("apply the functions of the manifold")


class Scaled(torch.nn.Module):  # type: ignore[misc]
    def __init__(self) -> None:
        super().__init__()
        self.weight = Kept(torch.tensor([2.0, -1.0, 0.5]))

    def forward(self, x: Any) -> Any:
        return x * self.weight


@pytest.mark.parametrize("mode", ["sum", "mean", "max"])
@pytest.mark.parametrize("group", ["S(n)", "S(m)"])
def test_a_bag_is_read(mode: str, group: str) -> None:
    bag = torch.nn.EmbeddingBag.from_pretrained(TABLE, mode=mode)
    out = "n 3" if group == "S(n)" else "n! 3"
    assert_proved(bag, f"i[5]: n m -> {out}", group)


def test_weights_of_a_bag_move_with_their_entries() -> None:
    assert_proved(weighted, "i[5]: n m, w: n m -> n 3", "S(m)")
    assert_refuted(by_place, "i[5]: n m -> n 3", "S(m)")


def test_bytes_are_truth_values() -> None:
    assert_proved(bytes_where, "x: n d -> n d", "S(n) x S(d)")
    assert_refuted(bytes_where, "x: n d -> n d", "Signs(d)")


def test_shifts_are_products() -> None:
    assert_refuted(doubled_places, "x: n 3 -> n 3", "S(n)")
    assert_proved(doubled_places, "x: n d -> n d", "O(d)")


def test_a_parameter_of_a_class_of_its_own_is_read() -> None:
    assert_proved(Scaled().eval(), "x: n 3 -> n 3", "S(n)")
    assert_refuted(Scaled().eval(), "x: n 3 -> n 3", "O(3)")


def test_the_entries_of_a_tensor_of_any_class_are_found() -> None:
    entries = stored_entries(torch, torch.tensor([1.0, 2.0]).as_subclass(Guarded))
    assert type(entries) is torch.Tensor and entries.tolist() == [1.0, 2.0]


def test_dtypes_of_torch_are_one_object_each() -> None:
    assert_proved(by_dtype, "x: n d -> d", "S(n) x O(d)")
    assert_refuted(by_dtype, "x: n d -> d", "T(d)")
    verdict = ep.check(by_object, "x: n d -> d", under="S(n)")
    assert verdict.grade == "TESTED" and "identity of two objects" in verdict.reason
