"""Error messages with a caret under the offending place, and suggestions of close names."""

from __future__ import annotations

from collections.abc import Iterable

from eqvproof.support.errors import SignatureError


def caret_line(text: str, start: int, end: int) -> str:
    """Returns the text and, below, carets under ``text[start:end]``, at least one.

    White space other than a blank shows as a blank, so that the carets stay in place.
    """
    from eqvproof.support.display.layout import text_width

    shown = "".join(map(_printable, text))
    before = text_width(shown[:start])
    under = max(1, text_width(shown[start:end]))
    return f"    {shown}\n    {' ' * before}{'^' * under}"


def _printable(character: str) -> str:
    """Returns a blank for white space, "?" for what a terminal does not show."""
    if character.isspace():
        return " "
    if character.isprintable():
        return character
    return "?"


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """Returns the question "did you mean ...?" for the closest known name, or ""."""
    import difflib

    names = list(known)
    close = difflib.get_close_matches(word, names, n=1, cutoff=0.5) or [
        n for n in names if n.lower() == word.lower() or (word and n and (n in word or word in n))
    ]
    if close:
        return f"did you mean {close[0]!r}?"
    return ""


def caret_error(
    text: str,
    start: int,
    end: int,
    message: str,
    *,
    expected: str = "",
    hint: str = "",
    code: str = "",
) -> SignatureError:
    """Builds a SignatureError whose message shows carets under ``text[start:end]``."""
    return SignatureError(
        f"{message}\n{caret_line(text, start, end)}",
        expected=expected,
        hint=hint,
        code=code and f"signature.{code}",
    )
