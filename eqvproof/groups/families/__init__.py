"""The families of groups: the registry, an explicit tuple."""

from __future__ import annotations

from eqvproof.groups.families.affine import SE, E, T
from eqvproof.groups.families.cycles import C, D
from eqvproof.groups.families.generated import GenGL, GenO, GenS
from eqvproof.groups.families.linear import GL
from eqvproof.groups.families.multiples import Scale
from eqvproof.groups.families.orthogonal import SO, O
from eqvproof.groups.families.permutations import A, S
from eqvproof.groups.families.signs import Signs
from eqvproof.groups.family import Family

#: The families that a text such as "O(d)" names, by letter.
FAMILIES: dict[str, Family] = {f.letter: f for f in (O, SO, S, A, C, D, T, E, SE, Signs, GL, Scale)}
#: The families of groups that are given by generators.
GENERATED: dict[str, Family] = {f.letter: f for f in (GenS, GenO, GenGL)}
EVERY_FAMILY: dict[str, Family] = {**FAMILIES, **GENERATED}
