"""The site builds without a warning, and every link inside it leads to a place that is there."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest

import eqvproof as ep
import eqvproof.plots

ROOT = Path(__file__).resolve().parents[2]


class Page(HTMLParser):
    """The places of a page, and what it links to."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.ids: set[str] = set()
        self.links: set[str] = set()
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for key, value in attrs:
            if value and key == "id":
                self.ids.add(value)
            if value and key in ("href", "src"):
                self.links.add(value)


def left_over(path: Path) -> list[str]:
    """Formulas between dollar signs in the text of a page, outside of code."""
    text = re.sub(r"(?s)<(pre|code|script|style)\b.*?</\1>", "", path.read_text(encoding="utf-8"))
    return re.findall(r"\$[^$<>\n]{1,80}\$", re.sub(r"<[^>]*>", "", text))


def broken_links(site: Path) -> list[str]:
    """Links inside the site that lead nowhere."""
    pages = {path.resolve(): Page(path) for path in site.rglob("*.html")}
    found = []
    for path, page in pages.items():
        for link in page.links:
            parts = urlsplit(link)
            if parts.scheme or parts.netloc:
                continue
            target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            anchors = pages[target].ids if target in pages else set()
            if not target.exists() or (parts.fragment and target in pages and parts.fragment not in anchors):
                found.append(f"{path.name}: {link}")
    return found


def test_a_link_that_leads_nowhere_is_found(tmp_path):
    (tmp_path / "a.html").write_text('<p id="x"></p><a href="b.html#y"></a><a href="#x"></a>')
    (tmp_path / "b.html").write_text('<a href="a.html#z"></a><a href="c.html"></a><img src="d.png">')
    broken = ["a.html: b.html#y", "b.html: a.html#z", "b.html: c.html", "b.html: d.png"]
    assert sorted(broken_links(tmp_path)) == broken


def test_the_site_builds_without_warnings_and_its_links_resolve(tmp_path):
    for package in ("sphinx", "myst_nb", "furo", "sphinxcontrib.bibtex", "sphinx_copybutton", "towncrier"):
        pytest.importorskip(package, reason=f"the site needs {package}: pip install '.[docs]'")
    done = subprocess.run(
        [sys.executable, "-m", "sphinx", "-q", "-n", "-W", "--keep-going", "-d", tmp_path / "trees",
         "-b", "html", ROOT / "docs", tmp_path / "site"],
        env={**os.environ, "PYTHONPATH": str(ROOT), "EQVPROOF_DOCS": "quick"},
        capture_output=True, text=True, timeout=600, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    site = tmp_path / "site"
    assert broken_links(site) == []
    raw = {path.name: left_over(path) for path in site.rglob("*.html") if left_over(path)}
    assert raw == {}, "formulas that are shown as their source"
    public = {f"eqvproof.{name}" for name in ep.__all__ if name != "__version__"}
    for module in ("deepsets", "strategies", "plots"):
        public |= {f"eqvproof.{module}.{name}" for name in getattr(ep, module).__all__}
    assert not public - Page(site / "api.html").ids, "list them in docs/api.rst"
    library = (site / "library.html").read_text(encoding="utf-8")
    assert "HOLDS PROVED" in library and "FAILS" in library and "<!-- the statements" not in library
    assert "permutation matrix <math><mi>P</mi></math>" in library  # what is printed, not the id alone
    assert "msubsup" in (site / "_static" / "mathematics.css").read_text(encoding="utf-8")
    for name in ("1_a_first_verdict", "5_deep_sets_at_large_n"):
        assert "highlight" in (site / "notebooks" / f"{name}.html").read_text(encoding="utf-8")
    assert "copybutton.js" in library
    changes = (site / "changes.html").read_text(encoding="utf-8")
    fragments = {path.name for path in (ROOT / "changelog.d").glob("*.md")} - {"README.md"}
    assert ("Not released yet" in changes) == bool(fragments)
    assert "0.1.0 (" in changes and 'href="trust.html"' in changes
