"""Points in periodic cells: wrapping, minimum images, waves, supercells, grids."""

import itertools

import numpy as np

from benchmarks.question_claims.claim import Item

ITEM = Item(3, "Does it matter in which periodic cell a point is?")
WAVES = np.array([[1, 0, 0], [0, 1, 0], [1, 1, 0], [2, -1, 1]])
SHIFTS = np.array(list(itertools.product((-1, 0, 1), repeat=2)))


@ITEM.right("x: n d -> n d!", "Z(d) each n")
def wrap(x):
    return x % 1.0


@ITEM.right("x: n d -> n d! 2", "Z(d) each n")
def angles(x):
    return np.stack([np.cos(2 * np.pi * x), np.sin(2 * np.pi * x)], axis=-1)


@ITEM.right("x: n d -> ()", "Z(d) each n x S(n)")
def gaussian_pairs(x):
    dx = x[:, None, :] - x[None, :, :]
    dx = (dx + 0.5) % 1.0 - 0.5
    return np.exp(-4 * (dx**2).sum(-1)).sum()


@ITEM.right("x: n d, L: d! -> n n", "Z(d) each n")
def squared_distances_in_a_box(x, L):
    dx = x[:, None] - x[None]
    dx -= np.round(dx)
    return ((L * dx) ** 2).sum(-1)


@ITEM.right("x: n d -> n", "Z(d) each n x S(n)")
def coordination_number(x):
    dx = x[:, None] - x[None]
    dx = dx - np.floor(dx + 0.5)
    return ((dx**2).sum(-1) < 0.09).sum(1) - 1


@ITEM.right("x: n 3, q: n -> ()", "Z(3) each n x S(n)")
def reciprocal_energy(x, q):
    phases = np.exp(2j * np.pi * (x @ WAVES.T))
    amplitudes = (q[:, None] * phases).sum(0)
    k2 = (WAVES**2).sum(1)
    return (np.exp(-k2) / k2 * np.abs(amplitudes) ** 2).sum()


@ITEM.right("x: n 2 -> ()", "Z(2) each n")
def energy_of_a_supercell(x):
    inside = x - np.floor(x)
    images = (inside[None] + SHIFTS[:, None]).reshape(-1, 2)
    r2 = ((inside[:, None] - images[None]) ** 2).sum(-1)
    return (1 / (0.1 + r2)).sum()


@ITEM.right("x: n d -> n d", "Z(d) each n")
def origin_moved(x):
    return x + 0.25


@ITEM.right("x: n d -> n d!", "Z(d) each n")
def cell_of_the_grid(x):
    return np.floor(10 * x).astype(int) % 10


@ITEM.right("x: n d -> n n", "Z(d) each n x S(n)")
def periodic_kernel(x):
    dx = x[:, None] - x[None]
    return np.exp(-2 * (np.sin(np.pi * dx) ** 2).sum(-1))


@ITEM.wrong("x: n d -> n d!", "Z(d) each n")
def clipped(x):
    return np.clip(x, 0.0, 1.0)


@ITEM.wrong("x: n d -> n d! 2", "Z(d) each n")
def angles_without_pi(x):
    return np.stack([np.cos(2 * x), np.sin(2 * x)], axis=-1)


@ITEM.wrong("x: n d -> ()", "Z(d) each n")
def wrapped_once(x):
    dx = x[:, None] - x[None]
    dx = np.where(dx > 0.5, dx - 1, dx)
    dx = np.where(dx < -0.5, dx + 1, dx)
    return np.exp(-(dx**2).sum(-1)).sum()


@ITEM.wrong("x: n d -> n d!", "Z(d) each n")
def wrapped_towards_zero(x):
    return x - np.trunc(x)


@ITEM.wrong("x: n 2 -> ()", "Z(2) each n")
def supercell_of_unwrapped_points(x):
    images = (x[None] + SHIFTS[:, None]).reshape(-1, 2)
    r2 = ((x[:, None] - images[None]) ** 2).sum(-1)
    return (1 / (0.1 + r2)).sum()


@ITEM.wrong("x: n d -> d", "Z(d)")
def mean_of_wrapped_points(x):
    return (x % 1).mean(0)


@ITEM.wrong("x: n d -> n d!", "Z(d) each n")
def cell_of_an_endless_grid(x):
    return np.floor(10 * x)


@ITEM.wrong("x: n 3 -> ()", "Z(3) each n")
def structure_factor_between_waves(x):
    k = np.array([0.5, 0, 1])
    return np.abs(np.exp(2j * np.pi * (x @ k)).sum()) ** 2


@ITEM.wrong("x: n d -> n", "Z(d) each n")
def neighbours_in_one_cell(x):
    r2 = ((x[:, None] - x[None]) ** 2).sum(-1)
    return (r2 < 0.25).sum(1)


@ITEM.wrong("x: n d -> d!", "Z(d) each n")
def phase_of_the_mean(x):
    return np.cos(2 * np.pi * x.mean(axis=0))
