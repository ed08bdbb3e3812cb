"""The tokens of a signature; any character outside the language is an error here."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass

from eqvproof.claims.signature.carets import caret_error
from eqvproof.support.errors import SignatureError
from eqvproof.support.lazy import LaterModule

token_advice = LaterModule("eqvproof.claims.signature.token_advice")

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


def _strange(text: str, position: int) -> SignatureError:
    character = text[position]
    if hint := token_advice.for_character(text, position):
        message = f"unexpected {character!r}"
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
