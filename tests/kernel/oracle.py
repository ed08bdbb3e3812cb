"""Whether what a certificate states is true: a second evaluation in floats, written from the format alone.

Used on certificates that the kernel accepts after a change, so it need not be safe or quick.
"""

from __future__ import annotations

import contextlib
import hashlib
import itertools
import math
import random
from collections.abc import Callable
from typing import Any

import numpy as np
import scipy.linalg
from scipy import special

from tests.kernel.encoding import by_hand

JSON = dict[str, Any]


def size(value: Any, sizes: dict[str, int]) -> int:
    """A size as an integer."""
    if isinstance(value, int):
        return value
    if isinstance(value, str):
        return sizes[value]
    return sum(c * math.prod(sizes[n] for n in names) for c, names in value)


def length(axis: list[Any], sizes: dict[str, int]) -> int:
    """The size of an axis of a claim."""
    return sum(c * (1 if name is None else sizes[name]) for c, name, _ in axis)


def number(text: str | None) -> float:
    """A rational as a float, null as NaN."""
    if text is None:
        return math.nan
    p, _, q = text.partition("/")
    return int(p) / int(q or 1)


def array(data: JSON) -> Any:
    """A tensor as an array."""
    return np.array([number(v) for v in data["values"]], dtype=float).reshape(data["shape"])


UNARY: dict[str, Any] = {
    "recip": lambda x: np.where(np.abs(x) < 1e-9, np.nan, 1 / x),
    "exp": np.exp,
    "cbrt": np.cbrt,
    "abs": np.abs,
    "log": lambda x: np.where(x > 0, np.log(x), np.nan),
    "sqrt": np.sqrt,
    "sign": np.sign,
    "sin": np.sin,
    "cos": np.cos,
    "tan": np.tan,
    "sinh": np.sinh,
    "cosh": np.cosh,
    "tanh": np.tanh,
    "arcsin": np.arcsin,
    "arccos": np.arccos,
    "arctan": np.arctan,
    "arcsinh": np.arcsinh,
    "erf": np.vectorize(math.erf, otypes=[float]),
    "lgamma": lambda x: np.where((x <= 0) & (x == np.floor(x)), np.nan, special.gammaln(x)),
    "digamma": lambda x: np.where((x <= 0) & (x == np.floor(x)), np.nan, special.digamma(x)),
    "floor": np.floor,
    "ceil": np.ceil,
    "rint": np.rint,
    "not": lambda x: np.where(np.isnan(x), np.nan, (x == 0).astype(float)),
}


def _power(x: float, y: float) -> float:
    if math.isnan(x) or math.isnan(y) or (x < 0 and y != int(y)) or (x == 0 and y < 0):
        return math.nan
    return float(x**y)


BINARY: dict[str, Any] = {
    "maximum": np.maximum,
    "minimum": np.minimum,
    "arctan2": np.arctan2,
    "pow": np.vectorize(_power, otypes=[float]),
    "mod": lambda x, y: np.where(y == 0, np.nan, x - y * np.floor(x / y)),
    "lt": np.less,
    "le": np.less_equal,
    "gt": np.greater,
    "ge": np.greater_equal,
    "eq": np.equal,
    "ne": np.not_equal,
    "and": np.logical_and,
    "or": np.logical_or,
}


def evaluate(program: JSON, inputs: dict[str, Any], sizes: dict[str, int]) -> Any:
    """The value of the program, NaN where undefined."""
    values: list[Any] = []
    with np.errstate(all="ignore"):
        for node in by_hand(program)["nodes"]:
            shape = tuple(size(s, sizes) for s in node["shape"])
            args = [values[a] for a in node["args"]]
            value = np.asarray(_node(node, shape, args, inputs, sizes), dtype=float)
            assert value.shape == shape, (node, value.shape)
            values.append(value)
    return values[program["output"]]


