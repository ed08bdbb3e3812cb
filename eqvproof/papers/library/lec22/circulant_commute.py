"""Circulant matrices commute."""

from eqvproof.papers.library.lec22.circulants import circulant, powers
from eqvproof.papers.statements import (
    AtSizes,
    Conjunction,
    Equational,
    Equivariance,
    Identity,
    Illustrated,
    Proposition,
)

SIZES = tuple({"n": n} for n in range(1, 7))

STATEMENT = Proposition(
    id="lec22.circulant.commute",
    place="Translation and Shift Equivariance",
    formal="Rows.lec22_circulant_commute",
    printed="circulant matrices commute: C(v) C(w) = C(w) C(v)",
    claim=Illustrated(
        Conjunction(
            {
                "N (P x) = P (N x)": Equivariance(
                    lambda N, x: N @ x, "N: n n, x: n -> n", under="C(n)"
                ),
                "N sum_k w_k S^k = (sum_k w_k S^k) N": Equational(
                    "times(N, combine(w, P)) = times(combine(w, P), N)",
                    {
                        "N sum_k w_k M_k = sum_k w_k N M_k": "times(N, combine(w, m)) = combine(w,"
                        " times(N, m))",
                        "(sum_k w_k M_k) N = sum_k w_k M_k"
                        " N": "times(combine(w, m), n) = combine(w, times(m, n))",
                        "N S^k = S^k N for circulant N": "times(N, P) = times(P, N)",
                    },
                    "m n",
                ),
            }
        ),
        {
            "C(w) = sum_k w_k S^k": AtSizes(
                lambda sizes: Identity(circulant, powers, "w: {n} -> {n} {n}".format(**sizes)),
                SIZES,
            ),
            "C(v) C(w) = C(w) C(v)": AtSizes(
                lambda sizes: Identity(
                    lambda v, w: circulant(v) @ circulant(w),
                    lambda v, w: circulant(w) @ circulant(v),
                    "v: {n}, w: {n} -> {n} {n}".format(**sizes),
                ),
                SIZES,
            ),
        },
    ),
    reading=(
        "all pairs of circulant matrices of one size, with any entries. N is circulant: P N P^T ="
        " N for all cyclic shifts P. Then the first part, (P N P^T) (P x) = P (N x), gives N P = P"
        " N",
        "C(w) is the sum of w_k S^k over k, computed at some n; in the second part P stands for"
        " S^k",
    ),
)
