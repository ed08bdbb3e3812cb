"""The parser of signatures.

    signature = argument {"," argument} "->" result {"," result}
    argument  = path ["[" (name | integer | "bool") "]"] ":" axes
    result    = "_" | [path ":"] axes
    path      = name {"." (name | integer)}
    axes      = "()" | (axis | "(" axis {axis} ")") {axis | "(" axis {axis} ")"}
    axis      = term {"+" term}
    term      = integer [mark] | [integer] name [mark]
    mark      = "!" | "^" | "*"
    axis      = "<" irreps of O(3) in the notation of e3nn ">", such as <2x0e+1o>

Names are ASCII identifiers; ``2n`` is twice the axis n, ``n2`` a name. A path leads to a part of an
argument or of what is returned; ``(n 3)`` is one axis of an array, made of two row by row; ``_``
leaves a result out. ``z[10]: n`` holds kinds, numbered from 0 to 9: indices into an axis ``_10`` of
that size.
"""

from __future__ import annotations

import keyword
import re

from eqvproof.claims.signature.carets import caret_error, did_you_mean
from eqvproof.claims.signature.forms import (
    LEFT_OUT,
    SIZES,
    Form,
    Leaf,
    Result,
    Shaped,
    plain_form,
    plain_signature,
)
from eqvproof.claims.signature.irreps import parse_irreps
from eqvproof.claims.signature.model import MARKS, Argument, Axis, Signature, Term, kinds
from eqvproof.claims.signature.tokens import EXAMPLE, Token, token_advice, tokens
from eqvproof.support.errors import GroupError, SignatureError

_DIGITS = 9
_DEPTH = 10_000


def parse_signature(text: object) -> Signature:
    """Parses a signature such as ``"X: d n, Z: d k -> d n"``.

    Raises:
        SignatureError: the text is not a signature of a function of arrays with one array as the
            result; the message shows where, and what was expected there.
    """
    if isinstance(text, Signature):
        return text
    return plain_signature(parse_form(text))


def parse_form(text: object) -> Form:
    """Parses the signature of a model: several results, parts of structures, merged axes.

    Raises:
        SignatureError: the text is not a signature; the message shows where, and what was expected
            there.
    """
    if isinstance(text, Signature):
        return plain_form(text)
    if not isinstance(text, str):
        raise SignatureError(
            "the signature is not a text",
            given=f"an object of the class {type(text).__name__}",
            expected="a text such as 'X: d n -> d n'",
            hint="the order is check(f, signature, group)",
            code="signature.type",
        )
    if len(text) > _DEPTH:
        raise SignatureError(
            "the signature is too long",
            given=f"{len(text)} characters",
            expected=f"at most {_DEPTH}",
            hint=EXAMPLE,
        )
    return _Parser(text).form()


