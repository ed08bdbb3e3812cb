"""`ep.deepsets` is there, and brings nothing heavy."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

import eqvproof as ep

ROOT = Path(ep.__file__).parent.parent
HEAVY = {"sympy", "scipy", "numba", "cupy", "dask", "torch"}


def test_names_are_reached_through_the_front_door():
    assert ep.deepsets.__name__ == "eqvproof.deepsets"
    assert {"CountableCode", "PowerSums", "Sketch", "pool", "PairForm", "decompose"} <= set(dir(ep.deepsets))
    with pytest.raises(AttributeError, match="no_such_name"):
        ep.deepsets.no_such_name


def test_the_package_loads_nothing_heavy():
    script = "import eqvproof, sys, json; eqvproof.deepsets; print(json.dumps(sorted(sys.modules)))"
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True, cwd=ROOT
    )
    assert HEAVY & set(json.loads(done.stdout)) == set()
