"""JAX functions: traced to a jaxpr with symbolic sizes, proved, refuted, refused by name."""

from __future__ import annotations

import functools
import math
from typing import Any

import numpy as np
import pytest

import eqvproof as ep
from eqvproof.api import verify
from eqvproof.claims.signature import parse_signature
from eqvproof.engines.targets import adapt, trace_all_sizes
from eqvproof.support.errors import TraceError
from tests.judged import assert_proved, assert_refuted

jax = pytest.importorskip("jax", reason="JAX is not installed")
jnp = jax.numpy
pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning")

KEY = jax.random.key(7)
WEIGHTS = np.arange(9.0).reshape(3, 3)


def attention(x: Any) -> Any:
    """X softmax(X^T X / sqrt(d))."""
    return x @ jax.nn.softmax(x.T @ x / math.sqrt(x.shape[0]), axis=0)


def causal(x: Any) -> Any:
    """Each column attends to those before it."""
    scores = x.T @ x * x.shape[0] ** -0.5
    mask = jnp.tril(jnp.ones((x.shape[1], x.shape[1]), bool)).T
    return x @ jax.nn.softmax(jnp.where(mask, scores, -jnp.inf), axis=0)


def normalised(x: Any) -> Any:
    """Each column centred and scaled."""
    return (x - x.mean(0)) / jnp.sqrt(x.var(0) + 1e-5)


@jax.jit
def deep_sets(x: Any) -> Any:
    """Row features, averaged."""
    return (jax.nn.relu(x) + jax.nn.gelu(x)).mean(0)


def gradient(x: Any) -> Any:
    """The gradient of a sum of cubed norms."""
    return jax.grad(lambda v: (jnp.linalg.norm(v, axis=0) ** 3).sum())(x)


def rounds(x: Any) -> Any:
    """Three rounds of a loop."""
    return jax.lax.fori_loop(0, 3, lambda _, v: v / (1 + jnp.linalg.norm(v, axis=0)), x)


def circular(x: Any) -> Any:
    """A circular convolution with three weights."""
    return sum(w * jnp.roll(x, k) for k, w in enumerate([0.5, 1.0, -2.0]))


def summary(a: Any) -> Any:
    """Diagonal, trace and determinant."""
    return jnp.diagonal(a) + jnp.trace(a) + jnp.linalg.det(a)


def projected(x: Any) -> Any:
    """The ridge projection."""
    return x @ jnp.linalg.inv(x.T @ x + jnp.eye(x.shape[1])) @ x.T


def noisy(x: Any) -> Any:
    """Noise from a key that the function closes over is a constant."""
    return x + jax.random.normal(KEY, ())


def nearest(x: Any) -> Any:
    """Squared distances to the nearest other row."""
    return _gaps(x, jnp.eye(x.shape[0], dtype=bool)).min(1)


def nearest_but_first(x: Any) -> Any:
    """The first row is another one, to itself."""
    return _gaps(x, jnp.eye(x.shape[0], dtype=bool) & (jnp.arange(x.shape[0]) > 0)).min(1)


def _gaps(x: Any, hidden: Any) -> Any:
    return jnp.where(hidden, jnp.inf, ((x[:, None] - x[None]) ** 2).sum(-1))


def depthwise(x: Any) -> Any:
    """Sums of neighbours in each channel."""
    return jax.lax.conv_general_dilated(x, jnp.ones((4, 1, 3)), (1,), [(0, 0)], feature_group_count=4)


def halves(x: Any) -> Any:
    """Sums of neighbours in each half of the channels."""
    return jax.lax.conv_general_dilated(x, jnp.ones((4, 2, 3)), (1,), [(0, 0)], feature_group_count=2)