class _Parser:
    """One pass over the tokens; `at` is the index of the next one."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.tokens = tokens(text)
        self.at = 0
        self.places: list[tuple[Term, int, int]] = []
        self.brackets: list[Token] = []

    @property
    def next(self) -> Token:
        return self.tokens[self.at]

    def take(self) -> Token:
        token = self.tokens[self.at]
        self.at += 1
        return token

    def error(
        self, message: str, token: Token, expected: str, hint: str, code: str
    ) -> SignatureError:
        return caret_error(
            self.text, token.start, token.end, message, expected=expected, hint=hint, code=code
        )

    def form(self) -> Form:
        if all(t.kind != "arrow" for t in self.tokens):
            end, message = self.tokens[-1], "the signature is empty"
            hint = EXAMPLE
            if len(self.tokens) > 1:
                message = "the signature has no '->'"
            if re.match(r"\s*[A-Za-z]+\s*\(", self.text):
                hint = "the group comes after the signature: check(f, 'X: d n -> d n', 'O(d)')"
            raise self.error(
                message,
                end,
                "'->' and the axes of the result",
                hint,
                "arrow",
            )
        if self.next.kind == "arrow":
            raise self.error(
                "the signature has no argument",
                self.next,
                "'name: axes' before '->'",
                EXAMPLE,
                "argument",
            )
        leaves = [self.leaf([])]
        while self.next.kind != "arrow":
            token = self.take()
            if token.text != ",":
                raise self.after_axis(token, "',' and another argument, or '->'")
            leaves.append(self.leaf(leaves))
        self.take()
        inputs = tuple(leaf.argument for leaf in leaves)
        results = self.results(Signature(inputs, (), ""))
        form = Form(tuple(leaves), results, self.text)
        self.check_indexes(form)
        return form

    def leaf(self, earlier: list[Leaf]) -> Leaf:
        token = self.take()
        if token.kind != "name":
            what = _unexpected(token)
            if token.kind == "arrow":
                if earlier:
                    what = "a comma without an argument after it"
                else:
                    what = "no argument before '->'"
            raise self.error(what, token, "an argument 'name: axes'", EXAMPLE, "argument")
        if keyword.iskeyword(token.text):
            raise self.error(
                f"{token.text!r} is a word of Python and cannot name an argument",
                token,
                "another name",
                token_advice.other_word(self.text, token.text),
                "argument-name",
            )
        if token.text == SIZES and self.next.kind == "name":
            return self.size((self.next.text,), [])
        path = self.path(token)
        if any(path[: len(a.path)] == a.path or a.path[: len(path)] == path for a in earlier):
            raise self.error(
                f"two arguments are called {token.text!r}",
                token,
                "a name for each argument",
                "names of arguments are free: arguments are passed by position",
                "duplicate-argument",
            )
        kind, indexes = "real", None
        if self.next.text == "[":
            kind, indexes = self.bracket(token)
        is_complex = kind == "complex"
        if is_complex:
            kind = "real"
        if self.next.text != ":":
            place, hint = self.next, EXAMPLE
            if place.kind == "end":
                place = token
            if earlier and self.tokens[self.at - 2].text == ",":
                hint = "arguments are separated by commas, their axes by blanks:"
                hint += f" '{earlier[-1]} {token.text}'"
            expected = f"'{token.text}: axes'"
            raise self.error(f"no ':' after {token.text!r}", place, expected, hint, "colon")
        self.take()
        names = [a.argument.name for a in earlier]
        if self.next.text == SIZES and self.tokens[self.at + 1].kind == "name":
            self.take()
            return self.size(path, names)
        shaped = self.axes(f"the axes of {'.'.join(path)}")
        argument = Argument(_identifier(path, names), shaped.axes, kind, indexes)  # type: ignore[arg-type]
        return Leaf(argument, path, shaped.merged, is_complex=is_complex)

    def size(self, path: tuple[str, ...], names: list[str]) -> Leaf:
        """Reads an argument that is the size of an axis, traced as an array of that length."""
        return Leaf(Argument(_identifier(path, names), (self.axis(),)), path, (1,), is_size=True)

    def path(self, first: Token) -> tuple[str, ...]:
        """Reads the keys, positions and attributes that follow a name."""
        steps = [first.text]
        while self.next.text == ".":
            self.take()
            token = self.take()
            if token.kind not in ("name", "number"):
                message = _unexpected(token)
                if token.kind != "end":
                    message += " after '.'"
                raise self.error(
                    message, token, "a key, a position or an attribute",
                    "parts of an argument are written 'data.x: n d', 'pair.0: n d'", "path",
                )  # fmt: skip
            steps.append(token.text)
        return tuple(steps)

    def bracket(self, argument: Token) -> tuple[str, str | None]:
        self.take()
        token = self.take()
        name = argument.text
        hint = f"'{name}[n]: 2 m' holds indices into the axis n, '{name}[bool]: n n' is a mask"
        count = token.kind == "number" and 0 < int(token.text) < 10**_DIGITS
        if token.kind != "name" and not count:
            raise self.error(
                _unexpected(token),
                token,
                "the name of an axis, 'bool', 'complex', or how many kinds there are, from 1 up",
                hint,
                "bracket",
            )
        close = self.take()
        if close.text != "]":
            if close.text == ",":
                hint = f"axes follow a colon, without commas: '{name}: d n'"
            raise self.error(f"no ']' after {token.text!r}", close, "']'", hint, "bracket")
        if token.text in ("bool", "complex"):
            return token.text, None
        if count:
            return "index", kinds(int(token.text))
        self.brackets.append(token)
        return "index", token.text

    def axes(self, what: str) -> Shaped:
        if self.next.kind == "scalar":
            scalar = self.take()
            if self.begins_axis() or self.next.kind == "scalar":
                raise self.beside(scalar)
            return Shaped((), ())
        if not self.begins_axis():
            raise self.error(
                f"{what} are missing",
                self.next,
                "axes separated by blanks, such as 'd n'",
                "a scalar is written '()'",
                "axes",
            )
        found: list[Axis] = []
        merged: list[int] = []
        while self.begins_axis():
            before = len(found)
            if self.next.text == "(":
                found += self.merged()
            else:
                found.append(self.axis())
            merged.append(len(found) - before)
        if self.next.kind == "scalar":
            raise self.beside(self.next)
        return Shaped(tuple(found), tuple(merged))

    def begins_axis(self) -> bool:
        return self.next.kind in ("name", "number", "irreps") or self.next.text == "("

    def merged(self) -> list[Axis]:
        """Reads the axes between brackets."""
        opening, found = self.take(), list[Axis]()
        while self.next.kind in ("name", "number"):
            found.append(self.axis())
        closing = self.take()
        if closing.text != ")" or not found:
            if closing.text == ",":
                raise self.error(
                    "axes are separated by blanks", closing, "an axis or ')'",
                    "'X: d n' has two axes; '(n 3)' is one, made of the axes n and 3 row by row",
                    "merged",
                )  # fmt: skip
            message, place = "no axis in the bracket", opening
            if found:
                message = "the bracket does not end"
            if found and closing.kind != "end":
                place = closing
            raise self.error(
                message,
                place,
                "axes between '(' and ')'",
                "'(n 3)' is one axis of the array, made of the axes n and 3 row by row",
                "merged",
            )
        return found

    def beside(self, scalar: Token) -> SignatureError:
        what, expected = "'()' stands beside other axes", "'()' alone, or axes"
        return self.error(what, scalar, expected, "leave '()' out", "scalar")

    def irreps(self, token: Token) -> Axis:
        try:
            parts = [p for p in parse_irreps(token.text[1:-1]) if p[0]]
            if not parts:
                raise GroupError(
                    "no irreps",
                    expected="a multiplicity of at least 1",
                    given="0 copies",
                    hint="leave the irrep out",
                )
        except GroupError as error:
            hint = "<16x0e+4x1o+2x2e>: multiplicities, degrees and parities, as e3nn writes them"
            what, expected = "these are no irreps", str(error.expected or "irreps")
            raise self.error(what, token, expected, hint, "irreps") from error
        terms = tuple(Term(n * (2 * degree + 1), None, f"{degree}{p}") for n, degree, p in parts)
        return Axis(terms)

    def axis(self) -> Axis:
        if self.next.kind == "irreps":
            return self.irreps(self.take())
        terms = [self.term()]
        while self.next.text == "+":
            plus = self.take()
            if self.next.kind not in ("name", "number"):
                raise self.error(
                    "'+' without a size after it", plus, "a size, as in 'n+k'", "remove '+'", "sum"
                )
            terms.append(self.term())
        return Axis(tuple(terms))

    def term(self) -> Term:
        first = self.take()
        coefficient, name, last = 1, None, first
        if first.kind == "number":
            coefficient = self.integer(first)
            if self.next.kind == "name" and self.next.start == first.end:
                last = self.take()
                name = last.text
        else:
            name = first.text
        mark = ""
        if self.next.text in MARKS and self.next.text and self.next.start == last.end:
            last = self.take()
            mark = last.text
            self.check_after_mark(last, name)
        term = Term(coefficient, name, mark)
        self.places.append((term, first.start, last.end))
        return term

    def integer(self, token: Token) -> int:
        if len(token.text) > _DIGITS or (token.text[0] == "0"):
            message = f"{token.text} is not a size"
            if len(token.text) > _DIGITS:
                message = "the size is too large"
            raise self.error(
                message,
                token,
                f"an integer from 1 up, of at most {_DIGITS} digits, without leading zeros",
                "write a size such as 3, or a name such as n",
                "size",
            )
        return int(token.text)

    def check_after_mark(self, mark: Token, name: str | None) -> None:
        after = self.next
        if after.start != mark.end or after.kind not in ("name", "number", "symbol"):
            return
        if after.text in ("]", ",", "+"):
            return
        hint = {
            "*": "a multiple is written '2n', products of axes are axes of their own: 'd n'",
            "^": "powers of sizes are not in the language",
        }.get(mark.text, "an axis has at most one mark; axes are separated by blanks")
        if after.text in MARKS:
            hint = f"an axis has at most one mark: '{name or ''}{mark.text}' or '{name or ''}{after.text}'"
        raise self.error(
            f"unexpected {after.text!r} after the mark {mark.text!r}",
            after,
            "a blank",
            hint,
            "mark",
        )

    def after_axis(self, token: Token, expected: str) -> SignatureError:
        hint = EXAMPLE
        if token.kind == "symbol" and token.text in MARKS:
            hint = "a mark stands right behind its name: 'd!'"
            if token.text == "*":
                hint = "a multiple is written '2n'; a dual axis 'd*', without a blank"
        elif token.text == ":":
            hint = "arguments are separated by commas: 'X: d n, Z: d k -> d n'"
        return self.error(_unexpected(token), token, expected, hint, "syntax")

    def results(self, inputs: Signature) -> tuple[Result, ...]:
        found = [self.result(0, inputs)]
        while self.next.text == ",":
            self.take()
            found.append(self.result(len(found), inputs))
        token = self.next
        if token.kind == "arrow":
            raise self.error(
                "a second '->'", token, "the end of the signature", "remove it", "arrow"
            )
        if token.text == "[":
            raise self.error(
                "a result is marked",
                token,
                "the axes of the result alone",
                "mark arguments, as in 'psi[complex]: n d -> n d'; a result is complex where a"
                " group of complex matrices acts on it",
                "result-mark",
            )
        if token.kind != "end":
            raise self.after_axis(token, "the end of the signature, or ',' and another result")
        message = ""
        if not any(r.shaped for r in found):
            message = "no result is left to check"
        elif len({bool(r.path) for r in found if r.shaped or r.path}) > 1:
            message = "some results have names, others have none"
        if message:
            raise self.error(
                message,
                token,
                "names for all results or for none",
                "'-> pos: n d, h: n c', or '-> n d, n c'",
                "results",
            )
        paths = [r.path for r in found if r.path]
        if len(set(paths)) < len(paths):
            raise self.error(
                "two results have one name",
                token,
                "a name for each result",
                "leave one of them out",
                "duplicate-result",
            )
        return tuple(found)

    def result(self, place: int, inputs: Signature) -> Result:
        path: tuple[str, ...] = ()
        start, token = self.at, self.next
        if token.kind == "name":
            path = self.path(self.take())
            if self.next.text == ":":
                self.take()
            else:
                self.at, path = start, ()
        if self.next.text == LEFT_OUT and self.tokens[self.at + 1].text in (",", ""):
            self.take()
            return Result(path, None, place)
        first = len(self.places)
        shaped = self.axes("the axes of the result")
        self.check_output(Signature(inputs.inputs, shaped.axes, self.text), first)
        return Result(path, shaped, place)

    def check_indexes(self, form: Form) -> None:
        axes = [axis for signature in form.signatures for axis in signature.axes]
        named = tuple(dict.fromkeys(n for axis in axes for n in axis.names))
        for token in self.brackets:
            if token.text not in named:
                expected = "an axis of the signature"
                if named:
                    expected += f": {', '.join(named)}"
                raise self.error(
                    f"no axis is called {token.text!r}",
                    token,
                    expected,
                    did_you_mean(token.text, named)
                    or "an index argument indexes an axis: 'E[n]: 2 m, X: n d'",
                    "unknown-axis",
                )

    def check_output(self, signature: Signature, first: int) -> None:
        known = set(signature.input_names) | {a.single for a in signature.output if a.single}
        for term, start, end in self.places[first:]:
            if term.name is not None and term.name not in known:
                raise caret_error(
                    self.text,
                    start,
                    end,
                    f"the size of {term.name!r} is not known: it stands in no input, and in the"
                    f" output only "
                    "inside a sum or multiple",
                    expected="sums and multiples of axes that the inputs have: "
                    + (", ".join(signature.input_names) or "there are none"),
                    hint=did_you_mean(term.name, signature.input_names)
                    or f"give the axis a name of its own: '-> {term.name}'",
                    code="unknown-axis",
                )


def _unexpected(token: Token) -> str:
    """Says that a token stands where it may not."""
    if token.kind == "end":
        return "the signature ends"
    return f"unexpected {token.text!r}"


def _identifier(path: tuple[str, ...], taken: list[str]) -> str:
    """Returns the name of a leaf in plain signatures: its path joined by "_", made unique."""
    name = "_".join(path)
    while name in taken:
        name += "_"
    return name
