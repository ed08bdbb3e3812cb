"""Classics of learning on sets and point clouds: well-known statements, true ones and false ones.

Deep Sets (Zaheer and others 2017), the width of its sums (Wagstaff and others 2019), PointNet (Qi
and others 2017), Janossy pooling (Murphy and others 2019), the Set Transformer (Lee and others
2019), EGNN (Satorras and others 2021), Vector Neurons (Deng and others 2021), and normalisation
used for coordinates. All wording is our own. If a place begins with "on", the statement is not
printed in the paper: it is a question to it, or a slip.
"""

from eqvproof.papers.statements.sources import import_statements

#: In the order of the papers.
STATEMENTS = import_statements(
    __name__,
    """
    deepsets_layer deepsets_linear deepsets_set deepsets_one_sum
    wagstaff_enough wagstaff_fewer
    pointnet_invariant pointnet_segmentation pointnet_critical pointnet_multiplicities pointnet_transform
    janossy_orders janossy_pairs janossy_two_from_one janossy_sorting
    settransformer_sab settransformer_isab settransformer_seeds settransformer_mean settransformer_counts
    settransformer_positions
    egnn_coordinates egnn_features egnn_velocities egnn_mirror egnn_absolute
    vectors_linear vectors_bias vectors_relu vectors_coordinate_relu vectors_invariant vectors_batchnorm
    norm_layer norm_gain norm_batch
    """,
)