def _node(
    node: JSON, shape: tuple[int, ...], args: list[Any], inputs: dict[str, Any], sizes: dict[str, int]
) -> Any:
    op = node["op"]
    if op == "input":
        return inputs[node["name"]]
    if op == "const":
        return np.array([number(v) for v in node["values"]]).reshape(shape)
    if op == "size":
        return np.array(float(size(node["size"], sizes)))
    if op == "indicator" and not args:
        return np.eye(shape[0]) if node["offset"] is None else np.tri(shape[0], shape[1], node["offset"])
    if op == "iota":
        return np.arange(shape[0])
    if op == "einsum":
        return _einsum(node, shape, args)
    if op == "add":
        return sum(args)
    if op == "map":
        if node["fn"] == "pi":
            return np.array(math.pi)
        if len(args) == 1:
            return UNARY[node["fn"]](args[0])
        bad = np.isnan(args[0]) | np.isnan(args[1])
        return np.where(bad, np.nan, BINARY[node["fn"]](*args).astype(float))
    if op == "select":
        return np.where(np.isnan(args[0]), np.nan, np.where(args[0] != 0, args[1], args[2]))
    axes = tuple(node.get("axes", ()))
    if op == "reduce":
        if node["fn"] == "prod":
            return np.prod(args[0], axis=axes)
        if 0 in [args[0].shape[a] for a in axes]:
            return np.full(shape, np.nan)
        return (np.max if node["fn"] == "max" else np.min)(args[0], axis=axes)
    if op == "concat":
        return np.concatenate(args, axis=node["axis"])
    if op == "read":
        index, at = [], 0
        for (start, steps, cyclic), length in zip(node["places"], args[0].shape, strict=True):
            grid = np.indices(shape)[at : at + len(steps)]
            place = np.full(shape, size(start, sizes)) + sum(s * g for s, g in zip(steps, grid, strict=True))
            index.append(place % length if cyclic else place)
            at += len(steps)
        return args[0][tuple(index)]
    if op == "reshape":
        return args[0].reshape(shape)
    if op == "sort":
        bad = np.isnan(args[0]).any(axis=node["axis"], keepdims=True)
        return np.where(bad, np.nan, np.sort(args[0], axis=node["axis"]))
    if op == "indicator":
        x = args[0][..., None]
        return np.where(np.isnan(x), np.nan, (x == np.arange(shape[-1])).astype(float))
    fn = node.get("fn") if op == "matrix_function" else None
    if fn == "eigvals":
        bad = np.isnan(args[0]).any(axis=(-2, -1), keepdims=True)
        part = np.where(bad, 0.0, args[0] + np.swapaxes(args[0], -1, -2)) / 2
        return np.where(bad[..., 0], np.nan, np.linalg.eigvalsh(part))
    if fn == "pinv":
        bad = np.isnan(args[0]).any(axis=(-2, -1))[..., None, None]
        return np.where(bad, np.nan, np.linalg.pinv(np.where(bad, 0.0, args[0])))
    if fn == "spectral":
        bad = np.isnan(args[0]).any(axis=(-2, -1)) | np.isnan(args[1]).any(axis=-1)
        part = np.where(bad[..., None, None], 0.0, args[0] + np.swapaxes(args[0], -1, -2)) / 2
        vectors = np.linalg.eigh(part)[1]
        found = np.einsum("...ik,...k,...jk->...ij", vectors, args[1], vectors)
        return np.where(bad[..., None, None], np.nan, found)
    if op == "matrix_function":
        return _matrix(node["fn"], args[0], shape)
    return _opaque(node, shape, args)


def _einsum(node: JSON, shape: tuple[int, ...], args: list[Any]) -> Any:
    sizes = dict(zip(node["output"], shape, strict=True))
    for row, a in zip(node["inputs"], args, strict=True):
        sizes.update(zip(row, a.shape, strict=True))
    summed = [k for k in sizes if k not in node["output"]]
    out = np.zeros(shape)
    for point in itertools.product(*(range(sizes[k]) for k in node["output"])):
        for more in itertools.product(*(range(sizes[k]) for k in summed)):
            at = dict(zip([*node["output"], *summed], [*point, *more], strict=True))
            out[point] += math.prod(
                a[tuple(at[k] for k in r)] for r, a in zip(node["inputs"], args, strict=True)
            )
    return out


