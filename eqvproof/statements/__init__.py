"""Statements of papers as executable objects, and their review by the engines."""

from typing import Any

from eqvproof.statements.claims.at_sizes import AtSizes
from eqvproof.statements.claims.choice import Choice
from eqvproof.statements.claims.construction import Case, Condition, Construction
from eqvproof.statements.claims.cost import Cost
from eqvproof.statements.claims.definition import DefinitionByUse
from eqvproof.statements.claims.derivation import Derivation
from eqvproof.statements.claims.equational import Equational
from eqvproof.statements.claims.equivariance import Equivariance
from eqvproof.statements.claims.identity import Identity
from eqvproof.statements.claims.illustrated import Illustrated
from eqvproof.statements.claims.injective import Injective
from eqvproof.statements.claims.instance import Enumeration, Instance
from eqvproof.statements.claims.linear_maps import LinearMaps, MapSpace
from eqvproof.statements.claims.logic import Conjunction, ForEvery, Implies, NotFor
from eqvproof.statements.claims.products import ProductShapes
from eqvproof.statements.claims.steps import Steps
from eqvproof.statements.claims.typing import Typing
from eqvproof.statements.claims.variance import Variance
from eqvproof.statements.claims.vertices import Polytope, Vertices
from eqvproof.statements.finding import Finding
from eqvproof.statements.judge import Claim, Court
from eqvproof.statements.pictures import Curves, Matrices, Picture
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

#: What formulas of statements take and give: an array, or what stands for one while they are traced.
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
