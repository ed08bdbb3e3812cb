"""Random Python functions, claims about them, and an oracle that shares nothing with the package.

    python benchmarks/source_fuzz.py [--programs 10000] [--seed 0] [--budget 0.6] [--out FILE]
    python benchmarks/source_fuzz.py --seed 0 --only 17      one case again: its text, its claim, its verdict
    python benchmarks/source_fuzz.py --again FILE            what a run that was kept called wrong, again

Each case is a function of source text (`benchmarks/fuzz/source.py`) and a claim that is true, nearly true, or
neither. Nearly half have a theme (`benchmarks/fuzz/themes.py`): stored weights whose sums are whole, nearly
whole or neither; ties; eigenvectors, also of matrices with equal eigenvalues; statements as people write them
(loops, early returns, handlers, closures). `check` answers as users call
it. What HOLDS at the grade PROVED, DECIDED or BOUNDED is attacked in floats at sizes of 1, 2, 3, 5, 8, equal
ones among them, and at 130; what FAILS is computed again at its counterexample; where floats and the verdict
disagree, and wherever weights are stored, exact numbers judge (`benchmarks/fuzz/exactly.py`). Points that a
verdict leaves out do not count against it.
The exit status is 1 where a verdict of a strong grade was wrong.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import sys
import time
from collections import Counter
from dataclasses import dataclass, field
from datetime import date
from functools import reduce
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import eqvproof as ep
from benchmarks.fuzz.judge import Case, case, shrunk

BUDGET = 0.6


@dataclass
class Tally:
    """Counts, and what was wrong."""

    answers: Counter[str] = field(default_factory=Counter)
    moving: Counter[str] = field(default_factory=Counter)
    families: Counter[str] = field(default_factory=Counter)
    backends: Counter[str] = field(default_factory=Counter)
    themes: Counter[str] = field(default_factory=Counter)
    strong: list[str] = field(default_factory=list)
    weak: list[str] = field(default_factory=list)
    doubts: list[str] = field(default_factory=list)
    programs: int = 0
    seconds: float = 0.0
    number: int = 0

    @staticmethod
    def read(path: Path | None) -> Tally:
        """What a run that ended early has kept."""
        kept = json.loads(path.read_text()) if path is not None and path.exists() else {}
        return Tally(**{k: Counter(v) if isinstance(v, dict) else v for k, v in kept.items()})

    def again(self, budget: float, *, libraries: bool) -> None:
        """The cases that were called wrong, asked and judged by the package and the oracle of today."""
        told, self.strong, self.weak = self.strong + self.weak, [], []
        for text in told:
            name, answer, _ = text.split(": ", 2)
            found = case(name, budget, libraries=libraries)
            if found is not None:
                self.answers[answer] -= 1
                self.answers[found.answer] += 1
                if found.wrong:
                    (self.strong if found.strong else self.weak).append(str(found))
                elif found.doubt:
                    self.doubts.append(str(found))

    def join(self, other: Tally) -> Tally:
        """The counts of two runs together."""
        return Tally(**{k: v + vars(other)[k] for k, v in vars(self).items()})

    def add(self, found: Case, budget: float) -> None:
        """One more case."""
        self.programs += 1
        self.answers[found.answer] += 1
        self.moving[found.answer] += found.moves
        self.families.update(f for f, _ in found.claim.factors)
        self.backends[found.source.backend] += 1
        self.themes[found.source.theme or "none"] += 1
        if found.wrong:
            text = str(shrunk(found, budget))
            (self.strong if found.strong else self.weak).append(text)
            print("WRONG" if found.strong else "WEAK", text, "", sep="\n", file=sys.stderr, flush=True)
        elif found.doubt:
            self.doubts.append(str(found))


def run(programs: int, seed: str, budget: float, tally: Tally, *, libraries: bool) -> None:
    """That many cases more from a seed."""
    end = tally.programs + programs
    while tally.programs < end:
        start = time.monotonic()
        found = case(f"{seed} {tally.number}", budget, libraries=libraries)
        tally.number += 1
        if found is not None:
            tally.add(found, budget)
        tally.seconds += time.monotonic() - start


def report(tally: Tally, seed: str) -> str:
    """What was done, as Markdown."""
    strong = sum(
        v for k, v in tally.answers.items() if k in ("HOLDS PROVED", "HOLDS DECIDED", "HOLDS BOUNDED")
    )
    lines = [
        "# Functions of random source text", "",
        f"Written by `benchmarks/source_fuzz.py` on {date.today()} (eqvproof {ep.__version__}, Python"
        f" {platform.python_version()}, NumPy {np.__version__}, one of {os.cpu_count()} cores):"
        f" {tally.programs} functions from seed {seed}, {tally.seconds / 60:.0f} minutes.", "",
        f"**Wrong verdicts of a strong grade: {len(tally.strong)}.** Other mistakes: {len(tally.weak)}."
        f" Violations in floats that exact numbers could not tell: {len(tally.doubts)}.", "",
        f"PROVED, DECIDED or BOUNDED {100 * strong / max(1, tally.programs):.0f} %.", "",
        "| answer | functions | of these the group moves the result |", "|---|---|---|",
        *(f"| {k} | {v} | {tally.moving[k]} |" for k, v in tally.answers.most_common()), "",
        "Groups: " + ", ".join(f"{k} {v}" for k, v in sorted(tally.families.items())) + ". Libraries: "
        + ", ".join(f"{k} {v}" for k, v in tally.backends.most_common()) + ". Themes: "
        + ", ".join(f"{k} {v}" for k, v in tally.themes.most_common()) + ".", "",
    ]  # fmt: skip
    for title, texts in (("Wrong", tally.strong), ("Other mistakes", tally.weak), ("Not told", tally.doubts)):
        if texts:
            lines += [f"## {title}", "", *(f"```python\n{t}\n```" for t in texts[:40]), ""]
    return "\n".join(lines).rstrip() + "\n"


def main() -> int:
    """Run, and write what was done."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--programs", type=int, default=10_000)
    parser.add_argument("--seed", default="0")
    parser.add_argument("--only", type=int, help="one case, by its number")
    parser.add_argument("--join", type=Path, nargs="+", help="the report of runs that were kept, together")
    parser.add_argument("--again", type=Path, help="a kept run whose wrong cases are asked and judged again")
    parser.add_argument("--keep", type=Path, help="a file from which a run that ended early goes on")
    parser.add_argument("--numpy", action="store_true", help="NumPy alone, as the daily test does")
    parser.add_argument("--budget", type=float, default=BUDGET)
    parser.add_argument("--out", type=Path, default=Path(__file__).with_suffix(".md"))
    options = parser.parse_args()
    if options.only is not None:
        found = case(f"{options.seed} {options.only}", options.budget, libraries=not options.numpy)
        print(found)
        return int(found is not None and found.strong)
    if options.join:
        options.out.write_text(report(reduce(Tally.join, map(Tally.read, options.join)), options.seed))
        return 0
    if options.again:
        tally = Tally.read(options.again)
        tally.again(options.budget, libraries=not options.numpy)
        options.again.write_text(json.dumps(vars(tally)))
        return int(bool(tally.strong))
    tally = Tally.read(options.keep)
    while tally.programs < options.programs:
        left = min(100, options.programs - tally.programs)
        run(left, options.seed, options.budget, tally, libraries=not options.numpy)
        options.out.write_text(report(tally, options.seed))
        if options.keep is not None:
            options.keep.write_text(json.dumps(vars(tally)))
        counts = f"{len(tally.strong)} wrong, {len(tally.weak)} weak, {len(tally.doubts)} not told"
        print(f"{tally.programs} programs: {counts}, {tally.seconds:.0f} s", flush=True)
    return int(bool(tally.strong))


if __name__ == "__main__":
    sys.exit(main())
