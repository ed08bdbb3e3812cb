"""Layers of PyTorch and torch functions on edge lists, masks and circles: proved, and slips refuted."""

from __future__ import annotations

import random
import sys
from types import ModuleType
from typing import Any

import pytest

import eqvproof as ep
from eqvproof.tracing.libraries import is_torch
from eqvproof.tracing.observing import detect

torch = pytest.importorskip("torch", reason="PyTorch is not installed")
pytestmark = [
    pytest.mark.filterwarnings("ignore::DeprecationWarning"),
    pytest.mark.filterwarnings("ignore::FutureWarning"),
    pytest.mark.filterwarnings("ignore::UserWarning"),
]
F, nn = torch.nn.functional, torch.nn
EDGES = "X: n 3, E[n]: 2 m -> n 3"
MASKED = "X: n d, M[bool]: n n -> n d"


def index_add(x: Any, e: Any) -> Any:
    return torch.zeros_like(x).index_add(0, e[1], x[e[0]])


def scattered(x: Any, e: Any) -> Any:
    wide = e[1][:, None].expand(-1, 3)
    top = torch.zeros_like(x).scatter_reduce(0, wide, x[e[0]], "amax", include_self=False)
    return top + torch.zeros_like(x).scatter_reduce(0, wide, x[e[0]], "mean", include_self=False)


def one_hot(x: Any, e: Any) -> Any:
    return F.one_hot(e[1], x.shape[0]).to(x.dtype).T @ x.index_select(0, e[0])


def masked(x: Any, m: Any) -> Any:
    return F.scaled_dot_product_attention(x, x, x, attn_mask=m)


def masked_by_hand(x: Any, m: Any) -> Any:
    scores = (x @ x.T).masked_fill(~m, float("-inf"))
    weights = torch.exp(scores - scores.max(dim=-1, keepdim=True).values)
    return weights / weights.sum(-1, keepdim=True) @ x


def without_hidden(x: Any, m: Any, instead: Any = 0.0) -> Any:
    scores = (x @ x.T).masked_fill(~m, float("-inf"))
    return torch.where(scores > float("-inf"), scores, torch.zeros_like(scores) + instead) @ x


def itself(x: Any) -> Any:
    return torch.eye(x.shape[0], dtype=torch.bool)


def nearest(x: Any, hidden: Any = itself) -> Any:
    return torch.cdist(x, x).masked_fill(hidden(x), float("inf")).min(1).values


def in_order(x: Any) -> Any:
    gaps = torch.cdist(x, x)
    gaps.fill_diagonal_(float("inf"))
    return gaps.topk(1, largest=False).values + torch.where(itself(x), torch.inf, gaps).sort(1).values[:, :1]


def neighbours(x: Any) -> Any:
    return x[torch.cdist(x, x).masked_fill(itself(x), torch.inf).argmin(1)]


def no_heat(x: Any) -> Any:
    far = torch.cdist(x, x) + torch.diag(torch.full((x.shape[0],), torch.inf))
    return torch.softmax(-far, -1) @ x


def both_ends(x: Any) -> Any:
    return torch.where(itself(x), -torch.inf, torch.cdist(x, x).masked_fill(itself(x), torch.inf)).amin(1)


def before(x: Any) -> Any:
    return torch.ones(x.shape[0], x.shape[0], dtype=torch.bool).tril()


def written_where(x: Any, y: Any) -> Any:
    found, both = torch.zeros_like(x), (x > 0) & (y > 0)
    found[both] = x[both] * y[both]
    return found


def deviations(x: Any, keep: Any) -> Any:
    return (x[keep] - x[keep].mean(0)).square().sum(0) + x[keep].norm(dim=-1).sum()


def pairs_after(x: Any) -> Any:
    i, j = torch.triu_indices(x.shape[0], x.shape[0], 1)
    return (x[i] - x[j]).sum(0)


def least(x: Any, keep: Any) -> Any:
    return x[keep].amax(0) - x[keep].min()


def spread(x: Any) -> Any:
    ordered = x.topk(1, dim=0).values - x.median(dim=0, keepdim=True).values
    return (ordered + x.quantile(0.25, dim=0, keepdim=True) + x.sort(dim=0).values[:1]).squeeze(0)


def circular() -> Any:
    torch.manual_seed(0)
    return nn.Conv1d(2, 2, 3, padding=1, padding_mode="circular").eval()


def on_a_torus(**options: Any) -> Any:
    torch.manual_seed(0)
    return nn.Conv2d(2, 2, 3, padding=1, **options).eval()


