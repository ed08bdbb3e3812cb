"""The tokens of a signature; any character outside the language is an error here."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass

from eqvproof.claims.signature.carets import caret_error
from eqvproof.support.errors import SignatureError

_TOKEN = re.compile(
    r"(?P<arrow>->)|(?P<scalar>\([ \t\r\n]*\))|(?P<number>[0-9]+)|(?P<name>[A-Za-z_][A-Za-z0-9_]*)"
    r"|(?P<irreps><[^<>]*>)|(?P<symbol>[\[\]():,+!^*]|\.(?![. \t\r\n]))|(?P<space>[ \t\r\n]+)"
)
EXAMPLE = 'write a signature as "X: d n, Z: d k -> d n"'


@dataclass(frozen=True, slots=True)
class Token:
    """A piece of the text, with its place."""

    kind: str
    text: str
    start: int
    end: int


def tokens(text: str) -> list[Token]:
    """Splits a text into tokens, with an end token; blanks are left out."""
    found = []
    position = 0
    while position < len(text):
        match = _TOKEN.match(text, position)
        if match is None:
            raise _strange(text, position)
        kind = match.lastgroup or ""
        if kind != "space":
            found.append(Token(kind, match.group(), match.start(), match.end()))
        position = match.end()
    found.append(Token("end", "", len(text), len(text)))
    return found


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


def _advice(text: str, position: int) -> str:
    """Returns what to try where a character has no meaning in a signature."""
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


def _strange(text: str, position: int) -> SignatureError:
    character = text[position]
    if character.isascii() or character in _STRANGE:
        message = f"unexpected {character!r}"
        hint = _advice(text, position)
    else:
        name = unicodedata.name(character, "no name")
        message = f"unexpected {character!r} (U+{ord(character):04X}, {name})"
        hint = (
            "names are made of the letters a-z, A-Z, digits and '_' of ASCII; retype the character"
        )
    return caret_error(
        text,
        position,
        position + 1,
        message,
        expected="an argument 'name: axes', an axis, ',' or '->'",
        hint=hint,
        code="character",
    )
