"""Random pairs of families of vectors for every classical group: each answer's certificate, and altered ones.

    python -m benchmarks.orbits [pairs a family, 1000 by default]

The kernel must accept the certificate of every answer, and of those with one number changed none but the ones
that are true by another computation. The script fails loudly where this is not so.
"""

from __future__ import annotations

import random
import sys
import time
from collections import Counter

from eqvproof.api import verify
from tests.witnesses.orbits import FAMILIES, altered, draw, is_true, judged


def run(name: str, count: int) -> str:
    """The figures of one family."""
    rng = random.Random(name)
    found: Counter[str] = Counter()
    start = time.perf_counter()
    for _ in range(count):
        why, certificate = judged(*draw(name, rng))
        if not verify(certificate).accepted:
            raise SystemExit(f"{name}: a certificate that is not accepted: {certificate}")
        found[why] += 1
        for wrong in altered(certificate, rng):
            accepted = verify(wrong).accepted
            if accepted and not is_true(wrong):
                raise SystemExit(f"{name}: an altered certificate that is accepted: {wrong}")
            found["altered and true" if accepted else "altered and rejected"] += 1
    shown = ", ".join(f"{key} {number}" for key, number in sorted(found.items()))
    return f"{name}: {shown}; {time.perf_counter() - start:.1f} s"


if __name__ == "__main__":
    for family in FAMILIES:
        print(run(family, int(sys.argv[1]) if len(sys.argv) > 1 else 1000), flush=True)
