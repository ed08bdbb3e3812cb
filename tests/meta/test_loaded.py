"""What a first check of a NumPy function loads: no door of a framework, no search."""

from __future__ import annotations

import json
import subprocess
import sys

from benchmarks.ratchets import Package

MOST_MODULES, MOST_LINES = 230, 25_000
CODE = """
import json, sys
import numpy as np
import eqvproof as ep

verdict = ep.check(lambda x: np.tanh(x @ x.T) @ x, "X: n d -> n d", "S(n) x O(d)")
assert verdict.grade == "PROVED"
print(json.dumps(sorted(name for name in sys.modules if name.split(".")[0] == "eqvproof")))
"""


def test_a_first_proof_loads_few_modules() -> None:
    done = subprocess.run([sys.executable, "-c", CODE], capture_output=True, text=True, check=True)
    loaded: list[str] = json.loads(done.stdout)
    doors = ("torch", "jax", "sympy", "framework")
    found = [m for m in loaded if m.startswith(tuple(f"eqvproof.tracing.{d}" for d in doors))]
    assert found == [] and "eqvproof.engines.search.run_search" not in loaded
    package = Package()
    lines = sum(package.code_lines(package.modules[name]) for name in loaded)
    assert len(loaded) <= MOST_MODULES and lines <= MOST_LINES, (len(loaded), lines)
