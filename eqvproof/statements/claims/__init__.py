"""Kinds of claims: small frozen objects, each of which hands its question to the engines."""

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

__all__ = [
    "AtSizes",
    "Case",
    "Choice",
    "Condition",
    "Conjunction",
    "Construction",
    "Cost",
    "DefinitionByUse",
    "Derivation",
    "Enumeration",
    "Equational",
    "Equivariance",
    "ForEvery",
    "Identity",
    "Illustrated",
    "Implies",
    "Injective",
    "Instance",
    "LinearMaps",
    "MapSpace",
    "NotFor",
    "Polytope",
    "ProductShapes",
    "Steps",
    "Typing",
    "Variance",
    "Vertices",
]
