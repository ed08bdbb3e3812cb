"""Random pairs of families of vectors for every classical group: each answer's certificate, and altered ones.

    python -m benchmarks.orbits [--pairs 1000] [--altered 4] [--out benchmarks/orbits.md]

The kernel must accept the certificate of every answer, and reject those with one part changed so that what
they say is false. What is true and false is judged from the definitions, apart from the package and its
kernel. The script fails where this is not so.
"""

from __future__ import annotations

import argparse
import os
import platform
import random
import time
from collections import Counter
from pathlib import Path

from eqvproof.api import verify
from tests.invariants.orbits import FAMILIES, altered, draw, is_true, judged

#: What a pair has, and what is said of its certificates.
COLUMNS = ("element", "pair", "relation", "matrix")
HEADS = "| family | an element | unequal inner products | a relation of one side | a determinant "


def run(name: str, pairs: int, altered_each: int) -> Counter[str]:
    """The figures of one family.

    Raises:
        SystemExit: a false certificate that is accepted, or a true one that is not.
    """
    rng = random.Random(name)
    found: Counter[str] = Counter()
    for _ in range(pairs):
        why, certificate = judged(*draw(name, rng))
        if not verify(certificate).accepted or not is_true(certificate):
            raise SystemExit(f"{name}: a certificate that is false or not accepted: {certificate}")
        found[why] += 1
        for _ in range(altered_each):
            wrong = altered(certificate, rng)
            if wrong is None:
                found["none"] += 1
            elif verify(wrong).accepted:
                raise SystemExit(f"{name}: a false certificate that is accepted: {wrong}")
            else:
                found["rejected"] += 1
    return found


def main() -> None:
    """Measures, and writes the table."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--pairs", type=int, default=1000)
    parser.add_argument("--altered", type=int, default=4)
    parser.add_argument("--out", type=Path, default=Path(__file__).with_suffix(".md"))
    options = parser.parse_args()
    rows, total, start = [], Counter[str](), time.process_time()
    for name in FAMILIES:
        found = run(name, options.pairs, options.altered)
        total += found
        cells = [found[k] for k in (*COLUMNS, "rejected")]
        rows.append(f"| `{name}` | " + " | ".join(map(str, cells)) + " |")
        print(rows[-1], flush=True)
    seconds = time.process_time() - start
    machine = f"{os.cpu_count()} cores, {platform.machine()}, Python {platform.python_version()}"
    text = f"""# Orbits of classical groups

Written by `python -m benchmarks.orbits` ({seconds:.0f} s of CPU time; {machine}):
{options.pairs} pairs X, Y a family, of 1 to 6 coordinates, some carried into each other by an element, some
nearly so, some of null vectors. Each has an element that carries X to Y, or what rules one out, with a
certificate that the kernel accepts and that is true by the definitions, in other code. Of each,
{options.altered} altered certificates, false by that code: all {total["rejected"]} are rejected
{f"(for {total['none']} no false one was found)" if total["none"] else ""}.

{HEADS}| altered, rejected |
|---|---|---|---|---|---|
"""
    options.out.write_text(text + "\n".join(rows) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
