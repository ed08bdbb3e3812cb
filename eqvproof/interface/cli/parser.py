"""The grammar of the command line; only imports that ``--help`` needs."""

from __future__ import annotations

import argparse
import difflib
import math
import re
import shlex
import sys
from collections.abc import Callable
from typing import Any, NoReturn, TypeVar

from eqvproof import __version__
from eqvproof.support.errors import OptionError
from eqvproof.support.writing import in_line

Number = TypeVar("Number", int, float)

_DESCRIPTION = """\
Claims of invariance and equivariance, proved or refuted without a tolerance."""

_EPILOG = """\
Every command takes --help.  Exit statuses:
  review   0 all decided    1 some UNDECIDED   2 wrong usage
  check    0 HOLDS          1 FAILS            2 wrong usage or target   3 UNDECIDED, or too weak
  verify   0 all accepted   1 some rejected    2 some unreadable"""

_CHECK = """\
Checks a claim about a function and prints the verdict; without a claim, all that are declared at the target.

  eqvproof check mymodel:layer "X: d n -> d n" --under "O(d)"
  eqvproof check layers.py:pool "X: n d -> m" --under "O(d) x S(n)" --size d=3 --size n=1:6 --explain
  eqvproof check layers.py --at-least PROVED

The module is imported with the current folder first on the path.  Signature: 'name: axes, ... -> axes'; the
groups named in --under act on every axis of their name.  Claims are declared by @eqvproof.claim(signature,
under=...) above a function.  The target runs in a separate process, which is ended soon after the budget;
what it prints appears on the error stream, each line once."""

_CHECK_EPILOG = """\
Exit status: 0 HOLDS, 1 FAILS, 2 wrong usage or a target that cannot be checked, 3 UNDECIDED, or HOLDS with a
grade below --at-least.  Of several claims the worst counts: one that FAILS before one that is UNDECIDED."""

_REVIEW = """\
Checks statements of the library: prints what fails, with counterexamples and repairs, and what holds.

  eqvproof review my23
  eqvproof review my23.prop3.1 --explain
  eqvproof review my23.prop3.1 my23.def3.1 --json - --certificates certificates

A name is an id (my23.prop3.1), the beginning of ids up to a dot (my23), or a Python file of your own
statements (paper.py); no name: the whole library.
FAILS is a result: the status stays 0, unless --strict is given.

With --resume DIR, given both times, an interrupted review continues where it stopped: a row stored in DIR is
used if the functions of the statement, eqvproof itself, Python, the libraries, budget and seed are the same.
Rows that are UNDECIDED are checked again, and certificates are re-checked."""

_REVIEW_EPILOG = (
    "Exit status: 0 all decided, 1 some UNDECIDED (with --strict: or FAILS), 2 wrong usage."
)

_VERIFY = """\
Re-checks certificates with the kernel only: no code of yours is imported, nothing is searched or guessed.

  eqvproof verify certificates
  eqvproof verify layer.json --target mymodel:layer

A certificate is about the Program that it contains.  With --target, the function is imported and traced, and
a certificate with another Program is rejected.  The basis of an acceptance is printed: the rules used, the
assumptions, digests; with --json also those of the claim, the Program and the kernel itself."""

_VERIFY_EPILOG = """\
Exit status: 0 every file accepted, 1 some rejected, 2 some unreadable (not a file, not a certificate) or
both.  An unreadable file does not prevent the check of the others."""


_EXPORT = """\
Writes the theorem of a PROVED certificate for a proof assistant: the function, the claim, and a proof.

  eqvproof export layer.json --to rocq -o layer.v
  eqvproof verify layer.json --with rocq"""

_EXPORT_EPILOG = (
    "Exit status: 0 written, 1 rejected or not exported (the operation is named), 2 unreadable."
)


class UnexpectedValue(argparse.ArgumentTypeError):
    """Raised for a value that an option does not take.

    Args:
        problem: the problem.
        expected: the values that the option takes.
    """

    def __init__(self, problem: str, expected: str) -> None:
        super().__init__(problem)
        self.expected = expected


