"""NumPy, einops and torch code of everyday use that fits no other file."""

import einops
import numpy as np
import scipy.spatial.distance as ssd

from benchmarks.packages.claims import false, held, of_numpy, true


def confusion(y, p):
    M = np.zeros((3, 3))
    np.add.at(M, (y, p), 1)
    return M

def cut(A, s):
    return (np.where(s[:, None] != s[None], A, 0)).sum() / 2

def halves(x):
    n = x.shape[0]
    if n % 2:
        x = np.append(x, 0.0)
    return x.sum()

def simpson(c):
    p = c / c.sum()
    return 1 - np.square(p).sum()

def beta_diversity(X):
    P = X / X.sum(axis=1, keepdims=True)
    return 0.5 * np.abs(P[:, None] - P[None]).sum(axis=2)

def mst_length(X):
    D = np.linalg.norm(X[:, None] - X[None], axis=-1)
    n = len(X)
    inside = np.zeros(n, dtype=bool)
    inside[0] = True
    best, total = D[0].copy(), 0.0
    for _ in range(n - 1):
        j = np.argmin(np.where(inside, np.inf, best))
        total += best[j]
        inside[j] = True
        best = np.minimum(best, D[j])
    return total

def acsf_g2(X, eta=0.5, rs=1.0, rc=4.0):
    r = np.linalg.norm(X[:, None] - X[None], axis=-1)
    fc = np.where(r < rc, 0.5 * (np.cos(np.pi * r / rc) + 1), 0.0)
    g = np.exp(-eta * (r - rs) ** 2) * fc
    return g.sum(1) - np.diag(g)

def acsf_g4(X, zeta=2, eta=0.1):
    d = X[None, :] - X[:, None]
    r = np.sqrt((d**2).sum(-1) + 1e-12)
    cos = np.einsum("ija,ika->ijk", d, d) / (r[:, :, None] * r[:, None, :])
    g = (1 + cos) ** zeta * np.exp(-eta * (r[:, :, None] ** 2 + r[:, None, :] ** 2))
    return g.sum(axis=(1, 2))

def frechet_curve(P, Q):
    D = np.linalg.norm(P[:, None] - Q[None], axis=-1)
    C = np.zeros_like(D)
    for i in range(D.shape[0]):
        for j in range(D.shape[1]):
            before = [C[a, b] for a, b in ((i - 1, j), (i, j - 1), (i - 1, j - 1)) if a >= 0 and b >= 0]
            C[i, j] = max(min(before), D[i, j]) if before else D[i, j]
    return C[-1, -1]

def lorenz(x):
    s = np.cumsum(np.sort(x))
    return s / s[-1]

def hill(c, q=2.0):
    p = c / c.sum()
    return (p**q).sum() ** (1 / (1 - q))

def betti_curve(B, D):
    t = np.linspace(0, 1, 4)
    return ((B[:, None] <= t) & (t < D[:, None])).sum(axis=0)

def deepset(x):
    h = np.tanh(x @ np.array([[1.0, -0.5], [0.25, 2.0], [1.5, 1.0]]))
    return np.maximum(h.sum(axis=0), 0)

def gram_schmidt(A):
    Q = []
    for v in A:
        for q in Q:
            v = v - np.dot(q, v) * q
        Q.append(v / np.linalg.norm(v))
    return np.array(Q)

def effective_resistance(A):
    A = A + A.T
    L = np.diag(A.sum(1)) - A
    n = len(L)
    G = np.linalg.inv(L + np.ones((n, n)) / n)
    g = np.diag(G)
    return g[:, None] + g[None, :] - 2 * G

def power_iteration(A, steps=6):
    v = np.ones(A.shape[0])
    for _ in range(steps):
        v = A @ v
        v = v / np.linalg.norm(v)
    return v @ A @ v

def random_fourier_features(X, seed=0):
    rng = np.random.default_rng(seed)
    W, b = rng.normal(size=(X.shape[1], 16)), rng.uniform(0, 2 * np.pi, 16)
    Z = np.sqrt(2 / 16) * np.cos(X @ W + b)
    return Z @ Z.T

def game_of_life(grid):
    n = sum(np.roll(grid, (i, j), (0, 1)) for i in (-1, 0, 1) for j in (-1, 0, 1) if (i, j) != (0, 0))
    return np.exp(-((n - 3) ** 2)) + grid * np.exp(-((n - 2) ** 2))

