"""Potentials, forces, molecules, proteins, many-body physics."""

import math

import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

from benchmarks.packages.claims import false, held, layer, of_numpy, of_torch, true, using


def gyration(X):
    X = X - X.mean(axis=0)
    return X.T @ X / X.shape[0]

def inertia(m, X):
    r2 = (X**2).sum(-1)
    return np.einsum("i,i,ab->ab", m, r2, np.eye(3)) - np.einsum("i,ia,ib->ab", m, X, X)

def dihedral(a, b, c, d):
    b1, b2, b3 = b - a, c - b, d - c
    n1, n2 = np.cross(b1, b2), np.cross(b2, b3)
    return n1 @ n2 / (np.linalg.norm(n1) * np.linalg.norm(n2))

def lennard_jones(X):
    n = len(X)
    i, j = np.triu_indices(n, k=1)
    r2 = ((X[i] - X[j]) ** 2).sum(-1)
    return (4 * (1 / r2**6 - 1 / r2**3)).sum()

def coulomb(q, X):
    d = X[:, None] - X[None]
    r = np.sqrt((d**2).sum(-1))
    np.fill_diagonal(r, np.inf)
    return (q[:, None] * q[None] / r).sum() / 2

def forces(X):
    d = X[:, None, :] - X[None, :, :]
    r2 = (d**2).sum(-1) + np.eye(len(X))
    return (d / r2[..., None] ** 2).sum(axis=1)

def boids(X, V):
    center = X.mean(0)
    away = X[:, None] - X[None]
    near = np.linalg.norm(away, axis=-1) < 1.0
    return V + 0.1 * (center - X) + (away * near[..., None]).sum(1)

def radial_distribution(X, edges=(0.1, 0.8, 1.5, 2.2, 3.0)):
    n = X.shape[0]
    i, j = np.triu_indices(n, 1)
    r = np.linalg.norm(X[i] - X[j], axis=1)
    return np.histogram(r, bins=edges)[0] / n

def dipole(q, X):
    return (q[:, None] * (X - np.average(X, axis=0))).sum(axis=0)

def quadrupole(q, X):
    r2 = np.einsum("ia,ia->i", X, X)
    return 3 * np.einsum("i,ia,ib->ab", q, X, X) - np.einsum("i,i->", q, r2) * np.eye(X.shape[1])

def kinetic(m, V):
    centre = np.average(V, axis=0, weights=m)
    return 0.5 * np.sum(m * np.sum((V - centre) ** 2, axis=1))

def stillinger(X):
    energy = 0.0
    for a in range(X.shape[0]):
        d = np.linalg.norm(X - X[a], axis=1)
        energy += np.exp(-(d**2)).sum()
    return energy

def coulomb_matrix(Z, X):
    D = np.linalg.norm(X[:, None] - X[None], axis=-1)
    np.fill_diagonal(D, 1.0)
    M = np.outer(Z, Z) / D
    np.fill_diagonal(M, 0.5 * Z**2.4)
    return M

def sorted_coulomb(Z, X):
    return np.sort(np.linalg.eigvalsh(coulomb_matrix(Z, X)))[::-1]

def ising(s):
    return -np.sum(s * (np.roll(s, 1, axis=0) + np.roll(s, 1, axis=1)))

def verlet(X, V):
    def force(Y):
        d = Y[:, None] - Y[None]
        return -(d * np.exp(-(d**2).sum(-1, keepdims=True))).sum(1)
    half = V + 0.05 * force(X)
    X = X + 0.1 * half
    return X

def contour(X):
    return np.sum(np.sqrt(np.sum(np.diff(X, axis=0) ** 2, axis=1)))

def partition(E, beta=1.5):
    E = E - E.min()
    w = np.exp(-beta * E)
    return (E * w).sum() / w.sum()

def order_parameter(U):
    U = U / np.linalg.norm(U, axis=1, keepdims=True)
    Q = 1.5 * np.einsum("ia,ib->ab", U, U) / len(U) - 0.5 * np.eye(3)
    return np.linalg.eigvalsh(Q)[-1]

def kuramoto(t):
    return np.abs(np.exp(1j * t).mean())

