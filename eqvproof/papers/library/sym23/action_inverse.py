"""The action on signals."""

from collections.abc import Callable

import eqvproof as ep
from eqvproof.papers.statements import Array, Conjunction, Identity, Remark

Map = Callable[[Array], Array]
#: A group element with its inverse: u -> g.u and u -> g^-1.u.
Element = tuple[Map, Map]

SIGNATURE = "u: k, s: c -> c"
signal = ep.opaque("x", SIGNATURE)
G: Element = (ep.opaque("g", "u: k -> k"), ep.opaque("g_inverse", "u: k -> k"))
H: Element = (ep.opaque("h", "u: k -> k"), ep.opaque("h_inverse", "u: k -> k"))
ONE: Element = (lambda u: u, lambda u: u)


def product(g: Element, h: Element) -> Element:
    """Computes g h, with the inverse h^-1 g^-1."""
    return lambda u: g[0](h[0](u)), lambda u: h[1](g[1](u))


def star(g: Element, x: Map) -> Map:
    """Computes (g * x)(u) = x(g^-1.u)."""
    return lambda u: x(g[1](u))


def at(g: Element, h: Element, s: Array, u: Array) -> tuple[Array, Array]:
    """Computes (g * (h * x))(u) and ((g h) * x)(u)."""
    x: Map = lambda v: signal(v, s)  # noqa: E731
    return star(g, star(h, x))(u), star(product(g, h), x)(u)


STATEMENT = Remark(
    id="sym23.action.inverse",
    place="Framework, Group Actions",
    formal="Rows.sym23_action_inverse",
    printed="(g * x)(u) := x(g^-1.u) is a group action on signals when . is a group action on the"
    " domain",
    claim=Conjunction(
        {
            "g * (h * x) = (g h) * x": Identity(
                lambda u, s: at(G, H, s, u)[0], lambda u, s: at(G, H, s, u)[1], SIGNATURE
            ),
            "1 * x = x": Identity(
                lambda u, s: star(ONE, lambda v: signal(v, s))(u),
                lambda u, s: signal(u, s),
                SIGNATURE,
            ),
        }
    ),
    reading=(
        "a point u of the domain is a vector of R^k (k is any size), x a signal with c channels;"
        " x, g, g^-1, h, h^-1 are any functions, left uninterpreted; s, of length c, only carries"
        " the number of channels",
        "the group action . enters as (g h).u = g.(h.u), (g h)^-1.u = h^-1.(g^-1.u) and 1.u = u",
    ),
)
