"""Whole networks, judged: the seconds that a proof takes, and what is said when one character is wrong.

    python benchmarks/models.py [-k network] [--out benchmarks/models.md]

The networks are those of `tests/models/whole.py`, at usual sizes. Seconds are of processor time, the reading
of the network and the check of the certificate included.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from tests.models.whole import CASES, broken, whole


def main() -> None:
    """The table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("-k", default="", help="networks whose names hold this")
    parser.add_argument("--out", type=Path, help="where the page is written")
    given = parser.parse_args()
    rows = []
    for case in CASES:
        if given.k not in case.network:
            continue
        right = whole(case)
        with tempfile.TemporaryDirectory() as folder:
            wrong, is_named = broken(case, Path(folder))
        changed = f"`{case.line}` to `{case.wrong}`"
        rows.append(
            f"| {case.network} | {case.under} | {right.verdict.grade} {right.verdict.scope} |"
            f" {right.seconds:.1f} | {changed} | {wrong.verdict.outcome}, {wrong.verdict.grade} |"
            f" {wrong.seconds:.1f} | {'yes' if is_named else 'no'} |"
        )
        if not (right.is_accepted and wrong.is_accepted):
            raise SystemExit(f"{case.network}: the kernel does not accept a certificate")
        print(rows[-1], flush=True)
    table = "\n".join(rows)
    page = f"""# Whole networks

Written by `benchmarks/models.py`: networks at usual sizes, and each with one character of it wrong; seconds
of processor time. The kernel accepts every certificate.

| network | under | verdict | seconds | one character | verdict | seconds | names the line |
|---|---|---|---|---|---|---|---|
{table}
"""
    if given.out:
        given.out.write_text(page)


if __name__ == "__main__":
    main()
