"""Checks that an equation follows from assumed ones, by replacing equals by equals.

A term is a list: a name, then the terms to which it is applied. An equation is assumed for all
values of the variables. A step names an equation, a place (which argument of which argument ...),
and what stands for each variable: there must be the left side, and is the right side then. Whatever
the names mean, equals stay equal. So if both sides of the conclusion become one term, it holds for
all meanings for which the equations do.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from .report import Limited, Rejected, Report, spend
from .text import fields, integer, items, read_name, read_pair

NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_']{0,63}", re.ASCII)
#: Largest number of steps of each side, and of names in a term.
MOST_STEPS, MOST_SIZE = 1000, 300
Term = tuple[Any, ...]


def check_rewriting(content: dict[str, Any]) -> Report:
    """Checks that the conclusion follows from the hypotheses."""
    given, assumed, variables, evidence = fields(
        content, "$", "conclusion", "hypotheses", "variables", "evidence"
    )
    names = frozenset(
        read_name(name, "$.variables", NAME) for name in items(variables, "$.variables", 64)
    )
    equations = [_equation(e, "$.hypotheses", names) for e in items(assumed, "$.hypotheses", 64)]
    conclusion = _equation(given, "$.conclusion", names)
    ends = []
    for side, term in zip(fields(evidence, "$.evidence", "left", "right"), conclusion, strict=True):
        for step in items(side, "$.evidence", MOST_STEPS):
            term = _apply_step(term, step, equations, names)
        ends.append(term)
    if ends[0] != ends[1]:
        raise Rejected(
            f"$.evidence: the sides become {_term_words(ends[0])} and {_term_words(ends[1])}"
        )
    end = "for every meaning of the names for which the hypotheses are true"
    statement = f"{_claim(conclusion, names)}, {end}"
    rests = tuple(f"assumed: {_claim(equation, names)}" for equation in equations)
    return Report(
        accepted=True, statement=statement, grade="PROVED", rests_on=("equations", *rests)
    )


def _claim(equation: tuple[Term, Term], names: frozenset[str]) -> str:
    free = ", ".join(sorted(names & {n for term in equation for n in _heads(term)}))
    words = " = ".join(map(_term_words, equation))
    if free:
        return f"{words} for all {free}"
    return words


def _equation(value: Any, path: str, names: frozenset[str]) -> tuple[Term, Term]:
    left, right = read_pair(value, path)
    return _term(left, path, names), _term(right, path, names)


def _term(value: Any, path: str, names: frozenset[str]) -> Term:
    spend(4)
    name, *arguments = items(value, path, MOST_SIZE) or [None]
    if arguments and isinstance(name, str) and name in names:
        raise Rejected(f"{path}: a variable that is applied to terms")
    return (read_name(name, path, NAME), *(_term(a, path, names) for a in arguments))


def _apply_step(
    term: Term, step: Any, equations: list[tuple[Term, Term]], names: frozenset[str]
) -> Term:
    """Returns the term after one step."""
    rule, place, values = fields(step, "$.evidence", "rule", "place", "values")
    left, right = equations[integer(rule, "$.evidence.rule", 0, len(equations) - 1)]
    if not isinstance(values, dict) or not values.keys() <= names:
        raise Rejected("$.evidence.values: expected terms for variables")
    found = {name: _term(value, "$.evidence.values", names) for name, value in values.items()}
    old, new = (_substitute(side, found, names) for side in (left, right))
    spend(_term_size(old) + _term_size(new))
    return _replace_at(term, items(place, "$.evidence.place", MOST_SIZE), old, new)


def _substitute(term: Term, values: Mapping[str, Term], names: frozenset[str]) -> Term:
    """Substitutes terms for variables."""
    if len(term) == 1 and term[0] in names:
        if term[0] not in values:
            raise Rejected(f"$.evidence.values: nothing stands for {term[0]}")
        return values[term[0]]
    return (term[0], *(_substitute(part, values, names) for part in term[1:]))


def _replace_at(term: Term, place: list[Any], old: Term, new: Term) -> Term:
    """Replaces the old term at a place by the new one."""
    spend(_term_size(term))
    if not place:
        if term != old:
            raise Rejected(f"$.evidence: {_term_words(term)} is not {_term_words(old)}")
        return new
    k = integer(place[0], "$.evidence.place", 1, len(term) - 1)
    return (*term[:k], _replace_at(term[k], place[1:], old, new), *term[k + 1 :])


def _heads(term: Term) -> list[str]:
    return [term[0], *(name for part in term[1:] for name in _heads(part))]


def _term_size(term: Term) -> int:
    size = 1 + sum(_term_size(part) for part in term[1:])
    if size > MOST_SIZE:
        raise Limited("a term that is too large")
    return size


def _term_words(term: Term) -> str:
    inner = ", ".join(map(_term_words, term[1:]))
    if inner:
        return f"{term[0]}({inner})"
    return str(term[0])


CHECKS = {"rewriting": check_rewriting}
