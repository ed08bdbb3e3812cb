"""Groups: products of families on the axes of a signature, their elements and how they act."""

from eqvproof.claims.groups.act import act, act_all, act_on_argument, act_on_point, reach
from eqvproof.claims.groups.custom import generated_by
from eqvproof.claims.groups.element import (
    Element,
    compose,
    element_of,
    generators_of,
    identity_of,
    is_trivial,
    random_element,
    simple_elements,
)
from eqvproof.claims.groups.families import FAMILIES, form
from eqvproof.claims.groups.family import Family
from eqvproof.claims.groups.matrices import householder_matrix
from eqvproof.claims.groups.model import Factor, Group
from eqvproof.claims.groups.parse import Under, acts_on_inputs, parse_group
from eqvproof.claims.groups.permutation import permutation_sign

__all__ = [
    "FAMILIES",
    "Element",
    "Factor",
    "Family",
    "Group",
    "Under",
    "act",
    "act_all",
    "act_on_argument",
    "act_on_point",
    "acts_on_inputs",
    "compose",
    "element_of",
    "form",
    "generated_by",
    "generators_of",
    "householder_matrix",
    "identity_of",
    "is_trivial",
    "parse_group",
    "permutation_sign",
    "random_element",
    "reach",
    "simple_elements",
]
