"""The records of families: what each says is so, and nothing of a family is said elsewhere."""

from __future__ import annotations

import ast
import pkgutil
import random
import re
from collections.abc import Callable
from fractions import Fraction
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import eqvproof
from eqvproof.claims.groups import (
    FAMILIES,
    Element,
    Factor,
    Family,
    act,
    compose,
    families,
    generators_of,
    identity_of,
)
from eqvproof.claims.groups.families import (
    EVERY_FAMILY,
    GENERATED,
    containing,
    largest_first,
    letters,
)
from eqvproof.claims.groups.family import FiniteFamily, LieFamily
from eqvproof.claims.groups.kinds import Kind
from eqvproof.claims.groups.matrices import householder_matrix, product_of, to_flint, unit
from eqvproof.claims.signature import parse_signature
from eqvproof.kernel import claims, report
from eqvproof.kernel import elements as kernel_elements
from eqvproof.kernel import groups as kernel_groups
from eqvproof.kernel.interval import Arithmetic
from eqvproof.kernel.tensors import Tensor
from tests.sampling import every_case

PACKAGE = Path(eqvproof.__file__).parent
SIZES = range(1, 6)
SQUARE = parse_signature("X: d d -> d d").output


def some(family: Family, size: int) -> list[Element]:
    """Elements of a family: random ones, simple ones, generators, the revealing one."""
    rng = random.Random(size)
    found = [family.sample(size, rng) for _ in range(3)] + list(islice(family.simple(size), 20))
    if isinstance(family, FiniteFamily):
        found += family.generators(size)
    if size >= family.trivial_below and (data := family.revealing_element(size)) is not None:
        found.append(data)
    return [Element(family.letter, "d", data) for data in found]


def each(where: Any = lambda family: True) -> Any:
    chosen = [family for family in EVERY_FAMILY.values() if where(family)]
    return pytest.mark.parametrize("family", chosen, ids=[family.letter for family in chosen])


def test_every_file_of_families_is_registered() -> None:
    """And every record of one of them is: a family is one file and one line of the registry."""
    found = {}
    for module in pkgutil.iter_modules(families.__path__):
        loaded = __import__(f"{families.__name__}.{module.name}", fromlist=["*"])
        own = {v.letter: v for v in vars(loaded).values() if isinstance(v, Family)}
        assert own, f"{module.name} holds no family"
        found |= own
    assert found.keys() == EVERY_FAMILY.keys()
    assert all(EVERY_FAMILY[letter] is family for letter, family in found.items())


def test_no_two_families_have_one_name() -> None:
    names = [name for family in FAMILIES.values() for name in (family.letter, *family.names)]
    assert len(set(names)) == len(names)


@each()
def test_elements_are_elements_of_all_larger_families(family: Family) -> None:
    for size in SIZES:
        for g in some(family, size):
            for larger in containing(family).values():
                data = g.data if larger.kind is family.kind else g.matrix()
                data = (g.matrix(), g.vector) if larger.parts and larger.kind.translates else data
                assert not larger.why_not(data, len(data)), (larger.letter, g)


def halves(g: Element) -> list[Element]:
    """Elements of the parts of its family, of which g is the product."""
    first, second = (part.letter for part in g.factor.record.parts)
    if g.family == "B":
        places = [[v != 0 for v in row].index(True) for row in g.matrix()]
        signs = tuple(int(row[k]) for row, k in zip(g.matrix(), places, strict=True))
        return [Element(second, "d", signs), Element(first, "d", tuple(places))]
    return [Element(first, "d", g.vector), Element(second, "d", g.matrix())]


@each(lambda family: family.parts)
def test_parts_generate_the_family(family: Family) -> None:
    """Every element acts as one of the second part, then one of the first, or the other way around."""
    axes = parse_signature("X: d d^ -> d d^").output if family.kind.translates else SQUARE
    for size in SIZES:
        x = np.array([[Fraction(3 * i + j * j + 1) for j in range(size)] for i in range(size)], dtype=object)
        for g in some(family, size):
            last, first = halves(g)
            assert (act(last, act(first, x, axes), axes) == act(g, x, axes)).all()
            assert {last.family, first.family} == {part.letter for part in family.parts}


@each(lambda family: family.kind.acts_by_matrices or family.parts)
def test_special_families_have_determinant_one_and_others_another(family: Family) -> None:
    if family.letter in GENERATED:
        assert not family.special
        return
    sizes = [size for size in SIZES if size >= family.trivial_below]
    found = {to_flint(g.matrix()).det() for size in sizes for g in some(family, size)}
    assert (found == {1}) == family.special


@each(lambda family: family.revealing_element(3) is not None)
def test_telling_elements_are_no_identity(family: Family) -> None:
    for size in range(family.trivial_below, 9):
        data = family.revealing_element(size)
        if data is None:
            assert size == 1
        else:
            assert not Element(family.letter, "d", data).is_identity


