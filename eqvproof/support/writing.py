"""Text with control characters made visible, and files that are written as a whole or not.

Names of files, lines of source, messages of exceptions and certificates come from others. Control
characters in them, which a terminal would obey, and invisible ones are shown as escapes.
"""

from __future__ import annotations

import contextlib
import os
import sys
from decimal import Decimal
from typing import IO, TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path


def visible(text: str) -> str:
    r"""Returns the text with control and invisible characters escaped; line ends stay.

    >>> visible("a\x1b[2Jb")
    'a\\x1b[2Jb'
    """
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() or c in "\n\t" else repr(c)[1:-1] for c in text)


def in_line(text: str) -> str:
    """Returns a name with control characters and line ends escaped."""
    if text.isprintable():
        return text
    return visible(text).replace("\n", "\\n").replace("\t", "\\t")


def entry_text(*index: int) -> str:
    """Writes the index of an entry of an array as Python does, counted from 0.

    >>> entry_text(0, 2)
    '[0, 2]'
    """
    return "[" + ", ".join(map(str, index)) + "]"


def count_in_words(count: int) -> str:
    """Returns how often something happens, in words: "once", "twice", "3 times"."""
    return {1: "once", 2: "twice"}.get(count, f"{count} times")


def seconds(value: float) -> str:
    """Returns a time in seconds with at most two digits that are not 0.

    >>> seconds(3.99985), seconds(0.1234), seconds(128.0)
    ('4', '0.12', '130')
    """
    if value == float("inf"):
        return "unlimited"
    return format(Decimal(f"{round(value, 4):.2g}").normalize(), "f")


def say(text: str, file: IO[str] | None = None, end: str = "\n") -> None:
    """Prints a text with control characters escaped."""
    print(visible(text), file=sys.stdout if file is None else file, end=end)


def write_whole(target: Path, content: str | bytes) -> None:
    """Writes a file under its name only when it is complete, with a new file's permissions.

    Raises:
        OSError: the file cannot be written; the previous file is left.
    """
    import tempfile

    handle, temporary = tempfile.mkstemp(prefix=f".{target.name}.", dir=target.parent)
    try:
        with os.fdopen(handle, "wb") as file:
            if isinstance(content, str):
                content = content.encode()
            file.write(content)
        os.chmod(temporary, _mode(target))
        os.replace(temporary, target)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(temporary)
        raise


def _mode(target: Path) -> int:
    """Returns the permissions that the file has, or that a new one would get."""
    if target.exists():
        return target.stat().st_mode & 0o777
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask
