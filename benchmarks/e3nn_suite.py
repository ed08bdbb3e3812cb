"""e3nn's own tests with our assertion in place of theirs: one verdict for each place where they assert.

    python benchmarks/e3nn_suite.py e3nn-0.6.0 [--budget 30] [--calls 1] [-k parts_of_paths] [--out page.md]

The argument is the folder of e3nn's source distribution, which holds the tests. Each file runs in a process
of its own, in which ``e3nn.util.test.assert_equivariant`` asks for a verdict and passes, whatever it says; of
each place the first calls are judged, and a test with no place that is still to be judged is not run. What
the tests ask besides stays as it is, and is not counted, but for
``assert_auto_jitable`` and ``assert_torch_compile``, which turn modules into TorchScript in place: these are
left out.

Whether an assertion holds of a real function is what the verdict says, with a certificate that the kernel has
accepted: it does not where it FAILS, EXACT or ENCLOSED, by more than rounded constants explain. Of a target
that answers two equal calls differently nothing can be claimed.
"""

from __future__ import annotations

import argparse
import collections
import inspect
import json
import random
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

#: The verdicts that are counted, and those by which an assertion does not hold.
KEEPS = ("PROVED", "DECIDED", "BOUNDED", "nothing claimed")
BROKEN = ("EXACT", "ENCLOSED")
#: What is said of a violation that is no larger than the rounding of constants explains.
ROUNDED = "rounded constants in the target may be all"
#: What is said of a target that is no function of its arguments.
DIFFERS = "two equal calls of the target gave different answers"


def main() -> None:
    """The verdicts, as they come, and the counts."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("source", type=Path)
    parser.add_argument("--budget", type=float, default=30)
    parser.add_argument("--calls", type=int, default=1)
    parser.add_argument("--limit", type=float, default=600, help="seconds for a file")
    parser.add_argument("-k", default="", help="files whose path holds this")
    parser.add_argument("--out", type=Path, help="where the page is written")
    parser.add_argument("--file", type=Path, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.file:
        _run(given.file, given.budget, given.calls)
        return
    rows: list[dict[str, Any]] = []
    for file in sorted((given.source / "tests").rglob("*test*.py")):
        if "assert_equivariant(" not in file.read_text() or given.k not in str(file):
            continue
        command = [sys.executable, __file__, str(given.source), "--file", str(file)]
        command += ["--budget", str(given.budget), "--calls", str(given.calls)]
        try:
            done = subprocess.run(command, capture_output=True, text=True, timeout=given.limit, check=False)
            text = done.stdout
        except subprocess.TimeoutExpired as late:
            text = late.stdout.decode() if isinstance(late.stdout, bytes) else late.stdout or ""
        for line in text.splitlines():
            if line.startswith('{"place"'):
                found = json.loads(line)
                rows.append(found)
                print(
                    f"{found['place']:55} {found['verdict']:16} {found['seconds']:6.1f} s  {found['why']}",
                    flush=True,
                )
    page = _page(given.source.name, rows, given)
    print("\n" + page.split("\n\n")[2])
    if given.out:
        given.out.write_text(page)


def _page(name: str, rows: list[dict[str, Any]], given: argparse.Namespace) -> str:
    """The counts, then the verdicts place by place, with reasons where they are not among `KEEPS`."""
    counts = collections.Counter(str(row["verdict"]) for row in rows)
    good = sum(counts[k] for k in KEEPS)
    said = ", ".join(f"{n} {verdict}" for verdict, n in counts.most_common())
    kinds = collections.Counter(str(row["holds"]) for row in rows)
    left = len(rows) - kinds["no"] - kinds["no function"]
    table = "\n".join(
        f"| `{row['place']}` | {row['verdict']} | {row['holds']} | {row['kernel']} | {row['seconds']:.1f} "
        f"| {row['why'].replace('|', '/')} |"
        for row in rows
    )
    return f"""# e3nn's own tests

