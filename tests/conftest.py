"""Settings shared by all tests: Hypothesis profiles, the GPU switch."""

from __future__ import annotations

import gc
import importlib
import os
import sys
from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from types import ModuleType
from typing import Any

# A process for each core needs one thread. NumPy's BLAS and processes that tests start read this.
os.environ["OMP_NUM_THREADS"] = os.environ["OPENBLAS_NUM_THREADS"] = "1"

import numpy as np
import pytest
from hypothesis import HealthCheck, Phase, settings

from eqvproof.engines.search.result import MAX_POINTS
from tests.sampling import every_case, sample

# dev: quick, random.  ci: the same examples every time.  nightly: many more, and every case of long lists.
settings.register_profile("dev", deadline=None, max_examples=20)
settings.register_profile(
    "ci",
    deadline=None,
    derandomize=True,
    max_examples=20,
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
FEWER = 400


@pytest.fixture(scope="session", autouse=True)
def shorter_search(request: pytest.FixtureRequest) -> Iterator[None]:
    """What a search finds it mostly finds early; ``whole_search`` marks where what is late counts too."""
    with pytest.MonkeyPatch.context() as patch:
        if not every_case(request.config):
            patch.setattr("eqvproof.engines.search_claim.MAX_POINTS", FEWER)
        yield


@pytest.fixture(autouse=True)
def whole_search(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Searches as long as users do where a test asks for it."""
    if request.node.get_closest_marker("whole_search"):
        monkeypatch.setattr("eqvproof.engines.search_claim.MAX_POINTS", MAX_POINTS)


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


#: Number of cases that were not made in this process, and of slow tests that it does not run.
LEFT_OUT = pytest.StashKey[int]()
SLOW = pytest.StashKey[int]()


def is_part(config: pytest.Config) -> bool:
    """Tells whether single files or tests were asked for, rather than folders or everything."""
    return any("::" in arg or arg.endswith(".py") for arg in config.args)


@pytest.hookimpl(wrapper=True)
def pytest_generate_tests(metafunc: pytest.Metafunc) -> Iterator[None]:
    """Samples cases before tests are made of them: the first and the last, or one in k by ``sampled(k)``."""
    yield
    config = metafunc.config
    if every_case(config) or config.option.keyword or any("::" in arg for arg in config.args):
        return
    mark = metafunc.definition.get_closest_marker("sampled")
    cases = metafunc._calls
    kept = sample(cases, -(-len(cases) // mark.args[0]) if mark else 2)
    config.stash[LEFT_OUT] = config.stash.get(LEFT_OUT, 0) + len(cases) - len(kept)
    cases[:] = kept


@pytest.fixture
def some(request: pytest.FixtureRequest) -> Callable[[Iterable[Any], int], list[Any]]:
    """A sample of what one test goes through: so many members, or all with --all-cases."""
    is_whole = every_case(request.config)

    def chosen(cases: Iterable[Any], count: int) -> list[Any]:
        return list(cases) if is_whole else sample(list(cases), count)

    return chosen


@pytest.fixture
def one_in(request: pytest.FixtureRequest) -> Callable[[int, Iterable[Any]], Iterable[Any]]:
    """A sample of what one test goes through: one of k, another for another case, or all with --all-cases."""
    is_whole = every_case(request.config)

    def chosen(k: int, cases: Iterable[Any]) -> Iterable[Any]:
        return cases if is_whole else islice(cases, len(request.node.name) % k, None, k)

    return chosen


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers(config: pytest.Config) -> int | None:
    """Runs single files and tests in one process: starting others takes longer than they do."""
    return 0 if is_part(config) else None


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: Any) -> None:
    """Takes what was left out from a worker; all workers count the same."""
    output = getattr(node, "workeroutput", {})
    for key, name in ((LEFT_OUT, "left_out"), (SLOW, "slow")):
        node.config.stash[key] = output.get(name, 0)


def pytest_terminal_summary(terminalreporter: Any, config: pytest.Config) -> None:
    """Says what a plain run leaves out."""
    if count := config.stash.get(SLOW, 0):
        terminalreporter.write_line(f"{count:,} slow tests run with -m slow")
    if count := config.stash.get(LEFT_OUT, 0):
        terminalreporter.write_line(f"{count:,} more cases of long lists run with --all-cases")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leaves slow tests out of a plain run; skips tests marked gpu where there is none."""
    option = config.option
    if not (every_case(config) or is_part(config) or option.markexpr or option.keyword):
        quick = [item for item in items if not item.get_closest_marker("slow")]
        config.stash[SLOW] = len(items) - len(quick)
        items[:] = quick
    wanted = [item for item in items if item.get_closest_marker("gpu")]
    if not wanted or has_gpu():
        return
    for item in wanted:
        item.add_marker(pytest.mark.skip(reason="no GPU"))


def pytest_collection(session: pytest.Session) -> None:
    """Compiles another part of the test files in each worker, before each imports all of them.

    A worker imports its part ahead of the others. What it cannot import it leaves to the collection, which
    says why.
    """
    worker = getattr(session.config, "workerinput", None)
    if worker is None or is_part(session.config):
        return
    root, own, count = session.config.rootpath, int(worker["workerid"][2:]), worker["workercount"]
    folders = [session.config.invocation_params.dir / arg for arg in session.config.args]
    files = sorted(file for folder in folders for file in folder.rglob("test_*.py"))
    for file in files[own * len(files) // count : (own + 1) * len(files) // count] if own else ():
        try:
            importlib.import_module(".".join(file.relative_to(root).with_suffix("").parts))
        except (Exception, pytest.skip.Exception, pytest.fail.Exception):
            continue


def pytest_collection_finish() -> None:
    """Takes what collection made out of later garbage collections, and out of what forks copy.

    Later ones come less often, since a process of tests is large.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(100_000, 20, 20)


def pytest_configure() -> None:
    """Keeps compiled code beside the source even where Python is told not to: tests start many processes."""
    sys.dont_write_bytecode = False
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)


def pytest_sessionfinish(session: pytest.Session, exitstatus: int) -> None:
    """Counts what was left out; with --require-gpu, fails where every GPU test was skipped."""
    if hasattr(session.config, "workeroutput"):
        session.config.workeroutput["left_out"] = session.config.stash.get(LEFT_OUT, 0)
        session.config.workeroutput["slow"] = session.config.stash.get(SLOW, 0)
    if not session.config.getoption("--require-gpu"):
        return
    reporter = session.config.pluginmanager.get_plugin("terminalreporter")
    passed = reporter.stats.get("passed", []) if reporter else []
    if not any("gpu" in report.keywords for report in passed):
        session.exitstatus = pytest.ExitCode.TESTS_FAILED
        if reporter:
            reporter.write_line("--require-gpu: no test marked gpu has passed", red=True)
