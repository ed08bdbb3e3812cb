"""The package's own rules, elaborator and kernel, changed in one place at a time: do the tests notice?

    python benchmarks/mutation.py [--sample 300] [--seed 0] [--part rules] [--minutes 60] [--state FILE]
    python benchmarks/mutation.py --part kernel --files points.py space.py --state points.json
    python benchmarks/mutation.py --part kernel --part elaborate --state points.json rest.json --page \
        --out benchmarks/mutation_kernel.md

The second tries changes of some files of the kernel, by the tests of the kernel; the third writes the page
of what was tried by several.

Changes: swapped comparisons, dropped conditions, `and` for `or`, other numbers (axes), lifted limits, other
operators, `any` for `all`, checks and steps skipped, a test that says yes to everything. A change is noticed
when a test that reaches it fails, or does not end in the time allowed. Most are tried in a fork of a warm
session (benchmarks/fuzz/warm.py); those that act while a module is imported, and those that no warm test
notices, in a copy of the package, where the tests that start processes of their own see them too. What
survives is listed, with the reason from benchmarks/fuzz/survivors.toml where one is known. Changes that
reviewers named (benchmarks/fuzz/named.toml) are all tried, each against the tests of the kernel; `--sample 0`
tries these alone, and keeps what an earlier report says of others. Limits are of computing time, not of the
clock: a busy machine makes a change an open one, never a noticed one.

With `--state` the results are kept: a second run goes on, and with `--again survives` tries what survived
once more, by all cases of all tests, `--again open` what was left open. What has a reason is tried by warm
tests alone. Results of a function that has another text today are not used.
Needs coverage.py.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import random
import re
import resource
import shutil
import subprocess
import sys
import tempfile
import time
import tomllib
from collections import Counter
from collections.abc import Callable
from functools import lru_cache
from itertools import zip_longest
from pathlib import Path
from typing import Any

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import ast

from benchmarks.fuzz.mutants import ROOT, Mutation, key, mutated, mutations, with_texts
from benchmarks.fuzz.warm import LEFT_OVER, NOTICED, SURVIVED, Warm

PARTS = {
    "rules": ("eqvproof/programs/rules/*.py",),
    "kernel": ("eqvproof/kernel/**/*.py",),
    "elaborate": ("eqvproof/engines/elaborate/*.py",),
}
KERNEL = (
    "tests/kernel",
    "tests/programs/rules/test_tables.py",
    "tests/invariants/test_certificates.py",
    "tests/invariants/test_orbit.py",
    "tests/invariants/test_congruence.py",
    "tests/engines/test_representations.py",
    "tests/engines/test_translations_by_forms.py",
    "tests/engines/test_kept_eigenvectors.py",
    "tests/claims/groups/test_forms.py",
    "tests/claims/groups/test_unitary.py",
    "tests/claims/groups/test_cells.py",
    "tests/models/test_each.py",
)
#: From a Program to forms, which the tests of the printer for Rocq read, too.
ELABORATE = ("tests/engines/elaborate", "tests/rocq", "tests/kernel/test_form_proofs.py")
TESTS = (
    *KERNEL,
    *ELABORATE,
    "tests/programs/rules",
    "tests/engines/identity",
    "tests/engines/test_infer.py",
    "tests/engines/test_gl.py",
    "tests/engines/test_cyclic.py",
    "tests/engines/test_positions.py",
    "tests/engines/test_eigenvalues.py",
    "tests/engines/test_eigenvectors.py",
    "tests/engines/test_pseudo_inverse.py",
    "tests/claims/groups/test_custom.py",
)
#: Tests that change the rules themselves.
SLOW = ("tests/engines/identity/test_mutants.py", "tests/programs/rules/test_mutants.py")
#: Tests that start processes, which see a change only in a copy of the package.
APART = {
    "rules": (),
    "kernel": ("tests/kernel/test_alone.py", "tests/docs/test_limits.py"),
    "elaborate": (),
}
#: The parts whose changes are tried by their own tests alone.
OWN_TESTS = {"kernel": KERNEL, "elaborate": ELABORATE}
REASONS = Path(__file__).parent / "fuzz" / "survivors.toml"
NAMED = Path(__file__).parent / "fuzz" / "named.toml"
NAMED_TITLE = "## Changes that reviewers named"
#: Tests that look at single checks of the kernel come first.
FIRST = ("near", "near_identities", "near_powers", "values")
#: What is found of a change, the less the earlier.
BETTER = ("open", "survives", "noticed")
Changes = list[tuple[str, int, Mutation]]


def files_of_all() -> list[Path]:
    """The files that are changed, in one order."""
    return [p for patterns in PARTS.values() for pattern in patterns for p in sorted(ROOT.glob(pattern))]


def every(part: str) -> Changes:
    """All changes of a part's files."""
    files = sorted(p for pattern in PARTS[part] for p in ROOT.glob(pattern))
    return [(str(p.relative_to(ROOT)), k, m) for p in files for k, m in enumerate(mutations(p))]


