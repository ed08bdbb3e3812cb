"""Lines of proofs that keep the parts of which they are made."""

from __future__ import annotations

from eqvproof.support.writing import visible


class Step(str):
    """A line of a proof about one value: its text, with the parts from which that is made.

    For example ``v1[i] = sum_{j} X[i, j]   (n): becomes P v1   [product and sum]``.

    Attributes:
        parts: the formula of the value, its shape ("n, d"), how it changes under the group, and
            the rule.
        is_decisive: whether a summary of the proof keeps the line: it is about the result, or
            about a value that the group leaves alone, made from one that it moves.
    """

    parts: tuple[str, str, str, str]
    is_decisive: bool

    def __new__(
        cls,
        value: str,
        shape: str,
        effect: str,
        rule: str,
        is_decisive: bool = False,  # noqa: FBT001, FBT002 - of data
    ) -> Step:
        """Writes the line."""
        step = super().__new__(cls, f"  {value}   ({shape}): {effect}   [{rule}]")
        step.parts = (value, shape, effect, rule)
        step.is_decisive = is_decisive
        return step

    def __reduce__(self) -> tuple[type[Step], tuple[str, str, str, str, bool]]:
        return Step, (*self.parts, self.is_decisive)

    def visible(self) -> Step:
        """Returns the step with control characters escaped."""
        value, shape, effect, rule = map(visible, self.parts)
        return Step(value, shape, effect, rule, self.is_decisive)
