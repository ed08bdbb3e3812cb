"""Evaluates where a Program is defined, as a second value of each entry, over prime fields.

An entry is defined when certain partial functions (1/x, log, inverses, ...) are defined at certain
arguments. These conditions, each as a keyed hash of the function and its argument, are added up: a
polynomial in one variable for each condition, with positive coefficients. So two entries with equal
sums rest on the same set of conditions, and are defined at the same places; unequal sums decide
nothing.

Arrays of sums are kept with axes of size 1 where entries do not vary; None is the empty sum
everywhere.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import log2, prod

from eqvproof.programs import Program
from eqvproof.programs.evaluate.channels import Residues
from eqvproof.programs.evaluate.conditions import ConditionedValue, Conditions
from eqvproof.programs.evaluate.modular import ModularSystem
from eqvproof.programs.evaluate.walk import bind
from eqvproof.programs.node import Sizes
from eqvproof.support.deadline import require_time


def evaluate_defined(
    program: Program,
    inputs: Mapping[str, Residues],
    sizes: Sizes,
    system: ModularSystem,
) -> ConditionedValue:
    """Evaluates a Program at a point of prime fields, with the conditions of its definedness.

    Args:
        program: what to evaluate.
        inputs: residues by name.
        sizes: the axis sizes.
        system: the fields and hashes.

    Exactness: exact in the field; of hashes see the module's docstring.

    Raises:
        Undefined: a denominator vanishes at this point. EqvproofError: an assumed symmetry.
    """
    known = bind(program, inputs, sizes)
    last = {a: i for i, node in enumerate(program.nodes) for a in node.args}
    where = Conditions(system, known)
    fixed: list[bool] = []
    values: dict[int, ConditionedValue] = {}
    for i, node in enumerate(program.nodes[: program.output + 1]):
        require_time()
        fixed.append(
            node.input_name is None and node.is_rational and all(fixed[a] for a in node.args)
        )
        if node.input_name is not None:
            values[i] = ConditionedValue(inputs[node.input_name], None)
        else:
            args = [values[a] for a in node.args]
            value = node.evaluate_with_conditions(args, where)
            # 1/c of a rational c that is not 0 modulo a prime is defined (a hash for exp(0) - 1 is
            # not 0)
            total = fixed[i] and node.function == "recip"
            conditions = None
            if not (total and args[0].conditions is None):
                conditions = node.conditions(args, value, where)
            values[i] = ConditionedValue(value, conditions)
        for a in {*node.args}:
            if last[a] == i and a != program.output:
                del values[a]
    return values[program.output]


def condition_bits(program: Program, sizes: Sizes) -> float:
    """Bounds the logarithm of the sum of the coefficients in any entry's conditions."""
    bits: list[float] = []
    for node in program.nodes[: program.output + 1]:
        terms = [bits[a] + log2(max(prod(program.nodes[a].lengths(sizes)), 1)) for a in node.args]
        top = max(terms, default=0.0)
        bits.append(top + log2(sum(2.0 ** (t - top) for t in terms) + 2.0 ** -min(top, 1000.0)))
    return max(bits)
