"""Functions with exceptional sets (ties, equal eigenvalues, deficient rank), claims, and an oracle.

The claims carry no labels: `oracle` computes them by calling the functions. Nothing here uses the package.
"""

from __future__ import annotations

from benchmarks.exceptional_claims import jax_claims, numpy_order, numpy_spectra, torch_claims  # noqa: F401
from benchmarks.exceptional_claims.claim import CLAIMS, Claim

#: Further claims beside the table of 60, for a second look by `--spare`: nobody has tuned anything to them.
SPARE = frozenset(
    (
        "numpy.three_largest numpy.kendall_score numpy.keep_three_of_largest_magnitude "
        "numpy.rows_by_first_column numpy.distance_to_second_neighbour numpy.mean_of_two_nearest "
        "numpy.label_of_nearest_prototype numpy.trimmed_by_norm numpy.majority_vote numpy.sort_pool "
        "numpy.sign_by_largest_entry numpy.fiedler_bipartition numpy.kabsch_aligned "
        "numpy.procrustes_rotation numpy.best_rank_one numpy.cosine_with_surface_normal "
        "numpy.laplacian_encoding_abs numpy.hard_threshold_at_median numpy.average_ranks numpy.spearman "
        "numpy.vq_lookup numpy.value_at_argmax numpy.stable_rank numpy.zca_whitening torch.local_density"
    ).split()
)
TABLE = [claim for claim in CLAIMS if claim.name not in SPARE]

__all__ = ["CLAIMS", "SPARE", "TABLE", "Claim"]
