"""Times of exact decisions and of identity tests, measured here.

    python benchmarks/verdicts.py [--out benchmarks/verdicts.md] [--repeat 5]

DECIDED: X -> X p(X^T X) under O(d), every entry of p a generic quadratic in the entries of the Gram matrix,
so a map of degree 5 with thousands of terms. Beside it the same map expanded by python-flint alone, which is
the least that a decision has to do. The identity test is one evaluation of both sides modulo one prime of 61
bits.
BOUNDED: one residual layer of attention with four heads, over its own tokens and over knowledge.
"""

from __future__ import annotations

import argparse
import os
import platform
import random
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import flint
import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import eqvproof as ep
from eqvproof.claims.groups import parse_group
from eqvproof.claims.signature import parse_signature
from eqvproof.engines.bounded import bounded_equivariance
from eqvproof.engines.certify import TypesAtSize, certify_decision
from eqvproof.engines.claim import Claim, absent
from eqvproof.engines.targets import trace_all_sizes, trace_at
from eqvproof.engines.verdict import recheck
from eqvproof.programs.evaluate.modular import ModularSystem
from eqvproof.programs.evaluate.walk import evaluate_program

MATRIX = parse_signature("X: d n -> d n")
KNOWLEDGE = parse_signature("X: d n, Z: d k -> d n")


def coefficients(n: int) -> tuple[Any, Any]:
    """Those of the linear and of the quadratic terms of p, small integers."""
    rng = random.Random(3)
    one = [[rng.randint(1, 9) for _ in range(n * n)] for _ in range(n * n)]
    two = [[[rng.randint(1, 9) for _ in range(n * n)] for _ in range(n * n)] for _ in range(n * n)]
    return np.array(one), np.array(two)


def generic(n: int) -> Callable[[Any], Any]:
    """X p(X^T X) for n columns."""
    one, two = coefficients(n)

    def f(X: Any) -> Any:
        g = (X.T @ X).reshape(n * n)
        return X @ (np.einsum("kij,i,j->k", two, g, g) + one @ g + 1).reshape(n, n)

    return f


def expanded(d: int, n: int) -> list[Any]:
    """The same by python-flint alone."""
    one, two = (c.tolist() for c in coefficients(n))
    context = flint.fmpq_mpoly_ctx.get(("x", d * n), flint.Ordering.degrevlex)
    x = [list(context.gens()[i * n : (i + 1) * n]) for i in range(d)]
    g = [sum((x[k][i] * x[k][j] for k in range(d)), context.constant(0)) for i in range(n) for j in range(n)]
    squares = {(i, j): g[i] * g[j] for i in range(n * n) for j in range(i, n * n)}
    p = []
    for k in range(n * n):
        entry = context.constant(1)
        for i in range(n * n):
            entry += one[k][i] * g[i] + two[k][i][i] * squares[i, i]
            for j in range(i + 1, n * n):
                entry += (two[k][i][j] + two[k][j][i]) * squares[i, j]
        p.append(entry)
    zero = context.constant(0)
    return [sum((x[i][j] * p[j * n + k] for j in range(n)), zero) for i in range(d) for k in range(n)]


def heads(X: Any, Z: Any) -> Any:
    """X plus four heads of attention, each over the tokens and over the knowledge."""
    out = X
    for h in range(4):
        out = out + X @ softmax((h + 1) * (X.T @ X)) + Z @ softmax((h + 2) * (Z.T @ X))
    return out


def softmax(scores: Any) -> Any:
    """Over the first axis."""
    e = np.exp(scores - scores.max(axis=0, keepdims=True))
    return e / e.sum(axis=0, keepdims=True)


def seconds(work: Callable[[], Any], repeat: int) -> float:
    """The least time of some runs: other work on the machine only adds to it."""
    times = []
    for _ in range(repeat):
        start = time.perf_counter()
        work()
        times.append(time.perf_counter() - start)
    return min(times)


