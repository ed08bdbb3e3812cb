"""Certificates, as they are and altered, before the kernel, the verified checker and a second checker.

    python benchmarks/agreement.py [--count 10000] [--seed 0] [--only gallery] [--out benchmarks/agreement.md]

*As they are*: proofs and counterexamples of `tests/gallery`, of the library's review, of `tests/corpus`, and
those written by hand in `tests/rocq/corpus.py` and `tests/kernel/corpus.py`. The kernel judges all of them,
the checker that Rocq proves sound (extracted) those that are printed for it, and for the grade EXACT the
second checker of `tests/kernel/second.py`.

*Altered*: one field of a proof is changed (`tests/kernel/mutate.py`), or takes the value of another field of
its kind; certificates that the kernel cannot read, before it asks any rule, do not count. Both judge, and
agree where both accept, or where the kernel refuses and the verified checker does or is not asked, since
nothing is printed. Where the verified checker alone accepts, what is printed is, letter by letter, what was
printed before: the field is none that Rocq reads; or they disagree. Each such certificate is listed, and the
exit status is 1.

Counterexamples and evaluations are altered anywhere, and may not be readable either.
"""

from __future__ import annotations

import argparse
import json
import random
import re
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import eqvproof as ep
from eqvproof.kernel import Unreadable, check_certificate, form_proof
from eqvproof.kernel.check import ENVELOPE
from eqvproof.kernel.report import Rejected, allow_work
from eqvproof.kernel.text import parse
from eqvproof.papers import library
from eqvproof.rocq import rocq_answers
from eqvproof.rocq.compile import Extracted
from eqvproof.support.errors import ExportError
from tests.corpus import right, wrong
from tests.gallery.test_gallery import LAYERS, TORCH, verdict_of
from tests.kernel import corpus
from tests.kernel.corpus import reseal
from tests.kernel.encoding import encoded
from tests.kernel.mutate import Path as Field
from tests.kernel.mutate import places, replaced, variants
from tests.kernel.second import FAMILIES, KINDS, Unsure, is_exact
from tests.rocq.corpus import RIGHT, certificate

#: Source, name, certificate.
Given = tuple[str, str, Any]


@dataclass
class Altered:
    """An altered proof.

    Attributes:
        name, field, data: of what, where, and the certificate.
        before, after: what is printed, "" where nothing is.
    """

    name: str
    field: Field
    data: Any
    before: str
    after: str


def of_gallery() -> Iterator[Given]:
    """The layers' certificates."""
    for family, layer in LAYERS:
        if family not in TORCH:
            yield "gallery", layer.name, verdict_of(family, layer.name).certificate


def of_library() -> Iterator[Given]:
    """The review's certificates."""
    for row in library.review().rows:
        yield from (("library", name, data) for name, data in row.certificates)


def of_functions() -> Iterator[Given]:
    """Those of the corpora of functions."""
    for case in (*right.CORPUS.cases, *wrong.CORPUS.cases):
        if case.is_exact:
            verdict = ep.check(case.function, case.signature, case.under, budget=2.0, **case.options)
            yield "functions", case.name, verdict.certificate


def of_hand() -> Iterator[Given]:
    """Those that are written by hand."""
    for name, spec in RIGHT.items():
        yield (
            "by hand",
            name,
            reseal({"format": "eqvproof-certificate", "version": 1, **certificate(*spec)}),
        )
    for name, data in corpus.accepted().items():
        yield "by hand", name, encoded(data)


SOURCES = {"gallery": of_gallery, "library": of_library, "functions": of_functions, "by hand": of_hand}


# -- who says what ---------------------------------------------------------------------------------------


def by_kernel(data: Any, grade: str | None = None) -> bool:
    """Whether the kernel accepts it, with this grade if one is asked for."""
    try:
        report = check_certificate(data)
    except Unreadable:
        return False
    return report.accepted and grade in (None, report.grade)


def is_readable(data: Any) -> bool:
    """Whether the kernel reads it as a proof, before it asks any rule."""
    text = json.dumps(data)
    allow_work(len(text))
    try:
        form_proof.read_proof({k: v for k, v in parse(text).items() if k not in ENVELOPE})
    except (Unreadable, Rejected):
        return False
    return True


