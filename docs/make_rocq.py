"""Writes the tables of docs/rocq.md: for each rule of the kernel its operations in Rocq, and the lemmas.

python docs/make_rocq.py           rewrites it
python docs/make_rocq.py --check   exits 1 if the page is out of date
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from docs.generated import keep_part
from eqvproof.engines.elaborate.forms import WRITERS
from eqvproof.kernel.rules import RULES

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs" / "rocq.md"
FIRST, AFTER = "<!-- rules: written by docs/make_rocq.py -->\n", "<!-- end of rules -->\n"
#: Rule of the kernel -> the operations as which its nodes are printed.
OPERATIONS = {
    "input": "Input", "const": "Scalar Leaf Contract Whole", "parameter": "Leaf", "size": "Scalar Contract",
    "iota": "Leaf", "indicator": "Delta Leaf Contract Map Input", "einsum": "Contract", "add": "Add",
    "map": "Map Leaf Whole", "select": "Choose", "reduce": "Fold", "concat": "Join",
    "read": "Contract View", "reshape": "Contract View", "sort": "Sort", "matrix_function": "Whole",
    "opaque": "Whole", "form": "Whole",
}  # fmt: skip
#: Where the lemmas stand; the first is of every operation, the others of parts of some.
LEMMAS: dict[str, tuple[str, dict[str, str]]] = {
    "Moves": (
        "line_moves",
        {"Contract": "contract_moves", "Map": "map_moves", "Fold": "along_moves", "Sort": "along_moves",
         "Join": "join_moves", "Whole": "whole_moves", "View": "view_moves"},
    ),
    "Turns": (
        "line_turns",
        {"Contract": "contract_turns", "Fold": "along_turns", "Sort": "along_turns", "Join": "join_turns",
         "Whole": "whole_turns", "View": "view_turns"},
    ),
    "Shifts": ("line_shifts", {"Contract": "moved_known", "Add": "moved_sum"}),
    "Each": ("line_alike", {"Contract": "over_alike", "Whole": "called_alike"}),
}  # fmt: skip

#: Further lemmas of a rule, of rocq/Forms.v: the matrix of a form is an array that turns as its type says.
FURTHER = {("form", "Turns"): ["kept_both", "form_kept", "form_typed"]}

#: Rules of proofs that are not printed -> the file of their lemmas, and these.
UNPRINTED: dict[str, tuple[str, list[str]]] = {
    "eigenvectors": (
        "Eigenvectors",
        ["symmetric_part_moved", "eigenvectors_moved", "eigenvectors_flipped", "eigenvectors_scaled",
         "eigenvectors_columns", "eigenvectors_up_to_signs", "flips_reach", "choices_agree", "choices_exist"],
    ),
}  # fmt: skip


def stated(file: str, head: str) -> set[str]:
    """The names of what a file of `rocq/` states with this word."""
    text = re.sub(r"\(\*.*?\*\)", "", (ROOT / "rocq" / f"{file}.v").read_text(encoding="utf-8"), flags=re.S)
    return set(re.findall(rf"^{head} (\w+)", text, flags=re.M))


def constructors() -> set[str]:
    """The operations of rocq/Programs.v."""
    text = (ROOT / "rocq" / "Programs.v").read_text(encoding="utf-8")
    return set(
        re.findall(r"^  \| (\w+) of", text.partition("Inductive op :=")[2].partition("Definition")[0], re.M)
    )


def lemmas(rule: str) -> dict[str, list[str]]:
    """The lemmas for a rule, by file.

    Raises:
        KeyError: no operation is known for it, or Rocq has no such operation or lemma.
    """
    operations = OPERATIONS[rule].split()
    found = {}
    for file, (line, special) in LEMMAS.items():
        found[file] = list(dict.fromkeys(special.get(operation, line) for operation in operations))
        found[file] += FURTHER.get((rule, file), [])
        known = stated(file, "Lemma") | (stated("Forms", "Lemma") if (rule, file) in FURTHER else set())
        missing = {line, *found[file]} - known | {*operations} - constructors()
        if missing or rule not in WRITERS:
            raise KeyError(rule, *sorted(missing))
    return found


def unprinted(rule: str) -> list[str]:
    """The lemmas for a rule of proofs that are not printed.

    Raises:
        KeyError: Rocq has no such lemma, or is not asked what it rests on.
    """
    file, names = UNPRINTED[rule]
    missing = set(names) - (stated(file, "Lemma") & stated(file, "Print Assumptions"))
    if missing:
        raise KeyError(rule, *sorted(missing))
    return names


def table() -> str:
    """The table, and that of the rules of proofs that are not printed."""
    rows = [
        "| rule of the kernel | printed as | moved entries | matrices | translations | entry by entry |",
        "|---|---|---|---|---|---|",
    ]
    for rule in (rule for rule in RULES if rule not in UNPRINTED):
        cells = [", ".join(f"`{name}`" for name in names) for names in lemmas(rule).values()]
        printed = ", ".join(f"`{name}`" for name in OPERATIONS[rule].split())
        rows.append(f"| {rule} | {printed} | {' | '.join(cells)} |")
    rows += ["", "| rule of proofs that are not printed | file | lemmas |", "|---|---|---|"]
    for rule, (file, _) in UNPRINTED.items():
        rows.append(f"| {rule} | `{file}.v` | {', '.join(f'`{name}`' for name in unprinted(rule))} |")
    return "\n".join([*rows, ""])


if __name__ == "__main__":
    sys.exit(keep_part(PAGE, FIRST, table(), AFTER))