PROVED = [
    (attention, "X: d n -> d n", "O(d) x S(n)"),
    (causal, "X: d n -> d n", "O(d)"),
    (normalised, "X: d n -> d n", "S(d) x S(n)"),
    (deep_sets, "X: n c -> c", "S(n)"),
    (gradient, "X: d n -> d n", "O(d) x S(n)"),
    (rounds, "X: d n -> d n", "O(d)"),
    (circular, "x: m -> m", "C(m)"),
    (summary, "A: n n -> n", "S(n)"),
    (projected, "X: d n -> d d", "O(d) x S(n)"),
    (noisy, "X: n d -> n d", "S(n)"),
    (lambda x, m: jnp.where(m[:, None], x, 0).sum(0), "X: n d, M[bool]: n -> d", "S(n)"),
    (lambda x: jax.vmap(lambda r: jnp.dot(r, r) * r)(x), "X: n d -> n d", "O(d) x S(n)"),
    (lambda a, b: jnp.mean(b), "a: n, b: d -> ()", "A(d)"),  # an axis of an argument that is not used
    (lambda a, b: a * a, "a: n, b: k m -> n", "C(n)"),
    (nearest, "X: n d -> n", "E(d) x S(n)"),
    (depthwise, "X: b 4 7 -> b 4 5", "S(4) x S(b)"),
]
REFUTED = [
    (causal, "X: d n -> d n", "S(n)"),
    (lambda x: x @ jnp.asarray(WEIGHTS), "X: n 3 -> n 3", "O(3)"),
    (lambda x: x[::-1] + 0 * jnp.sum(x), "X: n d -> n d", "S(n)"),
    (lambda x: x - x[-1:] + jnp.sum(x), "X: n d -> n d", "S(n)"),
    (lambda x: jnp.cumsum(x, 0), "X: n d -> n d", "S(n)"),
    (nearest_but_first, "X: n d -> n", "S(n)"),
    (halves, "X: b 4 7 -> b 4 5", "S(4)"),
]


def claims(rows: list[Any]) -> Any:
    names = [f"{getattr(f, '__name__', '?')} {under}" for f, _, under in rows]
    return pytest.mark.parametrize(("f", "signature", "under"), rows, ids=names)


@pytest.mark.sampled(4)
@claims(PROVED)
def test_right_functions_are_proved(f: Any, signature: str, under: str) -> None:
    assert_proved(f, signature, under, budget=120)


@claims(REFUTED)
def test_wrong_functions_are_refuted(f: Any, signature: str, under: str) -> None:
    verdict = assert_refuted(f, signature, under, budget=120)
    assert "test_jax_targets.py" in verdict.reason  # the user's line


def one_column(x: Any) -> Any:
    return jnp.abs(x) if x.shape[1] != 1 else jnp.abs(x) + 1


def looks_up(x: Any) -> Any:
    return {1009: jnp.abs}.get(x.shape[0], jnp.tanh)(x)


def asks_for_a_text(x: Any) -> Any:
    return jnp.abs(x) if str(x.shape[0]) == "1009" else jnp.tanh(x)


def asks_for_an_int(x: Any) -> Any:
    return jnp.abs(x) if isinstance(x.shape[0], int) and x.shape[0] > 1000 else jnp.tanh(x)


def even_sizes(x: Any) -> Any:
    return jnp.abs(x) if x.shape[0] % 2 else jnp.tanh(x)


def asks_for_a_tracer(x: Any) -> Any:
    return jnp.tanh(x) if isinstance(x, jax.core.Tracer) else jnp.abs(x)


def swallows(x: Any) -> Any:
    try:
        return jnp.tanh(x)
    except Exception:
        return jnp.cumsum(x, 0)


CALLS = [0]


def counts(x: Any) -> Any:
    CALLS[0] += 1
    return jnp.tanh(x)


def adds_noise(x: Any) -> Any:
    return jnp.tanh(x) + 1e-12 * np.random.rand()


def loops_on_values(x: Any) -> Any:
    return jax.lax.while_loop(lambda v: v.sum() > 1, lambda v: v / 2, x)


def solved(x: Any, m: Any) -> Any:
    """The square of a Mahalanobis distance, from a Cholesky factor and a triangle."""
    factor = jnp.linalg.cholesky(x.T @ x + jnp.eye(x.shape[1]))
    return (jax.scipy.linalg.solve_triangular(factor, m, lower=True) ** 2).sum()


def written_out(x: Any, m: Any) -> Any:
    """The same with an inverse, in NumPy."""
    factor = np.linalg.cholesky(x.T @ x + np.eye(x.shape[1]))
    return ((np.linalg.inv(np.tril(factor)) @ m) ** 2).sum()


def of_a_triangle(x: Any, m: Any, **options: Any) -> Any:
    """A linear system whose matrix is one triangle of x."""
    return jax.scipy.linalg.solve_triangular(x, m, **options)


#: Options of a system, and the matrix that they mean.
TRIANGLES: list[tuple[dict[str, Any], Any]] = [
    ({"lower": True}, lambda x: np.tril(x)),
    ({"lower": False}, lambda x: np.triu(x)),
    ({"lower": True, "unit_diagonal": True}, lambda x: np.tril(x, -1) + np.eye(3)),
    ({"lower": True, "trans": 1}, lambda x: np.tril(x).T),
]


