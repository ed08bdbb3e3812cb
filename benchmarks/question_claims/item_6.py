"""Flips of some arguments: time reversal, parity, charge conjugation, signs of eigenvectors."""

import numpy as np

from benchmarks.question_claims.claim import Item

ITEM = Item(6, "Is it even, or odd, in some arguments?")
rng = np.random.default_rng(6)
W1, W2, BIAS = rng.normal(size=(4, 6)), rng.normal(size=(6, 3)), rng.normal(size=6)


def network(v):
    return np.maximum(v @ W1 + BIAS, 0) @ W2


@ITEM.right("E: n 3, v: n 3, B: n 3 -> F: n 3", "Flip(v, B)")
def lorentz_force(E, v, B):
    return E + np.cross(v, B)


@ITEM.right("p: n d, A: n d -> ()", "Flip(p, A)")
def minimal_coupling(p, A):
    return 0.5 * ((p - A) ** 2).sum()


@ITEM.right("x: n 3, p: n 3 -> L: n 3", "Flip(p, L)")
def angular_momentum(x, p):
    return np.cross(x, p)


@ITEM.right("s: n 3, B: 3 -> ()", "Flip(s, B)")
def heisenberg(s, B):
    return -0.5 * (s @ s.T).sum() - (s @ B).sum()


@ITEM.right("x: n 4 -> y: n 3", "Flip(x, y)")
def network_without_bias(x):
    return np.tanh(x @ W1) @ W2


@ITEM.right("q: n, E: n 3, v: n 3, B: n 3 -> F: n 3", "Flip(q, E, B)")
def charge_conjugation(q, E, v, B):
    return q[:, None] * (E + np.cross(v, B))


@ITEM.right("x: n d, v: n d -> a: n d", "Flip(x, v, a)")
def damped_oscillator(x, v):
    return -2.0 * x - 0.3 * v * np.sqrt((v**2).sum(-1, keepdims=True)) - x**3


@ITEM.right("m: d, r: n d -> n", "Flip(m) x Flip(r)")
def dipole_squared(m, r):
    return 3 * (r @ m) ** 2 - (m @ m) * (r**2).sum(-1)


@ITEM.right("v: n 4 -> n 3", "Flip(v)")
def sign_net(v):
    return network(v) + network(-v)


@ITEM.right("x: n d, p: n d -> H: (), v: n d", "Flip(p, v)")
def energy_and_velocity(x, p):
    gamma = np.sqrt(1 + (p**2).sum(-1, keepdims=True))
    return gamma.sum() + 0.5 * (x**2).sum(), p / gamma


@ITEM.wrong("E: n 3, v: n 3, B: n 3 -> F: n 3", "Flip(v)")
def lorentz_force_in_a_fixed_field(E, v, B):
    return E + np.cross(v, B)


@ITEM.wrong("p: n d, A: n d -> ()", "Flip(p)")
def minimal_coupling_in_a_fixed_field(p, A):
    return 0.5 * ((p - A) ** 2).sum()


@ITEM.wrong("x: n 3, p: n 3 -> L: n 3", "Flip(p)")
def even_angular_momentum(x, p):
    return np.cross(x, p)


@ITEM.wrong("v: n d -> F: n d", "Flip(v)")
def friction(v):
    return -0.1 * v - 0.01 * v * np.abs(v)


@ITEM.wrong("s: n 3, B: 3 -> ()", "Flip(s)")
def heisenberg_in_a_fixed_field(s, B):
    return -0.5 * (s @ s.T).sum() - (s @ B).sum()


@ITEM.wrong("x: n 4 -> y: n 3", "Flip(x, y)")
def network_with_bias(x):
    return np.tanh(x @ W1 + BIAS) @ W2


@ITEM.wrong("x: n -> y: n", "Flip(x, y)")
def swish(x):
    return x / (1 + np.exp(-x))


@ITEM.wrong("q: n, E: n 3, v: n 3, B: n 3 -> F: n 3", "Flip(q, E, B)")
def charge_forgotten(q, E, v, B):
    return q[:, None] * E + np.cross(v, B)


@ITEM.wrong("m: d, r: n d -> n d", "Flip(m) x Flip(r)")
def dipole_field(m, r):
    return 3 * (r @ m)[:, None] * r - m


@ITEM.wrong("v: n 4 -> n 3", "Flip(v)")
def odd_part(v):
    return network(v) - network(-v)
