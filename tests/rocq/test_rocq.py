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


def compiled(folder: Path, kept: Path, name: str) -> subprocess.CompletedProcess[str]:
    """What Rocq says of a file, with the compiled checker."""
    return subprocess.run(
        [str(COQC), "-Q", str(kept), "EqvProof", "-Q", ".", "EqvProof", name],
        cwd=folder, capture_output=True, text=True, timeout=300, check=False,
    )  # fmt: skip


@pytest.mark.skipif(COQC is None, reason="Rocq (Debian: coq, libcoq-mathcomp-algebra) is not installed")
def test_every_file_and_every_linked_theorem_rests_on_no_axiom(tmp_path: Path) -> None:
    kept = Rocq().kept
    assert {path.stem for path in kept.glob("*.vo")} == set(CHECKER)
    for name in FILES:
        shutil.copy(ROOT / name, tmp_path)
        done = compiled(tmp_path, kept, name)
        assert done.returncode == 0, done.stderr[-3000:]
        asked = len(re.findall(r"^Print Assumptions", (ROOT / name).read_text(encoding="utf-8"), re.M))
        assert done.stdout.split("\n").count(CLOSED) == asked
        assert "Axioms:" not in done.stdout
    linked = {name for statement in LINKED for name in statement.formal}
    asked_of = [*sorted(linked), "Checked.sound", "Shifts.sound_shifts"]
    asked_of += [
        f"Products.{name}"
        for name in ("product_sound", "rigid_sound", "each_sound", "shifts_each_sound")
    ]
    asked_of += ["Shapes.lines_agree", "Shapes.shapes_sound"]
    modules = sorted({name.partition(".")[0] for name in asked_of})
    (tmp_path / "Every.v").write_text(
        f"From EqvProof Require {' '.join(modules)}.\n"
        + "".join(f"Print Assumptions {n}.\n" for n in asked_of)
    )
    done = compiled(tmp_path, kept, "Every.v")
    assert done.stdout.split("\n").count(CLOSED) == len(asked_of), done.stdout + done.stderr


@pytest.mark.parametrize("name", EVERY)
def test_nothing_is_admitted(name: str) -> None:
    text = re.sub(r"\(\*.*?\*\)", "", (ROOT / name).read_text(encoding="utf-8"), flags=re.S)
    assert not [word for word in FORBIDDEN if re.search(rf"\b{word}\b", text)]


def test_every_file_is_listed() -> None:
    assert {path.name for path in ROOT.glob("*.v")} == set(EVERY)


def test_the_checker_is_in_the_wheel() -> None:
    project = tomllib.loads((ROOT.parent / "pyproject.toml").read_text(encoding="utf-8"))
    included = project["tool"]["hatch"]["build"]["targets"]["wheel"]["force-include"]
    assert {name for name in included if name.startswith("rocq/")} == {
        f"rocq/{file}" for file in (*(f"{name}.v" for name in CHECKER), READER)
    }
