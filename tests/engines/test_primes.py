"""Nobody knows the primes of an identity test before the Program is whole."""

from __future__ import annotations

import math
import random
from collections.abc import Callable
from itertools import product
from typing import Any

import numpy as np
import pytest

import eqvproof as ep
from eqvproof.claims.groups import parse_group
from eqvproof.claims.signature import parse_signature
from eqvproof.engines import bounded
from eqvproof.engines.bounded import bounded_equivariance, bounded_identity
from eqvproof.engines.targets import trace_at
from eqvproof.invariants.projection import _random_prime
from eqvproof.programs.evaluate.modular import ModularSystem
from eqvproof.programs.evaluate.prime_field import random_prime

#: A function f(x; c) that is equivariant for c = 0 and for no other c.
Family = Callable[..., Any]
FAMILIES: list[tuple[Family, str, str, dict[str, int]]] = [
    (lambda x, c: x.sum() + c * x[0], "x: n -> ()", "S(n)", {"n": 4}),
    (lambda x, c: x * x + c * np.cumsum(x), "x: n -> n", "C(n)", {"n": 5}),
    (lambda x, c: x + c * x[::-1] * x[0], "x: n -> n", "A(n)", {"n": 4}),
    (lambda x, c: np.exp(x) / (1 + c * x[0]), "x: n -> n", "S(n)", {"n": 3}),
    (lambda x, c: np.tanh(x + c * x[1]), "x: n -> n", "D(n)", {"n": 4}),
    (lambda x, c: x**3 + c * x * x, "x: n -> n", "Signs(n)", {"n": 3}),
    (lambda X, c: X + c * X[:1], "X: d n -> d n", "O(d)", {"d": 3, "n": 3}),
    (lambda X, c: X @ (X.T @ X) + c * X * X, "X: d n -> d n", "SO(d)", {"d": 3, "n": 3}),
    (lambda X, c: X - c * X * X, "X: n d -> n d", "T(d)", {"n": 3, "d": 2}),
    (lambda X, c: X.mean(0) + c * X[0, 0] * X[0], "X: n d -> d", "E(d)", {"n": 3, "d": 2}),
    (lambda X, c: X.T @ X + c * X[0, 0], "X: n d -> d d", "Scale(d)", {"n": 3, "d": 4}),
    (lambda X, c: np.linalg.inv(X) + c * X[0, 0], "X: d d -> d d", "O(d)", {"d": 3}),
]
FAMILIES_IDS = [f"{signature} under {under}" for _, signature, under, _ in FAMILIES]


