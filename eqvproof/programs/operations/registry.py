"""The table of all operations of a Program, by their names in certificates."""

from __future__ import annotations

from collections.abc import Mapping

from eqvproof.programs.operations.add import Add
from eqvproof.programs.operations.base import Operation
from eqvproof.programs.operations.concat import Concat
from eqvproof.programs.operations.const import Const
from eqvproof.programs.operations.eigenvectors import Eigenvectors
from eqvproof.programs.operations.einsum import Einsum
from eqvproof.programs.operations.form import Form
from eqvproof.programs.operations.indicator import Indicator
from eqvproof.programs.operations.input import Input
from eqvproof.programs.operations.iota import Iota
from eqvproof.programs.operations.map import Map
from eqvproof.programs.operations.matrix import Matrix
from eqvproof.programs.operations.opaque import Opaque
from eqvproof.programs.operations.read import Read
from eqvproof.programs.operations.reduce import Reduce
from eqvproof.programs.operations.reshape import Reshape
from eqvproof.programs.operations.select import Select
from eqvproof.programs.operations.size_of import SizeOf
from eqvproof.programs.operations.sort import Sort

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
