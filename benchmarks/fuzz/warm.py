"""A pytest session that stays warm: each change of the package is tried in a fork of it.

A first fork runs all tests and notes which lines each reaches (with coverage.py) and how long it takes; what
fails there is left out. A change inside a function is put into the live function; the tests that reach it
run, those that cost least for what they look at first, and the first failure ends the fork.
"""

from __future__ import annotations

import ast
import functools
import gc
import importlib
import json
import os
import resource
import signal
import sys
import time
import types
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from difflib import SequenceMatcher
from pathlib import Path
from typing import Any

import pytest
from _pytest.runner import runtestprotocol

from benchmarks.fuzz.mutants import ROOT, Mutation, replaced_functions, replaced_statement

NOTICED, SURVIVED, LEFT_OVER = 0, 1, 2


@dataclass
class Reached:
    """Which tests reach which lines.

    Attributes:
        seconds: of each test.
        lines: file -> line -> tests.
        sizes: test -> the number of lines that it reaches.
    """

    seconds: dict[str, float]
    lines: dict[str, dict[int, list[str]]]
    sizes: dict[str, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for lines in self.lines.values():
            for tests in lines.values():
                for test in tests:
                    self.sizes[test] = self.sizes.get(test, 0) + 1

    def tests(self, file: str, mutation: Mutation) -> list[str]:
        """The tests that reach a change: in turn the cheapest of what is special, and of what sees most."""
        lines = self.lines.get(file, {})
        if mutation.place:
            found = {t for k in range(mutation.lines[0], mutation.lines[1] + 1) for t in lines.get(k, ())}
        else:
            found = {t for tests in lines.values() for t in tests}
        special = sorted(found, key=lambda t: (self.seconds[t] + 0.002) * self.sizes[t])
        broad = sorted(found, key=lambda t: (self.seconds[t] + 0.002) / self.sizes[t])
        return list(dict.fromkeys(t for pair in zip(special, broad, strict=True) for t in pair))


def in_a_fork(work: Callable[[], int], seconds: float, patience: float = 20) -> int:
    """What a function returns in a process of its own.

    NOTICED where that dies, or computes for more than some seconds; LEFT_OVER where the clock alone is
    ``patience`` times further, since another process may have had the machine.
    """
    child = os.fork()
    if child == 0:
        status = LEFT_OVER
        with suppress(BaseException):
            os.setpgid(0, 0)
            nothing = os.open(os.devnull, os.O_RDWR)
            for stream in (0, 1, 2):
                os.dup2(nothing, stream)
            resource.setrlimit(resource.RLIMIT_AS, (8 * 2**30, 8 * 2**30))
            limit_time(int(seconds) + 1)
            status = work()
        os._exit(status)
    end = time.monotonic() + patience * seconds
    pause = 0.002
    while True:
        done, status = os.waitpid(child, os.WNOHANG)
        if done:
            return os.waitstatus_to_exitcode(status) if os.WIFEXITED(status) else NOTICED
        if time.monotonic() > end:
            with suppress(ProcessLookupError):
                os.killpg(child, signal.SIGKILL)
            os.waitpid(child, 0)
            return LEFT_OVER
        time.sleep(pause)
        pause = min(2 * pause, 0.05)


def limit_time(seconds: int) -> None:
    """After so many seconds of computing, counted from its beginning, this process ends."""
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, resource.getrlimit(resource.RLIMIT_CPU)[1]))


