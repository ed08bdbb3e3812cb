"""Lines of the user's code, as errors and verdicts name them."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class CodeLine:
    """A line of the user's code; false if it is not known.

    Attributes:
        file: the name of its file; or a submodule of a library, by its path.
        number: its number in the file, counted from 1; 0 for a submodule.
        source: its text; "" if the file cannot be read.
        caller: the line that called its function; None for the outermost one.
    """

    file: str = ""
    number: int = 0
    source: str = ""
    caller: CodeLine | None = None

    def __bool__(self) -> bool:
        return bool(self.file)

    @property
    def place(self) -> str:
        """Returns its file and number, such as "model.py:12"; "" if it is not known."""
        if self.number:
            return f"{self.file}:{self.number}"
        return self.file

    @property
    def place_in_brackets(self) -> str:
        """Returns its place in the form in which it follows a word: " (model.py:12)"."""
        if self:
            return f" ({self.place})"
        return ""

    def __str__(self) -> str:
        """Writes "model.py:12: i = np.argsort(D), called at main.py:3: f(D)"."""
        text = f"{self.place}: {self.source}" if self.source else self.place
        if self.caller is None:
            return text
        return f"{text}, called at {self.caller}"


NO_LINE = CodeLine()
