"""Running Rocq on exported files, or the checker extracted from it.

Both are compiled once and kept.
"""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from eqvproof.rocq.print_theorem import SOUNDNESS, results_of, rocq_answers
from eqvproof.support.errors import BackendError
from eqvproof.support.writing import seconds

#: Time limit for one file, in seconds.
LIMIT = 600.0
CLOSED = "Closed under the global context"
HINT = "install Rocq 8.16 or later with mathcomp's algebra (Debian: coq, libcoq-mathcomp-algebra)"
OCAML = "install ocamlfind and ocamlopt (Debian: ocaml-findlib, ocaml-nox), which Rocq was compiled with"
#: The modules that an exported file needs, in the order of their dependencies, and the extraction.
FILES = (
    "Programs", "Checker", "Environments", "Moves", "Turns", "Checked", "Motions", "Sums", "Shifts",
    "Each", "Products", "Shapes", "Extract",
)  # fmt: skip
#: The program around the extracted checker.
READER = "reader.ml"


@dataclass(frozen=True, slots=True)
class RocqResult:
    """The outcome of running Rocq on a file.

    Attributes:
        reason: why it is not accepted: the first lines of the error, or the axioms of a theorem;
            else empty.
        seconds: the processor time in seconds.
        output: the printed output.
    """

    reason: str
    seconds: float
    output: str

    @property
    def accepted(self) -> bool:
        """True if the file compiles, and each theorem asked about rests on no axiom."""
        return not self.reason


def sources() -> Path:
    """Returns the folder of the checker.

    It lies beside this module in an installed package, and is ``rocq`` in a checkout.

    Raises:
        BackendError: neither is there.
    """
    beside = Path(__file__).with_name("checker")
    checkout = Path(__file__).resolve().parents[2] / "rocq"
    for folder in (beside, checkout):
        if all((folder / name).is_file() for name in (*(f"{f}.v" for f in FILES), READER)):
            return folder
    raise BackendError(
        "the checker for Rocq is missing",
        expected=str(beside),
        hint="install eqvproof anew",
        given="an installation without Checker.v",
    )


def find_program(name: str, hint: str = HINT) -> str:
    """Returns the path of a compiler.

    Raises:
        BackendError: it is not installed.
    """
    found = shutil.which(name)
    if found is None:
        what = {"coqc": "Rocq"}.get(name, name)
        raise BackendError(
            f"{what} is not installed",
            expected=f"the program {name}",
            hint=hint,
            given="a PATH without it",
        )
    return found


class Rocq:
    """Rocq with the compiled checker, cached for the user under the digest of its sources.

    Attributes:
        kept: the folder of the compiled checker.
    """

    def __init__(self) -> None:
        self._coqc = find_program("coqc")
        folder = sources()
        whole = hashlib.sha256(_version(self._coqc).encode())
        for name in FILES:
            whole.update((folder / f"{name}.v").read_bytes())
        whole.update((folder / READER).read_bytes())
        base = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
        self.kept = Path(base) / "eqvproof" / "rocq" / whole.hexdigest()
        if not self.kept.is_dir():
            self._compile_checker(folder)

    def _compile_checker(self, folder: Path) -> None:
        self.kept.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        with tempfile.TemporaryDirectory(dir=self.kept.parent) as made:
            for name in FILES:
                shutil.copy(folder / f"{name}.v", made)
                done, _ = self._run(f"{name}.v", Path(made), Path(made))
                if done.returncode:
                    raise BackendError(
                        "Rocq does not accept the checker",
                        given=done.stderr.strip()[-2000:],
                        hint=HINT,
                        expected="Rocq 8.16 or later with mathcomp",
                    )
            shutil.copy(folder / READER, made)
            try:
                shutil.copytree(made, self.kept.with_suffix(".new"), dirs_exist_ok=True)
                self.kept.with_suffix(".new").rename(self.kept)
            except OSError:  # another process was faster
                shutil.rmtree(self.kept.with_suffix(".new"), ignore_errors=True)

    def check_file(self, text: str, fewest: int = 1) -> RocqResult:
        """Runs Rocq on the text of a file that asks about at least `fewest` theorems.

        Raises:
            BackendError: the run takes too long.
        """
        with tempfile.TemporaryDirectory(prefix="rocq-") as folder:
            Path(folder, "Exported.v").write_text(text, encoding="utf-8")
            done, seconds = self._run("Exported.v", Path(folder), self.kept)
        if done.returncode:
            reason = (
                _first_error(done.stderr, text)
                or f"coqc ended with {done.returncode}, without a word"
            )
            return RocqResult(reason, seconds, done.stdout)
        asked = re.findall(r"^Print Assumptions (\S+)\.$", text, re.M)
        theorems = sum(_components(text, name) for name in asked)
        if theorems < fewest or done.stdout.split("\n").count(CLOSED) != len(asked):
            reason = f"a theorem rests on more than the checker: {done.stdout.strip()[:500]}"
            return RocqResult(reason, seconds, done.stdout)
        return RocqResult("", seconds, done.stdout)

    def accepts(self, certificates: Sequence[Mapping[str, Any]]) -> list[bool]:
        """Returns, for each certificate, whether the checker accepts it, as computed by Rocq.

        Raises:
            ExportError: one of them is not covered.
            BackendError: Rocq cannot read the text printed for one, or takes too long.
        """
        groups = [results_of(certificate) for certificate in certificates]
        each = [one for group in groups for one in group]
        result = self.check_file(rocq_answers(each) + SOUNDNESS)
        found = _parse_answers(result.output)
        if not result.accepted or len(found) != len(each):
            raise BackendError(
                "Rocq does not read what is printed",
                given=result.reason,
                expected="programs and types",
                hint="ask of one certificate at a time; and report the one that is not read",
            )
        return _all_of_each(groups, found)

    def _run(
        self, name: str, folder: Path, checker: Path
    ) -> tuple[subprocess.CompletedProcess[str], float]:
        before = os.times()
        try:
            done = subprocess.run(
                [self._coqc, "-q", "-w", "none", "-Q", str(checker), "EqvProof", name],
                cwd=folder, capture_output=True, text=True, timeout=LIMIT, check=False,
            )  # fmt: skip
        except subprocess.TimeoutExpired:
            raise BackendError(
                f"Rocq takes longer than {seconds(LIMIT)} seconds",
                given=name,
                expected="a shorter proof",
                hint="check it with verify alone, which takes no proof assistant",
            ) from None
        after = os.times()
        used = (
            after.children_user
            + after.children_system
            - before.children_user
            - before.children_system
        )
        return done, used


