"""The operations of a Program: one file each, which holds all that the package knows of it.

What a class may be asked is in `base`; the kernel's own rule for it is in ``kernel/``, written apart. To add
an operation, write its file, name it here, and give the builder a method that makes it.
"""

from collections.abc import Mapping

from eqvproof.operations.add import Add
from eqvproof.operations.base import Args, Operation, Shape
from eqvproof.operations.concat import Concat
from eqvproof.operations.const import Const
from eqvproof.operations.eigenvectors import Eigenvectors
from eqvproof.operations.einsum import Einsum
from eqvproof.operations.form import Form
from eqvproof.operations.functions import FUNCTIONS
from eqvproof.operations.indicator import Indicator
from eqvproof.operations.input import Input
from eqvproof.operations.iota import Iota
from eqvproof.operations.map import Map
from eqvproof.operations.matrix import FUNCTIONS as MATRIX_FUNCTIONS
from eqvproof.operations.matrix import Matrix
from eqvproof.operations.opaque import Opaque
from eqvproof.operations.places import WHOLE, Place
from eqvproof.operations.read import Read
from eqvproof.operations.reduce import REDUCE_FUNCTIONS, Reduce
from eqvproof.operations.reshape import Reshape
from eqvproof.operations.select import Select
from eqvproof.operations.size_of import SizeOf
from eqvproof.operations.sort import Sort

OPERATIONS: Mapping[str, type[Operation]] = {
    record.op: record
    for record in (
        Input, Const, SizeOf, Iota, Indicator, Form, Einsum, Add, Map, Select, Reduce, Concat, Read, Reshape,
        Sort, Matrix, Eigenvectors, Opaque,
    )
}  # fmt: skip

__all__ = [
    "FUNCTIONS", "MATRIX_FUNCTIONS", "OPERATIONS", "REDUCE_FUNCTIONS", "WHOLE", "Add", "Args", "Concat",
    "Const", "Eigenvectors", "Einsum", "Form", "Indicator", "Input", "Iota", "Map", "Matrix", "Opaque",
    "Operation", "Place", "Read", "Reduce", "Reshape", "Select", "Shape", "SizeOf", "Sort",
]  # fmt: skip
