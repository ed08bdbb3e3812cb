"""The package's own rules, engines and kernel, changed in one place at a time: do the tests notice?

    python benchmarks/mutation.py [--sample 60] [--seed 0] [--part rules] [--out benchmarks/mutation.md]

Changes: swapped comparisons, dropped conditions, `and` for `or`, other numbers (axes), other operators, `any`
for `all`, checks and steps skipped. A change is noticed when the tests of its part fail, or do not end in the
time allowed. What survives is listed, with the reason where one is known why no test can notice it.
"""

from __future__ import annotations

import argparse
import os
import platform
import random
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from benchmarks.fuzz.mutants import ROOT, Mutation, mutations

#: Part -> (its files, the tests that must notice, quick ones first).
PARTS: dict[str, tuple[str, tuple[str, ...]]] = {
    "rules": (
        "eqvproof/rules/*.py",
        (
            "tests/rules", "tests/engines/test_infer.py", "tests/engines/test_check.py",
            "tests/kernel/test_rules.py",
        ),
    ),
    "kernel": (
        "eqvproof/kernel/*.py",
        (
            "tests/kernel/test_parts.py", "tests/kernel/test_corpora.py", "tests/kernel/test_rules.py",
            "tests/kernel/test_evaluate.py", "tests/kernel/test_interval.py",
        ),
    ),
    "decide": (
        "eqvproof/engines/decide/*.py",
        ("tests/engines/test_decide.py", "tests/engines/test_check.py"),
    ),
    "bounded": ("eqvproof/engines/bounded.py", ("tests/engines/test_bounded.py",)),
}  # fmt: skip
#: (file, changed code, what it became) -> why no test can notice it.
REASONS: dict[tuple[str, str, str], str] = {}


def chosen(part: str, sample: int, rng: random.Random) -> list[tuple[str, int, Mutation]]:
    """A sample of all changes of a part's files."""
    files = sorted(p for p in ROOT.glob(PARTS[part][0]) if p.name not in ("__init__.py", "__main__.py"))
    every = [
        (str(p.relative_to(ROOT)), k, m) for p in files for k, m in enumerate(mutations(p))
    ]  # fmt: skip
    return sorted(rng.sample(every, min(sample, len(every))), key=lambda x: x[:2])


def survives(file: str, number: int, tests: tuple[str, ...], seconds: float) -> bool:
    """Whether the tests pass all the same."""
    command = [
        sys.executable, "-m", "pytest", "-p", "benchmarks.fuzz.mutants", "-p", "no:cacheprovider", "-x", "-q",
        "-m", "not slow", *tests,
    ]  # fmt: skip
    environment = {
        **os.environ, "EQVPROOF_MUTANT": f"{file}:{number}", "PYTHONPATH": str(ROOT),
        "PYTHONDONTWRITEBYTECODE": "1", "OPENBLAS_NUM_THREADS": "1",
    }  # fmt: skip
    try:
        done = subprocess.run(
            command, cwd=ROOT, env=environment, capture_output=True, timeout=seconds, check=False
        )
    except subprocess.TimeoutExpired:
        return False
    return done.returncode == 0


def main() -> int:
    """Try a sample and write the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sample", type=int, default=60, help="changes of each part")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--part", choices=sorted(PARTS), action="append")
    parser.add_argument("--seconds", type=float, default=900, help="for the tests of one change")
    parser.add_argument("--minutes", type=float, default=float("inf"), help="no change is tried after these")
    parser.add_argument("--out", type=Path, default=Path(__file__).with_suffix(".md"))
    options = parser.parse_args()
    end = time.monotonic() + 60 * options.minutes
    lines = [
        "# Mutation", "",
        f"Written by `benchmarks/mutation.py` (Python {platform.python_version()}, seed {options.seed}).", "",
        "| part | changes in all | tried | noticed | survived, with a reason | survived |",
        "|---|---|---|---|---|---|",
    ]  # fmt: skip
    survivors: list[str] = []
    unexplained = 0
    for part in options.part or PARTS:
        rng = random.Random(f"{options.seed} {part}")
        pattern, tests = PARTS[part]
        total = sum(
            len(mutations(p)) for p in ROOT.glob(pattern) if p.name not in ("__init__.py", "__main__.py")
        )
        counts: Counter[str] = Counter()
        for file, number, mutation in chosen(part, options.sample, rng):
            if time.monotonic() > end:
                break
            counts["tried"] += 1
            alive = survives(file, number, tests, options.seconds)
            state = "survives" if alive else "noticed"
            print(f"{state}: {file}:{mutation.line} {mutation.kind}", file=sys.stderr, flush=True)
            if not alive:
                counts["noticed"] += 1
                continue
            reason = REASONS.get((file, mutation.before, mutation.after), "")
            counts["explained" if reason else "survived"] += 1
            unexplained += not reason
            survivors.append(
                f"- `{file}:{mutation.line}` {mutation.kind}: `{mutation.before}` became `{mutation.after}`."
                f" {reason or 'No reason is known.'}"
            )
        lines.append(
            f"| {part} | {total} | {counts['tried']} | {counts['noticed']} | {counts['explained']} |"
            f" {counts['survived']} |"
        )
    lines += ["", "## Survivors", "", *(survivors or ["None."]), ""]
    options.out.write_text("\n".join(lines))
    print("\n".join(lines))
    return 1 if unexplained else 0


if __name__ == "__main__":
    sys.exit(main())
