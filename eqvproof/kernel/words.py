"""Writes the statement of a certificate in words, from checked structures alone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from .claims import Axis, Claim, Factor
from .sizes import Size


def axes_words(axes: Sequence[Axis]) -> str:
    """Returns axes as a signature writes them."""
    texts = []
    for axis in axes:
        terms = []
        for t in axis:
            times = str(t.coefficient)
            if t.irrep:
                times = f"{t.coefficient // (2 * int(t.irrep[:-1]) + 1)}x"
            elif t.coefficient == 1 and t.name:
                times = ""
            terms.append(times + (t.name or "") + t.mark)
        whole = "+".join(terms)
        texts.append(f"<{whole}>" if any(t.irrep for t in axis) else whole)
    return " ".join(texts) or "()"


def signature_words(claim: Claim) -> str:
    """Returns the typing as a signature writes it."""
    kinds = dict.fromkeys(claim.masks, "[bool]")
    kinds |= {name: f"[{_kinds(claim, axis) or axis}]" for name, axis in claim.indices.items()}
    inputs = ", ".join(
        f"{name}{kinds.get(name, '')}: {axes_words(axes)}" for name, axes in claim.inputs
    )
    return f"{inputs} -> {axes_words(claim.output)}"


def _kinds(claim: Claim, name: str) -> str:
    """Returns the digits of a pinned axis such as "_10", which a signature writes as "[10]".

    Returns "" for other axes.
    """
    if name in claim.pins and name == f"_{claim.pins[name]}":
        return name[1:]
    return ""


def group_words(group: Sequence[Factor]) -> str:
    """Returns the group in words, with its factors in order."""
    return " x ".join(map(str, group))


def scope_words(claim: Claim, bound: Mapping[str, Size]) -> str:
    """Returns words for the sizes for which something is shown."""
    parts = []
    for name in sorted(bound):
        low, high = claim.scope.get(name, (1, None))
        if _kinds(claim, name):
            continue
        if name not in claim.input_names:
            parts.append(f"{name} = {bound[name]}")
        elif low == high:
            parts.append(f"{name} = {low}")
        elif high is None:
            parts.append(f"all {name} >= {low}")
        else:
            parts.append(f"all {name} from {low} to {high}")
    if parts:
        return "for " + ", ".join(parts)
    return "at the sizes that the signature fixes"


def sizes_words(sizes: Mapping[str, int]) -> str:
    """Returns one choice of sizes in words."""
    return ", ".join(f"{name} = {size}" for name, size in sorted(sizes.items())) or "its only size"
