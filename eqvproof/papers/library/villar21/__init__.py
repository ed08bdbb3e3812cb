"""Villar, Hogg, Storey-Fisher, Yao, Blum-Smith: "Scalars are universal" (NeurIPS 2021).

Functions that are equivariant to O(d), SO(d), translations, permutations and the Lorentz group, by
means of scalar products, in words of ours. The text of the paper was not at hand: the mathematics
is stated as it is known, places name topics and not numbers, and where a place begins with "on",
the statement is a question to the paper or a slip, and not printed there.
"""

from eqvproof.papers.statements.sources import import_statements

#: Group after group.
STATEMENTS = import_statements(
    __name__,
    """
    od_scalars od_vectors od_pairing od_relations od_lengths
    sod_scalars sod_cross sod_vectors
    translation_scalars translation_vectors translation_velocities euclid_distances
    perm_vectors
    example_energy example_inertia example_force
    lorentz_scalars lorentz_vectors lorentz_orbits
    """,
)