def printed(data: Any) -> str:
    """What Rocq is given, without the comments; or "" and nothing is asked."""
    try:
        return re.sub(r"\(\*.*?\*\)", "", rocq_answers([data]), flags=re.S)
    except (ExportError, LookupError, TypeError, ValueError):
        return ""


def by_second(data: Any) -> bool | None:
    """Whether the second checker accepts it as EXACT; None where it cannot tell, or lacks the group."""
    try:
        if {entry["family"] for entry in data["claim"]["group"]} - {*FAMILIES}:
            return None
    except (LookupError, TypeError):  # then it is no claim, which it tells
        pass
    try:
        return bool(is_exact(data))
    except Unsure:
        return None


# -- alterations -----------------------------------------------------------------------------------------


def pattern(path: Field) -> Field:
    """A path without the numbers."""
    return tuple(key if isinstance(key, str) else 0 for key in path)


def altered(data: Any, rng: random.Random) -> tuple[Field, Any] | None:
    """A certificate with one field changed at random, and the path of the field."""
    found = [p for part in ("claim", "forms", "evidence") for p in places(data[part], (part,))]
    path, value = rng.choice(found)
    alike = [v for p, v in found if pattern(p) == pattern(path)]
    others = [v for v in (alike if rng.random() < 0.6 else variants(value)) if v != value]
    if not others:
        return None
    return path, reseal(replaced(data, path, rng.choice(others)))


# -- the page --------------------------------------------------------------------------------------------


def of_all(
    given: Sequence[Given], verified: Extracted
) -> tuple[list[str], list[str], list[tuple[Given, str]]]:
    """The tables of certificates as they are, where two disagree, and the proofs that both accept."""
    lines = [
        "| source | proofs | kernel accepts | printed for Rocq | verified checker accepts |"
        " counterexamples | kernel: EXACT | second checker: EXACT | second checker cannot tell |",
        "|---|---|---|---|---|---|---|---|---|",
    ]
    wrong_ones, both = list[str](), list[tuple[Given, str]]()
    for source in dict.fromkeys(s for s, _, _ in given):
        own = [(g, printed(g[2])) for g in given if g[0] == source and g[2]["kind"] == "proof"]
        asked = [g for g in own if g[1]]
        yes = [g for g, ok in zip(asked, verified.accepts([g[2] for g, _ in asked]), strict=True) if ok]
        points = [g for g in given if g[0] == source and g[2]["kind"] in KINDS]
        exact = [(g, by_kernel(g[2], "EXACT"), by_second(g[2])) for g in points]
        accepted = [g for g, _ in own if by_kernel(g[2])]
        names = {g[1] for g in accepted}
        both += [(g, text) for g, text in yes if g[1] in names]
        wrong_ones += [f"{source}: {g[1]}: the kernel refuses" for g, _ in own if g[1] not in names]
        wrong_ones += [
            f"{source}: {g[1]}: kernel {a}, second checker {b}" for g, a, b in exact if b not in (a, None)
        ]
        columns = [
            len(own), len(accepted), len(asked), len(yes), len(points), sum(a for _, a, _ in exact),
            sum(b is True for *_, b in exact), sum(b is None for *_, b in exact),
        ]  # fmt: skip
        lines.append(f"| {source} | {' | '.join(f'{c:,}' for c in columns)} |")
    return lines, wrong_ones, both


