"""Groups read against a signature, and their errors."""

from __future__ import annotations

import pytest

from eqvproof.claims.groups import FAMILIES, Factor, Group, parse_group
from eqvproof.claims.signature import Term, parse_signature
from eqvproof.support.errors import GroupError

SIGNATURE = parse_signature("X: d n, Z: d! k, R: 3 n+k -> d 2n q!")


@pytest.mark.parametrize(
    ("text", "factors", "pins"),
    [
        ("O(d)", [("O", "d")], {}),
        (" SO ( d )\tx  S(n) ", [("SO", "d"), ("S", "n")], {}),
        ("O(d)×S(n)", [("O", "d"), ("S", "n")], {}),
        ("O(d)xA(n)xC(k)", [("O", "d"), ("A", "n"), ("C", "k")], {}),
        ("O(2)", [("O", "d")], {"d": 2}),
        ("O(4)", [("O", "d")], {"d": 4}),
        ("Signs(4) x S(2)", [("Signs", "d"), ("S", "n")], {"d": 4, "n": 2}),
        ("S(5) x SO(2)", [("S", "n"), ("SO", "d")], {"n": 5, "d": 2}),
        *((f"{f}(d)", [(f, "d")], {}) for f, record in FAMILIES.items() if record.reals == 1),
    ],
)
def test_groups_as_data(text: str, factors: list[tuple[str, str | int]], pins: dict[str, int]) -> None:
    group = parse_group(text, SIGNATURE)
    assert group == Group(tuple(Factor(f, a) for f, a in factors), pins)
    assert group.to_json() == [{"family": f, "axis": a} for f, a in factors]
    assert parse_group(group, SIGNATURE) is group
    assert parse_group(str(group), SIGNATURE).factors == group.factors
    assert hash(group) == hash(parse_group(text, SIGNATURE))


@pytest.mark.parametrize(
    ("text", "code", "words"),
    [
        ("", "group.syntax", "empty"),
        ("O", "group.syntax", "name the axis: O(d)"),
        ("O(d", "group.syntax", "name the axis: O(d)"),
        ("O(d) x", "group.syntax", "ends"),
        ("O(d) S(n)", "group.syntax", "' x '"),
        ("O(d) * S(n)", "group.syntax", "joined by ' x '"),
        ("O(d)) x S(n)", "group.syntax", "unexpected ')'"),
        ("o(d)", "group.unknown-family", "did you mean 'O'"),
        ("Sym(n)", "group.unknown-family", "did you mean 'S'"),
        ("Sign(d)", "group.unknown-family", "did you mean 'Signs'"),
        ("V(d)", "group.unknown-family", ", ".join(FAMILIES)),
        ("O(dd)", "group.no-axis", "did you mean 'd'"),
        ("O(z)", "group.no-axis", "d, n, k, q, 3"),
        ("O(X)", "group.no-axis", "'X: d n'"),
        ("O(q)", "group.no-axis", "marked '!'"),
        ("O(0)", "group.axis", "from 1 up"),
        ("O(2d)", "group.axis", "2d"),
        ("O(d) x SO(d)", "group.same-axis", "axis d"),
        ("O(4) x O(5)", "group.same-axis", "axis d"),
        ("O(3)", "group.two-readings", "read in two ways"),
    ],
)
def test_mistakes(text: str, code: str, words: str) -> None:
    with pytest.raises(GroupError) as caught:
        parse_group(text, SIGNATURE)
    assert caught.value.code == code
    assert words in str(caught.value)
    assert "^" in caught.value.message
    assert caught.value.expected
    assert caught.value.hint


def test_a_pinned_group_needs_its_axis() -> None:
    signature = parse_signature("X: n c -> n c")
    with pytest.raises(GroupError, match="an axis called 'd'"):
        parse_group("O(3)", signature)
    assert parse_group("S(3)", signature).pins == {"n": 3}


def test_a_group_is_a_text() -> None:
    with pytest.raises(GroupError, match="under= is not a group"):
        parse_group(3, SIGNATURE)


def test_a_group_is_checked_against_the_signature_it_is_used_with() -> None:
    group = parse_group("O(d)", SIGNATURE)
    with pytest.raises(GroupError, match="no axis"):
        parse_group(group, parse_signature("X: n -> n"))


@pytest.mark.parametrize("family", list(FAMILIES))
def test_every_family_is_read(family: str) -> None:
    signature = parse_signature("X: 2d -> 2d") if FAMILIES[family].reals == 2 else SIGNATURE
    (factor,) = parse_group(f"{family}(d)", signature).factors
    assert factor == Factor(family, "d") and factor.record.letter == family


def test_which_terms_a_factor_acts_on() -> None:
    named, literal = Factor("O", "d"), Factor("O", 3)
    assert [named.acts_on(Term(2, "d", m)) for m in ("", "^", "*", "!")] == [True, True, True, False]
    assert not named.acts_on(Term(1, "n"))
    assert not named.acts_on(Term(3, None))
    assert [literal.acts_on(Term(3, None, m)) for m in ("", "!")] == [True, False]
    assert not literal.acts_on(Term(3, "d"))
    assert not literal.acts_on(Term(2, None))
    assert named.size({"d": 7}) == 7
    assert literal.size({}) == 3


def test_a_size_acts_on_literal_axes_where_the_usual_name_is_missing() -> None:
    signature = parse_signature("X: m 3 -> m 3")
    assert parse_group("O(3)", signature) == Group((Factor("O", 3),), {})
    assert parse_group("SE(3)", signature) == Group((Factor("SE", 3),), {})


def test_masks_are_permuted_and_not_multiplied() -> None:
    signature = parse_signature("x: n, M[bool]: n -> n")
    assert parse_group("S(n)", signature)
    with pytest.raises(GroupError, match="holds no real numbers"):
        parse_group("Signs(n)", signature)
