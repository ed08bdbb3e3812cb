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
Every command takes --help.  Exit statuses are answers:
  review   0 all judged     1 some UNDECIDED   2 wrong usage
  check    0 HOLDS          1 FAILS            2 wrong usage or target   3 UNDECIDED, or too weak
  verify   0 all accepted   1 some rejected    2 some unreadable"""

_CHECK = """\
Judges a claim about a function and prints the verdict; without a claim, all that are declared at the target.

  eqvproof check mymodel:layer "X: d n -> d n" --under "O(d)"
  eqvproof check layers.py:pool "X: n d -> m" --under "O(d) x S(n)" --size d=3 --size n=1:6 --explain
  eqvproof check layers.py --at-least PROVED

The module is imported with the current folder first on the path.  Signature: 'name: axes, ... -> axes'; the
groups named in --under act on every axis of their name.  Claims are declared by @eqvproof.claim(signature,
under=...) above a function.  The target runs in a process of its own, which ends soon after the budget,
whatever it does there; what it prints appears on the error stream, each line once."""

_CHECK_EPILOG = """\
Exit status: 0 HOLDS, 1 FAILS, 2 wrong usage or a target that cannot be judged, 3 UNDECIDED, or HOLDS with a
grade below --at-least.  Of several claims the worst counts: one that FAILS before one that is UNDECIDED."""

_REVIEW = """\
Judges statements of the library: prints what fails, with counterexamples and repairs, and what holds.

  eqvproof review my23
  eqvproof review my23.prop3.1 --explain
  eqvproof review my23.prop3.1 my23.def3.1 --json - --certificates certificates

A name is an id (my23.prop3.1), the beginning of ids up to a dot (my23), or a Python file of statements
of your own (paper.py); no name: the whole library.
What FAILS is an answer: the status stays 0, unless --strict is given.

