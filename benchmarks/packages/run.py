"""Checks the claims about packages, and writes the table `benchmarks/packages.md`.

    python benchmarks/packages/run.py [--only TEXT ...] [--results FILE ...] [--again] [--failed] [--labels]
        [--budget SECONDS] [--out FILE]

Each claim is checked in a fresh call with the default budget; the seconds are those of the processor. Results are
stored in a JSON file as they come, so that a run can be stopped, continued, or repeated for a part (`--only`,
`--again`); results of other files, by processes that check other families, are copied into the first one. Before a
claim is checked, the test in float64 of `labels.py` confirms its label. `--labels` runs that test alone.
"""

from __future__ import annotations

import argparse
import importlib
import json
import os
import statistics
import sys
import warnings
from collections import Counter
from datetime import date
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
sys.path[0] = str(ROOT)

from benchmarks.packages.claims import Claim  # noqa: E402
from benchmarks.packages.labels import agrees  # noqa: E402

#: what was found in the families that were written blind, before their packages were looked at
FIRST_SIGHT = Path(__file__).with_name("first_sight.json")
#: modules of this package that hold claims, in the order of the page
FAMILIES = (
    "torch_layers",
    "attention",
    "graph_networks",
    "point_clouds_and_geometry",
    "molecules_and_physics",
    "losses",
    "images_and_signals",
    "statistics_and_kernels",
    "scientific_libraries",
    "data_libraries",
    "everyday_code",
    "jax_functions",
    "known_mistakes",
    "small_packages",
    "research_layers",
)
STRONG = {True: ("PROVED", "DECIDED", "BOUNDED"), False: ("EXACT", "ENCLOSED")}


def main() -> None:
    """Checks the selected claims, and writes the table."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--only", nargs="*", default=[], help="families, or parts of names")
    parser.add_argument("--results", type=Path, nargs="+", default=[Path("packages.json")])
    parser.add_argument("--again", action="store_true", help="also check claims with stored results")
    parser.add_argument(
        "--failed", action="store_true", help="check claims again that have no strong grade"
    )
    parser.add_argument("--labels", action="store_true", help="only confirm the labels")
    parser.add_argument("--budget", type=float, default=30.0)
    parser.add_argument("--out", type=Path)
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    kept = {
        k: row
        for f in reversed(options.results)
        if f.exists()
        for k, row in json.loads(f.read_text()).items()
    }
    only = options.only
    families = only if only and set(only) <= set(FAMILIES) else FAMILIES
    for name, claim in _claims(families):
        if only and not any(part == name or part in claim.key for part in only):
            continue
        if options.labels:
            _confirm_label(claim)
            continue
        old = kept.get(claim.key)
        if old and not options.again and not (options.failed and not _strong(old)):
            continue
        try:
            if not agrees(claim):
                raise SystemExit(f"the label of {claim.key} is wrong")
        except (ImportError, AttributeError) as absent:  # also of versions that do not fit
            print(f"SKIPPED {claim.key}: {absent}", flush=True)
            continue
        row = {"family": name, **_check(claim, options.budget)}
        kept[claim.key] = row
        options.results[0].write_text(json.dumps(kept, indent=0))
        print(_line(claim, row), flush=True)
    print(_summary(kept.values()))
    if options.out:
        options.out.write_text(_page(kept))


def _claims(families: Any) -> list[tuple[str, Claim]]:
    """Returns the claims with their families; a family whose framework is missing has none."""
    found: list[tuple[str, Claim]] = []
    for name in families:
        try:
            rows = importlib.import_module(f"benchmarks.packages.{name}").CLAIMS
        except ImportError as absent:
            print(f"SKIPPED {name}: {absent}", flush=True)
        else:
            found += [(name, claim) for row in rows for claim in row]
    twice = [key for key, n in Counter(claim.key for _, claim in found).items() if n > 1]
    if twice:
        raise SystemExit(f"claims with the same key: {', '.join(twice)}")
    return found


def _confirm_label(claim: Claim) -> None:
    try:
        right: Any = agrees(claim)
    except Exception as error:  # a claim that does not run
        right = f"{type(error).__name__}: {error}"
    if right is not True:
        print(f"LABEL {claim.holds} {claim.key}: {right}", flush=True)


def _check(claim: Claim, budget: float) -> dict[str, Any]:
    import eqvproof as ep

    more = {"backend": claim.backend} if claim.backend else {}
    start = sum(os.times()[:4])
    try:
        verdict = ep.check(
            claim.make(),
            claim.signature,
            under=claim.under,
            sizes=claim.sizes or None,
            budget=budget,
            **more,
        )
    except ep.errors.EqvproofError as error:
        found = {"outcome": "ERROR", "grade": "", "reason": str(error)}
    else:
        found = {
            "outcome": str(verdict.outcome),
            "grade": str(verdict.grade or ""),
            "reason": verdict.reason,
        }
    return {"holds": claim.holds, **found, "seconds": round(sum(os.times()[:4]) - start, 2)}


def _strong(row: dict[str, Any]) -> bool:
    return row["grade"] in STRONG[row["holds"]]


def _line(claim: Claim, row: dict[str, Any]) -> str:
    mark = "  " if _strong(row) else "??"
    reason = "" if _strong(row) else " ".join(row["reason"].split())[:300]
    return f"{mark} {row['seconds']:6.2f} {'true ' if row['holds'] else 'false'} {row['outcome']} {row['grade']} {claim.key}\n      {reason}"


def _summary(rows: Any) -> str:
    rows, parts = list(rows), []
    for label in (True, False):
        mine = [r for r in rows if r["holds"] is label]
        if mine:
            share = sum(map(_strong, mine)) / len(mine)
            grades = Counter(f"{r['outcome']} {r['grade']}".strip() for r in mine)
            text = ", ".join(f"{n} {g}" for g, n in grades.most_common())
            parts.append(f"{len(mine)} {'true' if label else 'false'}: {share:.0%} strong ({text})")
    seconds = [r["seconds"] for r in rows] or [0]
    return (
        "; ".join(parts)
        + f"; median {statistics.median(seconds):.1f} s, worst {max(seconds):.1f} s"
    )


def _page(kept: dict[str, dict[str, Any]]) -> str:
    import eqvproof as ep

    first = json.loads(FIRST_SIGHT.read_text())
    seen = {key: first[key] for key in kept if key in first}
    head = (
        "# Claims about published packages\n\n"
        f"Written by `benchmarks/packages/run.py` on {date.today()} (eqvproof {ep.__version__}). Each claim in a call"
        " of its own; its label is confirmed by a test in float64 that is independent of eqvproof. Seconds are of the processor.\n\n"
        f"{_summary(kept.values())}\n"
    )
    if seen:
        head += f"\nAt first sight, {len(seen)} of them, before anybody had looked at their code: {_summary(seen.values())}\n"
    rows = [
        f"| {key.replace('|', '·')} | {r['holds']} | {r['outcome']} {r['grade']} | {r['seconds']:.1f} |"
        f" {' '.join(seen[key][n] for n in ('outcome', 'grade')) if key in seen else ''} |"
        for key, r in sorted(kept.items(), key=lambda pair: FAMILIES.index(pair[1]["family"]))
    ]
    return (
        head
        + "\n| claim | true | verdict | seconds | first sight |\n|---|---|---|---|---|\n"
        + "\n".join(rows)
        + "\n"
    )


if __name__ == "__main__":
    main()
