"""The operations of a Program: one file each, which holds all that the package knows of it.

The interface of the classes is in `base`; the kernel's own rule for an operation is in ``kernel/``,
written independently. To add an operation, write its file, name it here and in `registry`, and give
the builder a method that makes it. The file of an operation is loaded when the operation is first
used.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from eqvproof.programs.operations.base import Args, Operation, Shape
from eqvproof.programs.places import WHOLE, Place
from eqvproof.support.lazy import loader, modules_of

#: Module -> its public names; loaded when first used.
_PUBLIC = modules_of(
    {
        "eqvproof.programs.operations.add": "Add",
        "eqvproof.programs.operations.concat": "Concat",
        "eqvproof.programs.operations.const": "Const",
        "eqvproof.programs.operations.eigenvectors": "Eigenvectors",
        "eqvproof.programs.operations.einsum": "Einsum",
        "eqvproof.programs.operations.form": "Form",
        "eqvproof.programs.operations.functions": "FUNCTIONS",
        "eqvproof.programs.operations.indicator": "Indicator",
        "eqvproof.programs.operations.input": "Input",
        "eqvproof.programs.operations.iota": "Iota",
        "eqvproof.programs.operations.map": "Map",
        "eqvproof.programs.operations.matrix": "Matrix",
        "eqvproof.programs.operations.matrix_functions": "MATRIX_FUNCTIONS",
        "eqvproof.programs.operations.opaque": "Opaque",
        "eqvproof.programs.operations.read": "Read",
        "eqvproof.programs.operations.reduce": "REDUCE_FUNCTIONS Reduce",
        "eqvproof.programs.operations.registry": "OPERATIONS",
        "eqvproof.programs.operations.reshape": "Reshape",
        "eqvproof.programs.operations.select": "Select",
        "eqvproof.programs.operations.size_of": "SizeOf",
        "eqvproof.programs.operations.sort": "Sort",
    }
)

__all__ = ["Args", "Operation", "Place", "Shape", "WHOLE", *_PUBLIC]

if TYPE_CHECKING:
    from eqvproof.programs.operations.add import Add as Add
    from eqvproof.programs.operations.concat import Concat as Concat
    from eqvproof.programs.operations.const import Const as Const
    from eqvproof.programs.operations.eigenvectors import Eigenvectors as Eigenvectors
    from eqvproof.programs.operations.einsum import Einsum as Einsum
    from eqvproof.programs.operations.form import Form as Form
    from eqvproof.programs.operations.functions import FUNCTIONS as FUNCTIONS
    from eqvproof.programs.operations.indicator import Indicator as Indicator
    from eqvproof.programs.operations.input import Input as Input
    from eqvproof.programs.operations.iota import Iota as Iota
    from eqvproof.programs.operations.map import Map as Map
    from eqvproof.programs.operations.matrix import Matrix as Matrix
    from eqvproof.programs.operations.matrix_functions import MATRIX_FUNCTIONS as MATRIX_FUNCTIONS
    from eqvproof.programs.operations.opaque import Opaque as Opaque
    from eqvproof.programs.operations.read import Read as Read
    from eqvproof.programs.operations.reduce import REDUCE_FUNCTIONS as REDUCE_FUNCTIONS
    from eqvproof.programs.operations.reduce import Reduce as Reduce
    from eqvproof.programs.operations.registry import OPERATIONS as OPERATIONS
    from eqvproof.programs.operations.reshape import Reshape as Reshape
    from eqvproof.programs.operations.select import Select as Select
    from eqvproof.programs.operations.size_of import SizeOf as SizeOf
    from eqvproof.programs.operations.sort import Sort as Sort
else:
    __getattr__ = loader(__name__, _PUBLIC)
