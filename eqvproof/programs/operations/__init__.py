"""The operations of a Program: one file each, which holds all that the package knows of it.

The interface of the classes is in `base`; the kernel's own rule for an operation is in ``kernel/``,
written independently. To add an operation, write its file, name it here, and give the builder a
method that makes it.
"""

from collections.abc import Mapping

from eqvproof.programs.operations.add import Add
from eqvproof.programs.operations.base import Args, Operation, Shape
from eqvproof.programs.operations.concat import Concat
from eqvproof.programs.operations.const import Const
from eqvproof.programs.operations.eigenvectors import Eigenvectors
from eqvproof.programs.operations.einsum import Einsum
from eqvproof.programs.operations.form import Form
from eqvproof.programs.operations.functions import FUNCTIONS
from eqvproof.programs.operations.indicator import Indicator
from eqvproof.programs.operations.input import Input
from eqvproof.programs.operations.iota import Iota
from eqvproof.programs.operations.map import Map
from eqvproof.programs.operations.matrix import Matrix
from eqvproof.programs.operations.matrix_functions import MATRIX_FUNCTIONS
from eqvproof.programs.operations.opaque import Opaque
from eqvproof.programs.operations.read import Read
from eqvproof.programs.operations.reduce import REDUCE_FUNCTIONS, Reduce
from eqvproof.programs.operations.reshape import Reshape
from eqvproof.programs.operations.select import Select
from eqvproof.programs.operations.size_of import SizeOf
from eqvproof.programs.operations.sort import Sort
from eqvproof.programs.places import WHOLE, Place

OPERATIONS: Mapping[str, type[Operation]] = {
    record.op: record
    for record in (
        Input,
        Const,
        SizeOf,
        Iota,
        Indicator,
        Form,
        Einsum,
        Add,
        Map,
        Select,
        Reduce,
        Concat,
        Read,
        Reshape,
        Sort,
        Matrix,
        Eigenvectors,
        Opaque,
    )
}

__all__ = [
    "FUNCTIONS",
    "MATRIX_FUNCTIONS",
    "OPERATIONS",
    "REDUCE_FUNCTIONS",
    "WHOLE",
    "Add",
    "Args",
    "Concat",
    "Const",
    "Eigenvectors",
    "Einsum",
    "Form",
    "Indicator",
    "Input",
    "Iota",
    "Map",
    "Matrix",
    "Opaque",
    "Operation",
    "Place",
    "Read",
    "Reduce",
    "Reshape",
    "Select",
    "Shape",
    "SizeOf",
    "Sort",
]
