"""Sine and cosine as a position encoding."""

from eqvproof.papers.library.lec22.rotations import encoding, rotated_encoding
from eqvproof.papers.statements import Conjunction, Equational, Identity, Illustrated, Remark

STATEMENT = Remark(
    id="lec22.position",
    place="Positional Encoding",
    printed="with PE_{pos,2i} = sin(pos / 10000^{2i/d}) and PE_{pos,2i+1} = cos(..) every pair of"
    " PE(pos + s) is that of PE(pos), "
    "rotated by an angle that depends on s only",
    claim=Illustrated(
        Conjunction(
            {
                "(sin, cos)(a + b) = R(b) (sin, cos)(a)": Equational(
                    "pe(add(A, B)) = rotated(cos(B), sin(B), pe(A))",
                    {
                        "PE": "pe(a) = pair(sin(a), cos(a))",
                        "R(b) (x, y)": "rotated(c, s, pair(x, y)) = pair(plus(times(c, x),"
                        " times(s, y)), minus(times(c, y), times(s, x)))",
                        "sin(a + b)": "sin(add(a, b)) = plus(times(cos(b), sin(a)), times(sin(b),"
                        " cos(a)))",
                        "cos(a + b)": "cos(add(a, b)) = minus(times(cos(b), cos(a)), times(sin(b),"
                        " sin(a)))",
                    },
                    "a b c s x y",
                ),
                "(pos + s) w = pos w + s w": Identity(
                    lambda pos, s, w: (pos + s) * w,
                    lambda pos, s, w: pos * w + s * w,
                    "pos: (), s: (), w: () -> ()",
                ),
                "|R (x, y)|^2 = (c^2 + s^2) |(x, y)|^2": Identity(
                    lambda c, s, x, y: (c * x + s * y) ** 2 + (c * y - s * x) ** 2,
                    lambda c, s, x, y: (c * c + s * s) * (x * x + y * y),
                    "c: (), s: (), x: (), y: () -> ()",
                ),
            }
        ),
        {
            "the printed numbers, d = 4": Identity(
                lambda pos, s: encoding(pos + s), rotated_encoding, "pos: (), s: () -> 2 2"
            )
        },
    ),
    assumptions="the addition theorems of sine and cosine, and sin^2 + cos^2 = 1",
    reading=(
        "both entries of a pair have the exponent 2i/d, as printed, hence the same angle pos w"
        " with w = 10000^{-2i/d}; the pair is rotated by the angle s w, which does not depend on"
        " pos",
        "a rotation: for c^2 + s^2 = 1 it preserves lengths, and its determinant c^2 + s^2 is 1",
    ),
)
