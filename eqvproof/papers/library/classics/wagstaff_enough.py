"""Functions of multisets of M numbers by M power sums."""

from eqvproof.papers.library.my23.power_sums import points_are_determined
from eqvproof.papers.statements import AtSizes, Theorem

SIZES = tuple({"n": n, "d": 1} for n in (1, 2, 3, 4))

STATEMENT = Theorem(
    id="classics.wagstaff.enough",
    place="Wagstaff and others 2019, sufficiency of a latent space of dimension M",
    printed="every function of multisets of M numbers is rho(sum phi(x)) with phi(x) = (x, x^2,"
    " .., x^M)",
    claim=AtSizes(points_are_determined, SIZES),
    assumptions="the factorisation of a polynomial of one variable into linear factors is unique"
    " up to order",
    reading=(
        "M is written n. We check that the M sums determine the multiset: prod_k (t - a x_k) is"
        " computed from them; then rho(s) is the value at the multiset whose sums are s",
        "the theorem also states that rho is continuous; this is not checked here (see"
        " my23.prop4.1.sum-decomposition)",
    ),
)