def steinhardt(X):
    d = X[:, None] - X[None]
    r = np.sqrt((d**2).sum(-1)) + np.eye(len(X))
    u = d / r[..., None]
    c = np.einsum("ija,ika->ijk", u, u)
    return (0.5 * (3 * c**2 - 1)).mean(axis=(1, 2))

def torsion_energy(X):
    b = np.diff(X, axis=0)
    n = np.cross(b[:-1], b[1:])
    n = n / np.linalg.norm(n, axis=1, keepdims=True)
    return np.sum(1 + (n[:-1] * n[1:]).sum(axis=1))

def energy_distance(X, Y):
    def d(A, B):
        return np.mean(np.linalg.norm(A[:, None] - B[None], axis=-1))
    return 2 * d(X, Y) - d(X, X) - d(Y, Y)

def frame_from_points(x1, x2, x3):
    v1, v2 = x3 - x2, x1 - x2
    e1 = v1 / np.linalg.norm(v1)
    u2 = v2 - e1 * np.dot(e1, v2)
    e2 = u2 / np.linalg.norm(u2)
    e3 = np.cross(e1, e2)
    return np.stack([e1, e2, e3], axis=-1)

def inertia_by_loops(m, X):
    com = np.average(X, axis=0, weights=m)
    r = X - com
    I = np.zeros((3, 3))
    for mi, ri in zip(m, r, strict=True):
        I += mi * (np.dot(ri, ri) * np.eye(3) - np.outer(ri, ri))
    return I

def praxeolitic(p0, p1, p2, p3):
    b0, b1, b2 = -1.0 * (p1 - p0), p2 - p1, p3 - p2
    b1 /= np.linalg.norm(b1)
    v = b0 - np.dot(b0, b1) * b1
    w = b2 - np.dot(b2, b1) * b1
    return np.degrees(np.arctan2(np.dot(np.cross(b1, v), w), np.dot(v, w)))

def lennard_jones_by_loops(positions, epsilon=1.0, sigma=1.0):
    energy = 0.0
    n = len(positions)
    for i in range(n):
        for j in range(i + 1, n):
            r2 = np.sum((positions[i] - positions[j]) ** 2)
            sr6 = (sigma**2 / r2) ** 3
            energy += 4 * epsilon * (sr6**2 - sr6)
    return energy

def lennard_jones_forces(X):
    d = X[:, None] - X[None, :]
    r2 = (d**2).sum(-1)
    np.fill_diagonal(r2, 1.0)
    f = 24 * (2 / r2**7 - 1 / r2**4)
    np.fill_diagonal(f, 0.0)
    return (f[..., None] * d).sum(axis=1)

def ewald_reciprocal(q, X, alpha=0.8, L=2.0, kmax=1):
    energy = 0.0
    for nx in range(-kmax, kmax + 1):
        for ny in range(-kmax, kmax + 1):
            for nz in range(-kmax, kmax + 1):
                if nx == ny == nz == 0:
                    continue
                k = 2 * np.pi / L * np.array([nx, ny, nz])
                S = np.sum(q * np.exp(1j * (X @ k)))
                k2 = k @ k
                energy += np.exp(-k2 / (4 * alpha**2)) / k2 * np.abs(S) ** 2
    return 2 * np.pi / L**3 * energy

def stress_virial(X, F):
    s = np.zeros((3, 3))
    for a in range(3):
        for b in range(3):
            s[a, b] = -np.sum(X[:, a] * F[:, b])
    return s

def real_harmonics_energy(X, r_cut=5.0):
    d = X[:, None] - X[None]
    x, y, z = d[..., 0], d[..., 1], d[..., 2]
    r2 = x**2 + y**2 + z**2
    Y2 = np.stack([math.sqrt(3) * x * y, math.sqrt(3) * y * z, (2 * z**2 - x**2 - y**2) / 2, math.sqrt(3) * x * z, math.sqrt(3) / 2 * (x**2 - y**2)], -1)
    A = (Y2 * np.exp(-r2 / r_cut)[..., None]).sum(1)
    return (A**2).sum(-1)

def backward_forces(pos):
    pos = pos.clone().detach().requires_grad_(True)
    with torch.enable_grad():
        d2 = ((pos[:, None] - pos[None]) ** 2).sum(-1)
        energy = torch.exp(-d2).sum()
        energy.backward()
    return -pos.grad