Written by `benchmarks/e3nn_suite.py`: the tests of {name}, with our assertion in place of theirs; of each
place where they assert the first {given.calls} calls, with a budget of {given.budget:g} s each.

{good} of {len(rows)} ({100 * good / max(1, len(rows)):.0f} %) are proved, decided or bounded: {said}.

{kinds["no"]} do not hold of the functions that are computed, which a counterexample shows whose certificate
the kernel has re-checked, and {kinds["no function"]} are of targets that answer two equal calls differently.
Of the {left} others {good} ({100 * good / max(1, left):.0f} %) are proved, decided or bounded;
{kinds["up to rounding"]} of them fail by no more than the rounding of stored constants explains.

| place | verdict | holds | kernel | seconds | why |
|---|---|---|---|---|---|
{table}
"""


def _run(file: Path, budget: float, calls: int) -> None:
    import e3nn.util.test
    import pytest

    import eqvproof as ep
    from eqvproof.interface.testing import assertions
    from eqvproof.interface.testing.e3nn import assert_equivariant
    from eqvproof.support.errors import EqvproofError

    assertions._require = lambda verdict, floor: None  # type: ignore[assignment]

    seen: collections.Counter[str] = collections.Counter()

    def place_of(path: str, line: int) -> str:
        return f"{'/'.join(Path(path).parts[-2:])}:{line}"

    class JudgedOnce:
        """Skips a test without a place in it of which more calls are to be judged."""

        def pytest_runtest_setup(self, item: Any) -> None:
            lines, first = inspect.getsourcelines(item.function)
            own = [first + k for k, line in enumerate(lines) if "assert_equivariant(" in line]
            if all(seen[place_of(str(item.path), line)] >= calls for line in own):
                pytest.skip("judged")

    def asked(*args: Any, **kwargs: Any) -> None:
        frame = sys._getframe(1)
        place = place_of(frame.f_code.co_filename, frame.f_lineno)
        seen[place] += 1
        if seen[place] > calls:
            return
        start, why, holds, kernel = time.perf_counter(), "", "open", ""
        random.seed(0)  # of the size of the batch, where the test leaves it to e3nn
        try:
            verdict = assert_equivariant(*args, **kwargs, budget=budget)
            said = "nothing claimed" if verdict is None else str(verdict.grade) or str(verdict.outcome)
            if verdict is not None and verdict.certificate:
                kernel = "accepts" if ep.verify(verdict.certificate).accepted else "refuses"
            if said in KEEPS:
                holds = "yes"
            elif verdict is not None:
                why = verdict.reason
                if verdict.fails and verdict.counterexample is not None:
                    said = f"FAILS, {said}"
                    notes = [n for n in verdict.notes if ROUNDED in n or "kernel" in n]
                    why = "; ".join([f"by {verdict.counterexample.size:.1e} of the greatest entry", *notes])
                if verdict.grade in BROKEN and kernel == "accepts":
                    holds = "up to rounding" if any(ROUNDED in n for n in verdict.notes) else "no"
                elif DIFFERS in verdict.reason:
                    holds = "no function"
        except (EqvproofError, NotImplementedError, TypeError, ValueError, RuntimeError) as error:
            said, why = "error", f"{type(error).__name__}: {error}"
        seconds = time.perf_counter() - start
        entry = {
            "place": place,
            "verdict": said[:30],
            "holds": holds,
            "kernel": kernel,
            "seconds": seconds,
            "why": " ".join(why.split())[:220],
        }
        print("\n" + json.dumps(entry), flush=True)

    e3nn.util.test.assert_equivariant = asked
    e3nn.util.test.assert_auto_jitable = e3nn.util.test.assert_torch_compile = lambda module, *_, **__: module
    pytest.main(
        ["-q", "-x", "--maxfail=1000", "-s", "-p", "no:cacheprovider", "-W", "ignore", str(file)],
        [JudgedOnce()],
    )


if __name__ == "__main__":
    main()
