"""Every block of the README and of docs/ runs, and shows what it prints today."""

from __future__ import annotations

import difflib
import importlib.util
import re
import sys
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).resolve().parents[2]


def load() -> ModuleType:
    spec = importlib.util.spec_from_file_location("make_readme", ROOT / "docs" / "make_readme.py")
    if spec is None or spec.loader is None:
        raise ImportError("docs/make_readme.py")
    module = importlib.util.module_from_spec(spec)
    sys.modules["make_readme"] = module
    spec.loader.exec_module(module)
    return module


make_readme = load()


@pytest.mark.filterwarnings("ignore::DeprecationWarning")  # of libraries that a page imports
@pytest.mark.parametrize("path", make_readme.pages(), ids=lambda p: p.name)
def test_blocks_run_and_show_what_they_print(path):
    page = path.read_text(encoding="utf-8")
    if absent := make_readme.missing(page):
        pytest.skip(f"{path.name} needs {', '.join(absent)}")
    new = make_readme.refreshed(page)
    difference = "\n".join(
        difflib.unified_diff(page.splitlines(), new.splitlines(), "shown", "today", lineterm="")
    )
    assert new == page, f"run docs/make_readme.py\n{difference}"


@pytest.mark.parametrize("path", make_readme.pages(), ids=lambda p: p.name)
def test_every_block_says_what_it_is(path):
    languages = {block.language for block in make_readme.blocks(path.read_text(encoding="utf-8"))}
    assert languages <= {"python", "console", "text", "bash", "json"}


def test_a_stale_output_is_found():
    page = "```python\nprint(6 * 7)\n```\n\n```text\n41\n```\n"
    assert make_readme.refreshed(page) == page.replace("41", "42")


def test_a_stale_console_output_is_found():
    page = "```console\n$ python -c 'print(6 * 7)'\n41\n```\n"
    assert make_readme.refreshed(page) == page.replace("41", "42")


def test_seconds_are_not_compared():
    page = "```python\nprint('done in 1.25 s')\n```\n\n```text\ndone in 7.50 s\n```\n"
    assert make_readme.refreshed(page) == page


def test_a_page_says_what_it_needs():
    assert make_readme.missing("<!-- needs: numpy, no_such_package -->\n# Title\n") == ["no_such_package"]
    assert make_readme.missing("# Title\n<!-- needs: no_such_package -->\n") == []


def test_a_block_that_raises_is_found():
    with pytest.raises(ZeroDivisionError):
        make_readme.refreshed("```python\n1 / 0\n```\n")


LINK = re.compile(r"\[[^\]]*\]\(([^)#\s]+)(#[^)]*)?\)")


@pytest.mark.parametrize(
    "path",
    [
        *make_readme.pages(),
        ROOT / "CONTRIBUTING.md",
        ROOT / "CHANGELOG.md",
        ROOT / "changelog.d" / "README.md",
    ],
    ids=lambda p: f"{p.parent.name}-{p.name}",
)
def test_links_to_files_lead_somewhere(path):
    missing = [
        target
        for target, _ in LINK.findall(path.read_text(encoding="utf-8"))
        if "://" not in target and not (path.parent / target).exists()
    ]
    assert not missing


def test_from_an_import_to_a_verdict_in_ten_lines():
    page = (ROOT / "docs" / "models.md").read_text(encoding="utf-8")
    sections = re.split(r"^## ", page, flags=re.MULTILINE)
    for name in ("PyTorch", "torch_geometric", "JAX", "e3nn"):
        section = next(s for s in sections if s.startswith(f"{name}\n"))
        first = next(b for b in make_readme.blocks(section) if b.language == "python")
        lines = [line for line in first.text.splitlines() if line.strip()]
        assert lines[0].startswith(("import", "from")) and "import eqvproof as ep" in lines, name
        assert any("= ep.check(" in line for line in lines) and len(lines) <= 10, name
