"""Text of verdicts in rows and pages."""

from __future__ import annotations


def one_line(text: str) -> str:
    """The text with its white space collapsed."""
    return " ".join(text.split())
