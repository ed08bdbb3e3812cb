"""What notebooks show: the words of the verdict, well formed, nothing of the user's run as markup."""

from __future__ import annotations

from fractions import Fraction
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

import eqvproof as ep
from eqvproof.engines.verdict.matrices import matrix_html
from eqvproof.engines.verdict.svg import LARGEST, curves_svg, matrices_svg


def tree(text: str) -> ElementTree.Element:
    return ElementTree.fromstring(f"<p>{text}</p>")


def words(text: str) -> str:
    return " ".join("".join(tree(text).itertext()).split())


def test_a_proof_in_a_notebook() -> None:
    shown = ep.check(lambda X: X @ (X.T @ X), "X: d n -> d n", under="O(d)")._repr_html_()
    assert "HOLDS PROVED" in words(shown) and "becomes QX" in words(shown) and "QED" in words(shown)


def test_a_counterexample_in_a_notebook() -> None:
    verdict = ep.check(lambda X: np.cumsum(X), "X: n -> n", under="S(n)")
    shown = verdict._repr_html_()
    assert "FAILS EXACT" in words(shown) and "swap" in words(shown)
    assert sum(e.get("class") == "mark" for e in tree(shown).iter("mtd")) == 2
    assert verdict.counterexample is not None
    assert "swap" in words(verdict.counterexample._repr_html_())


def test_names_of_the_user_are_text() -> None:
    def layer(X: Any) -> Any:
        raise_if = "<script>"
        return X if raise_if else None

    verdict = ep.check(layer, "X: n -> n", under="S(n)")
    assert not list(tree(verdict._repr_html_()).iter("script"))


def test_a_review_sorts() -> None:
    shown = ep.library.review("my23.attn.permutation", "my23.def3.2")._repr_html_()
    assert "my23.attn.permutation" in shown and shown.count("onclick=") == 5


ENTRIES = st.one_of(
    st.none(),
    st.fractions(),
    st.floats(),
    st.integers(-(10**40), 10**40),
    st.sampled_from(["[1 +/- 1e-9]", "<b>"]),
)


@given(
    hnp.arrays(
        object, hnp.array_shapes(min_dims=0, max_dims=3, min_side=0, max_side=14), elements=ENTRIES
    )
)
def test_any_array_is_well_formed(values: Any) -> None:
    assert tree(matrix_html(values, (0,) * values.ndim)) is not None
    picture = matrices_svg({"a<b": values}, (0,) * values.ndim)
    assert not picture or tree(picture) is not None


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (Fraction(-3, 4), "<mo>−</mo><mfrac><mn>3</mn><mn>4</mn></mfrac>"),
        (-5, "<mn>−5</mn>"),
        ("[-1.5 +/- 2e-17]", "<mn>−1.5</mn><mo>±</mo><mn>2e−17</mn>"),
        (None, "<mtext>undefined</mtext>"),
        (Fraction(10**20, 3), "≈3.33333e+19"),
        (Fraction(10) ** 400, "huge"),
    ],
)
def test_numbers(value: object, expected: str) -> None:
    assert expected in matrix_html(np.array(value, dtype=object))


def test_pictures_that_would_be_too_large_are_left_out() -> None:
    assert matrices_svg({"a": np.ones((LARGEST, LARGEST))})
    assert not matrices_svg({"a": np.ones((LARGEST + 1, 1))})
    assert not matrices_svg({"a": np.ones((0, 2))})


def test_curves_are_polylines() -> None:
    picture = tree(curves_svg("eps", [0.0, 0.5, 1.0], {"a": [0.0, 1.0, 2.0], "b": [2.0, 1.0, 0.0]}))
    lines = [
        e.get("points", "").split() for e in picture.iter("{http://www.w3.org/2000/svg}polyline")
    ]
    assert [len(line) for line in lines] == [3, 3]
    heights = [[float(p.split(",")[1]) for p in line] for line in lines]
    assert heights[0] == sorted(heights[0], reverse=True) and heights[1] == sorted(heights[1])
