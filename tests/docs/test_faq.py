"""The answers of the FAQ are verdicts of today: a function turned around turns its answer."""

from __future__ import annotations

import importlib.util
import re
import sys
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / "docs" / "faq"
PAGE = (ROOT / "docs" / "faq.md").read_text(encoding="utf-8")
THREAD = re.compile(r"\[[\w.-]+ #(\d+)\]\(https://github\.com/[\w.-]+/[\w.-]+/(?:issues|pull)/(\d+)\)")


def load() -> ModuleType:
    spec = importlib.util.spec_from_file_location("make_faq", ROOT / "docs" / "make_faq.py")
    if spec is None or spec.loader is None:
        raise ImportError("docs/make_faq.py")
    module = importlib.util.module_from_spec(spec)
    sys.modules["make_faq"] = module
    spec.loader.exec_module(module)
    return module


make_faq = load()


@pytest.mark.parametrize("name", make_faq.QUESTIONS)
def test_the_page_shows_the_verdicts_of_today(name):
    section = make_faq.section(FOLDER / f"{name}.py")
    assert section in PAGE, "run python docs/make_faq.py"


def test_every_question_is_on_the_page_once_and_names_its_threads():
    assert {path.stem for path in FOLDER.glob("*.py")} == set(make_faq.QUESTIONS)
    sections = PAGE.split("\n## ")[1:]
    assert len(sections) == len(set(make_faq.QUESTIONS)) >= 12
    for section in sections:
        threads = THREAD.findall(section)
        assert threads and all(shown == number for shown, number in threads), section[:80]
        assert re.search(r"^\*\*(Yes|No)\*\*", section, re.MULTILINE)


@pytest.mark.parametrize(
    ("name", "old", "new", "function"),
    [
        ("max_pooling", "return X.max(axis=0)", "return X[0]", "max_pool`, `X: n c -> c"),
        ("bias", "+ b[:, None]", "+ 0 * b[:, None]", "mixed_with_bias"),
    ],
)
def test_a_function_turned_around_changes_the_page(tmp_path, name, old, new, function):
    text = (FOLDER / f"{name}.py").read_text(encoding="utf-8")
    assert text.count(old) == 1
    (tmp_path / f"{name}.py").write_text(text.replace(old, new), encoding="utf-8")
    answers = {f"**{word}**: `{function}" for word in ("Yes", "No")}
    (before,) = (answer for answer in answers if answer in PAGE)
    section = make_faq.section(tmp_path / f"{name}.py")
    assert before not in section and (answers - {before}).pop() in section
