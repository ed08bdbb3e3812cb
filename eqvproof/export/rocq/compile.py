"""Running Rocq on exported files, in a temporary folder beside the compiled rules."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType

from eqvproof.errors import BackendError

#: Seconds for one file.
LIMIT = 600.0
CLOSED = "Closed under the global context"
HINT = "install Rocq 8.16 or later with mathcomp's algebra (Debian: coq, libcoq-mathcomp-algebra)"


@dataclass(frozen=True, slots=True)
class Judged:
    """What Rocq says of a file.

    Attributes:
        accepted: it compiles, and each theorem asked about rests on no axiom.
        reason: the first lines of the error otherwise.
        seconds: of the processor.
    """

    accepted: bool
    reason: str
    seconds: float


def rules_file() -> Path:
    """The rules: beside this module in an installed package, in the folder ``rocq`` of a checkout.

    Raises:
        BackendError: neither is there.
    """
    beside = Path(__file__).with_name("Rules.v")
    checkout = Path(__file__).resolve().parents[3] / "rocq" / "Rules.v"
    for path in (beside, checkout):
        if path.is_file():
            return path
    raise BackendError(
        "the rules for Rocq are missing",
        expected=str(beside),
        hint="install eqvproof anew",
        given="an installation without Rules.v",
    )


def find_coqc() -> str:
    """The Rocq compiler.

    Raises:
        BackendError: it is not installed.
    """
    found = shutil.which("coqc")
    if found is None:
        raise BackendError(
            "Rocq is not installed", expected="the program coqc", hint=HINT, given="a PATH without it"
        )
    return found


class Rocq:
    """Rocq with the compiled rules; a context manager that removes its folder at the end."""

    def __init__(self) -> None:
        self._coqc = find_coqc()
        self._folder = tempfile.TemporaryDirectory(prefix="rocq-")
        self._count = 0
        shutil.copy(rules_file(), Path(self._folder.name, "Rules.v"))
        done, _ = self._compile("Rules.v")
        if done.returncode:
            self._folder.cleanup()
            raise BackendError(
                "Rocq does not accept the rules",
                given=done.stderr.strip()[-2000:],
                hint=HINT,
                expected="Rocq 8.16 or later with mathcomp",
            )

    def __enter__(self) -> Rocq:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._folder.cleanup()

    def judge(self, text: str) -> Judged:
        """What Rocq says of the text of a file.

        Raises:
            BackendError: it takes too long.
        """
        self._count += 1
        name = f"Exported{self._count}.v"
        Path(self._folder.name, name).write_text(text, encoding="utf-8")
        done, seconds = self._compile(name)
        if done.returncode:
            return Judged(accepted=False, reason=_first_error(done.stderr, text), seconds=seconds)
        asked = text.count("\nPrint Assumptions ")
        if not asked or done.stdout.split("\n").count(CLOSED) != asked:
            reason = f"a theorem rests on more than the rules: {done.stdout.strip()[:500]}"
            return Judged(accepted=False, reason=reason, seconds=seconds)
        return Judged(accepted=True, reason="", seconds=seconds)

    def _compile(self, name: str) -> tuple[subprocess.CompletedProcess[str], float]:
        before = os.times()
        try:
            done = subprocess.run(
                [self._coqc, "-q", "-w", "none", "-Q", ".", "EqvProof", name],
                cwd=self._folder.name, capture_output=True, text=True, timeout=LIMIT, check=False,
            )  # fmt: skip
        except subprocess.TimeoutExpired:
            raise BackendError(
                f"Rocq takes longer than {LIMIT:g} seconds",
                given=name,
                expected="a shorter proof",
                hint="check it with verify alone, which takes no proof assistant",
            ) from None
        after = os.times()
        used = after.children_user + after.children_system - before.children_user - before.children_system
        return done, used


def _first_error(text: str, source: str) -> str:
    """The first lines of an error, with the line of the file where it stands."""
    lines = [line for line in text.strip().split("\n") if line]
    place = next((line for line in lines if line.startswith("File ")), "")
    number = place.partition("line ")[2].partition(",")[0]
    at = source.split("\n")[int(number) - 1].strip() if number.isdecimal() else ""
    said = " ".join(" ".join(lines[lines.index(place) + 1 :] if place else lines).split())
    return f"line {number}: {at[:300]}: {said[:600]}" if place else said[:600]
