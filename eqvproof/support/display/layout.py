"""Layout of text: lines are broken and coloured on terminals, and stay whole in pipes."""

from __future__ import annotations

import sys
import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import IO

from eqvproof.support.writing import say, visible

#: Smallest number of columns in which text is set, and of columns beside a hanging indent; the
#: indent is reduced where less would be left.
NARROWEST, ROOM = 20, 28
#: The styles of the outcomes.
STYLES = {"HOLDS": "bold green", "FAILS": "bold red", "UNDECIDED": "bold yellow"}


@dataclass(frozen=True, slots=True)
class Item:
    """A paragraph, or a block of lines that belong under one another.

    Attributes:
        text: the text.
        label: a label before the text, under which further lines are indented.
        indent: the number of blanks before it.
        style: the style of the label, or of all text where there is none.
        block: lines that replace the text where all of them fit: a matrix, row by row.
        names: words in place of the text: one after the other on a terminal, one a line in a pipe.
    """

    text: str = ""
    label: str = ""
    indent: int = 0
    style: str = ""
    block: tuple[str, ...] = ()
    names: tuple[str, ...] = ()


def text_width(text: str) -> int:
    """Returns how many columns of a terminal a text takes."""
    return sum(_character_width(c) for c in text)


def _character_width(character: str) -> int:
    if unicodedata.combining(character) or unicodedata.category(character) in ("Cf", "Mn", "Me"):
        return 0
    if unicodedata.east_asian_width(character) in ("W", "F"):
        return 2
    return 1


def screen_lines(items: Iterable[Item], width: int | None = None) -> Iterator[str]:
    """Yields the lines of a screen, at most `width` wide; if None, one for each paragraph."""
    for item in items:
        head = " " * item.indent + item.label
        wide: int | None = None
        hang = item.indent + 2
        if width is not None:
            wide = max(width, NARROWEST)
        if item.label:
            hang = text_width(head)
        if wide is not None and wide - hang < ROOM:
            hang = min(item.indent + 2, wide // 4)
        if item.block and (
            wide is None or text_width(head) + max(map(text_width, item.block)) <= wide
        ):
            yield head + item.block[0]
            yield from (" " * text_width(head) + line for line in item.block[1:])
        elif wide is None:
            yield from ((head + text).rstrip() for text in item.names or [item.text])
        else:
            text = item.text or " ".join(item.names)
            if text_width(head + text) <= wide:
                yield (head + text).rstrip()
            else:
                yield from _broken(head, text, hang, wide)


def _broken(head: str, text: str, hang: int, width: int) -> Iterator[str]:
    """Yields the text after its head, broken between words.

    A word is broken only where it is wider than a line.
    """
    line, is_fresh = head, True
    for word in text.split():
        gap = "" if is_fresh or line.endswith(" ") else " "
        if not is_fresh and text_width(line + gap + word) > width:
            yield line.rstrip()
            line, gap = " " * hang, ""
        elif is_fresh and line.strip() and text_width(line + word) > width:
            yield line.rstrip()
            line = " " * hang
        line += gap + word
        while text_width(line) > width:
            cut = next(i for i in range(len(line), 0, -1) if text_width(line[:i]) <= width)
            yield line[:cut]
            line = " " * hang + line[cut:]
        is_fresh = False
    yield line.rstrip()


def show(items: Iterable[Item], file: IO[str] | None = None) -> None:
    """Prints a screen, at a terminal's width and in colour, or plain into a pipe."""
    stream = sys.stdout if file is None else file
    if stream is None or not stream.isatty():
        for line in screen_lines(items):
            say(line, stream)
        return
    from rich.console import Console
    from rich.text import Text

    console = Console(file=stream, highlight=False)
    for item in items:
        for i, line in enumerate(screen_lines([item], console.width)):
            text = Text(visible(line), no_wrap=True, overflow="ignore")
            if item.style and not item.label:
                text.stylize(item.style, 0, len(line))
            elif item.style and i == 0:
                text.stylize(item.style, 0, item.indent + len(item.label))
            console.print(text, soft_wrap=True)
