"""Which exceptional points a function meets: ties that decide a place, and spectra that coincide."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

import numpy as np

#: The kinds of exceptional points, as the scopes of verdicts name them; those of ties are one.
TIES, EIGENVALUES, SINGULAR_VALUES = "ties", "eigenvalues", "singular values"
#: Eigenvalues closer than this, relative to the largest, coincide but for rounding.
CLOSE = 1e-9


class Watched(np.ndarray):  # type: ignore[type-arg]
    """An array that notes where equal entries decide a place."""

    met: ClassVar[set[str]] = set()

    def _note(self, axis: Any, *, of_extreme: Any = None) -> None:
        flat = np.asarray(self).reshape(-1) if axis is None else np.moveaxis(np.asarray(self), axis, -1)
        if of_extreme is not None and flat.size:
            tied = (flat == of_extreme(flat, axis=-1, keepdims=True)).sum(axis=-1) > 1
        else:
            tied = np.diff(np.sort(flat, axis=-1), axis=-1) == 0
        if np.any(tied):
            Watched.met.add(TIES)

    def argsort(self, axis: Any = -1, *args: Any, **kwargs: Any) -> Any:
        """As NumPy's."""
        self._note(axis)
        return super().argsort(axis, *args, **kwargs)

    def argmax(self, axis: Any = None, *args: Any, **kwargs: Any) -> Any:
        """As NumPy's."""
        self._note(axis, of_extreme=np.max)
        return super().argmax(axis, *args, **kwargs)

    def argmin(self, axis: Any = None, *args: Any, **kwargs: Any) -> Any:
        """As NumPy's."""
        self._note(axis, of_extreme=np.min)
        return super().argmin(axis, *args, **kwargs)


class Linear:
    """NumPy's linear algebra, whose eigenvectors and singular vectors are watched."""

    def __getattr__(self, name: str) -> Any:
        return _watching(getattr(np.linalg, name))

    def eigh(self, *args: Any, **kwargs: Any) -> Any:
        """As NumPy's."""
        found = np.linalg.eigh(*args, **kwargs)
        if _coincide(np.asarray(found[0])):
            Watched.met.add(EIGENVALUES)
        return _watched(found)

    def svd(self, *args: Any, **kwargs: Any) -> Any:
        """As NumPy's; singular values alone are determined everywhere."""
        found = np.linalg.svd(*args, **kwargs)
        if isinstance(found, tuple):
            values = np.asarray(found[1])
            with_zero = np.concatenate([values, np.zeros((*values.shape[:-1], 1))], axis=-1)
            if _coincide(with_zero):
                Watched.met.add(SINGULAR_VALUES)
        return _watched(found)


def _watched(result: Any) -> Any:
    """Returns an array, or a tuple of arrays, that notes ties."""
    if isinstance(result, tuple):
        return tuple(map(_watched, result))
    return result.view(Watched) if type(result) is np.ndarray else result


def _watching(function: Any) -> Any:
    """Returns a function of NumPy whose results note ties."""

    def made(*args: Any, **kwargs: Any) -> Any:
        return _watched(function(*map(_watched, args), **kwargs))

    return made


def _coincide(values: Any) -> bool:
    """Checks whether two values along the last axis are equal but for rounding."""
    if values.shape[-1] < 2:
        return False
    gaps = np.diff(np.sort(values, axis=-1), axis=-1)
    return bool(np.any(gaps <= CLOSE * np.abs(values).max(axis=-1, keepdims=True)))


class Numpy:
    """NumPy, whose results are watched."""

    linalg = Linear()

    def __getattr__(self, name: str) -> Any:
        found = getattr(np, name)
        if not callable(found) or isinstance(found, (type, np.ufunc)):
            return found
        return _watching(found)


def exceptional(source: Any, arrays: Sequence[Any]) -> frozenset[str]:
    """Returns the kinds of exceptional points at which a function is called here."""
    Watched.met = set()
    try:
        with np.errstate(all="ignore"):
            source.function(Numpy())(*(np.array(a).view(Watched) for a in arrays))
    except Exception:
        return frozenset()
    return frozenset(Watched.met)
