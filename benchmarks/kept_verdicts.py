"""Every verdict of the gallery, the corpora and the library, kept in a table: none may become weaker unseen.

    python benchmarks/kept_verdicts.py [--write] [--only gallery|corpus|library]

Prints what differs from `kept_verdicts.json`: claims whose verdict is weaker, stronger or of another outcome
than the one kept there, and ends with 1 where one is weaker or other. ``--write`` keeps today's.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

import eqvproof as ep  # noqa: E402
from eqvproof.papers.statements import Row  # noqa: E402

KEPT = HERE / "kept_verdicts.json"
#: From the strongest to the weakest.
GRADES = ("PROVED", "EXACT", "DECIDED", "ENCLOSED", "BOUNDED", "OBSERVED", "TESTED", "")
BUDGET = 5.0


def gallery() -> Iterator[tuple[str, str]]:
    """The layers."""
    from tests.gallery.test_gallery import LAYERS

    for family, layer in LAYERS:
        verdict = ep.check(layer.function, layer.signature, layer.under, budget=BUDGET, **layer.options)
        yield f"{family}: {layer.name}", said(verdict)


def corpus() -> Iterator[tuple[str, str]]:
    """Wrong functions and right ones."""
    from tests.corpus import right, wrong

    for case in (*wrong.CORPUS.cases, *right.CORPUS.cases):
        verdict = ep.check(case.function, case.signature, case.under, budget=BUDGET, **case.options)
        yield case.name, said(verdict)


def library() -> Iterator[tuple[str, str]]:
    """The statements of papers."""
    for row in ep.review().rows:
        yield row.id, said(row)


SOURCES = {"gallery": gallery, "corpus": corpus, "library": library}


def said(verdict: ep.Verdict | Row) -> str:
    """Outcome and grade."""
    return " ".join(filter(None, (str(verdict.outcome), str(verdict.grade or ""))))


def weight(said: str) -> tuple[str, int]:
    """Outcome, and how weak its grade is."""
    outcome, _, grade = said.partition(" ")
    return outcome, GRADES.index(grade)


def main(arguments: list[str]) -> int:
    """Compares, or writes."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--only", choices=SOURCES)
    options = parser.parse_args(arguments)
    kept = json.loads(KEPT.read_text()) if KEPT.exists() else {}
    status = 0
    for name in [options.only] if options.only else SOURCES:
        found = dict(SOURCES[name]())
        for claim, now in found.items():
            before = kept.get(name, {}).get(claim, now)
            if now != before:
                is_stronger = weight(now)[0] == weight(before)[0] and weight(now)[1] < weight(before)[1]
                status |= not is_stronger
                print(f"{name}: {claim}: {before} -> {now}{'' if is_stronger else '   WEAKER OR OTHER'}")
        print(f"{name}: {len(found)} claims")
        kept[name] = found
    if options.write:
        KEPT.write_text(json.dumps(kept, indent=1, ensure_ascii=False) + "\n")
    return status


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
