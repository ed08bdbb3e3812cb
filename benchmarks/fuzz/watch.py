"""Whether a function meets ties: places in an order are asked for, and entries are equal there."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np


class Watched(np.ndarray):  # type: ignore[type-arg]
    """An array that notes where equal entries decide a place."""

    met = False

    def _note(self, axis: Any, *, of_extreme: Any = None) -> None:
        flat = np.asarray(self).reshape(-1) if axis is None else np.moveaxis(np.asarray(self), axis, -1)
        if of_extreme is not None and flat.size:
            tied = (flat == of_extreme(flat, axis=-1, keepdims=True)).sum(axis=-1) > 1
        else:
            tied = np.diff(np.sort(flat, axis=-1), axis=-1) == 0
        Watched.met |= bool(np.any(tied))

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


class Numpy:
    """NumPy, whose results are watched."""

    linalg = np.linalg

    def __getattr__(self, name: str) -> Any:
        found = getattr(np, name)
        if not callable(found) or isinstance(found, (type, np.ufunc)):
            return found

        def made(*args: Any, **kwargs: Any) -> Any:
            args = tuple(a.view(Watched) if type(a) is np.ndarray else a for a in args)
            result = found(*args, **kwargs)
            return result.view(Watched) if type(result) is np.ndarray else result

        return made


def meets_ties(source: Any, arrays: Sequence[Any]) -> bool:
    """Whether equal entries decide a place at this point."""
    Watched.met = False
    try:
        with np.errstate(all="ignore"):
            source.function(Numpy())(*(np.array(a).view(Watched) for a in arrays))
    except Exception:
        return False
    return Watched.met
