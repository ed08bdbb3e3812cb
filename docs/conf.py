"""Settings of the documentation site: `python -m sphinx -n -W -b html docs docs/_build/html`.

The build computes the verdicts that it shows: the answers of the FAQ from docs/faq, the statements of the
library from a review. With EQVPROOF_DOCS=quick the FAQ is taken as it is kept, and only some statements are
judged.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

from docutils import nodes

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent), str(HERE)]

import eqvproof as ep  # noqa: E402
from eqvproof.papers.report.latex import latex_html, printed_html  # noqa: E402
from eqvproof.papers.report.style import MATHEMATICS  # noqa: E402

project = "eqvproof"
author = "The eqvproof developers"
html_show_copyright = False
version = release = ep.__version__
html_title = f"eqvproof {release}"

extensions = [
    "myst_nb", "sphinx.ext.autodoc", "sphinx.ext.napoleon", "sphinxcontrib.bibtex", "sphinx_copybutton",
]  # fmt: skip
exclude_patterns = ["_build", "faq", "examples", "*.py"]  # notebooks alone are pages
copybutton_prompt_text = "$ "
copybutton_only_copy_prompt_lines = True
myst_enable_extensions = ["colon_fence", "dollarmath"]
html_math_renderer = "mathml"  # as in reports: no script of another site
myst_heading_anchors = 3
bibtex_bibfiles = ["references.bib"]
nitpicky = True
# Names of others are not looked up: the build asks no other site. Those of this package must lead somewhere.
nitpick_ignore_regex = [
    ("py:.*", rf"(?!eqvproof|(?:{'|'.join(ep.__all__)})$).*"),
    ("py:.*", r"eqvproof\.\w+\.\w+\..*"),  # types of attributes, from modules that are not public
]
default_role = "literal"
smartquotes = False
add_module_names = False
autodoc_typehints = "signature"
python_maximum_signature_line_length = 80
autodoc_member_order = "bysource"
napoleon_google_docstring = True

html_theme = "furo"
html_static_path = ["_static"]
html_css_files = ["site.css", "mathematics.css"]
html_theme_options = {"navigation_with_keys": True}
pygments_style = "friendly"
pygments_dark_style = "monokai"

QUICK = os.environ.get("EQVPROOF_DOCS") == "quick"
# The notebooks are Python files, which run while the site is built; their tables and plots are shown.
nb_custom_formats = {".py": ["jupytext.reads", {"fmt": "py:percent"}]}
nb_execution_mode = "off" if QUICK else "force"
nb_execution_timeout = 300
nb_execution_raise_on_error = True
#: Judged in a quick build.
SOME = ("my23.attn.permutation", "my23.remark4.1.typing")
UNRELEASED = "<!-- what is not released yet -->"
PLACEHOLDER = "<!-- the statements and their verdicts -->"


def library_tables() -> str:
    """A table of verdicts for each source of the library."""
    review = ep.library.review(*(SOME if QUICK else ()))
    parts = []
    for source in ep.library.SOURCES:
        rows = [row for row in review if row.id.split(".")[0] == source]
        if not rows:
            continue
        counts = Counter(f"{row.outcome} {row.grade}".strip() for row in rows)
        parts += [f"## {source}", ", ".join(f"{n} {kind}" for kind, n in counts.most_common()) + "."]
        lines = ["| statement | printed | verdict | place |", "|---|---|---|---|"]
        for row in rows:
            why = row.scope if str(row.outcome) != "UNDECIDED" else row.reason
            verdict = ", ".join(filter(None, (f"{row.outcome} {row.grade}".strip(), why)))
            cells = (
                cell_text(f"`{row.id.removeprefix(f'{source}.')}`"),
                cell_html(printed_html(row.statement.printed)),
                *map(cell_text, (verdict, row.statement.place)),
            )  # fmt: skip
            lines.append("| " + " | ".join(cells) + " |")
        parts.append("\n".join(lines))
    return "\n\n".join(parts)


def unreleased() -> str:
    """Return the section of unreleased changes; an empty text if changelog.d holds no fragments."""
    command = [sys.executable, "-m", "towncrier", "build", "--draft", "--version", "0"]
    done = subprocess.run(command, cwd=HERE.parent, capture_output=True, text=True, check=True)
    _, heading, sections = done.stdout.partition("\n### ")
    if not heading:
        return ""
    return "## Not released yet\n" + heading + sections


def cell_text(text: str) -> str:
    """The text in a cell of a table of Markdown."""
    text = " ".join(text.split()).replace("|", "\\|")
    return text if text.startswith("`") else re.sub(r"([*_<\[])", r"\\\1", text)


def cell_html(html: str) -> str:
    """HTML in a cell of a table of Markdown, whose signs stand for themselves."""
    return re.sub(r"[|*_`\[\]\\~$]", lambda sign: f"&#{ord(sign[0])};", " ".join(html.split()))


def computed(app: Any, name: str, content: list[str]) -> None:
    """Puts verdicts of today into the pages that show them."""
    if name == "library":
        content[0] = content[0].replace(PLACEHOLDER, library_tables())
    if name == "faq" and not QUICK:
        import make_faq

        content[0] = make_faq.page()
    if name == "changes":
        content[0] = content[0].replace(UNRELEASED, unreleased())
    if name == "index":
        listed = set(content[0].splitlines())
        others = sorted(p.stem for p in HERE.glob("*.md") if p.stem not in (*listed, "index"))
        if others:
            content[0] += "\n".join(
                ["", ":::{toctree}", ":hidden:", ":caption: More", "", *others, ":::", ""]
            )
    content[0] = re.sub(r"\]\(\.\./benchmarks/(\w+)\.md\)", measurement, content[0])


def measurement(found: re.Match[str]) -> str:
    """A link to a file of measurements, as a link to the page that includes it."""
    if found[1] == "comparison":
        return "](comparison.md)"
    title = (HERE.parent / "benchmarks" / f"{found[1]}.md").read_text(encoding="utf-8").split("\n", 1)[0]
    return f"](measured.md#{title.removeprefix('# ').lower().replace(' ', '-')})"


def plain(app: Any, what: str, name: str, obj: Any, options: Any, lines: list[str]) -> None:
    """Docstrings are plain text with `code`: signs that reStructuredText would read stand for themselves."""
    is_doctest = False
    for k, line in enumerate(lines):
        is_doctest = line.lstrip().startswith(">>>") or (is_doctest and bool(line.strip()))
        if is_doctest:
            continue
        parts = re.split(r"(``.*?``|`[^`]*`|\*\*[\w ]+\*\*)", line.replace("\\", "\\\\"))
        parts[::2] = [re.sub(r"([*|]|_(?=\W|$))", r"\\\1", part) for part in parts[::2]]
        lines[k] = "".join(parts)
        if re.fullmatch(r"\s*-{4,}", line):  # the bar of an inference
            lines[k] = line.replace("-", "\u2014")


def short_types(app: Any, what: str, name: str, obj: Any, options: Any, signature: str, result: str) -> Any:
    """Signatures name types without the modules they are from."""
    long = r"~(collections\.abc\.|typing\.)?"
    return tuple(text and re.sub(long, "", text) for text in (signature, result))


def notebooks() -> None:
    """The notebooks beside the pages, where Sphinx looks for them."""
    shutil.rmtree(HERE / "notebooks", ignore_errors=True)
    left_out = shutil.ignore_patterns("__pycache__")
    shutil.copytree(HERE.parent / "notebooks", HERE / "notebooks", ignore=left_out)


def mathematics(app: Any) -> None:
    """The rules by which formulas read without a font for mathematics, those of reports."""
    (Path(app.outdir) / "_static").mkdir(parents=True, exist_ok=True)
    (Path(app.outdir) / "_static" / "mathematics.css").write_text(MATHEMATICS, encoding="utf-8")


def write_mathematics(translator: Any, node: nodes.Element) -> None:
    """Writes a formula of a page as MathML."""
    block = isinstance(node, nodes.math_block)
    html = latex_html(node.astext())
    translator.body.append(f'<p class="formula">{html}</p>' if block else html)
    raise nodes.SkipNode


def setup(app: Any) -> dict[str, bool]:
    """Connects the above."""
    notebooks()
    app.add_html_math_renderer("mathml", (write_mathematics, None), (write_mathematics, None))
    app.connect("builder-inited", mathematics)
    app.connect("source-read", computed)
    app.connect("autodoc-process-docstring", plain, priority=100)
    app.connect("autodoc-process-signature", short_types)
    return {"parallel_read_safe": False}
