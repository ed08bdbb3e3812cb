"""The functions of matrices, with their properties: one row for each."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from eqvproof.programs.rules.acts import Act, Type


@dataclass(frozen=True, slots=True)
class MatrixFunction:
    """The properties of one function of matrices.

    Attributes:
        result: the acts of the last axes, from the duals of those of the argument, and a fixed one.
        lost: how many of the last two axes the result lacks.
        formula: in words.
        code: in NumPy.
        needs_orthogonal: whether the acts on rows and columns must be orthogonal.
        needs_dual_columns: whether the act on columns must be the dual of that on rows.
        needs_fixed: whether no act on rows or columns has a rule, nor a character.
        partial: whether there are matrices of real numbers at which it is not defined.
        polynomial: P, if the function is a polynomial in P (times M^T for M^T M) whose coefficients
            depend on the eigenvalues of P with their multiplicities, and on weights; see
            `evaluate.matrices`; "" for other functions.
        series: the signs s_0, s_1, ... of a function sum_k s_k M^k / k!, which are repeated.
        names: its names in libraries, by library.
    """

    result: Callable[[Act, Act, Act], Type]
    lost: int
    formula: str
    code: str
    needs_orthogonal: bool = False
    needs_dual_columns: bool = False
    needs_fixed: bool = False
    partial: bool = False
    polynomial: str = ""
    series: tuple[int, ...] = ()
    names: Mapping[str, str] = field(default_factory=dict)


_SYMMETRIC = "({0} + np.swapaxes({0}, -1, -2)) / 2"


def _series(name: str, signs: tuple[int, ...], names: Mapping[str, str]) -> MatrixFunction:
    """Returns the properties of a power series that converges everywhere."""
    terms = f"{signs}[k % {len(signs)}] * np.linalg.matrix_power({{0}}, k) / math.factorial(k)"
    return MatrixFunction(
        lambda a, b, fixed: (b, a),
        0,
        f"{name} of the matrix {{0}}",
        f"sum({terms} for k in range(100))",
        needs_dual_columns=True,
        polynomial="M",
        series=signs,
        names=names,
    )


MATRIX_FUNCTIONS: Mapping[str, MatrixFunction] = {
    "inv": MatrixFunction(
        lambda a, b, fixed: (b, a),
        0,
        "{0}^-1",
        "np.linalg.inv({0})",
        partial=True,
        names={"scipy": "inv", "jax": "numpy/linalg.py inv"},
    ),
    "pinv": MatrixFunction(
        lambda a, b, fixed: (b, a),
        0,
        "{0}^+",
        "np.linalg.pinv({0})",
        needs_orthogonal=True,
        polynomial="M^T M",
        names={"jax": "numpy/linalg.py _pinv"},
    ),
    "det": MatrixFunction(
        lambda a, b, fixed: (),
        2,
        "det {0}",
        "np.linalg.det({0})",
        needs_dual_columns=True,
        names={"scipy": "det", "jax": "numpy/linalg.py det"},
    ),
    "eigvals": MatrixFunction(
        lambda a, b, fixed: (fixed,),
        1,
        "the eigenvalues of {0}, symmetrised",
        f"np.linalg.eigvalsh({_SYMMETRIC})",
        needs_orthogonal=True,
        needs_dual_columns=True,
        polynomial="M + M^T",
    ),
    "spectral": MatrixFunction(
        lambda a, b, fixed: (a, b),
        0,
        "the sum of {1}_k v_k v_k^T, v_k the eigenvectors of {0}",
        "(lambda v, w: (v * w[..., None, :]) @ np.swapaxes(v, -1, -2))"
        f"(np.linalg.eigh({_SYMMETRIC})[1], {{1}})",
        needs_orthogonal=True,
        needs_dual_columns=True,
        polynomial="M + M^T",
    ),
    "cholesky": MatrixFunction(
        lambda a, b, fixed: (fixed, fixed),
        0,
        "the Cholesky factor of {0}",
        "np.linalg.cholesky({0})",
        needs_fixed=True,
        partial=True,
    ),
    "expm": _series(
        "exp", (1,), {"scipy": "expm", "torch": "linalg_matrix_exp", "jax": "scipy/linalg.py expm"}
    ),
    "cosm": _series("cos", (1, 0, -1, 0), {"scipy": "cosm"}),
    "sinm": _series("sin", (0, 1, 0, -1), {"scipy": "sinm"}),
    "coshm": _series("cosh", (1, 0), {"scipy": "coshm"}),
    "sinhm": _series("sinh", (0, 1), {"scipy": "sinhm"}),
}
