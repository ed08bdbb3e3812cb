"""Views of axes along which a group acts: both checkers accept them, and refuse near misses."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest

from eqvproof.claims.size import Size
from eqvproof.engines.elaborate.irreps import FIX, STD, Act, Product, in_one
from eqvproof.kernel import checker
from eqvproof.kernel.forms import VIEWS as VIEW_NAMES
from eqvproof.kernel.report import allow, allow_work
from eqvproof.kernel.sizes import Size as KernelSize
from eqvproof.rocq import rocq_answers
from eqvproof.rocq.compile import Extracted
from tests.judged import assert_proved, certificate_of
from tests.kernel.test_views import FAMILIES, drawn_types
from tests.rocq.python_checker import answers
from tests.rocq.test_reads import listed
from tests.sampling import examples

W = np.array([[1.0, 0.5], [0.25, -2.0]])
QKV = np.random.default_rng(0).integers(-2, 3, size=(4, 12)).astype(float)


def rows(X: Any) -> Any:
    return np.tanh(X.reshape(-1, X.shape[2]) @ W).reshape(X.shape)


def flat(X: Any) -> Any:
    return np.tanh(X.reshape(-1)).reshape(X.shape)


def softmax_of_all(A: Any) -> Any:
    weights = np.exp(A.reshape(A.shape[0] * A.shape[1]))
    return (weights / weights.sum()).reshape(A.shape)


def flattened(X: Any) -> Any:
    """A dense layer on all vectors of a batch in one axis."""
    b, n, width = X.shape
    return np.maximum(X.reshape(b * n, width) @ W, 0).reshape(b, n, width)


def heads_beside_batch(X: Any) -> Any:
    """Self-attention with two heads, which stand with the batch along one axis."""
    b, n, _ = X.shape
    parts = np.split(X @ QKV, 3, axis=-1)
    q, k, v = (x.reshape(b, n, 2, 2).swapaxes(1, 2).reshape(2 * b, n, 2) for x in parts)
    weights = np.exp(q @ k.swapaxes(1, 2))
    found = weights / weights.sum(axis=-1, keepdims=True) @ v
    return found.reshape(b, 2, n, 2).swapaxes(1, 2).reshape(b, n, 4)


def squared(x: Any) -> Any:
    return (x * x).sum(-1, keepdims=True)


def scaled_parts(x: Any) -> Any:
    return np.concatenate([x[:, 4:7] * squared(x[:, 1:4]), x[:, :1], x[:, 1:4]], axis=1)


def mixed_copies(x: Any) -> Any:
    y = x.reshape(x.shape[0], 2, 3).swapaxes(1, 2).reshape(-1, 2) @ W
    return y.reshape(x.shape[0], 3, 2).swapaxes(1, 2).reshape(x.shape[0], 6)


def norms_of_copies(x: Any) -> Any:
    y = x.reshape(-1, 1, 3) @ x.reshape(-1, 3, 1)
    return y.reshape(x.shape[0], 2)


#: Functions that cut, split or merge an axis along which the group acts.
VIEWS: tuple[tuple[Any, str, str], ...] = (
    (rows, "X: b n 2 -> b n 2", "S(b) x S(n)"),
    (rows, "X: b n 2 -> b n 2", "S(n) each b"),
    (flattened, "X: b n 2 -> b n 2", "S(b) x S(n)"),
    (heads_beside_batch, "X: b n 4 -> b n 4", "S(b) x S(n)"),
    (flat, "X: k n -> k n", "S(n)"),
    (flat, "X: k n -> k n", "Signs(n)"),
    (flat, "X: k n 3 -> k n 3", "S(n) x S(k)"),
    (softmax_of_all, "A: n n -> n n", "S(n)"),
    (scaled_parts, "x: n <1x0e+2x1o> -> n <1x1o+1x0e+1x1o>", "O(3)"),
    (mixed_copies, "x: n <2x1o> -> n <2x1o>", "O(3) x S(n)"),
    (norms_of_copies, "x: n <2x1o> -> n <2x0e>", "O(3)"),
    (lambda x: x[:3] * squared(x[3:]), "x: <1x1o+1x1e> -> <1x1o>", "O(3)"),
    (lambda x: x[3:] * x[:1], "x: <3x0o+1x1e> -> <1x1o>", "O(3)"),
)


def test_they_are_written_as_views_and_accepted(extracted: Extracted) -> None:
    allow_work(10**8)
    texts = [rocq_answers([certificate_of(*case)]) for case in VIEWS]
    assert all("View" in text for text in texts)
    assert {name for text in texts for name in ("Cut", "Split", "Merge") if f"View {name}" in text} == {
        "Cut", "Split", "Merge",
    }  # fmt: skip
    for text in texts:
        assert answers(text) == extracted.answers(text) == [True]


def test_torch_writes_views_too(extracted: Extracted) -> None:
    torch = pytest.importorskip("torch")

    def gated(x: Any) -> Any:
        vectors, gates = torch.split(x, [6, 2], dim=-1)
        first, second = torch.chunk(vectors, 2, dim=-1)
        return torch.cat([first * gates[..., :1], second * torch.sigmoid(gates[..., 1:])], dim=-1)

    def in_rows(x: Any) -> Any:
        return torch.tanh(torch.flatten(x, 0, 1)).unflatten(0, x.shape[:2])

    for function, signature, group, views in (
        (gated, "x: n <2x1o+2x0e> -> n <2x1o>", "O(3) x S(n)", {"Cut"}),
        (in_rows, "x: b n 2 -> b n 2", "S(b) x S(n)", {"Split", "Merge"}),
    ):
        text = rocq_answers([assert_proved(function, signature, group).certificate])
        assert {view for view in ("Cut", "Split", "Merge") if f"View {view}" in text} == views
        assert answers(text) == extracted.answers(text) == [True]


#: The type of an axis that is n copies of k entries, and of one that is k copies of n.
BLOWN, COPIES = "[:: (Prod Std n Fix k, nk)]", "[:: (Prod Fix k Std n, nk)]"
PARTS = "[:: (Fix, k); (Std, n); (Std, n)]"
#: family, axes of the argument, view, axes of it, whether it follows
LINES: tuple[tuple[str, str, str, str, bool], ...] = (
    ("O", PARTS, "Cut 0 0 k n", "[:: (Std, n)]", True),
    ("S", PARTS, "Cut 0 0 k n", "[:: (Std, n)]", True),
    ("O", PARTS, "Cut 0 0 k nn", "[:: (Std, n); (Std, n)]", True),
    ("O", PARTS, "Cut 0 0 [::] k", "[::]", True),
    ("O", PARTS, "Cut 0 0 [::] kn", "[:: (Fix, k); (Std, n)]", True),
    # another part, across a border, one that overlaps, past the end, of another axis
    ("O", PARTS, "Cut 0 0 [::] n", "[:: (Std, n)]", False),
    ("O", PARTS, "Cut 0 0 n n", "[:: (Std, n)]", False),
    ("S", PARTS, "Cut 0 0 n k", "[::]", False),
    ("O", PARTS, "Cut 0 0 k k", "[:: (Std, n)]", False),
    ("O", PARTS, "Cut 0 0 k k", "[::]", False),
    ("O", PARTS, "Cut 0 0 knn n", "[:: (Std, n)]", False),
    ("O", PARTS, "Cut 0 0 kn nn", "[:: (Std, n); (Std, n)]", False),
    ("O", PARTS, "Cut 0 1 k n", "[:: (Std, n)]", False),
    ("O", PARTS, "Cut 0 0 k n", "[::]", False),
    ("S", PARTS, "Cut 0 0 k n", "[::]", False),
    ("GL", PARTS, "Cut 0 0 k n", "[:: (Dual, n)]", False),
    ("O", "[:: (Fix, k); (Std, n)]", "Cut 0 0 one n", "[:: (Std, n)]", False),
    # two axes as one
    ("S", "[:: (Std, n)] [::]", "Merge 0 0 n k", BLOWN, True),
    ("O", "[:: (Std, n)] [::]", "Merge 0 0 n k", BLOWN, True),
    ("Signs", "[:: (Std, n)] [::]", "Merge 0 0 n k", BLOWN, True),
    ("S", "[::] [:: (Std, n)]", "Merge 0 0 k n", COPIES, True),
    ("S", "[:: (Std, n)] [:: (Std, n)]", "Merge 0 0 n n", "[:: (Prod Std n Std n, n2)]", True),
    ("O", "[::] [:: (Std, n)]", "Merge 0 0 two n", "[:: (Std, n); (Std, n)]", True),
    ("O", "[:: (Fix, k); (Std, n)] [::]", "Merge 0 0 kn k",
     "[:: (Fix, k2); (Prod Std n Fix k, nk)]", True),
    ("O", "[::] [:: (Std, n)]", "Merge 0 0 two n", "[:: (Std, n); (Std, n); (Std, n)]", False),
    ("O", "[::] [:: (Fix, k); (Std, n)]", "Merge 0 0 k kn", "[:: (Prod Fix k Std n, nk)]", False),
    # the factors in another order, a factor left out, other sizes, of another size
    ("S", "[:: (Std, n)] [::]", "Merge 0 0 n k", COPIES, False),
    ("S", "[::] [:: (Std, n)]", "Merge 0 0 k n", BLOWN, False),
    ("S", "[:: (Std, n)] [:: (Std, n)]", "Merge 0 0 n n", BLOWN, False),
    ("S", "[:: (Std, n)] [::]", "Merge 0 0 n k", "[::]", False),
    ("S", "[:: (Std, n)] [::]", "Merge 0 0 k n", BLOWN, False),
    ("S", "[:: (Std, n)] [::]", "Merge 0 0 n k", "[:: (Prod Std n Fix k, n2)]", False),
    ("S", "[:: (Std, n)] [::]", "Merge 0 0 n n", BLOWN, False),
    ("S", "[:: (Std, n)] [::]", "Merge 0 0 n k", "[:: (Prod Std n Std k, nk)]", False),
    ("GL", "[:: (Std, n)] [::]", "Merge 0 0 n k", "[:: (Prod Dual n Fix k, nk)]", False),
    # one axis as two
    ("S", BLOWN, "Split 0 0 n k", "[:: (Std, n)] [::]", True),
    ("SL", COPIES, "Split 0 0 k n", "[::] [:: (Std, n)]", True),
    ("O", "[:: (Std, n); (Std, n)]", "Split 0 0 two n", "[::] [:: (Std, n)]", True),
    ("S", "[:: (Prod Std n Fix k2, nk2)]", "Split 0 0 nk k", f"{BLOWN} [::]", True),
    ("S", "[:: (Prod Fix k (Prod Std n Fix k) nk, nk2)]", "Split 0 0 k nk", f"[::] {BLOWN}", True),
    ("S", "[:: (Prod Fix k (Prod Std n Fix k) nk, nk2)]", "Split 0 0 nk k", f"{COPIES} [::]", True),
    ("S", "[::]", "Split 0 0 n k", "[::] [::]", True),
    ("S", BLOWN, "Split 0 0 k n", "[::] [:: (Std, n)]", False),
    ("S", BLOWN, "Split 0 0 n k", "[:: (Std, n)] [:: (Fix, n)]", False),
    ("S", BLOWN, "Split 0 0 n n", "[:: (Std, n)] [::]", False),
    ("S", BLOWN, "Split 0 0 n k", "[::] [::]", False),
    ("S", "[::]", "Split 0 0 n k", "[:: (Std, n)] [::]", False),
    ("O", "[:: (Std, n); (Fix, n)]", "Split 0 0 two n", "[::] [:: (Std, n)]", False),
)  # fmt: skip
#: The shape of the argument, a view, its shape, whether it follows
SHAPES: tuple[tuple[str, str, str, bool], ...] = (
    ("[:: n; kn]", "Cut 0 1 k n", "[:: n; n]", True),
    ("[:: n; kn]", "Cut 0 1 n k", "[:: n; k]", True),
    ("[:: n; kn]", "Cut 0 1 n n", "[:: n; n]", False),
    ("[:: n; kn]", "Cut 0 1 k n", "[:: n; k]", False),
    ("[:: n; kn]", "Cut 0 0 k n", "[:: n; n]", False),
    ("[:: n; k]", "Merge 0 0 n k", "[:: nk]", True),
    ("[:: n; k]", "Merge 0 0 k n", "[:: nk]", False),
    ("[:: n; k]", "Merge 0 0 n k", "[:: kn]", False),
    ("[:: n; k]", "Merge 0 1 n k", "[:: n; nk]", False),
    ("[:: nk; k]", "Split 0 0 n k", "[:: n; k; k]", True),
    ("[:: nk; k]", "Split 0 0 n k", "[:: k; n; k]", False),
    ("[:: kn; k]", "Split 0 0 n k", "[:: n; k; k]", False),
    ("[:: k; nk]", "Split 0 1 n k", "[:: k; n]", False),
)
SIZES = {
    "n": "[:: [:: 0]]", "k": "[:: [:: 1]]", "one": "[:: [::]]", "two": "[:: [::]; [::]]",
    "kn": "[:: [:: 1]; [:: 0]]", "nn": "[:: [:: 0]; [:: 0]]", "knn": "[:: [:: 1]; [:: 0]; [:: 0]]",
    "nk": "[:: [:: 0; 1]]", "n2": "[:: [:: 0; 0]]", "k2": "[:: [:: 1; 1]]", "nk2": "[:: [:: 0; 1; 1]]",
}  # fmt: skip


def module(asked: str) -> str:
    """The text that asks one question about the sizes."""
    sizes = "".join(f"Definition {name} : extent := {value}.\n" for name, value in SIZES.items())
    return f"Module M.\n{sizes}Eval vm_compute in all id [:: {asked}].\nEnd M.\n"


def rtype(axes: str) -> str:
    """A type without a character."""
    return f"([:: {axes.replace('] [', ']; [')}], Posz 0)"


@pytest.mark.parametrize("question", (*LINES, *SHAPES), ids=str)
def test_a_line_follows_or_not(extracted: Extracted, question: Any) -> None:
    allow_work(10**6)
    *_, right = question
    if len(question) == 5:
        family, given, view, own, _ = question
        one, other = rtype(given), rtype(own)
        lines = f"[:: Input 0; View {view}] [:: {one}; {other}]"
        asked = f"check {family} n (fun=> None) [:: {one}] {lines} {other}"
    else:
        given, view, own, _ = question
        asked = f"shaped [::] [:: {given}] [:: Input 0; View {view}] [:: {given}; {own}] {own}"
    text = module(asked)
    assert answers(text) == extracted.answers(text) == [right]


@pytest.mark.parametrize("family", ["S", "A", "O", "SO", "Signs", "GL"])
def test_the_determinant_along_two_axes_in_one_is_not_known(extracted: Extracted, family: str) -> None:
    for act, right in ((BLOWN, False), ("[:: (Std, n)]", True)):
        size = "nk" if act == BLOWN else "n"
        given, result = rtype(f"{act} [::]"), "([::], Posz 1)"
        line = f"Whole 0 0 [:: (0, [:: {size}; {size}])]"
        types = f"[:: {given}; {result}]"
        text = module(
            f"check {family} n (nth None [:: Some Number]) [:: {given}] [:: Input 0; {line}] {types} {result}"
        )
        assert answers(text) == extracted.answers(text) == [right]


def test_products_are_written_as_the_checkers_join_them() -> None:
    n, k = Size.of("n"), Size.of("k")
    moved: Act = ((STD, n),)
    assert in_one([(moved, n), ((), k), ((), k)]) == ((Product(STD, n, FIX, k * k), n * k * k),)
    assert in_one([((), k), ((), k), (moved, n)]) == ((Product(FIX, k * k, STD, n), n * k * k),)
    assert in_one([((), Size.of(2)), (moved, n)]) == moved * 2
    assert in_one([((), n), ((), k)]) == ()


def written_size(size: KernelSize) -> str:
    """A size over n and k as a term."""
    products = [names for names, count in size.terms for _ in range(count)]
    return listed([listed([str("nk".index(name)) for name in names]) for names in products])


def written_kind(kind: checker.Kind) -> str:
    """A kind of part as a term."""
    match kind:
        case checker.Irr(number):
            return f"(Irr {number})"
        case checker.Det(inner):
            return f"(Det {written_kind(inner)})"
        case checker.Prod(a, z, b, w):
            return f"(Prod {written_kind(a)} {written_size(z)} {written_kind(b)} {written_size(w)})"
    return str(kind)


def written_type(axes: checker.Axes, power: int) -> str:
    """A type as a term."""
    parts = (
        listed([f"({written_kind(kind)}, {written_size(size)})" for kind, size in axis]) for axis in axes
    )
    return f"({listed([*parts])}, Posz {power})"


def test_both_checkers_answer_alike_on_drawn_types(extracted: Extracted) -> None:
    """Of types that follow or almost do, see `tests.kernel.test_views`."""
    allow(10**9)
    rng, asked = random.Random(0), list[str]()
    for _ in range(examples(20_000, 1500)):
        family = rng.choice(FAMILIES)
        form, seen, own = drawn_types(rng, rng.choice(VIEW_NAMES))
        power = int(rng.random() < 0.2)
        given, result = written_type(seen, 0), written_type(own, power)
        view = f"View {form.view} 0 0 {written_size(form.first)} {written_size(form.second)}"
        lines = f"[:: Input 0; {view}] [:: {given}; {result}] {result}"
        asked.append(f"check {family} [:: [:: 0]] (fun=> None) [:: {given}] {lines}")
    text = "".join(map(module, asked))
    found = answers(text)
    assert found == extracted.answers(text)
    assert min(found.count(True), found.count(False)) > len(found) / 20