class Parser(argparse.ArgumentParser):
    """An argument parser whose errors say what was given, what was expected and what to try."""

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        """Parses as argparse does; words unknown to a command raise an error of that command."""
        if args is None:
            args = sys.argv[1:]
        self._line = list(args)
        try:
            namespace, unknown = super().parse_known_args(args, namespace)
        except argparse.ArgumentError as error:  # it holds the text of its cause alone
            if isinstance(error.__context__, UnexpectedValue):
                self.error(str(error), error.__context__.expected)
            self.error(str(error))
        if unknown:
            self.error(f"there is no option or argument {unknown[0]!r} here")
        return namespace, unknown

    def error(self, message: str, expected: str = "") -> NoReturn:
        """Raises an error about the command line.

        Args:
            message: the problem.
            expected: what was expected; "" for words that fit the problem.

        Raises:
            OptionError: always.
        """
        lines = (line for line in (self.description or "").splitlines() if line.startswith("  "))
        example = next((x.strip() for x in lines if x.strip().startswith(self.prog)), "")
        text = message.removeprefix("argument ")
        usual = f"a command such as: {example or 'eqvproof review my23'}"
        if choice := re.fullmatch(r"(.+): invalid choice: (.+) \(choose from (.+)\)", text):
            text = f"{choice[1]} cannot be {choice[2]}"
            usual = f"one of {choice[3]}".replace("'", "")
        elif missing := re.fullmatch(r"the following arguments are required: (.+)", text):
            text = f"{missing[1]} is missing"
        known = [
            *self._option_string_actions,
            *(str(c) for a in self._actions for c in a.choices or ()),
        ]
        wrong = [w.partition("=")[0] for w in self._line if w in message and w not in known]
        near = [
            found for w in wrong for found in difflib.get_close_matches(w, known, n=1, cutoff=0.7)
        ]
        hint = f"`{self.prog} --help` explains each option"
        if near:
            hint = f"did you mean {near[0]}?"
        raise OptionError(
            in_line(text),
            given=in_line(f"{self.prog} {shlex.join(self._line)}".rstrip()),
            expected=expected or usual,
            hint=hint,
            code="cli.usage",
        )


def build_parser() -> Parser:
    """Builds the parser of the command line; `arguments.command` names the module to run."""
    parser = Parser(
        prog="eqvproof",
        description=_DESCRIPTION,
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
        exit_on_error=False,
    )
    version = f"eqvproof {__version__}"
    parser.add_argument(
        "--version", action="version", version=version, help="print the version and end"
    )
    commands = parser.add_subparsers(
        title="commands", metavar="COMMAND", required=True, parser_class=Parser, dest="command"
    )
    _add_review(commands)
    _add_check(commands)
    _add_verify(commands)
    _add_export(commands)
    return parser


def _command(
    commands: argparse._SubParsersAction[Parser], name: str, short: str, long: str, end: str
) -> Parser:
    return commands.add_parser(
        name,
        help=short,
        description=long,
        epilog=end,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
        exit_on_error=False,
    )


def _add_review(commands: argparse._SubParsersAction[Parser]) -> None:
    parser = _command(commands, "review", "check the library's statements", _REVIEW, _REVIEW_EPILOG)
    parser.add_argument(
        "names",
        nargs="*",
        metavar="NAME",
        help="a source (my23), an id (my23.prop3.1), or a file (paper.py)",
    )
    parser.add_argument(
        "--explain",
        action="store_true",
        help="print each statement with its proof or counterexample",
    )
    parser.add_argument(
        "--strict", action="store_true", help="a statement that FAILS gives status 1 too"
    )
    parser.add_argument(
        "--json", metavar="F", help="write the rows as JSON to F ('-': standard output)"
    )
    parser.add_argument("--html", metavar="F", help="write a page that needs no other file to F")
    parser.add_argument(
        "--certificates", metavar="DIR", help="write all certificates to DIR, named by id"
    )
    parser.add_argument(
        "--changed-since",
        metavar="REPORT",
        help="print the differences from an earlier run's JSON report",
    )
    parser.add_argument(
        "--resume",
        metavar="DIR",
        help="store each row in DIR as soon as it is checked, and use stored rows that are unchanged",
    )
    parser.add_argument(
        "--isolate", action="store_true", help="check each statement in a separate process"
    )
    parser.add_argument(
        "--time", type=seconds, metavar="S", help="with --isolate: end a process after S seconds"
    )
    parser.add_argument(
        "--memory",
        type=megabytes,
        metavar="MB",
        help="with --isolate: the memory limit of a process",
    )
    _add_limits(parser, "each statement")


