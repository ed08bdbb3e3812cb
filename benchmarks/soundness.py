"""Random Programs and functions, random claims, and attacks on every verdict.

    python benchmarks/soundness.py [--minutes 5] [--seed 0] [--out benchmarks/soundness.md]

Programs go to each engine alone: a proof is re-checked by the kernel and attacked at several sizes, a
decision and an identity test at theirs, by exact evaluation at random and structured points; a counterexample
is re-checked by the kernel, and its sides are computed by the second evaluation of the tests. Functions go
through `check` as users call it, and are judged as in `source_fuzz.py`. The exit status
is 1 where a verdict was wrong.
"""

from __future__ import annotations

import argparse
import os
import platform
import random
import sys
import time
import traceback
from collections import Counter
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import eqvproof as ep
from benchmarks.fuzz import attack
from benchmarks.fuzz.judge import case
from benchmarks.fuzz.programs import claims_of, program_of
from eqvproof.claims.groups import Group
from eqvproof.claims.signature import Signature
from eqvproof.engines.bounded import bounded_equivariance
from eqvproof.engines.claim import Claim, absent
from eqvproof.engines.decide_claim import SizeDecision, decision
from eqvproof.engines.elaborate.program import forms_of_program
from eqvproof.engines.elaborate.proof import elaborate
from eqvproof.engines.linear_types import Proof, infer_equivariance
from eqvproof.engines.search import Limits, ProgramSubject, find_counterexample
from eqvproof.engines.search.evidence import evidence
from eqvproof.engines.verdict import seal
from eqvproof.programs import Program, substitute_sizes
from tests.programs.evaluate.programs import operations_used

SECONDS_A_CLAIM = 0.4
BUDGET = 2.0


class Tally:
    """What was done, and what was wrong."""

    def __init__(self) -> None:
        self.programs: Counter[str] = Counter()
        self.functions: Counter[str] = Counter()
        self.families: Counter[str] = Counter()
        self.operations: Counter[str] = Counter()
        self.attacks = self.unclear = 0
        self.wrong: list[str] = []
        self.crashes: list[str] = []

    def found(self, text: str) -> None:
        """A wrong verdict."""
        self.wrong.append(text)
        print("WRONG", text, file=sys.stderr)


def one_program(seed: int, tally: Tally) -> None:
    """One Program, and the strongest answers to claims about it."""
    program, inputs = program_of(seed)
    tally.operations.update(operations_used(program))
    claims = list(claims_of(program, inputs, seed))
    proofs = [(c, infer_equivariance(program, *c, {})) for c in claims]
    proved = [(c, p) for c, p in proofs if isinstance(p, Proof)]
    rest = [c for c, p in proofs if not isinstance(p, Proof)]
    rng = random.Random(seed)
    if proved:
        proof_of(program, *rng.choice(proved), seed, tally)
    if rest:
        at_sizes(program, rng.choice(rest), seed, tally)


def proof_of(program: Program, claim: tuple[Signature, Group], proof: Proof, seed: int, tally: Tally) -> None:
    """A proof, re-checked by the kernel and attacked at several sizes."""
    signature, group = claim
    scope = dict.fromkeys(signature.names, "all")
    told = Claim(lambda: None, signature, group, str(group)).to_json(scope)
    by_nodes = {"claim": told, "program": program.to_json(), "evidence": proof.to_json()}
    report = ep.verify(seal("proof", **elaborate(by_nodes)[1]))
    name = f"program {seed}: {signature} under {group}"
    if not report.accepted:
        tally.crashes.append(f"{name}: the kernel does not accept the proof: {report.reason}")
        return
    tally.programs["HOLDS PROVED"] += 1
    tally.families.update(f.family for f in group.factors)
    rng = random.Random(f"proof {seed}")
    for _ in range(2):
        sizes = {n: rng.randint(1, 4) for n in signature.input_names}
        tally.attacks += 1
        found = attack.violation(attack.of_program(program), signature, group, sizes, rng)
        if found is not None:
            again = attack.recomputed(program, signature, *found, sizes)
            tally.found(f"{name}: PROVED, and fails at {sizes} under {found[0]} (second evaluation: {again})")


def at_sizes(program: Program, claim: tuple[Signature, Group], seed: int, tally: Tally) -> None:
    """A decision, an identity test, or a counterexample."""
    signature, group = claim
    rng = random.Random(f"sizes {seed}")
    sizes = {n: rng.randint(1, 3) for n in signature.input_names}
    fixed = substitute_sizes(program, sizes)
    everything = {**sizes, **signature.output_sizes([s.value(sizes) for s in fixed.shape], sizes)}
    name = f"program {seed}: {signature} under {group} at {sizes}"
    limit = time.monotonic() + SECONDS_A_CLAIM
    claim = Claim(absent, signature, group, str(group))
    decided = isinstance(decision(claim, (fixed,), sizes), SizeDecision)
    bounded = bounded_equivariance(fixed, signature, group, everything, seed, limit).holds
    answers = [g for g, holds in (("DECIDED", decided), ("BOUNDED", bounded)) if holds]
    if answers:
        tally.programs[f"HOLDS {answers[0]}"] += 1
        tally.families.update(f.family for f in group.factors)
        tally.attacks += 1
        found = attack.violation(attack.of_program(program), signature, group, sizes, rng, 12)
        if found is not None:
            again = attack.recomputed(program, signature, *found, sizes)
            tally.found(f"{name}: {answers}, and fails under {found[0]} (second evaluation: {again})")
        return
    refuted(program, signature, group, name, seed, tally)