def clifford_product(a, b):
    s = a[0] * b[0] + a[1] * b[1] + a[2] * b[2] - a[3] * b[3]
    x = a[0] * b[1] + a[1] * b[0] - a[2] * b[3] + a[3] * b[2]
    y = a[0] * b[2] + a[2] * b[0] + a[1] * b[3] - a[3] * b[1]
    xy = a[0] * b[3] + a[3] * b[0] + a[1] * b[2] - a[2] * b[1]
    return np.array([s, x, y, xy])

def clifford_scalar(u, v):
    zero = np.zeros(1)
    p = clifford_product(np.concatenate([zero, u, zero]), np.concatenate([zero, v, zero]))
    return np.array([p[0], abs(p[3])])

def p4_lift(x, w):
    maps = [sum(w_ij * np.roll(x, (i - 1, j - 1), (0, 1)) for i, row in enumerate(np.rot90(w, r)) for j, w_ij in enumerate(row)) for r in range(4)]
    return np.max(maps, axis=0)

def behler_g2(X, eta=0.5, rs=1.0, rc=6.0):
    n = X.shape[0]
    G = np.zeros(n)
    for i in range(n):
        for j in range(n):
            if i == j:
                continue
            r = np.linalg.norm(X[i] - X[j])
            if r < rc:
                fc = 0.5 * (np.cos(np.pi * r / rc) + 1)
                G[i] += np.exp(-eta * (r - rs) ** 2) * fc
    return G

def behler_g4(X, eta=0.1, zeta=2, lam=1.0):
    n = len(X)
    G = np.zeros(n)
    for i in range(n):
        for j in range(n):
            for k in range(j + 1, n):
                if i == j or i == k:
                    continue
                rij, rik, rjk = X[i] - X[j], X[i] - X[k], X[j] - X[k]
                dij, dik, djk = np.linalg.norm(rij), np.linalg.norm(rik), np.linalg.norm(rjk)
                cos = np.dot(rij, rik) / (dij * dik)
                G[i] += (1 + lam * cos) ** zeta * np.exp(-eta * (dij**2 + dik**2 + djk**2))
    return 2 ** (1 - zeta) * G

def bond_order_q(X, l=2):
    n = len(X)
    Q = np.zeros((3, 3))
    count = 0
    for i in range(n):
        for j in range(n):
            if i != j:
                d = X[j] - X[i]
                u = d / np.linalg.norm(d)
                Q += np.outer(u, u) - np.eye(3) / 3
                count += 1
    Q /= count
    return np.sqrt(1.5 * np.sum(Q**2))

def kendall_tau(x, y):
    n = len(x)
    s = 0
    for i in range(n):
        for j in range(i):
            s += np.sign(x[i] - x[j]) * np.sign(y[i] - y[j])
    return 2 * s / (n * (n - 1))

def svgd_update(X, eps=0.1):
    K = np.exp(-((X[:, None] - X[None]) ** 2).sum(-1) / 2)
    grad_logp = -X
    dx = K @ grad_logp
    for i in range(X.shape[1]):
        dx[:, i] += X[:, i] * K.sum(1) - K @ X[:, i]
    return X + eps * dx / len(X)

def haar_level(x):
    a = (x[0::2] + x[1::2]) / np.sqrt(2)
    d = (x[0::2] - x[1::2]) / np.sqrt(2)
    return np.array([np.sum(a**2), np.sum(d**2)])

def cronbach_alpha(X):
    k = X.shape[1]
    return k / (k - 1) * (1 - X.var(axis=0, ddof=1).sum() / X.sum(axis=1).var(ddof=1))

def soap_like(X):
    v = X[:, None] - X[None]
    d2 = (v**2).sum(-1)
    g = np.exp(-d2)[..., None] ** np.array([0.5, 1.0, 2.0])
    c0 = g.sum(1)
    c1 = np.einsum("ijn,ijk->ink", g, v)
    return np.einsum("ink,imk->inm", c1, c1) + np.einsum("in,im->inm", c0, c0)

def heat_step(u, a=0.1):
    lap = np.roll(u, 1, 0) + np.roll(u, -1, 0) + np.roll(u, 1, 1) + np.roll(u, -1, 1) - 4 * u
    return u + a * lap