class Extracted:
    """The checker as a program of its own: extracted by Rocq, compiled by OCaml, and kept."""

    def __init__(self) -> None:
        folder = Rocq().kept
        self._program = folder / "checker"
        if self._program.is_file():
            return
        ocamlfind = find_program("ocamlfind", OCAML)
        with tempfile.TemporaryDirectory(dir=folder) as made:
            files = ("checker.mli", "checker.ml", READER)
            for name in files:
                shutil.copy(folder / name, made)
            command = [ocamlfind, "ocamlopt", "-w", "-a", *files, "-o", "checker"]
            done = subprocess.run(
                command, cwd=made, capture_output=True, text=True, timeout=LIMIT, check=False
            )
            if done.returncode:
                raise BackendError(
                    "OCaml does not compile the checker",
                    given=done.stderr.strip()[-2000:],
                    hint=OCAML,
                    expected="OCaml 4.13 or later",
                )
            Path(made, "checker").replace(self._program)

    def accepts(self, certificates: Sequence[Mapping[str, Any]]) -> list[bool]:
        """Returns, for each certificate, whether the extracted checker accepts its printed text.

        Malformed text is not accepted.

        Raises:
            ExportError: one of them is not covered.
            BackendError: it takes too long, or does not answer.
        """
        groups = [results_of(certificate) for certificate in certificates]
        each = [one for group in groups for one in group]
        found = self.answers(rocq_answers(each))
        if len(found) != len(each):
            raise BackendError(
                "the extracted checker does not answer",
                given=f"{len(found)} answers",
                expected=f"{len(each)} answers",
                hint="--with rocq computes the same in Rocq",
            )
        return _all_of_each(groups, found)

    def answers(self, text: str) -> list[bool | None]:
        """Returns the answer for each certificate in a printed text; None where it is malformed.

        Raises:
            BackendError: it takes too long, or fails.
        """
        try:
            done = subprocess.run(
                [str(self._program)],
                input=text, capture_output=True, text=True, timeout=LIMIT, check=False,
            )  # fmt: skip
        except subprocess.TimeoutExpired:
            done = subprocess.CompletedProcess([], 1, "", f"no answer in {seconds(LIMIT)} seconds")
        if done.returncode:
            raise BackendError(
                "the extracted checker does not answer",
                given=done.stderr.strip()[-500:],
                expected="an answer for each certificate",
                hint="--with rocq computes the same in Rocq",
            )
        return _parse_answers(done.stdout)


def _components(text: str, name: str) -> int:
    """Returns of how many theorems a term consists that a file may define as a tuple of them."""
    tuples = re.search(rf"^Definition {re.escape(name)} :=\s+\(([^()]*)\)\.$", text, re.M)
    if tuples is None:
        return 1
    return tuples[1].count("@")


def _all_of_each(groups: Sequence[Sequence[Any]], found: Sequence[bool | None]) -> list[bool]:
    """Returns, for each certificate, whether the answers for all of its results are yes."""
    answers = iter(found)
    return [all([next(answers) is True for _ in group]) for group in groups]


def _parse_answers(said: str) -> list[bool | None]:
    """Returns the answers of the checker; None for text that it cannot read."""
    meaning = {"= true": True, "= false": False}
    return [meaning.get(answer) for answer in re.findall("= true|= false|malformed", said)]


def _version(coqc: str) -> str:
    return subprocess.run([coqc, "--version"], capture_output=True, text=True, check=False).stdout


def _first_error(text: str, source: str) -> str:
    """Returns the first lines of an error, with the line of the file where it occurs."""
    lines = [line for line in text.strip().split("\n") if line]
    place = next((line for line in lines if line.startswith("File ")), "")
    number = place.partition("line ")[2].partition(",")[0]
    if number.isdecimal():
        at = source.split("\n")[int(number) - 1].strip()
    else:
        at = ""
    if place:
        lines = lines[lines.index(place) + 1 :]
    said = " ".join(" ".join(lines).split())
    if "No applicable tactic" in said and "vm_compute" in at:
        what = "shapes" if "shapes_sound" in at else "types"
        said = f"the checker does not accept these {what} of the lines"
    if place:
        return f"line {number}: {at[:300]}: {said[:600]}"
    return said[:600]