def forces(x: Any, *, weight: float = 1.0) -> Any:
    """The gradient of an energy whose vectors are taken apart and joined behind a scalar, as irreps are."""
    x = x.requires_grad_(True)
    with torch.enable_grad():
        rel = F.normalize(x[:, None] - x[None], dim=-1)
        a, b, c = (3**0.5 * rel[..., k] for k in range(3))
        joined = torch.cat([torch.ones_like(a)[..., None], torch.stack([a, b, weight * c], -1)], -1)
        energy = torch.exp(-(joined.sum(0)[:, 1:] ** 2).sum(-1)).sum()
        return -torch.autograd.grad(energy, x)[0]


def zero_padded() -> Any:
    torch.manual_seed(0)
    return nn.Conv1d(2, 2, 3, padding=1).eval()


def blocks(**options: Any) -> Any:
    torch.manual_seed(0)
    layer = nn.Conv1d(2, 3, 4, **options).eval()
    return lambda x: layer(x[None])[0]


def losses(**options: Any) -> Any:
    return lambda x, y: F.cross_entropy(x, y, **options)


def density(spread: Any) -> Any:
    return lambda x, m: torch.distributions.Normal(m, spread(m)).log_prob(x).sum(-1)


CLASSES = "x: n c, y[c]: n -> ()"
RIGHT = {
    "index_add": (index_add, EDGES, "S(n) x S(m)"),
    "scatter_reduce": (scattered, EDGES, "S(n) x S(m)"),
    "one_hot": (one_hot, EDGES, "S(n) x S(m)"),
    "attention mask": (masked, MASKED, "S(n) x O(d)"),
    "-inf by hand": (masked_by_hand, MASKED, "S(n) x O(d)"),
    "0 in place of -inf": (without_hidden, MASKED, "S(n) x O(d)"),
    "+inf before a minimum": (nearest, "X: n d -> n", "S(n) x E(d)"),
    "+inf before an order": (in_order, "X: n d -> n 1", "S(n) x E(d)"),
    "the place of a minimum, looked up": (neighbours, "X: n d -> n d", "O(d)"),
    "-inf as the negative of +inf": (no_heat, "X: n d -> n d", "S(n) x E(d)"),
    "methods of tensors alone": (
        lambda x, m: x.masked_fill(~m[:, None], -1e9).amax(0),
        "X: n d, M[bool]: n -> d",
        "S(n)",
    ),
    "a mask read and written": (written_where, "x: n, y: n -> n", "S(n)"),
    "a mask summed": (deviations, "X: n d, M[bool]: n -> d", "S(n)"),
    "a mask and its ends": (least, "X: n d, M[bool]: n -> d", "S(n)"),
    "a mask of everything": (lambda x: x[torch.ones_like(x, dtype=torch.bool)] * 2, "x: n -> n", "S(n)"),
    "distances of pairs": (lambda x: F.pdist(x).sum(), "X: n d -> ()", "S(n) x E(d)"),
    "buckets": (
        lambda x: torch.bucketize(x, torch.tensor([0.0, 1.0])) + torch.histc(x, 3, 0, 1)[0],
        "x: n -> n",
        "S(n)",
    ),
    "order statistics": (spread, "X: n d -> d", "S(n)"),
    "cdist": (lambda x: torch.cdist(x, x), "X: n d -> n n", "E(d) x S(n)"),
    "circular convolution": (circular(), "X: b 2 n -> b 2 n", "C(n) x S(b)"),
    "circular along two axes": (
        on_a_torus(padding_mode="circular"), "X: b 2 n m -> b 2 n m", "C(n) x C(m)",
    ),
    "forces of irreps": (forces, "X: n 3 -> n 3^", "S(n) x E(3)"),
    "blocks": (blocks(stride=4), "X: 2 (n 4) -> 3 n", "S(n)"),
    "means of blocks": (lambda x: F.avg_pool1d(x[None], 4)[0], "X: 2 (n 4) -> 2 n", "S(n)"),
    "maxima of blocks": (lambda x: F.max_pool2d(x, 2), "X: 2 (n 2) (m 2) -> 2 n m", "S(n) x S(m)"),
    "group normalisation": (nn.GroupNorm(2, 4).eval(), "X: b 4 n -> b 4 n", "S(n)"),
    "cross-entropy": (losses(), CLASSES, "S(n) x S(c)"),
    "smoothed cross-entropy": (losses(label_smoothing=0.1), CLASSES, "S(c)"),
    "normal density": (density(torch.ones_like), "x: n d, m: d -> n", "E(d)"),
    "recurrent cell": (nn.GRUCell(2, 2).eval(), "X: n 2, H: n 2 -> n 2", "S(n)"),
}
WRONG = {
    "a class left out": (losses(ignore_index=0), CLASSES, "S(c)"),
    "a class counted twice": (lambda x, y: losses()(x, y) + x[:, 0].sum(), CLASSES, "S(c)"),
    "density along axes": (density(lambda m: 1 + m * m), "x: n d, m: d -> n", "E(d)"),
    "positions shifted": (lambda x, e: index_add(x, (e + 1) % x.shape[0]), EDGES, "S(n)"),
    "first edge": (lambda x, e: x + x[e[0, 0]], EDGES, "S(m)"),
    "causal": (lambda x: F.scaled_dot_product_attention(x, x, x, is_causal=True), "X: n d -> n d", "S(n)"),
    "blocks that overlap": (blocks(stride=3), "X: 2 (n 4) -> 3 k", "S(n)"),
    "blocks half a block further": (blocks(stride=4, padding=2), "X: 2 (n 4) -> 3 k", "S(n)"),
    "overlapping maxima": (lambda x: F.max_pool1d(x, 3, 2, 1), "X: 2 (n 2) -> 2 n", "S(n)"),
    "circular, mirrored": (on_a_torus(padding_mode="circular"), "X: b 2 n m -> b 2 n m", "D(m)"),
    "zero padding along two axes": (on_a_torus(), "X: b 2 n m -> b 2 n m", "C(m)"),
    "forces of scaled irreps": (lambda x: forces(x, weight=1.1), "X: n 3 -> n 3^", "O(3)"),
    "zero padding": (zero_padded(), "X: b 2 n -> b 2 n", "C(n)"),
    "argmax": (lambda x: x.argmax(0).to(x.dtype), "X: n d -> d", "S(n)"),
    "a mask and the first": (lambda x, m: x[m].sum(0) * x[0], "X: n d, M[bool]: n -> d", "S(n)"),
    "a mask of signs": (lambda x: x[x > 0].sum(), "x: n -> ()", "Signs(n)"),
    "differences of pairs": (pairs_after, "X: n d -> d", "S(n)"),
    "the first that is picked": (lambda x, m: x[m][0], "X: n d, M[bool]: n -> d", "S(n)"),
    "running buckets": (
        lambda x: torch.bucketize(x, torch.tensor([0.0, 1.0])).cumsum(0),
        "x: n -> n",
        "S(n)",
    ),
    "a sum in place of -inf": (lambda x, m: without_hidden(x, m, x.sum()), MASKED, "O(d)"),
    "+inf before each": (lambda x: nearest(x, before), "X: n d -> n", "S(n)"),
    "the place of a minimum": (
        lambda x: torch.cdist(x, x).masked_fill(itself(x), torch.inf).argmin(1),
        "X: n d -> n",
        "S(n)",
    ),
    "mask of columns only": (lambda x, m: masked(x, m[:1] | (m > 2)), MASKED, "S(n)"),
}


