"""The notebooks run, what their words say of their results is so, and no figure stands in the words."""

from __future__ import annotations

import contextlib
import io
import re
from pathlib import Path
from typing import Any

import pytest

import eqvproof as ep

matplotlib = pytest.importorskip("matplotlib", reason="matplotlib is not installed")
matplotlib.use("Agg")

FOLDER = Path(__file__).resolve().parents[3] / "notebooks"
NOTEBOOKS = sorted(FOLDER.glob("*.py"))
#: Numbers that name something: statements, steps, the source, types, functions of one number.
NAMES = (
    r"Prop(?:osition|\.) \d\.\d|Remark \d|Step \d|my23|float\d\d|Python 3|near 0|"
    + r"`[^`]*`|\$[^$]*\$"
)


def cells(path: Path) -> list[tuple[bool, str]]:
    """(is prose, text) of each cell of a percent script."""
    parts = re.split(r"^# %%(.*)\n", path.read_text(encoding="utf-8"), flags=re.MULTILINE)[1:]
    return [
        ("[markdown]" in head, body) for head, body in zip(parts[::2], parts[1::2], strict=True)
    ]


def run(name: str) -> tuple[dict[str, Any], str]:
    """The names that a notebook leaves behind, and what it prints."""
    (path,) = FOLDER.glob(f"{name}_*.py")
    scope: dict[str, Any] = {"__name__": "__main__"}
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        for k, (is_prose, body) in enumerate(cells(path)):
            if not is_prose:
                # lines keep their numbers, and errors name the notebook
                exec(compile(body, f"{path.name}, cell {k}", "exec"), scope)
    for value in scope.values():
        if isinstance(value, ep.Verdict) and value.certificate is not None:
            assert ep.verify(value.certificate).accepted
    return scope, printed.getvalue()


def test_there_are_five() -> None:
    assert [path.name[0] for path in NOTEBOOKS] == ["1", "2", "3", "4", "5"]


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda p: p.stem)
def test_no_figure_stands_in_the_words(path: Path) -> None:
    for is_prose, body in cells(path):
        if is_prose:
            plain = [line for line in body.splitlines() if not line.startswith("# >")]
            left = re.sub(NAMES, "", "\n".join(plain).replace("\n# ", " "))
            assert not re.search(r"\d", left), left


def test_a_first_verdict() -> None:
    found, out = run("1")
    assert (found["verdict"].grade, found["repaired"].grade) == ("PROVED", "PROVED")
    assert found["doubt"].fails and found["doubt"].grade in ("EXACT", "ENCLOSED")
    assert [found["parts"][g].holds for g in ("S(n)", "S(d)", "O(d)")] == [True, True, False]
    assert "import numpy as np" in out


def test_tolerance_tests_mislead() -> None:
    found, out = run("2")
    alarms, misses = found["alarms"], found["misses"]
    assert alarms["gram layer, float64"] == 0 < alarms["gram layer, float32"]
    assert alarms["gram layer, float32, inputs / 100"] < alarms["gram layer, float32"]
    assert alarms["difference of powers, float32"] > 0
    assert min(misses.values()) > 0.99
    assert not any(v.holds for v in found["verdicts"].values())
    assert sum(v.fails for v in found["verdicts"].values()) == 4
    assert found["verdicts"]["nowhere defined"].outcome == "UNDECIDED"
    assert "does not exist" in out
    judged = found["judged"]
    assert "false alarm" not in judged["bound"] and judged["bound"][:2] == ["right", "right"]
    for name in found["tolerances"]:
        assert {"false alarm", "missed"} & set(judged[name]), name
    seen = found["worst"]["correct, worst seen"]
    for most in (found["proved"]["correct, worst seen"], found["limits"]["probable bound"]):
        assert all(x <= y for x, y in zip(seen, most, strict=True))
    profile = found["profile"]
    assert profile.first.name == "layers.2" and profile.is_confirmed
    assert [row.grade for row in profile.rows[:2]] == ["HOLDS PROVED"] * 2


def test_equal_gram_matrices() -> None:
    _, out = run("3")
    answers = re.findall(r"\b(True|False)\b", out)
    # the one False: the function that is not equivariant, at its reflection
    assert (
        answers.count("False") == 1 and "f(R X) = R f(X):      False" in out and len(answers) == 12
    )


def test_reviewing_a_paper() -> None:
    found, out = run("4")
    outcomes = {row.id: str(row.outcome) for row in found["review"]}
    assert [k for k, v in outcomes.items() if v == "FAILS"] == ["cloud.remark3"]
    assert set(outcomes.values()) == {"HOLDS", "FAILS"} and len(outcomes) == 6
    assert found["review"]["cloud.remark3"].repaired_by == "cloud.remark3.repaired"
    assert found["accepted"] and all(found["accepted"])
    assert "my23.attn.orthogonal-fixed-weights.repaired" in out


def test_deep_sets_at_large_n() -> None:
    found, out = run("5")
    assert len(found["plain"]) > 1 and len(found["pooled"]) == 1
    assert out.startswith("GPU: ")
    assert ("not compared" in out) == (found["cupy"] is None)
    for words in (
        "half a unit in the last place: True",
        "bit for bit: True",
        "n x n matrix: True",
        "refused",
    ):
        assert words in out
    assert "true error inside: False" not in out and found["verdict"].grade == "PROVED"


@pytest.mark.slow
def test_one_of_them_in_jupyter() -> None:
    """What a reader sees: verdicts as HTML, one picture and no more for a plot."""
    jupytext = pytest.importorskip("jupytext")
    nbclient = pytest.importorskip("nbclient")
    pytest.importorskip("ipykernel")
    notebook = jupytext.read(NOTEBOOKS[0])
    place = {"metadata": {"path": str(FOLDER.parent)}}
    nbclient.NotebookClient(notebook, timeout=120, resources=place).execute()
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    outputs = {cell.source: [o.get("data", {}) for o in cell.outputs] for cell in code}
    (first,) = (data for source, data in outputs.items() if source.endswith("\nverdict"))
    assert "HOLDS" in first[0]["text/html"] and "<math>" in first[0]["text/html"]
    (plots,) = (data for source, data in outputs.items() if source.startswith("ep.plots"))
    assert sum("image/png" in data for data in plots) == 1
