"""Writes a sum of products as the NumPy expression that a reader expects."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from eqvproof.programs.operations.numpy_code import Text, float_code

Labels = tuple[int, ...]
MINUS_ONE = float_code(Fraction(-1))


def einsum_text(
    factors: Sequence[Text],
    inputs: Sequence[Labels],
    output: Labels,
    shape: tuple[int, ...],
) -> tuple[str, bool]:
    """Returns the expression, and whether it needs no parentheses as an operand.

    Args:
        factors: the factors.
        inputs: their labels.
        output: the labels of the result.
        shape: the shape of the result.
    """
    atoms = [factor.atom for factor in factors]
    if all(len(set(labels)) == len(labels) for labels in inputs):
        if len(factors) == 1 and inputs[0] == output:
            return atoms[0], True
        for found in (
            _elementwise_text(factors, inputs, output, shape),
            _single_factor_text(factors, inputs, output),
            _matmul_text(atoms, inputs, output),
        ):
            if found is not None:
                return found
    return _einsum_call(atoms, inputs, output, shape), True


def _with_new_axes(atom: str, labels: Labels, output: Labels) -> str:
    """Adds new axes to a factor for labels of the result that it lacks."""
    if not labels or labels == output[len(output) - len(labels) :]:
        return atom
    return atom + "[" + ", ".join(":" if o in labels else "None" for o in output) + "]"


def _elementwise_text(
    texts: Sequence[Text], inputs: Sequence[Labels], output: Labels, shape: tuple[int, ...]
) -> tuple[str, bool] | None:
    """Writes a product without sums whose factors have their labels in the result's order."""
    if any(tuple(o for o in output if o in labels) != labels for labels in inputs):
        return None
    covered = {label for labels in inputs for label in labels}
    factors, divisors = list[str](), list[str]()
    is_negated = False
    for text, labels in zip(texts, inputs, strict=True):
        if text.divisor and len(texts) > 1:
            divisors.append(_with_new_axes(text.divisor, labels, output))
        elif text.code == MINUS_ONE and len(texts) > 1 and not is_negated:
            is_negated = True
        else:
            factors.append(_with_new_axes(text.atom, labels, output))
    product = " * ".join(factors or ["1.0"])
    code = "-" * is_negated + " / ".join([product, *divisors])
    is_atom = len(texts) == 1
    if covered != set(output):
        return f"np.broadcast_to({code}, {shape})", True
    return code, is_atom


def _single_factor_text(
    factors: Sequence[Text], inputs: Sequence[Labels], output: Labels
) -> tuple[str, bool] | None:
    """Writes one factor, with axes summed or permuted."""
    if len(factors) > 1 or not set(output) <= set(inputs[0]):
        return None
    atom, labels = factors[0].atom, inputs[0]
    kept = tuple(x for x in labels if x in output)
    summed = tuple(k for k, x in enumerate(labels) if x not in output)
    if summed:
        if not kept:
            axes = ""
        else:
            axes = f", axis={summed[0] if len(summed) == 1 else summed}"
        atom = f"np.sum({factors[0].code}{axes})"
    if kept == output:
        return atom, True
    if kept == output[::-1]:
        return f"{atom}.T", True
    return f"np.transpose({atom}, {tuple(kept.index(x) for x in output)})", True


def _matmul_text(
    atoms: Sequence[str], inputs: Sequence[Labels], output: Labels
) -> tuple[str, bool] | None:
    """Writes a matrix or vector times a matrix or vector."""
    if len(inputs) != 2 or not all(1 <= len(x) <= 2 for x in inputs):
        return None
    shared = set(inputs[0]) & set(inputs[1])
    if len(shared) != 1 or shared & set(output) or set(output) != (set(inputs[0]) ^ set(inputs[1])):
        return None
    middle = shared.pop()
    for first, second in ((0, 1), (1, 0)):
        left = [x for x in inputs[first] if x != middle]
        right = [x for x in inputs[second] if x != middle]
        if (*left, *right) == output:
            a = _with_axis_at(atoms[first], inputs[first], middle, -1)
            b = _with_axis_at(atoms[second], inputs[second], middle, 0)
            return f"{a} @ {b}", False
    return None


def _with_axis_at(atom: str, labels: Labels, middle: int, place: int) -> str:
    """Returns the factor, transposed if the summed axis is not at the place."""
    if labels[place] == middle:
        return atom
    return f"{atom}.T"


def _einsum_call(
    atoms: Sequence[str], inputs: Sequence[Labels], output: Labels, shape: tuple[int, ...]
) -> str:
    """Writes np.einsum; labels of the result that no factor has are broadcast."""
    order: dict[int, str] = {}
    for labels in (*inputs, output):
        for label in labels:
            order.setdefault(label, chr(ord("a") + len(order)))
    known = {x for labels in inputs for x in labels}
    inner = tuple(x for x in output if x in known)
    left = ",".join("".join(order[x] for x in labels) for labels in inputs)
    code = f'np.einsum("{left}->{"".join(order[x] for x in inner)}", {", ".join(atoms)})'
    if inner == output:
        return code
    return f"np.broadcast_to({_with_new_axes(code, inner, output)}, {shape})"