def chosen(part: str, options: argparse.Namespace) -> Changes:
    """A sample of the changes of a part, in random order: a smaller one is the beginning of a larger one."""
    all_of_them = every(part)
    random.Random(f"{options.seed} {part}").shuffle(all_of_them)
    asked = [c for c in all_of_them if not options.files or any(Path(c[0]).match(f) for f in options.files)]
    return asked[: options.sample]


class Copy:
    """The package and its tests in a folder of their own, one file changed."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        for name in ("eqvproof", "tests", "benchmarks", "docs", "pyproject.toml", "README.md"):
            if (ROOT / name).is_dir():
                shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
            else:
                shutil.copy(ROOT / name, folder / name)

    def survives(
        self, file: str, number: int, tests: list[str], apart: tuple[str, ...], seconds: float
    ) -> int:
        """SURVIVED where the tests pass all the same, NOTICED where one fails, else LEFT_OVER."""
        whole, target = (ROOT / file).read_text(), self._folder / file
        target.write_text(ast.unparse(mutated(ROOT / file, number)))
        try:
            found = self._run(tests, seconds)
            for test in apart:
                found = found if found != SURVIVED else self._run([test], 300, listed=False)
            return found
        finally:
            target.write_text(whole)

    def noticed_by(self, change: dict[str, str]) -> str:
        """The first test that fails where a text of a file is replaced, or ""."""
        whole, target = (ROOT / change["file"]).read_text(), self._folder / change["file"]
        if whole.count(change["before"]) != 1:
            raise SystemExit(f"{change['name']}: the text does not stand in {change['file']} once")
        target.write_text(whole.replace(change["before"], change["after"]))
        command = [sys.executable, "-m", "pytest", "-n0", "-p", "no:cacheprovider", "-xqm", "not slow"]
        environment = {**os.environ, "PYTHONPATH": str(self._folder), "PYTHONDONTWRITEBYTECODE": "1"}
        failed: list[str] = []
        for tests in ([f"tests/kernel/test_{name}.py" for name in FIRST], ["tests/kernel"]):
            done = subprocess.run(
                [*command, *tests],
                cwd=self._folder,
                env=environment,
                capture_output=True,
                text=True,
                check=False,
            )
            failed += [line.split()[1] for line in done.stdout.splitlines() if line.startswith("FAILED ")]
            if failed:
                break
        target.write_text(whole)
        return failed[0].split("[")[0] if failed else ""

    def _run(self, tests: list[str], seconds: float, *, listed: bool = True) -> int:
        files = [f for f in sorted({t.split("::")[0] for t in tests}) if (self._folder / f).exists()]
        if not files:
            return SURVIVED
        command = [sys.executable, "-m", "pytest", "-n0", "-p", "no:cacheprovider", "-xq", "--all-cases"]
        command += files
        environment = {
            **os.environ, "PYTHONPATH": str(self._folder), "PYTHONDONTWRITEBYTECODE": "1",
        }  # fmt: skip
        if listed:
            command[3:3] = ["-p", "benchmarks.fuzz.chosen"]
            listing = self._folder / "chosen.json"
            listing.write_text(json.dumps(tests))
            environment |= {"EQVPROOF_CHOSEN": str(listing), "EQVPROOF_SECONDS": str(seconds)}
        limit = int(2 * seconds + 60)

        def no_longer() -> None:
            resource.setrlimit(resource.RLIMIT_CPU, (limit, limit + 5))

        try:
            done = subprocess.run(
                command,
                cwd=self._folder,
                env=environment,
                capture_output=True,
                timeout=20 * limit,
                preexec_fn=no_longer,
                check=False,
            )
        except subprocess.TimeoutExpired:
            return LEFT_OVER  # another process may have had the machine
        if b"the time is over" in done.stdout:
            return LEFT_OVER
        if done.returncode == pytest.ExitCode.USAGE_ERROR:
            raise SystemExit(done.stderr.decode())
        return SURVIVED if done.returncode in (0, 5) else NOTICED  # 5: none was listed


def try_changes(
    warm: Warm, copy: Copy, options: argparse.Namespace, results: dict[str, str], digests: dict[str, str]
) -> None:
    """Tries what is not known yet, and keeps what was found."""
    end = time.monotonic() + 60 * options.minutes
    samples = [[(p, *x) for x in chosen(p, options)] for p in options.part or PARTS]
    turn, of = options.turn
    every_one = [x for row in zip_longest(*samples) for x in row if x is not None]
    for part, file, number, mutation in every_one[turn::of]:
        name = key(file, mutation)
        known = reason_of(file, mutation)
        if results.get(name) not in (options.again or (None,)) or (options.again and known):
            continue
        if time.monotonic() > end:
            return
        start = time.monotonic()
        found, how = warm.survives(file, number, mutation, options.seconds), "warm"
        if found != NOTICED and known:
            found = SURVIVED  # as its reason says: no copy of the package is made for it
        elif found != NOTICED and not options.warm_only:
            seen = found == SURVIVED and mutation.place  # what is read at import no warm test sees
            tests = [] if seen else warm.reached.tests(file, mutation)
            how = "copy"
            found = copy.survives(file, number, tests, APART[part], options.seconds)
        results[name] = {NOTICED: "noticed", SURVIVED: "survives"}.get(found, "open")
        took = time.monotonic() - start
        print(
            f"{results[name]}: {file}:{mutation.lines[0]} {mutation.kind} ({how}, {took:.1f} s)",
            file=options.log, flush=True,
        )  # fmt: skip
        if options.state:
            part_file = options.state[0].with_suffix(".part")
            kept = {name: [found, digests[name]] for name, found in results.items() if name in digests}
            part_file.write_text(json.dumps(kept, indent=0, ensure_ascii=False))
            part_file.replace(options.state[0])


def earlier_results(states: list[Path], digests: dict[str, str]) -> dict[str, str]:
    """What was found before, of the functions that have the same text today: the best of all."""
    results: dict[str, str] = {}
    for state in filter(Path.exists, states):
        for name, (found, text) in json.loads(state.read_text()).items():
            if digests.get(name) == text:
                results[name] = max(found, results.get(name, "open"), key=BETTER.index)
    return results


def cheap_first(record: Path | None) -> Callable[[str], float]:
    """An earlier record's time of a test; of the cheapest one that reaches a line, less."""
    if record is None:
        return lambda _: 0.0
    found = json.loads(record.read_text())
    seconds = found["seconds"]
    lines = [tests for lines in found["lines"].values() for tests in lines.values()]
    known = [[t for t in tests if t in seconds] for tests in lines]
    best = {min(tests, key=seconds.__getitem__) for tests in known if tests}
    return lambda test: seconds.get(test, 0.4) - (test in best)


