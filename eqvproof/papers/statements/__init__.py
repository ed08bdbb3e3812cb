"""Statements of papers as executable objects, and their review by the engines."""

from typing import TYPE_CHECKING, Any

from eqvproof.papers.statements.claims.at_sizes import AtSizes
from eqvproof.papers.statements.claims.choice import Choice
from eqvproof.papers.statements.claims.construction import Case, Condition, Construction
from eqvproof.papers.statements.claims.cost import Cost
from eqvproof.papers.statements.claims.definition import DefinitionByUse
from eqvproof.papers.statements.claims.derivation import Derivation
from eqvproof.papers.statements.claims.equational import Equational
from eqvproof.papers.statements.claims.equivariance import Equivariance
from eqvproof.papers.statements.claims.identity import Identity
from eqvproof.papers.statements.claims.illustrated import Illustrated
from eqvproof.papers.statements.claims.injective import Injective
from eqvproof.papers.statements.claims.instance import Enumeration, Instance
from eqvproof.papers.statements.claims.linear_maps import LinearMaps, MapSpace
from eqvproof.papers.statements.claims.logic import Conjunction, ForEvery, Implies, NotFor
from eqvproof.papers.statements.claims.products import ProductShapes
from eqvproof.papers.statements.claims.steps import Steps
from eqvproof.papers.statements.claims.typing import Typing
from eqvproof.papers.statements.claims.variance import Variance
from eqvproof.papers.statements.claims.vertices import Polytope, Vertices
from eqvproof.papers.statements.finding import Finding
from eqvproof.papers.statements.judge import Claim, Court
from eqvproof.papers.statements.pictures import Curves, Matrices, Picture
from eqvproof.papers.statements.review import Review, review_statements
from eqvproof.papers.statements.row import Row
from eqvproof.papers.statements.sources import select, statements_in_file, statements_of
from eqvproof.papers.statements.statement import (
    Corollary,
    Definition,
    Lemma,
    ProofStep,
    Proposition,
    Remark,
    Statement,
    Theorem,
)
from eqvproof.support.lazy import loader

#: Arguments and values of the formulas of statements: arrays, or traced values in their place.
Array = Any

__all__ = [
    "Array",
    "AtSizes",
    "Case",
    "Choice",
    "Claim",
    "Condition",
    "Conjunction",
    "Construction",
    "Corollary",
    "Cost",
    "Court",
    "Curves",
    "Definition",
    "DefinitionByUse",
    "Derivation",
    "Enumeration",
    "Equational",
    "Equivariance",
    "Finding",
    "ForEvery",
    "Identity",
    "Illustrated",
    "Implies",
    "Injective",
    "Instance",
    "Lemma",
    "LinearMaps",
    "MapSpace",
    "Matrices",
    "NotFor",
    "Picture",
    "Polytope",
    "ProductShapes",
    "ProofStep",
    "Proposition",
    "Remark",
    "Review",
    "Row",
    "Statement",
    "Steps",
    "Theorem",
    "Typing",
    "Variance",
    "Vertices",
    "review_statements",
    "select",
    "statements_in_file",
    "statements_of",
]

if not TYPE_CHECKING:  # for names that are not there
    __getattr__ = loader(__name__, {})
