"""The tables of traced functions name every handler, and find it in its module."""

from __future__ import annotations

import importlib
import pkgutil

import numpy as np
import pytest

from eqvproof.tracing.arrays import functions

MODULES = {
    info.name: importlib.import_module(f"{functions.__name__}.{info.name}")
    for info in pkgutil.iter_modules(functions.__path__)
}
TABLES = {"FUNCTIONS": functions.FUNCTIONS, "UFUNCS": functions.UFUNCS}
#: Handlers of calls with infinite entries: `calls` asks this module itself.
OF_INFINITE = "masking"


@pytest.mark.parametrize("table", TABLES)
def test_every_handler_is_found(table: str) -> None:
    handled = {f: h for n, m in MODULES.items() if n != OF_INFINITE for f, h in getattr(m, table, {}).items()}
    assert handled and [f for f in handled if TABLES[table].get(f) is not handled[f]] == []


@pytest.mark.parametrize("table", TABLES)
def test_every_function_of_a_table_has_its_handler(table: str) -> None:
    assert all(callable(TABLES[table][f]) for f in TABLES[table])


def test_functions_without_a_handler_are_not_in_the_tables() -> None:
    assert np.save not in functions.FUNCTIONS and functions.FUNCTIONS.get(np.save) is None
    with pytest.raises(KeyError):
        functions.UFUNCS[np.sum]


def test_functions_of_libraries_are_entered_once_the_library_is_imported() -> None:
    special, ndimage, stats = (pytest.importorskip(f"scipy.{n}") for n in ("special", "ndimage", "stats"))
    functions.load_scipy()
    assert special.expit in functions.UFUNCS and special.softmax in functions.FUNCTIONS
    assert ndimage.sobel in functions.FUNCTIONS and stats.zscore in functions.functions_with_definitions()
