"""Certificates, as they are and altered, before the kernel, the checker proved in Rocq and a second checker.

    python benchmarks/agreement.py [--count 10000] [--seed 0] [--only gallery] [--out benchmarks/agreement.md]

*As they are*: proofs and counterexamples of `tests/gallery`, of the library's review, of `tests/corpus`, and
those written by hand in `tests/rocq/corpus.py` and `tests/kernel/corpus.py`. The kernel judges all of them.
The checker that Rocq proves sound is run twice on the text that is printed of a proof: extracted, as a
program of OCaml, and in Rocq itself by `vm_compute`. Counterexamples of the grade EXACT are judged by the
second checker of `tests/kernel/second.py`.

*Altered certificates*: one field of a proof is changed (`tests/kernel/mutate.py`), or takes the value of
another field of its kind. Malformed ones, which are no proofs at all, must be refused by name, by the kernel
and by the printer; the others are judged by all three, and agree where both runs in Rocq give one answer and
the kernel's is the same, or the kernel refuses and nothing is printed. Where Rocq alone accepts, what is
printed is, letter by letter, what was printed before: the field is none that Rocq reads, and the table says
which; or they disagree.

*Altered texts*: one word of what is printed is changed, so that it may also be malformed; three readers of
one text, the Python checkers by `tests/rocq/python_checker.py`, the extracted one and Rocq, answer yes, no,
or that it is malformed.

Counterexamples and evaluations are altered anywhere, and may not be readable either. Each disagreement is
listed, and the exit status is then 1.
"""

from __future__ import annotations

import argparse
import random
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import eqvproof as ep
from eqvproof.kernel import Unreadable, check_certificate
from eqvproof.kernel.report import allow
from eqvproof.papers import library
from eqvproof.rocq import rocq_answers
from eqvproof.rocq.compile import Extracted, Rocq, find_program
from eqvproof.rocq.print_theorem import PREAMBLE
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
from tests.rocq.python_checker import answers
from tests.rocq.test_agreement import ALTERED

#: Source, name, certificate.
Given = tuple[str, str, Any]
#: Yes, no, or None for what is malformed.
Answer = bool | None
#: Texts that one process of Rocq is given.
AT_ONCE = 400


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


def reason_of_kernel(data: Any) -> str:
    """Why the kernel refuses it, or ""."""
    try:
        report = check_certificate(data)
    except Unreadable as error:
        return str(error)
    return "" if report.accepted else report.reason


def printed(data: Any) -> tuple[str, str]:
    """The module that Rocq is given, without the comments; or "" and the printer's reason."""
    try:
        text = rocq_answers([data])
    except ExportError as error:
        return "", str(error)
    return re.sub(r"\(\*.*?\*\)", "", text[text.index("Module") :], flags=re.S), ""


