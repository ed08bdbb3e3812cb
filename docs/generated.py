"""Pages that scripts write: the whole of one, or what stands between two lines of it."""

from __future__ import annotations

import sys
from pathlib import Path


def keep(page: Path, text: str) -> int:
    """Writes a page, or with --check says whether it is what would be written: the status of the command."""
    if page.exists() and page.read_text(encoding="utf-8") == text:
        return 0
    is_check = "--check" in sys.argv[1:]
    print(f"docs/{page.name}: {'out of date' if is_check else 'rewritten'}")
    if not is_check:
        page.write_text(text, encoding="utf-8")
    return int(is_check)


def keep_part(page: Path, first: str, text: str, after: str) -> int:
    """The same of what stands from `first` to `after`; the text begins with neither."""
    before, _, rest = page.read_text(encoding="utf-8").partition(first)
    return keep(page, before + first + text + after + rest.partition(after)[2])
