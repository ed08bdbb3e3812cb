"""Orthogonal matrices with prescribed images, in closed form (Wall, Cartan, Dieudonne, Scherk).

Let X, Y be d x k with equal Gram matrices and U = X - Y of full column rank. Then

    Q = I - U M^-1 U^T,    M = U^T X,

is orthogonal and Q X = Y.

Proof. M + M^T = U^T X + X^T U = 2 X^T X - Y^T X - X^T Y = U^T U, using X^T X = Y^T Y. So M is
invertible: M a = 0 gives |U a|^2 = 2 a^T M a = 0. Q X = X - U M^-1 M = Y. Q^T Q = I - U M^-T (M +
M^T - U^T U) M^-1 U^T = I. If X has more columns x with x - y in the span of U, then Q x = y too,
for the equal Gram matrices. QED
"""

from __future__ import annotations

from eqvproof.invariants.witnesses.field import FieldMatrix, solve_integers
from eqvproof.invariants.witnesses.lattice import coprime, reduced_pairs


def wall_form(x: FieldMatrix, u: FieldMatrix) -> FieldMatrix:
    """Computes ``I - U (U^T X)^-1 U^T`` for d x k matrices X and U = X - Y.

    Exactness: exact; one solve of a k x k system, by modular lifting over the rationals.

    Raises:
        ZeroDivisionError: when ``U^T X`` is singular (the Gram matrices of X and Y differ, or U is
        deficient).

    Source: Wall (1959), "The structure of a unitary factor group".
    """
    identity = FieldMatrix.identity(x.shape[0], x.field)
    if not x.field.is_rational:
        return identity - u @ (u.transpose() @ x).solve(u.transpose())
    # U = top / bottom, X = x.top / x.bottom: U M^-1 U^T = (x.bottom / bottom) top (top^T x.top)^-1
    # top^T
    top = u.top
    solution, denominator = solve_integers(top.transpose() * x.top, top.transpose())
    bottom = denominator * u.bottom
    return FieldMatrix.make(x.field, (identity.top * bottom - top * solution * x.bottom,), bottom)


def one_solve(x: FieldMatrix, y: FieldMatrix) -> FieldMatrix:
    """Computes ``Y X^-1`` for invertible X: the only Q with Q X = Y."""
    return x.transpose().solve(y.transpose()).transpose()


def reflection_vectors(x: FieldMatrix, u: FieldMatrix) -> list[FieldMatrix]:
    """Returns v_1, ..., v_k whose reflections multiply to Wall's form: ``H_{v_k} ... H_{v_1}``.

    Proof. Let v_1 = x_1 - y_1 and replace each further x_j by a combination x'_j that is orthogonal
    to v_1, with u'_j = x'_j - Q x'_j. Then Q H_{v_1} fixes x_1, sends x'_j to Q x'_j, and is Wall's
    form of the k - 1 pairs (x'_j, u'_j): ``Q = Q' H_{v_1}``, and so on. The combinations make U^T X
    lower triangular; its leading minors do not vanish, since its symmetric part U^T U / 2 is
    positive definite. QED

    The vectors are minors of one matrix, so that their length grows linearly; the textbook sequence
    (reflect in ``Q_current x_i - y_i``) multiplies the length at every step.

    Exactness: exact; rational vectors are returned with coprime integers.
    """
    if x.field.is_rational:
        x, u = reduced_pairs(x, u)
    form = u.transpose() @ x
    vectors = []
    for j in range(u.shape[1]):
        vector = u.select(columns=[j])
        if j:
            head = form.select(range(j), range(j))
            weights = head.solve(form.select(range(j), [j]))
            vector = vector - u.select(columns=range(j)) @ weights
        vectors.append(coprime(vector))
    return vectors