def coulomb_matrix_by_loops(Z, R):
    n = len(Z)
    M = np.zeros((n, n))
    for i in range(n):
        for j in range(n):
            if i == j:
                M[i, j] = 0.5 * Z[i] ** 2.4
            else:
                M[i, j] = Z[i] * Z[j] / np.linalg.norm(R[i] - R[j])
    return M

def lj_forces_loop(X, reaction=-1):
    N = X.shape[0]
    Fm = np.zeros_like(X)
    for i in range(N):
        for j in range(i + 1, N):
            rij = X[i] - X[j]
            r2 = np.dot(rij, rij)
            f = 24 * (2 / r2**7 - 1 / r2**4) * rij
            Fm[i] += f
            Fm[j] += reaction * f
    return Fm

def gyration_descriptors(X):
    X = X - X.mean(axis=0)
    S = X.T.dot(X) / len(X)
    l1, l2, l3 = np.sort(np.linalg.eigvalsh(S))[::-1]
    rg2 = l1 + l2 + l3
    return np.array([rg2, l1 - 0.5 * (l2 + l3), l2 - l3])

def torsion(p):
    b0, b1, b2 = p[0] - p[1], p[2] - p[1], p[3] - p[2]
    b1 = b1 / torch.linalg.norm(b1)
    v, w = b0 - (b0 @ b1) * b1, b2 - (b2 @ b1) * b1
    return torch.atan2(torch.linalg.cross(b1, v) @ w, v @ w)

def rigid_from_3_points(x1, x2, x3):
    v1, v2 = x3 - x2, x1 - x2
    e1 = v1 / torch.sqrt((v1**2).sum(-1, keepdim=True) + 1e-8)
    u2 = v2 - e1 * (e1 * v2).sum(-1, keepdim=True)
    e2 = u2 / torch.sqrt((u2**2).sum(-1, keepdim=True) + 1e-8)
    return torch.stack([e1, e2, torch.cross(e1, e2, dim=-1)], dim=-1)

def multi_force(pos, q):  # energy and forces, of a graph of all pairs
    pos = pos.requires_grad_(True)
    with torch.enable_grad():
        n = pos.shape[0]
        i, j = torch.triu_indices(n, n, offset=1)
        r = (pos[i] - pos[j]).norm(dim=1)
        e = (q[i] * q[j] / (r + 0.5)).sum()
        f = -torch.autograd.grad(e, pos, create_graph=True)[0]
    return {"energy": e, "forces": f}

def steinhardt_weighted(X):
    v = X[:, None] - X[None]
    r = np.linalg.norm(v, axis=-1) + np.eye(len(X))
    u = v / r[..., None]
    w = (1 - np.eye(len(X))) * np.exp(-r)
    c = np.einsum("ijk,ilk->ijl", u, u)
    p = 0.5 * (3 * c**2 - 1)
    return np.sqrt(np.einsum("ij,il,ijl->i", w, w, p) / w.sum(1) ** 2)

def verlet_step(x, v, dt=0.01):
    def force(x):
        d = x[:, None] - x[None]
        r2 = (d**2).sum(-1) + 1.0
        return (d / r2[..., None] ** 2).sum(1)
    a = force(x)
    x1 = x + v * dt + 0.5 * a * dt**2
    return x1, v + 0.5 * (a + force(x1)) * dt

def boids_near(x, v, r=1.5):
    d = x[None] - x[:, None]
    near = (np.linalg.norm(d, axis=-1) < r).astype(float)
    n = near.sum(1, keepdims=True)
    cohesion = np.einsum("ij,ijk->ik", near, d) / n
    align = near @ v / n - v
    return v + 0.1 * cohesion + 0.2 * align

def sinkhorn_divergence(x, y, eps=0.5, rounds=3):
    C = torch.cdist(x, y) ** 2
    f, g = torch.zeros(len(x)), torch.zeros(len(y))
    la, lb = -math.log(len(x)), -math.log(len(y))
    for _ in range(rounds):
        f = -eps * torch.logsumexp((g[None] - C) / eps + lb, dim=1)
        g = -eps * torch.logsumexp((f[:, None] - C) / eps + la, dim=0)
    return f.mean() + g.mean()

