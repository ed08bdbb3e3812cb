"""Finite groups: quarter turns and reflections of images, and point groups of space."""

import numpy as np

from benchmarks.question_claims.claim import Item

ITEM = Item(4, "Does it have the symmetry of a square image, or of a crystal?")
CORNERS = np.array([[1, 1, 1], [1, -1, -1], [-1, 1, -1], [-1, -1, 1]])


def one_filter(x):
    p = np.pad(x, 1)
    return np.tanh(p[1:-1, 1:-1] + 0.5 * p[:-2, 1:-1] - 0.3 * p[2:, 2:])


@ITEM.right("x: h w -> h w", "D4(h, w)")
def periodic_laplacian(x):
    return np.roll(x, 1, 0) + np.roll(x, -1, 0) + np.roll(x, 1, 1) + np.roll(x, -1, 1) - 4 * x


@ITEM.right("x: h w -> h w", "D4(h, w)")
def edge_strength(x):
    gy = np.roll(x, -1, 0) - np.roll(x, 1, 0)
    gx = np.roll(x, -1, 1) - np.roll(x, 1, 1)
    return np.sqrt(gx**2 + gy**2)


@ITEM.right("x: b c h w -> b c", "D4(h, w)")
def global_average(x):
    return x.mean(axis=(-2, -1))


@ITEM.right("x: h w -> h w", "D4(h, w)", sizes={"h": 4, "w": 4})
def box_blur(x):
    h, w = x.shape
    p = np.pad(x, 1)
    return sum(p[i : i + h, j : j + w] for i in range(3) for j in range(3)) / 9


@ITEM.right("x: h w -> h w", "C4(h, w)", sizes={"h": 4, "w": 4})
def averaged_over_turns(x):
    return sum(np.rot90(one_filter(np.rot90(x, k)), -k) for k in range(4)) / 4


@ITEM.right("m: n 3 -> n", "Oh")
def cubic_anisotropy(m):
    return (m**4).sum(-1) - 0.2 * (m**2).prod(-1)


@ITEM.right("x: n 3 -> n", "Td")
def field_of_a_tetrahedron(x):
    r2 = ((x[:, None] - CORNERS) ** 2).sum(-1)
    return (1 / (1 + r2)).sum(-1)


@ITEM.right("x: n 3 -> n", "C4v")
def polar_axis(x):
    a, b, c = x[:, 0] ** 2, x[:, 1] ** 2, x[:, 2]
    return a + b + a * b + c * (a + b) - c**3


@ITEM.right("x: n 3 -> n 3", "D4h")
def tetragonal_force(x):
    r2 = x[:, 0] ** 2 + x[:, 1] ** 2
    return np.stack([-4 * r2 * x[:, 0], -4 * r2 * x[:, 1], -2 * x[:, 2]], axis=1)


@ITEM.right("x: n 3 -> n", "C3")
def chiral_product(x):
    a, b, c = x.T
    return a * b**2 + b * c**2 + c * a**2


@ITEM.wrong("x: h w -> h w", "C4(h, w)")
def horizontal_gradient(x):
    return x - np.roll(x, 1, axis=1)


@ITEM.wrong("x: h w -> h w", "C4(h, w)")
def without_row_means(x):
    return x - x.mean(axis=1, keepdims=True)


@ITEM.wrong("x: h w -> h w", "C4(h, w)", sizes={"h": 4, "w": 4})
def turned_and_not_back(x):
    return sum(one_filter(np.rot90(x, k)) for k in range(4)) / 4


@ITEM.wrong("x: h w -> h w", "D4(h, w)")
def pinwheel(x):
    a, b = np.roll(x, (1, 2), (0, 1)), np.roll(x, (2, -1), (0, 1))
    return a + b + np.roll(x, (-1, -2), (0, 1)) + np.roll(x, (-2, 1), (0, 1))


@ITEM.wrong("x: c h w -> c", "C4(h, w)")
def upper_half(x):
    return x[:, : x.shape[1] // 2].sum(axis=(1, 2))


@ITEM.wrong("m: n 3 -> n", "Oh")
def cubes(m):
    return (m**3).sum(-1)


@ITEM.wrong("x: n 3 -> n", "Td")
def field_of_one_corner_more(x):
    r2 = ((x[:, None] - np.vstack([CORNERS, [[-1, -1, -1]]])) ** 2).sum(-1)
    return (1 / (1 + r2)).sum(-1)


@ITEM.wrong("x: n 3 -> n", "C4v")
def elliptic_axis(x):
    return x[:, 0] ** 2 + 1.01 * x[:, 1] ** 2 + x[:, 2]


@ITEM.wrong("x: n 3 -> n", "C3v")
def chiral_product_reflected(x):
    a, b, c = x.T
    return a * b**2 + b * c**2 + c * a**2


@ITEM.wrong("m: n 3 -> n", "D6h")
def cubic_in_a_hexagonal_crystal(m):
    return (m**4).sum(-1)
