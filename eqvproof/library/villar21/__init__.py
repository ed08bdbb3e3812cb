"""Villar, Hogg, Storey-Fisher, Yao, Blum-Smith: "Scalars are universal" (NeurIPS 2021), in words of ours.

Functions that are equivariant to O(d), SO(d), translations, permutations and the Lorentz group, by means of scalar
products. The text of the paper was not at hand: the mathematics is stated as it is known, places name topics and not
numbers, and where a place begins with "on", the statement is a question to the paper or a slip, and not printed there.
"""

from eqvproof.library.villar21 import (
    euclid_distances,
    example_energy,
    example_force,
    example_inertia,
    lorentz_orbits,
    lorentz_scalars,
    lorentz_vectors,
    od_lengths,
    od_pairing,
    od_relations,
    od_scalars,
    od_vectors,
    perm_vectors,
    sod_cross,
    sod_scalars,
    sod_vectors,
    translation_scalars,
    translation_vectors,
    translation_velocities,
)

#: Group after group.
STATEMENTS = (
    od_scalars.STATEMENT,
    od_vectors.STATEMENT,
    od_pairing.STATEMENT,
    od_relations.STATEMENT,
    od_lengths.STATEMENT,
    sod_scalars.STATEMENT,
    sod_cross.STATEMENT,
    sod_vectors.STATEMENT,
    translation_scalars.STATEMENT,
    translation_vectors.STATEMENT,
    translation_velocities.STATEMENT,
    euclid_distances.STATEMENT,
    perm_vectors.STATEMENT,
    example_energy.STATEMENT,
    example_inertia.STATEMENT,
    example_force.STATEMENT,
    lorentz_scalars.STATEMENT,
    lorentz_vectors.STATEMENT,
    lorentz_orbits.STATEMENT,
)
