"""The signature language: what it accepts, and how it answers mistakes."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from eqvproof.claims.signature import Argument, Axis, Signature, Term, parse_form, parse_signature
from eqvproof.claims.size import Size
from eqvproof.support.errors import ShapeError, SignatureError

NAMES = st.from_regex(r"[A-Za-z_][A-Za-z0-9_]{0,3}", fullmatch=True).filter(
    lambda n: n != "bool" and not __import__("keyword").iskeyword(n)
)


def axis(*terms: Term) -> Axis:
    return Axis(tuple(terms))


def test_a_signature_as_data() -> None:
    found = parse_signature("X: d n, b: d!, E[n]: 2 m, M[bool]: n n -> d n+m 2n^")
    d, n, m = Term(1, "d"), Term(1, "n"), Term(1, "m")
    assert found.inputs == (
        Argument("X", (axis(d), axis(n))),
        Argument("b", (axis(Term(1, "d", "!")),)),
        Argument("E", (axis(Term(2, None)), axis(m)), "index", "n"),
        Argument("M", (axis(n), axis(n)), "bool"),
    )
    assert found.output == (axis(d), axis(n, m), axis(Term(2, "n", "^")))
    assert found.names == ("d", "n", "m")
    assert found.output[1].size == Size.of("n") + "m"
    assert found.output[2].size == Size.of("n") * 2


def test_kinds_are_an_axis_of_a_size_that_the_signature_gives() -> None:
    found = parse_signature("z[10]: n, w[3]: m, e[n]: m -> n")
    assert found.pins == {"_10": 10, "_3": 3}
    assert [a.indexes for a in found.inputs] == ["_10", "_3", "n"]
    assert found.input_names == ("_10", "n", "_3", "m")


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("X:d n->d n", "X: d n -> d n"),
        ("  X : d n ,Z: d k\n-> d   n + k", "X: d n, Z: d k -> d n+k"),
        ("x: () -> ( )", "x: () -> ()"),
        ("x: n 3 -> 3!", "x: n 3 -> 3!"),
        ("x: n, g: d* -> d* 2n+3", "x: n, g: d* -> d* 2n+3"),
        ("x: n2 2n -> c", "x: n2 2n -> c"),
        ("x: n -> m 2m", "x: n -> m 2m"),
        ("n: n -> n", "n: n -> n"),
        ("z[010]: n, e[n]: m -> m", "z[10]: n, e[n]: m -> m"),
    ],
)
def test_accepted(text: str, canonical: str) -> None:
    found = parse_signature(text)
    assert str(found) == canonical
    assert parse_signature(canonical) == found
    assert found.text == text


# (text, the part under the carets, code, a word of the message)
MISTAKES = [
    ("", "", "signature.arrow", "empty"),
    ("X: d n", "", "signature.arrow", "'->'"),
    ("-> d", "->", "signature.argument", "no argument"),
    ("X d n -> d n", "d", "signature.colon", "':'"),
    ("X: d, n -> d n", "->", "signature.colon", "their axes by blanks: 'X: d n'"),
    ("X: d n, -> d", "->", "signature.argument", "comma"),
    ("X: d n => d", "=", "signature.character", "'->'"),
    ("X: d n - d", "-", "signature.character", "arrow"),
    ("X: d n → d", "→", "signature.character", "'->'"),
    ("X: d n -> d -> d", "->", "signature.arrow", "second"),
    ("X: d n -> ", "", "signature.axes", "missing"),
    ("X: -> d", "->", "signature.axes", "'()'"),
    ("X: d () -> d", "()", "signature.scalar", "beside"),
    ("X: () d -> d", "()", "signature.scalar", "beside"),
    ("X: d 0 -> d", "0", "signature.size", "from 1 up"),
    ("X: 02n -> n", "02", "signature.size", "leading"),
    ("X: d 99999999999n -> d", "99999999999", "signature.size", "large"),
    ("X: 2*n -> n", "n", "signature.mark", "2n"),
    ("X: n^2 -> n", "2", "signature.mark", "powers"),
    ("X: d!^ -> d", "^", "signature.mark", "one mark"),
    ("X: n ! -> n", "!", "signature.syntax", "right behind"),
    ("X: n+ -> n", "+", "signature.sum", "'+'"),
    ("X: (d n -> d", "->", "signature.merged", "bracket"),
    ("X: d n) -> d", ")", "signature.syntax", "unexpected"),
    ("X: () -> ...", ".", "signature.character", "'.'"),
    ("X.: d n -> d", ":", "signature.path", "after '.'"),
    ("X: d, X.a: d n -> d", "X", "signature.duplicate-argument", "'X'"),
    ("X: d n, X: d k -> d", "X", "signature.duplicate-argument", "'X'"),
    ("lambda: d -> d", "lambda", "signature.argument-name", "Python"),
    ("X: d n Z: d k -> d", ":", "signature.syntax", "commas"),
    ("X: d n -> d n+k", "k", "signature.unknown-axis", "not known"),
    ("X: d nodes -> d 2node", "2node", "signature.unknown-axis", "'nodes'"),
    ("E[nn]: 2 m, X: n d -> n", "nn", "signature.unknown-axis", "did you mean 'n'"),
    ("E[0]: 2 m -> m", "0", "signature.bracket", "mask"),
    ("E[n: 2 m, X: n -> m", ":", "signature.bracket", "']'"),
    ("X: \u0430 -> n", "\u0430", "signature.character", "CYRILLIC"),
    ("X: d\u0301 -> n", "\u0301", "signature.character", "COMBINING"),
    ("X: \uff44 -> n", "\uff44", "signature.character", "FULLWIDTH"),
    ("X: d\u00a0n -> n", "\u00a0", "signature.character", "NO-BREAK"),
    ("X: \u00b2n -> n", "\u00b2", "signature.character", "SUPERSCRIPT"),
    ("X: \u0663 -> n", "\u0663", "signature.character", "ARABIC"),
]


@pytest.mark.parametrize(("text", "under", "code", "word"), MISTAKES)
def test_mistakes_show_their_place(text: str, under: str, code: str, word: str) -> None:
    with pytest.raises(SignatureError) as caught:
        parse_signature(text)
    error = caught.value
    assert error.code == code
    assert word in str(error)
    assert error.expected
    assert error.hint
    _, shown, carets = error.message.split("\n")
    assert carets.strip() == "^" * len(carets.strip())
    if text.isascii():
        start = carets.index("^")
        assert shown[4:] == text
        assert shown[start : start + len(carets.strip())].strip() == under


#: Forms of models, the plain signatures that they are read as, the paths of the results.
FORMS = [
    ("X: n d, h: n c -> n d, n c", ["X: n d, h: n c -> n d", "X: n d, h: n c -> n c"], [(), ()]),
    ("X: n d -> pos: n d, h.0: n c", ["X: n d -> n d", "X: n d -> n c"], [("pos",), ("h", "0")]),
    ("X: n d -> _, n d", ["X: n d -> n d"], [()]),
    ("a.x: n 4, a.e[n]: 2 m -> n 4", ["a_x: n 4, a_e[n]: 2 m -> n 4"], [()]),
    ("x: (n 3) h -> (h c)", ["x: n 3 h -> h c"], [()]),
    ("x: n d, g[b]: n, sizes b -> b d", ["x: n d, g[b]: n, b: b -> b d"], [()]),
    ("a_b: n, a.b: n -> n", ["a_b: n, a_b_: n -> n"], [()]),
]


@pytest.mark.parametrize(("text", "plain", "paths"), FORMS)
def test_forms_of_models(text: str, plain: list[str], paths: list[tuple[str, ...]]) -> None:
    form = parse_form(text)
    assert [str(s) for s in form.signatures] == plain
    assert [r.path for r in form.claimed_results] == paths
    assert parse_form(str(form)).results == form.results
    assert parse_form(str(form)).leaves == form.leaves
    with pytest.raises(SignatureError, match="are not taken here"):
        parse_signature(text)


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("X: n -> _", "signature.results"),
        ("X: n -> a: n, n", "signature.results"),
        ("X: n -> a: n, a: n", "signature.duplicate-result"),
        ("X: n -> n, ", "signature.axes"),
    ],
)
def test_mistakes_in_forms(text: str, code: str) -> None:
    with pytest.raises(SignatureError) as caught:
        parse_form(text)
    assert caught.value.code == code


def test_carets_stand_right_behind_wide_characters() -> None:
    with pytest.raises(SignatureError) as caught:
        parse_signature("X: \u4e2d -> n")
    assert caught.value.message.endswith("\n       ^^")


def test_a_signature_is_a_text() -> None:
    with pytest.raises(SignatureError, match="the signature is not a text"):
        parse_signature(5)


TERMS = st.builds(
    Term,
    st.integers(1, 3),
    st.one_of(st.none(), st.sampled_from(["d", "n", "n2", "k_"])),
    st.sampled_from(["", "!", "^", "*"]),
)
AXES = st.lists(st.builds(Axis, st.lists(TERMS, min_size=1, max_size=2).map(tuple)), max_size=3).map(tuple)
ALL_NAMES = tuple(Axis((Term(1, n),)) for n in ("d", "n", "n2", "k_"))


@given(st.lists(st.tuples(NAMES, AXES), max_size=3, unique_by=lambda p: p[0]), AXES)
def test_what_is_printed_is_read_back(
    arguments: list[tuple[str, tuple[Axis, ...]]], output: tuple[Axis, ...]
) -> None:
    inputs = (*(Argument(n, a) for n, a in arguments if n != "all_"), Argument("all_", ALL_NAMES))
    meant = Signature(inputs, output, "")
    read = parse_signature(str(meant))
    assert read == meant
    assert hash(read) == hash(meant)
    assert read.to_json() == meant.to_json()


@given(st.text(alphabet="Xdn23 ,:->+!^*[]()bol._\n\u0430", max_size=25))
def test_any_text_is_a_signature_or_a_signature_error(text: str) -> None:
    try:
        form = parse_form(text)
    except SignatureError:
        return
    assert parse_form(str(form)).signatures == form.signatures


def test_sizes_of_an_output() -> None:
    found = parse_signature("X: d n -> m n+d")
    assert found.output_only == ("m",)
    assert found.output_sizes((7, 5), {"d": 2, "n": 3}) == {"d": 2, "n": 3, "m": 7}
    with pytest.raises(ShapeError, match=r"\(7, 4\)"):
        found.output_sizes((7, 4), {"d": 2, "n": 3})
    with pytest.raises(ShapeError):
        found.output_sizes((7,), {"d": 2, "n": 3})


def test_an_unknown_argument_is_named() -> None:
    found = parse_signature("query: d n -> d")
    assert found.argument("query") is found.inputs[0]
    with pytest.raises(SignatureError, match="did you mean 'query'"):
        found.argument("qery")
