"""A review killed at random moments: what it leaves, and whether the next one completes.

    python benchmarks/kills.py [--kills 50] [--names my23.attn my23.prop3.1] [--out benchmarks/kills.md]

The reviews keep their rows (`--resume`) and go on from those of the one killed before, until one comes to
its end; then they are removed. After every kill (SIGKILL) all files under their final names are to be whole:
the report and the rows are JSON, the page ends, and the kernel accepts each certificate. The exit status is 1
where one is not, or where the review after the last kill does not end well.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import eqvproof as ep

ROOT = Path(__file__).resolve().parent.parent


def start(folder: Path, names: list[str]) -> subprocess.Popen[bytes]:
    """A review that writes everything it can."""
    command = [
        sys.executable, "-m", "eqvproof", "review", *names, "--budget", "1", "--json", "rows.json", "--html",
        "page.html", "--certificates", "certificates", "--resume", "rows",
    ]  # fmt: skip
    return subprocess.Popen(
        command, cwd=folder, env={**os.environ, "PYTHONPATH": str(ROOT)}, stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )  # fmt: skip


def broken(folder: Path) -> list[str]:
    """Files under final names that are not whole."""
    found = []
    page = folder / "page.html"
    for rows in (folder / "rows.json", *(folder / "rows").glob("[!.]*")):
        try:
            json.loads(rows.read_text() if rows.exists() else "{}")
        except ValueError:
            found.append(rows.name)
    if page.exists() and not page.read_text().rstrip().endswith("</html>"):
        found.append(page.name)
    for file in (folder / "certificates").glob("[!.]*"):
        try:
            whole = ep.verify(file.read_text()).accepted
        except ep.EqvproofError:
            whole = False
        if not whole:
            found.append(file.name)
    return found


def main() -> int:
    """Kill, look, and write what was seen."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kills", type=int, default=50)
    parser.add_argument("--names", nargs="*", default=["my23.attn", "my23.prop3.1"])
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--out", type=Path, default=Path(__file__).with_suffix(".md"))
    options = parser.parse_args()
    rng = random.Random(options.seed)
    halves: list[str] = []
    ended = 0
    kept = resumed = 0
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        start(folder, options.names).wait()  # compiles the sources
        shutil.rmtree(folder / "rows", ignore_errors=True)
        begin = time.monotonic()
        start(folder, options.names).wait()
        whole = time.monotonic() - begin
        files = len(list(folder.rglob("*.*")))
        for _ in range(options.kills):
            before = len(list((folder / "rows").glob("[!.]*")))
            process = start(folder, options.names)
            time.sleep(rng.uniform(0.05, 0.95) * whole)
            over = process.poll() is not None
            process.kill()
            process.wait()
            halves += broken(folder)
            ended += over
            after = len(list((folder / "rows").glob("[!.]*")))
            kept += 0 < after
            resumed += 0 < before
            if over:
                shutil.rmtree(folder / "rows", ignore_errors=True)
        last = start(folder, options.names).wait()
        halves += broken(folder)
        left = len([f for f in folder.rglob(".*") if f.is_file()])
    text = [
        "# Killed reviews", "",
        f"Written by `benchmarks/kills.py` (seed {options.seed}): a review of {' '.join(options.names)}"
        f" ({files} files) was killed at {options.kills} random moments, {ended} of them after its end;"
        f" {resumed} began with rows that a killed one had kept, {kept} left rows to go on from.", "",
        f"Files under final names that were not whole: {len(halves)}"
        + (f" ({', '.join(sorted(set(halves)))})." if halves else "."),
        f"The review after the last kill ended with status {last}. Temporary files left behind: {left}.", "",
    ]  # fmt: skip
    options.out.write_text("\n".join(text))
    print("\n".join(text))
    return 1 if halves or last > 1 else 0


if __name__ == "__main__":
    sys.exit(main())
