"""Text of verdicts in rows and pages."""

from __future__ import annotations


def one_line(text: str) -> str:
    """The text with its white space collapsed."""
    return " ".join(text.split())


def brief(text: str, most: int) -> str:
    """The text on one line, cut where it is longer."""
    line = one_line(text)
    return line if len(line) <= most else line[: most - 4].rstrip() + " ..."