SERIES = {fn: getattr(scipy.linalg, fn) for fn in ("expm", "cosm", "sinm", "coshm", "sinhm")}


def _matrix(fn: str, a: Any, shape: tuple[int, ...]) -> Any:
    out = np.full(shape, np.nan)
    for i in np.ndindex(a.shape[:-2]):
        if np.isnan(a[i]).any():
            continue
        if fn in SERIES:
            out[i] = SERIES[fn](a[i])
        elif fn == "det":
            out[i] = np.linalg.det(a[i])
        elif fn == "cholesky":
            with contextlib.suppress(np.linalg.LinAlgError):
                out[i] = np.linalg.cholesky(a[i])
        elif abs(np.linalg.det(a[i])) > 1e-9:
            out[i] = np.linalg.inv(a[i])
    return out


def _opaque(node: JSON, shape: tuple[int, ...], args: list[Any]) -> Any:
    """A function of the name and the arguments; with a symmetry, one that commutes with every matrix."""
    if any(np.isnan(a).any() for a in args):
        return np.full(shape, np.nan)
    if node["symmetry"] is not None:
        return args[0] * (1 + sum((a**2).sum() for a in args))
    key = node["name"].encode() + b"".join((np.round(a, 6) + 0.0).tobytes() for a in args)
    rng = np.random.default_rng(int.from_bytes(hashlib.sha256(key).digest()[:8], "big"))
    return rng.normal(size=shape)


# -- groups ----------------------------------------------------------------------------------------------


Motion = tuple[Any, Any, float]  # x -> times (matrix x) + vector on points; None: no matrix, no vector


def in_group(family: str, g: Motion) -> bool:
    """Whether a motion is in the family."""
    m, vector, times = g
    if family in ("T", "Scale"):
        return m is None and (vector is not None) == (family == "T") and times > 0
    n = len(m)
    good = bool(np.allclose(m @ m.T, np.eye(n), atol=1e-12)) and (vector is not None) == (
        family in ("E", "SE")
    )
    if family in ("SO", "SE"):
        return good and bool(np.linalg.det(m) > 0)
    if family == "Signs":
        return good and np.array_equal(m, np.diag(np.diag(m)))
    if family in ("S", "A", "C", "D"):
        good = good and set(np.unique(m)) <= {0.0, 1.0}
        if family == "A":
            good = good and bool(np.linalg.det(m) > 0)
        if family in ("C", "D"):
            turned = [m, m[::-1]] if family == "D" else [m]
            good = good and any(
                np.array_equal(t, np.roll(np.eye(n), k, axis=0)) for k in range(n) for t in turned
            )
    return good


def random_element(family: str, n: int, rng: random.Random) -> Motion:
    """A random element."""
    vector = np.array([rng.gauss(0, 1) for _ in range(n)]) if family in ("T", "E", "SE") else None
    if family == "Scale":
        return None, None, rng.choice([0.5, 2.0, 3.0])
    return None if family == "T" else _random_matrix(family, n, rng), vector, 1.0


def _random_matrix(family: str, n: int, rng: random.Random) -> Any:
    if family in ("O", "SO", "E", "SE"):
        q, _ = np.linalg.qr(np.array([[rng.gauss(0, 1) for _ in range(n)] for _ in range(n)]))
        if family in ("SO", "SE") and np.linalg.det(q) < 0:
            q[0] = -q[0]
        return q
    if family == "Signs":
        return np.diag([float(rng.choice([-1, 1])) for _ in range(n)])
    p = list(range(n))
    rng.shuffle(p)
    m = np.eye(n)[p]
    if family == "A" and np.linalg.det(m) < 0:
        m[[0, 1]] = m[[1, 0]]
    if family in ("C", "D"):
        m = np.roll(np.eye(n), rng.randrange(n), axis=0)
        return m[::-1] if family == "D" and rng.random() < 0.5 else m
    return m


