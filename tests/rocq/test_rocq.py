"""The Rocq files compile, admit nothing, and rest on no axiom."""

from __future__ import annotations

import re
import shutil
import subprocess
import tomllib
from pathlib import Path

import pytest

from eqvproof.rocq.compile import CLOSED, READER, Rocq
from eqvproof.rocq.compile import FILES as CHECKER
from tests.rocq.test_links import LINKED
from tests.sampling import every_case

ROOT = Path(__file__).resolve().parents[2] / "rocq"
COQC = shutil.which("coqc")
#: In the order in which they need each other, and the checker.
MODULES = (
    "Orthogonal", "MaYing", "Prop41", "Prop41Sums", "Remark41", "Refuted", "Continuous", "FinitePsi",
    "Lemma3Sharp", "Accepted", "Rows", "BilinearForms", "Eigenvectors",
)  # fmt: skip
EVERY = tuple(f"{name}.v" for name in (*MODULES, *CHECKER))
FORBIDDEN = ("Admitted", "admit", "Axiom", "Parameter", "Conjecture", "Unset Guard Checking")


ASKED = re.compile(r"^Print Assumptions (\S+)\.\n", re.M)


def compiled(folder: Path, kept: Path, name: str) -> str:
    """What Rocq prints of a file that it accepts, with the compiled checker."""
    done = subprocess.run(
        [str(COQC), "-q", "-w", "none", "-Q", str(kept), "EqvProof", "-Q", ".", "EqvProof", name],
        cwd=folder, capture_output=True, text=True, timeout=300, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr[-3000:]
    return done.stdout


def as_module(name: str, text: str) -> str:
    """A file as a module of a larger one, in which the modules before it need not be loaded."""
    earlier = f"( (?:{'|'.join(MODULES)}))+"
    text = re.sub(rf"^From EqvProof Require( Import{earlier}\.)$", r"\1", text, flags=re.M)
    return f"Module {name}.\n{text}\nEnd {name}.\n"


@pytest.mark.slow
@pytest.mark.skipif(COQC is None, reason="Rocq (Debian: coq, libcoq-mathcomp-algebra) is not installed")
def test_every_file_and_every_linked_theorem_rests_on_no_axiom(
    tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    """All in one file, and asked about at once, since each start and each question takes long.

    Where all cases run, each file is compiled alone too.
    """
    kept = Rocq().kept
    assert {path.stem for path in kept.glob("*.vo")} == set(CHECKER)
    theorems = {name for statement in LINKED for name in statement.formal}
    modules = ""
    for name in (*CHECKER, *MODULES):
        text = (ROOT / f"{name}.v").read_text(encoding="utf-8")
        theorems |= {f"{name}.{theorem}" for theorem in ASKED.findall(text)}
        if name in MODULES:
            modules += as_module(name, ASKED.sub("", text))
            if every_case(request.config):
                shutil.copy(ROOT / f"{name}.v", tmp_path)
                assert "Axioms:" not in compiled(tmp_path, kept, f"{name}.v")
    assert {"Checked.sound", "Shifts.sound_shifts", "Shapes.lines_agree", "Shapes.shapes_sound"} <= theorems
    assert {"product_sound", "rigid_sound", "each_sound", "shifts_each_sound"} <= {
        theorem.partition(".")[2] for theorem in theorems if theorem.startswith("Products.")
    }
    (tmp_path / "Every.v").write_text(
        f"From EqvProof Require {' '.join(CHECKER)}.\n{modules}"
        f"Definition every := ({', '.join(f'@{theorem}' for theorem in sorted(theorems))}).\n"
        "Print Assumptions every.\n"
    )
    assert compiled(tmp_path, kept, "Every.v").strip() == CLOSED


def test_nothing_is_admitted() -> None:
    for name in EVERY:
        text = re.sub(r"\(\*.*?\*\)", "", (ROOT / name).read_text(encoding="utf-8"), flags=re.S)
        assert not [word for word in FORBIDDEN if re.search(rf"\b{word}\b", text)], name


def test_every_file_is_listed() -> None:
    assert {path.name for path in ROOT.glob("*.v")} == set(EVERY)


def test_the_checker_is_in_the_wheel() -> None:
    project = tomllib.loads((ROOT.parent / "pyproject.toml").read_text(encoding="utf-8"))
    included = project["tool"]["hatch"]["build"]["targets"]["wheel"]["force-include"]
    assert {name for name in included if name.startswith("rocq/")} == {
        f"rocq/{file}" for file in (*(f"{name}.v" for name in CHECKER), READER)
    }
