"""Altered certificates of proofs, before the kernel and before the verified checker of Rocq.

    python benchmarks/agreement.py [--count 10000] [--out benchmarks/agreement.md]

Certificates of `tests/gallery` and of `tests/export/corpus.py`, in each of which one field is changed as
`tests/kernel/mutate.py` changes it, sealed anew. Rocq sees what the printer can still write. Both must accept
every certificate that is not altered. Of altered ones the kernel refuses more: Rocq does not read how lines
follow from each other, names, or types that no line has. What only Rocq accepts is therefore counted by the
field that was changed.
"""

from __future__ import annotations

import argparse
import random
import re
import sys
from collections import Counter
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from benchmarks.rocq import gallery
from eqvproof.errors import EqvproofError
from eqvproof.export.rocq import rocq_answers
from eqvproof.export.rocq.compile import Rocq
from eqvproof.kernel import Unreadable
from tests.export.corpus import RIGHT, certificate
from tests.kernel.corpus import reseal
from tests.kernel.encoding import check_certificate
from tests.kernel.mutate import Path as Field
from tests.kernel.mutate import places, replaced, variants

#: Certificates in a file of Rocq.
BATCH = 60
UNPRINTED = (EqvproofError, LookupError, TypeError, ValueError, AttributeError, ArithmeticError)


def by_kernel(data: Any) -> bool:
    """Whether the kernel accepts it."""
    try:
        return check_certificate(data).accepted
    except Unreadable:
        return False


def by_rocq(rocq: Rocq, given: list[Any]) -> list[bool]:
    """Of each whether the verified checker accepts what is printed of it; a file that fails is halved."""
    if not given:
        return []
    judged = rocq.judge(rocq_answers(given), fewest=2)
    if judged.accepted:
        return [answer == "true" for answer in re.findall(r"= (true|false)", judged.said)]
    half = len(given) // 2
    return by_rocq(rocq, given[:half]) + by_rocq(rocq, given[half:]) if half else [False]


def altered(data: Any, rng: random.Random) -> tuple[Field, Any] | None:
    """A certificate with one field changed at random, and the path of the field."""
    parts = ("claim", "program", "evidence")
    path, value = rng.choice([p for part in parts for p in places(data[part], (part,))])
    others = [v for v in variants(value) if v != value]
    return (path, reseal(replaced(data, path, rng.choice(others)))) if others else None


def printable(data: Any) -> bool:
    """Whether the printer can write it."""
    try:
        rocq_answers([data])
    except UNPRINTED:
        return False
    return True


def main() -> None:
    """Alters, asks both, and writes the page."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--count", type=int, default=10_000)
    parser.add_argument("--out", type=Path, default=Path(__file__).with_suffix(".md"))
    arguments = parser.parse_args()
    rocq, rng = Rocq(), random.Random(0)
    whole = [data for _, _, data in gallery() if printable(data)]
    whole += [reseal(certificate(*spec)) for spec in RIGHT.values()]
    whole = [data for data, yes in zip(whole, by_rocq(rocq, whole), strict=True) if yes]
    refused = sum(not by_kernel(data) for data in whole)
    rows: list[tuple[Field, bool, bool]] = []
    while len(rows) < arguments.count:
        drawn = [d for d in (altered(rng.choice(whole), rng) for _ in range(BATCH)) if d]
        written = [data for _, data in drawn if printable(data)]
        answers = iter(by_rocq(rocq, written))
        accepted = {id(data): next(answers) for data in written}
        rows += [(path, by_kernel(data), accepted.get(id(data), False)) for path, data in drawn]
        print(len(rows), flush=True)
    rows = rows[: arguments.count]
    counts = Counter((kernel, verified) for _, kernel, verified in rows)
    only = Counter(
        ".".join(str(key) for key in path if not isinstance(key, int)) or "certificate"
        for path, kernel, verified in rows
        if verified and not kernel
    )
    lines = [
        "# Altered certificates",
        "",
        f"Written by `benchmarks/agreement.py`. {len(whole)} certificates that the verified checker of Rocq"
        f" accepts, of which the kernel refuses {refused}; {len(rows):,} altered in one field each.",
        "",
        "| kernel | verified checker | altered certificates |",
        "|---|---|---|",
        f"| accepts | accepts | {counts[True, True]:,} |",
        f"| refuses | refuses | {counts[False, False]:,} |",
        f"| accepts | refuses, or the printer does | {counts[True, False]:,} |",
        f"| refuses | accepts | {counts[False, True]:,} |",
        "",
        "Accepted by the verified checker only, by the field that was altered:",
        "",
        "| field | altered certificates |",
        "|---|---|",
        *(f"| {field} | {count} |" for field, count in only.most_common()),
    ]
    arguments.out.write_text("\n".join(lines) + "\n", encoding="utf-8")
    print("\n".join(lines))


if __name__ == "__main__":
    main()
