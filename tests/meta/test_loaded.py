"""What a first check of a NumPy function loads: no door of a framework, no search, no FLINT."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

from benchmarks.ratchets import Package

MOST_MODULES, MOST_LINES = 230, 25_000
#: Modules of others whose import takes long; a proof needs none of them.
SLOW = {"flint", "subprocess", "tempfile", "difflib", "logging", "urllib", "importlib.metadata", "sympy"}
CODE = """
import json, sys
import numpy as np

known = set(sys.modules)
import eqvproof as ep

verdict = ep.check(lambda x: np.tanh(x @ x.T) @ x, "X: n d -> n d", "S(n) x O(d)")
assert verdict.grade == "PROVED"
print(json.dumps(sorted(set(sys.modules) - known)))
"""


def test_a_first_proof_loads_few_modules() -> None:
    done = subprocess.run([sys.executable, "-c", CODE], capture_output=True, text=True, check=True)
    everything: list[str] = json.loads(done.stdout)
    assert SLOW.isdisjoint(everything)
    loaded = [name for name in everything if name.split(".")[0] == "eqvproof"]
    doors = ("torch", "jax", "sympy", "framework")
    found = [m for m in loaded if m.startswith(tuple(f"eqvproof.tracing.{d}" for d in doors))]
    assert found == [] and "eqvproof.engines.search.run_search" not in loaded
    package = Package()
    lines = sum(package.code_lines(package.modules[name]) for name in loaded)
    assert len(loaded) <= MOST_MODULES and lines <= MOST_LINES, (len(loaded), lines)


FINDER = """
class Finder:
    def find_spec(self, name, path=None, target=None):
        return None
"""
LOOKED_UP = """
import sys
import eqvproof as ep
from a_finder import Finder

sys.meta_path.insert(0, Finder())
verdict = ep.check(lambda X: X @ X.T @ X, "X: d n -> d n", "O(d)")
assert verdict.grade == "PROVED"
print("importlib.metadata" in sys.modules)
"""


def test_an_installed_finder_of_modules_is_no_code_of_the_target(tmp_path: Path) -> None:
    """setuptools installs one: that it requires no array library took longer than the proof."""
    site = tmp_path / "site-packages"
    site.mkdir()
    (site / "a_finder.py").write_text(FINDER)
    code = f"import sys; sys.path.insert(0, {str(site)!r})\n{LOOKED_UP}"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"