def element(data: JSON) -> Motion:
    """A recorded element."""
    matrix = None
    if "matrix" in data:
        matrix = np.array([[number(v) for v in row] for row in data["matrix"]])
    if "signs" in data:
        matrix = np.diag([float(s) for s in data["signs"]])
    if "permutation" in data:
        matrix = np.eye(len(data["permutation"]))[data["permutation"]]
    vector = np.array([number(v) for v in data["vector"]]) if "vector" in data else None
    return matrix, vector, number(data["factor"]) if "factor" in data else 1.0


def acted(factor: JSON, term: list[Any]) -> bool:
    """Whether a factor acts on a part of an axis."""
    c, name, mark = term
    where = factor["axis"]
    return mark != "!" and (name == where if isinstance(where, str) else name is None and c == where)


def move(g: Motion, factor: JSON, value: Any, axes: list[Any], sizes: dict[str, int]) -> Any:
    """g x; a coefficient 0 hides an undefined entry."""
    matrix, vector, times = g
    for position, axis in enumerate(axes):
        full, shift = np.zeros((0, 0)), np.zeros(0)
        for term in axis:
            c, name, mark = term
            n = 1 if name is None else sizes[name]
            one = np.eye(n if name else c) if matrix is None else matrix
            copies = 1 if name is None else c
            blocks = [one] * copies if acted(factor, term) else [np.eye(c * n)]
            for block in blocks:
                k, m = len(full), len(block)
                full = np.block([[full, np.zeros((k, m))], [np.zeros((m, k)), block]])
            points = vector is not None and acted(factor, term) and mark == ""
            shift = np.concatenate([shift, np.tile(vector, copies) if points else np.zeros(c * n)])
        moved = np.moveaxis(value, position, 0)
        hidden = np.isnan(moved)
        spread = np.tensordot((np.abs(full) > 1e-12).astype(float), hidden.astype(float), (1, 0)) > 0
        moved = np.tensordot(full, np.where(hidden, 0.0, moved), (1, 0))
        moved = moved + shift.reshape([-1] + [1] * (moved.ndim - 1))
        value = np.moveaxis(np.where(spread, np.nan, moved), 0, position)
    for axis in axes:
        if times != 1 and any(acted(factor, t) for t in axis):
            value = value / times if axis[0][2] == "*" else value * times
    return value


def close(a: Any, b: Any) -> bool:
    """Equal up to rounding, undefined at the same places."""
    return a.shape == b.shape and np.allclose(a, b, rtol=1e-6, atol=1e-6, equal_nan=True)


# -- statements ------------------------------------------------------------------------------------------


def is_true(certificate: JSON, rng: random.Random) -> bool:
    """Whether the statement stands every test made here."""
    if certificate["kind"] == "proof" and "forms" in certificate:
        return is_equivariant(
            certificate["claim"], lambda *at: of_forms(certificate, "forms", *at, is_point=False), rng
        )
    if "kinds" in certificate.get("program", ()):
        program = certificate["program"]
        kinds = [_with_values(kind, rng) for kind in program["kinds"]]
        certificate = {**certificate, "program": {**program, "kinds": kinds}}
    return TESTS[certificate["kind"]](certificate, rng)


def _with_values(kind: JSON, rng: random.Random) -> JSON:
    """A constant of which only the digest is written, with some values."""
    if kind["op"] != "parameter":
        return kind
    values = [rng.choice(["-1/4", "0", "1/3", "1/2"]) for _ in range(math.prod(kind["shape"]))]
    return {"op": "const", "shape": kind["shape"], "values": " ".join(values)}


