"""Villar, Hogg, Storey-Fisher, Yao, Blum-Smith: "Scalars are universal" (NeurIPS 2021).

Functions that are equivariant to O(d), SO(d), translations, permutations and the Lorentz group, by
means of scalar products, in our own words. The text of the paper was not available: the known
mathematics is stated, and places name topics, not numbers. If a place begins with "on", the
statement is not printed in the paper: it is a question to it, or a slip.
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
