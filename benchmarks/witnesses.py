"""Witnesses beside their peers: exact, float, permutation and congruence witnesses, and the long trials.

    python -m benchmarks.witnesses [exact lower float permutation congruence trials gram] [--write]

Peers run in the same process on the same data; figures are medians of several runs, and only their ratios
carry over to other machines. The trials fail loudly when a promise is broken. With --write the whole run is
kept in witnesses.md, beside this file.
"""

from __future__ import annotations

import os
import platform
import random
import statistics
import sys
import time
from collections.abc import Callable
from fractions import Fraction
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import sympy
from flint import fmpq, fmpq_mat, fmpz_mat
from scipy.linalg import orthogonal_procrustes

from eqvproof.invariants.gram import gram_match
from eqvproof.invariants.pairs import gram_pairs, random_orthogonal
from eqvproof.invariants.witnesses.congruence import congruence_witness
from eqvproof.invariants.witnesses.householder import Reflections
from eqvproof.invariants.witnesses.input_matrices import to_array
from eqvproof.invariants.witnesses.orthogonal import orthogonal_witness
from eqvproof.invariants.witnesses.permutation import permutation_witness
from eqvproof.kernel import check_certificate
from eqvproof.support.errors import CongruenceMismatch, GramMismatch
from tests.invariants.polytopes import SIZES, vertices

#: What has been printed.
TOLD: list[str] = []


def seconds(run: Callable[..., Any], *arguments: Any, repeat: int = 5) -> float:
    """The median time of a few calls."""
    times = []
    for _ in range(repeat):
        start = time.perf_counter()
        run(*arguments)
        times.append(time.perf_counter() - start)
    return statistics.median(times)


def tell(text: str) -> None:
    """Print a line, and keep it."""
    print(text, flush=True)
    TOLD.append(text)


def line(*cells: object) -> None:
    """One line of a table."""
    tell("  ".join(f"{c:>11}" if isinstance(c, str) else f"{c:>11.4g}" for c in cells))


def identity(d: int) -> fmpz_mat:
    """The identity matrix."""
    return fmpz_mat(d, d, [int(i == j) for i in range(d) for j in range(d)])


def cayley(d: int, rng: random.Random, bound: int = 3) -> fmpq_mat:
    """The Cayley transform of a small skew matrix."""
    lower = fmpz_mat(d, d, [rng.randint(-bound, bound) if i > j else 0 for i in range(d) for j in range(d)])
    skew = lower - lower.transpose()
    return fmpq_mat(identity(d) - skew) * fmpq_mat(identity(d) + skew).inv()


def few_reflections(d: int, rng: random.Random, count: int = 4) -> fmpq_mat:
    """A product of a few small reflections."""
    q = fmpq_mat(identity(d))
    for _ in range(count):
        u = fmpz_mat(d, 1, [rng.randint(-3, 3) for _ in range(d)])
        q = q - fmpq_mat(u) * (fmpq_mat(u.transpose()) * q) * fmpq(2, (u.transpose() * u)[0, 0])
    return q


def data(kind: str, d: int, n: int, rng: random.Random) -> fmpq_mat:
    """Integers of 16 bits, or fractions of such."""
    below = 2**15 if kind == "fractions" else 1
    entries = [fmpq(rng.randint(-(2**15), 2**15), rng.randint(1, below)) for _ in range(d * n)]
    return fmpq_mat(d, n, entries)


def one_solve(x: fmpq_mat, y: fmpq_mat) -> fmpq_mat:
    """Q by one exact solve, unchecked."""
    return x.transpose().solve(y.transpose()).transpose()


def factorisation(x: fmpq_mat, y: fmpq_mat) -> Reflections:
    """At most rank(X) reflections."""
    return orthogonal_witness(x, y, reflections=True).reflections


def by_projection(x: Any, y: Any) -> Any:
    """The comparison without an n x n matrix."""
    return gram_match(x, y, method="projection")


def wall_by_elimination(x: fmpq_mat, y: fmpq_mat) -> fmpq_mat:
    """Wall's form over the rationals, by fraction elimination of the k x k system."""
    u = x - y
    form = u.transpose() * x
    k = form.nrows()
    table = [form.tolist()[i] + u.transpose().tolist()[i] for i in range(k)]
    reduced, _ = fmpq_mat(table).rref()
    inner = fmpq_mat([row[k:] for row in reduced.tolist()])
    return fmpq_mat(identity(x.nrows())) - u * inner


