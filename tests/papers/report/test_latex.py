"""LaTeX in printed statements: kept where it is converted, shown as it stands where it is not, never run."""

from __future__ import annotations

import re
import sys
from html import unescape
from xml.etree import ElementTree

import pytest

from eqvproof.papers.report.latex import ATTRIBUTES, ELEMENTS, printed_html
from eqvproof.support.display.formulas import formula_html

converter = pytest.importorskip("latex2mathml.converter")


def signs(html: str) -> str:
    """What a reader sees, without spaces."""
    return re.sub(r"\s", "", unescape(re.sub(r"<[^>]*>", "", html)).replace("‖", "∥"))


SEEN = {
    r"\|X\|_F": "∥X∥F",
    r"f(X) = \sum_{j=1}^n \rho(x_j), where \rho is any function": "f(X)=∑j=1nρ(xj),whereρisanyfunction",
    r"\|Q X\|_F = \|X\|_F for every orthogonal Q": "∥QX∥F=∥X∥FforeveryorthogonalQ",
    r"a map \phi : \mathbb{R}^{d \times n} \to \mathbb{R} is invariant.": "amapϕ:ℝd×n→ℝisinvariant.",
    r"$x \in \{1, 2\}$ and $y$": "x∈{1,2}andy",
    r"\(\alpha\) or \[\beta\]": "αorβ",
    r"X^\top X = \begin{pmatrix} a & b \\ c & d \end{pmatrix} for a of size 2": "X⊤X=(abcd)foraofsize2",
    r"f_\theta(X, Z)_i = \rho(x_i), i = 1, \ldots, n": "fθ(X,Z)i=ρ(xi),i=1,…,n",
    r"\frac{\partial f}{\partial x} \neq 0;": "∂f∂x≠0;",
    r"the map g \circ f, for g, f \in \mathcal{G}": "themapg∘f,forg,f∈𝒢",
    r"\sqrt{d_1} \leq \lVert u \rVert": "d1≤∥u∥",
    r"cost $5 and $6, as $n \to \infty$": "cost$5and$6,asn→∞",
    r"\text{for all } Q: \hat{f}(Q X) = Q \hat{f}(X)": "forallQ:f^(QX)=Qf^(X)",
}


@pytest.mark.parametrize(("text", "seen"), SEEN.items(), ids=SEEN)
def test_latex_is_kept(text, seen):
    found = printed_html(text)
    assert signs(found) == seen
    assert "<math>" in found


PLAIN = ["f(Q X) = Q f(X) for every orthogonal Q", "W_Q^T W_K", "sum_{j=1}^n x_j", "costs 5 $", "a < b & c"]


@pytest.mark.parametrize("text", PLAIN)
def test_text_without_latex_is_what_it_was(text):
    assert printed_html(text) == formula_html(text)


UNKNOWN = [r"\nosuchcommand{x}", r"\left( x", r"x^", r"\alpha_", r"C:\some\folder", "\\"]


@pytest.mark.parametrize("text", UNKNOWN)
def test_what_cannot_be_converted_stands_as_it_is(text):
    found = printed_html(text)
    assert re.sub(r"\s", "", text) in signs(found)


HOSTILE = [
    r"\href{javascript:alert(1)}{x}",
    r"$\href{https://example.org}{x}$",
    r"\alpha <script>alert(1)</script>",
    r"$\text{<img src=x onerror=alert(1)>}$",
    r"\class{x}{\alpha} \style{color:red}{\beta}",
    r"\color{red} \alpha",
    r"\unicode{x3c}script\unicode{x3e} \alpha",
    r'\alpha" onmouseover="alert(1)',
    "\\(" + "{" * 3000 + "\\alpha\\)",
    "\\alpha " * 3000,
]


@pytest.mark.parametrize("text", HOSTILE, ids=range(len(HOSTILE)))
def test_only_elements_that_show_something_come_out(text):
    tree = ElementTree.fromstring(f"<p>{printed_html(text)}</p>")
    for element in tree.iter():
        assert element.tag in ELEMENTS | {"p", "code"}
        assert set(element.attrib) <= ATTRIBUTES


def test_without_the_converter_the_source_is_shown(monkeypatch):
    monkeypatch.setitem(sys.modules, "latex2mathml.converter", None)
    assert printed_html(r"the norm \|X\|_F of X").startswith(r"the norm <code>\|X\|_F</code> of ")
