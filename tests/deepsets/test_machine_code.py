"""Machine code kept on disk: found again, and as good as none where it is not whole or cannot be kept."""

from __future__ import annotations

import numpy as np
import pytest

from eqvproof.deepsets.phi import read_formula
from eqvproof.deepsets.pooling import compiled, host

llvm = pytest.importorskip("llvmlite") and pytest.importorskip("eqvproof.deepsets.emit.llvm")


def test_what_is_kept_comes_back_and_what_is_changed_does_not(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    kept = llvm.MachineCodeCache("key")
    assert kept.get(None) is None
    kept.put(None, b"code")
    assert llvm.MachineCodeCache("key").get(None) == b"code"
    (file,) = (p for p in tmp_path.rglob("*") if p.is_file())
    for raw in (file.read_bytes()[:-1], file.read_bytes() + b"x", b""):
        file.write_bytes(raw)
        assert llvm.MachineCodeCache("key").get(None) is None
    monkeypatch.setenv("XDG_CACHE_HOME", str(file))  # no folder
    llvm.MachineCodeCache("key").put(None, b"code")
    assert llvm.MachineCodeCache("key").get(None) is None


def test_loops_from_disk_do_what_they_did(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setattr(compiled, "compile_loop", compiled.compile_loop.__wrapped__)  # without its cache
    X = np.random.default_rng(0).normal(size=(5000, 2))
    formula = read_formula([(1, 0), (2, 3)], 2)
    sums = [[p.total for p in host.partial_sums(formula, X, "float64", "anchored")] for _ in range(2)]
    (file,) = (p for p in tmp_path.rglob("*") if p.is_file())
    file.write_bytes(b"not whole")
    sums.append([p.total for p in host.partial_sums(formula, X, "float64", "anchored")])
    assert sums[0] == sums[1] == sums[2]