def one_after_another(x: fmpq_mat, y: fmpq_mat) -> int:
    """Reflections in (current image of x_i) - y_i; the length of the longest number met."""
    d, current, longest = x.nrows(), fmpq_mat(x), 0
    for i in range(x.ncols()):
        u = fmpq_mat(d, 1, [current[k, i] - y[k, i] for k in range(d)])
        square = (u.transpose() * u)[0, 0]
        if square:
            current = current - u * (u.transpose() * current) * (fmpq(2) / square)
            longest = max(longest, *(int(abs(u[k, 0].p)).bit_length() for k in range(d)))
    return longest


def exact() -> None:
    """Full rank: one modular solve, and what else there is."""
    tell("\nexact, d = n, 16-bit entries (ms; ratio to fmpq_mat.solve, which checks nothing)")
    line(
        "entries",
        "hidden Q",
        "d",
        "ours",
        "fmpq solve",
        "ratio",
        "Wall rref",
        "one by one",
        "bits",
        "refl. bits",
    )
    makers = (("reflections", few_reflections), ("Cayley", cayley))
    for kind, (name, make), d in product(("integers", "fractions"), makers, (8, 16, 32, 64)):
        rng = random.Random(d)
        x = data(kind, d, d, rng)
        y = make(d, rng) * x
        ours = seconds(orthogonal_witness, x, y)
        peer = seconds(one_solve, x, y)
        witness = orthogonal_witness(x, y)
        wall = seconds(wall_by_elimination, x, y, repeat=1) * 1e3 if d <= 16 and name == "Cayley" else 0.0
        serial = seconds(one_after_another, x, y, repeat=1) * 1e3 if d <= 8 else 0.0
        bits = str(witness.reflections.bits) if d <= 32 else "-"
        ratio = ours / peer
        line(
            kind,
            name,
            str(d),
            ours * 1e3,
            peer * 1e3,
            ratio,
            wall or "-",
            serial or "-",
            str(witness.bits),
            bits,
        )


