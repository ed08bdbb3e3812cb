"""The first fundamental theorem for a function: a verdict of equivariance, and a function of invariants."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from eqvproof.api import check
from eqvproof.invariants.factor import GramFactor, factor_through_gram

if TYPE_CHECKING:
    from eqvproof.groups.parse import Under
    from eqvproof.verdict import Verdict


@dataclass(frozen=True, slots=True, eq=False)
class FirstFundamental:
    """That f is a function of invariants, times vectors where it is equivariant.

    Where the verdict holds for all inputs, the first fundamental theorem says that a polynomial f is such a
    function; `factor` computes it, and checks it at inputs of its own, which is evidence and no proof.

    Attributes:
        verdict: whether f is equivariant, as `check` says, with its certificate.
        factor: the function of invariants, found from f.
    """

    verdict: Verdict
    factor: GramFactor

    @property
    def holds(self) -> bool:
        """Whether f is equivariant and was reproduced from invariants."""
        return self.verdict.holds and self.factor.holds

    @property
    def certificate(self) -> dict[str, Any] | None:
        """That of the verdict, which the kernel re-checks."""
        return self.verdict.certificate

    def invariants(self, *arguments: Any) -> tuple[Any, ...]:
        """The invariants of arguments: see `GramFactor.invariants`."""
        return self.factor.invariants(*arguments)

    def __call__(self, *given: Any, **options: Any) -> Any:
        """The coefficients at invariants, of an invariant f its value: see `GramFactor`."""
        return self.factor(*given, **options)

    def __str__(self) -> str:
        return f"{self.verdict}\n{self.factor}"


def first_fundamental(
    f: Callable[..., Any],
    signature: str,
    under: Under,
    *,
    sizes: Mapping[str, int] | None = None,
    trials: int = 10,
    seed: int = 0,
    budget: float = 10.0,
) -> FirstFundamental:
    """f as a function of invariants under a classical group: the inner products, pairings and brackets.

    Args:
        f: a function of families of vectors, with a family of vectors or an array of invariants as its value.
        signature: such as "p: n 4 -> n 4" or "X: d n, Z: k d* -> d n".
        under: O, SO, O(p,q), SO(p,q), Lorentz, Sp, U, SU, GL or SL, on one axis.
        sizes: axis names with fixed sizes.
        trials: at how many sizes the function is compared with f.
        seed: of inputs.
        budget: seconds for the verdict.

    Returns:
        A `FirstFundamental`: callable on invariants; ``.verdict``, ``.certificate``, ``.factor``.

    Exactness: as `check` and `factor_through_gram` say.

    Raises:
        SignatureError: an argument that is no family of vectors.
        GroupError: no classical group on one axis.

    Source: Weyl (1939), "The classical groups", Theorems 2.6.A, 2.9.A and 6.1.A.

    >>> g = first_fundamental(lambda x: (x[:, 0] * x[:, 1]).sum(), "x: n 2 -> ()", "O(1,1; 2)")
    >>> print(g.verdict.outcome, g.factor.holds)
    FAILS False
    """
    factor = factor_through_gram(f, signature, under=under, sizes=sizes, trials=trials, seed=seed)
    verdict = check(f, signature, under, sizes=sizes, seed=seed, budget=budget)
    return FirstFundamental(verdict, factor)