A review that was interrupted goes on where it was with --resume DIR, given both times: a row kept in DIR is
used where the functions of the statement, eqvproof itself, Python, the libraries, budget and seed are the
same.  Rows that are UNDECIDED are judged again, and certificates are re-checked."""

_REVIEW_EPILOG = (
    "Exit status: 0 all judged, 1 some UNDECIDED (with --strict: or FAILS), 2 wrong usage."
)

_VERIFY = """\
Re-checks certificates with the kernel alone: no code of yours is imported, nothing is searched or guessed.

  eqvproof verify certificates/*.json
  eqvproof verify layer.json --target mymodel:layer

A certificate speaks about the Program that it holds.  With --target, the function is imported and traced, and
a certificate whose Program it does not give is rejected.  What an acceptance rests on is printed: the rules
used, what is assumed, digests; with --json also those of the claim, the Program and the kernel itself."""

_VERIFY_EPILOG = """\
Exit status: 0 every file accepted, 1 some rejected, 2 some unreadable (not a file, not a certificate);
where both happen, 2.  A file that is unreadable does not keep the others from being checked."""


_EXPORT = """\
Writes the theorem of a PROVED certificate for a proof assistant: the function, the claim, and a proof.

  eqvproof export layer.json --to rocq -o layer.v
  eqvproof verify layer.json --with rocq"""

_EXPORT_EPILOG = (
    "Exit status: 0 written, 1 rejected or not exported (the operation is named), 2 unreadable."
)


class Parser(argparse.ArgumentParser):
    """An argument parser whose errors say what was given, what was expected and what to try."""

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        """Parses as argparse does; words unknown to a command raise an error of that command."""
        self._line = list(sys.argv[1:] if args is None else args)
        namespace, unknown = super().parse_known_args(args, namespace)
        if unknown:
            self.error(f"there is no option or argument {unknown[0]!r} here")
        return namespace, unknown

    def error(self, message: str) -> NoReturn:
        """Raises an error about the command line.

        Raises:
            OptionError: always.
        """
        example = next(
            (x.strip() for x in (self.description or "").splitlines() if x.startswith("  eqv")), ""
        )
        text, expected = (
            message.removeprefix("argument "),
            f"as in: {example or 'eqvproof review my23'}",
        )
        if choice := re.fullmatch(r"(.+): invalid choice: (.+) \(choose from (.+)\)", text):
            text, expected = (
                f"{choice[1]} cannot be {choice[2]}",
                f"one of {choice[3]}".replace("'", ""),
            )
        elif missing := re.fullmatch(r"the following arguments are required: (.+)", text):
            text = f"{missing[1]} is missing"
        if "; expected " in text:
            text, _, expected = text.partition("; expected ")
        known = [
            *self._option_string_actions,
            *(str(c) for a in self._actions for c in a.choices or ()),
        ]
        wrong = [w.partition("=")[0] for w in self._line if w in message and w not in known]
        near = [
            found for w in wrong for found in difflib.get_close_matches(w, known, n=1, cutoff=0.7)
        ]
        raise OptionError(
            in_line(text),
            given=in_line(f"{self.prog} {shlex.join(self._line)}".rstrip()),
            expected=expected,
            hint=f"did you mean {near[0]}?"
            if near
            else f"`{self.prog} --help` explains each option",
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
    )


def _add_review(commands: argparse._SubParsersAction[Parser]) -> None:
    parser = _command(commands, "review", "judge the library's statements", _REVIEW, _REVIEW_EPILOG)
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
        help="say what differs from an earlier run's JSON report",
    )
    parser.add_argument(
        "--resume",
        metavar="DIR",
        help="keep each row in DIR as soon as it is judged, and take from there what is unchanged",
    )
    parser.add_argument(
        "--isolate", action="store_true", help="judge each statement in a process of its own"
    )
    parser.add_argument(
        "--time", type=seconds, metavar="S", help="with --isolate: end a process after S seconds"
    )
    parser.add_argument(
        "--memory",
        type=megabytes,
        metavar="MB",
        help="with --isolate: a process may take so much memory",
    )
    _add_limits(parser, "each statement")


def _add_check(commands: argparse._SubParsersAction[Parser]) -> None:
    parser = _command(commands, "check", "judge claims about functions", _CHECK, _CHECK_EPILOG)
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
        type=size,
        metavar="AXIS=SIZES",
        help="only these sizes of an axis: d=3, n=1:6 (both ends included), n=4: (4 and more);"
        " repeatable",
    )
    parser.add_argument(
        "--backend", choices=("numpy", "torch", "jax"), help="what the function takes"
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
        help="literal: tables of numbers as they are stored, not the invariant ones within a few"
        " roundings",
    )
    parser.add_argument(
        "--generic", action="store_true", default=None,
        help="leave out points at which compared entries tie, or eigenvalues coincide",
    )  # fmt: skip
    parser.add_argument(
        "--at-least",
        choices=("PROVED", "DECIDED", "BOUNDED", "TESTED"),
        help="a weaker grade of HOLDS ends with status 3",
    )
    parser.add_argument(
        "--explain", action="store_true", help="print the reading, the proof, the matrices"
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
        "files", nargs="+", metavar="CERT", help="a certificate ('-': standard input)"
    )
    parser.add_argument(
        "--target",
        metavar="pkg.mod:f",
        help="also trace this function, and compare it with the Program recorded",
    )
    parser.add_argument(
        "--json", metavar="F", help="write what was found as JSON to F ('-': standard output)"
    )
    parser.add_argument(
        "--with",
        dest="checker",
        choices=("rocq", "verified"),
        help="also export it, and have the theorem checked: by Rocq (takes seconds), or by the"
        " checker that"
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
        help="where to ('-', or absent: standard output)",
    )


def _add_limits(parser: Parser, what: str) -> None:
    parser.add_argument(
        "--budget", type=seconds, metavar="S", help=f"seconds for the search, for {what}"
    )
    parser.add_argument("--seed", type=integer, metavar="K", help="equal seeds give equal verdicts")


def size(text: str) -> tuple[str, int | tuple[int, int | None]]:
    """Parses ``d=3``, ``n=1:6`` or ``n=4:`` into an axis and its sizes."""
    axis, equals, value = text.partition("=")
    low, colon, high = value.partition(":")
    try:
        if not equals or not axis.isidentifier():
            raise ValueError
        first = _positive(low)
        if colon and not high:
            return axis, (first, None)
        last = _positive(high) if colon else first
    except ValueError:
        raise argparse.ArgumentTypeError(
            f"{text[:60]!r} is no size; expected AXIS=SIZE or AXIS=FIRST:LAST with sizes from 1:"
            f" d=3, n=1:6"
        ) from None
    if last < first:
        raise argparse.ArgumentTypeError(
            f"{text!r} holds no size; expected the smaller end first: {axis}={last}:{first}"
        )
    return axis, (first, last) if colon else first


def _positive(text: str) -> int:
    if not (text.isascii() and text.isdecimal()) or len(text) > 9 or int(text) < 1:
        raise ValueError(text)
    return int(text)


def _above_zero(text: str) -> float:
    if not 0 < (value := float(text)) < math.inf:
        raise ValueError(text)
    return value


def _number(read: Callable[[str], Number], what: str) -> Callable[[str], Number]:
    """Builds a parser of numbers whose errors say what was expected."""

    def number(text: str) -> Number:
        try:
            return read(text)
        except ValueError:
            raise argparse.ArgumentTypeError(f"{text!r} is no {what}") from None

    return number


seconds = _number(_above_zero, "number of seconds; expected a number above 0: 30, or 0.5")
integer = _number(int, "integer; expected an integer: 0, or 7")
megabytes = _number(_positive, "number of megabytes; expected an integer above 0: 2048")
