"""Writes text on one line, cut at a limit: for rows of tables, titles and `repr`."""

from __future__ import annotations


def one_line(text: str) -> str:
    """Returns the text with its white space collapsed."""
    return " ".join(text.split())


def brief(text: str, most: int) -> str:
    """Returns the text on one line, cut if it is longer than a limit."""
    line = one_line(text)
    if len(line) <= most:
        return line
    return line[: most - 4].rstrip() + " ..."
