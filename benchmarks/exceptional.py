"""Functions with exceptional sets: what `check` says off the set and on it, and whether it is right.

    python benchmarks/exceptional.py [--budget 8] [--only NAME ...] [--spare] [--out FILE]
    python benchmarks/exceptional.py --labels          the labels alone, from two seeds of points
    python benchmarks/exceptional.py --seeds           each claim with seed= 0 to 9; the answers must agree
    python benchmarks/exceptional.py --processor-time  budgets of processor time, on a busy machine
    python benchmarks/exceptional.py --first           also keeps the answers as those of first sight

The claims are in `benchmarks/exceptional_claims`; their labels are computed by an oracle in float64 that
shares nothing with the package. An exceptional set is where entries tie, eigenvalues are equal or a rank is
deficient. A claim has two halves: off the set (generic points) and on it. The exit status is 1 where a half
is wrong, or a certificate is not accepted.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import sys
import time
import warnings
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import date
from pathlib import Path
from typing import Any
from unittest import mock

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import eqvproof as ep
from benchmarks.exceptional_claims import CLAIMS, SPARE, TABLE, Claim
from benchmarks.exceptional_claims.oracle import label
from eqvproof.support.errors import EqvproofError

BUDGET = 8.0
FIRST = Path(__file__).with_name("exceptional_first.json")
PROOFS = ("PROVED", "DECIDED")
STRONG_HOLDS = (*PROOFS, "BOUNDED")
STRONG_FAILS = ("EXACT", "ENCLOSED")
Truth = Mapping[str, bool | None]


@dataclass(frozen=True, slots=True)
class Answer:
    """What `check` said of one claim.

    Attributes:
        verdict: outcome and grade, or the error.
        elsewhere: outcome and grade of the second verdict, off the exceptional set, if there is one.
        restricted: whether the verdict leaves points out.
        scope: the sentence.
        elsewhere_scope: that of the second verdict.
        seconds: the time.
        rejected: why a certificate is not accepted; empty where none is rejected.
    """

    verdict: str
    elsewhere: str
    restricted: bool
    scope: str
    elsewhere_scope: str
    seconds: float
    rejected: str = ""

    @property
    def off(self) -> str:
        """Outcome and grade off the exceptional set."""
        return self.elsewhere or self.verdict

    @property
    def on(self) -> str:
        """Outcome and grade on the exceptional set; empty where it is left open."""
        if self.verdict.startswith("FAILS"):
            return self.verdict if self.elsewhere else ""
        return "" if self.restricted else self.verdict


def words(verdict: Any) -> str:
    """Outcome and grade."""
    return f"{verdict.outcome} {verdict.grade}".strip()


def ask(claim: Claim, budget: float, seed: int = 0) -> Answer:
    """What `check` says."""
    start = time.monotonic()
    try:
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")
            verdict = ep.check(
                claim.function, claim.signature, under=claim.under, budget=budget, seed=seed, **claim.options
            )
    except EqvproofError as error:
        return Answer(f"refused: {error.code}", "", False, "", "", time.monotonic() - start)  # noqa: FBT003
    seconds = time.monotonic() - start
    elsewhere, points = getattr(verdict, "elsewhere", None), getattr(verdict, "points", None)
    certificates = [
        v.certificate for v in (verdict, elsewhere) if v is not None and v.certificate is not None
    ]
    reports = [ep.verify(c) for c in certificates]
    restricted = bool(points) if points is not None else "wherever" in verdict.scope
    return Answer(
        words(verdict),
        "" if elsewhere is None else words(elsewhere),
        restricted,
        verdict.scope,
        "" if elsewhere is None else elsewhere.scope,
        seconds,
        "; ".join(r.reason for r in reports if not r.accepted),
    )


def wrong(truth: Truth, answer: Answer) -> str:
    """Says which half is wrong; empty where none is.

    A verdict that FAILS without a second one says that the claim is false somewhere.
    """
    off, on = truth["off"], truth["on"]
    found = [f"a certificate is not accepted: {answer.rejected}"] if answer.rejected else []
    if answer.off.startswith("HOLDS") and answer.off.endswith(STRONG_HOLDS) and off is False:
        found.append(f"off the set {answer.off}, and the claim is false there")
    if answer.off.startswith("FAILS") and answer.off.endswith(STRONG_FAILS) and off is True:
        if answer.elsewhere:
            found.append(f"off the set {answer.off}, and the claim is true there")
        elif on is True:
            found.append(f"{answer.verdict}, and the claim is true on and off the set")
    if answer.on.startswith("HOLDS") and answer.on.endswith(STRONG_HOLDS) and on is False:
        found.append(f"on the set {answer.on}, and the claim is false there")
    if answer.on.startswith("FAILS") and answer.on.endswith(STRONG_FAILS) and on is True:
        found.append(f"on the set {answer.on}, and the claim is true there")
    return "; ".join(found)


def half(name: str, truth: Truth, answer: Answer) -> str:
    """One half in words: the truth, and whether it is proved, refuted, or open."""
    said, whole = getattr(answer, name), answer.verdict if name == "on" else ""
    word = {True: "true", False: "false", None: "not told"}[truth[name]]
    if truth[name] is True:
        return f"{word}, " + (said.split()[-1] if said.startswith("HOLDS") else "open")
    if said.startswith("FAILS"):
        return f"{word}, {said.split()[-1]}"
    return f"{word}, " + (f"the whole {whole.split()[-1]}" if whole.startswith("FAILS") else "open")


def proved(said: str) -> bool:
    """Whether a half is PROVED or DECIDED."""
    return said.startswith("HOLDS") and said.endswith(PROOFS)


def summary(truths: Mapping[str, Truth], answers: Mapping[str, Answer]) -> list[str]:
    """The counts, one line each."""
    lines = []
    for name in ("off", "on"):
        true = [n for n in answers if truths[n][name] is True]
        false = [n for n in answers if truths[n][name] is False]
        good = sum(proved(getattr(answers[n], name)) for n in true)
        refuted = sum(
            answers[n].verdict.startswith("FAILS") if name == "on" else answers[n].off.startswith("FAILS")
            for n in false
        )
        lines.append(
            f"{name.capitalize()} the set: {len(true)} true, of which {good} PROVED or DECIDED;"
            f" {len(false)} false, of which {refuted} refuted."
        )
    return lines


def cell(text: str) -> str:
    """Text in a table."""
    return text.replace("|", "\\|").replace("\n", " ") or " "


def report(
    claims: Sequence[Claim], truths: Mapping[str, Truth], answers: Mapping[str, Answer], budget: float
) -> str:
    """The page."""
    first = {n: Answer(**a) for n, a in json.loads(FIRST.read_text()).items()} if FIRST.exists() else {}
    first = {n: first[n] for n in answers if n in first}
    mistakes = {n: w for n in answers if (w := wrong(truths[n], answers[n]))}
    lines = [
        "# Functions with exceptional sets", "",
        f"Written by `benchmarks/exceptional.py` on {date.today()} (eqvproof {ep.__version__}, Python"
        f" {platform.python_version()}, NumPy {np.__version__}, {os.cpu_count()} cores):"
        f" {len(answers)} claims of {budget:g} s each.", "",
        "An exceptional set is where entries tie, eigenvalues are equal or a rank is deficient. The claims"
        " were written before anybody saw what the package answers. An oracle in float64 labels each half:"
        " off the set at generic points, on it at points made for the claim. `elsewhere` is the second"
        " verdict of a claim that fails on the set: it speaks of the other points.", "",
        f"**Wrong halves: {len(mistakes)}.**", "",
        *(f"- {line}" for line in summary(truths, answers)), "",
    ]  # fmt: skip
    if first:
        told = [n for n in first if wrong(truths[n], first[n])]
        lines += [f"At first sight ({len(first)} claims): {len(told)} wrong.", ""]
        lines += [*(f"- {line}" for line in summary({n: truths[n] for n in first}, first)), ""]
    lines += ["| claim | off | on | verdict | elsewhere | first sight | s |", "|---|---|---|---|---|---|---|"]
    for claim in claims:
        truth, answer, old = truths[claim.name], answers[claim.name], first.get(claim.name)
        row = [
            claim.name,
            half("off", truth, answer),
            half("on", truth, answer),
            answer.verdict,
            answer.elsewhere or "none",
            "" if old is None else " / ".join(filter(None, (old.verdict, old.elsewhere))),
            f"{answer.seconds:.1f}",
        ]
        lines.append(f"| {' | '.join(map(cell, row))} |")
    lines += ["", "## Scopes", "", "| claim | typing | group | scope |", "|---|---|---|---|"]
    for claim in claims:
        answer = answers[claim.name]
        scope = answer.scope + (f"; elsewhere: {answer.elsewhere_scope}" if answer.elsewhere else "")
        lines.append(f"| {' | '.join(map(cell, (claim.name, claim.signature, claim.under, scope)))} |")
    if mistakes:
        lines += ["", "## Wrong", "", *(f"- {n}: {w}" for n, w in mistakes.items())]
    return "\n".join(lines) + "\n"


def labels(claims: Iterable[Claim], *, twice: bool) -> dict[str, Truth]:
    """The labels; with more points where they are not told, and from a second seed where asked."""
    found = {}
    for claim in claims:
        truth = label(claim)
        if None in truth.values():
            truth = label(claim, effort=3)
        if None in truth.values():
            print(f"{claim.name}: not told, {dict(truth)}", flush=True)
        if twice and (again := label(claim, seed=1)) != truth:
            print(f"{claim.name}: the labels disagree, {dict(truth)} and {dict(again)}", flush=True)
        found[claim.name] = truth
    return found


def seeds(claims: Iterable[Claim], budget: float) -> int:
    """Asks each claim with ten seeds; returns the number of claims whose answers differ."""
    different = 0
    for claim in claims:
        said = [(a.verdict, a.elsewhere) for a in (ask(claim, budget, seed) for seed in range(10))]
        different += len(set(said)) > 1
        text = " / ".join(filter(None, said[0])) if len(set(said)) == 1 else f"DIFFERENT {said}"
        print(f"{claim.name}: {text}", flush=True)
    return different


def main() -> int:
    """Runs the claims and writes the page."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--budget", type=float, default=BUDGET)
    parser.add_argument("--only", nargs="+", help="claims whose names contain one of these")
    parser.add_argument("--spare", action="store_true", help="the spare claims in place of the table")
    parser.add_argument("--labels", action="store_true")
    parser.add_argument("--seeds", action="store_true")
    parser.add_argument("--first", action="store_true")
    parser.add_argument("--processor-time", action="store_true", help="budgets of processor time")
    parser.add_argument("--out", type=Path)
    options = parser.parse_args()
    claims = [c for c in CLAIMS if c.name in SPARE] if options.spare else TABLE
    if options.only:
        claims = [c for c in CLAIMS if any(word in c.name for word in options.only)]
    if options.processor_time:
        for clock in ("time.monotonic", "time.time"):
            mock.patch(clock, time.process_time).start()
        mock.patch("os.fork", side_effect=OSError).start()  # a copy has a clock of its own
    if options.seeds:
        return int(seeds(claims, options.budget) > 0)
    truths = labels(claims, twice=options.labels)
    if options.labels:
        for name, truth in truths.items():
            print(f"{name}: off {truth['off']}, on {truth['on']}")
        return 0
    answers = {}
    for claim in claims:
        answers[claim.name] = answer = ask(claim, options.budget)
        mistake = wrong(truths[claim.name], answer)
        said = " / ".join(filter(None, (answer.verdict, answer.elsewhere)))
        print(
            f"{claim.name}: {dict(truths[claim.name])} {said} {answer.seconds:.1f} s"
            + (f" WRONG: {mistake}" if mistake else ""),
            flush=True,
        )
    if options.first:
        kept = json.loads(FIRST.read_text()) if FIRST.exists() else {}
        kept.update({n: asdict(a) for n, a in answers.items() if n not in kept})
        FIRST.write_text(json.dumps(kept, indent=1) + "\n")
    page = report(claims, truths, answers, options.budget)
    if options.out or not (options.only or options.spare):
        (options.out or Path(__file__).with_suffix(".md")).write_text(page)
    else:
        print(page)
    return int(any(wrong(truths[n], a) for n, a in answers.items()))


if __name__ == "__main__":
    sys.exit(main())
