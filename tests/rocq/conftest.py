"""Rocq with the compiled checker, where it is installed."""

from __future__ import annotations

import shutil

import pytest

from eqvproof.rocq.compile import Rocq


@pytest.fixture(scope="session")
def rocq() -> Rocq:
    if shutil.which("coqc") is None:
        pytest.skip("Rocq (Debian: coq, libcoq-mathcomp-algebra) is not installed")
    return Rocq()
