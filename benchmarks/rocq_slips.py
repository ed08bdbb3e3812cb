# ruff: noqa: E501 (a slip a line)
"""Slips of the exporter to Rocq, one at a time in a copy of the package: does a plain run of its tests notice?

    python benchmarks/rocq_slips.py [--out benchmarks/rocq_slips.md]

A slip replaces one piece of the source of a table or of a printer. Run are the tests of `tests/rocq` that
need no Rocq, in the way that `pytest` runs them by itself: nothing else has to notice. Without any slip they pass.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
TESTS = ("tests/rocq/test_facts.py", "tests/rocq/test_reread.py", "tests/rocq/test_printed.py")
EXPORT, ELABORATE = "rocq", "engines/elaborate"
GROUPS, FUNCTIONS, FACTS = "claims/groups/families", "kernel/functions.py", "kernel/facts.py"
#: What is wrong, the file, the text there, and what takes its place.
SLIPS: tuple[tuple[str, str, str, str], ...] = (
    ("exp is supposed of degree 0 under Scale", FACTS, '**_TRUTH, "not": 0, "recip": -1, **dict', '**_TRUTH, "exp": 0, "not": 0, "recip": -1, **dict'),
    ("tanh is supposed of degree 0 under Scale", FACTS, '**_TRUTH, "not": 0, "recip": -1, **dict', '**_TRUTH, "tanh": 0, "not": 0, "recip": -1, **dict'),
    ("pinv is supposed to be an inverse", FACTS, '"pinv": "Pseudoinverse"', '"pinv": "Inverse"'),
    ("abs is of degree 1 for any unit", FACTS, 'UNITS = {**_TRUTH,', 'UNITS = {**_TRUTH, "abs": 1,'),
    ("sqrt is of degree 1 for any unit", FACTS, 'UNITS = {**_TRUTH,', 'UNITS = {**_TRUTH, "sqrt": 1,'),
    ("A(n) is printed as C(n)", f"{GROUPS}/permutations.py", 'rocq="A"', 'rocq="C"'),
    ("recip is of degree 1 under Scale", FACTS, '**_TRUTH, "not": 0, "recip": -1, **dict', '**_TRUTH, "not": 0, "recip": 1, **dict'),
    ("maxima are of degree 0 under Scale", FACTS, 'minimum mod max min sort".split(), 1)', 'minimum mod max min sort".split(), 0)'),
    ("sign and comparisons are of degree 1 under Scale", FACTS, '"ge", "arctan2"), 0)', '"ge", "arctan2"), 1)'),
    ("pow is of degree 1 under Scale", FACTS, "minimum mod max", "minimum pow mod max"),
    ("odd functions are supposed even", FACTS, "**dict.fromkeys(EVEN, 0), **dict.fromkeys(ODD, 1)", "**dict.fromkeys(ODD, 0), **dict.fromkeys(EVEN, 1)"),
    ("cos is supposed odd", FUNCTIONS, 'sign sin tan', 'sign sin cos tan'),
    ("the degrees of Scale are those of any unit", FACTS, '"GL": UNITS', '"GL": POSITIVE'),
    ("the parities are those under Scale", FACTS, '"Scale": POSITIVE', '"Scale": SIGNS'),
    ("det is supposed a list", FACTS, '"det": "Number"', '"det": "List"'),
    ("eigenvalues are supposed a number", FACTS, '"eigvals": "List"', '"eigvals": "Number"'),
    ("functions by eigenvectors conjugate", FACTS, '"spectral": "Weighted"', '"spectral": "Conjugate"'),
    ("inv is supposed to conjugate alone", FACTS, '"inv": "Inverse"', '"inv": "Conjugate"'),
    ("series are supposed pseudo-inverses", FACTS, 'dict.fromkeys(SERIES, "Conjugate")', 'dict.fromkeys(SERIES, "Pseudoinverse")'),
    ("products are supposed to move as all entries", FACTS, '"min": False, "sort": False}', '"min": False, "prod": False, "sort": False}'),
    ("cbrt is supposed a square root", "kernel/form_functions.py", '"cbrt": Fraction(1, 3)', '"cbrt": Fraction(1, 2)'),
    ("O(d) is printed as SO(d)", f"{GROUPS}/orthogonal.py", 'rocq="O",', 'rocq="SO",'),
    ("S(n) is printed as A(n)", f"{GROUPS}/permutations.py", 'rocq="S"', 'rocq="A"'),
    ("D(n) is printed as C(n)", f"{GROUPS}/cycles.py", "rocq=S.rocq", 'rocq="C"'),
    ("C(n) is printed as S(n)", f"{GROUPS}/cycles.py", 'rocq="C"', 'rocq="S"'),
    ("Signs(n) is printed as S(n)", f"{GROUPS}/signs.py", 'rocq="Signs"', 'rocq="S"'),
    ("GL(d) is printed as SL(d)", f"{GROUPS}/linear.py", 'rocq="GL"', 'rocq="SL"'),
    ("SE(d) is printed as E(d)", f"{GROUPS}/affine.py", "parts=(T, SO)", "parts=(T, O)"),
    ("E(d) is printed as its translations", f"{GROUPS}/affine.py", "parts=(T, O)", "parts=(T,)"),
    ("matrices of U(d) have the size d", f"{ELABORATE}/source.py", "Size.of(axis).substitute(pins) * part.reals", "Size.of(axis).substitute(pins)"),
    ("duals are printed as the group's matrix", f"{ELABORATE}/source.py", 'if mark == "*" and', 'if mark == "?" and'),
    ("what is marked ! is acted upon", f"{ELABORATE}/source.py", 'is_still = mark == "!" or', 'is_still = mark == "?" or'),
    ("one copy stands for several", f"{ELABORATE}/source.py", "yield from [(kind, factor.size)] * copies", "yield from [(kind, factor.size)]"),
    ("labels do not move", f"{ELABORATE}/source.py", "moves = given.indexes == factor.axis and", "moves = given.indexes != factor.axis and"),
    ("the power of a multiple is not negative", f"{ELABORATE}/source.py", 'if term[2] == "*":', 'if term[2] == "?":'),
    ("directions are printed as points", f"{ELABORATE}/source.py", "_acts(factor, t) and not t[2] for t in axis", "_acts(factor, t) for t in axis"),
    ("points are translated along the first axis", f"{ELABORATE}/source.py", 'return "Moved", places[0]', 'return "Moved", 0'),
    ("a negative integer is one less", f"{EXPORT}/words.py", "{-value - 1}", "{-value}"),
    ("sizes are printed once, whatever their coefficients", f"{EXPORT}/words.py", "for _ in range(c)", "for _ in range(1)"),
    ("a translation is by twice the vector", f"{EXPORT}/words.py", "(Posz 1) [::]", "(Posz 2) [::]"),
    ("branches are exchanged", f"{ELABORATE}/forms.py", "for a in condition], a, b)", "for a in condition], b, a)"),
    ("a function along an axis is along the first", f"{ELABORATE}/forms.py", '("Fold", number, line, place, shape[a])', '("Fold", number, line, 0, shape[a])'),
    ("a shift goes the other way", f"{ELABORATE}/places.py", 'terms.append(("Num", start.constant))', 'terms.append(("Times", back, ("Num", start.constant)))'),
    ("parts are joined in another order", f"{ELABORATE}/forms.py", "(\"Join\", parts, axes", "(\"Join\", parts[::-1], axes"),
    ("a sum leaves its last term out", f"{ELABORATE}/forms.py", '("Add", t.spread_all(node.args, axes, i))', '("Add", t.spread_all(node.args, axes, i)[:-1])'),
    ("labels are printed as numbers", f"{ELABORATE}/forms.py", '[("Lab", label) for label in own]', '[("Num", label) for label in own]'),
    ("the product leaves its last factor out", f"{EXPORT}/print_theorem.py", "for claim in claims)\n        each", "for claim in claims[:-1])\n        each"),
    ("the result is claimed to be as its last line is", f"{EXPORT}/print_theorem.py", "result = source.claimed(factor, source.output_axes)", "result = forms.types[k][0]"),
    ("the result has an element for each entry of its first axis", f"{EXPORT}/print_theorem.py", "stop = source.entries(factor, source.output_axes)", "stop = 0"),
    ("every argument has an element for each entry of its first axis", f"{EXPORT}/print_theorem.py", "starts = [source.entries(factor, given.axes, given.indexes) for given in source.inputs]", "starts = [0 for given in source.inputs]"),
    ("the shape of the result is reversed", f"{EXPORT}/print_theorem.py", "claimed = source.shape()", "claimed = source.shape()[::-1]"),
    ("shapes of arguments are without their labels", f"{ELABORATE}/source.py", "sizes = (*sizes, given.labels)", "sizes = (*sizes,)"),
    ("every size is 1 or more, whatever the scope", f"{ELABORATE}/source.py", "return int(sizes[0])", "return 1"),
    ("sizes are known to be any numbers", f"{EXPORT}/words.py", "name: Size.of(name) + low for", "name: Size.of(name) for"),
    ("numbers of terms are known to be 1", f"{EXPORT}/words.py", 'listed(f"({c}, {product})"', 'listed(f"(1, {product})"'),
    ("a name of the result alone is any number", f"{ELABORATE}/source.py", "pins.setdefault(name, size.substitute(pins))", "pins.get(name, size)"),
    ("the elements of a factor are all one", f"{ELABORATE}/source.py", 'each = entry.get("each", "")', 'each = ""'),
    ("a theorem is about the arguments of another factor", f"{EXPORT}/print_theorem.py", 'facts{k} given{k}"', 'facts{k} given0"'),
)  # fmt: skip


def noticed(folder: Path) -> str:
    """The first test that fails in a copy of the project, or why there is none; "" where all pass."""
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", *TESTS],
        cwd=folder, capture_output=True, text=True, check=False, timeout=1200,
        env={**os.environ, "PYTHONPATH": str(folder)},
    )  # fmt: skip
    if done.returncode == 0:
        return ""
    found = re.search(r"^(?:FAILED|ERROR) (\S+)", done.stdout, re.M)
    return found[1] if found else f"pytest ended with {done.returncode}"


def tried(slip: tuple[str, str, str, str] | None, folder: Path) -> str:
    """What notices a slip that is made in the copy, and taken back."""
    if slip is None:
        return noticed(folder)
    _, name, old, new = slip
    path = folder / "eqvproof" / name
    before = path.read_text(encoding="utf-8")
    if before.count(old) != 1:
        raise SystemExit(f"{name} does not hold {old!r} once: bring the slip up to date")
    path.write_text(before.replace(old, new), encoding="utf-8")
    try:
        return noticed(folder)
    finally:
        path.write_text(before, encoding="utf-8")


def page(rows: list[tuple[str, str, str]]) -> str:
    """The page."""
    seen = sum(bool(by) for *_, by in rows)
    lines = [
        "# Slips of the exporter to Rocq",
        "",
        "Written by `benchmarks/rocq_slips.py`: changes of a table or of a printer, one at a time, and the first test"
        " that fails then in a plain run of the tests of the exporter that need no Rocq. Unchanged, all of them pass.",
        "",
        f"{seen} of {len(rows)} are noticed.",
        "",
        "| slip | file | noticed by |",
        "|---|---|---|",
        *(f"| {what} | `{name}` | {by or '**nothing**'} |" for what, name, by in rows),
    ]
    return "\n".join(lines) + "\n"


def main() -> None:
    """Try all of them."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--out", type=Path)
    parser.add_argument("--only", default="", help="slips whose words hold this")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        for part in ("eqvproof", "tests", "docs", "rocq", "benchmarks"):
            shutil.copytree(ROOT / part, folder / part, ignore=shutil.ignore_patterns("__pycache__"))
        shutil.copy(ROOT / "pyproject.toml", folder)
        if by := tried(None, folder):
            raise SystemExit(f"without any slip {by} fails")
        rows = []
        for slip in SLIPS:
            if options.only in slip[0]:
                rows.append((slip[0], slip[1], tried(slip, folder).rpartition("::")[2]))
                print(*rows[-1], sep=" | ", flush=True)
    if options.out:
        options.out.write_text(page(rows), encoding="utf-8")


if __name__ == "__main__":
    main()
