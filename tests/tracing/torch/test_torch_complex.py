"""Random functions of complex tensors of torch: the Programs read from them have torch's values."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="PyTorch is not installed")

from eqvproof.claims.signature import parse_signature  # noqa: E402
from eqvproof.programs.evaluate import evaluate_float  # noqa: E402
from eqvproof.tracing.torch.reader import Reader  # noqa: E402

Function = Callable[..., Any]
#: Functions of two complex matrices of one size to another.
STEPS: tuple[Function, ...] = (
    lambda u, v: u + v,
    lambda u, v: torch.sub(u, v, alpha=2),
    lambda u, v: u * v / 3,
    lambda u, v: u @ v / 5,
    lambda u, v: torch.addmm(u, u, v, beta=0.5, alpha=0.25),
    lambda u, v: u.conj() * (2 - 1j),
    lambda u, v: u / (4 + v.abs()),
    lambda u, v: u / (4 + v * v.conj()),
    lambda u, v: (u / (1 + u.abs())).exp() - v,
    lambda u, v: -u.T.roll(1, 0).flip(1),
    lambda u, v: torch.cat([u, v, v.real.to(u.dtype)], 1)[:, -u.shape[1] :],
    lambda u, v: torch.stack([u, v]).mean(0),
    lambda u, v: u.sum(1, keepdim=True).expand(-1, u.shape[1]) - v,
    lambda u, v: torch.einsum("ij,kj->ik", u, v.conj()) / 5,
    lambda u, v: torch.complex(u.imag, v.real),
)
PARTS: tuple[Function, ...] = (lambda z: z.real, lambda z: z.imag, lambda z: z.abs())


def _random_function(number: int) -> Function:
    rng = random.Random(number)
    steps, part = [rng.choice(STEPS) for _ in range(5)], rng.choice(PARTS)

    def function(x: Any, y: Any) -> Any:
        u, v = torch.complex(x, y), torch.complex(y, x) + 1
        for step in steps:
            u, v = v, step(u, v)
        return part(v)

    return function


@pytest.mark.parametrize("number", range(12))
def test_random_functions_have_the_values_of_torch(number: int) -> None:
    function = _random_function(number)
    drafts = Reader(function, parse_signature("x: n n, y: n n -> n n"), {}, torch.float64).read()
    program = drafts.builder.program(drafts.output)
    for n in (2, 3, 5):
        x, y = np.random.default_rng(n).normal(size=(2, n, n))
        given = {name: value for name, value in (("x", x), ("y", y)) if name in dict(program.inputs)}
        expected = function(torch.tensor(x), torch.tensor(y)).numpy()
        assert np.isfinite(expected).all()
        assert np.allclose(evaluate_float(program, given, {"n": n}), expected, rtol=1e-9, atol=1e-9)
