"""Complex arrays in a jaxpr: real and imaginary part, each a node; what is not named here refuses them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from eqvproof.errors import TraceError
from eqvproof.frontends.jax.values import Complex, Known, Node, Value, lift
from eqvproof.program import Builder

if TYPE_CHECKING:
    from eqvproof.frontends.jax.reader import Equation, Reader

#: What is done to real and imaginary parts alike, and products of two arrays.
LINEAR = frozenset(
    "transpose reshape broadcast_in_dim squeeze expand_dims reduce_sum slice dynamic_slice gather "
    "concatenate rev cumsum copy add sub add_any neg stop_gradient split".split()
)
PRODUCTS = frozenset(("mul", "dot_general"))


def parts_of(b: Builder, value: Value) -> tuple[int, int | None]:
    """Real and imaginary part; None for an imaginary part that is 0."""
    if isinstance(value, Complex):
        return value.re, value.im
    if isinstance(value, Known) and value.array.dtype.kind == "c":
        return lift(b, Known(value.array.real)), lift(b, Known(value.array.imag))
    return lift(b, value), None


def _part(b: Builder, value: Value, k: int) -> Value:
    """One part of a complex value; positions and the like as they are."""
    if not isinstance(value, Complex) and not (isinstance(value, Known) and value.array.dtype.kind == "c"):
        return value
    found = parts_of(b, value)[k]
    return Node(b.broadcast_to(b.const(0), b.shape(parts_of(b, value)[0])) if found is None else found)


def read(
    reader: Reader, equation: Equation, args: Sequence[Value], handler: Callable[..., Any] | None
) -> Any:
    """What an equation of which arguments or results are complex gives; that of real ones is the handler."""
    name, b = equation.primitive.name, reader.builder
    if name in LINEAR and handler is not None:
        re, im = (_listed(handler(reader, equation, *(_part(b, a, k) for a in args))) for k in (0, 1))
        return [Complex(reader.node(x), reader.node(y)) for x, y in zip(re, im, strict=True)]
    if name in PRODUCTS and handler is not None:
        x, y = args
        return _product(b, x, y, lambda u, v: reader.node(_listed(handler(reader, equation, u, v))[0]))
    if name in OWN:
        return OWN[name](b, equation, *args)
    raise TraceError(
        f"the JAX primitive {name} on complex arrays is not read", given=name,
        hint="take jnp.abs, .real or .imag first", code="trace.operation",
    )  # fmt: skip


def _listed(made: object) -> list[Any]:
    found = list(made) if isinstance(made, (list, tuple)) else [made]
    return [Node(v) if type(v) is int else v for v in found]


def _product(b: Builder, x: Value, y: Value, of: Callable[[Any, Any], int]) -> Complex:
    """``(u + iv)(x + iy) = (ux - vy) + i(uy + vx)``."""
    (u, v), (p, q) = parts_of(b, x), parts_of(b, y)
    found = {
        (i, j): of(Node(m), Node(n))
        for i, m in enumerate((u, v)) for j, n in enumerate((p, q)) if m is not None and n is not None
    }  # fmt: skip
    mixed = [found[k] for k in ((0, 1), (1, 0)) if k in found]
    re = b.sub(found[0, 0], found[1, 1]) if (1, 1) in found else found[0, 0]
    return Complex(re, b.add(mixed) if len(mixed) > 1 else mixed[0] if mixed else None)


def _times(b: Builder, x: Value, y: Value) -> Complex:
    return _product(b, x, y, b.mul)


def _squared_modulus(b: Builder, value: Value) -> int:
    terms = [b.mul(p, p) for p in parts_of(b, value) if p is not None]
    return b.add(terms)


def _conjugate(b: Builder, value: Value) -> Complex:
    re, im = parts_of(b, value)
    return Complex(re, None if im is None else b.neg(im))


def _divided(b: Builder, x: Value, y: Value) -> Complex:
    re, im = parts_of(b, y)
    if im is None:
        return _times(b, x, Node(b.map("recip", [re])))
    return _times(b, _times(b, x, _conjugate(b, y)), Node(b.map("recip", [_squared_modulus(b, y)])))


def _power(b: Builder, x: Value, exponent: int) -> Value:
    if not 1 <= exponent <= 16:
        raise TraceError(f"the power {exponent} of a complex array", code="trace.operation")
    found = x
    for _ in range(exponent - 1):
        found = _times(b, found, x)
    return found


def _exp(b: Builder, x: Value) -> Complex:
    re, im = parts_of(b, x)
    size = b.map("exp", [re])
    if im is None:
        return Complex(size, None)
    return Complex(b.mul(size, b.map("cos", [im])), b.mul(size, b.map("sin", [im])))


def _converted(b: Builder, x: Value) -> Value:
    return Complex(*parts_of(b, x))


def _imag(b: Builder, x: Value) -> Value:
    return _part(b, Complex(*parts_of(b, x)), 1)


OWN: dict[str, Callable[..., object]] = {
    "complex": lambda b, e, x, y: Complex(lift(b, x), lift(b, y)),
    "real": lambda b, e, x: Node(parts_of(b, x)[0]),
    "imag": lambda b, e, x: _imag(b, x),
    "conj": lambda b, e, x: _conjugate(b, x),
    "abs": lambda b, e, x: Node(b.map("sqrt", [_squared_modulus(b, x)])),
    "div": lambda b, e, x, y: _divided(b, x, y),
    "exp": lambda b, e, x: _exp(b, x),
    "square": lambda b, e, x: _times(b, x, x),
    "integer_pow": lambda b, e, x: _power(b, x, e.params["y"]),
    "convert_element_type": lambda b, e, x: _converted(b, x),
}
