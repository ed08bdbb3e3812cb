"""The variance of an inner product."""

from eqvproof.papers.library.lec22.moments import variance, variance_without_means
from eqvproof.papers.statements import Conjunction, Identity, Illustrated, Remark, Variance

STATEMENT = Remark(
    id="lec22.sqrt-scaling",
    place='Multi-Head Attention, "Why square root?"',
    printed="independent entries with variance 1: Var(q . k) = d, so that q . k / sqrt(d) has"
    " variance 1",
    claim=Conjunction(
        {
            "Var(q . k) = d": Identity(variance, lambda a, b: a.shape[0], "a: d, b: d -> ()"),
            "Var(q . k / sqrt(d)) = 1": Identity(
                lambda a, b: variance(a, b) / a.shape[0], lambda a, b: 1, "a: d, b: d -> ()"
            ),
        }
    ),
    reading=(
        "all 2 d entries of q and k are independent with variance 1; the slide does not mention"
        " their means, which are a and b here",
        "only moments matter: by independence E(q_i q_j k_i k_j) = E(q_i q_j) E(k_i k_j), and E q"
        " q^T = I + a a^T",
    ),
).repaired_as(
    printed="independent entries with mean 0 and variance 1: Var(q . k) = d, so that q . k /"
    " sqrt(d) has variance 1",
    claim=Illustrated(
        Conjunction(
            {
                "Var(q . k) = d": Identity(
                    variance_without_means, lambda x: x.shape[0], "x: d -> ()"
                ),
                "Var(q . k / sqrt(d)) = 1": Identity(
                    lambda x: variance_without_means(x) / x.shape[0], lambda x: 1, "x: d -> ()"
                ),
            }
        ),
        {
            f"entries uniform on {outcomes}": Variance(
                lambda q, k: q @ k,
                lambda sizes: sizes["d"],
                "q: d, k: d",
                outcomes,
                tuple({"d": d} for d in range(1, most)),
            )
            for outcomes, most in (((-1, 1), 5), ((-2, 0, 0, 0, 0, 0, 0, 2), 3))
        },
    ),
    reading="the means, which the slide does not mention, are 0; x, of length d, only carries the"
    " dimension",
)
