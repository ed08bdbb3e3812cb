"""What parts of the kernel need that tests call alone."""

from __future__ import annotations

from collections.abc import Iterator

import flint
import pytest

from eqvproof.kernel import report


@pytest.fixture(autouse=True)
def work() -> Iterator[None]:
    """Steps enough for a test; the precision of python-flint stays as it was."""
    report.allow(10**8)
    before = flint.ctx.prec
    yield
    flint.ctx.prec = before
