"""What the command line understands; nothing is imported here that ``--help`` does not need."""

from __future__ import annotations

import argparse
import math
from collections.abc import Sequence
from typing import Any, NoReturn

from eqvproof.writing import in_line, say

_DESCRIPTION = """\
Claims of invariance and equivariance, proved or refuted without a tolerance."""

_EPILOG = """\
Every command takes --help.  Exit statuses are answers:
  review   0 all judged     1 some UNDECIDED   2 wrong usage
  check    0 HOLDS          1 FAILS            2 wrong usage or target   3 UNDECIDED
  verify   0 all accepted   1 some rejected    2 some unreadable"""

_CHECK = """\
Judges one claim about one function and prints the verdict.

  eqvproof check mymodel:layer "X: d n -> d n" --under "O(d)"
  eqvproof check mymodel:pool "X: n d -> m" --under "O(d) x S(n)" --size d=3 --size n=1:6

The module is imported with the current folder first on the path.  Signature: 'name: axes, ... -> axes'; the
groups named in --under act on every axis of their name."""

_CHECK_EPILOG = "Exit status: 0 HOLDS, 1 FAILS, 2 wrong usage or a target that cannot be judged, 3 UNDECIDED."

_REVIEW = """\
Judges statements of the library and prints one row each: what holds or fails, how strongly, for which sizes.

  eqvproof review my23
  eqvproof review my23.prop3.1 my23.def3.1 --json - --certificates certificates

A name is an id (my23.prop3.1), the beginning of ids up to a dot (my23), or a Python file of statements
of your own (paper.py); no name: the whole library.
A row that says FAILS is an answer: the status stays 0.

A review that was interrupted goes on where it was with --resume DIR, given both times: a row kept in DIR is
used where the functions of the statement, eqvproof itself, Python, the libraries, budget and seed are the
same.  Rows that are UNDECIDED are judged again, and certificates are re-checked."""

_REVIEW_EPILOG = "Exit status: 0 all judged, 1 some UNDECIDED, 2 wrong usage."

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

_EXPORT_EPILOG = "Exit status: 0 written, 1 rejected or not exported (the operation is named), 2 unreadable."


class Parser(argparse.ArgumentParser):
    """An argument parser whose errors are one paragraph with a way out."""

    def error(self, message: str) -> NoReturn:
        """Ends with status 2 and one paragraph on the error stream."""
        self.exit(2, f"{self.prog}: {in_line(message)}\n  try: `{self.prog} --help` shows the usage\n")


class Version(argparse.Action):
    """Prints the version of the installed package and ends."""

    def __call__(
        self,
        parser: argparse.ArgumentParser,
        namespace: argparse.Namespace,
        values: str | Sequence[Any] | None,
        option_string: str | None = None,
    ) -> None:
        """Prints the version."""
        from eqvproof import __version__

        say(f"eqvproof {__version__}")
        parser.exit()


def build_parser() -> Parser:
    """The parser of the whole command line; `arguments.run` is the command's function."""
    parser = Parser(
        prog="eqvproof",
        description=_DESCRIPTION,
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    parser.add_argument("--version", action=Version, nargs=0, help="print the version and end")
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", required=True, parser_class=Parser)
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
        "names", nargs="*", metavar="NAME", help="a source (my23), an id (my23.prop3.1), or a file (paper.py)"
    )
    parser.add_argument(
        "--explain", action="store_true", help="print each statement with its proof or counterexample"
    )
    parser.add_argument("--strict", action="store_true", help="a statement that FAILS gives status 1 too")
    parser.add_argument("--json", metavar="F", help="write the rows as JSON to F ('-': standard output)")
    parser.add_argument("--html", metavar="F", help="write a page that needs no other file to F")
    parser.add_argument("--certificates", metavar="DIR", help="write all certificates to DIR, named by id")
    parser.add_argument(
        "--changed-since", metavar="REPORT", help="say what differs from an earlier run's JSON report"
    )
    parser.add_argument(
        "--resume",
        metavar="DIR",
        help="keep each row in DIR as soon as it is judged, and take from there what is unchanged",
    )
    parser.add_argument("--isolate", action="store_true", help="judge each statement in a process of its own")
    parser.add_argument(
        "--time", type=seconds, metavar="S", help="with --isolate: end a process after S seconds"
    )
    parser.add_argument(
        "--memory", type=megabytes, metavar="MB", help="with --isolate: a process may take so much memory"
    )
    _add_limits(parser, "each statement")
    parser.set_defaults(run=_run_review)