class Verified:
    """The checker that Rocq proves sound, extracted and in Rocq; each text is asked about once.

    Attributes:
        apart: the texts on which the two runs differ.
    """

    def __init__(self) -> None:
        self._extracted, self._rocq = Extracted(), Rocq()
        self._known: dict[str, Answer] = {}
        self.apart: list[str] = []

    def answers(self, modules: Sequence[str]) -> list[Answer]:
        """What both runs answer; of texts on which they differ, what Rocq does."""
        new = [text for text in dict.fromkeys(modules) if text not in self._known]
        for start in range(0, len(new), AT_ONCE):
            texts = new[start : start + AT_ONCE]
            named = [re.sub(r"(Module|End) M\d+", rf"\1 M{k}", text) for k, text in enumerate(texts)]
            in_rocq, extracted = self.in_rocq(named), self._extracted.answers("".join(named))
            self.apart += [t for t, a, b in zip(texts, in_rocq, extracted, strict=True) if a != b]
            self._known |= dict(zip(texts, in_rocq, strict=True))
        return [self._known[text] for text in modules]

    def in_rocq(self, modules: Sequence[str]) -> list[Answer]:
        """What `vm_compute` says of each module; Rocq goes on after errors when it reads commands."""
        done = subprocess.run(
            [find_program("coqtop"), "-q", "-w", "none", "-Q", str(self._rocq.kept), "EqvProof"],
            input=PREAMBLE + "".join(modules), capture_output=True, text=True, check=True, timeout=3600,
        )  # fmt: skip
        said = re.split(r"Module M\d+ is defined", done.stdout)[:-1]
        if len(said) != len(modules):
            raise SystemExit(f"Rocq answers {len(said)} of {len(modules)} modules")
        found = [re.findall(r"= (true|false)\b", text) for text in said]
        return [one[0] == "true" if one else None for one in found]


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
    given: Sequence[Given], verified: Verified
) -> tuple[list[str], list[str], list[tuple[Given, str]]]:
    """The tables of certificates as they are, where two disagree, and the proofs that both accept."""
    lines = [
        "| source | proofs | kernel accepts | printed for Rocq | extracted checker and vm_compute accept |"
        " counterexamples | kernel: EXACT | second checker: EXACT | second checker cannot tell |",
        "|---|---|---|---|---|---|---|---|---|",
    ]
    wrong_ones, both = list[str](), list[tuple[Given, str]]()
    for source in dict.fromkeys(s for s, _, _ in given):
        own = [(g, printed(g[2])[0]) for g in given if g[0] == source and g[2]["kind"] == "proof"]
        asked = [g for g in own if g[1]]
        yes = [g for g, ok in zip(asked, verified.answers([t for _, t in asked]), strict=True) if ok]
        points = [g for g in given if g[0] == source and g[2]["kind"] in KINDS]
        exact = [(g, by_kernel(g[2], "EXACT"), by_second(g[2])) for g in points]
        accepted = [g for g, _ in own if by_kernel(g[2])]
        names = {g[1] for g in accepted}
        both += [(g, text) for g, text in yes if g[1] in names]
        wrong_ones += [f"{source}: {g[1]}: the kernel refuses" for g, _ in own if g[1] not in names]
        wrong_ones += [f"{source}: {g[1]}: Rocq refuses" for g, text in asked if (g, text) not in yes]
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
    both: list[tuple[Given, str]], verified: Verified, count: int, rng: random.Random
) -> Iterator[str]:
    """The table of altered proofs; then a line for each on which the checkers disagree."""
    drawn, kinds, apart = list[Altered](), Counter[str](), list[str]()
    malformed = 0
    while len(drawn) < count:
        (_, name, data), before = rng.choice(both)
        found = altered(data, rng)
        if found is None:
            continue
        field, other = found
        text, why = printed(other)
        if "malformed" not in why:
            drawn.append(Altered(name, field, other, before, text))
            continue
        malformed += 1
        reason = reason_of_kernel(other)
        if not reason or "internal error" in reason:
            path = ".".join(map(str, field))
            apart.append(f"{name}, {path}: the kernel says {reason!r}, the printer {why}")
    asked = [a for a in drawn if a.after]
    found_by_rocq = dict(zip(map(id, asked), verified.answers([a.after for a in asked]), strict=True))
    unread = Counter[str]()
    for a in drawn:
        kernel, rocq = by_kernel(a.data), found_by_rocq.get(id(a), False)
        kind = f"all {'accept' if kernel else 'refuse'}"
        if not a.after:
            kind = "the kernel refuses, nothing is printed"
        if kernel and not a.after:
            kind = ""
        elif rocq is not kernel:
            kind = "Rocq accepts what was printed before" if rocq and a.before == a.after else ""
            unread[".".join(p for p in a.field if isinstance(p, str))] += bool(kind)
        kinds[kind or "they disagree"] += 1
        if not kind:
            path = ".".join(map(str, a.field))
            apart.append(f"{a.name}, {path}: kernel {kernel}, Rocq {rocq if a.after else 'is not asked'}")
    yield (
        f"{malformed + len(drawn):,} proofs were altered; {malformed:,} of them are malformed, and refused by"
        f" name by the kernel and by the printer; {len(drawn):,} are judged."
    )
    yield from ("", "| altered proofs | |", "|---|---|")
    kinds["they disagree"] += 0
    for kind in sorted(kinds, key=lambda k: -kinds[k]):
        yield f"| {kind} | {kinds[kind]:,} |"
    if +unread:
        yield from ("", "| fields of which Rocq is not told | refused by the kernel alone |", "|---|---|")
    yield from (f"| `{field}` | {unread[field]:,} |" for field in sorted(+unread, key=lambda f: -unread[f]))
    yield from (f"DISAGREE {line}" for line in apart)


