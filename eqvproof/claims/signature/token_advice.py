"""Advises where a character or a word has no meaning in a signature."""

from __future__ import annotations

import re

from eqvproof.claims.signature.tokens import EXAMPLE

_STRANGE = {
    "-": "an arrow is written '->'; differences of sizes are not in the language",
    "=": "the arrow is written '->'",
    ">": "the arrow is written '->'",
    ";": "arguments are separated by commas",
    "/": "quotients of sizes are not in the language; name the smaller axis and write 2m for the"
    " larger",
    ".": "axes are named one by one; '...' is not in the language",
    "'": "a dual axis is written d*",
    "→": "the arrow is written '->'",
    "⟶": "the arrow is written '->'",
    "×": "axes are separated by blanks: 'X: d n'",
}


def for_character(text: str, position: int) -> str:
    """Returns what to try where a character has no meaning in a signature.

    "" stands for letters and signs that are not of ASCII.
    """
    if not (text[position].isascii() or text[position] in _STRANGE):
        return ""
    fixed = re.search(r"(\w+)=(\d+)", text)
    if text[position] == "=" and fixed:
        return f"name the axis alone, {fixed[1]}, and give sizes={{{fixed[1]!r}: {fixed[2]}}}"
    annotation = re.search(r"(\w+): *\w+\[[^\]]*(['\"])([^'\"]*)\2\]", text)
    if annotation:
        return f"write the axes alone: '{annotation[1]}: {annotation[3]}'"
    return _STRANGE.get(text[position], EXAMPLE)


def other_word(text: str, word: str) -> str:
    """Returns what to try where an argument is named by a word of Python."""
    header = re.fullmatch(r"\s*def\s+\w+\((.*)\)\s*(->.*?):?\s*", text)
    if header:
        return f"leave out the name of the function and the parentheses: '{header[1]} {header[2]}'"
    return f"write {word}_ (arguments are passed by position, their names are free)"