def _add_check(commands: argparse._SubParsersAction[Parser]) -> None:
    parser = _command(commands, "check", "judge one claim about one function", _CHECK, _CHECK_EPILOG)
    parser.add_argument(
        "target",
        metavar="pkg.mod:f",
        help="the function f of the module pkg.mod; pkg.mod alone: all its claims",
    )
    parser.add_argument(
        "signature",
        metavar="SIGNATURE",
        nargs="?",
        help="its arguments and result: 'X: d n -> d n' (absent: the claims above f)",
    )
    parser.add_argument("--under", metavar="GROUP", help="the group: 'O(d)', 'O(d) x S(n)'")
    parser.add_argument(
        "--size",
        action="append",
        default=[],
        type=size,
        metavar="AXIS=SIZES",
        help="only these sizes of an axis: d=3, or n=1:6 (both ends included); may be repeated",
    )
    parser.add_argument("--json", metavar="F", help="write the verdict as JSON to F ('-': standard output)")
    parser.add_argument("--certificate", metavar="F", help="write the certificate to F ('-' as above)")
    _add_limits(parser, "the claim")
    parser.set_defaults(run=_run_check)


def _add_verify(commands: argparse._SubParsersAction[Parser]) -> None:
    parser = _command(commands, "verify", "re-check certificates", _VERIFY, _VERIFY_EPILOG)
    parser.add_argument("files", nargs="+", metavar="CERT", help="a certificate ('-': standard input)")
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
        choices=("rocq",),
        help="also export it, and let this proof assistant check the theorem (takes seconds)",
    )
    parser.set_defaults(run=_run_verify)


def _add_export(commands: argparse._SubParsersAction[Parser]) -> None:
    parser = _command(
        commands, "export", "write a certificate for a proof assistant", _EXPORT, _EXPORT_EPILOG
    )
    parser.add_argument("file", metavar="CERT", help="a certificate ('-': standard input)")
    parser.add_argument("--to", choices=("rocq",), required=True, help="the proof assistant")
    parser.add_argument(
        "-o", "--output", metavar="FILE", default="-", help="where to ('-', or absent: standard output)"
    )
    parser.set_defaults(run=_run_export)


def _add_limits(parser: Parser, what: str) -> None:
    parser.add_argument("--budget", type=seconds, metavar="S", help=f"seconds for the search, for {what}")
    parser.add_argument("--seed", type=int, metavar="K", help="equal seeds give equal verdicts")


def size(text: str) -> tuple[str, int | tuple[int, int]]:
    """The axis and sizes that ``d=3`` or ``n=1:6`` stands for."""
    axis, equals, value = text.partition("=")
    low, colon, high = value.partition(":")
    try:
        if not equals or not axis.isidentifier():
            raise ValueError
        first = _positive(low)
        last = _positive(high) if colon else first
    except ValueError:
        raise argparse.ArgumentTypeError(
            f"{text[:60]!r} is no size; expected AXIS=SIZE or AXIS=FIRST:LAST with sizes from 1, as d=3 or"
            " n=1:6"
        ) from None
    if last < first:
        raise argparse.ArgumentTypeError(f"{text!r} holds no size: {last} is smaller than {first}")
    return axis, (first, last) if colon else first


def _positive(text: str) -> int:
    if not (text.isascii() and text.isdecimal()) or len(text) > 9 or int(text) < 1:
        raise ValueError(text)
    return int(text)


def seconds(text: str) -> float:
    """A positive number of seconds."""
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not (0 < value < math.inf):
        raise argparse.ArgumentTypeError(f"{text!r} is no number of seconds above 0, as 30 or 0.5")
    return value


def megabytes(text: str) -> int:
    """A positive number of megabytes."""
    try:
        return _positive(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is no number of megabytes above 0, as 2048") from None


def _run_review(arguments: argparse.Namespace) -> int:
    from eqvproof.cli.review import run

    return run(arguments)


def _run_check(arguments: argparse.Namespace) -> int:
    from eqvproof.cli.check import run

    return run(arguments)


def _run_verify(arguments: argparse.Namespace) -> int:
    from eqvproof.cli.verify import run

    return run(arguments)


def _run_export(arguments: argparse.Namespace) -> int:
    from eqvproof.cli.export import run

    return run(arguments)