def of_texts(
    both: list[tuple[Given, str]], verified: Verified, count: int, rng: random.Random
) -> Iterator[str]:
    """The table of altered texts; then a line for each on which the readers disagree."""
    texts = list[str]()
    while len(texts) < count:
        _, module = rng.choice(both)
        pattern, draw = rng.choice([*ALTERED, (r"(?<== )\w+|(?<=[ (])\d+", other_word)])
        if hits := [*re.finditer(pattern, module)]:
            hit = rng.choice(hits)
            texts.append(module[: hit.start()] + draw(rng, hit) + module[hit.end() :])
    allow(10**10)
    in_python, in_rocq = answers("".join(texts)), verified.answers(texts)
    names = {True: "all accept", False: "all refuse", None: "malformed for all"}
    kinds = Counter(names[a] if a is b else "they disagree" for a, b in zip(in_python, in_rocq, strict=True))
    kinds["they disagree"] += 0
    yield from ("| altered texts | |", "|---|---|")
    yield from (f"| {kind} | {kinds[kind]:,} |" for kind in sorted(kinds, key=lambda k: -kinds[k]))
    for text, a, b in zip(texts, in_python, in_rocq, strict=True):
        if a is not b:
            yield f"DISAGREE a text: the Python checkers say {a}, Rocq {b}: {text[:2000]!r}"


def other_word(rng: random.Random, hit: re.Match[str]) -> str:
    """Another word, mostly one that is malformed where it stands."""
    return rng.choice(["Fix", "x", "[::]", "(0, 1)", "(Fix, 1)", "7", "None"])


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
    parser.add_argument(
        "--count", type=int, default=10_000, help="altered proofs; half as many texts, a fifth as many points"
    )
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--only", choices=SOURCES, action="append", help="certificates of these alone")
    parser.add_argument("--out", type=Path, default=Path(__file__).with_suffix(".md"))
    options = parser.parse_args()
    verified, rng = Verified(), random.Random(options.seed)
    given = [g for name in options.only or SOURCES for g in SOURCES[name]() if g[2] is not None]
    table, wrong_ones, both = of_all(given, verified)
    proofs = list(of_proofs(both, verified, options.count, rng))
    texts = list(of_texts(both, verified, options.count // 2, rng))
    points = list(of_points(given, options.count // 5, rng))
    apart = [
        *wrong_ones,
        *(t.removeprefix("DISAGREE ") for t in (*proofs, *texts, *points) if t.startswith("DISAGREE ")),
        *(f"the extracted checker and vm_compute: {text[:2000]!r}" for text in verified.apart),
    ]
    page = [
        "# Agreement of the checkers", "",
        f"Written by `benchmarks/agreement.py` (seed {options.seed}), which says what is counted how.", "",
        "## As they are", "", *table, "",
        "Proofs that are not printed are of what `docs/trust.md` names as checked by the kernel alone.", "",
        "## Altered", "", *(t for t in proofs if not t.startswith("DISAGREE ")), "",
        *(t for t in texts if not t.startswith("DISAGREE ")), "",
        *(t for t in points if not t.startswith("DISAGREE ")), "",
        "## Where they disagree", "", *([f"- {line}" for line in apart] or ["Nowhere."]), "",
    ]  # fmt: skip
    options.out.write_text("\n".join(page), encoding="utf-8")
    print("\n".join(page))
    return 1 if apart else 0


if __name__ == "__main__":
    sys.exit(main())