def of_forms(
    certificate: JSON, key: str, inputs: dict[str, Any], sizes: dict[str, int], *, is_point: bool = True
) -> Any:
    """The value of a program in forms."""
    from tests.kernel.form_values import value

    return value(certificate[key], certificate["claim"], inputs, sizes, is_point=is_point)


def _random_point(what: JSON, rng: random.Random) -> tuple[dict[str, int], dict[str, Any]]:
    sizes = {}
    for name, scope in what["scope"].items():
        low, high = (1, 3) if scope == "all" else scope if isinstance(scope, list) else (scope, scope)
        sizes[name] = rng.randint(low, min(high, low + 2))
    inputs = {}
    for i in what["inputs"]:
        shape = [length(a, sizes) for a in i["axes"]]
        choices = [-2, -1, 0, 1, 2, 0.5] if i["type"] == "real" else [0, 1]
        if i["type"] == "index":
            choices = list(range(sizes[i["indexes"]]))
        values = [rng.choice(choices) for _ in range(math.prod(shape))]
        inputs[i["name"]] = np.array(values, dtype=float).reshape(shape)
    return sizes, inputs


def _proof(certificate: JSON, rng: random.Random) -> bool:
    program = certificate["program"]
    return is_equivariant(certificate["claim"], lambda *at: evaluate(program, *at), rng)


def is_equivariant(
    what: JSON, run: Callable[[dict[str, Any], dict[str, int]], Any], rng: random.Random
) -> bool:
    """Whether a function of arguments and sizes is as claimed at random arguments, sizes and elements."""
    for _ in range(6):
        sizes, inputs = _random_point(what, rng)
        value = run(inputs, sizes)
        full = _with_output(what, sizes, value.shape)
        moved, right = dict(inputs), value
        for factor in what["group"]:
            n = full[factor["axis"]] if isinstance(factor["axis"], str) else factor["axis"]
            g = random_element(factor["family"], n, rng)
            for i in what["inputs"]:
                moved[i["name"]] = move(g, factor, moved[i["name"]], i["axes"], full)
                if i.get("indexes") == factor["axis"]:
                    moved[i["name"]] = np.argmax(g[0], axis=0)[moved[i["name"]].astype(int)].astype(float)
            right = move(g, factor, right, what["output"], full)
        if not close(run(moved, sizes), right):
            return False
    return True


def _with_output(what: JSON, sizes: dict[str, int], shape: tuple[int, ...]) -> dict[str, int]:
    names = {t[1] for i in what["inputs"] for a in i["axes"] for t in a}
    names |= {i["indexes"] for i in what["inputs"] if "indexes" in i}
    full = {k: v for k, v in sizes.items() if k in names}
    for axis, n in zip(what["output"], shape, strict=True):
        if len(axis) == 1 and axis[0][0] == 1 and axis[0][1]:
            full.setdefault(axis[0][1], n)
    assert [length(a, full) for a in what["output"]] == list(shape)
    for name, scope in what["scope"].items():
        low, high = (1, None) if scope == "all" else scope if isinstance(scope, list) else (scope, scope)
        assert name not in names or (low <= full[name] and (high is None or full[name] <= high))
    return full