def _add_check(commands: argparse._SubParsersAction[Parser]) -> None:
    parser = _command(commands, "check", "check claims about functions", _CHECK, _CHECK_EPILOG)
    parser.add_argument(
        "target",
        metavar="TARGET",
        help="pkg.mod:f or file.py:f; pkg.mod or file.py: all claims that are declared there",
    )
    parser.add_argument(
        "signature",
        metavar="SIGNATURE",
        nargs="?",
        help="the arguments and the result of f: 'X: d n -> d n' (absent: declared claims)",
    )
    parser.add_argument("--under", metavar="GROUP", help="the group: 'O(d)', 'O(d) x S(n)'")
    parser.add_argument(
        "--size",
        action="append",
        default=[],
        type=parse_size_option,
        metavar="AXIS=SIZES",
        help="only these sizes of an axis: d=3, n=1:6 (both ends included), n=4: (4 and more);"
        " repeatable",
    )
    parser.add_argument(
        "--backend", choices=("numpy", "torch", "jax"), help="the arrays that the function takes"
    )
    parser.add_argument(
        "--about", choices=("reals", "floats"), help="floats: the program as it runs, bit for bit"
    )
    parser.add_argument(
        "--domain",
        metavar="D",
        help="only these inputs: positive, full_column_rank, ..., or pkg.mod:name",
    )
    parser.add_argument(
        "--reps",
        action="append",
        default=[],
        metavar="AXIS=FACTOR:REP",
        help="an axis carries irreps, 'm=O(d):2x0e + 1o', or a function: 'm=O(d):file.py:rho'",
    )
    parser.add_argument(
        "--constants",
        choices=("rounded", "literal"),
        help="literal: use tables of numbers as stored, not the invariant ones within a few"
        " roundings",
    )
    parser.add_argument(
        "--generic",
        action="store_true",
        default=None,
        help="exclude points at which compared entries tie, or eigenvalues coincide",
    )
    parser.add_argument(
        "--at-least",
        choices=("PROVED", "DECIDED", "BOUNDED", "TESTED"),
        help="exit with status 3 for a weaker grade of HOLDS",
    )
    parser.add_argument(
        "--explain", action="store_true", help="print the interpretation, the proof, the matrices"
    )
    parser.add_argument(
        "--json", metavar="F", help="write the verdict as JSON to F ('-': standard output)"
    )
    parser.add_argument(
        "--certificate", metavar="F", help="write the certificate to F ('-' as above)"
    )
    _add_limits(parser, "the claim")


def _add_verify(commands: argparse._SubParsersAction[Parser]) -> None:
    parser = _command(commands, "verify", "re-check certificates", _VERIFY, _VERIFY_EPILOG)
    parser.add_argument(
        "files",
        nargs="+",
        metavar="CERT",
        help="a certificate, or a folder of some ('-': standard input)",
    )
    parser.add_argument(
        "--target",
        metavar="pkg.mod:f",
        help="also trace this function, and compare it with the Program of the certificate",
    )
    parser.add_argument(
        "--json", metavar="F", help="write the results as JSON to F ('-': standard output)"
    )
    parser.add_argument(
        "--with",
        dest="checker",
        choices=("rocq", "verified"),
        help="also export it and check the theorem: by Rocq (takes seconds), or by the checker that"
        " Rocq proves sound, extracted to OCaml",
    )


def _add_export(commands: argparse._SubParsersAction[Parser]) -> None:
    parser = _command(
        commands, "export", "write a certificate for a proof assistant", _EXPORT, _EXPORT_EPILOG
    )
    parser.add_argument("file", metavar="CERT", help="a certificate ('-': standard input)")
    parser.add_argument("--to", choices=("rocq",), required=True, help="the proof assistant")
    parser.add_argument(
        "-o",
        "--output",
        metavar="FILE",
        default="-",
        help="the output file ('-', or absent: standard output)",
    )


def _add_limits(parser: Parser, what: str) -> None:
    parser.add_argument(
        "--budget", type=seconds, metavar="S", help=f"seconds for the search, for {what}"
    )
    parser.add_argument("--seed", type=integer, metavar="K", help="equal seeds give equal verdicts")


def parse_size_option(text: str) -> tuple[str, int | tuple[int, int | None]]:
    """Parses ``d=3``, ``n=1:6`` or ``n=4:`` into an axis and its sizes."""
    axis, equals, value = text.partition("=")
    low, colon, high = value.partition(":")
    try:
        if not equals or not axis.isidentifier():
            raise ValueError
        first = _positive(low)
        if not colon:
            return axis, first
        if not high:
            return axis, (first, None)
        last = _positive(high)
    except ValueError:
        raise UnexpectedValue(
            f"{text[:60]!r} is not a size",
            "AXIS=SIZE or AXIS=FIRST:LAST with sizes from 1: d=3, n=1:6",
        ) from None
    if last < first:
        raise UnexpectedValue(
            f"{text!r} contains no size", f"the smaller end first: {axis}={last}:{first}"
        )
    return axis, (first, last)


def _positive(text: str) -> int:
    if not (text.isascii() and text.isdecimal()) or len(text) > 9 or int(text) < 1:
        raise ValueError(text)
    return int(text)


def _above_zero(text: str) -> float:
    if not 0 < (value := float(text)) < math.inf:
        raise ValueError(text)
    return value


def _number_parser(
    read: Callable[[str], Number], what: str, expected: str
) -> Callable[[str], Number]:
    """Builds a parser of numbers whose errors say what was expected."""

    def parse(text: str) -> Number:
        try:
            return read(text)
        except ValueError:
            raise UnexpectedValue(f"{text!r} is not {what}", expected) from None

    return parse


seconds = _number_parser(_above_zero, "a number of seconds", "a number above 0: 30, or 0.5")
integer = _number_parser(int, "an integer", "an integer: 0, or 7")
megabytes = _number_parser(_positive, "a number of megabytes", "an integer above 0: 2048")