def morse_forces(x):
    with torch.enable_grad():
        x = x.detach().requires_grad_(True)
        r = (x[:, None] - x[None]).pow(2).sum(-1).add(1e-3).sqrt()
        e = 0.5 * ((1 - torch.exp(-(r - 1.0))) ** 2 * (1 - torch.eye(len(x)))).sum()
        (grad,) = torch.autograd.grad(e, x)
    return -grad

def stress(x):
    with torch.enable_grad():
        eps = torch.zeros(3, 3, requires_grad=True)
        y = x + x @ (0.5 * (eps + eps.T))
        d = y[:, None] - y[None]
        e = torch.exp(-(d**2).sum(-1)).sum()
        (s,) = torch.autograd.grad(e, eps)
    return s

class HamiltonianNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(1, 8), nn.Tanh(), nn.Linear(8, 1))
    def forward(self, q, p):
        with torch.enable_grad():
            q, p = q.detach().requires_grad_(), p.detach().requires_grad_()
            r2 = ((q.unsqueeze(0) - q.unsqueeze(1)) ** 2).sum(-1, keepdim=True)
            h = self.net(r2).sum() + 0.5 * (p**2).sum()
            dq, dp = torch.autograd.grad(h, (q, p), create_graph=True)
        return dp - dq

def radius_of_gyration_tensor(X, m):
    r = X - (m[:, None] * X).sum(0) / m.sum()
    return (m[:, None, None] * r[:, :, None] * r[:, None, :]).sum(0) / m.sum()

def steinhardt_q4(X):
    d = X[:, None] - X[None]
    r = np.sqrt((d**2).sum(-1) + 1e-9)
    c = np.einsum("ijd,ikd->ijk", d, d) / (r[:, :, None] * r[:, None, :])
    return ((35 * c**4 - 30 * c**2 + 3) / 8).mean((1, 2))

def structure_factor(X, k=(1.0, 0.5, -0.3)):
    phase = X @ np.array(k)
    return (np.cos(phase).sum() ** 2 + np.sin(phase).sum() ** 2) / len(X)

def dihedrals(X):
    b = np.diff(X, axis=0)
    n = np.cross(b[:-1], b[1:])
    m = np.cross(n[:-1], b[1:-1] / np.linalg.norm(b[1:-1], axis=1, keepdims=True))
    return np.arctan2((m * n[1:]).sum(1), (n[:-1] * n[1:]).sum(1))

def mds_stress(x, D):  # SMACOF
    d = np.sqrt(((x[:, None] - x[None]) ** 2).sum(-1) + 1e-12)
    return ((d - D) ** 2).sum() / (D**2).sum()

def energy_score(x, y):  # of an ensemble
    m = len(x)
    a = np.linalg.norm(x - y, axis=1).mean()
    b = np.linalg.norm(x[:, None] - x[None], axis=-1).sum() / (2 * m * (m - 1))
    return a - b

def boids_apart(x, v):  # alignment and separation
    r = x[:, None] - x[None]
    d2 = (r**2).sum(-1)
    near = (d2 < 1.0) & (d2 > 0)
    away = (r * near[..., None] / (d2 + 1e-9)[..., None]).sum(1)
    count = near.sum(1, keepdims=True)
    mean = np.where(count > 0, (near @ v) / np.maximum(count, 1), v)
    return 0.1 * away + 0.2 * (mean - v)

def virial(x):
    r = x[:, None] - x[None]
    d2 = (r**2).sum(-1)
    np.fill_diagonal(d2, np.inf)
    s6 = d2**-3
    f = 24 * (2 * s6**2 - s6) / d2
    return np.einsum("ij,ija,ijb->ab", f, r, r) / 2

def xy_energy(theta):
    e = 0.0
    for axis in (0, 1):
        e -= np.cos(theta - np.roll(theta, 1, axis=axis)).sum()
    return e / theta.size

def forces_of(energy, x):
    x = x.detach().clone().requires_grad_(True)
    return -torch.autograd.grad(energy(x).sum(), x, create_graph=False)[0]