def _point(certificate: JSON, rng: random.Random) -> bool:
    what, evidence = certificate["claim"], certificate["evidence"]
    inputs = {k: array(v) for k, v in evidence["inputs"].items()}
    sizes = evidence["sizes"]
    shapes = {i["name"]: tuple(length(a, sizes) for a in i["axes"]) for i in what["inputs"]}
    if shapes != {k: v.shape for k, v in inputs.items()}:
        return False
    for i in what["inputs"]:
        limit = {"real": None, "bool": 2, "index": sizes.get(i.get("indexes"))}[i["type"]]
        if limit is not None and not set(inputs[i["name"]].ravel()) <= set(range(limit)):
            return False
    if certificate["kind"] == "difference":
        left = of_forms(certificate, "forms", inputs, sizes)
        right = of_forms(certificate, "other", inputs, sizes)
        return _differ(evidence, left, right)
    black = certificate["kind"] == "evaluation"
    if what["kind"] == "identity":
        left, right = (array(evidence["values"][side]) for side in ("left", "right"))
        _with_output(what, sizes, left.shape)
        return left.shape == right.shape and _differ(evidence, left, right)
    at = array(evidence["values"]["at"]) if black else of_forms(certificate, "forms", inputs, sizes)
    full = _with_output(what, sizes, at.shape)
    moved, right = dict(inputs), at
    for factor, entry in zip(what["group"], evidence["element"], strict=True):
        g = element(entry)
        n = full[factor["axis"]] if isinstance(factor["axis"], str) else factor["axis"]
        lengths = [len(part) for part in g[:2] if part is not None]
        if any(k != n for k in lengths) or not in_group(factor["family"], g):
            return False
        for i in what["inputs"]:
            moved[i["name"]] = move(g, factor, moved[i["name"]], i["axes"], full)
            if i.get("indexes") == factor["axis"]:
                moved[i["name"]] = np.argmax(g[0], axis=0)[moved[i["name"]].astype(int)].astype(float)
        right = move(g, factor, right, what["output"], full)
    left = array(evidence["values"]["moved"]) if black else of_forms(certificate, "forms", moved, sizes)
    if black and all(np.array_equal(moved[k], v) for k, v in inputs.items()) and not close(at, left):
        return False  # two values at one point
    return _differ(evidence, left, right)


def _differ(evidence: JSON, left: Any, right: Any) -> bool:
    entry = tuple(evidence["entry"])
    for side, value in (("left", left), ("right", right)):
        recorded = evidence[side]
        if evidence["arithmetic"] == "ball":
            inside = recorded is not None and number(recorded["lo"]) <= value[entry] <= number(recorded["hi"])
            if not inside and not (recorded is None and np.isnan(value[entry])):
                return False
        elif not close(array(recorded), value):
            return False
    return not close(np.asarray(left[entry]), np.asarray(right[entry]))


def _identity(certificate: JSON, rng: random.Random) -> bool:
    what = certificate["claim"]
    for _ in range(6):
        sizes, inputs = _random_point(what, rng)
        left, right = (of_forms(certificate, k, inputs, sizes) for k in ("forms", "other"))
        _with_output(what, sizes, left.shape)
        both = np.isnan(left) | np.isnan(right)
        if certificate["evidence"]["same_domain"]:
            both &= np.isnan(left) & np.isnan(right)
        if left.shape != right.shape or not close(np.where(both, 0, left), np.where(both, 0, right)):
            return False
    return True


def _at_sizes(certificate: JSON, rng: random.Random) -> bool:
    """A decision, or a test: at each choice of sizes as a proof, or an identity."""
    identity, scope = "others" in certificate, certificate["claim"]["scope"]
    for k, sizes in enumerate(scope):
        one = {
            **certificate, "version": 1, "kind": "identity" if identity else "proof",
            "claim": {**certificate["claim"], "scope": sizes}, "evidence": {"same_domain": True},
        }  # fmt: skip
        for key, name in (("forms", "forms"), ("others", "other")):
            if key in certificate:
                one[name] = certificate[key][k % len(certificate[key])]
        proof = certificate["evidence"].get("proofs", [None] * len(scope))[k]
        if proof is not None:
            one |= {"forms": proof.get("forms")} if "forms" in proof else {"program": proof["program"]}
        if one["forms"] is None:
            del one["forms"]
        if proof is None and not identity:
            run = lambda *at, one=one: of_forms(one, "forms", *at)  # noqa: E731
            if not is_equivariant(one["claim"], run, rng):
                return False
            continue
        if not is_true(one, rng):
            return False
    return True


TESTS = {
    "decision": _at_sizes,
    "test": _at_sizes,
    "identity": _identity,
    "proof": _proof,
    "counterexample": _point,
    "evaluation": _point,
    "difference": _point,
}
