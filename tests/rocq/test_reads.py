"""Reads at places: both checkers of shapes agree, and what they accept reads inside at all sizes."""

from __future__ import annotations

import itertools
import math
import random
from typing import Any

import pytest

from eqvproof.kernel.report import allow
from eqvproof.rocq.compile import Extracted
from tests.rocq.python_checker import answers
from tests.sampling import examples

#: Sizes as sums of products of variables: n and m, which are 1 or more, and n - 1.
SIZES: dict[str, list[list[int]]] = {
    "n": [[0]], "m": [[1]], "n_1": [[2]], "nm": [[0, 1]], "n_1m": [[1, 2]], "n_1n_1": [[2, 2]],
    "twice": [[2], [2]], "sum": [[0], [1]], "more": [[], [2]], "two": [[], []], "none": [],
}  # fmt: skip
KNOWN = "[:: [:: (1, [::]); (1, [:: 0])]; [:: (1, [::]); (1, [:: 1])]; [:: (1, [:: 0])]]"
Place = tuple[Any, ...]


def number(size: str, n: int, m: int) -> int:
    """The number that a size is."""
    return sum(math.prod((n, m, n - 1)[v] for v in product) for product in SIZES[size])


def value(place: Place, labels: tuple[int, ...], n: int, m: int) -> int:
    """The number that a place is."""
    match place:
        case "Lab", label:
            return labels[label]
        case "Num", k:
            return int(k)
        case "Size", size:
            return number(size, n, m)
    name, first, second = place
    a, b = value(first, labels, n, m), value(second, labels, n, m)
    match name:
        case "Plus":
            return a + b
        case "Minus":
            return max(a - b, 0)
        case "Times":
            return a * b
        case "Over":
            return a // b if b else 0
    return a % b if b else a


def drawn_place(rng: random.Random, labels: int, depth: int = 2) -> Place:
    """A place over labels, mostly one that counts back from the end."""
    match rng.randrange(8 if depth else 3):
        case 0:
            return "Lab", rng.randrange(labels)
        case 1:
            return "Num", rng.randrange(3)
        case 2:
            return "Size", rng.choice([*SIZES])
        case 3 | 4 | 5:
            last: Place = ("Minus", ("Size", rng.choice([*SIZES])), ("Num", rng.randint(1, 3)))
            return rng.choice([last, ("Minus", last, ("Lab", rng.randrange(labels)))])
    name = rng.choice(["Plus", "Minus", "Times", "Over", "Modulo"])
    return name, drawn_place(rng, labels, depth - 1), drawn_place(rng, labels, depth - 1)


def drawn(rng: random.Random) -> tuple[list[str], list[Place], list[str], list[str]]:
    """The shape of an array, where it is read, and the sizes of labels of the result and summed."""
    given, own = (rng.choices([*SIZES], k=rng.randint(1, 2)) for _ in range(2))
    summed = rng.choices([*SIZES], k=rng.choice([0, 0, 1]))
    labels = len(own) + len(summed)
    return given, [drawn_place(rng, labels) for _ in given], own, summed


def stays_inside(given: list[str], places: list[Place], labels: list[str]) -> bool:
    """Whether at all small sizes each entry that is read is one of the array."""
    for n, m in itertools.product(range(1, 5), repeat=2):
        for at in itertools.product(*(range(number(size, n, m)) for size in labels)):
            for size, place in zip(given, places, strict=True):
                if value(place, at, n, m) >= number(size, n, m):
                    return False
    return True


def written(place: Any) -> str:
    """A place, or a part of one, as Gallina text."""
    if isinstance(place, tuple):
        return f"({place[0]} {' '.join(map(written, place[1:]))})"
    return str(place)


def listed(values: Any) -> str:
    """A list as Gallina text."""
    return f"[:: {'; '.join(values)}]" if values else "[::]"


def module(k: int, read: tuple[list[str], list[Place], list[str], list[str]]) -> str:
    """The text that asks whether the shapes of a read follow."""
    given, places, own, summed = read
    sizes = "".join(
        f"Definition {name} : extent := {listed([listed(map(str, product)) for product in size])}.\n"
        for name, size in SIZES.items()
    )
    labels = listed([f"({len(own) + i}, {size})" for i, size in enumerate(summed)])
    out, at = listed([*map(str, range(len(own)))]), listed([*map(written, places)])
    line = f"Contract [:: (0, {at})] {labels} {out}"
    shapes = f"[:: {listed(given)}; {listed(own)}]"
    asked = f"shaped {KNOWN} [:: {listed(given)}] [:: Input 0; {line}] {shapes} {listed(own)}"
    return f"Module M{k}.\n{sizes}Eval vm_compute in all id [:: {asked}].\nEnd M{k}.\n"


def test_what_is_read_is_inside(extracted: Extracted) -> None:
    allow(10**9)
    rng, right, back = random.Random(1), 0, 0
    reads = [drawn(rng) for _ in range(examples(20_000, 1500))]
    text = "".join(module(k, read) for k, read in enumerate(reads))
    found = answers(text)
    assert found == extracted.answers(text)
    for (given, places, own, summed), accepted in zip(reads, found, strict=True):
        if accepted:
            assert stays_inside(given, places, [*own, *summed]), (given, places, own, summed)
            right += 1
            back += any(place[0] == "Minus" for place in places)
    assert right > len(reads) / 40 and back > len(reads) / 80


def reverse_of(size: str, labels: str) -> tuple[list[str], list[Place], list[str], list[str]]:
    """The entries n - 2, n - 3, ... of an array, as many as there are labels."""
    place: Place = ("Minus", ("Minus", ("Size", "n"), ("Num", 2)), ("Lab", 0))
    return [size], [place], [labels], []


@pytest.mark.parametrize(
    ("size", "labels", "right"),
    [("n", "n_1", True), ("n_1", "n_1", True), ("n_1", "n", False), ("n_1", "n_1m", True), ("n", "n", False),
     ("nm", "n_1", True), ("n_1m", "n_1m", True), ("n_1", "twice", True), ("n_1", "more", False)],
)  # fmt: skip
def test_backwards_from_the_last_but_one(extracted: Extracted, size: str, labels: str, right: bool) -> None:
    """Where there is an index below n - 1, n is 2 or more."""
    allow(10**6)
    text = module(0, reverse_of(size, labels))
    assert answers(text) == extracted.answers(text) == [right]
    assert stays_inside(*reverse_of(size, labels)[:2], [labels]) or not right