def identity_test(d: int, n: int) -> Callable[[], None]:
    """f(Q X) = Q f(X) at one point modulo one prime, Q a reflection."""
    program = trace_at(generic(n), MATRIX, {"d": d, "n": n}).program
    system = ModularSystem(0, 1)
    field = system.fields[0]
    p = field.p
    rng = random.Random(5)
    x = [[rng.randrange(p) for _ in range(n)] for _ in range(d)]
    u = [rng.randrange(p) for _ in range(d)]
    over = 2 * pow(sum(v * v for v in u), -1, p) % p
    q = [[(int(i == j) - over * u[i] * u[j]) % p for j in range(d)] for i in range(d)]
    moved = [[sum(q[i][k] * x[k][j] for k in range(d)) % p for j in range(n)] for i in range(d)]

    def residues(rows: list[list[int]]) -> Any:
        from eqvproof.programs.evaluate.channels import Residues

        return Residues((field.encode((v for row in rows for v in row), (len(rows), len(rows[0]))),))

    at, left, matrix = residues(x), residues(moved), residues(q)

    def work() -> None:
        value = evaluate_program(program, system, {"X": at}, {"d": d, "n": n})
        other = evaluate_program(program, system, {"X": left}, {"d": d, "n": n})
        if not system.are_equal(system.matmul(matrix, value), other):
            raise SystemExit("the identity test fails on a right map")

    return work


def rows(repeat: int) -> list[str]:
    """One line of the table each."""
    found = []
    for d, n, most in ((3, 4, 0.03), (4, 4, 0.08)):
        sizes, group = {"d": d, "n": n}, parse_group("O(d)", MATRIX)
        program = trace_at(generic(n), MATRIX, sizes).program
        claim = Claim(absent, MATRIX, group, "O(d)")
        whole = certify_decision(claim, [(program,)], [TypesAtSize(sizes)]).certificate
        if why := recheck(whole):
            raise SystemExit(f"a right map is not decided: {why}")
        ours = seconds(lambda c=whole: recheck(c), repeat)  # type: ignore[misc]
        plain = seconds(lambda d=d, n=n: expanded(d, n), repeat)  # type: ignore[misc]
        terms = sum(map(len, expanded(d, n)))
        found.append(
            f"| DECIDED by the kernel, degree 5, d = {d}, n = {n}, {terms} terms | {ours:.3f} | < {most} |"
            f" python-flint, expansion alone: {plain:.3f} |"
        )
        found.append(
            f"| the same, one identity test modulo a prime of 61 bits"
            f" | {seconds(identity_test(d, n), 4 * repeat):.4f} | < 0.002 | |"
        )
    group = parse_group("O(d) x S(n)", KNOWLEDGE)
    trace = trace_all_sizes(heads, KNOWLEDGE, {})
    sizes = {"d": 64, "n": 512, "k": 64}
    start = time.perf_counter()
    result = bounded_equivariance(trace.program, KNOWLEDGE, group, sizes)
    took = time.perf_counter() - start
    if not result.holds:
        raise SystemExit("the identity test fails on attention")
    found.append(f"| BOUNDED, 4 heads, d = 64, n = 512, 64 columns of knowledge, at most 2^-{result.bits}"
                 f" | {took:.1f} | < 10 | |")  # fmt: skip
    return found


def imports(repeat: int) -> str:
    """The time of `import eqvproof`, less that of an empty program."""
    run = lambda code: subprocess.run([sys.executable, "-c", code], check=True)  # noqa: E731
    empty = seconds(lambda: run("pass"), repeat)
    return f"| `import eqvproof` | {seconds(lambda: run('import eqvproof'), repeat) - empty:.2f} | < 0.3 | |"


def main() -> None:
    """Measure and write the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repeat", type=int, default=5)
    parser.add_argument("--out", type=Path, default=Path(__file__).with_suffix(".md"))
    options = parser.parse_args()
    threads = os.environ.get("OPENBLAS_NUM_THREADS", "not limited")
    text = [
        "# Times of decisions and identity tests", "",
        f"Written by `benchmarks/verdicts.py` (eqvproof {ep.__version__}, Python {platform.python_version()},"
        f" NumPy {np.__version__}, {os.cpu_count()} cores, BLAS threads: {threads}). The least of"
        f" {options.repeat} runs, in seconds.", "",
        "| job | seconds | aim | beside it |", "|---|---|---|---|",
        imports(options.repeat), *rows(options.repeat), "",
    ]  # fmt: skip
    options.out.write_text("\n".join(text))
    print("\n".join(text))


if __name__ == "__main__":
    main()
