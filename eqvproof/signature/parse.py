"""The parser of signatures.

    signature = argument {"," argument} "->" axes
    argument  = name ["[" (name | integer | "bool") "]"] ":" axes
    axes      = "()" | axis {axis}
    axis      = term {"+" term}
    term      = integer [mark] | [integer] name [mark]
    mark      = "!" | "^" | "*"

Names are ASCII identifiers; ``2n`` is twice the axis n, ``n2`` a name.
``z[10]: n`` holds kinds, numbered from 0 to 9: indices into an axis ``_10`` of that size.
"""

from __future__ import annotations

import keyword

from eqvproof.errors import SignatureError
from eqvproof.signature.carets import caret_error, did_you_mean
from eqvproof.signature.model import MARKS, Argument, Axis, Signature, Term, kinds
from eqvproof.signature.tokens import EXAMPLE, Token, tokens

_DIGITS = 9
_DEPTH = 10_000


def parse_signature(text: object) -> Signature:
    """The signature that a text such as ``"X: d n, Z: d k -> d n"`` stands for.

    Raises:
        SignatureError: the text is not a signature; the message shows where, and what was expected there.
    """
    if isinstance(text, Signature):
        return text
    if not isinstance(text, str):
        raise SignatureError(
            "a signature is a text", given=f"{type(text).__name__}", expected="a str", hint=EXAMPLE
        )
    if len(text) > _DEPTH:
        raise SignatureError(
            "the signature is too long",
            given=f"{len(text)} characters",
            expected=f"at most {_DEPTH}",
            hint=EXAMPLE,
        )
    return _Parser(text).signature()


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

    def error(self, message: str, token: Token, expected: str, hint: str, code: str) -> SignatureError:
        return caret_error(
            self.text, token.start, token.end, message, expected=expected, hint=hint, code=code
        )

    def signature(self) -> Signature:
        if all(t.kind != "arrow" for t in self.tokens):
            end = self.tokens[-1]
            raise self.error(
                "the signature has no '->'" if len(self.tokens) > 1 else "the signature is empty",
                end,
                "'->' and the axes of the result",
                EXAMPLE,
                "arrow",
            )
        if self.next.kind == "arrow":
            raise self.error(
                "the signature has no argument", self.next, "'name: axes' before '->'", EXAMPLE, "argument"
            )
        arguments = [self.argument([])]
        while self.next.kind != "arrow":
            token = self.take()
            if token.text != ",":
                raise self.after_axis(token, "',' and another argument, or '->'")
            arguments.append(self.argument(arguments))
        self.take()
        inputs_end = len(self.places)
        output = self.output()
        signature = Signature(tuple(arguments), output, self.text)
        self.check_indexes(signature)
        self.check_output(signature, inputs_end)
        return signature

    def argument(self, earlier: list[Argument]) -> Argument:
        token = self.take()
        if token.kind != "name":
            what = "the signature ends" if token.kind == "end" else f"unexpected {token.text!r}"
            if token.kind == "arrow":
                what = "a comma without an argument after it" if earlier else "no argument before '->'"
            raise self.error(what, token, "an argument 'name: axes'", EXAMPLE, "argument")
        if keyword.iskeyword(token.text):
            raise self.error(
                f"{token.text!r} is a word of Python and cannot name an argument",
                token,
                "another name",
                f"write {token.text}_ (arguments are passed by position, their names are free)",
                "argument-name",
            )
        if any(a.name == token.text for a in earlier):
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
        if self.next.text != ":":
            before = self.tokens[self.at - 2].text if self.at >= 2 else ""
            after_comma = bool(earlier) and before == ","
            raise self.error(
                f"no ':' after {token.text!r}",
                self.next if self.next.kind != "end" else token,
                f"'{token.text}: axes'",
                (
                    f"arguments are separated by commas, their axes by blanks: '{earlier[-1]} {token.text}'"
                    if after_comma
                    else EXAMPLE
                ),
                "colon",
            )
        self.take()
        axes = self.axes(f"the axes of {token.text}")
        return Argument(token.text, axes, "real" if kind == "real" else kind, indexes)  # type: ignore[arg-type]

    def bracket(self, argument: Token) -> tuple[str, str | None]:
        self.take()
        token = self.take()
        hint = (
            f"'{argument.text}[n]: 2 m' holds indices into the axis n, '{argument.text}[bool]: n n' is a mask"
        )
        count = token.kind == "number" and 0 < int(token.text) < 10**_DIGITS
        if token.kind != "name" and not count:
            raise self.error(
                f"unexpected {token.text!r}" if token.text else "the signature ends",
                token,
                "the name of an axis, 'bool', or how many kinds there are, from 1 up",
                hint,
                "bracket",
            )
        close = self.take()
        if close.text != "]":
            raise self.error(f"no ']' after {token.text!r}", close, "']'", hint, "bracket")
        if token.text == "bool":
            return "bool", None
        if count:
            return "index", kinds(int(token.text))
        self.brackets.append(token)
        return "index", token.text

    def axes(self, what: str) -> tuple[Axis, ...]:
        if self.next.kind == "scalar":
            scalar = self.take()
            if self.next.kind in ("name", "number", "scalar"):
                raise self.beside(scalar)
            return ()
        if self.next.kind not in ("name", "number"):
            token = self.next
            raise self.error(
                f"{what} are missing",
                token,
                "axes separated by blanks, such as 'd n'",
                "a scalar is written '()'",
                "axes",
            )
        found = [self.axis()]
        while self.next.kind in ("name", "number"):
            found.append(self.axis())
        if self.next.kind == "scalar":
            raise self.beside(self.next)
        return tuple(found)

    def beside(self, scalar: Token) -> SignatureError:
        what, expected = "'()' stands beside other axes", "'()' alone, or axes"
        return self.error(what, scalar, expected, "leave '()' out", "scalar")

    def axis(self) -> Axis:
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
        term = Term(coefficient, name, mark)  # type: ignore[arg-type]
        self.places.append((term, first.start, last.end))
        return term

    def integer(self, token: Token) -> int:
        if len(token.text) > _DIGITS or (token.text[0] == "0"):
            raise self.error(
                f"{token.text} is not a size" if len(token.text) <= _DIGITS else "the size is too large",
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
            f"unexpected {after.text!r} after the mark {mark.text!r}", after, "a blank", hint, "mark"
        )

    def after_axis(self, token: Token, expected: str) -> SignatureError:
        hint = EXAMPLE
        if token.kind == "symbol" and token.text in MARKS:
            hint = "a mark stands right behind its name: 'd!'"
            if token.text == "*":
                hint = "a multiple is written '2n'; a dual axis 'd*', without a blank"
        elif token.text == ":":
            hint = "arguments are separated by commas: 'X: d n, Z: d k -> d n'"
        what = "the signature ends" if token.kind == "end" else f"unexpected {token.text!r}"
        return self.error(what, token, expected, hint, "syntax")

    def output(self) -> tuple[Axis, ...]:
        axes = self.axes("the axes of the result")
        token = self.next
        if token.text == ",":
            raise self.error(
                "the signature has several results",
                token,
                "the axes of one array",
                "check each result by itself: a function that returns one array, and its signature",
                "several-outputs",
            )
        if token.kind == "arrow":
            raise self.error("a second '->'", token, "the end of the signature", "remove it", "arrow")
        if token.text == ":":
            raise self.error(
                "the result has no name", token, "axes only after '->'", "leave the name out", "output-name"
            )
        if token.kind != "end":
            raise self.after_axis(token, "the end of the signature")
        return axes

    def check_indexes(self, signature: Signature) -> None:
        named = tuple(dict.fromkeys(n for axis in signature.axes for n in axis.names))
        for token in self.brackets:
            if token.text not in named:
                raise self.error(
                    f"no axis is called {token.text!r}",
                    token,
                    "an axis of the signature" + (f": {', '.join(named)}" if named else ""),
                    did_you_mean(token.text, named)
                    or "an index argument indexes an axis: 'E[n]: 2 m, X: n d'",
                    "unknown-axis",
                )

    def check_output(self, signature: Signature, inputs_end: int) -> None:
        known = set(signature.input_names) | {a.single for a in signature.output if a.single}
        for term, start, end in self.places[inputs_end:]:
            if term.name is not None and term.name not in known:
                raise caret_error(
                    self.text,
                    start,
                    end,
                    f"the size of {term.name!r} is not known: it stands in no input, and in the output only "
                    "inside a sum or multiple",
                    expected="sums and multiples of axes that the inputs have: "
                    + (", ".join(signature.input_names) or "there are none"),
                    hint=did_you_mean(term.name, signature.input_names)
                    or f"give the axis a name of its own: '-> {term.name}'",
                    code="unknown-axis",
                )
