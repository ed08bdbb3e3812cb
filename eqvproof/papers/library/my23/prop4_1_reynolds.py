"""Equivariant coefficients by the Reynolds average."""

from eqvproof.papers.library.my23.averages import build, cases, conditions
from eqvproof.papers.statements import (
    Conjunction,
    Construction,
    Equational,
    Identity,
    Illustrated,
    ProofStep,
)

#: mean(..) is the mean over all permutation matrices P; conj(P, M) = P M P^T, unconj(Q, M) = Q^T M Q.
AVERAGE_KEEPS_PRODUCT = Equational(
    "times(X, mean(conj(P, g(act(know(X), P))))) = times(X, g(know(X)))",
    {
        "X mean(M) = mean(X M)": "times(x, mean(m)) = mean(times(x, m))",
        "X (P M P^T) = ((X P) M) P^T": "times(x, conj(p, m)) = back(times(act(x, p), m), p)",
        "(Z^T X) P = Z^T (X P)": "act(know(x), p) = know(act(x, p))",
        "f(X P, Z) = f(X, Z) P": "times(act(x, p), g(know(act(x, p)))) = act(times(x, g(know(x))),"
        " p)",
        "(A P) P^T = A": "back(act(a, p), p) = a",
        "the mean of what does not depend on P": "mean(times(X, g(know(X)))) = times(X,"
        " g(know(X)))",
    },
    "x p m a",
)
AVERAGE_IS_EQUIVARIANT = Equational(
    "mean(conj(P, g(act(act(Y, Q), P)))) = unconj(Q, mean(conj(R, g(act(Y, R)))))",
    {
        "(Y Q) P = Y (Q P)": "act(act(y, q), p) = act(y, mul(q, p))",
        "P M P^T = Q^T ((Q P) M (Q P)^T) Q": "conj(P, m) = unconj(Q, conj(mul(Q, P), m))",
        "the mean of Q^T M Q is Q^T mean(M) Q": "mean(unconj(q, m)) = unconj(q, mean(m))",
        "R = Q P runs through all R": "mean(conj(mul(Q, P), g(act(Y, mul(Q, P))))) = mean(conj(R,"
        " g(act(Y, R))))",
    },
    "y q p m",
)

STATEMENT = ProofStep(
    id="my23.prop4.1.reynolds",
    place="Appendix B, (B.1) and after it",
    formal=("Prop41.reynolds_same", "Prop41.reynolds_covariant"),
    printed="for f(X, Z) = X g(Z^T X) as in Definition 4.1 some g~ depends on Z^T X only, with X"
    " g~ = X g and g~(X P, Z) = P^T g~(X, Z) P",
    claim=Illustrated(
        Conjunction(
            {
                "X g~ = X g": AVERAGE_KEEPS_PRODUCT,
                "g~(X P) = P^T g~(X) P": AVERAGE_IS_EQUIVARIANT,
                "X (P M P^T) = ((X P) M) P^T": Identity(
                    lambda X, P, M: X @ (P @ M @ P.T),
                    lambda X, P, M: ((X @ P) @ M) @ P.T,
                    "X: d n, P: n n, M: n n -> d n",
                ),
            }
        ),
        {"g~ computed": Construction(cases, build, conditions)},
    ),
    reading=(
        "the paper says that one can take such a g~, but not which: here g~(Y) is the mean over"
        " all P of P g(Y P) P^T, a function of Y = Z^T X",
        "computed for up to 50 points: they are sorted, and g is averaged over permutations of"
        " equal points",
    ),
)
