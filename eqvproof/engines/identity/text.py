"""Normal forms as text, for readers."""

from __future__ import annotations

from collections.abc import Sequence

from eqvproof.engines.identity import coefficients as co
from eqvproof.engines.identity.index_functions import NONE, Slot
from eqvproof.engines.identity.table import Table
from eqvproof.engines.identity.terms import Head
from eqvproof.program import Size

FREE = "ijklpqrs"
SUMMED = "abcefghuvwxyz"
#: Characters at most of a term in a verdict.
MOST_TEXT = 400


def describe(table: Table, form: int, names: Sequence[str] | None = None) -> str:
    """A form as a formula; free axes are called i, j, k, ..., summed labels a, b, c, ..."""
    found = table.forms[form]
    axes = list(names or (_name(FREE, a) for a in range(len(found.sizes))))
    parts = []
    for mono, coefficient in found.terms:
        body = " ".join(_component(table, c, axes) for c in mono)
        minus = all(value < 0 for _, value in coefficient)
        shown = co.negative(coefficient) if minus else coefficient
        front = "" if shown == co.ONE and body else co.to_text(shown)
        parts.append(("- " if minus else "+ ") + " ".join(p for p in (front, body) if p))
    text = " ".join(parts).removeprefix("+ ") or "0"
    return text if len(text) <= MOST_TEXT else text[: MOST_TEXT - 4] + " ..."


def _name(letters: str, index: int) -> str:
    return letters[index % len(letters)] + (str(index // len(letters)) if index >= len(letters) else "")


def _component(table: Table, number: int, axes: Sequence[str]) -> str:
    component = table.components[number]
    taken = set(axes)
    fresh = [n for n in (_name(SUMMED, i) for i in range(len(component.sizes) + len(axes))) if n not in taken]
    names = fresh[: len(component.sizes)]
    body = " ".join(_atom(table, table.heads[h], slots, axes, names) for h, slots in component.atoms)
    return f"sum_{{{','.join(names)}}} {body}" if names else body


def _slot(slot: Slot, axes: Sequence[str], names: Sequence[str]) -> str:
    label, path = slot
    text = "0" if label == NONE else axes[label] if label >= 0 else names[-2 - label]
    for step in path:
        size = Size(step.terms)
        if step.kind == "roll":
            text = f"({text} - {step.number}) mod {size}"
        elif label == NONE:
            text = str(size)
        else:
            times = {1: text, -1: f"-{text}"}.get(step.number, f"{step.number}{text}")
            text = times if not size.terms else f"{size}{times}" if step.number < 0 else f"{size}+{times}"
    return text


def _atom(table: Table, head: Head, slots: Sequence[Slot], axes: Sequence[str], names: Sequence[str]) -> str:
    shown = [_slot(s, axes, names) for s in slots]
    index = f"[{', '.join(shown)}]" if shown else ""
    if head.kind == "input":
        return f"{head.data[0]}{index}"
    if head.kind in ("identity", "triangle", "iota", "const"):
        return f"{ {'identity': 'I', 'triangle': 'T', 'iota': 'index', 'const': 'C'}[head.kind] }{index}"
    shared, own = shown[: head.shared], shown[head.shared :]
    inside = []
    for operand in head.operands:
        bound = [f"t{i}" if i else "t" for i in range(len(table.forms[operand].sizes) - head.shared)]
        inside.append(describe(table, operand, [*shared, *bound]))
    name = str(head.data[0]) if head.data else head.kind
    where = f"[{', '.join(own)}]" if own else ""
    return f"{name}({'; '.join(inside)}){where}"
