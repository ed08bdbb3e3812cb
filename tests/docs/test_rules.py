"""The page of rules is what docs/make_rules.py writes today, and leaves no rule out."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

from eqvproof.programs.operations import OPERATIONS, einsum

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "rules.md").read_text(encoding="utf-8")


def load() -> ModuleType:
    spec = importlib.util.spec_from_file_location("make_rules", ROOT / "docs" / "make_rules.py")
    if spec is None or spec.loader is None:
        raise ImportError("docs/make_rules.py")
    module = importlib.util.module_from_spec(spec)
    sys.modules["make_rules"] = module
    spec.loader.exec_module(module)
    return module


make_rules = load()


def test_the_page_is_what_the_script_writes() -> None:
    assert PAGE == make_rules.page(), "run python docs/make_rules.py"


def test_a_changed_rule_is_noticed(monkeypatch) -> None:
    monkeypatch.setattr(einsum, "__doc__", "Another rule.\n\nProof. QED")
    assert PAGE != make_rules.page()


def test_every_operation_and_every_proof_is_there() -> None:
    for name, operation in OPERATIONS.items():
        if name != "input":
            module = sys.modules[operation.__module__]
            assert f"| {name} | " in PAGE and (module.__doc__ or "").strip() in PAGE
    assert PAGE.count("QED") >= len(OPERATIONS) + 2