def risk_parity(w, C):
    m = C @ w
    return w * m / (w @ m)

def drawdown(x):
    c = np.cumsum(x)
    return np.max(np.maximum.accumulate(c) - c)

def ols_standard_errors(X, y):
    XtX = np.linalg.inv(X.T @ X)
    beta = XtX @ X.T @ y
    resid = y - X @ beta
    s2 = resid @ resid / (X.shape[0] - X.shape[1])
    return np.sqrt(np.diag(XtX) * s2)

def u_centred(x):
    n = len(x)
    d = ssd.squareform(ssd.pdist(x))
    u = d - d.sum(0, keepdims=True) / (n - 2) - d.sum(1, keepdims=True) / (n - 2) + d.sum() / ((n - 1) * (n - 2))
    np.fill_diagonal(u, 0.0)
    return u

def unbiased_dcov(x, y):
    n = len(x)
    return (u_centred(x) * u_centred(y)).sum() / (n * (n - 3))

def tsne_p(X, sigma=1.0):
    d = ssd.squareform(ssd.pdist(X, "sqeuclidean"))
    P = np.exp(-d / (2 * sigma**2))
    np.fill_diagonal(P, 0)
    P = P / P.sum(axis=1, keepdims=True)
    return (P + P.T) / (2 * len(X))

def tsne_kl(X, Y):
    P = tsne_p(X)
    num = 1 / (1 + ssd.squareform(ssd.pdist(Y, "sqeuclidean")))
    np.fill_diagonal(num, 0)
    Q = np.maximum(num / num.sum(), 1e-12)
    P = np.maximum(P, 1e-12)
    return np.sum(P * np.log(P / Q))

def umap_affinity(X):
    d = ssd.cdist(X, X)
    rho = np.sort(d, axis=1)[:, 1]
    w = np.exp(-np.maximum(d - rho[:, None], 0))
    np.fill_diagonal(w, 0)
    return w + w.T - w * w.T

def diffusion_distance(X):
    K = np.exp(-ssd.cdist(X, X, "sqeuclidean"))
    P = K / K.sum(1, keepdims=True)
    P2 = np.linalg.matrix_power(P, 3)
    pi = K.sum(1) / K.sum()
    return (((P2[:, None] - P2[None]) ** 2) / pi).sum(-1)

def kirchhoff(A):
    L = np.diag(A.sum(1)) - A
    return np.linalg.det(L[1:, 1:])

def log_euclid(A, B):
    def lg(M):
        w, v = np.linalg.eigh(M @ M.T + np.eye(len(M)))
        return (v * np.log(w)) @ v.T
    return np.linalg.norm(lg(A) - lg(B))

def kaplan_meier(t, e):
    order = np.argsort(t)
    e = e[order]
    at_risk = len(t) - np.arange(len(t))
    return np.cumprod(1 - e / at_risk)

def conductance(A, s):
    cut = s @ A @ (1 - s)
    vol = A.sum(1)
    return cut / np.minimum(s @ vol, (1 - s) @ vol)

def kemeny(A):
    P = A / A.sum(1, keepdims=True)
    w = np.linalg.eigvals(P)
    w = np.sort(w.real)[:-1]
    return (1 / (1 - w)).sum()

def exact_game_of_life(x):
    k = sum(np.roll(np.roll(x, i, 0), j, 1) for i in (-1, 0, 1) for j in (-1, 0, 1) if i or j)
    return np.where((k > 2.5) & (k < 3.5) | (x > 0) & (k > 1.5) & (k < 2.5), 1.0, 0.0)

def replicator(p, A):
    f = A @ p
    return p * (f - p @ f)

def n_body(x, m, soft=0.1):
    r = x[None] - x[:, None]
    inv = (np.square(r).sum(-1) + soft**2) ** -1.5
    return (r * inv[..., None] * m[None, :, None]).sum(1)

def leapfrog(x, v, dt=0.01):
    a = -x / (np.linalg.norm(x, axis=-1, keepdims=True) ** 3 + 1e-3)
    v = v + 0.5 * dt * a
    x = x + dt * v
    return x

def floyd_warshall(w):
    d = np.abs(w + w.T)
    n = d.shape[0]
    d = d - np.diag(np.diag(d))
    for k in range(n):
        d = np.minimum(d, d[:, k : k + 1] + d[k : k + 1, :])
    return d

