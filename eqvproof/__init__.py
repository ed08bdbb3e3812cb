"""eqvproof: claims of invariance and equivariance, proved or refuted without a tolerance.

``check(f, "X: d n -> d n", under="O(d)")`` answers with a `Verdict`: a proof for all sizes, an exact
decision, a bounded error probability, or the smallest exact counterexample, each with a certificate that a
small independent kernel re-checks (`verify`).
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

#: public name -> module that holds it; loaded when first used, so that the import stays light.
_PUBLIC: dict[str, str] = {
    "check": "eqvproof.api",
    "prove": "eqvproof.api",
    "decide": "eqvproof.api",
    "refute": "eqvproof.api",
    "identical": "eqvproof.api",
    "symmetries": "eqvproof.api",
    "verify": "eqvproof.api",
    "opaque": "eqvproof.frontends.opaque",
    "householder": "eqvproof.witnesses.householder",
    "orthogonal_witness": "eqvproof.witnesses.orthogonal",
    "permutation_witness": "eqvproof.witnesses.permutation",
    "congruence_witness": "eqvproof.witnesses.congruence",
    "gram": "eqvproof.invariants.gram",
    "gram_match": "eqvproof.invariants.gram",
    "gram_pairs": "eqvproof.invariants.pairs",
    "coefficients": "eqvproof.invariants.coefficients",
    "factor_through_gram": "eqvproof.invariants.factor",
    "reynolds": "eqvproof.invariants.reynolds",
    "claim": "eqvproof.testing.claims",
    "Verdict": "eqvproof.verdict",
    "Counterexample": "eqvproof.verdict",
    "Outcome": "eqvproof.verdict",
    "Grade": "eqvproof.verdict",
    "review": "eqvproof.library",
    "Review": "eqvproof.statements",
    "Definition": "eqvproof.statements",
    "Proposition": "eqvproof.statements",
    "Lemma": "eqvproof.statements",
    "Corollary": "eqvproof.statements",
    "Theorem": "eqvproof.statements",
    "Remark": "eqvproof.statements",
    "ProofStep": "eqvproof.statements",
    **{
        name: "eqvproof.errors"
        for name in (
            "EqvproofError", "SignatureError", "ShapeError", "GroupError", "TraceError", "TargetError",
            "GramMismatch", "MultisetMismatch", "CertificateError", "BackendError", "DomainError",
        )
    },
}  # fmt: skip
_MODULES = tuple("groups library testing statements errors strategies domains deepsets plots".split())

__all__ = ["__version__", *_PUBLIC]

if TYPE_CHECKING:
    from eqvproof.api import check as check
    from eqvproof.api import decide as decide
    from eqvproof.api import prove as prove
    from eqvproof.api import refute as refute
    from eqvproof.api import verify as verify
    from eqvproof.errors import EqvproofError as EqvproofError
    from eqvproof.verdict import Counterexample as Counterexample
    from eqvproof.verdict import Grade as Grade
    from eqvproof.verdict import Outcome as Outcome
    from eqvproof.verdict import Verdict as Verdict


def __getattr__(name: str) -> Any:
    if name in _PUBLIC:
        return getattr(importlib.import_module(_PUBLIC[name]), name)
    if name in _MODULES:
        try:
            return importlib.import_module(f"eqvproof.{name}")
        except ModuleNotFoundError as error:
            if error.name != f"eqvproof.{name}":
                raise
    raise AttributeError(f"module 'eqvproof' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted([*__all__, *_MODULES])