@pytest.mark.parametrize("name", RIGHT)
def test_proved(name: str) -> None:
    function, signature, under = RIGHT[name]
    verdict = ep.check(function, signature, under, backend="torch")
    assert verdict.grade == "PROVED", verdict
    assert ep.verify(verdict.certificate).accepted


def test_methods_of_tensors_show_the_framework() -> None:
    masked_mean = lambda x, m: (x * m.unsqueeze(-1)).sum(0)  # noqa: E731
    assert ep.check(masked_mean, "x: n d, m: n -> d", "S(n) x O(d)").grade == "PROVED"
    either = lambda x: x.detach().sum(0) if hasattr(x, "detach") else x.sum(0)  # noqa: E731
    assert not is_torch(either)
    assert not is_torch(lambda x: x.sum(0))


@pytest.mark.parametrize(("weight", "holds"), [(1, True), (2, False)])
def test_the_places_of_a_triangle_are_one_tensor(weight: int, holds: bool) -> None:
    def lengths(x: Any) -> Any:
        pairs = torch.triu_indices(x.shape[0], x.shape[0], 1).unsqueeze(1)
        first, second = x[pairs[:, 0]]
        return (first - weight * second).norm(dim=-1).sum()

    verdict = ep.check(lengths, "x: n d -> ()", "S(n)", backend="torch", sizes={"n": (1, 3), "d": (1, 2)})
    assert verdict.holds is holds and verdict.grade in ("DECIDED", "EXACT", "ENCLOSED"), verdict


def test_objects_of_a_library_show_its_framework(monkeypatch: pytest.MonkeyPatch) -> None:
    """A plain object of a package that is written with torch, whose method is called."""
    for name, imports in (("flows", {"torch": torch}), ("tables", {})):
        module = ModuleType(name)
        vars(module).update(imports)
        monkeypatch.setitem(sys.modules, name, module)
    monkeypatch.setattr(detect, "is_installed_library", {"flows", "tables"}.__contains__)
    made = {name: type("Made", (), {"__module__": name, "mean": None})() for name in ("flows", "tables")}
    assert is_torch(lambda x: made["flows"].mean(x))
    tables = made["tables"]
    assert not is_torch(lambda x: tables.mean(x))


