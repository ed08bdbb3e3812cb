"""A pytest plugin that runs the tests that a file lists, in its order, for some seconds."""

from __future__ import annotations

import json
import os
import time
from pathlib import Path

import pytest

_BEGIN = time.process_time()


def pytest_collection_modifyitems(session: pytest.Session, items: list[pytest.Item]) -> None:
    """Keeps the listed tests."""
    by_name = {item.nodeid: item for item in items}
    listed = json.loads(Path(os.environ["EQVPROOF_CHOSEN"]).read_text())
    items[:] = [by_name[name] for name in listed if name in by_name]


def pytest_runtest_setup(item: pytest.Item) -> None:
    """The end of the time allowed."""
    if time.process_time() - _BEGIN > float(os.environ["EQVPROOF_SECONDS"]):
        item.session.shouldstop = "the time is over"
