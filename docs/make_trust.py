"""Writes the parts of docs/trust.md about reading the kernel: a short way, and its files in order.

    python docs/make_trust.py           rewrites it
    python docs/make_trust.py --check   exits 1 if it is out of date

The short way follows a real certificate. What is read for a kind of certificate is what its check imports; a
file comes after those that it imports.
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs" / "trust.md"
sys.path.insert(0, str(ROOT))

import eqvproof as ep  # noqa: E402
from benchmarks.ratchets import Package  # noqa: E402
from docs.generated import keep_part  # noqa: E402
from docs.make_rocq import METHODS, stated  # noqa: E402
from eqvproof.engines.elaborate.identities import ONLY_IN_KERNEL, WITHOUT_RULE  # noqa: E402
from eqvproof.kernel.checker import Rules  # noqa: E402

FIRST, AFTER = "### In an hour\n", "\n## What you have to trust\n"
#: What a part of the kernel checks, and the modules at its top; each part rests on the first.
PARTS = (
    ("a proof of equivariance, in the forms of rocq/Programs.v", ("form_proof", "check", "__main__")),
    ("the same under translations T", ("claimed_motions",)),
    ("one element for each entry of an axis", ("entries",)),
    ("results that do not depend on what is translated", ("independence",)),
    ("eigenvectors, which are further arguments", ("eigenvectors",)),
    ("opaque functions, and what is assumed of them", ("assumptions",)),
    (
        "groups with listed generators, irreps, and constants that a group keeps, or that are read as others",
        ("membership", "invariants", "irreps", "space", "readings"),
    ),
    ("exceptional points that a claim leaves out", ("exceptional",)),
    ("several results of one function", ("results",)),
    (
        "points at which a claim fails",
        ("points", "harmonics", "elementary", "matrix_values", "needed_entries"),
    ),
    ("lower bounds of violations", ("violations",)),
    ("decisions and tests at single sizes, and values at points", ("decisions", "finite")),
    ("conclusions from assumed equations", ("rewriting",)),
    (
        "identities of two programs, translations that cancel, and signs that do",
        ("normal", "translated", "flips"),
    ),
    ("translations by whole numbers Z, and periodic functions", ("lattices",)),
    ("spaces of linear maps, vertices of polytopes, and shapes of products", ("linear",)),
    ("orthogonal matrices, permutations, orbits, and what rules them out", ("witness", "orbits")),
)
UNSAID = """
### Proofs that only the kernel checks

Every proof of equivariance in the gallery, the corpora and the library can be written in the forms of
`rocq/Programs.v`, and is accepted by the checker that Rocq proves sound, but for proofs of these kinds.
Identities of two programs are no proofs of equivariance, and are the last row:

"""
UNRULED = """
### True claims without a proof

Claims of these kinds are not proved for all sizes, although they are true: no rule in forms covers them.
They are decided, or tested, at single sizes, and the reason of the verdict names the operation:

"""
INTRODUCTION = """
### File by file

What a certificate does not need is not loaded. A file comes after those that it uses, so the first table,
from top to bottom, is all that a proof of equivariance rests on; the others need it and hold what is added.
Lines count docstrings. The rules for forms are proved in Rocq, as the last column says; the proofs of other
rules stand in the docstrings of their files. A dash means that nothing is proved there, and says why.
"""
#: What proves the rules of a file, with `lemma (file of rocq/)`, or after a dash why there is no proof; the
#: rules of all other files are proved in their docstrings.
PROVED_BY = {
    "report.py": "- it decides nothing",
    "sizes.py": "- arithmetic of polynomials",
    "text.py": "- a parser; each entry is read in one form only",
    "forms.py": "the reader: -; `lines_follow`: `run_sound (Checked)`, its cache of steps in its docstring",
    "checker.py": "`sound (Checked)`",
    "groups.py": "- known facts about the families; the tests try them on elements",
    "loading.py": "- it imports files of this folder alone",
    "claims.py": "- it reads the claim; how elements of a product act: `product_sound (Products)`",
    "claimed_types.py": "- it says what the claim means, as a definition; of irreps, in its docstring",
    "functions.py": "- names and arities",
    "words.py": "- it prints the claim",
    "form_functions.py": "- it reads functions",
    "facts.py": "its docstring",
    "form_shapes.py": "`shapes_sound (Shapes)`",
    "form_program.py": "- it reads programs and calls `shaped`",
    "form_proof.py": "`product_sound (Products)`",
    "check.py": "- it calls the check of the kind of certificate",
    "__init__.py": "- it names `check_certificate`",
    "__main__.py": "- it prints the report",
    "motions.py": "`sound_shifts (Shifts)`",
    "claimed_motions.py": "- it says what the claim means, as a definition, and calls `check_shifts`",
    "entries.py": "`each_sound (Products)`, `shifts_each_sound (Products)`",
    "eigenvectors.py": "its docstrings, by lemmas such as `choices_agree (Eigenvectors)`",
}
#: What of a proof of equivariance to read, in this order: a file of `rocq/` or of the kernel, what, and why.
SHORT_WAY: tuple[tuple[str, str, str], ...] = (
    ("rocq/Programs.v", "compute, defined",
     "what the lines of the certificate mean: the function that is spoken of"),
    ("rocq/Checked.v", "equivariant",
     "what is proved of them, for one factor of the group; the definitions that it uses are listed in"
     " [the page about Rocq](rocq.md#what-is-exported)"),
    ("rocq/Checker.v", "rule", "the rules; those that this certificate uses are in the table above"),
    ("eqvproof/kernel/checker.py", "Rules, check", "the same rules, as the kernel applies them"),
    ("eqvproof/kernel/forms.py", "lines_follow", "that each line is checked, or one like it was"),
    ("eqvproof/kernel/claimed_types.py", "claimed_type, given_type, normalised, checked_family, _parts",
     "how a claim becomes types of the arguments and of the result, and which theorem is used"),
    ("eqvproof/kernel/facts.py", "facts_of", "what is supposed of functions such as exp"),
    ("eqvproof/kernel/form_program.py", "read_program, bind_names",
     "how the program is read, and its shapes are compared with those of the claim"),
    ("eqvproof/kernel/form_shapes.py", "require_shapes", "that no entry outside of an array is read"),
    ("eqvproof/kernel/form_proof.py", "check_proof, read_proof, _check_types, _require_types",
     "what is checked of a certificate, factor by factor, and what is printed"),
)  # fmt: skip
GAPS = """
What is proved nowhere, and rests on reading and on tests:

