"""The joint verdict on a function with several results: the conjunction of the verdicts on each.

It FAILS if one result fails, at the sizes where that one does; it HOLDS if all do, at the sizes
that all cover, with the weakest of their grades. Each result that is BOUNDED states its own
probability of an error; the probability that one of them is wrong is at most their sum.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from eqvproof.claims.signature.forms import Form, Leaf, Result
from eqvproof.claims.signature.last_axes import first_entry
from eqvproof.engines.certify import certify_results
from eqvproof.engines.scope import scope_text
from eqvproof.engines.verdict import FAILS_GRADES, HOLDS_GRADES, Grade, Outcome, Verdict
from eqvproof.engines.verdict.scope import words_of_sizes

if TYPE_CHECKING:
    from eqvproof.engines.verdict import Counterexample

Sizes = Mapping[str, Any]


def join(form: Form, verdicts: Sequence[Verdict]) -> Verdict:
    """Returns the joint verdict on results, with names and arguments as the user wrote them.

    Args:
        form: the parsed signature.
        verdicts: one for each result that is checked.
    """
    parts = {
        result.name: verdict for result, verdict in zip(form.claimed_results, verdicts, strict=True)
    }
    failed = {name: v for name, v in parts.items() if v.fails}
    if len(parts) == 1:
        (verdict,) = parts.values()
        if verdict.nearest is not None:
            shown = re.sub(r" _0*1\b", "", verdict.nearest.signature)  # the axes of flips
            verdict = replace(verdict, nearest=replace(verdict.nearest, signature=shown))
        verdict = replace(
            verdict, counterexample=_shown(verdict, "", form, form.claimed_results[0])
        )
    elif failed:
        name = min(failed, key=lambda n: FAILS_GRADES.index(failed[n].grade))
        found, others = failed[name], [n for n in failed if n != name]
        result = next(r for r in form.claimed_results if r.name == name)
        what = " and ".join(filter(None, (name, ", ".join(others)))) + (
            " fail" if others else " fails"
        )
        reason = "; ".join(filter(None, (what, found.reason)))
        verdict = replace(found, counterexample=_shown(found, name, form, result), reason=reason)
    elif all(v.holds for v in parts.values()):
        verdict = _holding(parts)
    else:
        verdict = _undecided(
            "; ".join(f"{name}: {v.reason}" for name, v in parts.items() if not v.holds)
        )
    if len(parts) > 1:
        verdict = replace(verdict, **_left_out(parts), nearest=None)
    notes = dict.fromkeys(n for v in parts.values() for n in v.notes)
    under = next(iter(parts.values())).under
    results = parts if len(parts) > 1 else {}
    return replace(verdict, signature=str(form), under=under, notes=tuple(notes), results=results)


def _left_out(parts: Mapping[str, Verdict]) -> dict[str, Any]:
    """Returns the fields of a joint verdict for exceptional points and narrower scope.

    It fails on exceptional points alone if each result that fails does so, and holds elsewhere if
    all results hold there.
    """
    failed = [v for v in parts.values() if v.fails]
    points = dict.fromkeys(p for v in failed or parts.values() for p in v.points)
    if not failed:
        narrowed = frozenset(n for v in parts.values() for n in v.narrowed)
        return {"points": tuple(points), "narrowed": narrowed}
    off = {name: v if v.elsewhere is None else v.elsewhere for name, v in parts.items()}
    if not all(v.holds for v in off.values()):
        return {"points": (), "elsewhere": None}
    elsewhere = replace(_holding(off), **_left_out(off), results=off)
    return {"points": tuple(points), "elsewhere": elsewhere}


def _shown(verdict: Verdict, name: str, form: Form, result: Result) -> Counterexample | None:
    """Returns the counterexample with names and arguments as the user wrote them.

    Complex arrays are restored from their real and imaginary parts.
    """
    found = verdict.counterexample
    if found is None:
        return None
    from eqvproof.claims.complex_number import from_blocks

    leaves = {leaf.argument.name: leaf for leaf in form.leaves}
    found = _without_added_axes(found, form, leaves, result)
    inputs, moved = (
        {".".join(leaves[n].path): _complex(a, leaves[n]) for n, a in part.items()}
        for part in (found.inputs, found.moved)
    )
    doubled = [
        leaf.argument.axes[k].terms for leaf in form.leaves if (k := leaf.doubled) is not None
    ]
    turned = {t.coefficient // 2 if t.name is None else t.name for t, *rest in doubled if not rest}
    element = {
        axis: np.array(from_blocks(g), dtype=object) if axis in turned else g
        for axis, g in found.element.items()
    }
    left, right, entry = (
        _complex(found.left, result),
        _complex(found.right, result),
        list(found.entry),
    )
    if result.doubled is not None:
        entry[result.doubled] %= left.shape[result.doubled]
    code = found.snippet
    if code and (doubled or result.doubled is not None):
        code = (
            f"# complex arrays as real ones: along an axis real parts, then imaginary parts\n{code}"
        )
    return replace(
        found, result=name, inputs=inputs, moved=moved, element=element, left=left, right=right,
        entry=tuple(entry), snippet=code,
    )  # fmt: skip


def _without_added_axes(
    found: Counterexample, form: Form, leaves: Mapping[str, Leaf], result: Result
) -> Counterexample:
    """Returns the counterexample without the axes that flips add, with what they flip in words."""
    flipped: dict[str, list[str]] = {}
    for leaf in form.leaves:
        for added in leaf.argument.axes[len(leaf.argument.axes) - leaf.flips :]:
            flipped.setdefault(str(added), []).append(".".join(leaf.path))
    if not flipped:
        return found
    words, code = found.words, found.snippet
    for axis, names in flipped.items():
        old, new = f"flip the signs along {axis}", f"flip the sign of {' and '.join(names)}"
        words, code = (re.sub(rf"{old}(?!\w)", new, text) for text in (words, code))
    if code:
        code = f"# arrays that are flipped have an axis of size 1 at their end\n{code}"
    inputs, moved = (
        {n: first_entry(a, leaves[n].flips) for n, a in part.items()}
        for part in (found.inputs, found.moved)
    )
    left, right = (first_entry(side, result.flips) for side in (found.left, found.right))
    return replace(
        found, inputs=inputs, moved=moved, left=left, right=right, words=words, snippet=code,
        entry=found.entry[: len(found.entry) - result.flips],
        sizes={n: size for n, size in found.sizes.items() if n not in flipped},
        element={
            " and ".join(flipped[str(axis)]) if axis in flipped else axis: g
            for axis, g in found.element.items()
        },
    )  # fmt: skip


def _complex(array: Any, part: Leaf | Result) -> Any:
    """Builds the complex array from all real parts, then all imaginary parts along an axis."""
    if part.doubled is None:
        return array
    from eqvproof.claims.complex_number import ComplexNumber
    from eqvproof.numbers.tensor import objects

    real, imag = np.split(np.asarray(array, dtype=object), 2, axis=part.doubled)
    pairs = [
        None if x is None or y is None else ComplexNumber(x, -y if part.is_dual else y)
        for x, y in zip(real.flat, imag.flat, strict=True)
    ]
    return objects(pairs, () if isinstance(part, Leaf) and part.is_scalar else real.shape)


def _undecided(reason: str) -> Verdict:
    return Verdict(Outcome.UNDECIDED, Grade.NONE, "", reason=reason)


def _holding(parts: Mapping[str, Verdict]) -> Verdict:
    """Returns the joint verdict on results that all hold.

    It has the weakest grade, the sizes that all cover, and one certificate.
    """
    grade = max((v.grade for v in parts.values()), key=HOLDS_GRADES.index)
    sizes = _meeting([v.sizes for v in parts.values()])
    if not sizes:
        return _undecided("; ".join(f"{name}: {v.grade} {v.scope}" for name, v in parts.items()))
    scopes = {name: words_of_sizes(v.scope) for name, v in parts.items()}
    is_whole = grade is Grade.PROVED
    scope = scope_text(sizes[0]) if is_whole else next(iter(scopes.values()))
    if not is_whole and len({*scopes.values()}) > 1:
        scope = "; ".join(f"{name}: {words}" for name, words in scopes.items())
    reason = "; ".join(f"{name}: {v.grade}, {v.reason}" for name, v in parts.items() if v.reason)
    certificates = {name: v.certificate for name, v in parts.items()}
    whole: dict[str, Any] | None = None
    if None not in certificates.values():
        checked = certify_results({n: c for n, c in certificates.items() if c is not None})
        if checked.objection:
            refused = "the kernel does not accept the certificates together"
            return _undecided(f"{refused}: {checked.objection}")
        whole = checked.certificate
    return Verdict(
        Outcome.HOLDS,
        grade,
        scope,
        reason=reason,
        certificate=whole,
        sizes=tuple(sizes),
        derivation=tuple(
            line for n, v in parts.items() if v.derivation for line in (f"{n}:", *v.derivation)
        ),
        readings=tuple(dict.fromkeys(r for v in parts.values() for r in v.readings)),
    )


def _meeting(scopes: Sequence[Sequence[Sizes]]) -> list[dict[str, Any]]:
    """Intersects lists of boxes of sizes; a name that a list lacks is free there."""
    found: list[dict[str, Any]] = [{}]
    for scope in scopes:
        pairs = ((box, other) for box in found for other in scope)
        met = [m for box, other in pairs if (m := _both(box, other)) is not None]
        found = [m for k, m in enumerate(met) if m not in met[:k]]
    return found


def _both(one: Sizes, other: Sizes) -> dict[str, Any] | None:
    """Returns the intersection of two boxes of sizes, or None."""
    result = dict(one)
    for name, size in other.items():
        (a, b), (c, d) = _span(result.get(name, "all")), _span(size)
        low, high = max(a, c), min(b, d)
        if low > high:
            return None
        result[name] = "all" if high == _ENDLESS else low if low == high else [low, high]
    return result


#: Stands for the largest size of a range without an upper end.
_ENDLESS = 10**15


def _span(size: Any) -> tuple[int, int]:
    if size == "all":
        return (1, _ENDLESS)
    if isinstance(size, int):
        return (size, size)
    return (size[0], size[1])
