"""Writes invariant functions as rho(sum_k phi(x_k)), and evaluates them at large n.

Codes, power sums and sketches, from which the multiset can be decoded; sums that do not depend on
the order of their terms; equivariant maps `X g(Z^T X)` without an n x n matrix.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from eqvproof.support.lazy import loader

#: public name -> module that holds it; loaded when first used. No module is called like a name it
#: holds: the import of such a module would put the module in the name's place.
_PUBLIC: dict[str, str] = {
    "CountableCode": "eqvproof.deepsets.codes",
    "PowerSums": "eqvproof.deepsets.power_sums",
    "Sketch": "eqvproof.deepsets.sketches",
    "decompose": "eqvproof.deepsets.decomposition",
    "pool": "eqvproof.deepsets.pooling",
    "PartialPool": "eqvproof.deepsets.pooling",
    "PairForm": "eqvproof.deepsets.pair_forms",
}

__all__ = list(_PUBLIC)

if TYPE_CHECKING:
    from eqvproof.deepsets.codes import CountableCode as CountableCode
    from eqvproof.deepsets.decomposition import decompose as decompose
    from eqvproof.deepsets.pair_forms import PairForm as PairForm
    from eqvproof.deepsets.pooling import PartialPool as PartialPool
    from eqvproof.deepsets.pooling import pool as pool
    from eqvproof.deepsets.power_sums import PowerSums as PowerSums
    from eqvproof.deepsets.sketches import Sketch as Sketch


if not TYPE_CHECKING:  # type checkers know the names above, and find misspelt ones
    __getattr__ = loader(__name__, _PUBLIC)


def __dir__() -> list[str]:
    return sorted(__all__)
