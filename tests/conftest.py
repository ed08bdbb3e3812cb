"""Settings shared by all tests: Hypothesis profiles, the GPU switch."""

from __future__ import annotations

import os
import sys
import tempfile
import zlib
from collections import Counter
from collections.abc import Iterator
from types import ModuleType

import numpy as np
import pytest
from hypothesis import HealthCheck, Phase, settings

# dev: quick, random.  ci: the same examples every time.  nightly: many more, and every case of long lists.
settings.register_profile("dev", deadline=None, max_examples=30)
settings.register_profile(
    "ci",
    deadline=None,
    derandomize=True,
    max_examples=30,
    print_blob=True,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.register_profile("nightly", deadline=None, max_examples=2000, print_blob=True)
# mutation: as in ci, and a failure is one without a smaller example.
settings.register_profile(
    "mutation", settings.get_profile("ci"), phases=(Phase.explicit, Phase.generate), print_blob=False
)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE") or ("ci" if os.environ.get("CI") else "dev"))


@pytest.fixture(autouse=True)
def numpy_left_as_found() -> Iterator[None]:
    """Hostile targets patch NumPy and set its error state; no later test may see it."""
    before, state, random = dict(vars(np)), np.geterr(), np.random.get_state()
    yield
    for name in vars(np).keys() - before.keys():
        if not isinstance(vars(np)[name], ModuleType):  # submodules load lazily
            delattr(np, name)
    for name, value in before.items():
        if vars(np).get(name) is not value:
            setattr(np, name, value)
    np.seterr(**state)
    np.random.set_state(random)


#: The most comparisons of a search in a test, where users' searches make more; not where all cases run.
FEWER = 800


@pytest.fixture(autouse=True)
def shorter_search(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """What a search finds it mostly finds early; ``whole_search`` marks where what is late counts too."""
    if not every_case(request.config) and not request.node.get_closest_marker("whole_search"):
        monkeypatch.setattr("eqvproof.engines.searching.MAX_POINTS", FEWER)


def has_gpu() -> bool:
    """Whether CuPy is installed and sees a device."""
    try:
        import cupy
    except ImportError:
        return False
    try:
        return bool(cupy.cuda.runtime.getDeviceCount() > 0)
    except cupy.cuda.runtime.CUDARuntimeError:
        return False


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--all-cases", action="store_true", help="run every case of long lists, where else some are run"
    )
    parser.addoption(
        "--require-gpu", action="store_true", help="fail when no test marked gpu has run (use with -m gpu)"
    )


#: Of a test of more cases than this about so many are run, unless its mark says how many.
MOST_CASES = 3


def is_due(item: pytest.Item, cases: int) -> bool:
    """Of a long list of cases some, always the same ones: one in k where the mark sampled(k) says so."""
    mark, chance = item.get_closest_marker("sampled"), zlib.crc32(item.name.encode())
    return chance % cases < MOST_CASES if mark is None else chance % mark.args[0] == 0


def every_case(config: pytest.Config) -> bool:
    """Whether all of long lists is tried, however long it takes."""
    return config.option.all_cases or os.environ.get("HYPOTHESIS_PROFILE") in ("nightly", "mutation")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    named = config.option.keyword or any("::" in arg for arg in config.args)
    if not named and not every_case(config):
        cases = Counter(item.nodeid.partition("[")[0] for item in items)
        due = {item: is_due(item, cases[item.nodeid.partition("[")[0]]) for item in items}
        config.hook.pytest_deselected(items=[item for item in items if not due[item]])
        items[:] = [item for item in items if due[item]]
    wanted = [item for item in items if item.get_closest_marker("gpu")]
    if not wanted or has_gpu():
        return
    for item in wanted:
        item.add_marker(pytest.mark.skip(reason="no GPU"))


def pytest_configure(config: pytest.Config) -> None:
    """Tests start many processes: compiled code that may not lie beside the source is kept apart."""
    if sys.dont_write_bytecode and sys.pycache_prefix is None:
        folder = tempfile.TemporaryDirectory(prefix="compiled-", ignore_cleanup_errors=True)
        config.add_cleanup(folder.cleanup)
        sys.dont_write_bytecode, sys.pycache_prefix = False, folder.name
        os.environ["PYTHONPYCACHEPREFIX"] = folder.name
        os.environ.pop("PYTHONDONTWRITEBYTECODE", None)


def pytest_sessionfinish(session: pytest.Session, exitstatus: int) -> None:
    """With --require-gpu a run in which every GPU test was skipped is a failure."""
    if not session.config.getoption("--require-gpu"):
        return
    reporter = session.config.pluginmanager.get_plugin("terminalreporter")
    passed = reporter.stats.get("passed", []) if reporter else []
    if not any("gpu" in report.keywords for report in passed):
        session.exitstatus = pytest.ExitCode.TESTS_FAILED
        if reporter:
            reporter.write_line("--require-gpu: no test marked gpu has passed", red=True)
