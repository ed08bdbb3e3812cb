"""Kinds of claims: small frozen objects, each of which hands its question to the engines."""

from eqvproof.statements.claims.at_sizes import AtSizes
from eqvproof.statements.claims.construction import Case, Condition, Construction
from eqvproof.statements.claims.definition import DefinitionByUse
from eqvproof.statements.claims.equational import Equational
from eqvproof.statements.claims.equivariance import Equivariance
from eqvproof.statements.claims.identity import Identity
from eqvproof.statements.claims.instance import Enumeration, Instance
from eqvproof.statements.claims.linear_maps import LinearMaps, MapSpace
from eqvproof.statements.claims.logic import Conjunction, ForEvery, Implies, NotFor
from eqvproof.statements.claims.steps import Steps
from eqvproof.statements.claims.typing import Typing

__all__ = [
    "AtSizes",
    "Case",
    "Condition",
    "Conjunction",
    "Construction",
    "DefinitionByUse",
    "Enumeration",
    "Equational",
    "Equivariance",
    "ForEvery",
    "Identity",
    "Implies",
    "Instance",
    "LinearMaps",
    "MapSpace",
    "NotFor",
    "Steps",
    "Typing",
]