def test_systems_of_a_triangle(some: Any) -> None:
    assert ep.check(solved, "x: n d, m: d -> ()", under="S(n)", budget=120).grade == "PROVED"
    assert ep.identical(solved, written_out, "x: n d, m: d -> ()", budget=120).holds
    for options, matrix in TRIANGLES:
        f = functools.partial(of_a_triangle, **options)
        right = lambda x, m, matrix=matrix: np.linalg.inv(matrix(x)) @ m  # noqa: E731
        assert ep.identical(f, right, "x: 3 3, m: 3 -> 3", budget=120).holds
    for options, matrix in some(TRIANGLES, 2):
        f = functools.partial(of_a_triangle, **options)
        wrong = lambda x, m, matrix=matrix: np.linalg.inv(matrix(x).T) @ m  # noqa: E731
        assert ep.identical(f, wrong, "x: 3 3, m: 3 -> 3", budget=120).fails


@pytest.mark.parametrize(
    ("f", "words"),
    [
        (one_column, "d == 1 depends on the size"),
        (looks_up, "a look-up by the size"),
        (asks_for_a_text, "as a text"),
        (asks_for_an_int, "another way through its code"),
        (even_sizes, "depends on the size"),
        (asks_for_a_tracer, "another way through its code|jax.core"),
        (swallows, "exceptions"),
        (counts, "CALLS, which each call changes"),
        (adds_noise, "not known to be pure"),
        (loops_on_values, "a loop whose end the inputs or sizes decide"),
        (lambda x: (jnp.abs(x), x), "a tuple"),
        (lambda x: jnp.linalg.qr(x @ x.T)[0] @ x, "qr is not read"),
    ],
    ids=lambda v: getattr(v, "__name__", str(v)[:12]),
)
def test_what_a_jaxpr_cannot_show_is_refused_by_name(f: Any, words: str) -> None:
    signature = parse_signature("X: n d -> n d")
    with pytest.raises(TraceError, match=words):
        trace_all_sizes(adapt(f, None, signature), signature, {})


def test_settings_are_left_as_they_were() -> None:
    before, root = jax.config.jax_enable_x64, math.sqrt
    assert ep.check(deep_sets, "X: n c -> c", under="S(n)").holds
    assert jax.config.jax_enable_x64 == before and math.sqrt is root
    assert jnp.zeros(1).dtype == (jnp.float64 if before else jnp.float32)


def _dim() -> Any:
    return jax.export.symbolic_shape("n")[0]


def test_methods_of_sizes_are_put_back() -> None:
    kind = type(_dim())
    before = dict(vars(kind))
    with pytest.raises(TraceError):
        trace_all_sizes(*_target(one_column), {})
    assert dict(vars(kind)) == before


def _target(f: Any) -> tuple[Any, Any]:
    signature = parse_signature("X: n d -> n d")
    return adapt(f, None, signature), signature


def test_a_backend_is_named_where_the_function_does_not_show_it() -> None:
    def first_row_gone(x: Any) -> Any:
        return x.at[0].set(0.0)

    verdict = ep.check(first_row_gone, "X: n d -> n d", under="O(d)", backend="jax")
    assert verdict.grade == "PROVED" and verify(verdict.certificate).accepted
    assert ep.check(first_row_gone, "X: n d -> n d", under="S(n)", backend="jax").fails


def test_functions_of_different_libraries_are_compared() -> None:
    verdict = ep.identical(
        lambda x: jnp.linalg.norm(x, axis=0), lambda x: np.sqrt((x**2).sum(0)), "X: d n -> n"
    )
    assert verdict.holds and verdict.grade == "PROVED", str(verdict)


def test_modules_of_equinox_are_functions() -> None:
    eqx = pytest.importorskip("equinox", reason="equinox is not installed")
    attend = eqx.nn.MultiheadAttention(2, 4, key=KEY)
    verdict = ep.check(lambda x: attend(x, x, x), "X: n 4 -> n 4", under="S(n)", budget=120)
    assert verdict.grade == "PROVED" and verify(verdict.certificate).accepted
    norm = eqx.nn.LayerNorm(4)
    assert ep.check(jax.vmap(norm), "X: n 4 -> n 4", under="S(n)", budget=120).grade == "PROVED"
    assert ep.check(jax.vmap(norm), "X: n 4 -> n 4", under="O(4)", budget=120).fails