def lower() -> None:
    """Rank d / 2: entries a quarter as long as Wall's or less."""
    tell("\nexact, rank d / 2, Cayley (s; bits of Q, of Wall's Q, of the reflections)")
    line(
        "entries", "d", "ours", "Wall rref", "bits", "Wall bits", "ratio", "hidden", "refl. (s)", "refl. bits"
    )
    for kind, d in product(("integers", "fractions"), (8, 16, 32, 64)):
        if kind == "fractions" and d > 32:
            continue
        rng = random.Random(d)
        hidden = cayley(d, rng)
        x = data(kind, d, d // 2, rng)
        y = hidden * x
        witness = orthogonal_witness(x, y)
        ours = seconds(orthogonal_witness, x, y, repeat=3)
        long = orthogonal_witness(x, y, reflections=True)
        wall = seconds(wall_by_elimination, x, y, repeat=1) if d <= 32 else 0.0
        factor = seconds(factorisation, x, y, repeat=1)
        top, bottom = hidden.numer_denom()
        size = max(int(bottom).bit_length(), *(int(abs(e)).bit_length() for e in top.entries()))
        sizes = (str(witness.bits), str(long.bits), witness.bits / long.bits, str(size))
        line(kind, str(d), ours, wall or "-", *sizes, factor, str(long.reflections.bits))


def floats() -> None:
    """QR of both sides beside Procrustes."""
    tell("\nfloat64, residual |QX - Y| / |Y| and |Q^T Q - I|, over sqrt d")
    line(
        "d",
        "condition",
        "rank",
        "residual",
        "orthogonal",
        "bound",
        "time",
        "Procrustes",
        "ratio",
        "its resid.",
    )
    for d in (10, 100, 1000):
        rng = np.random.default_rng(d)
        for condition, rank in ((1, d), (1e4, d), (1e8, d), (1e12, d), (1e3, d // 2)):
            s = np.zeros(d)
            s[:rank] = np.logspace(0, -np.log10(condition), rank)
            left, right, hidden = (np.linalg.qr(rng.standard_normal((d, d)))[0] for _ in range(3))
            x = left * s @ right
            y = hidden @ x
            w = orthogonal_witness(x, y)
            size = float(np.linalg.norm(y)) * np.sqrt(d)
            ours = seconds(orthogonal_witness, x, y)
            peer = seconds(orthogonal_procrustes, x.T, y.T)
            other = orthogonal_procrustes(x.T, y.T)[0].T
            residual = float(np.linalg.norm(w.Q @ x - y)) / size
            defect = float(np.linalg.norm(w.Q.T @ w.Q - np.eye(d))) / np.sqrt(d)
            line(
                str(d),
                float(condition),
                str(rank),
                residual,
                defect,
                w.bound / size,
                ours,
                peer,
                ours / peer,
                float(np.linalg.norm(other @ x - y)) / size,
            )


def permutation(n: int = 10**7) -> None:
    """Ten million columns of R^3 beside np.lexsort."""
    tell(f"\npermutation of {n} columns of R^3 (s)")
    line("data", "ours", "lexsort", "ratio")
    rng = np.random.default_rng(0)
    for name in ("floats", "repeats"):
        x = rng.standard_normal((3, n)) if name == "floats" else rng.integers(0, 100, (3, n))
        y = np.ascontiguousarray(x[:, rng.permutation(n)])
        ours = seconds(permutation_witness, x, y, repeat=3)
        peer = seconds(np.lexsort, x, repeat=3)
        if not (x[:, permutation_witness(x, y).permutation] == y).all():
            raise SystemExit("X P is not Y")
        line(name, ours, peer, ours / peer)


def hide(x: np.ndarray[Any, Any], rng: random.Random) -> np.ndarray[Any, Any]:
    """Q X P for a hidden Q and P."""
    q = to_array(random_orthogonal(x.shape[0], rng))
    if any(isinstance(v, sympy.Basic) for v in x.flat):
        q = np.vectorize(sympy.Rational, otypes=[object])(q)
        turned = np.vectorize(sympy.expand, otypes=[object])(q.dot(x))
    else:
        turned = q.dot(x)
    return turned[:, rng.sample(range(x.shape[1]), x.shape[1])]


def matched_and_told_apart(x: np.ndarray[Any, Any], rng: random.Random) -> tuple[float, float]:
    """Match X with a hidden image of it; tell it apart from one with a point moved by 1/1000."""
    y = hide(x, rng)
    start = time.perf_counter()
    witness = congruence_witness(x, y)
    middle = time.perf_counter()
    moved = y.copy()
    moved[rng.randrange(x.shape[0]), rng.randrange(x.shape[1])] += sympy.Rational(1, 1000)
    apart = time.perf_counter()
    try:
        congruence_witness(x, moved)
    except CongruenceMismatch as error:
        stop = time.perf_counter()
        certificates = (witness.certificate, error.certificate)
    else:
        raise SystemExit("a near miss was matched")
    for certificate in certificates:
        if certificate is None or not check_certificate(certificate).accepted:
            raise SystemExit("the kernel rejects a certificate")
    return middle - start, stop - apart


def symmetric_set(rng: random.Random) -> np.ndarray[Any, Any]:
    """Orbits of a few points under signs and cyclic shifts of the coordinates, some twice; lattice balls."""
    d = rng.randint(2, 5)
    if rng.random() < 0.2:
        points = [
            v for v in product(range(-2, 3), repeat=min(d, 4)) if sum(e * e for e in v) <= rng.randint(2, 5)
        ]
        return np.array(points, dtype=object).T
    points = []
    for _ in range(rng.randint(1, 3)):
        start = [rng.randint(0, 2) for _ in range(d)]
        orbit = {tuple(start[k:] + start[:k]) for k in range(d)} if rng.random() < 0.7 else {tuple(start)}
        if rng.random() < 0.7:
            orbit = {
                tuple(s * v for s, v in zip(t, p, strict=True))
                for p in orbit
                for t in product((1, -1), repeat=d)
            }
        points += sorted(orbit) * rng.choice((1, 1, 2))
    return np.array(points, dtype=object).T


def congruence() -> None:
    """Regular polytopes, 50 symmetric and 200 generic sets, with near misses; certificates re-checked."""
    tell("\ncongruence (s): matched, and told apart from one point moved by 1/1000")
    line("set", "d x n", "matched", "told apart")
    rng = random.Random(0)
    for name in SIZES:
        x = vertices(name)
        found = matched_and_told_apart(x, rng)
        line(name, f"{x.shape[0]} x {x.shape[1]}", *found)
    for name, count in (("symmetric", 50), ("generic", 200)):
        times = []
        for _ in range(count):
            if name == "symmetric":
                x = symmetric_set(rng)
            else:
                d, n = rng.randint(1, 8), rng.randint(1, 30)
                x = np.array([[rng.randint(-9, 9) for _ in range(n)] for _ in range(d)], dtype=object)
            times.append(matched_and_told_apart(x, rng))
        line(name, f"{count} sets", *(statistics.median(t) for t in zip(*times, strict=True)))


def trials() -> None:
    """1000 exact pairs with the kernel, and 10^4 float pairs whose bounds are checked in exact arithmetic."""
    rng = random.Random(0)
    start = time.perf_counter()
    pairs = misses = 0
    while pairs < 1000:
        d, n = rng.randint(1, 12), rng.randint(0, 12)
        pair = next(gram_pairs(d, n, count=1, seed=rng.getrandbits(40)))
        for options in ({}, {"reflections": True}):
            w = orthogonal_witness(*pair, **options)
            q = w.Q
            right = (q.T.dot(q) == np.eye(d, dtype=int)).all() and (not n or (q.dot(pair.X) == pair.Y).all())
            if not right or len(w.reflections) > w.rank or not check_certificate(w.certificate).accepted:
                raise SystemExit("a witness breaks its promise")
        if n:
            near = next(gram_pairs(d, n, count=1, seed=pairs, near=True))
            try:
                orthogonal_witness(*near)
            except GramMismatch as error:
                if error.pair != near.entry or not check_certificate(error.certificate or {}).accepted:
                    raise SystemExit("a mismatch breaks its promise") from None
                misses += 1
        pairs += 1
    tell(
        f"\n{pairs} exact pairs, {misses} near misses, all certificates: {time.perf_counter() - start:.1f} s"
    )
    draw = np.random.default_rng(0)
    start, worst = time.perf_counter(), 0.0
    for _ in range(10_000):
        d, n = draw.integers(1, 6, 2)
        x = draw.standard_normal((d, n)) * np.exp(draw.uniform(-15, 15, n))
        if draw.random() < 0.3:
            x = draw.standard_normal((d, 1)) @ draw.standard_normal((1, n))
        y = np.linalg.qr(draw.standard_normal((d, d)))[0] @ x
        w = orthogonal_witness(x, y)
        q, a, b = (np.vectorize(Fraction, otypes=[object])(m) for m in (w.Q, x, y))
        square = sum(((q.dot(a) - b) ** 2).ravel(), Fraction(0))
        if square > Fraction(w.bound) ** 2:
            raise SystemExit("a bound that does not hold")
        u, _, v = np.linalg.svd(y @ x.T)
        if np.linalg.norm(u @ v @ x - y) > w.gram_bound + w.bound:
            raise SystemExit("a Gram bound that does not hold")
        worst = max(worst, float(square) ** 0.5 / max(w.bound, 1e-300))
    spent = time.perf_counter() - start
    tell(f"10000 float pairs, every bound holds (the closest: {worst:.2f} of it): {spent:.1f} s")


def gram() -> None:
    """Comparing Gram matrices of many columns."""
    tell("\nGram matrices of n columns of R^20 (s)")
    line("n", "integers", "floats", "X r alone")
    rng = np.random.default_rng(0)
    for n in (10**5, 10**6):
        x = rng.integers(-100, 100, (20, n))
        y = x[rng.permutation(20)]
        f = rng.standard_normal((20, n))
        g = np.linalg.qr(rng.standard_normal((20, 20)))[0] @ f
        vector = rng.standard_normal(n)
        if not (gram_match(x, y, method="projection") and gram_match(f, g)):
            raise SystemExit("equal Gram matrices were told apart")
        line(
            str(n),
            seconds(by_projection, x, y, repeat=3),
            seconds(gram_match, f, g, repeat=3),
            seconds(np.matmul, f, vector),
        )


SECTIONS = {
    "exact": exact, "lower": lower, "float": floats, "permutation": permutation, "congruence": congruence,
    "trials": trials, "gram": gram,
}  # fmt: skip


def main() -> None:
    """Run the sections that are named, or all."""
    names = [name for name in sys.argv[1:] if name != "--write"]
    for name in names or SECTIONS:
        SECTIONS[name]()
    if "--write" in sys.argv:
        heading = "# Witnesses beside their peers\n\nWritten by `python -m benchmarks.witnesses --write`.\n"
        machine = f"{platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}"
        text = "\n".join([heading, f"Run on: {machine}.\n\n```text", *TOLD, "```\n"])
        Path(__file__).with_suffix(".md").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