def reason_of(file: str, m: Mutation) -> str:
    """Why a change survives, where that is known: of itself, or by the rule of a class of statements."""
    own, rules = _reasons()
    text = (ROOT / file).read_text().split("\n")[m.lines[0] - 1 : m.lines[1]]
    whole = f"{key(file, m)} | {' '.join(line.strip() for line in text)}"
    return own.get(key(file, m)) or next((why for rule, why in rules if rule.fullmatch(whole)), "")


@lru_cache
def _reasons() -> tuple[dict[str, str], list[tuple[re.Pattern[str], str]]]:
    """The reasons of changes, and those of classes: patterns of a change with its statement behind it."""
    known = tomllib.loads(REASONS.read_text())
    rules = [(re.compile(r["changes"], re.DOTALL), r["reason"]) for r in known.get("rule", [])]
    return {r["change"]: r["reason"] for r in known["survivor"]}, rules


def named(copy: Copy) -> tuple[str, int]:
    """A table of the changes that reviewers named, and how many were not noticed."""
    lines = [
        NAMED_TITLE, "",
        "| change | file | noticed by |", "|---|---|---|",
    ]  # fmt: skip
    missed = 0
    for change in tomllib.loads(NAMED.read_text())["change"]:
        test = copy.noticed_by(change)
        missed += not test
        print(f"{change['name']}: {test or 'no test'}", file=sys.stderr, flush=True)
        lines.append(f"| {change['name']} | `{change['file']}` | {f'`{test}`' if test else 'no test'} |")
    return "\n".join([*lines, ""]), missed


def is_trusted(options: argparse.Namespace) -> bool:
    """Whether all parts have tests of their own."""
    return bool(options.part) and {*options.part} <= {*OWN_TESTS}


