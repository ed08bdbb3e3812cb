"""Questions that people ask: what the package answers about 200 functions, and whether it is right.

    python benchmarks/questions.py [--budget 10] [--only NAME ...] [--first] [--out FILE]
    python benchmarks/questions.py --labels          the labels alone
    python benchmarks/questions.py --processor-time  budgets of processor time, on a busy machine

The claims are in `benchmarks/question_claims`: of each question ten functions of which the answer is yes, and
ten of which it is no. Their labels are computed by an oracle in float64 that shares nothing with the package.
The exit status is 1 where an answer is wrong, or a certificate is not accepted.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import statistics
import sys
import time
import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import date
from pathlib import Path
from typing import Any
from unittest import mock

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import eqvproof as ep
from benchmarks.question_claims import CLAIMS, ITEMS, Claim, oracle
from eqvproof.support.errors import EqvproofError

BUDGET = 10.0
TODAY = date.today()  # before clocks are replaced
BUSY = " of processor time"
FIRST_SIGHT = (
    "One run of everything, by the clock of a busy machine with 2 cores, on which time ran out early."
    " Nearest claims that are true count here though they are not the expected one."
)
FIRST = Path(__file__).with_name("questions_first.json")
STRONG = {True: ("PROVED", "DECIDED", "BOUNDED"), False: ("EXACT", "ENCLOSED")}
#: What part of the greatest violation that the oracle samples a lower bound must reach.
REACHED = 0.9


@dataclass(frozen=True, slots=True)
class Answer:
    """What the package said of one claim.

    Attributes:
        said: outcome and grade, or the error, and what else answers the question.
        is_strong: whether that is an answer with a proof, or with a counterexample.
        is_proved: whether it is PROVED, for all sizes.
        wrong: why the answer is wrong; empty where it is not.
        certificates, accepted: how many there are, and how many of them the kernel accepts.
        seconds: the time.
        reason: why the answer is not a stronger one.
    """

    said: str
    is_strong: bool = False
    is_proved: bool = False
    wrong: str = ""
    certificates: int = 0
    accepted: int = 0
    seconds: float = 0.0
    reason: str = ""


def words(verdict: Any) -> str:
    """Outcome and grade."""
    return f"{verdict.outcome} {verdict.grade}".strip()


def group(under: str) -> Any:
    """The group; a point group by its symbol."""
    return under if "(" in under else ep.groups.point_group(under)


def is_strong(verdict: Any, *, holds: bool) -> bool:
    """Whether a verdict says so with a proof, or with a counterexample."""
    return bool(verdict.holds if holds else verdict.fails) and str(verdict.grade) in STRONG[holds]


def accepted(verdicts: Sequence[Any]) -> dict[str, int]:
    """The numbers of certificates and of accepted ones."""
    found = [v.certificate for v in verdicts if v is not None and v.certificate is not None]
    return {"certificates": len(found), "accepted": sum(ep.verify(c).accepted for c in found)}


def verdict_on(claim: Claim, budget: float) -> Any:
    """The verdict of the call that answers the question."""
    options = dict(claim.options)
    if claim.question == "identical":
        return ep.identical(
            claim.function, claim.against, claim.signature, budget=budget, **options
        )
    if claim.question == "independent":
        return ep.independent(claim.function, claim.signature, budget=budget, **options)
    if claim.question == "causal":
        return ep.causal(claim.function, claim.signature, budget=budget, **options)
    return ep.check(
        claim.function, claim.signature or None, under=group(claim.under), budget=budget, **options
    )


def ask_verdict(claim: Claim, budget: float) -> Answer:
    """Asks whether the claim holds."""
    verdict = verdict_on(claim, budget)
    elsewhere = verdict.elsewhere
    said = " / ".join(words(v) for v in (verdict, elsewhere) if v is not None)
    is_wrong = is_strong(verdict, holds=not claim.holds) and elsewhere is None
    return Answer(
        said,
        is_strong(verdict, holds=claim.holds),
        words(verdict) == "HOLDS PROVED",
        f"{said}, and the claim is {claim.holds}" if is_wrong else "",
        reason=verdict.reason,
        **accepted((verdict, elsewhere)),
    )


def ask_nearest(claim: Claim, budget: float) -> Answer:
    """Asks for the nearest claim that holds, which the oracle tests."""
    verdict = verdict_on(claim, budget)
    nearest, wrong, told = verdict.nearest, "", False
    said = words(verdict)
    if nearest:
        place = f"{nearest.signature} | {nearest.under}"
        told = is_strong(nearest, holds=True) and oracle.split(claim, place) == oracle.split(
            claim, claim.place
        )
        said += f", nearest {place} {nearest.grade}"
        if is_strong(nearest, holds=True) and not oracle.holds(claim, place):
            wrong = f"nearest {place} {nearest.grade} is false"
    is_told = told if claim.holds else not nearest
    if is_strong(verdict, holds=True):
        wrong = f"{words(verdict)}, and the claim is false"
    return Answer(
        said,
        is_strong(verdict, holds=False) and is_told,
        told and words(nearest) == "HOLDS PROVED",
        wrong,
        reason=verdict.reason,
        **accepted((verdict, verdict.elsewhere, nearest)),
    )


def ask_profile(claim: Claim, budget: float) -> Answer:
    """Asks which layer breaks the symmetry, and for a verdict on the model."""
    import torch

    torch.manual_seed(0)
    model = claim.function(broken=not claim.holds)
    inputs, _ = oracle.parse(claim.signature)
    rng = np.random.default_rng(1)
    sizes = oracle.drawn_sizes(claim, claim.signature, rng) | {
        "n": claim.options.get("sizes", {}).get("n", 6)
    }
    batch: list[Any] = [oracle.draw(claim, a, sizes, rng) for a in inputs]
    if isinstance(model, torch.nn.Module):
        batch = [torch.tensor(x, dtype=torch.float32) for x in batch]
    found = ep.profile(model, claim.signature, claim.under, batch, alone=False)
    verdict = ep.check(model, claim.signature, under=claim.under, budget=budget, **claim.options)
    first = "none" if found.first is None else found.first.path
    is_found = first == claim.place or (" " in claim.place and first.endswith(claim.place))
    said = f"{words(verdict)}, first: {first.rpartition(': ')[2]}"
    if found.first is not None and not found.is_confirmed:
        said += " (likely)"
    if not claim.holds and claim.place in f"{verdict.reason} {verdict.notes}":
        said += ", also told by check"
    wrong = ""
    if is_strong(verdict, holds=not claim.holds):
        wrong = f"{words(verdict)}, and the claim is {claim.holds}"
    if found.is_confirmed and found.first is not None and not (is_found and not claim.holds):
        wrong = f"first {first}, and it is {claim.place or 'none'}"
    return Answer(
        said,
        is_strong(verdict, holds=True) and found.first is None if claim.holds else is_found,
        words(verdict) == "HOLDS PROVED" and found.first is None,
        wrong,
        reason=verdict.reason,
        **accepted((verdict,)),
    )


def ask_violation(claim: Claim, budget: float) -> Answer:
    """Asks how far the function is from symmetric, and compares with what the oracle samples."""
    found = ep.violation(
        claim.function, claim.signature, claim.under, budget=budget, **claim.options
    )
    greatest, wrong = oracle.sampled(claim), ""
    lower, upper = found.lower, found.upper
    said = f"{lower and float(lower)} to {upper and float(upper)}, sampled {greatest:.4g}"
    if upper is not None and greatest > float(upper) * (1 + 1e-9) + 1e-12:
        wrong = f"at most {float(upper)}, and the oracle finds {greatest}"
    if lower is not None and lower > 0:
        there = max(greatest, oracle.sampled(claim, found.point))
        if claim.holds or float(lower) > there * (1 + 1e-2):
            wrong = f"at least {float(lower)}, and the oracle finds {there} at the point"
    sees = found.certificate is not None and ep.verify(found.certificate).accepted
    is_zero = upper == 0 and found.verdict is not None and is_strong(found.verdict, holds=True)
    reached = bool(lower is not None and lower >= REACHED * greatest)
    return Answer(
        said,
        sees and (is_zero if claim.holds else reached),
        sees and is_zero,
        wrong,
        certificates=found.certificate is not None,
        accepted=sees,
        reason="" if found.why is None else str(found.why),
    )


ASKED: Mapping[str, Callable[[Claim, float], Answer]] = {
    "nearest": ask_nearest, "profile": ask_profile, "violation": ask_violation,
}  # fmt: skip


def ask(claim: Claim, budget: float) -> Answer:
    """What the package says, with the time; refusals are answers."""
    start = time.monotonic()
    try:
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")
            answer = ASKED.get(claim.question, ask_verdict)(claim, budget)
    except EqvproofError as error:
        answer = Answer(f"refused: {type(error).__name__}", reason=str(error))
    kept = asdict(answer) | {"seconds": round(time.monotonic() - start, 2)}
    kept["reason"] = " ".join(answer.reason.split())[:240]
    return Answer(**kept)


COLUMNS = (
    "question",
    "PROVED of provable",
    "right strong",
    "wrong refuted",
    "wrong answers",
    "certificates",
    "median s",
)


def figures(answers: Mapping[str, Answer]) -> list[str]:
    """The table of the items, one row each, and of all."""
    parts = [(f"{item.number}. {item.title}", item.claims) for item in ITEMS]
    lines = [f"| {' | '.join(COLUMNS)} |", "|---" * len(COLUMNS) + "|"]
    for title, claims in (*parts, ("all", CLAIMS)):
        asked = [c for c in claims if c.name in answers]
        right = [answers[c.name] for c in asked if c.holds]
        wrong = [answers[c.name] for c in asked if not c.holds]
        both = [answers[c.name] for c in asked]
        if both:
            cells = (
                title,
                f"{sum(a.is_proved for a in right)}/{len(right)}",
                f"{sum(a.is_strong for a in right)}/{len(right)}",
                f"{sum(a.is_strong for a in wrong)}/{len(wrong)}",
                str(sum(bool(a.wrong) for a in both)),
                f"{sum(a.accepted for a in both)}/{sum(a.certificates for a in both)}",
                f"{statistics.median(a.seconds for a in both):.1f}",
            )
            lines.append(f"| {' | '.join(cells)} |")
    return lines


def cell(text: str) -> str:
    """Text in a table."""
    return text.replace("|", "\\|").replace("\n", " ") or " "


def row(claim: Claim, *cells: str) -> str:
    """A row of a table: the claim and more cells."""
    asked = claim.signature or "annotations"
    more = [
        claim.under,
        claim.options.get("of", ""),
        claim.question if claim.question == "causal" else "",
    ]
    about = ", ".join(filter(None, [asked, *more]))
    return (
        f"| {' | '.join(map(cell, (claim.name, about, 'yes' if claim.holds else 'no', *cells)))} |"
    )


def report(answers: Mapping[str, Answer], budget: float) -> str:
    """The page."""
    kept = json.loads(FIRST.read_text()) if FIRST.exists() else {}
    first = {name: Answer(**kept[name]) for name in answers if name in kept}
    claims = [c for c in CLAIMS if c.name in answers]
    mistakes = [c for c in claims if answers[c.name].wrong]
    weak = [c for c in claims if not answers[c.name].is_strong]
    lines = [
        "# Questions that people ask", "",
        f"Written by `benchmarks/questions.py` on {TODAY} (eqvproof {ep.__version__}, Python"
        f" {platform.python_version()}, NumPy {np.__version__}, {os.cpu_count()} cores): {len(answers)}"
        f" functions, {budget:g} s each{BUSY * (time.monotonic is time.process_time)}.", "",
        "The functions were written from the documentation, before anybody saw what the package answers; an"
        " oracle in float64 labels them. All of them can be proved or refuted in principle. An answer is"
        " strong that is proved, or refuted by a counterexample. More is asked by three questions:", "",
        "- 1: yes where a nearest claim holds, and strong where the one that its author expects is proved.",
        "- 7: no where a layer is broken on purpose, and strong where it is named as the first.",
        "- 8: yes where nothing is violated; else strong where the lower bound has a certificate and reaches"
        f" {REACHED:.0%} of the greatest violation that the oracle samples.", "",
        *figures(answers), "",
    ]  # fmt: skip
    if first:
        lines += ["## At first sight", "", FIRST_SIGHT, "", *figures(first), ""]
    if mistakes:
        lines += ["## Wrong", "", *(f"- {c.name}: {answers[c.name].wrong}" for c in mistakes), ""]
    lines += [
        "## Weak",
        "",
        "| function | asked | expected | said | reason |",
        "|---|---|---|---|---|",
    ]
    lines += [row(c, answers[c.name].said, answers[c.name].reason) for c in weak]
    lines += [
        "",
        "## All",
        "",
        "| function | asked | expected | said | first sight | s |",
        "|---" * 6 + "|",
    ]
    for c in claims:
        answer, old = answers[c.name], first.get(c.name)
        before = "" if old is None or old.said == answer.said else old.said
        lines.append(row(c, answer.said, before, f"{answer.seconds:.1f}"))
    return "\n".join(lines) + "\n"


def main() -> int:
    """Asks, and writes the page."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--budget", type=float, default=BUDGET)
    parser.add_argument("--only", nargs="+", help="claims whose names begin with one of these")
    parser.add_argument("--labels", action="store_true", help="the labels alone")
    parser.add_argument(
        "--first", action="store_true", help="also keep the answers as those of first sight"
    )
    parser.add_argument("--processor-time", action="store_true", help="budgets of processor time")
    parser.add_argument("--out", type=Path)
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    if options.processor_time:
        for clock in ("time.monotonic", "time.time"):
            mock.patch(clock, time.process_time).start()
        mock.patch("os.fork", side_effect=OSError).start()  # a copy has a clock of its own
    answers, status = {}, 0
    for claim in CLAIMS:
        if options.only and not claim.name.startswith(tuple(options.only)):
            continue
        found = oracle.label(claim)
        if found is not claim.holds:
            print(f"{claim.name}: expected {claim.holds}, the oracle says {found}", flush=True)
            status = 1
        if options.labels:
            continue
        answers[claim.name] = answer = ask(claim, options.budget)
        status |= bool(answer.wrong) or answer.accepted < answer.certificates
        mark = "  " if answer.is_strong else "??"
        print(
            f"{mark} {claim.name} {claim.holds}: {answer.said} {answer.seconds:.1f} s", flush=True
        )
        if answer.wrong or not answer.is_strong:
            print(
                f"      {'WRONG ' * bool(answer.wrong)}{answer.wrong or answer.reason}", flush=True
            )
    if options.labels:
        return status
    if options.first:
        kept = json.loads(FIRST.read_text()) if FIRST.exists() else {}
        kept = {name: asdict(a) for name, a in answers.items()} | kept
        FIRST.write_text(json.dumps(kept, indent=1) + "\n")
    page = report(answers, options.budget)
    if options.out or not options.only:
        (options.out or Path(__file__).with_suffix(".md")).write_text(page)
    else:
        print("\n".join(figures(answers)))
    return status


if __name__ == "__main__":
    sys.exit(main())