def forman(adj):
    a = ((adj + adj.T) > 0).astype(float)
    np.fill_diagonal(a, 0)
    deg = a.sum(1)
    return a * (4 - deg[:, None] - deg[None, :] + 3 * (a @ a))

def heisenberg_dm(s, D=0.3):  # with a Dzyaloshinskii-Moriya term along a ring
    s = s / np.linalg.norm(s, axis=-1, keepdims=True)
    nxt = np.roll(s, -1, axis=0)
    return -(s * nxt).sum() - D * np.cross(s, nxt)[:, 2].sum()

def topological_charge(s):
    s = s / np.linalg.norm(s, axis=-1, keepdims=True)
    dx = (np.roll(s, -1, 0) - np.roll(s, 1, 0)) / 2
    dy = (np.roll(s, -1, 1) - np.roll(s, 1, 1)) / 2
    return np.einsum("xyi,xyi->", s, np.cross(dx, dy)) / (4 * np.pi)

def phi4(phi, m2=-1.0, lam=0.5):
    kinetic = sum(0.5 * (np.roll(phi, -1, mu) - phi) ** 2 for mu in range(phi.ndim))
    return float(1) * (kinetic + 0.5 * m2 * phi**2 + lam * phi**4).sum()

def oseen(x, f, eta=1.0):
    r = x[:, None] - x[None]
    d = np.sqrt((r**2).sum(-1) + 0.01)
    g = np.eye(3) / d[..., None, None] + r[..., :, None] * r[..., None, :] / d[..., None, None] ** 3
    return np.einsum("ijab,jb->ia", g, f) / (8 * np.pi * eta)

def cucker_smale(x, v, beta=0.5):
    psi = 1 / (1 + ((x[:, None] - x[None]) ** 2).sum(-1)) ** beta
    return np.einsum("ij,ijk->ik", psi, v[None] - v[:, None]) / len(x)

def gray_scott(u, v, du=0.16, dv=0.08, f=0.06, k=0.062):
    def lap(a):
        return np.roll(a, 1, 0) + np.roll(a, -1, 0) + np.roll(a, 1, 1) + np.roll(a, -1, 1) - 4 * a
    uvv = u * v * v
    return u + du * lap(u) - uvv + f * (1 - u), v + dv * lap(v) + uvv - (f + k) * v

def lattice_boltzmann(f, tau=0.6):  # D2Q9 collision and streaming
    cx, cy = np.array([0, 1, 0, -1, 0, 1, -1, -1, 1]), np.array([0, 0, 1, 0, -1, 1, 1, -1, -1])
    w = np.array([4 / 9] + [1 / 9] * 4 + [1 / 36] * 4)
    rho = f.sum(-1)
    ux, uy = (f * cx).sum(-1) / rho, (f * cy).sum(-1) / rho
    feq = np.zeros_like(f)
    for i in range(9):
        cu = cx[i] * ux + cy[i] * uy
        feq[..., i] = w[i] * rho * (1 + 3 * cu + 4.5 * cu**2 - 1.5 * (ux**2 + uy**2))
    out = f - (f - feq) / tau
    for i in range(9):
        out[..., i] = np.roll(np.roll(out[..., i], cx[i], axis=0), cy[i], axis=1)
    return out

def solid_harmonics(x):
    a, b, c = x[..., 0], x[..., 1], x[..., 2]
    r2 = (x**2).sum(-1)
    s3 = 3**0.5
    return np.stack([s3 * a * b, s3 * b * c, (3 * c**2 - r2) / 2, s3 * a * c, s3 / 2 * (a**2 - b**2)], -1)

def harmonic_power(x):
    w = np.exp(-(x**2).sum(-1, keepdims=True))
    return np.array([w.sum() ** 2, ((w * x).sum(0) ** 2).sum(), ((w * solid_harmonics(x)).sum(0) ** 2).sum()])

def tsne_grad(P, Y):
    num = 1.0 / (1.0 + ((Y[:, None] - Y[None]) ** 2).sum(-1))
    num[range(len(Y)), range(len(Y))] = 0.0
    Q = num / num.sum()
    PQ = P - Q
    g = np.zeros_like(Y)
    for i in range(len(Y)):
        g[i] = 4 * np.sum(np.tile(PQ[:, i] * num[:, i], (Y.shape[1], 1)).T * (Y[i] - Y), 0)
    return g