def report(options: argparse.Namespace, results: dict[str, str]) -> tuple[str, int]:
    """The figures, and the number of survivors without a reason."""
    lines = [
        f"# Mutation{' of the kernel and the elaborator' if is_trusted(options) else ''}", "",
        f"Written by `benchmarks/mutation.py` (Python {platform.python_version()}): of all changes, in a"
        " random order, the first of each part or of some of its files, as many as the time allowed. Each was"
        " made to its function as it stands today.", "",
        "A change is open where the time allowed ended before all tests that reach it had run; it does not"
        " count as tried.", "",
        "| part | changes in all | tried | noticed | survived, with a reason | survived | noticed of tried |"
        " noticed of those that matter | open |",
        "|---|---|---|---|---|---|---|---|---|",
    ]  # fmt: skip
    survivors: list[str] = []
    unexplained = 0
    for part in options.part or PARTS:
        sample = [(f, m) for f, _, m in chosen(part, options) if key(f, m) in results]
        counts: Counter[str] = Counter()
        for file, m in sample:
            if (state := results[key(file, m)]) in ("noticed", "open"):
                counts[state] += 1
                continue
            reason = reason_of(file, m)
            counts["explained" if reason else "survived"] += 1
            survivors.append(
                f"- `{file}`, `{m.place}`, line {m.lines[0]}, {m.kind}: `{m.before}` became `{m.after}`."
                f" {reason or 'No reason is known.'}"
            )
        unexplained += counts["survived"]
        tried, good = len(sample) - counts["open"], counts["noticed"]
        if tried:
            rest = max(1, tried - counts["explained"])
            lines.append(
                f"| {part} | {len(every(part))} | {tried} | {good} | {counts['explained']} |"
                f" {counts['survived']} | {100 * good / tried:.1f} % | {100 * good / rest:.1f} % |"
                f" {counts['open']} |"
            )
    lines += ["", "## Survivors", "", *(survivors or ["None."]), ""]
    return "\n".join(lines), unexplained


def main() -> int:
    """Try a sample and write the figures."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--sample", type=int, help="changes of each part; without, all until time is over")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--part", choices=sorted(PARTS), action="append")
    parser.add_argument("--tests", nargs="+", help="those that are asked, in place of all")
    parser.add_argument("--files", nargs="+", help="only of these of its files, as orbits.py or rules/*.py")
    parser.add_argument("--seconds", type=float, default=20, help="for the tests of one change, warm")
    parser.add_argument("--minutes", type=float, default=float("inf"), help="no change is tried after these")
    parser.add_argument("--state", type=Path, nargs="+", default=[], help="results, kept in the first")
    parser.add_argument("--page", action="store_true", help="tries nothing, and writes what --state knows")
    parser.add_argument(
        "--again",
        choices=("survives", "open"),
        action="append",
        default=[],
        help="tries these of --state once more, and nothing new, where no reason is known",
    )
    parser.add_argument("--warm-only", action="store_true", help="tries nothing in a copy")
    parser.add_argument(
        "--record", type=Path, help="which test reaches what: kept here, reused where it exists"
    )
    parser.add_argument("--earlier", type=Path, help="a record of other files: tests cheap there come first")
    parser.add_argument(
        "--turn", type=int, nargs=2, default=(0, 1), help="of the changes those in this turn of so many"
    )
    parser.add_argument("--first", type=float, default=30, help="minutes for seeing what the tests reach")
    parser.add_argument("--out", type=Path, default=Path(__file__).with_suffix(".md"))
    options = parser.parse_args()
    files = files_of_all()
    digests = {key(str(p.relative_to(ROOT)), m): text for p in files for m, text in with_texts(p)}
    results = earlier_results(options.state, digests)
    options.log = os.fdopen(os.dup(2), "w")
    os.environ.update(OPENBLAS_NUM_THREADS="1", OMP_NUM_THREADS="1", HYPOTHESIS_PROFILE="mutation")
    os.chdir(ROOT)
    table, missed = "", 0
    with tempfile.TemporaryDirectory() as folder:
        copy = Copy(Path(folder) / "copy")
        if not options.part and not options.page:
            table, missed = named(copy)
        if options.sample == 0:
            others = options.out.read_text().partition(NAMED_TITLE)[0].rstrip()
            options.out.write_text(f"{others}\n\n{table}")
            print(table)
            return 1 if missed else 0

        def work(warm: Warm) -> None:
            try_changes(warm, copy, options, results, digests)

        plugin: Any = Warm(
            files,
            options.record or Path(folder) / "record.json",
            options.first,
            work,
            cheap_first(options.earlier),
        )
        without = [f"--ignore={t}" for t in (*APART["kernel"], *SLOW)]
        tests = options.tests or TESTS
        if is_trusted(options) and not options.tests:
            tests = [*dict.fromkeys(t for part in options.part for t in OWN_TESTS[part])]
        asked = [*tests, *without, "-n0", "-q", "-p", "no:cacheprovider", "-m", "not slow"]
        asked += ["--all-cases"] * bool(options.again)
        if not options.page:
            pytest.main(asked, plugins=[plugin])
    text, unexplained = report(options, results)
    text = f"{text}\n{table}" if table else text
    options.out.write_text(text)
    print(text)
    return 1 if unexplained or missed else 0


if __name__ == "__main__":
    sys.exit(main())
