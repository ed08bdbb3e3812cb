"""Proofs of the gallery as theorems of Rocq: which are exported and accepted, and how long they compile.

    python benchmarks/rocq.py [--out benchmarks/rocq.md]

For every layer of `tests/gallery` that is PROVED under O, SO, S, A or a product of these: the certificate is
exported, and compiled by Rocq with the rules of `rocq/Rules.v`; seconds are of the processor. Then the
certificates of `tests/export/corpus.py`, written by hand: right ones, which Rocq must accept, and wrong ones,
which it must not.
"""

from __future__ import annotations

import argparse
import platform
import subprocess
import sys
from pathlib import Path
from statistics import median

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from eqvproof.errors import ExportError
from eqvproof.export.rocq import rocq_text
from eqvproof.export.rocq.compile import Rocq, find_coqc
from eqvproof.groups import parse_group
from eqvproof.signature import parse_signature
from tests.export.corpus import RIGHT, WRONG, certificate
from tests.gallery.test_gallery import LAYERS, TORCH, verdict_of

FAMILIES = {"O", "SO", "S", "A"}
TARGET_SHARE, TARGET_SECONDS = 0.8, 3.0
#: name, group, operations, "" or why not, seconds
Row = tuple[str, str, int, str, float]


def gallery(rocq: Rocq) -> list[Row]:
    """A row for each layer that is proved under these groups."""
    rows: list[Row] = []
    for family, layer in LAYERS:
        if family in TORCH:
            continue
        group = parse_group(layer.under, parse_signature(layer.signature))
        if not {f.family for f in group.factors} <= FAMILIES:
            continue
        verdict = verdict_of(family, layer.name)
        if verdict.grade != "PROVED" or verdict.certificate is None:
            continue
        nodes = len(verdict.certificate["program"]["nodes"])
        try:
            judged = rocq.judge(rocq_text(verdict.certificate))
        except ExportError as error:
            rows.append((layer.name, layer.under, nodes, error.message, 0.0))
            continue
        reason = "" if judged.accepted else f"rejected: {judged.reason}"
        rows.append((layer.name, layer.under, nodes, reason, judged.seconds))
        print(rows[-1], file=sys.stderr, flush=True)
    return rows


def corpus(rocq: Rocq) -> list[tuple[str, str, bool, str]]:
    """(name, what is wrong or "right", accepted, where Rocq stops) of the certificates by hand."""
    rows = []
    for name, spec in RIGHT.items():
        rows.append((name, "right", rocq.judge(rocq_text(certificate(*spec))).accepted, ""))
    for name, (kind, spec) in WRONG.items():
        judged = rocq.judge(rocq_text(certificate(*spec)))
        rows.append((name, kind, judged.accepted, judged.reason.partition(": ")[2].partition(" Qed.")[0]))
        print(rows[-1], file=sys.stderr, flush=True)
    return rows


def report(rows: list[Row], small: list[tuple[str, str, bool, str]]) -> str:
    """The page."""
    version = subprocess.run([find_coqc(), "--print-version"], capture_output=True, text=True, check=True)
    accepted = [row for row in rows if not row[3]]
    seconds = [row[4] for row in accepted]
    right = [r for r in small if r[1] == "right"]
    wrong = [r for r in small if r[1] != "right"]
    lines = [
        "# Theorems of Rocq",
        "",
        f"Written by `benchmarks/rocq.py` (Rocq {version.stdout.split()[0]}, Python"
        f" {platform.python_version()}; seconds of the processor, loading of mathcomp included).",
        "",
        f"{len(accepted)} of {len(rows)} layers that are PROVED under O, S and their products are exported to"
        f" files that Rocq accepts, closed under the global context (target: {TARGET_SHARE:.0%}). Compiling"
        f" one: median {median(seconds):.1f} s, greatest {max(seconds):.1f} s (target: median below"
        f" {TARGET_SECONDS:g} s).",
        "",
        f"Of {len(right)} right certificates written by hand Rocq accepts {sum(r[2] for r in right)};"
        f" of {len(wrong)} wrong ones, {sum(r[2] for r in wrong)}.",
        "",
        "| layer | group | operations | Rocq | seconds |",
        "|---|---|---|---|---|",
    ]
    for name, group, nodes, reason, used in sorted(rows, key=lambda r: (not r[3], -r[4])):
        lines.append(f"| {name} | {group} | {nodes} | {reason or 'accepted'} | {used:.1f} |")
    lines += ["", "## Wrong certificates", ""]
    lines += ["| certificate | wrong | Rocq | stops at |", "|---|---|---|---|"]
    for name, kind, good, place in wrong:
        stop = place.replace("|", "\\|")
        lines.append(f"| {name} | {kind} | {'ACCEPTED' if good else 'rejected'} | `{stop}` |")
    return "\n".join(lines) + "\n"


def main() -> None:
    """Compiles everything and writes the page."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--out", type=Path, default=Path(__file__).with_suffix(".md"))
    arguments = parser.parse_args()
    with Rocq() as rocq:
        page = report(gallery(rocq), corpus(rocq))
    arguments.out.write_text(page, encoding="utf-8")
    print(page)


if __name__ == "__main__":
    main()
