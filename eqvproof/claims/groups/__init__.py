"""Groups: products of families on the axes of a signature, their elements and how they act."""

from __future__ import annotations

from typing import TYPE_CHECKING

from eqvproof.support.lazy import loader, modules_of

#: Module -> its public names; loaded when first used.
_PUBLIC = modules_of(
    {
        "eqvproof.claims.groups.actions": "act act_all act_on_argument act_on_point reach",
        "eqvproof.claims.groups.custom": "generated_by",
        "eqvproof.claims.groups.element": "Element compose element_of generators_of identity_of"
        " is_trivial random_element simple_elements",
        "eqvproof.claims.groups.families": "FAMILIES form",
        "eqvproof.claims.groups.family": "Family",
        "eqvproof.claims.groups.matrices": "householder_matrix",
        "eqvproof.claims.groups.model": "Factor Group",
        "eqvproof.claims.groups.parse": "Under acts_on_inputs parse_group",
        "eqvproof.claims.groups.permutation": "permutation_sign",
        "eqvproof.claims.groups.point_groups": "point_group",
    }
)

__all__ = [*_PUBLIC]

if TYPE_CHECKING:
    from eqvproof.claims.groups.actions import act as act
    from eqvproof.claims.groups.actions import act_all as act_all
    from eqvproof.claims.groups.actions import act_on_argument as act_on_argument
    from eqvproof.claims.groups.actions import act_on_point as act_on_point
    from eqvproof.claims.groups.actions import reach as reach
    from eqvproof.claims.groups.custom import generated_by as generated_by
    from eqvproof.claims.groups.element import Element as Element
    from eqvproof.claims.groups.element import compose as compose
    from eqvproof.claims.groups.element import element_of as element_of
    from eqvproof.claims.groups.element import generators_of as generators_of
    from eqvproof.claims.groups.element import identity_of as identity_of
    from eqvproof.claims.groups.element import is_trivial as is_trivial
    from eqvproof.claims.groups.element import random_element as random_element
    from eqvproof.claims.groups.element import simple_elements as simple_elements
    from eqvproof.claims.groups.families import FAMILIES as FAMILIES
    from eqvproof.claims.groups.families import form as form
    from eqvproof.claims.groups.family import Family as Family
    from eqvproof.claims.groups.matrices import householder_matrix as householder_matrix
    from eqvproof.claims.groups.model import Factor as Factor
    from eqvproof.claims.groups.model import Group as Group
    from eqvproof.claims.groups.parse import Under as Under
    from eqvproof.claims.groups.parse import acts_on_inputs as acts_on_inputs
    from eqvproof.claims.groups.parse import parse_group as parse_group
    from eqvproof.claims.groups.permutation import permutation_sign as permutation_sign
    from eqvproof.claims.groups.point_groups import point_group as point_group
else:
    __getattr__ = loader(__name__, _PUBLIC)
