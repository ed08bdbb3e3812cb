"""Uninterpreted functions: called by name, with at most a symmetry known of them.

    v_1, ..., v_m : all axes fixed        v_i : as the assumed symmetry says of argument i
    ------------------------------        ------------------------------------------------
    g(v_1, ..., v_m) : all fixed          g(v_1, ..., v_m) : as it says of the result

    PERM, g entry by entry   v_1 : T, ..., v_m : T
                             ---------------------
                             g(v_1, ..., v_m) : T

Proof. Left: the arguments are equal for moved and unmoved inputs, hence so are the values of a
function. Right: the assumption is ``g(h v) = h g(v)`` for all h in a group; the factor at hand
belongs to it, or is a subgroup of one of its factors on the same axis: SO, Signs and the
permutation groups lie in O as orthogonal matrices, O (where duals are equal) and SL lie in GL, A, C
and D lie in S, C in D, and the parts by which a group is proved lie in it: O in E, S and Signs in
B. An argument that is fixed altogether where the assumption does not mention the
factor's axis is the left rule. Below: a permutation of places moves the entries of all arguments
alike, and the value at a place is one function of the entries there, or undefined as they decide.
QED
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from math import prod
from typing import TYPE_CHECKING, Any, ClassVar

from eqvproof.claims.groups.families import EVERY_FAMILY, containing
from eqvproof.numbers.bound import VARIABLE, Bound, bits_of
from eqvproof.programs.operations import shared
from eqvproof.programs.operations.base import Lengths, Operation, Shape, Sizes
from eqvproof.programs.rules.acts import Act, Stuck, Type, is_fixed, is_instance, unify_types
from eqvproof.programs.rules.claim import axis_act
from eqvproof.programs.rules.context import Context

if TYPE_CHECKING:
    from eqvproof.programs.evaluate.call_counts import CallCounts
    from eqvproof.programs.evaluate.conditions import Conditions
    from eqvproof.programs.evaluate.system import NumberSystem


#: In place of an assumed symmetry, in JSON: the function is applied entry by entry.
ENTRIES = "entries"


@dataclass(frozen=True, slots=True)
class Opaque(Operation):
    """An uninterpreted deterministic function.

    ``symmetry`` is an assumed equivariance, as in a claim, or says that it goes entry by entry.
    """

    op: ClassVar[str] = "opaque"
    rule: ClassVar[str] = "uninterpreted function"

    name: str
    symmetry: str | None  # canonical JSON text, so that the node stays hashable

    # -- shared answers
    is_up_to_signs = False
    is_ordered = False
    is_rational = False
    sources = ()
    along = shared.no_common_axes
    typed = shared.acts_and_exponents
    character = shared.trivial_exponents
    translated = shared.no_translations
    sums = shared.no_sums
    evaluate_with_conditions = shared.evaluate_values
    interval = shared.any_number
    is_whole = shared.may_be_fractional
    is_nonzero = shared.may_be_zero
    stays_defined = shared.may_be_undefined
    deciding_args = shared.all_arguments
    differing_axes = shared.may_differ
    varying_axes = shared.may_vary
    label = None
    code = shared.no_code

    @property
    def opaque_name(self) -> str:
        return self.name

    @property
    def is_by_entries(self) -> bool:
        """Returns True if each entry of the value is a function of the entries at its place."""
        return self.symmetry == json.dumps(ENTRIES)

    def infer(self, args: list[Type], context: Context) -> list[Type]:
        if all(is_fixed(act) for arg in args for act in arg):
            return [context.fixed(self.shape)]
        if self.is_by_entries and context.kind.permutes:
            return [unify_types(args, context.kind)]
        symmetry: dict[str, Any] | None = None
        if self.symmetry is not None:
            symmetry = json.loads(self.symmetry)
        if symmetry is None or self.is_by_entries:
            raise Stuck(
                f"the function {self.name}, of which nothing is assumed, is given values that the"
                f" group moves"
            )
        families = containing(EVERY_FAMILY[context.family])
        if not any(
            f["axis"] == context.axis and f["family"] in families for f in symmetry["group"]
        ):
            raise Stuck(f"the symmetry assumed of {self.name} does not include this group")
        every = [axis for row in (*symmetry["inputs"], symmetry["output"]) for axis in row]
        has_irreps = any(str(mark)[:1].isdigit() for axis in every for _, _, mark in axis)
        if has_irreps and any(
            f["axis"] == context.axis
            and f["family"] in families
            and EVERY_FAMILY[f["family"]].irreps
            and not EVERY_FAMILY[context.family].irreps
            for f in symmetry["group"]
        ):
            raise Stuck(
                f"the symmetry assumed of {self.name} does not say how this group acts on its irreps"
            )
        for number, (arg, axes) in enumerate(zip(args, symmetry["inputs"], strict=True), start=1):
            declared = _acts(axes, context, context.shape(self.args[number - 1]))
            for have, want in zip(arg, declared, strict=True):
                if not is_instance(have, want, context.kind):
                    raise Stuck(
                        f"argument {number} of {self.name} is not acted upon as its symmetry"
                        f" assumes"
                    )
        return [tuple(_acts(symmetry["output"], context, self.shape))]

    def evaluate(self, system: NumberSystem, args: Sequence[Any], sizes: Sizes) -> Any:
        return system.opaque(self.name, self.symmetry, args, self.lengths(sizes))

    def bound(
        self, args: Sequence[Bound], shapes: Sequence[Lengths], shape: Lengths, counts: CallCounts
    ) -> Bound:
        entries = sum(map(prod, shapes))
        digest = Bound(top=1, top_bits=bits_of(entries))
        return counts.call(entries + len(shapes) + prod(shape), digest, *args)

    def count_conditions(self, args: Sequence[Bound], shape: Lengths, counts: CallCounts) -> None:
        counts.call(prod(shape), *args, VARIABLE)

    def conditions(self, args: Sequence[Any], value: Any, where: Conditions) -> Any:
        called = where.call_is_defined(self.name, value)
        return where.conjunction(
            [called, *(where.sum_everywhere(a.conditions, value) for a in args)]
        )

    def formula(self, name: str, args: Sequence[str], shapes: Sequence[Shape]) -> str:
        if not args and not self.shape:
            return f"{name} is any number ({self.name})"
        return f"{name} = {self.name}({', '.join(args)})"


def _acts(axes: Any, context: Context, shape: Shape) -> list[Act]:
    pairs = zip(axes, shape, strict=True)
    return [axis_act(axis, context.axis, s, context.pins, context.family) for axis, s in pairs]