def test_modules_in_closures_and_imports_inside_show_the_framework() -> None:
    import torch.nn.functional as outer

    def inside(x: Any) -> Any:
        from torch.nn.functional import normalize

        return normalize(x)

    assert is_torch(lambda x: outer.normalize(x)) and is_torch(inside)

    def tables(x: Any) -> Any:
        from collections import Counter

        return Counter(x)

    assert not is_torch(tables)


def test_both_infinities_are_not_read() -> None:
    verdict = ep.check(both_ends, "X: n d -> n", "S(n)", backend="torch")
    assert verdict.grade != "PROVED", verdict
    assert "-inf and +inf" in verdict.reason


@pytest.mark.parametrize("name", WRONG)
def test_refuted(name: str) -> None:
    function, signature, under = WRONG[name]
    verdict = ep.check(function, signature, under, backend="torch")
    assert verdict.fails, verdict


def test_a_greatest_size_is_part_of_the_scope() -> None:
    def limited(x: Any) -> Any:
        if x.shape[1] > 9:
            raise ValueError("too long")
        return torch.softmax(x @ x.mT, -1) @ x

    verdict = ep.check(limited, "x: b n 3 -> b n 3", "S(b) x O(3)")
    assert verdict.grade == "PROVED", verdict
    assert "9" in verdict.scope
    assert ep.check(lambda x: limited(x) + x[:, :1], "x: b n 3 -> b n 3", "S(n)").fails


def test_a_kernel_needs_an_array_that_is_no_shorter() -> None:
    torch.manual_seed(0)
    verdict = ep.check(nn.Conv1d(2, 2, 3).eval(), "X: b 2 n -> b 2 m", "S(b)")
    assert (verdict.grade, verdict.scope) == ("PROVED", "for all n >= 3 and all b, m"), verdict
    verdict = ep.check(nn.Conv2d(2, 2, (3, 5)).eval(), "X: b 2 n m -> b 2 i j", "S(b)")
    assert verdict.grade == "PROVED" and "n >= 3" in verdict.scope and "m >= 5" in verdict.scope, verdict
    assert ep.check(nn.Conv1d(2, 2, 3).eval(), "X: b 2 n -> b 2 m", "S(n)").fails


def test_unsorted_buckets_are_not_read() -> None:
    verdict = ep.check(lambda x: torch.bucketize(x, torch.tensor([1.0, 0.0])), "x: n -> n", "S(n)")
    assert verdict.grade != "PROVED"


def transposed_convolution(seed: int) -> tuple[nn.Module, int]:
    """Draws a layer of one or two axes, with the number of its channels."""
    rng = random.Random(seed)
    groups, stride, dilation = rng.choice([1, 2]), rng.randint(1, 3), rng.randint(1, 2)
    options = {
        "kernel_size": rng.randint(1, 4), "stride": stride, "dilation": dilation, "groups": groups,
        "padding": rng.randint(0, 2), "bias": rng.random() < 0.5,
        "output_padding": rng.randrange(max(stride, dilation)),
    }  # fmt: skip
    layer = rng.choice([nn.ConvTranspose1d, nn.ConvTranspose2d])
    return layer(2 * groups, groups * rng.randint(1, 2), **options).eval(), 2 * groups


@pytest.mark.parametrize("seed", range(8))
def test_a_transposed_convolution_is_read_as_torch_computes_it(seed: int) -> None:
    """The trace is replayed on numbers by torch itself; images are told apart from each other."""
    layer, channels = transposed_convolution(seed)
    lengths = "5" if isinstance(layer, nn.ConvTranspose1d) else "5 4"
    out = layer(torch.zeros(1, channels, *map(int, lengths.split()))).shape
    shape = " ".join(str(s) for s in out[1:])
    signature = f"X: b {channels} {lengths} -> b {shape}"
    verdict = ep.prove(layer, signature, "S(b)")
    assert verdict.grade == "PROVED", str(verdict)
    assert ep.verify(verdict.certificate).accepted
    assert ep.check(lambda X: layer(X) + layer(X[:1]), signature, "S(b)").grade == "EXACT"


def test_a_transposed_convolution_with_zeros_at_its_ends_is_not_cyclic() -> None:
    verdict = ep.check(nn.ConvTranspose1d(2, 3, 3, padding=1).eval(), "X: b 2 n -> b 3 n", "C(n)")
    assert verdict.grade == "EXACT" and ep.verify(verdict.certificate).accepted
