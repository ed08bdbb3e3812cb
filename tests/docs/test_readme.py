"""The README's first screen: what it does, and exactly two set-up commands."""

from __future__ import annotations

import re
from pathlib import Path

from eqvproof.groups import FAMILIES

ROOT = Path(__file__).resolve().parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
FIRST_SCREEN = "\n".join(README.splitlines()[:60])


def setup_commands(text: str) -> list[str]:
    return [
        line
        for block in re.findall(r"^```bash\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
        for line in block.splitlines()
        if line.strip()
    ]


def test_two_set_up_commands_on_the_first_screen():
    assert setup_commands(FIRST_SCREEN) == [
        "pip install . && eqvproof review my23",
        'pip install ".[test]" && python -m pytest',
    ]


def test_no_other_set_up_command_in_the_readme():
    assert setup_commands(README) == setup_commands(FIRST_SCREEN)


def test_a_proof_and_a_counterexample_are_shown():
    assert "HOLDS, PROVED" in README
    assert "FAILS, EXACT" in README or "FAILS, ENCLOSED" in README


def test_continuous_integration_runs_these_commands():
    script = (ROOT / ".ci" / "run").read_text(encoding="utf-8")
    assert "readme_line 'eqvproof review my23'" in script
    assert "readme_line 'python -m pytest'" in script


def test_contribution_guide_is_short():
    assert len((ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8").splitlines()) < 80


def test_the_table_of_groups_is_whole():
    text = (ROOT / "docs" / "getting-started.md").read_text(encoding="utf-8")
    assert set(re.findall(r"^\| `(\w+)\(\w\)` \|", text, re.MULTILINE)) == set(FAMILIES)


def test_the_example_paper_is_the_one_that_the_guide_shows():
    page = (ROOT / "docs" / "your-paper.md").read_text(encoding="utf-8")
    example = (ROOT / "docs" / "examples" / "layer_paper.py").read_text(encoding="utf-8")
    assert example.split('"""\n\n', 1)[1].strip() in page
