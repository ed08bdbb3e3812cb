"""Groups: products of families on the axes of a signature, their elements and how they act."""

from eqvproof.groups.act import act, act_all, act_on_argument, act_on_point, reach
from eqvproof.groups.custom import generated_by
from eqvproof.groups.element import (
    Element,
    compose,
    contragredient,
    generators,
    identity,
    inverse,
    is_trivial,
    of,
    random_element,
    simple_elements,
    words,
)
from eqvproof.groups.families import FAMILIES, form
from eqvproof.groups.family import Family
from eqvproof.groups.matrices import householder_matrix
from eqvproof.groups.model import Factor, Group
from eqvproof.groups.parse import Under, acts_on_inputs, parse_group
from eqvproof.groups.permutation import permutation_sign

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
    "contragredient",
    "form",
    "generated_by",
    "generators",
    "householder_matrix",
    "identity",
    "inverse",
    "is_trivial",
    "of",
    "parse_group",
    "permutation_sign",
    "random_element",
    "reach",
    "simple_elements",
    "words",
]
