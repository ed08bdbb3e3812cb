"""The gated update from a time warping."""

import eqvproof as ep
from eqvproof.papers.statements import Array, Conjunction, Identity, Remark

R = ep.opaque("R", "z: p, h: n -> n")
SIGNATURE = "z: p, h: n, Gamma: n -> n"


def slope(z: Array, h: Array) -> Array:
    """Computes d h(tau) / d tau = R(z, h) - h, from h + d h / d tau = R."""
    return R(z, h) - h


STATEMENT = Remark(
    id="sym23.rnn.update",
    place="Architectures, RNN gating",
    printed="h(tau(t + 1)) = h(tau(t)) + d h(tau(t)) / dt and Gamma := d tau / dt give h_{t+1} ="
    " Gamma R(z_t, h_t) + (1 - Gamma) h_t",
    claim=Conjunction(
        {
            "h + Gamma (R - h) = Gamma R + (1 - Gamma) h": Identity(
                lambda z, h, Gamma: h + Gamma * slope(z, h),
                lambda z, h, Gamma: Gamma * R(z, h) + (1 - Gamma) * h,
                SIGNATURE,
            ),
            "h + d h / d tau = R": Identity(
                lambda z, h: h + slope(z, h), lambda z, h: R(z, h), "z: p, h: n -> n"
            ),
        }
    ),
    assumptions="the two Taylor expansions of first order, printed with an approximation sign, are"
    " taken as equations",
    reading=(
        "R is any function, left uninterpreted; the chain rule d h(tau(t)) / dt = (d h / d tau)"
        " Gamma is used as printed",
        "in the source Gamma is one number for all entries of h; we check more, another Gamma for"
        " every entry",
    ),
)
