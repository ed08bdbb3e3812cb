"""Proofs of the gallery as theorems of Rocq: which the verified checker accepts, and how long that takes.

    python benchmarks/rocq.py [--out benchmarks/rocq.md]

For every layer of `tests/gallery` that is PROVED: the program and the types that its certificate gives, as
data in one file, of each whether `check` of `rocq/Checker.v` says yes; seconds are of the processor. Then how
long `verify --with rocq` takes for 60 of them, which states and proves the theorems. Then the certificates of
`tests/rocq/corpus.py`, written by hand: right ones, which it must accept, and wrong ones, which it must not.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import re
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from eqvproof.interface.cli.rocq import check_by_rocq
from eqvproof.rocq import rocq_answers, rocq_text
from eqvproof.rocq.compile import Rocq, find_program
from eqvproof.rocq.print_theorem import SOUNDNESS
from eqvproof.support.errors import ExportError
from tests.gallery.test_gallery import LAYERS, TORCH, verdict_of
from tests.rocq.corpus import RIGHT, WRONG, certificate

TARGET_SECONDS = 60.0
#: Certificates given to one call of `verify --with rocq`.
MANY = 60
#: name, group or what is wrong, certificate
Given = tuple[str, str, Any]
#: name, group or what is wrong, lines, "" or why not
Row = tuple[str, str, int, str]


def gallery() -> list[Given]:
    """The layers that are proved, with their certificates."""
    found: list[Given] = []
    for family, layer in LAYERS:
        if family not in TORCH:
            verdict = verdict_of(family, layer.name)
            if verdict.grade == "PROVED" and verdict.certificate is not None:
                found.append((layer.name, layer.under, verdict.certificate))
    return found


def asked(rocq: Rocq, given: Sequence[Given]) -> tuple[list[Row], float]:
    """A row for each certificate, and the seconds that all of them took together."""
    reasons: dict[int, str] = {}
    for i, (_, _, one) in enumerate(given):
        try:
            rocq_text(one)
        except ExportError as error:
            reasons[i] = error.message
    rest = [i for i in range(len(given)) if i not in reasons]
    result = rocq.check_file(rocq_answers([given[i][2] for i in rest]) + SOUNDNESS)
    answers = re.findall(r"= (true|false)", result.output)
    for i, answer in zip(rest, answers, strict=True):
        reasons[i] = "" if answer == "true" else "refused"
    rows = [(n, what, lines_of(one), reasons[i]) for i, (n, what, one) in enumerate(given)]
    return rows, result.seconds


def lines_of(certificate: Any) -> int:
    """The number of lines of a certificate."""
    return len(certificate["forms"]["lines"])


def theorems(given: Sequence[Given]) -> tuple[int, float]:
    """How many certificates are theorems for `verify --with rocq`, and the processor's seconds for all."""
    contents = [json.dumps(one).encode() for _, _, one in given]
    before = os.times()
    answers = check_by_rocq(contents, "rocq")
    after = os.times()
    used = sum(after[:4]) - sum(before[:4])
    return sum(not reason for reason, _ in answers), used


def report(
    rows: list[Row], seconds: float, right: list[Row], wrong: list[Row], many: tuple[int, float]
) -> str:
    """The page."""
    command = [find_program("coqc"), "--print-version"]
    version = subprocess.run(command, capture_output=True, text=True, check=True)
    accepted = [row for row in rows if not row[3]]
    lines = [
        "# Theorems of Rocq",
        "",
        f"Written by `benchmarks/rocq.py` (Rocq {version.stdout.split()[0]}, Python"
        f" {platform.python_version()}; seconds of the processor, loading of mathcomp included).",
        "",
        f"{len(accepted)} of {len(rows)} layers that are PROVED are accepted by the checker that"
        f" `rocq/Checked.v` proves sound, under every factor of their group, in {seconds:.1f} s all together"
        f" (target: {TARGET_SECONDS:g} s).",
        "",
        f"{many[0]} of {MANY} certificates are theorems for `verify --with rocq`, in {many[1]:.1f} s"
        " all together"
        f" (target: {TARGET_SECONDS:g} s).",
        "",
        f"Of {len(right)} right certificates written by hand it accepts {sum(not r[3] for r in right)};"
        f" of {len(wrong)} wrong ones, {sum(not r[3] for r in wrong)}.",
        "",
        "| layer | group | lines | checker |",
        "|---|---|---|---|",
    ]
    for name, group, nodes, reason in sorted(rows, key=lambda r: (not r[3], r[3], -r[2])):
        lines.append(f"| {name} | {group} | {nodes} | {reason or 'accepted'} |")
    lines += ["", "## Wrong certificates", "", "| certificate | wrong | checker |", "|---|---|---|"]
    lines += [f"| {name} | {kind} | {reason or 'ACCEPTED'} |" for name, kind, _, reason in wrong]
    return "\n".join(lines) + "\n"


def main() -> None:
    """Asks about everything and writes the page."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--out", type=Path, default=Path(__file__).with_suffix(".md"))
    arguments = parser.parse_args()
    rocq = Rocq()
    right, _ = asked(rocq, [(name, "right", certificate(*spec)) for name, spec in RIGHT.items()])
    wrong, _ = asked(rocq, [(name, kind, certificate(*spec)) for name, (kind, spec) in WRONG.items()])
    layers = gallery()
    page = report(*asked(rocq, layers), right, wrong, theorems(layers[:MANY]))
    arguments.out.write_text(page, encoding="utf-8")
    print(page)


if __name__ == "__main__":
    main()
