"""What the kernel undertakes for one certificate: at most about a second, and 200 MB, whatever its kind."""

from __future__ import annotations

import copy
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from eqvproof.kernel import report
from eqvproof.kernel.check import KINDS
from eqvproof.kernel.polynomials import Ring
from tests.kernel import corpus
from tests.kernel.costly import (
    ACCEPTED,
    COSTLY,
    absolute_sum,
    exponentials,
    in_order,
    single_sizes,
    square_of_sum,
)
from tests.kernel.encoding import check_certificate
from tests.kernel.hostile import text

ROOT = Path(__file__).resolve().parents[2]
MEGABYTES = 200

#: Checks each file in a process of its own that has no more memory than before, and 200 MB.
CHILD = f"""
import importlib, os, pkgutil, resource, sys
from pathlib import Path
import eqvproof.kernel as kernel
for module in pkgutil.walk_packages(kernel.__path__, "eqvproof.kernel."):
    if not module.name.endswith("__main__"):
        importlib.import_module(module.name)
from eqvproof.kernel import report
for name in sys.argv[1:]:
    if os.fork():
        os.wait()
        continue
    pages = int(Path("/proc/self/statm").read_text().split()[0])
    most = pages * resource.getpagesize() + ({MEGABYTES} << 20)
    resource.setrlimit(resource.RLIMIT_AS, (most, most))
    try:
        found = kernel.check_certificate(Path(name).read_bytes())
        said = "accepted" if found.accepted else "limited" if found.limited else found.reason[:100]
    except kernel.Unreadable as error:
        said = f"unreadable: {{error}}"[:100]
    left, given = report._left.get()
    print(ascii(said), given - left, given, sep="\\t", flush=True)
    os._exit(0)
"""


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="no limits of memory here")
def test_the_worst_files_of_each_kind_take_little_memory(tmp_path: Path, some: Any) -> None:
    files = []
    names = list(dict.fromkeys([*some(COSTLY, 6), *some(ACCEPTED, 2)]))
    for number, name in enumerate(names):
        data = COSTLY[name]()
        path = tmp_path / f"{number}.json"
        path.write_bytes(data if isinstance(data, bytes) else text(data))
        files.append(str(path))
    done = subprocess.run(
        [sys.executable, "-B", "-c", CHILD, *files], capture_output=True, text=True, timeout=500, check=False,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr[-2000:]
    rows = dict(zip(names, (line.split("\t") for line in done.stdout.splitlines()), strict=True))
    assert not {n: r for n, r in rows.items() if "internal" in r[0] or "Memory" in r[0]}
    assert all(rows[n][0] == "'accepted'" for n in names if n in ACCEPTED), rows
    assert max(int(given) for *_, given in rows.values()) == report.LARGE_WORK
    # the files are worth trying: most of them ask for more than there is, or for a large part of it
    idle = [n for n, r in rows.items() if r[0] != "'limited'" and int(r[1]) < int(r[2]) // 10]
    assert 4 * len(idle) <= len(rows), idle


def test_there_is_a_worst_file_of_each_way_to_check() -> None:
    modules = {KINDS[name.partition(",")[0]] for name in COSTLY}
    assert modules | {"rewriting"} == set(KINDS.values())


def test_monomials_have_different_hashes() -> None:
    """A dictionary of them is slow where they have few: powers of two have 61 modulo 2^61 - 1."""
    ring = Ring("seed", exact=True)
    variables = [ring.variable() for _ in range(150)]
    whole = ring.sum(variables)
    squares = ring.dot([(whole, whole)]).terms
    assert len(squares) == 150 * 151 // 2
    assert len({hash(monomial) for monomial in squares}) > len(squares) - 5


@pytest.mark.parametrize("exact", [False, True])
def test_sums_are_those_of_pairs(exact: bool) -> None:
    ring = Ring("seed", exact=exact)
    x, y = ring.variable(), ring.variable()
    double = ring.sum([x, x])
    assert ring.equal(double, ring.multiple(x, 2))
    assert ring.equal(ring.sum([double, y, y]), ring.sum([y, double, y]))
    assert ring.equal(ring.sum([x, y, ring.multiple(x, -1)]), y)
    assert ring.is_zero(ring.sum([x, ring.multiple(x, -1)]))


def spent(data: Any) -> int:
    """The work that a check takes."""
    assert check_certificate(data).accepted
    left, given = report._left.get()
    return given - left


def test_all_sizes_share_what_is_allowed(monkeypatch: pytest.MonkeyPatch) -> None:
    """As many as there is work for, and not one more."""
    sizes = [{"n": 8 + k} for k in range(4)]
    each = [spent(single_sizes(square_of_sum, "x: n -> ()", "S(n)", at)) for at in sizes]
    both = single_sizes(square_of_sum, "x: n -> ()", "S(n)", *sizes)
    whole = spent(both)
    assert sum(each[1:]) < whole <= sum(each)
    monkeypatch.setattr(report, "BASE_WORK", 1)
    monkeypatch.setattr(report, "WORK_PER_BYTE", 0)
    monkeypatch.setattr("eqvproof.kernel.decisions.LARGE_WORK", whole)
    assert check_certificate(both).accepted
    monkeypatch.setattr("eqvproof.kernel.decisions.LARGE_WORK", whole - 1)
    found = check_certificate(both)
    assert not found.accepted and found.limited


def test_all_results_share_what_is_allowed(monkeypatch: pytest.MonkeyPatch) -> None:
    one = single_sizes(square_of_sum, "x: n -> ()", "S(n)", {"n": 12})
    other = single_sizes(absolute_sum, "x: n -> ()", "S(n)", {"n": 12})
    named = [{"name": "a", "certificate": one}, {"name": "b", "certificate": other}]
    data = corpus.seal("results", results=named)
    whole = spent(copy.deepcopy(data))
    assert whole > max(spent(one), spent(other))
    monkeypatch.setattr("eqvproof.kernel.decisions.LARGE_WORK", whole - 1)
    monkeypatch.setattr(report, "BASE_WORK", 1)
    monkeypatch.setattr(report, "WORK_PER_BYTE", 0)
    assert check_certificate(data).limited


@pytest.mark.parametrize(
    ("build", "signature", "factor"),
    [(square_of_sum, "x: n -> ()", 4), (in_order, "x: n -> n!", 4), (exponentials, "x: n -> n", 2)],
)
def test_work_grows_as_what_is_stored(build: Any, signature: str, factor: int) -> None:
    """Of n variables: n^2 terms, or n forms of n terms; and n monomials."""
    few, many = (spent(single_sizes(build, signature, "S(n)", {"n": n})) for n in (40, 80))
    assert many > 0.8 * factor * few


def test_memory_is_paid_for() -> None:
    """Terms that are stored cost a unit for each hundred bytes of their monomials and coefficients."""
    report.allow(10**8)
    ring = Ring("seed", exact=True)
    variables = [ring.variable() for _ in range(300)]
    before = report._left.get()[0]
    whole = ring.sum(variables)
    square = ring.dot([(whole, whole)])
    paid = before - report._left.get()[0]
    stored = sum(sys.getsizeof(m) + sys.getsizeof(c) for m, c in square.terms.items())
    stored += sys.getsizeof(square.terms)
    assert 100 * paid > stored
