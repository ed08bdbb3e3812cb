"""Reasons why a verdict is not a stronger one: members of an enumeration, with data.

Engines decide by the kind of a reason; words are made from it where a verdict is written.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum, auto


class Why(Enum):
    """The kinds of reasons why a verdict is not a stronger one."""

    NONE = auto()
    # there are no Programs for all sizes
    UNTRACED = auto()
    UNTRACED_SOMEWHERE = auto()
    SIGNS_MATTER = auto()
    # there is no proof on the Programs
    NOT_TRIED = auto()
    NO_TYPE = auto()
    LEAK = auto()
    NOT_SEEN_TO_LEAK = auto()
    MASKED_BY_A_NUMBER = auto()
    # two functions do not have one normal form
    INPUTS_DIFFER = auto()
    SHAPES_DIFFER = auto()
    FLOATS_DIFFER = auto()
    FORMS_DIFFER = auto()
    FORM_NOT_TRIED = auto()
    FORM_WORK = auto()
    FORM_REFUSED = auto()
    DOMAINS_MAY_DIFFER = auto()
    PROOF_TIME = auto()
    # the proof does not hold for the functions
    ROUNDING = auto()
    ROUNDING_UNREAD = auto()
    ROUNDING_TIME = auto()
    # the proof does not become a verdict
    DEFINED_NOWHERE = auto()
    DEFINED_ON_ONE_SIDE = auto()
    NOT_CONFIRMED = auto()
    # there is no decision at single sizes
    TIME = auto()
    SIZE = auto()
    KERNEL_WORK = auto()
    METHOD = auto()
    UNTRACED_AT_SIZES = auto()
    UNDECIDED = auto()
    # nothing stronger than tests is possible
    MATRICES_OF_FUNCTIONS = auto()
    FUNCTIONS_OF_ELEMENTS = auto()
    UNKNOWN_FUNCTIONS_OF_ELEMENTS = auto()
    TEST_FAILED = auto()
    NOT_REFUTED = auto()
    INTERNAL = auto()


#: Kind -> its words; {detail} and {inner} stand for the data of the reason.
_WORDS: Mapping[Why, str] = {
    Why.UNTRACED: "no trace for all sizes: {detail}",
    Why.UNTRACED_SOMEWHERE: "no trace for all sizes, and {inner}",
    Why.NOT_TRIED: "no proof was tried",
    Why.LEAK: "it leaks at {detail}",
    Why.NOT_SEEN_TO_LEAK: "no proof that the result does not depend on {detail}",
    Why.INPUTS_DIFFER: "the two functions do not have the same inputs",
    Why.SHAPES_DIFFER: "the results have different shapes: {detail}",
    Why.FLOATS_DIFFER: "floats differ",
    Why.FORMS_DIFFER: "the normal forms differ: {detail}",
    Why.FORM_NOT_TRIED: "no normal form is tried",
    Why.FORM_WORK: "the normal form takes more work than the kernel undertakes",
    Why.DOMAINS_MAY_DIFFER: "one side may be defined where the other is not",
    Why.PROOF_TIME: "no proof was found in the time for it",
    Why.ROUNDING: (
        "it depends on the rounding of a number that was computed in floats before the trace:"
        " {detail}"
    ),
    Why.ROUNDING_UNREAD: "the function cannot be traced while the processor rounds up or down",
    Why.ROUNDING_TIME: (
        "the time ran out before the functions had been read as the processor rounds otherwise"
    ),
    Why.DEFINED_ON_ONE_SIDE: "equal only where both are defined",
    Why.TIME: "the time is up",
    Why.SIZE: "too many entries for an exact decision",
    Why.UNTRACED_AT_SIZES: "no trace at any of these sizes: {detail}",
    Why.TEST_FAILED: "the identity test decides nothing; {inner}",
    Why.NOT_REFUTED: "no counterexample found: {detail}",
    Why.FUNCTIONS_OF_ELEMENTS: (
        "representations given by functions are refuted or tested here, not proved"
    ),
    Why.UNKNOWN_FUNCTIONS_OF_ELEMENTS: (
        "uninterpreted functions together with functions in reps= are not treated"
    ),
    Why.MATRICES_OF_FUNCTIONS: (
        "the matrices of the representation on {detail} are taken from a function: no certificate"
    ),
}


@dataclass(frozen=True, slots=True)
class Reason:
    """A reason why a verdict is not a stronger one.

    Attributes:
        kind: its kind.
        detail: what it is about, such as an error message or the place where a proof stops.
        inner: a further reason.
    """

    kind: Why = Why.NONE
    detail: str = ""
    inner: Reason | None = None

    def __bool__(self) -> bool:
        return self.kind is not Why.NONE

    def has(self, kind: Why) -> bool:
        """Checks whether this reason, or a further one, is of a kind."""
        return self.kind is kind or (self.inner is not None and self.inner.has(kind))

    def __str__(self) -> str:
        """Writes the reason as a phrase."""
        template = _WORDS.get(self.kind, "{detail}")
        own = template.format(detail=self.detail, inner=self.inner)
        if self.inner is None or "{inner}" in template:
            return own
        return f"{own}; {self.inner}"


NO_REASON = Reason()
