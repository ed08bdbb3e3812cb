"""Forces and conservation: gradients, momenta, Hessians, extensive energies, steps of integrators."""

import jax
import jax.numpy as jnp
import numpy as np

import eqvproof as ep
from benchmarks.question_claims.claim import Item

ITEM = Item(9, "Are these the forces, and what is conserved?", "identical")
APART = {"domain": ep.domains.distinct("x", axis=0)}


def morse(x):
    r = x[1:] - x[:-1]
    return ((1 - jnp.exp(-r)) ** 2).sum()


def morse_slope(x):
    e = jnp.exp(-(x[1:] - x[:-1]))
    return 2 * (1 - e) * e


def nothing(x):
    return 0 * x.sum(0)


def lennard_jones(x):
    dx = x[:, None] - x[None]
    r2 = (dx**2).sum(-1) + np.eye(len(x))
    return (24 * (2 / r2**7 - 1 / r2**4) * (1 - np.eye(len(x))))[..., None] * dx


def torques(x, F):
    return (x[:, 0] * F[:, 1] - x[:, 1] * F[:, 0]).sum()


def screened(x):
    dx = x[:, None] - x[None]
    r = np.sqrt((dx**2).sum(-1) + 0.01)
    return (dx * (np.exp(-r) * (1 / r**2 + 1 / r**3))[..., None]).sum(1)


def overlap(x):
    return jnp.exp(-((x[:, None] - x[None]) ** 2).sum(-1)).sum()


def trap(x):
    return (0.5 * (x**2).sum(1) + 0.1 * (x**2).sum(1) ** 2).sum()


def springs(x, K):
    return 0.25 * (K * ((x[:, None] - x[None]) ** 2).sum(-1)).sum()


def inverse_squares(x):
    apart = jnp.eye(len(x))
    r2 = ((x[:, None] - x[None]) ** 2).sum(-1) + apart
    return ((1 - apart) / r2).sum() / 2


def kinetic(m, v):
    return 0.5 * (m * (v**2).sum(1)).sum()


def leapfrog(x, p, force, dt=0.1):
    p = p + dt / 2 * force(x)
    x = x + dt * p
    return x, p + dt / 2 * force(x)


def pendulum(x):
    return -np.sin(x)


@ITEM.right("x: n -> n", against=lambda x: -jax.grad(morse)(x))
def force_of_a_morse_chain(x):
    s = morse_slope(x)
    return jnp.pad(s, (0, 1)) - jnp.pad(s, (1, 0))


@ITEM.right("x: n d -> d", against=nothing, **APART)
def momentum_of_lennard_jones(x):
    return lennard_jones(x).sum(axis=1).sum(axis=0)


@ITEM.right("x: n 2 -> ()", against=lambda x: 0 * x.sum())
def torque_of_screened_charges(x):
    return torques(x, screened(x))


@ITEM.right(
    "x: n d, u: n d, w: n d -> ()",
    against=lambda x, u, w: (w * jax.jvp(jax.grad(overlap), (x,), (u,))[1]).sum(),
)
def hessian_of_overlap(x, u, w):
    return (u * jax.jvp(jax.grad(overlap), (x,), (w,))[1]).sum()


@ITEM.right("x: n d, y: m d -> ()", against=lambda x, y: trap(x) + trap(y))
def trap_is_extensive(x, y):
    return trap(np.concatenate([x, y]))


@ITEM.right(
    "x: n d, K: n n -> n d", against=lambda x, K: -jax.grad(lambda y: springs(y, (K + K.T) / 2))(x)
)
def force_of_springs(x, K):
    S = (K + K.T) / 2
    return S @ x - S.sum(1)[:, None] * x


@ITEM.right(
    "x: n d, v: n d -> ()", against=lambda x, v: jax.jvp(inverse_squares, (x,), (v,))[1], **APART
)
def power_of_inverse_squares(x, v):
    return (jax.grad(inverse_squares)(x) * v).sum()


@ITEM.right("x: n d, p: n d -> n d", against=lambda x, p: x)
def leapfrog_and_back(x, p):
    y, q = leapfrog(x, p, pendulum)
    return leapfrog(y, -q, pendulum)[0]


@ITEM.right("m: n, v: n d -> ()", against=kinetic, domain=ep.domains.positive("m"))
def koenig(m, v):
    centre = (m[:, None] * v).sum(0) / m.sum()
    return 0.5 * m.sum() * (centre**2).sum() + kinetic(m, v - centre)


@ITEM.right("x: n d -> ()", against=lambda x: -2 * inverse_squares(x), **APART)
def virial(x):
    return (x * jax.grad(inverse_squares)(x)).sum()


@ITEM.wrong("x: n -> n", against=lambda x: -jax.grad(morse)(x))
def force_without_the_factor(x):
    s = morse_slope(x) / 2
    return jnp.pad(s, (0, 1)) - jnp.pad(s, (1, 0))


@ITEM.wrong("x: n d -> d", against=nothing, **APART)
def momentum_with_cutoff_by_atom(x):
    return (lennard_jones(x).sum(axis=1) / (1 + (x**2).sum(1, keepdims=True))).sum(axis=0)


@ITEM.wrong("x: n 2 -> ()", against=lambda x: 0 * x.sum())
def torque_of_swirling_charges(x):
    F = screened(x)
    return torques(x, F + 0.1 * np.stack([-F[:, 1], F[:, 0]], axis=1))


def network_force(x):
    return x * jnp.tanh(x.sum(1, keepdims=True))


@ITEM.wrong(
    "x: n 2, u: n 2, w: n 2 -> ()",
    against=lambda x, u, w: (w * jax.jvp(network_force, (x,), (u,))[1]).sum(),
)
def jacobian_of_a_network(x, u, w):
    return (u * jax.jvp(network_force, (x,), (w,))[1]).sum()


@ITEM.wrong("x: n d, y: m d -> ()", against=lambda x, y: trap(x) / len(x) + trap(y) / len(y))
def mean_energy_is_not_extensive(x, y):
    return trap(np.concatenate([x, y])) / (len(x) + len(y))


@ITEM.wrong("x: n d, K: n n -> n d", against=lambda x, K: -jax.grad(springs)(x, K))
def force_of_one_sided_springs(x, K):
    return K @ x - K.sum(1)[:, None] * x


@ITEM.wrong(
    "x: n d, v: n d -> ()", against=lambda x, v: jax.jvp(inverse_squares, (x,), (v,))[1], **APART
)
def power_with_the_wrong_sign(x, v):
    return -(jax.grad(inverse_squares)(x) * v).sum()


@ITEM.wrong("x: n d, p: n d -> n d", against=lambda x, p: x)
def euler_and_back(x, p):
    y, q = x + 0.1 * p, p + 0.1 * pendulum(x)
    return y + 0.1 * -q


@ITEM.wrong("m: n, v: n d -> ()", against=kinetic, domain=ep.domains.positive("m"))
def koenig_with_a_plain_mean(m, v):
    centre = v.mean(0)
    return 0.5 * m.sum() * (centre**2).sum() + kinetic(m, v - centre)


@ITEM.wrong("x: n d -> ()", against=lambda x: -inverse_squares(x), **APART)
def virial_of_another_power(x):
    return (x * jax.grad(inverse_squares)(x)).sum()