- `claimed_types.py`, which says what a claim means: it is a definition;
- the records of families in `groups.py`, the tables of degrees of functions in `facts.py`, whose reasons
  are in its docstring, and `form_functions.py`: which folds do not depend on the order of entries;
- the readers (`text.py`, `claims.py`, and those of forms and functions), and the cache of steps of
  `lines_follow`;
- that Python's rules are those of Rocq: the tests give both the same texts, right and altered, and compare
  their answers; `eqvproof verify --with rocq` asks Rocq itself.

`rests on` names the rules used, opaque functions, recorded values and constants that are read as others. It
leaves out what every acceptance rests on: these files, Python, and that the lines are your function. It
also leaves out what `facts.py` says of known functions, such as that the maximum does not depend on the
order of the entries.

`PROVED` of an identity of two programs (`ep.identical`) rests on no types: the programs are read and their
shapes are checked as above, and then the kernel brings both into one normal form. The proofs that each step
keeps the values stand in the docstrings of `normal.py`, `rewrite.py`, `equations.py`, `atoms.py` and
`read_places.py`; Rocq has no theorem about them.
"""
#: Proofs that the checkers of Rocq do not cover, beside those of equivariance.
IDENTITIES = (
    "an identity of two programs (`ep.identical`)",
    "both have one normal form, which the kernel computes; the checkers in Rocq follow types, and no theorem"
    " of Rocq is about normal forms",
)


def attention(X: Any) -> Any:
    """The example: self-attention without weights."""
    weights = np.exp(X.T @ X)
    return X @ (weights / weights.sum(axis=0))


def type_in_words(held: Any) -> str:
    """The type of a line: for each axis its parts, or a dash where nothing acts."""
    axes, power = held
    words = (" + ".join(f"{kind} {size}" for kind, size in axis) or "-" for axis in axes)
    return (", ".join(words) or "no axes") + (f"; character^{power}" if power else "")


def short_way(package: Package) -> str:
    """The lines of a real certificate with their types and rules, and what to read about them.

    Raises:
        KeyError: something to read is not there.
    """
    verdict = ep.check(attention, "X: d n -> d n", under="O(d) x S(n)")
    certificate: Any = verdict.certificate
    forms, factors = certificate["forms"], certificate["evidence"]["factors"]
    text = f"""{FIRST}
A certificate of `weights = np.exp(X.T @ X); X @ (weights / weights.sum(axis=0))` under O(d) x S(n) holds
the following lines. A line is a form of `rocq/Programs.v`, which names earlier lines by number; sizes are
names of axes. A `Contract` has rows, each a line and the labels of its axes, then the labels that are
summed, each with a size, then the labels of the result; a `Map` has the number of a function, and lines. For
each factor of the group a line has a type: of each axis, `Std` where the element's matrix acts along it, or
`-` where nothing does. The kernel checks that each type follows from those of the lines that it uses by the
rule in the last column, and that the first and the last are those of the claim. An element of the product of
two groups acts as one of each, one after the other: `product_sound` of `rocq/Products.v` joins the factors.