def dipoles(x, p):
    e = 0.0
    for i in range(len(x)):
        for j in range(i):
            r = x[i] - x[j]
            d = np.sqrt(r @ r + 1e-6)
            e += p[i] @ p[j] / d**3 - 3 * (p[i] @ r) * (p[j] @ r) / d**5
    return e

CLAIMS = [
    of_numpy(lambda x: np.eye(x.shape[1])[x.argmax(1)], "x: n c -> n c", true("argmax one hot", "S(n)")),
    of_numpy(lambda x: np.unique(x, return_counts=True)[1].max(), "x[5]: n -> ()", true("unique counts", "S(n)")),
    of_numpy(confusion, "y[3]: n, p[3]: n -> 3 3", true("confusion matrix", "S(n)")),
    of_numpy(lambda x: np.histogram(x, bins=4, range=(-1, 1))[0], "x: n -> 4", true("histogram with range", "S(n)")),
    of_numpy(np.cross, "a: n 3, b: n 3 -> n 3", true("cross product", "SO(3)")),
    of_numpy(cut, "A: n n, s[2]: n -> ()", true("cut", "S(n)")),
    of_numpy(lambda x: (x + np.roll(x, 1) + np.roll(x, -1)) / 3, "x: n -> n", true("moving average", "D(n)")),
    of_numpy(halves, "x: n -> ()", true("padding to even", "S(n)")),
    of_numpy(lambda X: np.apply_along_axis(lambda r: r / r.sum(), 1, X), "X: n d -> n d", true("apply_along_axis", "S(n)"), draw="positive"),
    of_numpy(lambda x: einops.repeat(x, "n d -> n k d", k=3).sum(1), "x: n d -> n d", true("einops repeat", "S(n) x O(d)")),
    of_numpy(lambda X: X / X[0].sum(), "X: n g -> n g", false("cells first cell", "S(n)"), draw="positive"),
    of_numpy(lambda x: np.average(x, weights=np.linspace(1, 2, len(x))), "x: n -> ()", false("weights by position", "S(n)")),
    of_numpy(simpson, "c: k -> ()", true("ecology simpson", "S(k)"), draw="positive"),
    of_numpy(beta_diversity, "X: n k -> n n", true("ecology beta diversity", "S(n) x S(k)"), draw="positive"),
    of_numpy(mst_length, "X: n d -> ()", true("minimum spanning tree", "E(d)"), true("minimum spanning tree of a set", "S(n)"), n=(3, 5)),
    of_numpy(acsf_g2, "X: n d -> n", true("symmetry functions G2", "S(n) x E(d)")),
    of_numpy(acsf_g4, "X: n d -> n", true("symmetry functions G4", "S(n) x E(d)")),
    of_numpy(frechet_curve, "P: n d, Q: m d -> ()", true("discrete Frechet distance", "E(d)", n=(2, 4), m=(2, 3)), false("discrete Frechet distance of sets", "S(n)", n=(3, 4), m=(3, 3))),
    of_numpy(lambda x: np.abs(x - np.roll(x, -1)).sum(), "x: n -> ()", true("total variation on a ring", "D(n)")),
    of_numpy(lorenz, "x: n -> n!", true("Lorenz curve", "S(n)"), draw="positive"),
    of_numpy(hill, "c: k -> ()", true("Hill number", "S(k)"), draw="positive"),
    of_numpy(betti_curve, "B: n, D: n -> 4", true("Betti curve", "S(n)")),
    of_numpy(deepset, "x: n 3 -> 2", true("DeepSets of NumPy", "S(n)")),
    of_numpy(lambda x: np.cumsum(x) / x.sum(), "x: n -> n!", false("Lorenz curve unsorted", "S(n)"), draw="positive"),
    of_numpy(lambda s, y: (np.cumsum(y) / np.arange(1, len(y) + 1) * s).sum(), "s: n, y[2]: n -> ()", false("average precision by place", "S(n)")),
    of_numpy(gram_schmidt, "A: 3 d -> 3 d", true("Gram-Schmidt of rows", "O(d)")),
    of_numpy(effective_resistance, "A: n n -> n n", true("effective resistance", "S(n)"), draw="positive"),
    of_numpy(power_iteration, "A: n n -> ()", true("power iteration", "S(n)")),
    of_numpy(random_fourier_features, "X: n 3 -> n n", true("random Fourier features", "S(n)"), false("random Fourier features rotated", "O(3)")),
    of_numpy(game_of_life, "x: h w -> h w", true("a soft game of life", "C(h) x C(w)")),
    of_numpy(clifford_scalar, "u: 2, v: 2 -> 2!", true("Clifford product in the plane", "O(2)")),
    of_numpy(p4_lift, "x: h w, w: 3 3 -> h w", true("p4 lifting, pooled", "C(h) x C(w)"), h=(3, 4), w=(3, 4)),
    of_numpy(lambda A: gram_schmidt(A.T).T, "A: 3 d -> 3 d", false("Gram-Schmidt of columns", "O(d)"), d=3),
    of_numpy(behler_g2, "X: n d -> n", true("Behler G2", "S(n) x E(d)")),
    of_numpy(behler_g4, "X: n d -> n", true("Behler G4", "S(n)")),
    of_numpy(bond_order_q, "X: n 3 -> ()", true("bond order", "S(n) x E(3)"), n=(2, 5)),
    of_numpy(kendall_tau, "x: n, y: n -> ()", true("Kendall", "S(n)"), n=(2, 5)),
    of_numpy(svgd_update, "X: n d -> n d", true("SVGD", "S(n) x O(d)")),
    of_numpy(haar_level, "x: n -> 2", true("Haar energies", "C(n)", n=2), false("Haar energies shifted", "C(n)", n=4)),
    of_numpy(lambda x: np.sum(np.abs(np.diff(np.sign(x)))) / (2 * len(x)), "x: n -> ()", false("zero crossings of a set", "S(n)")),
    of_numpy(cronbach_alpha, "X: n k -> ()", true("Cronbach's alpha", "S(n) x S(k)"), n=(3, 5), k=(2, 4)),
    of_numpy(soap_like, "X: n d -> n 3! 3!", true("SOAP-like", "S(n) x E(d)")),
    of_numpy(heat_step, "u: h w -> h w", true("heat on a torus", "D(h) x C(w)")),
    of_numpy(risk_parity, "w: n, C: n n -> n", true("risk parity", "S(n)")),
    of_numpy(hill, "p: n -> ()", true("Hill numbers", "S(n)"), draw="positive"),
    of_numpy(lambda X: np.abs(X[:, None] - X[None]).sum(-1) / (X[:, None] + X[None]).sum(-1), "X: n k -> n n", true("Bray-Curtis", "S(n) x S(k)"), false("Bray-Curtis rotated", "O(k)"), draw="positive"),
    of_numpy(drawdown, "x: n -> ()", false("drawdown of a set", "S(n)")),
    of_numpy(ols_standard_errors, "X: n 2, y: n -> 2", true("OLS standard errors", "S(n) x S(2)"), n=(5, 8)),
    of_numpy(ols_standard_errors, "X: n 2, y: n! -> 2", false("OLS standard errors scaled", "S(n)"), n=(5, 8)),
    of_numpy(unbiased_dcov, "x: n p, y: n q -> ()", true("unbiased dcov", "S(n) x E(q)"), n=(4, 7)),
    of_numpy(tsne_kl, "X: n d, Y: n k -> ()", true("t-SNE KL", "S(n) x E(k)")),
    of_numpy(tsne_grad, "P: n n, Y: n d -> n d^", true("t-SNE gradient", "S(n) x E(d)")),
    of_numpy(tsne_grad, "P: n! n, Y: n d -> n d^", false("t-SNE gradient transposed", "S(n)")),
    of_numpy(umap_affinity, "X: n d -> n n", true("UMAP affinities", "S(n) x E(d)")),
    of_numpy(diffusion_distance, "X: n d -> n n", true("diffusion distance", "S(n) x E(d)")),
    of_numpy(kirchhoff, "A: n n -> ()", false("Kirchhoff directed", "S(n)"), n=(2, 5), draw="positive"),
    of_numpy(log_euclid, "A: n n, B: n n -> ()", true("log-Euclidean", "O(n)"), n=(2, 3)),
    of_numpy(kaplan_meier, "t: n, e: n -> n!", true("Kaplan-Meier", "S(n)"), draw="positive"),
    of_numpy(conductance, "A: n n, s: n -> ()", true("conductance", "S(n)"), draw="positive"),
    of_numpy(kemeny, "A: n n -> ()", true("Kemeny's constant", "S(n)"), draw="positive"),
    of_numpy(exact_game_of_life, "x: n m -> n m", true("game of life", "C(n) x C(m)"), false("game of life shuffled", "S(n)")),
    of_numpy(replicator, "p: n, A: n n -> n", true("replicator", "S(n)")),
    of_numpy(n_body, "x: n 3, m: n -> n 3^", true("n bodies", "S(n) x E(3)")),
    of_numpy(n_body, "x: n 3, m: n! -> n 3^", false("n bodies, masses kept", "S(n)")),
    of_numpy(leapfrog, "x: n 3, v: n 3 -> n 3", true("leapfrog", "S(n) x O(3)")),
    of_numpy(floyd_warshall, "w: n n -> n n", true("Floyd-Warshall", "S(n)"), n=(3, 5), draw="positive"),
    of_numpy(forman, "a: n n -> n n", true("Forman curvature", "S(n)")),
    of_numpy(heisenberg_dm, "s: n 3 -> ()", true("Heisenberg with DM", "C(n)"), false("Heisenberg with DM turned", "SO(3)")),
    of_numpy(topological_charge, "s: n m 3 -> ()", true("topological charge", "C(n) x C(m) x SO(3)", n=(3, 4), m=(3, 4)), false("topological charge mirrored", "O(3)", n=3, m=3)),
    of_numpy(phi4, "p: n m -> ()", true("phi^4 action", "D(n) x C(m)"), false("phi^4 action moved", "T(m)")),
    of_numpy(oseen, "x: n 3, f: n 3^ -> n 3^", true("Oseen tensor", "S(n) x E(3)")),
    of_numpy(dipoles, "x: n 3, p: n 3^ -> ()", true("dipoles by loops", "S(n) x E(3)"), n=(2, 4)),
    of_numpy(dipoles, "x: n 3, p: n 3! -> ()", false("dipoles, moments kept", "O(3)")),
    of_numpy(cucker_smale, "x: n d, v: n d^ -> n d^", true("Cucker-Smale", "S(n) x E(d)")),
    of_numpy(lambda u, v: gray_scott(u, v)[0], "u: n m, v: n m -> n m", true("Gray-Scott", "D(n) x D(m)")),
    of_numpy(lattice_boltzmann, "f: n m 9 -> n m 9", true("lattice Boltzmann", "C(n) x C(m)", n=(3, 4), m=(3, 4)), false("lattice Boltzmann reflected", "D(n)", n=3, m=2), draw="positive"),
    of_numpy(lambda q, p: 0.5 * np.sum(p**2) + np.sum(np.exp(np.roll(q, 1) - q) - 1), "q: n, p: n -> ()", true("Toda lattice", "C(n)"), false("Toda lattice reflected", "D(n)", n=(3, 4))),
    of_numpy(harmonic_power, "x: n 3 -> 3!", true("power of solid harmonics", "S(n) x O(3)")),
    of_numpy(held("opt_einsum as O", "lambda x, y: O.contract('na,nb,ab->', x, x, y)"), "x: n d, y: d d -> ()", true("opt_einsum contract", "S(n) x O(d)")),
    of_numpy(held("hmmlearn.stats as H", "lambda x, m, v: H.log_multivariate_normal_density(x, m, v, 'diag')"), "x: n d, m: k d, v: k d -> n k", true("hmmlearn diagonal density", "S(n) x S(k) x S(d)"), draw="positive"),
    of_numpy(held("pb_bss_eval.evaluation.module_si_sdr as M", "lambda x, y: M.si_sdr(x, y)"), "x: n t, y: n t -> n", true("pb_bss si-sdr", "S(n) x S(t)")),
    of_numpy(lambda w: np.minimum(w, w[:, :1] + w[:1]), "w: n n -> n n", false("Floyd-Warshall, first pivot alone", "S(n)"), draw="positive"),
    of_numpy(cucker_smale, "x: n d, v: n d! -> n d!", false("Cucker-Smale scaled", "Scale(d)")),
    of_numpy(held("hmmlearn.stats as H", "lambda x, m, v: H.log_multivariate_normal_density(x, m, v, 'diag')"), "x: n d, m: k d, v: k! d! -> n k", false("hmmlearn diagonal density turned", "O(d)"), draw="positive"),
]  # fmt: skip
