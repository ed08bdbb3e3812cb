"""Writes the part of docs/trust.md that lists the kernel's files, in the order in which to read them.

    python docs/make_trust.py           rewrites it
    python docs/make_trust.py --check   exits 1 if it is out of date

What is read for a kind of certificate is what its check imports; a file comes after those that it imports.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs" / "trust.md"
sys.path.insert(0, str(ROOT))

from benchmarks.ratchets import Package  # noqa: E402
from docs.generated import keep_part  # noqa: E402
from eqvproof.engines.elaborate.identities import ONLY_IN_KERNEL  # noqa: E402

FIRST, AFTER = "### File by file\n", "\n## What you have to trust\n"
#: What a part of the kernel checks, and the modules at its top; each part rests on the first.
PARTS = (
    ("a proof of equivariance, in the forms of rocq/Programs.v", ("form_proof", "check")),
    ("the same under translations T", ("claimed_motions",)),
    ("one element for each entry of an axis", ("entries",)),
    ("eigenvectors, which are further arguments", ("eigenvectors",)),
    ("a proof that the forms do not cover, by types of the nodes of a Program", ("proof",)),
    ("the same under translations T and multiples Scale", ("affine_types",)),
    (
        "groups with listed generators, irreps, and constants that a group keeps",
        ("membership", "invariants", "irreps", "space"),
    ),
    ("elements for the entries of an axis each", ("each",)),
    ("exceptional points that a claim leaves out", ("exceptional",)),
    ("several results of one function", ("results",)),
    (
        "points at which a claim fails",
        ("points", "harmonics", "elementary", "matrix_values", "needed_entries"),
    ),
    ("decisions and tests at single sizes, and values at points", ("decisions", "finite")),
    ("conclusions from assumed equations", ("rewriting",)),
    (
        "identities of two programs, translations that cancel, and signs that do",
        ("normal", "translated", "flips"),
    ),
    ("spaces of linear maps, vertices of polytopes, and shapes of products", ("linear",)),
    ("orthogonal matrices, permutations, orbits, and what rules them out", ("witness", "orbits")),
)
UNSAID = """
### Proofs that only the kernel checks

Every proof of equivariance in the gallery, the corpora and the library can be written in the forms of
`rocq/Programs.v`, and is accepted by the checker that Rocq proves sound, but for proofs of these kinds:

"""
INTRODUCTION = f"""{FIRST}
What a certificate does not need is not loaded. A file comes after those that it uses, so the first table,
from top to bottom, is all that a proof of equivariance rests on; the others need it and hold what is added.
Docstrings count: the proofs of the rules stand in them.
"""


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
    seen = {"eqvproof"}
    text = INTRODUCTION
    for what, tops in PARTS:
        modules = [m for top in tops for m in in_order(package, f"eqvproof.{top}", seen)]
        files = [package.modules[m] for m in modules]
        lines = {f: package.text[f].count("\n") for f in files}
        text += f"\nFor {what}, {sum(lines.values()):,} lines:\n\n| file | lines | |\n|---|---|---|\n"
        for file in files:
            name = file.relative_to(package.root).as_posix()
            first = (ast.get_docstring(package.tree(file)) or "").split("\n")[0].split(": ")
            text += f"| `{name}` | {lines[file]} | {': '.join(first).rstrip('.:')} |\n"
    text += UNSAID + "| proof | why |\n|---|---|\n"
    return text + "".join(f"| {kind} | {why} |\n" for kind, why in ONLY_IN_KERNEL.items())


if __name__ == "__main__":
    sys.exit(keep_part(PAGE, FIRST, section().removeprefix(FIRST), AFTER))