class PairPotential(nn.Module):
    def __init__(self, hidden=6):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(1, hidden), nn.SiLU(), nn.Linear(hidden, 1))
    def energy(self, x):
        i, j = torch.triu_indices(x.shape[0], x.shape[0], offset=1)
        return self.net((x[i] - x[j]).norm(dim=-1, keepdim=True)).sum()
    def forward(self, x):
        with torch.enable_grad():
            return forces_of(self.energy, x)

def sph_forces(x, h=1.0, k=2.0):
    r = x[:, None] - x[None]
    q2 = (r**2).sum(-1)
    w = np.maximum(h**2 - q2, 0.0) ** 3 * 315 / (64 * np.pi * h**9)
    rho = w.sum(axis=1)
    p = k * (rho - 1.0)
    grad = -6 * r * (np.maximum(h**2 - q2, 0.0) ** 2)[..., None] * 315 / (64 * np.pi * h**9)
    return -((p / rho**2)[:, None] + (p / rho**2)[None, :])[..., None].__mul__(grad).sum(axis=1)

class TorchMDEquivariantLayer(nn.Module):
    def __init__(self, hidden=4, heads=2):
        super().__init__()
        self.heads, self.head_dim, self.hidden = heads, hidden // heads, hidden
        self.q_proj, self.k_proj = nn.Linear(hidden, hidden), nn.Linear(hidden, hidden)
        self.v_proj, self.vec_proj = nn.Linear(hidden, 3 * hidden), nn.Linear(hidden, hidden, bias=False)
    def forward(self, x, vec, pos):
        n = x.shape[0]
        q = self.q_proj(x).reshape(n, self.heads, self.head_dim)
        k = self.k_proj(x).reshape(n, self.heads, self.head_dim)
        v = self.v_proj(x).reshape(n, self.heads, self.head_dim * 3)
        r = pos[:, None] - pos[None, :]
        d = r.norm(dim=-1, keepdim=True)
        attn = F.silu(torch.einsum("ihd,jhd->ijh", q, k)) * torch.exp(-d)
        s, v1, v2 = torch.split(v, self.head_dim, dim=-1)
        msg = attn.unsqueeze(-1) * s.unsqueeze(0)
        x = x + msg.sum(1).reshape(n, self.hidden)
        vec_j = vec.reshape(n, 3, self.heads, self.head_dim)
        upd = vec_j.unsqueeze(0) * v1[None, :, None] + v2[None, :, None] * r[..., None, None]
        return self.vec_proj(upd.sum(1).reshape(n, 3, self.hidden))

def finnis_sinclair(x):
    r = x[:, None] - x[None]
    d = torch.sqrt((r**2).sum(-1) + torch.eye(len(x), dtype=x.dtype))
    off = 1 - torch.eye(len(x), dtype=x.dtype)
    fc = torch.where(d < 3.0, (3.0 - d) ** 2, torch.zeros_like(d)) * off
    rho = (fc * torch.exp(-d)).sum(1)
    return 0.5 * (off * torch.exp(-2 * d)).sum() - torch.sqrt(rho + 1e-8).sum()

