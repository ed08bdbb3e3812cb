"""The codomain of a group convolution."""

from eqvproof.papers.library.sym23.convolution import SIGNATURE, group_convolution
from eqvproof.papers.statements import Definition, Typing

STATEMENT = Definition(
    id="sym23.groupconv.typing",
    place="Architectures, CNN, definition of the group convolution",
    printed="C_theta : X(Omega, C) -> X(G, C), C_theta(x)(g) := sum_u <x(u), theta(g^-1.u)>_C,"
    " theta in X(Omega, C)",
    claim=Typing(
        lambda P, x, theta: group_convolution(P, x, theta)[:, None], f"{SIGNATURE} -> g c"
    ),
    reading=(
        "Omega has u points and G has g elements, so that the integral is a sum; C = R^c with an"
        " inner product. The formula has "
        "one number at each g, written as a signal with one channel",
    ),
).repaired_as(
    printed="C_theta : X(Omega, C) -> X(G, R), with the same formula",
    claim=Typing(
        lambda P, x, theta: group_convolution(P, x, theta)[:, None], f"{SIGNATURE} -> g 1"
    ),
    reading="the inner product of C is a real number: one channel",
)
