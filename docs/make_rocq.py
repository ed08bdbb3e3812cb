"""Writes the tables of docs/rocq.md: for each form its rule in the checker, and the lemmas that prove it.

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
from eqvproof.kernel.checker import Rules

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs" / "rocq.md"
FIRST, AFTER = "<!-- rules: written by docs/make_rocq.py -->\n", "<!-- end of rules -->\n"
#: Operation of a Program -> the forms as which certificates hold it.
OPERATIONS = {
    "input": "Input Leaf", "const": "Scalar Leaf Contract Whole", "parameter": "Leaf",
    "size": "Scalar Contract",
    "iota": "Leaf", "indicator": "Delta Leaf Contract Map Input", "einsum": "Contract", "add": "Add",
    "map": "Map Leaf Whole", "select": "Choose", "reduce": "Fold", "concat": "Join",
    "read": "Contract View", "reshape": "Contract View", "sort": "Sort", "matrix_function": "Whole",
    "opaque": "Whole", "form": "Whole", "eigenvectors": "Input",
}  # fmt: skip
#: Form -> the method of `checker.Rules` with its rule; `rule` has the others in itself.
METHODS = {
    "Contract": "contract", "Map": "map", "Choose": "choose", "Fold": "along", "Sort": "along",
    "Join": "join", "View": "view", "Whole": "whole_ok",
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

#: Further lemmas, of rocq/BilinearForms.v: the matrix of a form is an array that turns as its type says.
FURTHER = {("Whole", "Turns"): ["kept_both", "form_kept", "form_typed"]}

#: Further arguments of a program in forms -> the file of the lemmas about them, and these.
ARGUMENTS: dict[str, tuple[str, list[str]]] = {
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


def lemmas(form: str) -> dict[str, list[str]]:
    """The lemmas for a form, by file.

    Raises:
        KeyError: Rocq has no such form or lemma, or the checker has no such rule.
    """
    if form not in constructors() or not hasattr(Rules, METHODS.get(form, "rule")):
        raise KeyError(form)
    found = {}
    for file, (line, special) in LEMMAS.items():
        further = FURTHER.get((form, file), [])
        found[file] = [special.get(form, line), *further]
        elsewhere = stated("BilinearForms", "Lemma") if further else set[str]()
        missing = {*found[file]} - stated(file, "Lemma") - elsewhere
        if missing:
            raise KeyError(form, *sorted(missing))
    return found


def operations(form: str) -> list[str]:
    """The operations of Programs that certificates hold as a form.

    Raises:
        KeyError: an operation is written otherwise than the table says.
    """
    if {*OPERATIONS} != {*WRITERS}:
        raise KeyError(*sorted({*OPERATIONS} ^ {*WRITERS}))
    return [operation for operation, forms in OPERATIONS.items() if form in forms.split()]


def lemmas_of_arguments(name: str) -> list[str]:
    """The lemmas about further arguments.

    Raises:
        KeyError: Rocq has no such lemma, or is not asked what it rests on.
    """
    file, names = ARGUMENTS[name]
    missing = set(names) - (stated(file, "Lemma") & stated(file, "Print Assumptions"))
    if missing:
        raise KeyError(name, *sorted(missing))
    return names


def table() -> str:
    """The table of forms, and that of further arguments."""
    rows = [
        "| form | operations held as it | rule in `checker.py` | moved entries | matrices | translations"
        " | entry by entry |",
        "|---|---|---|---|---|---|---|",
    ]
    for form in sorted(constructors()):
        cells = [", ".join(f"`{name}`" for name in names) for names in lemmas(form).values()]
        held = ", ".join(f"`{name}`" for name in operations(form))
        rule = f"`Rules.{METHODS.get(form, 'rule')}`"
        rows.append(f"| `{form}` | {held} | {rule} | {' | '.join(cells)} |")
    rows += ["", "| further arguments | file | lemmas about them |", "|---|---|---|"]
    for name, (file, _) in ARGUMENTS.items():
        rows.append(f"| {name} | `{file}.v` | {', '.join(f'`{n}`' for n in lemmas_of_arguments(name))} |")
    return "\n".join([*rows, ""])


if __name__ == "__main__":
    sys.exit(keep_part(PAGE, FIRST, table(), AFTER))
