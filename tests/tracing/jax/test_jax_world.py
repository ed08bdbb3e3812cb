"""JAX targets that read the world outside are refused; what stores something is judged by what it returns."""

from __future__ import annotations

import contextvars
import itertools
import os
import pathlib
import sys
import time
from typing import Any

import numpy as np
import pytest

import eqvproof as ep
from eqvproof.claims.signature import parse_signature
from eqvproof.engines.targets import adapt, trace_all_sizes
from eqvproof.support.errors import TraceError

jax = pytest.importorskip("jax", reason="JAX is not installed")
jnp = jax.numpy
NUMBERS, SETTING = itertools.count(), contextvars.ContextVar("SETTING", default=2.0)
WORDS, FOLDER = {"alpha", "beta", "gamma!"}, pathlib.Path(os.sep)
WORLD: dict[str, Any] = {
    "clock": lambda x: jnp.sin(x) * (2.0 if time.time() > 5 else 1.0),
    "variables": lambda x: jnp.sin(x) * len(os.environ),
    "arguments": lambda x: jnp.sin(x) * len(sys.argv),
    "devices": lambda x: jnp.sin(x) * jax.device_count(),
    "backend": lambda x: jnp.sin(x) * (1.0 if jax.default_backend() == "cpu" else 2.0),
    "settings": lambda x: jnp.sin(x) * (1.0 if jax.config.jax_enable_x64 else 2.0),
    "process": lambda x: jnp.sin(x) * (jax.process_index() + 1.0),
    "print options": lambda x: jnp.sin(x) * jnp.get_printoptions()["precision"],
    "file": lambda x: jnp.sin(x) * jnp.load(os.devnull),
    "iterator": lambda x: jnp.sin(x) * (1.0 if next(NUMBERS) < 10**9 else 2.0),
    "context variable": lambda x: jnp.sin(x) * SETTING.get(),
    "folder": lambda x: jnp.sin(x) * (1.0 if FOLDER.exists() else 2.0),
    "order of a set": lambda x: jnp.sin(x) * len(next(iter(WORDS))),
    "dates of NumPy": lambda x: jnp.sin(x) * float(np.array("now", dtype="M8[s]").astype(float)),
    "call back": lambda x: jax.pure_callback(lambda a: a, jax.ShapeDtypeStruct(x.shape, x.dtype), x),
}


@pytest.mark.parametrize("name", WORLD)
def test_what_is_not_known_to_be_pure_is_refused(name: str) -> None:
    signature = parse_signature("x: n -> n")
    with pytest.raises(TraceError):
        trace_all_sizes(adapt(WORLD[name], "jax", signature), signature, {})


class Counts:
    def __init__(self) -> None:
        self.calls = 0

    def __call__(self, x: Any) -> Any:
        self.calls += 1
        return jnp.sin(x)


class Changes(Counts):
    def __call__(self, x: Any) -> Any:
        self.calls += 1
        return jnp.sin(x) if self.calls < 10**9 else jnp.cos(x)


def test_what_a_call_stores() -> None:
    assert ep.prove(Counts(), "x: n -> n", "S(n)", backend="jax").grade == "PROVED"
    verdict = ep.prove(Changes(), "x: n -> n", "S(n)", backend="jax")
    assert verdict.outcome == "UNDECIDED" and "Changes.calls, which each call changes" in verdict.reason
