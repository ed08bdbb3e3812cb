"""The call `profile`: reads a claim and data, measures the model, and judges submodules alone."""

from __future__ import annotations

import random
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import Any, Literal

from eqvproof.api import check
from eqvproof.claims.groups import Group, Under, parse_group
from eqvproof.claims.signature import Signature, parse_signature
from eqvproof.engines.verdict import Verdict
from eqvproof.interface.profile.lines import LinesOfFunction
from eqvproof.interface.profile.measure import ELEMENTS, UNITS, Measured, Measurement
from eqvproof.interface.profile.objects import ObjectModel, callable_parts
from eqvproof.interface.profile.recording import Key, Watched
from eqvproof.interface.profile.representations import Way
from eqvproof.interface.profile.result import Profile, ProfileRow, Status
from eqvproof.interface.profile.torch_modules import TorchModel
from eqvproof.rounding.deviations import group_elements
from eqvproof.rounding.tracing import arrays_by_name, as_array, shapes, trace_with_roundings
from eqvproof.support.errors import EqvproofError, OptionError
from eqvproof.support.short_tracebacks import shortens_tracebacks

#: The dtype of the runs with which those of a dtype are compared, and the ratio of their units if
#: it is coarser, by which rounding in it is scaled.
REFERENCES = {"float64": ("float32", 2.0**-29)}
FINER = ("float64", 1.0)
#: Most seconds for the verdict on one submodule.
MOST_SECONDS = 10.0


@shortens_tracebacks
def profile(
    model: Any,
    signature: str,
    under: Under,
    batch: Sequence[Any] | Mapping[str, Any],
    *,
    element: Any = None,
    alone: bool = True,
    budget: float = 30.0,
    seed: int = 0,
    backend: Literal["numpy", "torch", "jax"] | None = None,
) -> Profile:
    """Measures on data how much each submodule of a model breaks a symmetry, and finds the first.

    The model is run on x and on g x, in the dtype of the data, and the arrays that its submodules
    return are compared: the error of an array h is ``|h(g x) - g h(x)| / max(|h(g x)|, |g h(x)|)``
    with Euclidean norms over all entries, and what rounding explains of it is measured by runs in
    another dtype and at points next to x. A signature says nothing about arrays inside: how g moves
    them is what fits, and is shown as such (``moved as``); of the result of the model it is the
    claim. Axes in brackets, as in
    ``n [9]``, are mixed by some matrix, as irreps are. No verdict is given on submodules alone
    whose arrays are moved so, or in no way that is known. If no way fits, but what follows
    does once the array is replaced by one that is moved in a plain way, its submodule breaks the
    symmetry.

    Modules of PyTorch are copied, and stay as they are. While training, call it with ``alone=False``
    every few hundred steps and log ``.error``, ``.rounding`` and ``.first``.

    Args:
        model: a module of PyTorch, whose submodules have their usual paths; an object of JAX or
            NumPy with callable parts (Equinox, or classes of your own), whose paths are those of
            attributes; or a plain function, whose lines take the place of submodules: they are
            computed by NumPy.
        signature: the typing of the model, with one result.
        under: the group.
        batch: the data x, in the order of the signature or as a dict.
        element: a group element, as in `deviation`; None: random ones.
        alone: False to give no verdicts on submodules alone.
        budget: seconds for these verdicts together.
        seed: of random elements; equal seeds give equal results.
        backend: as in `check`, for plain functions.

    Returns:
        A `Profile`: ``.rows`` in the order of computation, ``.first`` the first that breaks the
        symmetry, ``str()`` a table, ``.plot()`` a figure.

    Exactness: errors and rounding are measured in floats, and are no bounds; `deviation` bounds
        rounding. The verdicts on submodules alone are those of `check`.

    Raises:
        TargetError: the model draws random numbers, or keeps state that changes its results.
        TraceError: a plain function cannot be traced. ShapeError, SignatureError, GroupError: bad
            input.

    Example:
        >>> def layer(x):
        ...     y = np.tanh(x)
        ...     z = y + 0.01 * np.arange(4)
        ...     return z * z
        >>> found = ep.profile(layer, "x: n -> n", "S(n)", [np.arange(4.0)])
        >>> print(found.holds, found.first.path.endswith("z = y + 0.01 * np.arange(4)"))
        False True
    """
    parsed = parse_signature(signature)
    given = arrays_by_name(parsed, batch)
    sizes = shapes(parsed, given)
    group = parse_group(under, parsed)
    sizes = {**sizes, **group.pins}
    arrays = {name: as_array(a) for name, a in given.items()}
    like = [given[a.name] for a in parsed.inputs]
    watch = _watcher(model, parsed, sizes, like, backend)
    here = watch(None)
    dtype = here.dtype
    if dtype not in UNITS:
        raise OptionError(
            "the model does not compute in floats that are known", given=dtype,
            expected=", ".join(UNITS), hint="give floats", code="profile.dtype",
        )  # fmt: skip
    other, gain = REFERENCES.get(dtype, FINER)
    reference = watch(other)
    if isinstance(reference, ObjectModel) and not reference.is_converted:
        reference = None
    rng = random.Random(seed)
    elements = [group_elements(group, sizes, element, rng) for _ in range(ELEMENTS)]
    measured = Measurement(
        (here, reference), parsed, group, sizes, arrays, elements, UNITS[dtype], gain, seed
    ).measure()
    verdicts = {}
    if alone:
        verdicts = _verdicts(here, measured, group, sizes, budget, seed)
    return _profile(here, measured, verdicts, dtype, elements[0], parsed, group)