class Warm:
    """A pytest plugin whose session, in place of running tests, answers `survives`."""

    def __init__(
        self,
        files: list[Path],
        record: Path,
        minutes: float,
        work: Callable[[Warm], None],
        earlier: Callable[[str], float] = lambda _: 0.0,
    ) -> None:
        self._files, self._record, self._minutes, self._work = files, record, minutes, work
        self._earlier = earlier
        self._items: dict[str, pytest.Item] = {}
        self._functions: dict[tuple[str, int], list[types.FunctionType]] = defaultdict(list)
        self._caches: list[Any] = []
        self._at_import: set[tuple[str, str, int]] = set()
        self.reached = Reached({}, {})

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """Everything happens here."""
        self._items = {item.nodeid: item for item in session.items}
        for name in module_names(self._files):
            importlib.import_module(name)  # some are imported when they are needed only
        gc.unfreeze()  # the tests freeze what is imported first
        for thing in gc.get_objects():
            if type(thing) is types.FunctionType:  # a proxy may warn when it is asked for its class
                code = thing.__code__
                self._functions[code.co_filename, code.co_firstlineno].append(thing)
            elif type(thing) is functools._lru_cache_wrapper:
                self._caches.append(thing)
        found = self._known()
        if missing := [name for name in self._items if name not in found["seen"]]:
            in_a_fork(lambda: self._write_record(found, missing), 60 * self._minutes + 900)
            found = self._known()
        seconds = {t: s for t, s in found["seconds"].items() if t in self._items}
        lines = {
            f: {int(k): [t for t in tests if t in seconds] for k, tests in lines.items()}
            for f, lines in found["lines"].items()
        }
        self.reached = Reached(seconds, lines)
        self._at_import = {*called_at_import(self._files)}
        gc.freeze()
        self._work(self)
        return True

    def _run(
        self, tests: list[str], seconds: float = float("inf"), *, limited: bool = False
    ) -> Iterator[tuple[str, bool, float]]:
        """Each test, whether it passed, and its time; none begins after some seconds of computing.

        Where it is limited, a test that takes ten times as long as before ends the process.
        """
        begin = time.process_time()
        for k, name in enumerate(tests):
            start = time.process_time()
            if start - begin > seconds:
                return
            after = self._items[tests[k + 1]] if k + 1 < len(tests) else None
            if limited:
                limit_time(int(start + 10 * self.reached.seconds[name]) + 4)
            reports = runtestprotocol(self._items[name], nextitem=after, log=False)
            yield name, not any(r.failed for r in reports), time.process_time() - start

    def _known(self) -> dict[str, Any]:
        """The record; its lines are those of the files as they stand today."""
        found: dict[str, Any] = {"texts": {}, "seen": [], "seconds": {}, "lines": {}}
        if self._record.exists():
            found = json.loads(self._record.read_text())
        for path in self._files:
            file = str(path.relative_to(ROOT))
            new, old = path.read_text(), found["texts"].get(file, "")
            if new != old and file in found["lines"]:
                found["lines"][file] = moved_lines(found["lines"][file], old.split("\n"), new.split("\n"))
            found["texts"][file] = new
        return found

    def _write_record(self, found: dict[str, Any], names: list[str]) -> int:
        """Adds what some tests reach: first those that an earlier record shows to be cheap."""
        import coverage

        tracer = coverage.Coverage(data_file=None, include=[str(f) for f in self._files], config_file=False)
        begin = time.monotonic()
        tracer.start()
        for name in sorted(names, key=self._earlier):
            if time.monotonic() - begin > self._minutes * 60:
                break  # the rest stays out
            tracer.switch_context(name)
            for cache in self._caches:
                cache.cache_clear()
            found["seconds"] |= {test: took for test, passed, took in self._run([name]) if passed}
            found["seen"].append(name)
        tracer.stop()
        data = tracer.get_data()
        for file in data.measured_files():
            lines = found["lines"].setdefault(str(Path(file).relative_to(ROOT)), {})
            for k, tests in data.contexts_by_lineno(file).items():
                lines.setdefault(str(k), []).extend(t for t in tests if t)
        self._record.write_text(json.dumps(found))
        return 0

    def survives(self, file: str, number: int, mutation: Mutation, seconds: float) -> int:
        """NOTICED, SURVIVED, or LEFT_OVER where the change is none of a live function or time ran out."""
        live, statement = [], None
        changes = replaced_functions(ROOT / file, number)
        if changes is None:
            statement = replaced_statement(ROOT / file, number)
            if statement is None:
                return LEFT_OVER
        for old, new in changes or []:
            named = self._functions[old.co_filename, old.co_firstlineno]
            found = [f for f in named if f.__code__ == old]
            started = (old.co_filename, old.co_qualname, old.co_firstlineno) in self._at_import
            if not found or started:
                return LEFT_OVER
            live += [(f, new) for f in found]
        tests = self.reached.tests(file, mutation)
        if not tests:
            return SURVIVED

        def work() -> int:
            for function, code in live:
                function.__code__ = code
            if statement is not None:
                carry_out(statement, file)
            for cache in self._caches:
                cache.cache_clear()
            done = 0
            for _, passed, _ in self._run(tests, seconds, limited=True):
                done += 1
                if not passed:
                    return NOTICED
            return SURVIVED if done == len(tests) else LEFT_OVER

        return in_a_fork(work, 2 * seconds + 30)


def moved_lines(lines: dict[str, list[str]], old: list[str], new: list[str]) -> dict[str, list[str]]:
    """The tests of each line of a file with another text; of a new line, those of the lines it replaces."""
    found: dict[str, list[str]] = {}
    for _, a, b, c, d in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        for k in range(c, d):
            before = [k - c + a] if b - a == d - c else range(max(0, a - 1), b)
            tests = {t for i in before for t in lines.get(str(i + 1), ())}
            found |= {str(k + 1): sorted(tests)} if tests else {}
    return found


def carry_out(statement: ast.Module, file: str) -> None:
    """Sets the names of a statement of a module, wherever they are known under the same name."""
    [name] = module_names([ROOT / file])
    own = vars(sys.modules[name])
    before = dict(own)
    exec(compile(statement, file, "exec"), own)
    for key in [k for k in own if k not in before or own[k] is not before[k]]:
        for module in list(sys.modules.values()):
            if key in before and vars(module).get(key) is before[key]:
                setattr(module, key, own[key])


def module_names(files: list[Path]) -> list[str]:
    """The modules of files, without those that run when they are imported."""
    names = [".".join(f.relative_to(ROOT).with_suffix("").parts) for f in files]
    return [n.removesuffix(".__init__") for n in names if not n.endswith("__main__")]


def called_at_import(files: list[Path]) -> list[tuple[str, str, int]]:
    """The functions of files that run while they are imported: (file, name, line)."""
    modules = module_names(files)
    code = (
        "import sys, json, importlib\nfound = set()\n"
        "def note(frame, event, _):\n"
        "    c = frame.f_code\n"
        "    if event == 'call': found.add((c.co_filename, c.co_qualname, c.co_firstlineno))\n"
        "sys.setprofile(note)\n"
        f"for m in {modules!r}: importlib.import_module(m)\n"
        "sys.setprofile(None)\nprint(json.dumps(sorted(found)))\n"
    )
    import subprocess

    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    return [tuple(x) for x in json.loads(done.stdout) if x[0].startswith(str(ROOT))]
