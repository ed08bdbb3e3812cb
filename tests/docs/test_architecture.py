"""The rooms in docs/architecture.md are what docs/make_architecture.py writes, and leave none out."""

from __future__ import annotations

import pytest

import eqvproof as ep
from docs import make_architecture


@pytest.mark.slow
def test_the_rooms_are_what_the_script_writes() -> None:
    written = make_architecture.PAGE.read_text(encoding="utf-8")
    assert make_architecture.page() == written, "run python docs/make_architecture.py"


def test_every_folder_is_a_room() -> None:
    folders = {f.name for f in make_architecture.PACKAGE.iterdir() if (f / "__init__.py").exists()}
    rooms = {name for floor in make_architecture.floors() for name in floor}
    assert folders == (rooms | {"kernel"}) - {"api"}


def test_a_public_module_is_one_object_under_both_names() -> None:
    import eqvproof.interface.testing.e3nn as there
    import eqvproof.testing.e3nn as here
    from eqvproof.claims.groups import Group
    from eqvproof.groups import Group as public

    assert here is there and public is Group and ep.groups.Group is Group
    assert here.__spec__ is not None and here.__spec__.name == there.__name__
