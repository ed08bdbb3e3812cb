"""What a terminal obeys, and what no reader sees, never comes out of us: it is shown as its escape."""

from __future__ import annotations

import ast
import importlib
import json
import linecache
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import eqvproof as ep
from eqvproof.engines.verdict import Grade, Outcome, Verdict
from eqvproof.engines.verdict.screen import verdict_screen
from eqvproof.interface.cli import main
from eqvproof.interface.cli.terminal import Progress
from eqvproof.papers.report import json_text
from eqvproof.support.display.layout import show
from eqvproof.support.errors import EqvproofError
from eqvproof.support.writing import in_line, say, visible

#: A colour, a cleared screen, a title, a bell, C1 controls, text that runs backwards, marks that nobody sees.
SIGNS = "\x1b[31m\x1b[2J\x1b]0;t\x07\x08\x0b\x0c\x7f\x9b1m\x85\u200b\u200f\u202e\u2066\u2028\ufeff\U000e0041"
PACKAGE = Path(ep.__file__).parent
MATRIX = "X: d n -> d n"


def is_seen(text: str) -> bool:
    return all(c.isprintable() or c in "\n\t" for c in text)


def require_shown(text: str) -> None:
    assert is_seen(text), [c for c in text if not c.isprintable() and c not in "\n\t"]
    assert "[31m" in text, text  # what was given is told, as signs that are seen


def plain(source: str, name: str = "f", file: str = "<a cell>") -> Any:
    """A function whose source has these lines and stands in a file of this name."""
    linecache.cache[file] = (len(source), None, source.splitlines(keepends=True), file)
    scope: dict[str, Any] = {"np": np, "__name__": "a_cell"}
    exec(compile(source, file, "exec"), scope)
    return scope[name]


# ------------------------------------------------------------------------------------------- the function


@pytest.mark.parametrize("sign", [*sorted(set(SIGNS) - set("012;31[]mtJ")), "\r", "\0", "\ud800", "\xad"])
def test_every_sign(sign: str) -> None:
    for text in (visible(f"a{sign}b"), in_line(f"a{sign}b")):
        assert is_seen(text) and text.startswith("a\\") and text.endswith("b")
        assert ast.literal_eval(f"'{text}'") == f"a{sign}b"  # nothing is lost


@pytest.mark.parametrize("text", ["", "∑ Xᵀ α 漢字 émigré", "two\nlines\twide", "a \\x1b that is shown"])
def test_other_text_stays(text: str) -> None:
    assert visible(text) == text == visible(visible(text))


def test_names_stay_in_their_line() -> None:
    assert in_line("a\nb\tc") == "a\\nb\\tc"


# --------------------------------------------------------------------------------------------- verdicts


def by_comment() -> Verdict:
    return ep.prove(plain(f"def f(X):\n    return np.maximum(X, 0)  # {SIGNS[:6]}\n"), MATRIX, "O(d)")


def by_file() -> Verdict:
    name = f"/somewhere/a{SIGNS}.py".replace("\x85", "").replace("\u2028", "")
    return ep.prove(plain("def f(X):\n    return np.maximum(X, 0)\n", file=name), MATRIX, "O(d)")


def by_refusal() -> Verdict:
    def raises(X: Any) -> Any:
        if np.linalg.norm(X) > -1:
            return len(SIGNS) * X.astype(SIGNS)
        return X

    return ep.prove(raises, MATRIX, "O(d)")


def by_attribute() -> Verdict:
    def leaves_at_two(X: Any) -> Any:
        if X.shape[1] == 2:
            raise type(SIGNS, (Exception,), {})(SIGNS)
        return X * 1

    return ep.check(leaves_at_two, MATRIX, "S(n)", budget=1)


def by_hand() -> Verdict:
    texts = dict.fromkeys(("scope", "reason", "signature", "under"), SIGNS)
    return Verdict(Outcome.UNDECIDED, Grade.NONE, derivation=(SIGNS,), notes=(SIGNS,), **texts)


@pytest.mark.parametrize("make", [by_comment, by_file, by_refusal, by_attribute, by_hand])
def test_verdicts(make: Callable[[], Verdict], capsys: pytest.CaptureFixture[str]) -> None:
    verdict = make()
    parts = [verdict.reason, verdict.scope, *verdict.notes, *verdict.derivation, verdict._repr_html_()]
    assert all(is_seen(part) for part in parts)
    require_shown(str(verdict))
    show(verdict_screen(verdict))
    require_shown(capsys.readouterr().out)
    assert is_seen(json_text(verdict.to_json()))


# ----------------------------------------------------------------------------------------------- errors


def named(text: str) -> Any:
    return type(text, (), {})()


ERRORS: dict[str, Callable[[], Any]] = {
    "signature": lambda: ep.check(lambda X: X, f"X: d {SIGNS} -> d", "O(d)"),
    "group": lambda: ep.check(lambda X: X, MATRIX, f"O{SIGNS}(d)"),
    "axis": lambda: ep.check(lambda X: X, MATRIX, f"O({SIGNS})"),
    "sizes": lambda: ep.check(lambda X: X, MATRIX, "O(d)", sizes={SIGNS: 3}),
    "backend": lambda: ep.check(lambda X: X, MATRIX, "O(d)", backend=SIGNS),
    "about": lambda: ep.check(lambda X: X, MATRIX, "O(d)", about=SIGNS),
    "target": lambda: ep.check(named(SIGNS), MATRIX, "O(d)"),
    "result": lambda: ep.check(lambda X: named(SIGNS), MATRIX, "O(d)", budget=2),
    "message": lambda: ep.check(plain(f"def f(X):\n    raise ValueError({SIGNS!r})\n"), MATRIX, "O(d)"),
    "kind": lambda: ep.check(plain(f"def f(X):\n raise type({SIGNS!r}, (OSError,), {{}})"), MATRIX, "S(n)"),
    "executor": lambda: ep.check(lambda X: X, MATRIX, "O(d)", executor=named(SIGNS)),
    "domain": lambda: ep.check(lambda X: X, MATRIX, "O(d)", domain=named(SIGNS)),
    "grade": lambda: ep.testing.assert_equivariant(lambda X: X, MATRIX, "O(d)", at_least=SIGNS),
    "review": lambda: ep.review(SIGNS),
    "statement": lambda: ep.Lemma(id=SIGNS, place="1", printed="p", claim=None),
    "by hand": lambda: (_ for _ in ()).throw(EqvproofError(SIGNS, given=SIGNS, expected=SIGNS, hint=SIGNS)),
}  # fmt: skip


