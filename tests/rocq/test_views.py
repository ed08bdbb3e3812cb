"""Views of axes along which a group acts: both checkers accept them, and refuse near misses."""

from __future__ import annotations

from typing import Any

import pytest

from eqvproof.kernel.report import allow_work
from eqvproof.rocq.compile import Extracted
from eqvproof.support.errors import BackendError
from tests.rocq.python_checker import answers


@pytest.fixture(scope="module")
def extracted() -> Extracted:
    try:
        return Extracted()
    except BackendError as error:
        pytest.skip(str(error))


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
