"""Formulas for the entries of equivariant coefficients, derived from their first entries."""

from eqvproof.papers.library.my23 import prop4_1_swap_diagonal, prop4_1_swap_pair
from eqvproof.papers.statements import Derivation, Statement


def diagonal_formula(g: str, first_entry: Statement) -> Derivation:
    """Derives g_ii = rho_1(y_i, sum of psi_1 over the other points) for the points Y.

    Args:
        g: the name of the coefficients, as a function of Y.
        first_entry: the statement that g_11 has this form.
    """
    return Derivation(
        f"diagonal({g}(Y), I) = rho1(column(Y, I), others(Y, I))",
        {
            f"diagonal({g}(y), i) = first({g}(swap(y, i)))": prop4_1_swap_diagonal.STATEMENT,
            f"first({g}(y)) = rho1(head(y), sum1(y))": first_entry,
        },
        {
            "y_i comes first": "head(swap(y, i)) = column(y, i)",
            "the others follow": "sum1(swap(y, i)) = others(y, i)",
        },
        "y i",
    )


def off_diagonal_formula(g: str, second_entry: Statement) -> Derivation:
    """Derives g_ij = rho_2(y_i, y_j, sum of psi_2 over the other points) for the points Y.

    Args:
        g: the name of the coefficients, as a function of Y.
        second_entry: the statement that g_12 has this form.
    """
    return Derivation(
        f"entry({g}(Y), I, J) = rho2(column(Y, I), column(Y, J), others(Y, I, J))",
        {
            f"entry({g}(y), i, j) = second({g}(front(y, i, j)))": prop4_1_swap_pair.STATEMENT,
            f"second({g}(y)) = rho2(head(y), next(y), sum2(y))": second_entry,
        },
        {
            "y_i comes first": "head(front(y, i, j)) = column(y, i)",
            "y_j comes second": "next(front(y, i, j)) = column(y, j)",
            "the others follow": "sum2(front(y, i, j)) = others(y, i, j)",
        },
        "y i j",
    )
