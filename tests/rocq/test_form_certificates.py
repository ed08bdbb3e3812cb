"""What the kernel accepts of altered certificates in forms, the checker extracted from Rocq accepts too."""

from __future__ import annotations

import copy
import json
import random
from collections.abc import Iterator
from typing import Any

import pytest

import eqvproof as ep
from eqvproof.engines.verdict import seal
from eqvproof.rocq import rocq_answers
from eqvproof.rocq.compile import Extracted
from eqvproof.support.errors import ExportError
from tests.judged import certificate_of
from tests.rocq.test_certificates import PROVED
from tests.rocq.test_each import MORE as EACH
from tests.rocq.test_views import VIEWS

JSON = dict[str, Any]
#: Alterations of a plain run; of a run with --all-cases.
FEW, MANY = 400, 10_000
PARTS = ("claim", "forms", "evidence")
WORDS = (
    "Std", "Dual", "Fix", "Det", "Irr", "d", "n", "S", "O", "T", "SO", "Scale", "GL", "Signs", "max", "abs",
    "exp", "recip", "Lab", "Num", "Over", "Modulo", "Plus", "!", "^", "*", "",
    "Prod", "Cut", "Split", "Merge",
)  # fmt: skip


@pytest.fixture(scope="module")
def certificates() -> list[JSON]:
    """Certificates of proofs in forms."""
    found = []
    for case in (*PROVED, *EACH[:12], *VIEWS):
        certificate = certificate_of(*case)
        if "forms" in certificate:
            found.append({part: certificate[part] for part in PARTS})
    assert len(found) > 20
    return found


def places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The paths of all parts of some data."""
    if path:
        yield path
    entries: Any = enumerate(value) if isinstance(value, list) else ()
    if isinstance(value, dict):
        entries = value.items()
    for key, entry in entries:
        yield from places(entry, (*path, key))


def drawn(chance: random.Random, value: Any) -> Any:
    """Something else in place of a value."""
    if type(value) is int:
        return chance.choice([value + 1, value - 1, 0, 1, chance.randrange(6), -1])
    if isinstance(value, str):
        return chance.choice(WORDS)
    if isinstance(value, list) and value:
        other = [*value]
        match chance.randrange(4):
            case 0:
                other.pop(chance.randrange(len(other)))
            case 1:
                other.append(copy.deepcopy(chance.choice(other)))
            case 2:
                chance.shuffle(other)
            case _:
                k = chance.randrange(len(other))
                other[k] = copy.deepcopy(chance.choice(other))
        return other
    return chance.choice([None, [], "", 0, True])


def altered(chance: random.Random, content: JSON) -> JSON:
    """Content with one part altered, of data that is not the name of a field."""
    other = copy.deepcopy(content)
    path = chance.choice([*places(other)])
    *before, last = path
    parent = other
    for key in before:
        parent = parent[key]
    parent[last] = drawn(chance, parent[last])
    return other


def test_malformed_certificates_are_refused_by_name(certificates: list[JSON]) -> None:
    """Nothing but ExportError is raised, and nothing is printed that the kernel cannot read."""
    chance, refused, printed = random.Random(7), 0, 0
    for _ in range(200):
        content = altered(chance, chance.choice(certificates))
        try:
            rocq_answers([seal("proof", **content)])
        except ExportError as error:
            refused += "malformed" in str(error)
        else:
            printed += 1
    assert refused > 50 and printed > 20


def test_text_in_a_certificate_is_not_printed_as_rocq(certificates: list[JSON]) -> None:
    content = copy.deepcopy(certificates[0])
    own = content["evidence"]["factors"][0]
    own["types"].append([[[["Std). Axiom wrong : False. (", ["n"]]]], 0])
    with pytest.raises(ExportError, match="malformed"):
        rocq_answers([seal("proof", **content)])


def test_what_the_kernel_accepts_rocq_accepts(
    extracted: Extracted, certificates: list[JSON], request: pytest.FixtureRequest
) -> None:
    chance = random.Random(50)
    count = MANY if request.config.getoption("--all-cases") else FEW
    accepted, refused = list[JSON](), 0
    for _ in range(count):
        content = altered(chance, chance.choice(certificates))
        if chance.random() < 0.3:
            content = altered(chance, content)
        report = ep.verify(seal("proof", **content))
        assert "internal error" not in report.reason, (report.reason, json.dumps(content))
        if report.accepted:
            accepted.append(seal("proof", **content))
        else:
            refused += 1
    assert refused > count // 2 and len(accepted) > count // 50
    differ = [
        one
        for one, answer in zip(accepted, extracted.answers(rocq_answers(accepted)), strict=True)
        if not answer
    ]
    assert not differ, json.dumps(differ[0])
