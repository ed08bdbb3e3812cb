"""Puts normal forms in the place of types under translations, where the kernel has no rule.

The kernel's rules for translations know no numbers of constants.
"""

from __future__ import annotations

from collections.abc import Mapping

from eqvproof.claims.signature import Signature
from eqvproof.engines.identity import IdentityProof
from eqvproof.engines.linear_types import FactorProof, Proof
from eqvproof.engines.translated_forms import translated_forms
from eqvproof.programs import Program


def translations_by_forms(
    proof: Proof, program: Program, signature: Signature, pins: Mapping[str, int]
) -> Proof | None:
    """Returns a proof in which normal forms take the place of types under translations.

    None where there are no such types, or normal forms do not show the claim.
    """
    factors = list(proof.factors)
    for k, own in enumerate(factors):
        if own.forms is not None or not own.factor.kind.only_translates:
            continue
        forms = translated_forms(program, signature, own.factor, pins)
        if not isinstance(forms, IdentityProof):
            return None
        factors[k] = FactorProof(own.factor, (), forms)
    if factors == [*proof.factors]:
        return None
    return Proof(tuple(factors), proof.signs)
