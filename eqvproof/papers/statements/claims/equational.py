"""Claims that a conclusion follows from hypotheses by replacing equals by equals."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from eqvproof.engines.verdict import Grade, Outcome, Verdict, recheck, seal
from eqvproof.papers.statements.finding import Finding, of_verdict, undecided
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

    Every hypothesis is an equation that is supposed for all values of the variables; it is used
    from left to right, on both sides of the conclusion, as long as one applies. HOLDS, PROVED, when
    both sides become the same term: then the conclusion is true of all sets, functions and elements
    for which the hypotheses are true (replacing equals by equals). Otherwise UNDECIDED: it may
    follow in another way, or not at all. The certificate has every step, and names the hypotheses
    on which it rests.

    Attributes:
        conclusion: an equation ``left = right``; a term is a name or ``name(term, ...)``.
        hypotheses: equations, by what each of them says.
        variables: the names for which anything may be put, separated by blanks.
    """

    conclusion: str
    hypotheses: Mapping[str, str]
    variables: str

    def judge(self, court: Court) -> Finding:
        """Rewrites both sides of the conclusion as far as possible, and compares them."""
        names = frozenset(self.variables.split())
        rules = [_rule(label, text, names) for label, text in self.hypotheses.items()]
        sides = _equation(self.conclusion)
        ways = [_normal(side, rules, names) for side in sides]
        ends = [way[-1].term if way else side for way, side in zip(ways, sides, strict=True)]
        if ends[0] != ends[1]:
            return undecided(
                f"{self.conclusion} is not reached: the sides become {_text(ends[0])} and"
                f" {_text(ends[1])}"
            )
        certificate = seal(
            "rewriting",
            conclusion=_plain(sides),
            hypotheses=_plain([rule[1:] for rule in rules]),
            variables=sorted(names),
            evidence={
                n: [s.to_json() for s in way]
                for n, way in zip(("left", "right"), ways, strict=True)
            },
        )
        objection = recheck(certificate)
        if objection:
            return undecided(f"steps were found, but the kernel does not accept them: {objection}")
        verdict = Verdict(
            Outcome.HOLDS,
            Grade.PROVED,
            "for all that its hypotheses are true of",
            reason=f"{self.conclusion} follows from: {'; '.join(self.hypotheses)}",
            derivation=tuple(
                line
                for way, side in zip(ways, sides, strict=True)
                for line in _lines(side, way, rules)
            ),
            certificate=certificate,
            notes=("derived from hypotheses, which are assumed",),
        )
        return of_verdict(verdict)


@dataclass(frozen=True, slots=True)
class _Step:
    """One use of a hypothesis.

    Attributes:
        term: the whole term after it.
        rule: the number of the hypothesis.
        place: where: the number of an argument, of an argument of that, and so on.
        values: what stands for the variables.
    """

    term: Term
    rule: int
    place: tuple[int, ...]
    values: Mapping[str, Term]

    def to_json(self) -> dict[str, Any]:
        """Writes the step as certificates hold it."""
        return {"rule": self.rule, "place": list(self.place), "values": _plain(self.values)}


def _plain(value: Any) -> Any:
    """Converts terms to lists."""
    if isinstance(value, Mapping):
        return {name: _plain(term) for name, term in value.items()}
    return [_plain(v) for v in value] if isinstance(value, (tuple, list)) else value


def _lines(term: Term, way: list[_Step], rules: list[Rule]) -> Iterator[str]:
    for step in way:
        yield f"{_text(term)} = {_text(step.term)}  ({rules[step.rule][0]})"
        term = step.term


def _rule(label: str, text: str, names: frozenset[str]) -> Rule:
    left, right = _equation(text)
    unbound = (set(_names(right)) - set(_names(left))) & names
    if unbound:
        raise EqvproofError(
            f"the hypothesis {label!r} has a variable on its right side only",
            given=text,
            expected="every variable on the left side",
            code="statement.equation",
            hint="exchange its sides",
        )
    return label, left, right


def _equation(text: str) -> tuple[Term, Term]:
    sides = [_parse(side, text) for side in text.split("=")]
    if len(sides) != 2:
        raise _unreadable(text)
    return sides[0], sides[1]


def _unreadable(text: str) -> EqvproofError:
    return EqvproofError(
        "this is not an equation of terms",
        given=text,
        expected="such as 'f(star(g, x)) = f(x)'",
        code="statement.equation",
        hint="terms are names, or names applied to terms, on both sides of one '='",
    )


def _parse(side: str, whole: str) -> Term:
    tokens = _TOKEN.findall(side)
    if not tokens or "".join(tokens) != "".join(side.split()):
        raise _unreadable(whole)
    stack: list[list[Any]] = [[]]
    for token, following in zip(tokens, [*tokens[1:], ""], strict=True):
        if token == ")":
            if len(stack) < 2:
                raise _unreadable(whole)
            done = tuple(stack.pop())
            stack[-1].append(done)
        elif token not in "(,":
            if following == "(":
                stack.append([token])
            else:
                stack[-1].append((token,))
    if len(stack) != 1 or len(stack[0]) != 1:
        raise _unreadable(whole)
    term: Term = stack[0][0]
    if re.sub(r"\s", "", side) != _text(term).replace(" ", ""):
        raise _unreadable(whole)
    return term


def _text(term: Term) -> str:
    return term[0] if len(term) == 1 else f"{term[0]}({', '.join(map(_text, term[1:]))})"


def _names(term: Term) -> Iterator[str]:
    if len(term) == 1:
        yield term[0]
    for part in term[1:]:
        yield from _names(part)


def _size(term: Term) -> int:
    return 1 + sum(_size(part) for part in term[1:])


def _match(pattern: Term, term: Term, names: frozenset[str], found: dict[str, Term]) -> bool:
    if len(pattern) == 1 and pattern[0] in names:
        return found.setdefault(pattern[0], term) == term
    if pattern[0] != term[0] or len(pattern) != len(term):
        return False
    return all(_match(p, t, names, found) for p, t in zip(pattern[1:], term[1:], strict=True))


def _put(term: Term, values: Mapping[str, Term]) -> Term:
    if len(term) == 1:
        return values.get(term[0], term)
    return (term[0], *(_put(part, values) for part in term[1:]))


def _step(term: Term, rules: list[Rule], names: frozenset[str]) -> _Step | None:
    """Applies one hypothesis once, innermost first; returns the step, or None."""
    for i, part in enumerate(term[1:], start=1):
        inner = _step(part, rules, names)
        if inner is not None:
            whole = (*term[:i], inner.term, *term[i + 1 :])
            return replace(inner, term=whole, place=(i, *inner.place))
    for number, (_, left, right) in enumerate(rules):
        values: dict[str, Term] = {}
        if _match(left, term, names, values):
            return _Step(_put(right, values), number, (), values)
    return None


def _normal(term: Term, rules: list[Rule], names: frozenset[str]) -> list[_Step]:
    way: list[_Step] = []
    for _ in range(MOST_STEPS):
        step = _step(term, rules, names)
        if step is None:
            return way
        way.append(step)
        term = step.term
        if _size(term) > LARGEST_TERM:
            break
    raise EqvproofError(
        "the hypotheses can be used without end",
        given=_text(term)[:120],
        expected="equations whose right sides are simpler than their left sides",
        code="statement.equation",
        hint="exchange the sides of the hypothesis that makes the term larger",
    )
