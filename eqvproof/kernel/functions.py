"""The functions that a program may apply, by name: of entries, and of matrices."""

from __future__ import annotations

#: Function of entries -> number of arguments.
FUNCTIONS: dict[str, int] = {
    "pi": 0,
    **dict.fromkeys(
        "recip exp log sqrt cbrt abs sign sin cos tan sinh cosh tanh arcsin arccos arctan arcsinh"
        " erf lgamma digamma floor ceil rint not".split(),
        1,
    ),
    **dict.fromkeys("maximum minimum arctan2 pow mod lt le gt ge eq ne and or".split(), 2),
}
ODD = frozenset("recip cbrt sign sin tan sinh tanh arcsin arctan arcsinh erf rint".split())
EVEN = frozenset("abs cos cosh not".split())
#: Functions defined at all real numbers; for others this is not supposed.
TOTAL = frozenset(
    "pi exp cbrt abs sign sin cos sinh cosh tanh arctan arcsinh erf floor ceil rint not maximum"
    " minimum arctan2 lt le gt ge eq ne and or".split()
)
#: Function of matrices -> number of arguments.
MATRIX_FUNCTIONS = {**dict.fromkeys("inv det pinv eigvals cholesky".split(), 1), "spectral": 2}
#: Function -> the signs s_0, s_1, ... of sum_k s_k M^k / k!, repeated periodically.
SERIES: dict[str, tuple[int, ...]] = {
    "expm": (1,), "cosm": (1, 0, -1, 0), "sinm": (0, 1, 0, -1), "coshm": (1, 0), "sinhm": (0, 1),
}  # fmt: skip
MATRIX_FUNCTIONS |= dict.fromkeys(SERIES, 1)
#: In place of the symmetry of an opaque function: each entry of the value is one function of the
#: entries at its place.
ENTRIES = "entries"
#: The prefix of the name of a function without arguments that stands for an unknown number where
#: entries tie.
AT_A_TIE = "at_a_tie."
