"""The Rocq files compile, admit nothing, and rest on no axiom."""

from __future__ import annotations

import re
import shutil
import subprocess
import tomllib
from pathlib import Path

import pytest

from eqvproof.export.rocq.compile import FILES as CHECKER
from eqvproof.export.rocq.compile import READER, Rocq

ROOT = Path(__file__).resolve().parents[2] / "rocq"
COQC = shutil.which("coqc")
#: In the order in which they need each other, and the checker.
FILES = (
    "Rules.v", "Matrices.v", "Orthogonal.v", "MaYing.v", "Prop41.v", "Prop41Sums.v", "Remark41.v",
    "Refuted.v", "Continuous.v", "FinitePsi.v", "Lemma3Sharp.v", "Accepted.v", "Rows.v",
)  # fmt: skip
EVERY = (*FILES, *(f"{name}.v" for name in CHECKER))
FORBIDDEN = ("Admitted", "admit", "Axiom", "Parameter", "Conjecture", "Unset Guard Checking")


@pytest.mark.skipif(COQC is None, reason="Rocq (Debian: coq, libcoq-mathcomp-algebra) is not installed")
def test_every_file_compiles_and_rests_on_no_axiom(tmp_path: Path) -> None:
    kept = Rocq().kept
    assert {path.stem for path in kept.glob("*.vo")} == set(CHECKER)
    for name in FILES:
        shutil.copy(ROOT / name, tmp_path)
        done = subprocess.run(
            [str(COQC), "-Q", str(kept), "EqvProof", "-Q", ".", "EqvProof", name],
            cwd=tmp_path, capture_output=True, text=True, timeout=300, check=False,
        )  # fmt: skip
        assert done.returncode == 0, done.stderr[-3000:]
        asked = len(re.findall(r"^Print Assumptions", (ROOT / name).read_text(encoding="utf-8"), re.M))
        assert done.stdout.split("\n").count("Closed under the global context") == asked
        assert "Axioms:" not in done.stdout


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