def drawn(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """A list to which the primes of every test are added."""
    primes: list[int] = []

    def system(seed: Any, channels: int) -> ModularSystem:
        made = ModularSystem(seed, channels)
        primes.extend(f.p for f in made.fields)
        return made

    monkeypatch.setattr(bounded, "ModularSystem", system)
    return primes


def accepts(f: Any, signature: str, under: str, sizes: dict[str, int], seed: int = 0) -> bool:
    parsed = parse_signature(signature)
    group = parse_group(under, parsed)
    program = trace_at(f, parsed, sizes).program
    everything = {**sizes, **parsed.output_sizes([s.value(sizes) for s in program.shape], sizes)}
    return bounded_equivariance(program, parsed, group, everything, seed).holds


def known_beforehand() -> list[int]:
    """Products of the primes that a seed alone gave, in 0.1.0."""
    products = []
    for seed, channels in product(range(3), (2, 3)):
        rng = random.Random(f"eqvproof-modular-{seed}-{channels}")
        products.append(math.prod(random_prime(rng) for _ in range(channels)))
    return products


@pytest.mark.parametrize("case", FAMILIES, ids=FAMILIES_IDS)
def test_a_constant_made_of_primes_is_not_zero(case: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of the primes of a seed, of those that f(x; 0) and f(x; 1) have, of those of the last attempt."""
    family, signature, under, sizes = case
    primes = drawn(monkeypatch)
    assert accepts(lambda x: family(x, 0), signature, under, sizes)
    constants = [1, math.prod(primes), *known_beforehand()]
    for k in range(len(constants) + 3):
        constant = constants[k] if k < len(constants) else math.prod(primes)
        primes.clear()
        assert not accepts(lambda x, c=constant: family(x, c), signature, under, sizes)
        assert primes and all(constant % p for p in primes)


@pytest.mark.parametrize("case", FAMILIES, ids=FAMILIES_IDS)
def test_a_denominator_made_of_primes_is_not_infinite(case: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    family, signature, under, sizes = case
    primes = drawn(monkeypatch)
    assert accepts(lambda x: family(x, 0), signature, under, sizes)
    bottom = math.prod(primes)
    primes.clear()
    assert not accepts(lambda x: family(x, (0 * x.sum() + 1) / bottom), signature, under, sizes)
    assert primes and all(bottom % p for p in primes)


def test_primes_follow_from_everything_that_is_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    primes = drawn(monkeypatch)
    f = lambda x: x * x.sum()  # noqa: E731

    def asked(*question: Any, **options: Any) -> tuple[int, ...]:
        primes.clear()
        accepts(*question, **options)
        return tuple(primes[:1])

    first = asked(f, "x: n -> n", "S(n)", {"n": 4})
    assert first == asked(f, "x: n -> n", "S(n)", {"n": 4})
    others = [
        asked(f, "x: n -> n", "S(n)", {"n": 5}),
        asked(f, "x: n -> n", "A(n)", {"n": 4}),
        asked(f, "x: n -> n!", "S(n)", {"n": 4}),
        asked(f, "x: n -> n", "S(n)", {"n": 4}, seed=1),
        asked(f, "x: n -> n", "S(n)", {"n": 4}, seed=3),
        asked(lambda x: x * x.sum() + 0, "x: n -> n", "S(n)", {"n": 4}),
        asked(lambda x: x * x.sum() * 2, "x: n -> n", "S(n)", {"n": 4}),
    ]
    parsed = parse_signature("x: n -> n")
    programs = [trace_at(g, parsed, {"n": 4}).program for g in (f, lambda x: x.sum() * x, lambda x: x + x)]
    for p, q in ((programs[0], programs[1]), (programs[0], programs[2]), (programs[2], programs[0])):
        primes.clear()
        bounded_identity(p, q, {"n": 4})
        others.append(tuple(primes[:1]))
    assert len({first, *others}) >= len(others)  # x + 0 may be read as x


def test_through_the_front_door() -> None:
    """A function too large to be decided, with a constant made of the primes that its claim had before."""
    constant = known_beforehand()[0]

    def wrong(X: Any) -> Any:
        return X * np.linalg.inv(X @ X.T)[0, 0] * 0 + X @ X.T @ X + constant * X[0]

    verdict = ep.check(wrong, "X: d n -> d n", "O(d)", sizes={"d": 3, "n": 12})
    assert not verdict.holds


@pytest.mark.parametrize("seed", [0, 1, 2])
@pytest.mark.parametrize("kind", ["integers", "floats"])
def test_gram_matrices_that_agree_as_far_as_a_known_seed_sees(seed: int, kind: str) -> None:
    """X^T X - Y^T Y is zero modulo the primes, or orthogonal to the vectors, that a seed gives."""
    if kind == "integers":
        rng, primes = random.Random(seed), []
        for _ in range(3):
            primes.append(_random_prime(rng))
            for _ in range(2):
                rng.randrange(primes[-1])
        x = np.array([[primes[0] * primes[1], primes[2]], [0, 0]])
        y = np.diag(x[0])
    else:
        vectors = np.random.default_rng(seed).standard_normal((5000, 6))
        x, y = np.zeros((2, 5000)), np.zeros((2, 5000))
        x[0, :7] = np.linalg.svd(vectors[:7].T)[2][-1]
    assert ep.gram_match(x, y, method="projection", seed=seed).equal
    assert not ep.gram_match(x, y, method="projection").equal