def test_one_of_several_keys() -> None:
    keys = jax.random.split(KEY, 3)
    signature = parse_signature("x: n -> n")
    with pytest.raises(TraceError, match="random_bits"):
        trace_all_sizes(
            adapt(lambda x: x * jax.random.normal(keys[1], x.shape), "jax", signature), signature, {}
        )


#: Targets that ask in how many bits JAX computes: each turns its argument around in 32 bits, and not in 64.
IN_32_BITS = {
    "the type": lambda x: x[::-1] if x.dtype == jnp.float32 else x,
    "the type of what is made": lambda x: x[::-1] if jnp.zeros(3).dtype == jnp.float32 else x,
    "bytes": lambda x: x[::-1] if x.dtype.itemsize == 4 else x,
    "the last place": lambda x: jnp.where(jnp.finfo(x.dtype).eps > 1e-10, x[::-1], x),
    "a number that is rounded": lambda x: jnp.where(jnp.asarray(16777217.0) == 16777216.0, x[::-1], x),
}


@pytest.mark.parametrize("name", IN_32_BITS)
def test_a_target_is_judged_in_the_bits_in_which_jax_computes(name: str) -> None:
    assert_refuted(IN_32_BITS[name], "x: n -> n", "S(n)", backend="jax")
    with jax.enable_x64(True):
        assert_proved(IN_32_BITS[name], "x: n -> n", "S(n)", backend="jax")


def test_a_target_that_is_not_read_is_judged_in_the_bits_in_which_jax_computes() -> None:
    """Every odd entry wraps around in 32 bits."""

    def wraps(x: Any) -> Any:
        k = jnp.arange(x.shape[0]) % 2 * 2**16
        return jax.lax.top_k(x, x.shape[0])[0] * 0 + x + (k * 2**15 < 0)

    def does_not(x: Any) -> Any:
        return jax.lax.top_k(x, x.shape[0])[0].sum() * x / 3

    assert ep.check(wraps, "x: n -> n", "S(n)", backend="jax", budget=30).fails
    assert ep.check(does_not, "x: n -> n", "S(n)", backend="jax", budget=20).holds
    with jax.enable_x64(True):
        assert ep.check(wraps, "x: n -> n", "S(n)", backend="jax", budget=20).holds


def test_what_is_rounded_otherwise_in_32_bits_is_proved() -> None:
    """Near misses: numbers in the code, and a bound that is chosen by the type."""
    assert_proved(lambda x: 0.1 * jnp.sin(x) + 0.3, "x: n -> n", "S(n)", backend="jax")
    bounds = {jnp.dtype("float32"): 1e-6, jnp.dtype("float64"): 1e-12}
    safe = lambda x: x / (jnp.linalg.norm(x) + bounds[x.dtype])  # noqa: E731
    assert_proved(safe, "x: n -> n", "O(n)", backend="jax")
    assert_proved(lambda x: x + jnp.finfo(x.dtype).eps, "x: n -> n", "S(n)", backend="jax")


def either(x: Any) -> Any:
    """Booleans, added as booleans are."""
    return ((x > 0) + (x > -1)).astype(float)


def some_scores(x: Any, k: Any) -> Any:
    """Rows of scores, some of which are -inf, by their places."""
    return jnp.exp(jnp.where(k, x, -jnp.inf)[jnp.array([0, 2])])


def test_booleans_are_added_as_booleans() -> None:
    assert ep.prove(either, "x: n -> n", "S(n)", backend="jax").grade == "PROVED"


def test_places_of_infinite_entries_are_those_of_the_entries() -> None:
    assert ep.prove(some_scores, "x: 3 n, k[bool]: 3 n -> 2 n", "S(n)", backend="jax").grade == "PROVED"


def test_bits_of_zeros_and_ones_are_truth_values() -> None:
    def others(x: Any, y: Any) -> Any:
        same = (y[:, None] == y[None, :]).astype(jnp.int32)
        return ((same ^ 1) * ((x[:, None] - x[None, :]) ** 2).sum(-1)).sum()

    def first_of_others(x: Any, y: Any) -> Any:
        return others(x, y) + x[0, 0]

    kinds = "x: n d, y[3]: n -> ()"
    assert ep.check(others, kinds, "S(n)", backend="jax", budget=30).grade == "PROVED"
    found = ep.check(first_of_others, kinds, "S(n)", backend="jax", budget=30)
    assert found.fails and found.grade >= "ENCLOSED"
    assert ep.prove(lambda x, y: ((y ^ 2) * x[:, 0]).sum(), kinds, "S(n)", backend="jax").grade != "PROVED"
