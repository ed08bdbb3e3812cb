"""The checker in Python, and the one extracted from Rocq, give equal answers on one printed text."""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Callable

import pytest

from eqvproof.kernel.report import allow_work
from eqvproof.rocq import rocq_answers
from eqvproof.rocq.compile import Extracted
from eqvproof.support.errors import ExportError
from tests.judged import certificate_of
from tests.rocq.corpus import RIGHT, WRONG, certificate
from tests.rocq.python_checker import answers
from tests.rocq.test_certificates import PROVED
from tests.rocq.test_each import MORE as EACH
from tests.rocq.test_views import VIEWS

#: Alterations of a plain run; of a run with --all-cases.
FEW, MANY = 500, 10_000
FAMILIES = "S A C O SO GL SL Scale Signs".split()
Draw = Callable[[random.Random, re.Match[str]], str]
#: What is altered in a printed text, and by what.
ALTERED: tuple[tuple[str, Draw], ...] = (
    (r"(Lab|Num) \d+", lambda r, m: f"{m[1]} {r.randrange(4)}"),
    (r"\(\d+, \[::", lambda r, m: f"({r.randrange(12)}, [::"),
    (r"Std|Dual|Fix|Irr \d+", lambda r, m: r.choice(["Std", "Dual", "Fix", "(Irr 2)", "(Det Std)"])),
    (r"(Posz|Negz) \d+", lambda r, m: r.choice(["Posz 0", "Posz 1", "Negz 0", "Posz 2"])),
    (r"\bt\d+\b(?! :)", lambda r, m: f"t{r.randrange(8)}"),
    (r"\bz\d+\b(?! :)", lambda r, m: f"z{r.randrange(4)}"),
    (r"check \w+", lambda r, m: f"check {r.choice(FAMILIES)}"),
    (r"; \d+\]", lambda r, m: f"; {r.randrange(6)}]"),
    (r"(Moved|Map|Leaf|Input) \d+", lambda r, m: f"{m[1]} {r.randrange(5)}"),
    (r"(starts\d+ : [^=]*:= \[:: (?:None; )*)Some \d+", lambda r, m: f"{m[1]}Some {r.randrange(3)}"),
    (r"(stop\d+ : [^=]*:= Some) \d+", lambda r, m: f"{m[1]} {r.randrange(3)}"),
    (r"Fold (\d+ \d+) \d+", lambda r, m: f"Fold {m[1]} {r.randrange(4)}"),
    (r"View \w+ (\d+)", lambda r, m: f"View {r.choice(['Cut', 'Split', 'Merge'])} {m[1]}"),
    (r"(View \w+ \d+) \d+ \w+", lambda r, m: f"{m[1]} {r.randrange(3)} z{r.randrange(4)}"),
    (r"Prod \(\w+\)", lambda r, m: f"Prod ({r.choice(['Std', 'Fix', 'Dual'])})"),
)  # fmt: skip


@pytest.fixture(scope="module")
def modules() -> list[str]:
    """The printed text of certificates, each a module."""
    found = []
    proved = (certificate_of(*case) for case in (*PROVED, *EACH[:12], *VIEWS))
    wrong = (spec for _, spec in WRONG.values())
    for one in (*proved, *(certificate(*spec) for spec in (*RIGHT.values(), *wrong))):
        try:
            text = rocq_answers([one])
        except ExportError:
            continue
        found.append(text[text.index("Module") :])
    return found


def test_the_checkers_agree(extracted: Extracted, modules: list[str]) -> None:
    allow_work(10**8)
    text = "".join(modules)
    found = answers(text)
    assert found == extracted.answers(text)
    assert {*found} == {True, False}


def test_they_agree_on_altered_texts(
    extracted: Extracted, modules: list[str], request: pytest.FixtureRequest
) -> None:
    allow_work(10**9)
    chance, altered = random.Random(49), list[str]()
    count = MANY if request.config.getoption("--all-cases") else FEW
    while len(altered) < count:
        module = chance.choice(modules)
        pattern, draw = chance.choice(ALTERED)
        hits = [*re.finditer(pattern, module)]
        if hits:
            hit = chance.choice(hits)
            altered.append(module[: hit.start()] + draw(chance, hit) + module[hit.end() :])
    text = "".join(altered)
    found, theirs = answers(text), extracted.answers(text)
    differ = [one for one, here, there in zip(altered, found, theirs, strict=True) if here != there]
    assert not differ, differ[0]
    assert min(Counter(found).get(answer, 0) for answer in (True, False)) > count // 10
