r"""Conversion of printed statements to HTML: prose, plain formulas, and LaTeX.

Text between dollars, or in ``\(...\)``, is LaTeX; and so are the words of a text that contain a
command (``\|X\|_F = \sum_i x_i``), with the signs around them. The package latex2mathml turns it
into MathML; without it, or where it cannot, the source is shown as it is.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import escape
from itertools import groupby
from xml.etree import ElementTree

from eqvproof.support.display.formulas import formula_html

# no dollars of prices
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
    """Converts a formula in LaTeX to ``<math>``; returns its source where that fails."""
    try:
        from latex2mathml.converter import convert

        if len(source) <= LONGEST:
            tree = ElementTree.fromstring(convert(source))
        else:
            tree = None
    except (
        Exception
    ):  # not installed; or no LaTeX that the converter knows, which it tells in many ways
        tree = None
    if tree is not None and "".join(tree.itertext()).strip():
        shown = _shown(tree)
    else:
        shown = None
    if shown is None:
        return f"<code>{escape(source)}</code>"
    return shown


def _shown(tree: ElementTree.Element) -> str | None:
    """Writes elements that are known to be harmless as text; None where there are others."""
    name = tree.tag.rpartition("}")[2]
    inner = [_shown(child) for child in tree]
    text = tree.text or ""
    # a command that the converter does not know
    raw = name != "mtext" and len(text) > 1 and "\\" in text
    if name not in ELEMENTS or None in inner or raw:
        return None
    given = "".join(f' {k}="{escape(v)}"' for k, v in tree.attrib.items() if k in ATTRIBUTES)
    return f"<{name}{given}>{escape(text)}{''.join(filter(None, inner))}</{name}>"


def _undelimited(text: str) -> str:
    """Converts text without delimiters to HTML, as LaTeX where it contains commands.

    The rest is prose with formulas in plain characters.
    """
    if "\\" not in text:
        return formula_html(text)
    pieces = groupby(_runs(text), key=lambda run: run[0])
    whole = ((latex, "".join(part for _, part in runs)) for latex, runs in pieces)
    return "".join(latex_html(part) if latex else formula_html(part) for latex, part in whole)


def _runs(text: str) -> Iterator[tuple[bool, str]]:
    """Yields the pieces of a text, each with whether it is LaTeX.

    Signs and letters beside a command belong to it.
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
