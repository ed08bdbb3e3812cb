"""Prose with formulas as MathML: nothing lost, nothing run, well formed."""

from __future__ import annotations

import html
import re
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

import eqvproof as ep
from eqvproof.support.display.formulas import GREEK, LARGE, SIGNS, formula_html

PIECES = [
    *"[ ] { } ( ) ^ _ | & , ' X d 2".split(),
    *(
        "^T",
        "_i",
        "_{ij}",
        "^-1",
        "sum",
        "sqrt(",
        " for all ",
        " x ",
        "sigma",
        "<=",
        "<b>",
        "x-bar",
        " ",
    ),
    "[[0, 1], [1, 0]]",
]
TEXT = st.one_of(
    st.text(max_size=60),
    st.lists(
        st.sampled_from(PIECES),
        max_size=25,
    ).map("".join),
)


def tree(text: str) -> ElementTree.Element:
    return ElementTree.fromstring(f"<p>{formula_html(text)}</p>")


@given(TEXT.filter(lambda t: t.isprintable()))
def test_any_text_becomes_well_formed_markup(text: str) -> None:
    seen = "".join(tree(text).itertext())
    assert set(re.findall(r"[0-9A-Z]", seen)) >= set(
        re.findall(r"[0-9A-Z]", re.sub("|".join(GREEK), "", text))
    )


@pytest.mark.parametrize(
    "text", ["<script>alert(1)</script>", "f_<img src=x onerror=y>", "a &amp; b", "x^{<b>}"]
)
def test_markup_in_the_text_is_shown_and_not_obeyed(text: str) -> None:
    names = {element.tag for element in tree(text).iter()}
    assert not names & {"script", "img", "b"}
    assert "".join("".join(tree(text).itertext()).split()).count("<") == text.count("<")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("X^T", "<msup><mi>X</mi><mrow><mi>T</mi></mrow></msup>"),
        ("W_Q^T", "<msubsup><mi>W</mi><mrow><mi>Q</mi></mrow><mrow><mi>T</mi></mrow></msubsup>"),
        ("sqrt(d)", "<msqrt><mi>d</mi></msqrt>"),
        ("X^-1", "<mrow><mo>−</mo><mn>1</mn></mrow>"),
        ("[[0, I], [0, 0]]", "<mtr><mtd><mn>0</mn></mtd><mtd><mi>I</mi></mtd></mtr>"),
        ("sum_{j=1}^n x_j", "<munderover><mo>∑</mo>"),
        ("an n x n matrix", '<mi>n</mi><mo stretchy="false">×</mo><mi>n</mi>'),
        ("f'(X)", "<msup><mi>f</mi><mrow><mo>′</mo></mrow></msup>"),
        ("it is a d_1 x d matrix", "it is a <math><msub><mi>d</mi><mrow><mn>1</mn></mrow></msub>"),
        ("x-bar = y", "<mover><mi>x</mi><mo>¯</mo></mover>"),
    ],
)
def test_notation(text: str, expected: str) -> None:
    assert expected in formula_html(text)


@pytest.mark.parametrize(
    "text",
    [
        "a column of it",
        "the sum over neighbours",
        "Definition 3.1",
        "with the sum 1",
        "by (2.1)",
        "one-hot",
    ],
)
def test_prose_stays_prose(text: str) -> None:
    assert formula_html(text) == html.escape(text)


def test_every_printed_form_of_the_library_keeps_its_letters() -> None:
    names = re.compile(
        "|".join(
            [*GREEK, *LARGE, "sqrt", "-bar", r"\bx\b", r"\bo\b", *map(re.escape, SIGNS), r"\^"]
        )
    )
    for statement in ep.library.statements():
        seen = "".join(tree(statement.printed).itertext())
        for letter in "ABCGQXYZ":
            assert seen.count(letter) >= names.sub("", statement.printed).count(letter), (
                statement.id
            )
