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

ROOT = Path(__file__).resolve().parents[2] / "rocq"
COQC = shutil.which("coqc")
#: In the order in which they need each other, and the checker.
FILES = (
    "Orthogonal.v", "MaYing.v", "Prop41.v", "Prop41Sums.v", "Remark41.v", "Refuted.v", "Continuous.v",
    "FinitePsi.v", "Lemma3Sharp.v", "Accepted.v", "Rows.v", "Forms.v", "Eigenvectors.v",
)  # fmt: skip
EVERY = (*FILES, *(f"{name}.v" for name in CHECKER))
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


@pytest.mark.skipif(COQC is None, reason="Rocq (Debian: coq, libcoq-mathcomp-algebra) is not installed")
def test_every_file_and_every_linked_theorem_rests_on_no_axiom(tmp_path: Path) -> None:
    """What files ask one by one is asked of all theorems at once: each question takes long."""
    kept = Rocq().kept
    assert {path.stem for path in kept.glob("*.vo")} == set(CHECKER)
    theorems = {name for statement in LINKED for name in statement.formal}
    for name in EVERY:
        text = (ROOT / name).read_text(encoding="utf-8")
        theorems |= {f"{name.removesuffix('.v')}.{theorem}" for theorem in ASKED.findall(text)}
        if name in FILES:
            (tmp_path / name).write_text(ASKED.sub("", text), encoding="utf-8")
            assert "Axioms:" not in compiled(tmp_path, kept, name)
    assert {"Checked.sound", "Shifts.sound_shifts", "Shapes.lines_agree", "Shapes.shapes_sound"} <= theorems
    assert {"product_sound", "rigid_sound", "each_sound", "shifts_each_sound"} <= {
        theorem.partition(".")[2] for theorem in theorems if theorem.startswith("Products.")
    }
    modules = sorted({theorem.partition(".")[0] for theorem in theorems})
    (tmp_path / "Every.v").write_text(
        f"From EqvProof Require {' '.join(modules)}.\n"
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