def _watcher(
    model: Any, signature: Signature, sizes: Mapping[str, int], like: Sequence[Any],
    backend: str | None,
) -> Callable[[str | None], Any]:  # fmt: skip
    """Returns a function that prepares the model for runs in a dtype (None: that of the data)."""
    torch: Any = sys.modules.get("torch")
    if torch is not None and isinstance(model, torch.nn.Module):
        return lambda dtype: TorchModel(model, like, dtype)
    if callable_parts(model):
        return lambda dtype: ObjectModel(model, like, dtype)
    names = [str(getattr(a, "dtype", "float64")).removeprefix("torch.") for a in like]
    own = next((name for name in names if name in UNITS), "float64")
    traced = trace_with_roundings(model, signature, sizes, backend, own)
    return lambda dtype: LinesOfFunction(traced, sizes, dtype or own)


# -- verdicts on submodules alone ----------------------------------------------------------------
def _verdicts(
    model: Watched, measured: Measured, group: Group, sizes: Mapping[str, int], budget: float,
    seed: int,
) -> dict[Key, Verdict]:  # fmt: skip
    """Judges each submodule alone whose arguments and results are moved in plain ways."""
    found: dict[Key, Verdict] = {}
    end = time.monotonic() + budget
    results = [k for k in measured.keys if k.side == "out" and k.number == 1]
    for key in results:
        left = end - time.monotonic()
        if left <= 0:
            break
        with suppress(EqvproofError):
            verdict = _alone(model, measured, key, group, sizes, min(MOST_SECONDS, left), seed)
            if verdict is not None:
                found[key] = verdict
    return found


def _alone(
    model: Watched, measured: Measured, key: Key, group: Group, sizes: Mapping[str, int],
    seconds: float, seed: int,
) -> Verdict | None:  # fmt: skip
    """Returns the verdict on one call of a submodule; None if there is no claim about it."""
    function = model.submodule(key.path)
    arguments = [k for k in measured.keys if k[:2] == key[:2] and k.side == "in"]
    results = [k for k in measured.keys if k[:2] == key[:2] and k.side == "out"]
    if function is None or key.path in measured.others or not key.path:
        return None
    ways = [_known_way(measured, k) for k in (*arguments, *results)]
    if not arguments or None in ways or len(results) > 1:
        return None
    texts = [f"a{k.number}: {way}" for k, way in zip(arguments, ways, strict=False)]
    terms = [t for way in ways[:-1] if way is not None for axis in way.axes for t in axis.terms]
    factors = tuple(f for f in group.factors if any(map(f.acts_on, terms)))
    if not factors:
        return None
    pins = {f.axis: sizes[f.axis] for f in factors if f.kind.rounds and isinstance(f.axis, str)}
    shown = {t.name for t in terms}
    return check(
        _mapped(function, [measured.depths[k] for k in arguments]),
        f"{', '.join(texts)} -> {ways[-1]}",
        Group(factors),
        sizes={name: size for name, size in pins.items() if name in shown},
        budget=seconds,
        seed=seed,
        backend=_backend(model),
    )


