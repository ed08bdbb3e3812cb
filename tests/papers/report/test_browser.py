"""The report page in a real browser: no console error, no request, no sideways scrolling, printable."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from html import escape, unescape
from pathlib import Path

import pytest

import eqvproof as ep
from eqvproof.papers.report import review_page

BROWSER = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(BROWSER is None, reason="no Chromium is installed"),
]
FLAGS = (
    "--headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking "
    "--disable-component-update --disable-sync --hide-scrollbars --allow-file-access-from-files"
).split()
#: Runs inside the page, before everything else: collects errors, and every address that is asked for.
SPY = """<script>
window.seen = [];
addEventListener("error", e => seen.push("error " + (e.message || e.target.src || e.target.href)), true);
addEventListener("securitypolicyviolation", e => seen.push("request " + e.blockedURI));
for (const name of ["error", "warn"]) console[name] = (...words) => seen.push(name + " " + words.join(" "));
</script><meta http-equiv="Content-Security-Policy"
 content="default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:">"""
#: Reads off the width that is needed, what was loaded and what is folded.
HARNESS = """<!DOCTYPE html><body><iframe style="width:390px;height:800px;border:0" srcdoc="{page}"></iframe>
<script>
addEventListener("load", () => setTimeout(() => {{
  const inner = document.querySelector("iframe"), root = inner.contentDocument.documentElement;
  root.querySelectorAll("details").forEach(d => {{ d.open = true; }});
  document.title = JSON.stringify({{
    width: root.scrollWidth, seen: inner.contentWindow.seen, rows: root.querySelectorAll("article").length,
    loaded: inner.contentWindow.performance.getEntriesByType("resource").map(e => e.name),
    math: root.querySelector("math msup").getBoundingClientRect().width,
    scripts: [...root.querySelectorAll("math :is(msub, msup):not(:has(mtable, mfrac))")].map(e => {{
      const [base, script] = [...e.children].map(c => c.getBoundingClientRect());
      const [large, small] = [...e.children].map(c => parseFloat(getComputedStyle(c).fontSize));
      const rise = script.top + script.bottom - base.top - base.bottom;
      return [e.localName, rise / base.height, small / large];
    }}),
    arrows: [...root.querySelectorAll("*")].filter(e => e.scrollHeight > e.clientHeight + 1
      && ["auto", "scroll"].includes(getComputedStyle(e).overflowY)).map(e => e.outerHTML.slice(0, 80)),
    search: (() => {{
      const form = inner.contentDocument.querySelector(".controls");
      form.querySelector("[type=search]").value = "fixed weights repaired";
      form.dispatchEvent(new Event("input"));
      const words = root.querySelectorAll("article:not([hidden])").length;
      form.querySelector("[type=search]").value = "";
      form.querySelector("[value^=FAILS]").click();
      return [words, [...root.querySelectorAll("article:not([hidden]) header > span.FAILS")].length];
    }})(),
  }});
}}, 300));
</script>"""


@pytest.fixture(scope="module")
def page() -> str:
    names = (
        "my23.attn.permutation",
        "my23.attn.orthogonal-fixed-weights",
        "sym23.stability.fourier-unstable",
    )
    return review_page(ep.library.review(*names), "Review")


def browse(folder: Path, *options: str) -> str:
    done = subprocess.run(
        [str(BROWSER), *FLAGS, f"--user-data-dir={folder / 'profile'}", *options],
        capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip
    return done.stdout


def look(folder: Path, text: str) -> dict[str, object]:
    spied = text.replace("<head>", "<head>" + SPY, 1)
    (folder / "harness.html").write_text(HARNESS.format(page=escape(spied)), encoding="utf-8")
    dom = browse(folder, "--virtual-time-budget=5000", "--dump-dom", (folder / "harness.html").as_uri())
    found = re.search(r"<title>(.*?)</title>", dom, re.S)
    assert found, dom[-2000:]
    return json.loads(unescape(found[1]))


def test_a_phone_shows_the_page_without_errors_requests_or_sideways_scrolling(
    tmp_path: Path, page: str
) -> None:
    seen = look(tmp_path, page)
    assert seen["seen"] == [] and seen["loaded"] == []
    assert isinstance(seen["width"], int) and seen["width"] <= 390
    assert seen["rows"] == page.count("<article")
    assert isinstance(seen["math"], (int, float)) and seen["math"] > 0
    assert seen["arrows"] == []  # nothing that fits can be scrolled up and down
    assert seen["search"] == [2, 0]  # the row that fails names its repair


def test_scripts_stand_where_they_belong_whatever_fonts_there_are(tmp_path: Path, page: str) -> None:
    for fonts in ("", "math { font-family: serif !important; }"):
        seen = look(tmp_path, page.replace("</style>", f"{fonts}</style>", 1))
        scripts = seen["scripts"]
        assert isinstance(scripts, list) and {kind for kind, _, _ in scripts} == {"msub", "msup"}
        for kind, offset, size in scripts:
            assert (offset > 0.2 if kind == "msub" else offset < -0.2) and abs(offset) < 1.5
            assert 0.5 < size < 0.9


def test_the_look_above_can_fail(tmp_path: Path, page: str) -> None:
    bad = page.replace(
        "<main>", '<main><img src="https://example.org/a.png"><div style="width:900px">wide</div>', 1
    )
    seen = look(tmp_path, bad)
    assert seen["seen"] != [] and isinstance(seen["width"], int) and seen["width"] > 390


def test_the_page_prints(tmp_path: Path, page: str) -> None:
    (tmp_path / "page.html").write_text(page, encoding="utf-8")
    browse(tmp_path, f"--print-to-pdf={tmp_path / 'page.pdf'}", (tmp_path / "page.html").as_uri())
    assert (tmp_path / "page.pdf").read_bytes().startswith(b"%PDF")
