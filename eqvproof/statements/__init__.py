"""Statements of papers as executable objects, and their review by the engines."""

from eqvproof.statements.claims import (
    Case,
    Condition,
    Conjunction,
    Construction,
    DefinitionByUse,
    Enumeration,
    Equivariance,
    ForEvery,
    Identity,
    Implies,
    Instance,
    NotFor,
    Steps,
    Typing,
)
from eqvproof.statements.court import Claim, Court
from eqvproof.statements.finding import Finding
from eqvproof.statements.review import Review, Row, review_statements
from eqvproof.statements.sources import select, statements_in_file, statements_of
from eqvproof.statements.statement import (
    Corollary,
    Definition,
    Lemma,
    ProofStep,
    Proposition,
    Remark,
    Statement,
    Theorem,
)

__all__ = [
    "Case",
    "Claim",
    "Condition",
    "Conjunction",
    "Construction",
    "Corollary",
    "Court",
    "Definition",
    "DefinitionByUse",
    "Enumeration",
    "Equivariance",
    "Finding",
    "ForEvery",
    "Identity",
    "Implies",
    "Instance",
    "Lemma",
    "NotFor",
    "ProofStep",
    "Proposition",
    "Remark",
    "Review",
    "Row",
    "Statement",
    "Steps",
    "Theorem",
    "Typing",
    "review_statements",
    "select",
    "statements_in_file",
    "statements_of",
]
