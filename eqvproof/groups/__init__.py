"""Groups: products of O, SO, S, A, C, Signs on the axes of a signature, their elements and how they act."""

from eqvproof.groups.act import act, act_all, act_on_argument
from eqvproof.groups.custom import generated_by
from eqvproof.groups.element import Element, compose, contragredient, identity, inverse, permutation_sign
from eqvproof.groups.model import FAMILIES, SUPPORTED, Factor, Family, Group, require_supported
from eqvproof.groups.parse import acts_on_inputs, parse_group
from eqvproof.groups.sampling import is_trivial, random_element
from eqvproof.groups.simple import generators, householder_matrix, simple_elements
from eqvproof.groups.words import words

__all__ = [
    "FAMILIES",
    "SUPPORTED",
    "Element",
    "Factor",
    "Family",
    "Group",
    "act",
    "act_all",
    "act_on_argument",
    "acts_on_inputs",
    "compose",
    "contragredient",
    "generated_by",
    "generators",
    "householder_matrix",
    "identity",
    "inverse",
    "is_trivial",
    "parse_group",
    "permutation_sign",
    "random_element",
    "require_supported",
    "simple_elements",
    "words",
]
