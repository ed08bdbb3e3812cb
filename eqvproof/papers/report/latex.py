r"""Conversion of printed statements to HTML: prose, plain formulas, and LaTeX.

Text between dollars, or in ``\(...\)``, is LaTeX; so are words that contain a command
(``\|X\|_F = \sum_i x_i``), with the signs around them. The package latex2mathml converts it to
MathML; without that package, or if the conversion fails, the source is shown unchanged.
"""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterator
from html import escape
from itertools import groupby
from xml.etree import ElementTree

from eqvproof.support.display.formulas import formula_html

# dollars of prices do not delimit formulas
_DELIMITED = re.compile(
    r"\$\$(.+?)\$\$|\$(?!\s)([^$]*[^$\s])\$(?!\d)|\\\((.+?)\\\)|\\\[(.+?)\\\]", re.S
)
_PIECE = re.compile(
    r"\s+|(?:\\begin\{(\w+\*?)\}.*?\\end\{\1\}|\\.?|\{(?:[^{}]|\{(?:[^{}]|\{[^{}]*\})*\})*\}|[^\s\\])+",
    re.S,
)
_PROSE = re.compile(r"[A-Za-z][a-z'-]+|a")
_MARKS = re.compile(r"[,.;:!?]*$")
#: Elements and attributes of MathML that only affect how a formula looks.
ELEMENTS = set(
    "math mrow mi mn mo mtext mspace mfrac msqrt mroot msub msup msubsup munder mover munderover "
    "mtable mtr mtd mpadded mphantom mstyle menclose".split()
)
ATTRIBUTES = set(
    "stretchy fence separator accent accentunder mathvariant linethickness width".split()
)
LONGEST = 5000


def printed_html(text: str) -> str:
    """Converts the text of a statement to HTML."""
    parts, end = [], 0
    for found in _DELIMITED.finditer(text):
        parts += [
            _undelimited(text[end : found.start()]),
            latex_html(next(filter(None, found.groups()))),
        ]
        end = found.end()
    return "".join([*parts, _undelimited(text[end:])])


def latex_html(source: str) -> str:
    """Converts a formula in LaTeX to ``<math>``; returns its source if that fails."""
    tree = None
    if len(source) <= LONGEST:
        # The package may be missing; for LaTeX that it does not know it raises various exceptions.
        with contextlib.suppress(Exception):
            from latex2mathml.converter import convert

            tree = ElementTree.fromstring(convert(source))
    html = None
    if tree is not None and "".join(tree.itertext()).strip():
        html = _harmless_html(tree)
    if html is None:
        return f"<code>{escape(source)}</code>"
    return html


def _harmless_html(tree: ElementTree.Element) -> str | None:
    """Writes a tree of elements that only affect looks as text; None if it has other elements."""
    name = tree.tag.rpartition("}")[2]
    inner = [_harmless_html(child) for child in tree]
    text = tree.text or ""
    # the converter leaves an unknown command as text
    raw = name != "mtext" and len(text) > 1 and "\\" in text
    if name not in ELEMENTS or None in inner or raw:
        return None
    given = "".join(f' {k}="{escape(v)}"' for k, v in tree.attrib.items() if k in ATTRIBUTES)
    return f"<{name}{given}>{escape(text)}{''.join(filter(None, inner))}</{name}>"


def _undelimited(text: str) -> str:
    """Converts text without delimiters to HTML: LaTeX commands, prose, and plain formulas."""
    if "\\" not in text:
        return formula_html(text)
    pieces = groupby(_split_runs(text), key=lambda run: run[0])
    whole = ((latex, "".join(part for _, part in runs)) for latex, runs in pieces)
    return "".join(latex_html(part) if latex else formula_html(part) for latex, part in whole)


def _split_runs(text: str) -> Iterator[tuple[bool, str]]:
    """Yields the pieces of a text, each with True if it is LaTeX.

    Signs and letters next to a command belong to its formula.
    """
    run: list[str] = []
    for found in _PIECE.finditer(text):
        if "\\" in found[0] or not _PROSE.fullmatch(_MARKS.sub("", found[0])):
            run.append(found[0])
            continue
        yield from _wordless_parts("".join(run))
        yield False, found[0]
        run.clear()
    yield from _wordless_parts("".join(run))


def _wordless_parts(run: str) -> Iterator[tuple[bool, str]]:
    """Yields the parts of a run without words.

    Spaces and closing marks around the formula are not part of it.
    """
    core = run.strip().rstrip(",.;:")
    if "\\" not in core:
        yield False, run
        return
    before, _, after = run.partition(core)
    yield from ((False, before), (True, core), (False, after))
