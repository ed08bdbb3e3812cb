"""eqvproof: claims of invariance and equivariance, proved or refuted without a tolerance.

``check(f, "X: d n -> d n", under="O(d)")`` answers with a `Verdict`: a proof for all sizes, an
exact decision, a bounded error probability, or the smallest exact counterexample, each with a
certificate that a small independent kernel re-checks (`verify`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from eqvproof.support.lazy import loader, modules_of
from eqvproof.support.public_modules import install

__version__ = "0.1.0"

#: Module -> its public names; loaded when first used, so that the import stays light.
_PUBLIC = modules_of(
    {
        "eqvproof.api": "check prove decide refute identical independent causal symmetries verify"
        " violation",
        "eqvproof.rounding": "rounding_bound deviation Deviation precision Precision RoundingBound",
        "eqvproof.tracing.opaque": "opaque",
        "eqvproof.invariants.witnesses.householder": "householder",
        "eqvproof.invariants.witnesses.orthogonal": "orthogonal_witness",
        "eqvproof.invariants.witnesses.orbit": "orbit_witness",
        "eqvproof.invariants.witnesses.permutation": "permutation_witness",
        "eqvproof.invariants.witnesses.congruence": "congruence_witness",
        "eqvproof.invariants.gram": "gram gram_match",
        "eqvproof.invariants.pairs": "gram_pairs",
        "eqvproof.invariants.coefficients": "coefficients",
        "eqvproof.invariants.fundamental": "factor_through_gram first_fundamental",
        "eqvproof.invariants.reynolds": "reynolds",
        "eqvproof.interface.testing.claims": "claim",
        "eqvproof.interface.profile": "profile Profile ProfileRow",
        "eqvproof.engines.verdict": "Verdict Counterexample Outcome Grade",
        "eqvproof.engines.violation": "Violation",
        "eqvproof.papers.library": "review",
        "eqvproof.papers.statements": "Review Definition Proposition Lemma Corollary Theorem"
        " Remark ProofStep",
        "eqvproof.support.errors": "EqvproofError SignatureError ShapeError GroupError TraceError"
        " TargetError"
        " GramMismatch MultisetMismatch CertificateError BackendError DomainError OptionError"
        " OptionTypeError",
    }
)
#: Modules that users name, and where they lie.
_MODULES = {
    "deepsets": "deepsets",
    "domains": "claims.domains",
    "errors": "support.errors",
    "groups": "claims.groups",
    "library": "papers.library",
    "plots": "interface.plots",
    "statements": "papers.statements",
    "strategies": "interface.strategies",
    "testing": "interface.testing",
}

__all__ = ["__version__", *_PUBLIC]

if TYPE_CHECKING:
    from eqvproof import deepsets as deepsets
    from eqvproof.api import causal as causal
    from eqvproof.api import check as check
    from eqvproof.api import decide as decide
    from eqvproof.api import identical as identical
    from eqvproof.api import independent as independent
    from eqvproof.api import prove as prove
    from eqvproof.api import refute as refute
    from eqvproof.api import symmetries as symmetries
    from eqvproof.api import verify as verify
    from eqvproof.api import violation as violation
    from eqvproof.claims import domains as domains
    from eqvproof.claims import groups as groups
    from eqvproof.engines.verdict import Counterexample as Counterexample
    from eqvproof.engines.verdict import Grade as Grade
    from eqvproof.engines.verdict import Outcome as Outcome
    from eqvproof.engines.verdict import Verdict as Verdict
    from eqvproof.engines.violation import Violation as Violation
    from eqvproof.interface import plots as plots
    from eqvproof.interface import strategies as strategies
    from eqvproof.interface import testing as testing
    from eqvproof.interface.profile import Profile as Profile
    from eqvproof.interface.profile import ProfileRow as ProfileRow
    from eqvproof.interface.profile import profile as profile
    from eqvproof.interface.testing.claims import claim as claim
    from eqvproof.invariants.coefficients import coefficients as coefficients
    from eqvproof.invariants.fundamental import factor_through_gram as factor_through_gram
    from eqvproof.invariants.fundamental import first_fundamental as first_fundamental
    from eqvproof.invariants.gram import gram as gram
    from eqvproof.invariants.gram import gram_match as gram_match
    from eqvproof.invariants.pairs import gram_pairs as gram_pairs
    from eqvproof.invariants.reynolds import reynolds as reynolds
    from eqvproof.invariants.witnesses.congruence import congruence_witness as congruence_witness
    from eqvproof.invariants.witnesses.householder import householder as householder
    from eqvproof.invariants.witnesses.orbit import orbit_witness as orbit_witness
    from eqvproof.invariants.witnesses.orthogonal import orthogonal_witness as orthogonal_witness
    from eqvproof.invariants.witnesses.permutation import permutation_witness as permutation_witness
    from eqvproof.papers import library as library
    from eqvproof.papers import statements as statements
    from eqvproof.papers.library import review as review
    from eqvproof.papers.statements import Corollary as Corollary
    from eqvproof.papers.statements import Definition as Definition
    from eqvproof.papers.statements import Lemma as Lemma
    from eqvproof.papers.statements import ProofStep as ProofStep
    from eqvproof.papers.statements import Proposition as Proposition
    from eqvproof.papers.statements import Remark as Remark
    from eqvproof.papers.statements import Review as Review
    from eqvproof.papers.statements import Theorem as Theorem
    from eqvproof.rounding import Deviation as Deviation
    from eqvproof.rounding import Precision as Precision
    from eqvproof.rounding import RoundingBound as RoundingBound
    from eqvproof.rounding import deviation as deviation
    from eqvproof.rounding import precision as precision
    from eqvproof.rounding import rounding_bound as rounding_bound
    from eqvproof.support import errors as errors
    from eqvproof.support.errors import BackendError as BackendError
    from eqvproof.support.errors import CertificateError as CertificateError
    from eqvproof.support.errors import DomainError as DomainError
    from eqvproof.support.errors import EqvproofError as EqvproofError
    from eqvproof.support.errors import GramMismatch as GramMismatch
    from eqvproof.support.errors import GroupError as GroupError
    from eqvproof.support.errors import MultisetMismatch as MultisetMismatch
    from eqvproof.support.errors import OptionError as OptionError
    from eqvproof.support.errors import OptionTypeError as OptionTypeError
    from eqvproof.support.errors import ShapeError as ShapeError
    from eqvproof.support.errors import SignatureError as SignatureError
    from eqvproof.support.errors import TargetError as TargetError
    from eqvproof.support.errors import TraceError as TraceError
    from eqvproof.tracing.opaque import opaque as opaque


if not TYPE_CHECKING:  # type checkers know the names above, and find misspelt ones
    install(__name__, {name: place for name, place in _MODULES.items() if name != place})
    __getattr__ = loader(__name__, _PUBLIC, _MODULES)


def __dir__() -> list[str]:
    return sorted([*__all__, *_MODULES])