def of_proofs(
    both: list[tuple[Given, str]], verified: Extracted, count: int, rng: random.Random
) -> Iterator[str]:
    """The table of altered proofs; then a line for each on which the two disagree."""
    drawn = list[Altered]()
    tried = 0
    while len(drawn) < count:
        (_, name, data), before = rng.choice(both)
        found = altered(data, rng)
        tried += 1
        if found is not None and is_readable(found[1]):
            field, other = found
            drawn.append(Altered(name, field, other, before, printed(other)))
    asked = [a for a in drawn if a.after]
    answers = dict(zip(map(id, asked), verified.accepts([a.data for a in asked]), strict=True))
    kinds = Counter[str]()
    apart = list[str]()
    for a in drawn:
        kernel, rocq = by_kernel(a.data), answers.get(id(a))
        kind = "both accept" if kernel and rocq else "both refuse" if not kernel and rocq is False else ""
        if not kind and not kernel and rocq is None:
            kind = "the kernel refuses, nothing is printed"
        elif not kind and not kernel:
            kind = "what is printed is not altered" if a.before == a.after else ""
            kind = kind and f"the verified checker accepts: {kind}"
        elif not kind:
            kind = "the kernel accepts, " + ("nothing is printed" if rocq is None else "")
            kind = kind if rocq is None else ""
        kinds[kind or "they disagree"] += 1
        if not kind:
            path = ".".join(map(str, a.field))
            apart.append(f"{a.name}, {path}: kernel {kernel}, verified checker {rocq}")
    yield f"{tried:,} proofs were altered; the kernel reads {len(drawn):,}, and these are judged."
    yield from ("", "| altered proofs | |", "|---|---|")
    for kind in sorted(kinds, key=lambda k: -kinds[k]):
        yield f"| {kind} | {kinds[kind]:,} |"
    if "they disagree" not in kinds:
        yield "| they disagree | 0 |"
    yield from (f"DISAGREE {line}" for line in apart)


def of_points(given: Sequence[Given], count: int, rng: random.Random) -> Iterator[str]:
    """The table of altered counterexamples; then a line for each on which the two disagree."""
    points = [(name, data) for _, name, data in given if data["kind"] in KINDS and by_second(data)]
    kinds = Counter[str]()
    apart = list[str]()
    while points and sum(kinds.values()) < count:
        name, data = rng.choice(points)
        path, value = rng.choice(list(places(data)))
        others = [v for v in variants(value) if v != value]
        if not others or not path:
            continue
        changed = reseal(replaced(data, path, rng.choice(others)))
        kernel, second = by_kernel(changed, "EXACT"), by_second(changed)
        kind = (
            "the second checker cannot tell" if second is None else "both accept" if kernel else "both refuse"
        )
        if second not in (None, kernel):
            kind = "they disagree"
            apart.append(f"{name}, {'.'.join(map(str, path))}: kernel {kernel}, second checker {second}")
        kinds[kind] += 1
    yield from ("| altered counterexamples | |", "|---|---|")
    yield from (f"| {kind} | {kinds[kind]:,} |" for kind in sorted(kinds, key=lambda k: -kinds[k]))
    if not apart:
        yield "| they disagree | 0 |"
    yield from (f"DISAGREE {line}" for line in apart)


def main() -> int:
    """Asks about everything, alters, and writes the page."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--count", type=int, default=10_000, help="altered proofs; a fifth as many points")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--only", choices=SOURCES, action="append", help="certificates of these alone")
    parser.add_argument("--out", type=Path, default=Path(__file__).with_suffix(".md"))
    options = parser.parse_args()
    verified, rng = Extracted(), random.Random(options.seed)
    given = [g for name in options.only or SOURCES for g in SOURCES[name]() if g[2] is not None]
    table, wrong_ones, both = of_all(given, verified)
    proofs = list(of_proofs(both, verified, options.count, rng))
    points = list(of_points(given, options.count // 5, rng))
    apart = [
        *wrong_ones,
        *(t.removeprefix("DISAGREE ") for t in (*proofs, *points) if t.startswith("DISAGREE ")),
    ]
    page = [
        "# Agreement of the checkers", "",
        f"Written by `benchmarks/agreement.py` (seed {options.seed}), which says what is counted how.", "",
        "## As they are", "", *table, "",
        "Proofs that are not printed are of what `docs/rocq.md` names as not covered.", "",
        "## Altered", "", *(t for t in proofs if not t.startswith("DISAGREE ")), "",
        *(t for t in points if not t.startswith("DISAGREE ")), "",
        "## Where they disagree", "", *([f"- {line}" for line in apart] or ["Nowhere."]), "",
    ]  # fmt: skip
    options.out.write_text("\n".join(page), encoding="utf-8")
    print("\n".join(page))
    return 1 if apart else 0


if __name__ == "__main__":
    sys.exit(main())