@each(lambda family: isinstance(family, FiniteFamily))
def test_generators_generate_as_many_as_there_are(family: Family, request: pytest.FixtureRequest) -> None:
    assert isinstance(family, FiniteFamily)
    most = 10**4 if every_case(request.config) else 500
    for size in (size for size in SIZES if family.order(size) <= most):
        factor = Factor(family.letter, "n")
        found, last = {identity_of(factor, size)}, [identity_of(factor, size)]
        while last:
            last = list({compose(g, h) for g in generators_of(factor, size) for h in last} - found)
            found |= {*last}
        assert len(found) == family.order(size)
        assert {g.data for g in found} == {*family.members(size)}


@each(lambda family: family.mirrors)
@pytest.mark.parametrize("size", [2, 3, 5])
def test_products_of_mirrors_are_elements(family: Family, size: int) -> None:
    rng = random.Random(size)
    for _ in range(5):
        q = unit(size)
        for _ in range(family.mirrors):
            q = product_of(q, householder_matrix([rng.randint(1, 9) for _ in range(size)]))
        assert not family.why_not(q, size)


@each(lambda family: isinstance(family, LieFamily))
def test_lie_algebras_are_tangent(family: Family) -> None:
    """1 + eps A is an element to first order: orthogonal where A is skew, invertible always."""
    assert isinstance(family, LieFamily)
    for size in SIZES:
        for a in family.lie(size):
            if family.kind.rotates:
                assert all(a[i][j] == -a[j][i] for i in range(size) for j in range(size))
        for g in family.components(size):
            assert not family.why_not(g, size) and to_flint(g).det() < 0


@each(lambda family: family.letter in FAMILIES)
@pytest.mark.parametrize("text", ["X: d 2 -> d 2", "X: 2 d! -> 2 d!", "X: 2 d* -> 2 d*", "X: d^ d! -> d^ d!"])
def test_the_kernel_reads_what_is_written_and_acts_as_we_do(family: Family, text: str) -> None:
    axes = parse_signature(text.replace("d", "2d") if family.reals == 2 else text).output
    theirs = claims.axes([axis.to_json() for axis in axes], "$")
    for size in SIZES:
        if size % family.reals:
            continue
        report.allow_work(10**7)
        sizes = {"d": size // family.reals}
        shape = tuple(axis.at(sizes) for axis in axes)
        x = np.array([Fraction(k * k + 1, k + 2) for k in range(shape[0] * shape[1])], dtype=object)
        for g in some(family, size):
            mine = act(g, x.reshape(shape), axes, sizes).ravel().tolist()
            factor, arithmetic = claims.Factor(family.letter, "d"), Arithmetic(64)
            read = kernel_elements.element(g.to_evidence(), "$", factor, size, arithmetic)
            value = Tensor(shape, x.tolist())
            moved = kernel_elements.act_on_tensor(factor, read, value, theirs, sizes, arithmetic)
            assert mine == moved.values


def test_larger_families_are_tried_first() -> None:
    order = largest_first()
    assert sorted(order) == sorted(FAMILIES)
    for letter, family in FAMILIES.items():
        assert all(order.index(f.letter) < order.index(letter) for f in family.inside)
        assert all(order.index(letter) < order.index(part.letter) for part in family.parts)
    assert [*containing(FAMILIES["SO"])] == ["SO", "O", "GL", "E", "SE"]
    assert {*containing(FAMILIES["C"])} == {"C", "D", "S", "O", "GL", "E", "B"}


@each(lambda family: family.shifts)
def test_shifts_are_shifts(family: Family) -> None:
    for size in SIZES:
        for g in some(family, size):
            assert all(k == (g.data[0] + i) % size for i, k in enumerate(g.data))


def test_lists_of_families_in_words() -> None:
    assert letters(lambda family: family.irreps) == "O, SO, E or SE"
    assert letters(lambda family: family.shifts or family.parts, "and") == "C, E, SE and B"
    assert letters(lambda family: family.letter == "T") == "T"


def asked(tree: ast.AST) -> list[int]:
    """The lines that compare something that is called a family or a letter with a text."""
    found = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Compare):
            sides = [node.left, *node.comparators]
            names = {getattr(side, "attr", getattr(side, "id", "")) for side in sides}
            texts = [c for side in sides for c in ast.walk(side) if isinstance(c, ast.Constant)]
            if names & {"family", "letter"} and any(c.value in EVERY_FAMILY for c in texts):
                found.append(node.lineno)
    return found


def test_the_search_for_comparisons_finds_them() -> None:
    bad = 'factor.family == "O"\nletter in ("T", "Scale")\nf(x) if family not in {"S"} else 0\n'
    assert asked(ast.parse(bad)) == [1, 2, 3]
    assert not asked(ast.parse('factor.kind == "perm"\nfamily.special is None\nfamily in FAMILIES'))


