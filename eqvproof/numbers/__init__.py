"""Exact numbers: rationals as long as possible, else balls; alone and in NumPy arrays."""

from __future__ import annotations

from typing import TYPE_CHECKING

from eqvproof.support.lazy import loader, modules_of

#: Module -> its public names; loaded when first used.
_PUBLIC = modules_of(
    {
        "eqvproof.numbers.arrays": "ExactArray exact_array is_rational result_array to_floats"
        " to_fractions",
        "eqvproof.numbers.number": "Real enclosure infinity",
        "eqvproof.numbers.scalar": "current_precision precision",
        "eqvproof.numbers.signals": "ExactSignal Inexact Undecided Undefined recording",
        "eqvproof.numbers.undefined": "UNDECIDED_ENTRY UNDEFINED",
    }
)

__all__ = [*_PUBLIC]

if TYPE_CHECKING:
    from eqvproof.numbers.arrays import ExactArray as ExactArray
    from eqvproof.numbers.arrays import exact_array as exact_array
    from eqvproof.numbers.arrays import is_rational as is_rational
    from eqvproof.numbers.arrays import result_array as result_array
    from eqvproof.numbers.arrays import to_floats as to_floats
    from eqvproof.numbers.arrays import to_fractions as to_fractions
    from eqvproof.numbers.number import Real as Real
    from eqvproof.numbers.number import enclosure as enclosure
    from eqvproof.numbers.number import infinity as infinity
    from eqvproof.numbers.scalar import current_precision as current_precision
    from eqvproof.numbers.scalar import precision as precision
    from eqvproof.numbers.signals import ExactSignal as ExactSignal
    from eqvproof.numbers.signals import Inexact as Inexact
    from eqvproof.numbers.signals import Undecided as Undecided
    from eqvproof.numbers.signals import Undefined as Undefined
    from eqvproof.numbers.signals import recording as recording
    from eqvproof.numbers.undefined import UNDECIDED_ENTRY as UNDECIDED_ENTRY
    from eqvproof.numbers.undefined import UNDEFINED as UNDEFINED
else:
    __getattr__ = loader(__name__, _PUBLIC)
