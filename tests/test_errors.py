"""What errors say: on one line too, where carets cannot stand; and in words that a newcomer understands."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import eqvproof as ep
import eqvproof.support.errors
from eqvproof.claims.groups import parse_group
from eqvproof.claims.signature import parse_signature
from eqvproof.support.errors import EqvproofError, GroupError, SignatureError, place_of

PACKAGE = Path(ep.__file__).parent
#: Words that readers stumbled over.
UNUSED = (
    "to mend it", "at its only size", "the time was up", "allowed was up", "the claim is not whole",
    "-positions 1", "{where} cyclically",
    "number of kinds from", "numbers of kinds", "in both: O(d)", "wherever its hypotheses", "times in X and",
)  # fmt: skip


@pytest.mark.parametrize("words", UNUSED)
def test_words_that_are_not_used(words: str) -> None:
    assert [p for p in PACKAGE.rglob("*.py") if words in p.read_text()] == []


#: What cannot be read -> what follows the place.
SIGNATURES = {
    "X: d n > d n": "'> d n'", "X d n -> d n": "'d n -> d n'",
    "X: d n -> d n ;": "';'", "X: d n, -> d": "'-> d'",
    "X: d n -> (d n": "'(d n'", "X: d n -> m+1": "'m+1'", "X: d n -> d n -> n": "'-> n'",
    "X: 0 n -> n": "'0 n -> n'", "E[k]: 2 m -> m": "'k]: 2 m -> m'", "X: d n ->": "end", "X: d n": "end",
}  # fmt: skip
GROUPS = {
    "O(d": "no ')'", "O": "no axis", "O d": "no axis",
    "S(n) O(d)": "S(n) x O(d)", "o(d)": "did you mean 'O'",
    "Qrt(d)": "generated_by", "PSL(d)": "generated_by", "U(d)": "complex arrays", "SU(d)": "complex arrays",
    "Sym(n": "did you mean 'S'", "Sgns(d)": "did you mean 'Signs'", "O(d) x S": "S(n)",
    "(d)": "unexpected '('",
}  # fmt: skip


@pytest.mark.parametrize("text", SIGNATURES)
def test_on_one_line_the_place_is_quoted(text: str) -> None:
    with pytest.raises(SignatureError) as caught:
        parse_signature(text)
    line = caught.value.line
    assert "\n" not in line and "^" not in line
    assert f"'{text}'" in line and SIGNATURES[text] in line
    assert "; expected: " in line and "; try: " in line


@pytest.mark.parametrize("text", GROUPS)
def test_groups(text: str) -> None:
    with pytest.raises(GroupError) as caught:
        parse_group(text, parse_signature("X: d n -> d n"))
    assert GROUPS[text] in str(caught.value)
    assert "did you mean 'S'?" not in str(caught.value)


def test_the_same_error_elsewhere() -> None:
    error = SignatureError(
        "it is wrong", given="a", expected="b", hint="c", code="signature.x"
    ).with_place("f.py")
    assert type(error) is SignatureError and error.code == "signature.x"
    assert str(error).splitlines() == [
        "it is wrong",
        "  given: a; f.py",
        "  expected: b",
        "  try: c",
    ]


def test_the_line_of_the_user_is_found() -> None:
    with pytest.raises(EqvproofError) as caught:
        ep.claim("X: d n > d n", under="O(d)")
    assert re.fullmatch(r".*test_errors\.py, line \d+", place_of(caught.value))
    assert place_of(ValueError()) == ""


def relu(X: Any) -> Any:
    return np.maximum(X, 0)


X, Y = np.array([[1, 0, 0], [0, 1, 0]]), np.array([[1, 0, 0], [0, 0, 1]])
#: What raises or returns words, and what they say of columns, rows and entries, counted from 0.
FROM_ZERO: dict[str, tuple[Callable[[], Any], str]] = {
    "Gram matrices": (lambda: ep.orthogonal_witness(X, Y), "columns 1 and 1"),
    "of floats": (lambda: ep.orthogonal_witness(X * 1.5, Y * 1.5), "columns 1 and 1"),
    "inner products": (
        lambda: ep.orthogonal_witness([[1, 0], [0, 1]], [[1, 1], [0, 1]]),
        "<X[:, 0], X[:, 1]> = 0",
    ),
    "no number": (lambda: ep.gram([[1, 2], [3, "a"]]), "entry [1, 1]"),
    "nan": (lambda: ep.orthogonal_witness([[1.0, np.nan]], [[1.0, 2.0]]), "entry [0, 1]"),
    "inf": (lambda: ep.orthogonal_witness([[1.0], [np.inf]], [[1.0], [2.0]]), "entry [1, 0]"),
    "congruence": (lambda: ep.congruence_witness([[1, 3]], [[1, 2]]), "different lengths"),
    "coefficients": (lambda: ep.coefficients(np.eye(2, dtype=int), [[1], [0]]), "column 1"),
    "columns once": (
        lambda: ep.permutation_witness([[1, 2]], [[1, 3]]),
        "stands 0 times in X and once in Y",
    ),
    "columns twice": (
        lambda: ep.permutation_witness([[1, 2]], [[1, 1]]),
        "stands once in X and twice in Y",
    ),
    "counterexample": (
        lambda: ep.refute(relu, "X: d -> d", "O(d)", sizes={"d": 2}),
        "reflect coordinate 0",
    ),
    "entry": (lambda: ep.refute(relu, "X: d -> d", "O(d)", sizes={"d": 2}), "in entry [0]"),
    "permutation": (
        lambda: ep.refute(lambda x: x[0], "x: n -> ()", "S(n)"),
        "swap positions 0 and 1 along n",
    ),
}


@pytest.mark.parametrize(("ask", "words"), FROM_ZERO.values(), ids=FROM_ZERO)
def test_words_count_from_zero(ask: Callable[[], Any], words: str) -> None:
    try:
        said = str(ask())
    except EqvproofError as error:
        said = str(error)
    assert words in said


@pytest.mark.parametrize(
    ("signature", "under"),
    [
        ("X: d n -> d n", "O(d)"),
        ("X: d n -> d n", "S(n)"),
        (", ".join(f"X{i}: d n" for i in range(40)) + " -> d n", "O(d)"),
    ],
)
def test_a_verdict_is_shown_in_less_than_200_characters(signature: str, under: str) -> None:
    verdict = ep.check(lambda *X: relu(X[0]), signature, under, budget=30)
    assert len(repr(verdict)) < 200 and "\n" not in repr(verdict)
    assert repr(verdict).startswith(f"<Verdict {verdict.outcome} {verdict.grade}")


WHOLE = sorted({f.relative_to(PACKAGE).parts[0] for f in PACKAGE.rglob("*.py")} - {"kernel"})


def raised_in(folder: str) -> Iterator[tuple[str, dict[str, str]]]:
    """The calls that make our errors, with what they say by keyword."""
    found = (c for c in vars(eqvproof.support.errors).values() if isinstance(c, type))
    # what keeps a trace from being made is a reason in a verdict, no error that users meet
    classes = {c.__name__ for c in found if issubclass(c, EqvproofError)} - {"TraceError"}
    files = [PACKAGE / folder] if folder.endswith(".py") else (PACKAGE / folder).rglob("*.py")
    for file in files:
        for node in ast.walk(ast.parse(file.read_text())):
            if (
                isinstance(node, ast.Call)
                and isinstance(node.func, ast.Name)
                and node.func.id in classes
            ):
                said = {k.arg or "": ast.unparse(k.value) for k in node.keywords}
                yield (
                    f"{file.name}:{node.lineno}: {' '.join(map(ast.unparse, node.args))[:80]}",
                    said,
                )


@pytest.mark.parametrize("folder", WHOLE)
def test_every_error_is_whole(folder: str) -> None:
    """A caret shows what was given; what another process has said is handed on."""
    lacking = [
        where
        for where, said in raised_in(folder)
        if said.get("code") != "'internal'" and "answer['error']" not in where
        if not {"expected", "hint"} <= set(said) or not ("given" in said or "line" in where)
    ]
    assert lacking == []


@pytest.mark.parametrize(
    ("under", "both"),
    [("T(d) x O(d)", "E(d)"), ("SO(d) x T(d)", "SE(d)"), ("S(d) x Signs(d)", "B(d)")],
)
def test_factors_on_one_axis_are_named_together(under: str, both: str) -> None:
    with pytest.raises(GroupError, match=rf"{both[:-3]}\(d\) is the group of both together"):
        parse_group(under, parse_signature("x: n d -> n d"))
