"""Rule of elementwise functions."""

from __future__ import annotations

from ..acts import fixed, is_fixed
from ..functions import EVEN, FUNCTIONS, ODD
from ..powers import NONE, Power, Ratio, multiply_ratios, scale_power
from ..program import Node, Shape
from ..sizes import ONE, Size
from ..text import one_of
from .base import Lows, Rule, Step, every_axis, power_zero, read_by, same_shapes

#: f(c v) = c^p f(v) for c > 0, defined at both or neither.
POWERS: dict[str, Ratio] = {"sqrt": (ONE, Size.of(2)), "cbrt": (ONE, Size.of(3)), "abs": (ONE, ONE)}
INVERSE: Ratio = (Size.of(-1), ONE)


def is_reciprocal(node: Node) -> bool:
    """Checks whether a node is 1/v."""
    return node.op == RULE.name and node.at["fn"] == "recip"


def _shape(node: Node, shapes: list[Shape], lows: Lows) -> bool:
    return same_shapes(node, shapes, lows) and (node.args != () or node.shape == ())


def _typed(step: Step) -> bool:
    """Checks the type of an elementwise function.

    perm: it commutes with a permutation of the entries, the same for all arguments.

    orth, sign: if no axis is acted on, equal arguments give equal values.

    sign: an odd function of one argument has f(-v) = -f(v), defined at both or neither: the type
    stays; an even one has f(-v) = f(v): nothing acts on the result.
    """
    fn, columns = step.node.at["fn"], step.unified(step.types)
    if step.kind == "sign" and fn in EVEN:
        pairs = zip(step.types[0], step.node.shape, strict=True)
        columns = [act if is_fixed(act) else fixed(size) for act, size in pairs]
    free = step.kind == "perm" or (step.kind == "sign" and fn in ODD)
    good = free or all(act is not None and is_fixed(act) for act in columns)
    return good and step.fits(columns)


def _power(step: Step) -> Power | None:
    """Returns the power of f(c v) for numbers c that are not 0.

    1/(c v) = (1/c) (1/v), and c v is 0 where v is.

    c = 1 or -1: f(c v) is c f(v) for odd f, f(v) for even f. c > 0: also |c v| = c |v|, roots;
    maximum, minimum and remainder of c v and c w are c times those of v and w; their order, angle
    and sign are those of v and w; (c v)^k = c^k v^k where k is one number.
    """
    fn, powers, alike = step.node.at["fn"], step.powers, step.common(step.powers)
    if fn in ("and", "or", "not") or (fn in ("eq", "ne") and alike is not None):
        return NONE
    if fn == "recip":
        return scale_power(powers[0], INVERSE)
    if step.kind != "scale":
        signs = step.setting.factor.character != "lin"
        if signs and fn in ODD:
            return powers[0]
        if signs and fn in EVEN:
            return NONE
        return power_zero(step)
    if fn in POWERS:
        return scale_power(powers[0], POWERS[fn])
    if fn in ("maximum", "minimum", "mod"):
        return alike
    if fn == "sign" or (fn in ("lt", "le", "gt", "ge", "arctan2") and alike is not None):
        return NONE
    if fn == "pow" and not isinstance(powers[0], str):
        exponent = step.setting.facts[step.node.args[1]].get(None)
        if exponent is None:
            return power_zero(step)
        return multiply_ratios(powers[0], exponent)
    return power_zero(step)


RULE = Rule(
    "map", _shape, _typed, _power, arguments=(0, 2), functions=FUNCTIONS,
    attributes={"fn": read_by(one_of, FUNCTIONS)}, along=every_axis,
)  # fmt: skip