| line | form | under O(d) | under S(n) | rule |
|---|---|---|---|---|
"""
    for number, (kind, *used) in enumerate(forms["lines"]):
        _, name, *fields = forms["kinds"][kind]
        types = (type_in_words(f["types"][f["lines"][number]]) for f in factors)
        shown = " ".join(str(x).replace("'", "") for x in _with_lines(name, fields, used))
        rule = METHODS.get(name, "rule")
        if not hasattr(Rules, rule):
            raise KeyError(rule)
        text += f"| {number} | `{name} {shown}` | {' | '.join(types)} | `Rules.{rule}` |\n"
    functions = ", ".join(f"{k} is {name}" for k, name in enumerate(forms["functions"]))
    text += f"\nOf the functions, {functions}. To follow why this is a proof, read:\n\n"
    text += "| file | read | lines of code | |\n|---|---|---|---|\n"
    for name, what, why in SHORT_WAY:
        read, size = what.replace(", ", "`, `"), _size(package, name, what)
        text += f"| `{name.removeprefix('eqvproof/kernel/')}` | `{read}` | {size} | {why} |\n"
    return text + GAPS


def _with_lines(name: str, fields: list[Any], used: list[int]) -> list[Any]:
    """The fields of a form, with the lines that it uses in place of 0, 1, ..."""
    match name, fields:
        case "Contract", [rows, summed, out]:
            return [[[used[row], places] for row, places in rows], summed, out]
        case "Fold", [function, _, axis, size]:
            return [function, used[0], axis, size]
        case "Map", [function, _]:
            return [function, used]
        case ("Input" | "Scalar"), _:
            return fields
    raise KeyError(name)


def _size(package: Package, name: str, what: str) -> int:
    """How many lines of code the definitions of a file have: of Rocq those up to the next empty line or end.

    Raises:
        KeyError: one is not there.
    """
    total = 0
    for own in what.split(", "):
        if name.endswith(".v"):
            text = re.sub(r"\(\*.*?\*\)", "", (ROOT / name).read_text("utf-8"), flags=re.DOTALL)
            found = re.search(rf"^(Definition|Fixpoint) {own}\b.*?\.$", text, re.MULTILINE | re.DOTALL)
            if found is None:
                raise KeyError(name, own)
            total += sum(bool(line.strip()) for line in found[0].split("\n"))
        else:
            total += package.code_lines_of(ROOT / name, own)
    return total


def proved_by(name: str) -> str:
    """What proves the rules of a file.

    Raises:
        KeyError: a lemma is not in the file that is named, or Rocq is not asked what it rests on.
    """
    text = PROVED_BY.get(name, "its docstrings")
    for lemma, file in re.findall(r"`(\w+) \((\w+)\)`", text):
        if lemma not in {*stated(file, "Theorem"), *stated(file, "Lemma")}:
            raise KeyError(name, lemma)
    return re.sub(r"`(\w+) \((\w+)\)`", r"`\1` of `\2.v`", text)


def in_order(package: Package, module: str, seen: set[str]) -> Iterator[str]:
    """The modules of the kernel that a module imports and that were not seen, then itself."""
    if module not in seen:
        seen.add(module)
        for other in sorted(package.imports[module], key=lambda m: (m.count("."), m)):
            yield from in_order(package, other, seen)
        yield module


def section() -> str:
    """The part of the page."""
    package = Package(ROOT / "eqvproof" / "kernel")
    seen = {"eqvproof"}  # what imports the folder itself means the files in it
    text = short_way(package) + INTRODUCTION
    for what, tops in PARTS:
        modules = [m for top in tops for m in in_order(package, f"eqvproof.{top}", seen)]
        if "__main__" in tops:
            modules.append("eqvproof")
        files = [package.modules[m] for m in modules]
        lines = {f: package.text[f].count("\n") for f in files}
        text += f"\nFor {what}, {sum(lines.values()):,} lines:\n\n"
        text += "| file | lines | | proved by |\n|---|---|---|---|\n"
        for file in files:
            name = file.relative_to(package.root).as_posix()
            first = (ast.get_docstring(package.tree(file)) or "").split("\n")[0].split(": ")
            text += f"| `{name}` | {lines[file]} | {': '.join(first).rstrip('.:')} | {proved_by(name)} |\n"
    text += UNSAID + "| proof | why |\n|---|---|\n"
    text += "".join(f"| {kind} | {why} |\n" for kind, why in (*ONLY_IN_KERNEL.items(), IDENTITIES))
    text += UNRULED + "| claim | why |\n|---|---|\n"
    return text + "".join(f"| {kind} | {why} |\n" for kind, why in WITHOUT_RULE.items())


if __name__ == "__main__":
    sys.exit(keep_part(PAGE, FIRST, section().removeprefix(FIRST), AFTER))