@pytest.mark.parametrize("name", ERRORS)
def test_errors(name: str) -> None:
    with pytest.raises(EqvproofError) as caught:
        ERRORS[name]()
    error = caught.value
    require_shown(str(error))
    assert all(map(is_seen, (error.message, error.given, error.expected, error.hint)))


# ------------------------------------------------------------------------------------- the command line

PAPER = """\
import eqvproof as ep
from eqvproof.papers.statements import Equivariance
S = {signs!r}
one = ep.Proposition(id="paper.one", place=S, printed=S, reading=S, assumptions=S,
    claim=Equivariance(lambda X: X[::-1], "X: n -> n", under="S(n)"))
two = ep.Proposition(id="paper.two", place=S, printed=S,
    claim=Equivariance(lambda X: (_ for _ in ()).throw(ValueError(S)), "X: n -> n", under="S(n)"))
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    (tmp_path / "paper.py").write_text(PAPER.format(signs=SIGNS))
    (tmp_path / "crashing.py").write_text(f"raise ValueError({SIGNS!r})\n")
    (tmp_path / "layers.py").write_text(
        f"import numpy as np\n\ndef f(X):\n    return np.maximum(X, 0)  # {SIGNS[:6]}\n", encoding="utf-8"
    )
    (tmp_path / f"odd{SIGNS}\naccepted  good.py").write_text("{}")
    (tmp_path / "bad.json").write_text(json.dumps({"format": SIGNS, SIGNS: SIGNS}))
    importlib.invalidate_caches()
    yield tmp_path
    for name in ("layers", "crashing"):
        sys.modules.pop(name, None)


COMMANDS: dict[str, list[str]] = {
    "an unknown command": [SIGNS],
    "an unknown option": ["check", "layers:f", MATRIX, "--under", "O(d)", f"--{SIGNS}"],
    "a function": ["check", f"layers:{SIGNS}", MATRIX, "--under", "O(d)"],
    "a module": ["check", f"{SIGNS}:f", MATRIX, "--under", "O(d)"],
    "a crashing module": ["check", "crashing:f", MATRIX, "--under", "O(d)"],
    "a signature": ["check", "layers:f", f"X: d {SIGNS}", "--under", "O(d)"],
    "a comment": ["check", "layers:f", MATRIX, "--under", "O(d)"],
    "a comment in data": ["check", "layers:f", MATRIX, "--under", "O(d)", "--json", "-"],
    "a size": ["check", "layers:f", MATRIX, "--under", "O(d)", "--size", f"{SIGNS}=3"],
    "an output": ["check", "layers:f", MATRIX, "--under", "O(d)", "--json", f"nowhere/{SIGNS}"],
    "a missing certificate": ["verify", SIGNS],
    "no certificate": ["verify", "bad.json"],
    "an odd file": ["verify", f"odd{SIGNS}\naccepted  good.py"],
    "a review": ["review", "paper.py"],
    "a review in data": ["review", "paper.py", "--json", "-"],
    "a review as a page": ["review", "paper.py", "--html", "-"],
    "a paper": ["review", f"{SIGNS}.py"],
    "a report": ["review", "paper.py", "--changed-since", SIGNS],
    "an export": ["export", SIGNS, "--to", "rocq"],
}


@pytest.mark.parametrize("name", COMMANDS)
def test_commands(name: str, folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    try:
        main(COMMANDS[name])
    except SystemExit:
        pass
    said = capfd.readouterr()
    assert is_seen(said.out) and is_seen(said.err), (said.out, said.err)
    assert said.out or said.err
    assert not any(line.startswith("accepted") for line in (said.out + said.err).splitlines())


def test_progress_shows_names(monkeypatch: pytest.MonkeyPatch) -> None:
    written: list[str] = []

    class Terminal:
        closed = False
        isatty = staticmethod(lambda: True)
        flush = staticmethod(lambda: None)
        write = staticmethod(written.append)

    monkeypatch.setattr(sys, "stderr", Terminal())
    monkeypatch.setenv("TERM", "xterm")
    with Progress(f"checking {SIGNS}", delay=0.0) as progress:
        while not written:
            progress._stop.wait(0.01)
    shown = "".join(written).replace("\r\x1b[K", "")
    assert is_seen(shown) and "x1b[31m" in shown


def test_text_is_printed_in_one_place() -> None:
    """`print` stands in `say` alone; the kernel's own command line knows ASCII names only."""
    found = {
        path.relative_to(PACKAGE).as_posix()
        for path in PACKAGE.rglob("*.py")
        if "print(" in path.read_text(encoding="utf-8")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "print"
    }
    assert found == {"support/writing.py", "kernel/__main__.py"}


def test_say(capsys: pytest.CaptureFixture[str]) -> None:
    say(SIGNS + os.linesep)
    require_shown(capsys.readouterr().out)
