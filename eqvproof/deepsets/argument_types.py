"""Types of the arguments of `pool` and `decompose`, for readers and type checkers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    import sympy

    from eqvproof.deepsets.power_sums import PowerSums


class OtherArray(Protocol):
    """An array of CuPy, Dask or another library with the array API."""

    @property
    def shape(self) -> Any:
        """Returns the numbers of entries along the axes."""

    @property
    def dtype(self) -> Any:
        """Returns the type of the entries."""


class Workers(Protocol):
    """An executor of `concurrent.futures`, or a Dask client."""

    @property
    def submit(self) -> Callable[..., Any]:
        """Returns the method that sends a call to a worker."""


#: An array of NumPy, or numbers as nested sequences.
HostArray: TypeAlias = "NDArray[Any] | Sequence[Any]"
#: phi of a sum: expressions, exponents of monomials, power sums, or a function of a row.
Features: TypeAlias = (
    "sympy.Expr | sympy.MatrixBase | Sequence[Any] | PowerSums | Callable[[Any], Any]"
)
#: An expression, or a matrix of them.
Expressions: TypeAlias = "sympy.Expr | sympy.MatrixBase"
#: Sums of features, and the sum of one.
Sums: TypeAlias = "NDArray[np.floating[Any]]"
Sum: TypeAlias = "np.floating[Any]"
