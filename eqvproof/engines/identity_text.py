"""Formulas for normal forms of the kernel."""

from __future__ import annotations

from collections.abc import Sequence

from eqvproof.claims.size import Size
from eqvproof.kernel.indices import FIXED, ONCE, Index, Laurent
from eqvproof.kernel.normal_forms import Factor, Forms

FREE = "ijklpqrs"
SUMMED = "abcefghuvwxyz"
#: Largest number of characters of a form in a verdict.
MOST_TEXT = 400
#: Names for kinds of heads without a name of their own.
NAMES = {
    "identity": "I", "triangle": "T", "counter": "index", "array": "C",
    "joined": "concat", "ascending": "sort", "reshaped": "reshape", "gathered": "read",
}  # fmt: skip


class Writer:
    """A writer of formulas for normal forms, with a cache.

    The cache holds each form once for the same axis names: a layer may occur in many terms.

    Args:
        forms: the store of the normal forms.
        arguments: the names of the arguments, by number.
    """

    def __init__(self, forms: Forms, arguments: Sequence[str]) -> None:
        self.forms = forms
        self.arguments = arguments
        self._written: dict[tuple[int, tuple[str, ...]], str] = {}

    def form(self, number: int, names: Sequence[str] = ()) -> str:
        """Writes a form as a formula.

        Free axes are called i, j, k, ... unless they have names, summed labels a, b, c, ...
        """
        sizes, _ = self.forms.form[number]
        axes = tuple(names) or tuple(_name(FREE, a) for a in range(len(sizes)))
        if (number, axes) not in self._written:
            self._written[number, axes] = self._form(number, axes)
        return self._written[number, axes]

    def supposed(self) -> tuple[str, ...]:
        """Lists the conditions that the steps assume of forms, in words."""
        return tuple(
            dict.fromkeys(f"{self.form(number)} {what}" for number, what in self.forms.supposed)
        )

    def _form(self, number: int, axes: Sequence[str]) -> str:
        parts = []
        for inner, coefficient in self.forms.form[number][1]:
            body = " ".join(self._part(part, axes) for part in inner)
            minus = all(value < 0 for _, value in coefficient)
            if minus:
                shown = tuple((p, -v) for p, v in coefficient)
            else:
                shown = coefficient
            front = "" if shown == ONCE and body else _coefficient(shown)
            parts.append(("- " if minus else "+ ") + " ".join(p for p in (front, body) if p))
        text = " ".join(parts).removeprefix("+ ") or "0"
        if len(text) <= MOST_TEXT:
            return text
        return text[: MOST_TEXT - 4] + " ..."

    def _part(self, number: int, axes: Sequence[str]) -> str:
        sizes, factors = self.forms.part[number]
        fresh = [
            n for n in (_name(SUMMED, i) for i in range(len(sizes) + len(axes))) if n not in axes
        ]
        names = fresh[: len(sizes)]
        body = " ".join(self._factor(factor, axes, names) for factor in factors)
        if names:
            return f"sum_{{{','.join(names)}}} {body}"
        return body

    def _factor(self, factor: Factor, axes: Sequence[str], names: Sequence[str]) -> str:
        head, shown = self.forms.head[factor[0]], [_index(i, axes, names) for i in factor[1]]
        index = f"[{', '.join(shown)}]" if shown else ""
        if head.kind == "argument":
            return f"{self.arguments[head.data]}{index}"
        if not head.operands and head.kind in NAMES:
            return f"{NAMES[head.kind]}{index}"
        shared, own = shown[: head.shared], shown[head.shared :]
        inside = []
        for operand in head.operands:
            bound = [
                f"t{i}" if i else "t" for i in range(len(self.forms.form[operand][0]) - head.shared)
            ]
            inside.append(self.form(operand, [*shared, *bound]))
        data = head.data[0] if head.kind == "unknown" else head.data
        name = NAMES.get(head.kind) or str(data or head.kind)
        return f"{name}({'; '.join(inside)})" + (f"[{', '.join(own)}]" if own else "")


def _coefficient(a: Laurent) -> str:
    parts = []
    for powers, value in a:
        names = [n if e == 1 else f"{n}^{e}" for n, e in powers]
        parts.append(" ".join([*([] if value == 1 and names else [str(value)]), *names]))
    if len(parts) == 1:
        return parts[0]
    return "(" + " + ".join(parts) + ")"


def _name(letters: str, index: int) -> str:
    return letters[index % len(letters)] + (
        str(index // len(letters)) if index >= len(letters) else ""
    )


def _index(index: Index, axes: Sequence[str], names: Sequence[str]) -> str:
    label, steps = index
    if label == FIXED:
        text = "0"
    elif label >= 0:
        text = axes[label]
    else:
        text = names[-2 - label]
    for kind, terms, k in steps:
        if kind == "roll":
            text = f"({text} - {k}) mod {Size(terms)}"
        elif label == FIXED:
            text = str(Size(terms))
        else:
            times = {1: text, -1: f"-{text}"}.get(k, f"{k}{text}")
            if not terms:
                text = times
            elif k < 0:
                text = f"{Size(terms)}{times}"
            else:
                text = f"{Size(terms)}+{times}"
    return text
