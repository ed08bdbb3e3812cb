"""Claims that a conclusion follows from hypotheses by replacing equals by equals."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from eqvproof.engines.verdict import Grade, Outcome, Verdict, recheck, seal
from eqvproof.papers.statements.finding import Finding, from_verdict, undecided
from eqvproof.papers.statements.judge import Court
from eqvproof.support.errors import EqvproofError

MOST_STEPS = 200
LARGEST_TERM = 200
_TOKEN = re.compile(r"\s*([A-Za-z_][A-Za-z0-9_']*|[(),])")

#: A name, or a name applied to terms.
Term = tuple[Any, ...]
Rule = tuple[str, Term, Term]


@dataclass(frozen=True, slots=True)
class Equational:
    """An equation of terms that follows from others: ``A(B(star(g, x))) = star2(g, A(B(x)))``.

    Every hypothesis is an equation that is assumed for all values of the variables. The hypotheses
    rewrite both sides of the conclusion, from left to right, as long as one applies. HOLDS, PROVED,
    if both sides become the same term: then the conclusion is true of all sets, functions and
    elements for which the hypotheses are true. Otherwise UNDECIDED: the conclusion may follow in
    another way, or not at all. The certificate contains every step and the hypotheses.

    Attributes:
        conclusion: an equation ``left = right``; a term is a name or ``name(term, ...)``.
        hypotheses: equations, by their description.
        variables: the names for which any term may be substituted, separated by blanks.
    """

    conclusion: str
    hypotheses: Mapping[str, str]
    variables: str

    def judge(self, court: Court) -> Finding:
        """Rewrites both sides of the conclusion as far as possible, and compares them."""
        names = frozenset(self.variables.split())
        rules = [_parse_rule(label, text, names) for label, text in self.hypotheses.items()]
        sides = _parse_equation(self.conclusion)
        both_steps = [_rewrite(side, rules, names) for side in sides]
        ends = [
            steps[-1].term if steps else side for steps, side in zip(both_steps, sides, strict=True)
        ]
        if ends[0] != ends[1]:
            return undecided(
                f"{self.conclusion} is not reached: the sides become {_term_text(ends[0])} and"
                f" {_term_text(ends[1])}"
            )
        certificate = seal(
            "rewriting",
            conclusion=_to_lists(sides),
            hypotheses=_to_lists([rule[1:] for rule in rules]),
            variables=sorted(names),
            evidence={
                n: [s.to_json() for s in steps]
                for n, steps in zip(("left", "right"), both_steps, strict=True)
            },
        )
        objection = recheck(certificate)
        if objection:
            return undecided(f"steps were found, but the kernel rejects them: {objection}")
        verdict = Verdict(
            Outcome.HOLDS,
            Grade.PROVED,
            "whenever its hypotheses are true",
            reason=f"{self.conclusion} follows from: {'; '.join(self.hypotheses)}",
            derivation=tuple(
                line
                for steps, side in zip(both_steps, sides, strict=True)
                for line in _derivation_lines(side, steps, rules)
            ),
            certificate=certificate,
            notes=("derived from hypotheses, which are assumed",),
        )
        return from_verdict(verdict)


@dataclass(frozen=True, slots=True)
class _Step:
    """One use of a hypothesis.

    Attributes:
        term: the whole term after it.
        rule: the number of the hypothesis.
        place: the path to the rewritten subterm: numbers of arguments, outermost first.
        values: the terms that are substituted for the variables.
    """

    term: Term
    rule: int
    place: tuple[int, ...]
    values: Mapping[str, Term]

    def to_json(self) -> dict[str, Any]:
        """Converts the step to its form in certificates."""
        return {"rule": self.rule, "place": list(self.place), "values": _to_lists(self.values)}


def _to_lists(value: Any) -> Any:
    """Converts the tuples of terms to lists, as certificates store them."""
    if isinstance(value, Mapping):
        return {name: _to_lists(term) for name, term in value.items()}
    return [_to_lists(v) for v in value] if isinstance(value, (tuple, list)) else value


def _derivation_lines(term: Term, steps: list[_Step], rules: list[Rule]) -> Iterator[str]:
    for step in steps:
        yield f"{_term_text(term)} = {_term_text(step.term)}  ({rules[step.rule][0]})"
        term = step.term


def _parse_rule(label: str, text: str, names: frozenset[str]) -> Rule:
    left, right = _parse_equation(text)
    unbound = (set(_term_names(right)) - set(_term_names(left))) & names
    if unbound:
        raise EqvproofError(
            f"the hypothesis {label!r} has a variable on its right side only",
            given=text,
            expected="every variable on the left side",
            code="statement.equation",
            hint="exchange its sides",
        )
    return label, left, right


def _parse_equation(text: str) -> tuple[Term, Term]:
    sides = [_parse_term(side, text) for side in text.split("=")]
    if len(sides) != 2:
        raise _syntax_error(text)
    return sides[0], sides[1]


def _syntax_error(text: str) -> EqvproofError:
    return EqvproofError(
        "this is not an equation of terms",
        given=text,
        expected="such as 'f(star(g, x)) = f(x)'",
        code="statement.equation",
        hint="terms are names, or names applied to terms, on both sides of one '='",
    )


def _parse_term(side: str, whole: str) -> Term:
    tokens = _TOKEN.findall(side)
    if not tokens or "".join(tokens) != "".join(side.split()):
        raise _syntax_error(whole)
    stack: list[list[Any]] = [[]]
    for token, following in zip(tokens, [*tokens[1:], ""], strict=True):
        if token == ")":
            if len(stack) < 2:
                raise _syntax_error(whole)
            done = tuple(stack.pop())
            stack[-1].append(done)
        elif token not in "(,":
            if following == "(":
                stack.append([token])
            else:
                stack[-1].append((token,))
    if len(stack) != 1 or len(stack[0]) != 1:
        raise _syntax_error(whole)
    term: Term = stack[0][0]
    if re.sub(r"\s", "", side) != _term_text(term).replace(" ", ""):
        raise _syntax_error(whole)
    return term


def _term_text(term: Term) -> str:
    if len(term) == 1:
        return str(term[0])
    return f"{term[0]}({', '.join(map(_term_text, term[1:]))})"


def _term_names(term: Term) -> Iterator[str]:
    if len(term) == 1:
        yield term[0]
    for part in term[1:]:
        yield from _term_names(part)


def _term_size(term: Term) -> int:
    return 1 + sum(_term_size(part) for part in term[1:])


def _match(pattern: Term, term: Term, names: frozenset[str], found: dict[str, Term]) -> bool:
    if len(pattern) == 1 and pattern[0] in names:
        return found.setdefault(pattern[0], term) == term
    if pattern[0] != term[0] or len(pattern) != len(term):
        return False
    return all(_match(p, t, names, found) for p, t in zip(pattern[1:], term[1:], strict=True))


def _substitute(term: Term, values: Mapping[str, Term]) -> Term:
    if len(term) == 1:
        return values.get(term[0], term)
    return (term[0], *(_substitute(part, values) for part in term[1:]))


def _first_step(term: Term, rules: list[Rule], names: frozenset[str]) -> _Step | None:
    """Applies a hypothesis once, in the innermost place possible; returns the step, or None."""
    for i, part in enumerate(term[1:], start=1):
        inner = _first_step(part, rules, names)
        if inner is not None:
            whole = (*term[:i], inner.term, *term[i + 1 :])
            return replace(inner, term=whole, place=(i, *inner.place))
    for number, (_, left, right) in enumerate(rules):
        values: dict[str, Term] = {}
        if _match(left, term, names, values):
            return _Step(_substitute(right, values), number, (), values)
    return None


def _rewrite(term: Term, rules: list[Rule], names: frozenset[str]) -> list[_Step]:
    steps: list[_Step] = []
    for _ in range(MOST_STEPS):
        step = _first_step(term, rules, names)
        if step is None:
            return steps
        steps.append(step)
        term = step.term
        if _term_size(term) > LARGEST_TERM:
            break
    raise EqvproofError(
        "rewriting with the hypotheses does not end",
        given=_term_text(term)[:120],
        expected="equations whose right sides are simpler than their left sides",
        code="statement.equation",
        hint="exchange the sides of the hypothesis that makes the term larger",
    )