@pytest.mark.parametrize("letter", [letter for letter in FAMILIES if len(letter) > 1])
def test_a_family_is_named_in_its_own_file_and_in_the_kernel(letter: str) -> None:
    """As `CONTRIBUTING.md` says: the record, a line of the registry, and an entry in the kernel.

    The nine families of `rocq/Checker.v`, which the kernel names where it reads types in their language, are
    those that all others act by.
    """
    files = [f.relative_to(PACKAGE) for f in PACKAGE.rglob("*.py") if f'"{letter}"' in f.read_text("utf-8")]
    registry = Path("claims", "groups", "families", "__init__.py")
    ported = {Path("kernel", f"{name}.py") for name in ("checker", "facts", "claimed_types")}
    named = [f for f in files if f.parts[0] != "papers" and f not in {registry, *ported}]
    own, kernel = sorted(named, key=lambda f: f.parts[0])
    assert own.parts[:3] == ("claims", "groups", "families") and kernel == Path("kernel", "groups.py")


#: What the kernel's kinds are called here.
KINDS_OF_KERNEL: dict[str, Callable[[Kind], bool]] = {
    "perm": lambda kind: kind.permutes,
    "sign": lambda kind: kind.flips_signs,
    "orth": lambda kind: kind.rotates and not kind.translates,
    "lin": lambda kind: kind.has_dual,
    "shift": lambda kind: kind.only_translates,
    "rigid": lambda kind: kind.rotates and kind.translates,
    "scale": lambda kind: kind.multiplies,
}


@pytest.mark.parametrize("letter", FAMILIES)
def test_the_kernel_and_the_documentation_know_every_family(letter: str) -> None:
    """The kernel's record was written apart and says the same, where both speak of the same."""
    ours, theirs = FAMILIES[letter], kernel_groups.FAMILIES[letter]
    assert (KINDS_OF_KERNEL[theirs.kind](ours.kind), ours.special) == (True, theirs.special)
    assert {part.letter for part in ours.parts} == {*theirs.parts}
    assert all(letter in containing(EVERY_FAMILY[inner]) for inner in theirs.subgroups)
    for inner in FAMILIES.values():
        if letter in containing(inner) and inner.kind.acts_by_matrices and not inner.parts:
            assert inner.letter in theirs.subgroups
    assert f"| `{letter}(" in (PACKAGE.parent / "docs" / "getting-started.md").read_text("utf-8")


def test_the_list_of_what_a_new_family_takes_is_whole() -> None:
    """The two families that were added last stand in these files of the package and in no other."""
    text = (PACKAGE.parent / "CONTRIBUTING.md").read_text("utf-8")
    section = text.split("## A new family of groups")[1].split("\n## ")[0]
    listed = set(re.findall(r"^\d\. `([^`]+)`", section, re.MULTILINE))
    for letter, own in (("Lorentz", "indefinite"), ("Sp", "symplectic")):
        files = {str(f.relative_to(PACKAGE)) for f in PACKAGE.rglob("*.py") if names(f, letter)}
        assert files == {
            f"claims/groups/families/{own}.py", "claims/groups/families/__init__.py", "kernel/groups.py",
        }
        assert {f.replace(own, "<family>") for f in files} <= listed
    assert all((PACKAGE / f).exists() or (PACKAGE.parent / f).exists() for f in listed if "<" not in f)


def names(file: Path, letter: str) -> bool:
    """Whether a file names a family: as a text that is its letter, or by importing its record."""
    text = file.read_text("utf-8")
    for node in ast.walk(ast.parse(text)) if letter in text else ():
        if isinstance(node, ast.Constant) and node.value == letter:
            return "groups" in file.relative_to(PACKAGE).with_suffix("").parts
        if isinstance(node, ast.ImportFrom) and any(alias.name == letter for alias in node.names):
            return "families" in (node.module or "")
    return False


def test_nothing_outside_asks_which_family_it_is() -> None:
    """What depends on a family is read off its record; the kernel has records of its own."""
    said = {}
    for file in PACKAGE.rglob("*.py"):
        place = file.relative_to(PACKAGE)
        is_family = place.parts[:3] == ("claims", "groups", "families")
        if place.parts[0] != "kernel" and place.parts[:2] != ("papers", "library") and not is_family:
            text = file.read_text(encoding="utf-8")
            if not any(f"{quote}{letter}{quote}" in text for letter in EVERY_FAMILY for quote in "\"'"):
                continue
            tree = ast.parse(text)
            texts = [n.value for n in ast.walk(tree) if isinstance(n, ast.Constant)]
            named = {letter for letter in EVERY_FAMILY if len(letter) > 1 and letter in texts}
            if named or (lines := asked(tree)):
                said[str(place)] = named or lines
    assert not said
