"""Rocq with the compiled checker, and the checker extracted from it, where they are installed."""

from __future__ import annotations

import shutil

import pytest

from eqvproof.rocq.compile import Extracted, Rocq
from eqvproof.support.errors import BackendError


@pytest.fixture(scope="session")
def rocq() -> Rocq:
    if shutil.which("coqc") is None:
        pytest.skip("Rocq (Debian: coq, libcoq-mathcomp-algebra) is not installed")
    return Rocq()


@pytest.fixture(scope="session")
def extracted() -> Extracted:
    """The checker extracted from Rocq, where it can be compiled."""
    try:
        return Extracted()
    except BackendError as error:
        pytest.skip(str(error))


def pytest_itemcollected(item: pytest.Item) -> None:
    """Marks what asks Rocq as slow: the checker is compiled first, in a minute and a half."""
    if {"rocq", "extracted"} & set(getattr(item, "fixturenames", ())):
        item.add_marker("slow")