def _known_way(measured: Measured, key: Key) -> Way | None:
    """Returns the way in which an array is moved: in the runs with replacements, or as replaced."""
    if key in measured.broken:
        return measured.broken[key]
    fit = measured.mended[key]
    if fit.is_kept and fit.way.mixed < 0:
        return fit.way
    return None


def _mapped(function: Callable[..., Any], depths: Sequence[int]) -> Callable[..., Any]:
    """Maps a function over leading axes, as the model does by `jax.vmap`."""
    if not any(depths):
        return function
    jax: Any = sys.modules["jax"]
    for level in range(max(depths), 0, -1):
        axes = tuple(0 if depth >= level else None for depth in depths)
        function = jax.vmap(function, in_axes=axes)
    return function


def _backend(model: Watched) -> Literal["numpy", "torch", "jax"] | None:
    if isinstance(model, TorchModel):
        return "torch"
    if isinstance(model, ObjectModel) and model.is_jax:
        return "jax"
    return None


# -- rows ----------------------------------------------------------------------------------------
def _profile(
    model: Watched, measured: Measured, verdicts: Mapping[Key, Verdict], dtype: str,
    element: Sequence[Any], signature: Signature, group: Group,
) -> Profile:  # fmt: skip
    """Builds the result."""
    rows = [
        _row(model, measured, key, verdicts.get(key))
        for key in measured.keys
        if _is_shown(model, measured, key)
    ]
    last = measured.fits[measured.keys[-1]]
    first = None
    if not last.is_kept:
        first = next((row for row in rows if row.status is Status.BREAKS), None)
    words = ", and ".join(e.describe() for e in element if not e.is_identity)
    return Profile(
        tuple(rows), first, first is not None and _is_confirmed(measured, group), last.error,
        last.rounding,
        dtype, words, str(signature), str(group),
    )  # fmt: skip


def _is_confirmed(measured: Measured, group: Group) -> bool:
    """Checks whether replacements keep the symmetry, and do not trivially: as all factors move them.

    If an array is replaced by one that a factor does not move, what follows is the same at x and at
    g x, whatever it computes.
    """
    moved = (way.factors == len(group.factors) for way in measured.broken.values())
    return measured.is_mended and all(moved)


def _is_shown(model: Watched, measured: Measured, key: Key) -> bool:
    """Checks whether an array has a row: results have, of lines the last, and what is replaced."""
    if key in measured.broken:
        return True
    if key.side == "in":
        return False
    if isinstance(model, LinesOfFunction):
        line = [k for k in measured.keys if k.path == key.path]
        return key == line[-1] and not any(k in measured.broken for k in line)
    return True


def _row(model: Watched, measured: Measured, key: Key, alone: Verdict | None) -> ProfileRow:
    """Returns the row of an array."""
    own, mended = measured.fits[key], measured.mended[key]
    fit, place, path = measured.seen[key], "", key.path
    if key in measured.broken:
        status = Status.BREAKS
        way = str(measured.broken[key])
        if key.side == "in":
            path, place = key.path.rpartition(".")[0], f"before it calls {key.path}"
        elif any(_is_inside(k, key) for k in measured.keys):
            place = "after its last submodule"
    elif own.is_kept:
        status, way = Status.KEEPS, str(own.way)
    elif mended.is_kept:
        status, way = Status.INHERITS, str(mended.way)
    else:
        status, way = Status.UNKNOWN, ""
    if key == measured.keys[-1]:
        way = str(own.way)
    return ProfileRow(
        path, model.kind(path), key.call, key.number, way, fit.error, fit.rounding, status, place,
        alone,
    )  # fmt: skip


def _is_inside(key: Key, outer: Key) -> bool:
    """Checks whether a submodule lies inside another one."""
    if not outer.path:
        return bool(key.path)
    return key.path.startswith(f"{outer.path}.")
