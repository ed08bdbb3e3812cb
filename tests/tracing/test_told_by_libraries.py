"""What a library logs while it runs is not the target's doing, wherever those lie who are told."""

from __future__ import annotations

import logging
import os
import subprocess
import sys
import textwrap
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

import eqvproof as ep
from tests.judged import assert_proved


class Marking(logging.Handler):
    """A handler that sets an attribute of what it is given, asks the clock, and counts."""

    def __init__(self) -> None:
        super().__init__(logging.DEBUG)
        self.setFormatter(Keeping("%(message)s"))
        self.addFilter(self.keeps)
        self.count = 0

    def keeps(self, record: logging.LogRecord) -> bool:
        record.kept = time.time()
        return True

    def emit(self, record: logging.LogRecord) -> None:
        self.count += 1
        self.format(record)


class Keeping(logging.Formatter):
    """A formatter that keeps its own format and puts another in its place."""

    def format(self, record: logging.LogRecord) -> str:
        before, self._style._fmt = self._style._fmt, "%(levelname)s %(message)s"
        try:
            return super().format(record)
        except ValueError:
            return ""
        finally:
            self._style._fmt = before


@contextmanager
def listening(*names: str) -> Iterator[Marking]:
    """A handler of the loggers of these names, and all that they have to say."""
    handler = Marking()
    loggers = [logging.getLogger(name) for name in names]
    levels = [logger.level for logger in loggers]
    try:
        for logger in loggers:
            logger.addHandler(handler)
            logger.setLevel(logging.DEBUG)
        yield handler
    finally:
        for logger, level in zip(loggers, levels, strict=True):
            logger.removeHandler(handler)
            logger.setLevel(level)


TORCH = (
    "", "torch", "torch.__trace", "torch.fx.experimental.symbolic_shapes", "torch._subclasses.fake_tensor",
)  # fmt: skip


def test_torch_logs_what_it_captures() -> None:
    torch = pytest.importorskip("torch")
    with listening(*TORCH) as handler:
        assert_proved(lambda x: torch.relu(x).sum(-1), "x: n d -> n", "S(n) x S(d)")
        assert_proved(lambda x: torch.softmax(x @ x.T, -1) @ x, "x: n d -> n d", "S(n)")
    assert handler.count  # else nothing was tested


def test_jax_logs_what_it_compiles() -> None:
    jnp = pytest.importorskip("jax.numpy")
    with listening("", "jax", "jax._src.interpreters.pxla", "jax._src.dispatch") as handler:
        assert_proved(lambda x: jnp.tanh(x).sum(-1), "x: n d -> n", "S(n) x S(d)", budget=60)
    assert handler.count


def test_what_is_told_stays_as_it_was() -> None:
    """The loggers of torch have their handlers and levels afterwards."""
    torch = pytest.importorskip("torch")
    with listening(*TORCH) as handler:
        ep.prove(lambda x: torch.relu(x), "x: n -> n", "S(n)")
        assert all(handler in logging.getLogger(name).handlers for name in TORCH)
        assert all(logging.getLogger(name).level == logging.DEBUG for name in TORCH)


COUNTED, SEEN = [0], [""]


class Counting(logging.Handler):
    def emit(self, record: logging.LogRecord) -> None:
        COUNTED[0] += 1  # put back after a check, since the target reaches it
        SEEN[0] = record.name


@pytest.mark.parametrize("name", ["torch", "jax"])
def test_a_target_that_reads_what_a_handler_changes(name: str) -> None:
    """A near miss: a library logs, a handler counts, and the result depends on the count."""
    SEEN[0] = ""
    module = pytest.importorskip("torch" if name == "torch" else "jax.numpy")
    loggers = [logging.getLogger(n) for n in (*TORCH, "jax._src.interpreters.pxla", "jax._src.dispatch")]
    levels, handler = [logger.level for logger in loggers], Counting()
    for logger in loggers:
        logger.addHandler(handler)
        logger.setLevel(logging.DEBUG)
    try:
        verdict = ep.check(lambda x: module.tanh(x) * (COUNTED[0] + 1), "x: n -> n", "S(n)", budget=5)
    finally:
        for logger, level in zip(loggers, levels, strict=True):
            logger.removeHandler(handler)
            logger.setLevel(level)
    assert SEEN[0]
    assert verdict.grade not in ("PROVED", "DECIDED", "BOUNDED"), str(verdict)


def test_a_target_that_logs_itself() -> None:
    """A near miss: its own handler, called by its own code, decides what it returns."""
    torch = pytest.importorskip("torch")
    own = logging.getLogger("own")
    handler = Counting()
    own.addHandler(handler)

    def told(x: Any) -> Any:
        own.warning("called")
        return torch.tanh(x) * (COUNTED[0] + 1)

    try:
        verdict = ep.check(told, "x: n -> n", "S(n)", budget=5)
    finally:
        own.removeHandler(handler)
    assert verdict.grade not in ("PROVED", "DECIDED", "BOUNDED"), str(verdict)


def test_a_test_runner_that_is_no_installed_package(tmp_path: Path) -> None:
    """As after ``pip install --target``: the package that handles what is logged lies on PYTHONPATH."""
    pytest.importorskip("torch")
    (tmp_path / "runner").mkdir()
    (tmp_path / "runner" / "__init__.py").write_text(textwrap.dedent("""
        import logging

        class Handler(logging.Handler):
            def emit(self, record):
                record.seen = True
                self.formatter._style._fmt = "%(message)s"
                self.format(record)

        def run(function):
            handler = Handler()
            handler.setFormatter(logging.Formatter("%(levelname)s %(message)s"))
            for name in ("", "torch.__trace", "torch.fx.experimental.symbolic_shapes"):
                logging.getLogger(name).addHandler(handler)
                logging.getLogger(name).setLevel(0 if not name else 10)
            return function()
    """))
    (tmp_path / "claim.py").write_text(textwrap.dedent("""
        import eqvproof as ep, runner, torch

        def mean(x):
            return torch.tanh(x).mean(0)

        print(runner.run(lambda: ep.prove(mean, "x: n d -> d", "S(n) x S(d)")).grade)
    """))
    paths = [str(tmp_path), str(Path(ep.__file__).parents[1]), os.environ.get("PYTHONPATH", "")]
    made = subprocess.run(
        [sys.executable, "claim.py"], cwd=tmp_path, env={**os.environ, "PYTHONPATH": os.pathsep.join(paths)},
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert made.stdout.split() == ["PROVED"], made.stdout + made.stderr[-2000:]
