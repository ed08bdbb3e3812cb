"""Masks of the entries that are infinite or NaN in floats: both are undefined in a Program.

    1 / t                           infinite where t = 0
    sqrt(t)                         no number where t < 0
    1 / sqrt(t), sqrt(1 / t)        infinite where t = 0, no number where t < 0
    x y with y one of these         infinite where y is and x is not 0; no number where y is none,
                                    or is infinite and x is 0
    y where c, else z               as the one that is chosen

c, x and t are total, hence the masks are, too. For other values that may be undefined the masks
are not known.
"""

from __future__ import annotations

from eqvproof.programs import Builder

#: The message where it is not known.
UNKNOWN = "whether a value is finite is asked where it may be undefined"
UNKNOWN_HINT = "test the divisor, or what is under the root, in its place"


def undefined(b: Builder) -> int:
    """Returns an undefined number."""
    return b.map("recip", [b.const(0)])


def poles(b: Builder, node: int) -> tuple[int, int] | None:
    """Returns masks of the infinite and of the NaN entries; None where they are not known."""
    found = _poles(b, node)
    return found and (b.valid_if_finite(node, found[0]), b.valid_if_finite(node, found[1]))


def _poles(b: Builder, node: int) -> tuple[int, int] | None:
    op, shape, nothing = b.nodes[node], b.shape(node), b.const(0)
    found: tuple[int, int] | None = None
    if b.is_total(node):
        found = nothing, nothing
    elif op.keeps_order and len(op.args) == 1:
        found = _poles(b, op.args[0])
        found = found and (b.reshape(found[0], shape), b.reshape(found[1], shape))
    elif op.choice and b.is_total(op.args[0]):
        u, v = (_poles(b, a) for a in op.args[1:])
        found = u and v and (b.select(op.args[0], u[0], v[0]), b.select(op.args[0], u[1], v[1]))
    else:
        found = _of_divisor(b, node) or _of_product(b, node)
    return found and (b.broadcast_to(found[0], shape), b.broadcast_to(found[1], shape))


def _of_divisor(b: Builder, node: int) -> tuple[int, int] | None:
    """Returns the masks for 1 / t, sqrt(t) and both together."""
    names, nothing = [], b.const(0)
    while b.nodes[node].function in ("recip", "sqrt") and not b.is_total(node):
        names.append(b.nodes[node].function)
        (node,) = b.nodes[node].args
    if not names or len(set(names)) < len(names) or not b.is_total(node):
        return None
    if "recip" in names:
        infinite = b.map("eq", [node, nothing])
    else:
        infinite = nothing
    return infinite, b.map("lt", [node, nothing]) if "sqrt" in names else nothing


def _of_product(b: Builder, node: int) -> tuple[int, int] | None:
    """Returns the masks for an elementwise product, one factor of which `_of_divisor` knows."""
    product = b.nodes[node].as_product
    if product is None:
        return None
    summed = (s for k, s in product.labels(b.nodes).items() if k not in product.output)
    if any(s.constant != 1 for s in summed):
        return None
    partial = [k for k, a in enumerate(product.args) if not b.is_total(a)]
    if len(partial) == 1:
        known = _of_divisor(b, product.args[partial[0]])
    else:
        known = None
    if known is None:
        return None
    (place,) = partial
    sizes = dict(zip(product.output, product.shape, strict=True))

    def with_factor(factor: int) -> int:
        args = [factor if k == place else a for k, a in enumerate(product.args)]
        return b.einsum(args, product.inputs, product.output, sizes)

    wide = [b.broadcast_to(part, b.shape(product.args[place])) for part in (*known, b.const(1))]
    infinite, invalid = (
        b.einsum([w], [product.inputs[place]], product.output, sizes) for w in wide[:2]
    )
    zero = b.map("eq", [with_factor(wide[2]), b.const(0)])
    return b.mul(infinite, b.map("not", [zero])), b.map("or", [invalid, b.mul(infinite, zero)])