CLAIMS = [
    of_numpy(gyration, "X: n 3 -> 3^ 3^", true("gyration tensor", "E(3) x S(n)")),
    of_numpy(inertia, "m: n, X: n 3 -> 3 3", true("inertia tensor", "O(3) x S(n)")),
    of_numpy(dihedral, "a: 3, b: 3, c: 3, d: 3 -> ()", true("dihedral", "E(3)")),
    of_numpy(lennard_jones, "X: n 3 -> ()", true("lennard-jones by triu_indices", "E(3) x S(n)")),
    of_numpy(coulomb, "q: n, X: n 3 -> ()", true("coulomb with inf diagonal", "E(3) x S(n)")),
    of_numpy(forces, "X: n d -> n d^", true("pair forces", "E(d) x S(n)")),
    of_numpy(boids, "X: n d, V: n d^ -> n d^", true("boids", "E(d) x S(n)")),
    of_numpy(lambda s: -(s * np.roll(s, 1)).sum(), "s: n -> ()", true("total energy of spins", "D(n)")),
    of_numpy(lambda X: np.diag(gyration(X)), "X: n 3 -> 3", false("gyration diagonal", "O(3)")),
    of_numpy(lambda X, V: np.cross(X, V), "X: n 3, V: n 3 -> n 3", false("forces reflected", "O(3)")),
    of_torch(lambda x: torch.func.grad(lambda z: (torch.cdist(z, z) ** 2).sum())(x), "x: n d -> n d^", true("torch grad of energy", "S(n) x E(d)")),
    of_numpy(radial_distribution, "X: n d -> 4", true("physics radial distribution", "S(n) x E(d)"), false("physics radial distribution scaled", "Scale(d)")),
    of_numpy(dipole, "q: n, X: n d -> d^", true("physics dipole", "S(n) x E(d)")),
    of_numpy(quadrupole, "q: n, X: n d -> d d", true("physics quadrupole", "S(n) x O(d)")),
    of_numpy(lambda m, X, V: np.sum(m[:, None] * np.cross(X, V), axis=0), "m: n, X: n 3, V: n 3 -> 3", true("physics angular momentum", "S(n) x SO(3)"), false("physics angular momentum mirrored", "O(3)")),
    of_numpy(kinetic, "m: n, V: n d -> ()", true("physics kinetic", "S(n) x E(d)"), draw="positive"),
    of_numpy(stillinger, "X: n d -> ()", true("physics loop of energies", "S(n) x E(d)")),
    of_numpy(coulomb_matrix, "Z: n, X: n d -> n n", true("physics coulomb matrix", "S(n) x E(d)"), draw="positive"),
    of_numpy(sorted_coulomb, "Z: n, X: n d -> m", true("physics sorted coulomb", "S(n) x E(d)"), n=3, m=3, draw="positive"),
    of_numpy(ising, "s: n m -> ()", true("physics ising", "C(n) x C(m)")),
    of_numpy(verlet, "X: n d, V: n d -> n d", true("physics verlet", "S(n) x O(d)")),
    of_numpy(contour, "X: n d -> ()", true("physics contour", "E(d)", n=(2, 6)), false("physics contour of a set", "S(n)", n=(3, 6))),
    of_numpy(partition, "E: n -> ()", true("physics partition", "S(n)")),
    of_numpy(order_parameter, "U: n 3 -> ()", true("physics order parameter", "S(n) x O(3)")),
    of_numpy(kuramoto, "t: n -> ()", true("physics kuramoto", "S(n)")),
    of_numpy(lambda q, X: (q[:, None] * X).sum(0), "q: n, X: n d -> d^", false("physics dipole of charges", "T(d)")),
    of_numpy(lambda s: -np.sum(s[1:] * s[:-1]) - np.sum(s[:, 1:] * s[:, :-1]), "s: n m -> ()", false("physics ising open", "C(n)")),
    of_numpy(steinhardt, "X: n d -> n", true("bond order of angles", "S(n) x E(d)")),
    of_numpy(torsion_energy, "X: n 3 -> ()", true("torsion energy", "E(3)"), false("torsion energy of a set", "S(n)"), n=(4, 6)),
    of_numpy(energy_distance, "X: n d, Y: m d -> ()", true("energy distance of samples", "S(n) x S(m) x E(d)"), true("energy distance", "S(n) x S(m) x E(d)")),
    of_torch(layer("geomloss:SamplesLoss", "energy", backend="tensorized"), "x: n d, y: m d -> ()", true("geomloss energy", "S(n) x S(m) x E(d)")),
    of_numpy(frame_from_points, "a: 3, b: 3, c: 3 -> 3^ 3!", true("frame of three atoms", "SE(3)")),
    of_numpy(inertia_by_loops, "m: n, X: n 3 -> 3^ 3^", true("inertia tensor by loops", "S(n) x E(3)"), draw="positive"),
    of_numpy(quadrupole, "q: n, X: n 3 -> 3 3", true("quadrupole of charges", "S(n) x O(3)")),
    of_numpy(praxeolitic, "a: 3, b: 3, c: 3, d: 3 -> ()", true("dihedral in degrees", "SE(3)"), false("dihedral mirrored", "E(3)")),
    of_numpy(lennard_jones_by_loops, "X: n 3 -> ()", true("Lennard-Jones by loops", "S(n) x E(3)")),
    of_numpy(lennard_jones_forces, "X: n d -> n d^", true("Lennard-Jones forces, diagonal filled", "S(n) x E(d)")),
    of_numpy(ewald_reciprocal, "q: n, X: n 3 -> ()", true("Ewald's reciprocal sum", "S(n) x T(3)")),
    of_numpy(stress_virial, "X: n 3, F: n 3 -> 3 3", true("virial by components", "S(n) x O(3)")),
    of_numpy(real_harmonics_energy, "X: n 3 -> n", true("harmonics of degree 2 by hand", "S(n) x E(3)")),
    of_numpy(lambda m, X: inertia_by_loops(m, X) + np.outer(X.sum(0), X.sum(0)), "m: n, X: n 3 -> 3^ 3^", false("inertia about the origin", "T(3)"), draw="positive"),
    of_numpy(lambda q, X: 3 * np.einsum("i,ij,ik->jk", q, X, X) - np.sum(q * np.sum(X**2, 1)) * np.ones((3, 3)), "q: n, X: n 3 -> 3 3", false("quadrupole without trace of charges", "O(3)")),
    of_numpy(lambda X: sum(1 / np.sum((X[i] - X[i - 1]) ** 2) for i in range(1, len(X))), "X: n 3 -> ()", false("Lennard-Jones, neighbours in the list", "S(n)")),
    of_numpy(lambda X: real_harmonics_energy(X * np.array([1.0, 1.0, 1.1])), "X: n 3 -> n", false("harmonics with a factor missing", "O(3)")),
    of_torch(backward_forces, "pos: n d -> n d^", true("backward forces", "S(n) x E(d)"), backend="torch"),
    of_torch(layer(TorchMDEquivariantLayer), "x: n 4, vec: n 3 4, pos: n 3 -> n 3 4", true("TorchMD equivariant layer atoms", "S(n)")),
    of_torch(layer(TorchMDEquivariantLayer), "x: n 4, vec: n 3^ 4, pos: n 3 -> n 3^ 4", true("TorchMD equivariant layer", "E(3)")),
    of_numpy(coulomb_matrix_by_loops, "Z: n, R: n d -> n n", true("Coulomb matrix", "S(n) x E(d)"), draw="positive"),
    of_numpy(lj_forces_loop, "X: n d -> n d^", true("LJ forces in a loop", "S(n) x E(d)")),
    of_numpy(gyration_descriptors, "X: n 3 -> 3!", true("gyration", "S(n) x E(3)")),
    of_numpy(lambda X: lj_forces_loop(X, reaction=1), "X: n d -> n d^", false("LJ forces added twice", "S(n)")),
    of_torch(using("torch_dct:dct", lambda f, x: (f(x, norm="ortho") ** 2).sum(-1)), "x: n 6 -> n", true("torch-dct energy", "S(n)")),
    of_torch(torsion, "p: 4 3 -> ()", true("torsion", "SE(3)"), false("torsion mirrored", "E(3)")),
    of_torch(rigid_from_3_points, "a: n 3, b: n 3, c: n 3 -> n 3^ 3!", true("frames of residues", "S(n) x SE(3)"), false("frames of residues mirrored", "O(3)")),
    of_torch(multi_force, "pos: n d, q: n -> energy: (), forces: n d^", true("energy and forces", "S(n) x E(d)"), n=(2, 5)),
    of_numpy(steinhardt_weighted, "X: n d -> n", true("Steinhardt by Legendre", "S(n) x E(d)"), n=(3, 5)),
    of_numpy(verlet_step, "x: n d, v: n d^ -> n d, n d^", true("Verlet", "S(n) x E(d)")),
    of_numpy(boids_near, "x: n d, v: n d^ -> n d^", true("boids", "S(n) x E(d)")),
    of_numpy(ising, "s: h w -> ()", true("Ising on a torus", "C(h) x D(w)")),
    of_numpy(lambda x, v: (verlet_step(x, v)[0] + 0.01 * x**2, v), "x: n d, v: n d^ -> n d, n d^", false("Verlet in a wind", "O(d)")),
    of_torch(lambda x, y: 2 * torch.cdist(x, y).mean() - torch.cdist(x, x).mean() - torch.cdist(y, y).mean(), "x: n d, y: m d -> ()", true("energy distance", "S(n) x S(m) x E(d)")),
    of_torch(sinkhorn_divergence, "x: n d, y: m d -> ()", true("Sinkhorn potentials", "S(n) x S(m) x E(d)")),
    of_torch(morse_forces, "x: n d -> n d^", true("Morse forces", "S(n) x E(d)")),
    of_torch(stress, "x: n 3 -> 3^ 3^", true("stress by strain", "S(n) x E(3)")),
    of_torch(layer(HamiltonianNet), "q: n d, p: n d^ -> n d^", true("Hamiltonian network", "S(n) x E(d)")),
    of_numpy(sorted_coulomb, "Z: n, R: n 3 -> n!", true("Coulomb matrix spectrum", "S(n) x E(3)"), draw="positive"),
    of_numpy(radius_of_gyration_tensor, "X: n 3, m: n -> 3^ 3^", true("gyration tensor", "S(n) x E(3)"), draw="positive"),
    of_numpy(steinhardt_q4, "X: n 3 -> n", true("Steinhardt 4", "S(n) x E(3)")),
    of_numpy(structure_factor, "X: n 3 -> ()", true("structure factor", "S(n) x T(3)"), false("structure factor rotated", "O(3)")),
    of_torch(lambda x: morse_forces(x) + 0.1 * x**3, "x: n d -> n d^", false("Morse forces in a field", "T(d)")),
    of_torch(lambda x: stress(x * torch.arange(1.0, len(x) + 1)[:, None]), "x: n 3 -> 3^ 3^", false("stress unsymmetrised of places", "S(n)")),
    of_numpy(lambda Z, R: np.outer(Z, Z)[0] * R[:, 0], "Z: n, R: n 3 -> n", false("Coulomb matrix unsorted", "O(3)")),
    of_numpy(dihedrals, "X: n 3 -> k", false("dihedrals of a chain mirrored", "E(3)"), n=(4, 6)),
    of_numpy(mds_stress, "x: n d, D: n n -> ()", true("MDS stress", "S(n) x E(d)")),
    of_numpy(mds_stress, "x: n d, D: n! n! -> ()", false("MDS stress, distances kept", "S(n)")),
    of_numpy(energy_score, "x: m d, y: d -> ()", true("energy score", "S(m) x E(d)")),
    of_numpy(lambda theta, K=1.0: K / len(theta) * np.sin(theta[None] - theta[:, None]).sum(1), "x: n -> n", true("Kuramoto", "S(n)"), false("Kuramoto scaled", "Scale(n)")),
    of_numpy(boids_apart, "x: n 2, v: n 2^ -> n 2^", true("boids", "S(n) x E(2)")),
    of_numpy(virial, "x: n 3 -> 3^ 3^", true("virial", "S(n) x E(3)")),
    of_numpy(lambda x, q: quadrupole(q, x), "x: n 3, q: n -> 3 3", true("quadrupole", "S(n) x O(3)")),
    of_numpy(lambda x, q: quadrupole(q, x), "x: n 3, q: n -> 3^ 3^", false("quadrupole moved", "T(3)")),
    of_numpy(xy_energy, "t: n m -> ()", true("XY model", "C(n) x C(m)"), false("XY model shuffled", "S(n)", n=(4, 5))),
    of_torch(layer(PairPotential), "x: n 3 -> n 3^", true("forces of a pair potential", "S(n) x E(3)"), n=(2, 4)),
    of_torch(lambda x: torch.func.grad(finnis_sinclair)(x), "x: n 3 -> n 3^", true("Finnis-Sinclair forces", "S(n) x E(3)")),
    of_torch(finnis_sinclair, "x: n 3 -> ()", true("Finnis-Sinclair", "S(n) x E(3)")),
    of_numpy(sph_forces, "x: n d -> n d^", true("SPH forces", "S(n) x E(d)")),
    of_numpy(held("sktime.performance_metrics.forecasting as S", "lambda x, y: S.mean_absolute_percentage_error(x, y, symmetric=True)"), "x: n, y: n -> ()", true("sktime MASE of features", "S(n)"), draw="positive"),
    of_torch(layer(PairPotential), "x: n 3 -> n 3", false("forces of a pair potential scaled", "Scale(3)")),
]  # fmt: skip
