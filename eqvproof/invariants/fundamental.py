"""Functions in terms of invariants (first fundamental theorem), with a verdict on each."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from eqvproof.api import check
from eqvproof.claims.groups import Group
from eqvproof.claims.groups.element import element_of
from eqvproof.engines.options import DEFAULTS
from eqvproof.invariants.factor import GramFactor, sampled_factor
from eqvproof.invariants.layout import read_layout
from eqvproof.support.errors import GroupError
from eqvproof.support.short_tracebacks import shortens_tracebacks

if TYPE_CHECKING:
    from eqvproof.claims.groups.parse import Under
    from eqvproof.engines.verdict import Verdict


@dataclass(frozen=True, slots=True, eq=False)
class FirstFundamental:
    """A function f expressed by invariants, with the verdict whether f is equivariant.

    An invariant f is a function of the invariants; an equivariant f is a combination of its vectors
    whose coefficients are functions of the invariants.

    If the verdict holds for all inputs, a polynomial f is such a function by the first fundamental
    theorem; `factor` computes it, and compares it with f at further inputs, which is evidence but
    not a proof.

    Attributes:
        verdict: the verdict of `check` whether f is equivariant, with its certificate.
        factor: the function of invariants, computed from f.
    """

    verdict: Verdict
    factor: GramFactor

    @property
    def holds(self) -> bool:
        """Returns True if f is equivariant and was reproduced from invariants."""
        return self.verdict.holds and self.factor.holds

    @property
    def certificate(self) -> dict[str, Any] | None:
        """The certificate of the verdict, which the kernel re-checks."""
        return self.verdict.certificate

    def invariants(self, *arguments: Any) -> tuple[Any, ...]:
        """Computes the invariants of arguments: see `GramFactor.invariants`."""
        return self.factor.invariants(*arguments)

    def __call__(self, *given: Any, **options: Any) -> Any:
        """Evaluates the coefficients (or an invariant f) at invariants: see `GramFactor`."""
        return self.factor(*given, **options)

    def __str__(self) -> str:
        return f"{self.verdict}\n{self.factor}"


@shortens_tracebacks
def factor_through_gram(
    f: Callable[..., Any],
    signature: str,
    *,
    under: Under | None = None,
    sizes: Mapping[str, int] | None = None,
    axis: str | None = None,
    trials: int = 10,
    seed: int = 0,
    budget: float = DEFAULTS["budget"],
) -> GramFactor:
    """Computes g with ``f(X) = X g(X^T X)``, or a group element with which f does not commute.

    g of a Gram matrix G is computed from any root X of G (X^T X = G), as the coefficients of least
    norm of f(X) in X: for an equivariant f the choice does not matter, since two roots differ by an
    orthogonal matrix. For other classical groups likewise, with their forms, brackets and pairings.
    For a form with null vectors the Gram matrix determines the orbit only together with the rank,
    and a root of greatest rank is used; for a function that distinguishes such orbits there is no
    g, and two inputs show that.

    Args:
        f: a function of families of vectors, with a family of vectors or an array of invariants as
            its value.
        signature: such as "X: d n -> d n", or with knowledge "X: d n, Z: d k -> d n".
        under: a classical group on one axis, such as "Lorentz(4)"; O(d) by default.
        sizes: axis names with fixed sizes.
        axis: for O(d), the name of the axis of coordinates; d by default.
        trials: number of sizes at which the factorisation is checked.
        seed: seed of the inputs drawn for the check.
        budget: seconds for the verdict that f is equivariant.

    Returns:
        A `GramFactor`: callable; ``.invariants``, ``.holds``, ``.check``, and ``.element`` for f
        that are not equivariant.

    Exactness: exact if f maps exact numbers to rationals and a rational root is found; else to
        rounding. Complex functions are called with floats.

    Raises:
        SignatureError: an argument is not a family of vectors.
        GroupError: the group is not one classical group on one axis.

    Source: Weyl (1939), "The classical groups", Theorems 2.6.A, 2.9.A and 6.1.A.

    >>> g = factor_through_gram(lambda X: X @ (X.T @ X), "X: d n -> d n")
    >>> print(g([[2, 1], [1, 2]]))
    [[Fraction(2, 1) Fraction(1, 1)]
     [Fraction(1, 1) Fraction(2, 1)]]
    """
    return _factor_with_verdict(
        f, signature, under, sizes=sizes, axis=axis, trials=trials, seed=seed, budget=budget
    )[0]


def _factor_with_verdict(
    f: Callable[..., Any], signature: str, under: Under | None, *, sizes: Mapping[str, int] | None,
    axis: str | None, trials: int, seed: int, budget: float, is_asked: bool = False,
) -> tuple[GramFactor, Verdict | None]:  # fmt: skip
    """Returns the function of invariants with the verdict whether f is equivariant.

    If sampled inputs refute it already, the verdict is computed only if `is_asked`.
    """
    layout = read_layout(signature, sizes, axis, under)
    factor = sampled_factor(f, layout, trials, seed)
    if not factor.holds and not is_asked:
        return factor, None
    if under is None:
        under = Group((layout.factor,))
    verdict = check(f, signature, under, sizes=sizes, seed=seed, budget=budget)
    if factor.holds:
        factor = _apply_verdict(factor, verdict)
    return factor, verdict


def _apply_verdict(factor: GramFactor, verdict: Verdict) -> GramFactor:
    """Combines a factor that reproduced f with the verdict about f."""
    if verdict.holds:
        return factor
    if not verdict.fails:
        undecided = replace(factor.check, holds=False, undecided=verdict.reason or "no verdict")
        return replace(factor, check=undecided)
    point = verdict.counterexample
    if point is None:
        refuted = replace(factor.check, holds=False, refuted="it does not commute with g, ")
        return replace(factor, check=refuted)
    known, names = factor.layout.factor, factor.layout.signature.argument_names
    data, element = point.element.get(known.axis), None
    if data is not None:
        with suppress(GroupError):  # a float, or an element that the group writes differently
            element = element_of(known, tuple(map(tuple, np.asarray(data, dtype=object).tolist())))
    sizes = ", ".join(f"{n} = {s}" for n, s in point.sizes.items())
    refuted = replace(
        factor.check,
        holds=False,
        element=element,
        inputs=tuple(np.asarray(point.inputs[n], dtype=object) for n in names),
        left=point.left,
        right=point.right,
        refuted=f"it does not commute with g, {point.words}, at {sizes}",
    )
    return replace(factor, check=refuted)


@shortens_tracebacks
def first_fundamental(
    f: Callable[..., Any],
    signature: str,
    under: Under,
    *,
    sizes: Mapping[str, int] | None = None,
    trials: int = 10,
    seed: int = 0,
    budget: float = DEFAULTS["budget"],
) -> FirstFundamental:
    """Expresses f by invariants of a classical group: inner products, pairings and brackets.

    Args:
        f: a function of families of vectors, with a family of vectors or an array of invariants as
            its value.
        signature: such as "p: n 4 -> n 4" or "X: d n, Z: k d* -> d n".
        under: O, SO, O(p,q), SO(p,q), Lorentz, Sp, U, SU, GL or SL, on one axis.
        sizes: axis names with fixed sizes.
        trials: number of sizes at which the function is compared with f.
        seed: seed of the inputs.
        budget: seconds for the verdict.

    Returns:
        A `FirstFundamental`: callable on invariants; ``.verdict``, ``.certificate``, ``.factor``.

    Exactness: see `check` and `factor_through_gram`.

    Raises:
        SignatureError: an argument is not a family of vectors.
        GroupError: the group is not one classical group on one axis.

    Source: Weyl (1939), "The classical groups", Theorems 2.6.A, 2.9.A and 6.1.A.

    >>> g = first_fundamental(lambda x: (x[:, 0] * x[:, 1]).sum(), "x: n 2 -> ()", "O(1,1; 2)")
    >>> print(g.verdict.outcome, g.factor.holds)
    FAILS False
    """
    factor, verdict = _factor_with_verdict(
        f,
        signature,
        under,
        sizes=sizes,
        axis=None,
        trials=trials,
        seed=seed,
        budget=budget,
        is_asked=True,
    )
    if verdict is None:
        verdict = check(f, signature, under, sizes=sizes, seed=seed, budget=budget)
    return FirstFundamental(verdict, factor)