def refuted(program: Program, signature: Signature, group: Group, name: str, seed: int, tally: Tally) -> None:
    """A counterexample, re-checked by the kernel and computed a second time."""
    if any(o.symmetry is not None for o in program.opaques):
        return
    result = find_counterexample(
        ProgramSubject(program), signature, group,
        Limits(
            sizes={n: (1, 3) for n in signature.input_names}, seed=seed,
            deadline=time.monotonic() + SECONDS_A_CLAIM, max_points=400,
        ),
    )  # fmt: skip
    if result.found is None:
        tally.programs["HOLDS TESTED" if result.tried else "UNDECIDED"] += 1
        return
    found = result.found
    tally.programs[f"FAILS {found.grade}"] += 1
    tally.families.update(f.family for f in group.factors)
    moving = [e for e in found.elements if not e.is_identity]
    answer = attack.recomputed(program, signature, moving[0], found.inputs, found.sizes)
    tally.attacks += 1
    tally.unclear += answer == "unclear"
    if answer == "equal":
        tally.found(
            f"{name}: FAILS {found.grade} at {found.sizes}, and the second evaluation finds no difference"
        )
    if not program.opaques:
        told = Claim(lambda: None, signature, group, str(group)).to_json(found.sizes)
        shown = evidence(found, signature, group)
        forms = forms_of_program(program, found.sizes)
        report = ep.verify(seal("counterexample", claim=told, forms=forms, evidence=shown))
        if not report.accepted:
            tally.crashes.append(f"{name}: the kernel does not accept the counterexample: {report.reason}")


# ------------------------------------------------------------------------------------------------ functions
def one_function(seed: int, tally: Tally) -> None:
    """One function of random text, through `check`; see `source_fuzz.py`."""
    found = case(f"soundness {seed}", BUDGET)
    if found is None:
        return
    tally.functions[found.answer] += 1
    tally.families.update(family for family, _ in found.claim.factors)
    tally.attacks += 1
    tally.unclear += bool(found.doubt)
    if found.strong:
        tally.found(str(found))
    elif found.wrong:
        tally.crashes.append(str(found))


# --------------------------------------------------------------------------------------------------- report
def share(counts: Counter[str], *names: str) -> float:
    """The share of some answers, in percent."""
    total = sum(counts.values())
    return 100 * sum(v for k, v in counts.items() if k.startswith(names)) / max(1, total)


def report(tally: Tally, seeds: range, seconds: float) -> str:
    """What was done, as Markdown."""
    lines = [
        "# Soundness", "",
        f"Written by `benchmarks/soundness.py` (eqvproof {ep.__version__}, Python"
        f" {platform.python_version()}, NumPy {np.__version__}, {os.cpu_count()} cores): seeds {seeds.start}"
        f" to {seeds.stop - 1}, {seconds / 60:.1f} minutes, {tally.attacks} attacks and recomputations"
        f" ({tally.unclear} of them unclear).", "",
        f"**Wrong verdicts: {len(tally.wrong)}.** Objections of the kernel: {len(tally.crashes)}.", "",
    ]  # fmt: skip
    both = tally.programs + tally.functions
    counted = {g: sum(v for k, v in both.items() if k.endswith(g)) for g in ("PROVED", "DECIDED", "BOUNDED")}
    lines += [
        f"{both.total()} claims about the programs and functions of these seeds:"
        f" PROVED {counted['PROVED']}, DECIDED {counted['DECIDED']}, BOUNDED {counted['BOUNDED']}, FAILS"
        f" {sum(v for k, v in both.items() if k.startswith('FAILS'))}; PROVED or DECIDED"
        f" {share(both, 'HOLDS PROVED', 'HOLDS DECIDED'):.0f} %, FAILS {share(both, 'FAILS'):.0f} %.", "",
    ]  # fmt: skip
    for title, counts in (("Programs", tally.programs), ("Functions", tally.functions)):
        lines += [f"## {title}", "", "| answer | count |", "|---|---|"]
        lines += [f"| {name} | {count} |" for name, count in counts.most_common()]
        lines += ["", f"PROVED or DECIDED {share(counts, 'HOLDS PROVED', 'HOLDS DECIDED'):.0f} %,"
                  f" FAILS {share(counts, 'FAILS'):.0f} %.", ""]  # fmt: skip
    lines += ["## Groups", "", ", ".join(f"{k} {v}" for k, v in sorted(tally.families.items())), ""]
    lines += ["## Operations", "", ", ".join(f"{k} {v}" for k, v in sorted(tally.operations.items())), ""]
    for title, texts in (("Wrong", tally.wrong), ("Objections", tally.crashes)):
        if texts:
            lines += [f"## {title}", "", *(f"```\n{t}\n```" for t in texts[:50]), ""]
    return "\n".join(lines)


def main() -> int:
    """Run for some minutes and write what was done."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minutes", type=float, default=5.0)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--only", choices=("programs", "functions"))
    parser.add_argument("--out", type=Path, default=Path(__file__).with_suffix(".md"))
    options = parser.parse_args()
    start = time.monotonic()
    tally, seed = Tally(), options.seed
    while time.monotonic() - start < 60 * options.minutes:
        for kind, work, every in (("programs", one_program, 1), ("functions", one_function, 4)):
            if (options.only or kind) != kind or (seed % every and not options.only):
                continue
            try:
                work(seed, tally)
            except Exception as error:
                place = traceback.extract_tb(error.__traceback__)[-1]
                where = f"{Path(place.filename).name}:{place.lineno}"
                tally.crashes.append(f"{kind} {seed}: {type(error).__name__} at {where}: {error}")
                print("CRASH", tally.crashes[-1], file=sys.stderr)
        seed += 1
    options.out.write_text(report(tally, range(options.seed, seed), time.monotonic() - start))
    print(f"{len(tally.wrong)} wrong, {len(tally.crashes)} objections; {options.out}")
    return 1 if tally.wrong else 0


if __name__ == "__main__":
    sys.exit(main())
