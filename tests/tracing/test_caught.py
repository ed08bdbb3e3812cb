"""Handlers of exceptions that types decide are allowed; those that entries may decide are refused."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import eqvproof as ep
from tests.judged import assert_proved, assert_refuted

TWO: Any = 2.0


def length(x: Any) -> Any:
    try:
        n = len(x)
    except TypeError:
        n = 1
    return x / n


def absent(x: Any) -> Any:
    try:
        import nobody_wrote_this as fast
        from nobody_wrote_this.either import faster
    except ImportError:
        fast = None
    return x * 2 if fast is None else faster(fast.twice(x))


def absent_and_left(x: Any) -> Any:
    def load() -> Any:
        try:
            from nobody_wrote_this import norm
        except (ModuleNotFoundError, AttributeError) as error:
            if error is None:
                raise
            norm = np.abs
        return norm

    return load()(x)


def without_attribute(x: Any) -> Any:
    try:
        return x.values_of_a_table * 2
    except AttributeError:
        return x - x.max()


def raised_from(x: Any) -> Any:
    try:
        y = np.asarray(x, dtype=float)
    except TypeError as error:
        raise ValueError("numbers are expected") from error
    else:
        y = y + 1
    return y


def two_handlers(x: Any) -> Any:
    try:
        return x * TWO(x)
    except AttributeError:
        return x
    except (TypeError, NameError):
        return np.tanh(x)


class ShapeError(Exception):
    """Says that an array has another number of axes."""


def only_raised(x: Any) -> Any:
    try:
        y = np.linalg.inv(np.outer(x, x) + np.eye(len(x))) @ x
    except (np.linalg.LinAlgError, ValueError) as error:
        print("no inverse: {}".format(error))  # noqa: UP032
        raise
    except Exception:
        raise ShapeError(f"{x!r} is no vector") from None
    return y


def pair(spec: Any) -> Any:
    if isinstance(spec, str):
        return spec, spec
    try:
        first, last = spec
    except (TypeError, ValueError):
        return "other", "pairs"
    return first, last


def never_tried(x: Any) -> Any:
    first, last = pair("natural")
    return x - x.max() if first == last else np.cumsum(x)


def never_tried_in_a_handler(x: Any) -> Any:
    try:
        y = np.tanh(x)
    except NameError:
        try:
            y = x / x[0]
        except (ArithmeticError, RuntimeWarning):
            y = np.cumsum(x)
    return y


TRUE = (
    only_raised, never_tried, never_tried_in_a_handler, length, absent, absent_and_left,
    without_attribute, raised_from, two_handlers,
)  # fmt: skip


@pytest.mark.parametrize("f", TRUE, ids=lambda f: f.__name__)
def test_proved(f: Callable[..., Any]) -> None:
    assert_proved(f, "x: n -> n", "S(n)")


def counted_where_absent(x: Any) -> Any:
    try:
        import nobody_wrote_this  # noqa: F401
    except ImportError:
        return np.cumsum(x)
    return x


def counted_where_it_fits(x: Any) -> Any:
    try:
        return np.cumsum(x)
    except TypeError:
        return x


def counted_where_it_only_raises(x: Any) -> Any:
    try:
        return np.cumsum(x)
    except ValueError:
        raise ShapeError("no vector") from None


@pytest.mark.parametrize(
    "f",
    [counted_where_absent, counted_where_it_fits, counted_where_it_only_raises],
    ids=lambda f: f.__name__,
)
def test_near_misses(f: Callable[..., Any]) -> None:
    assert_refuted(f, "x: n -> n", "S(n)")


CAUGHT = TypeError


def by_inverse(x: Any) -> Any:
    try:
        return np.linalg.inv(np.outer(x, x) + np.eye(len(x))) @ x
    except np.linalg.LinAlgError:
        return np.cumsum(x)


def by_value(x: Any) -> Any:
    try:
        return x + np.ones(len(x)) / float(np.abs(x).max() + 1)
    except (TypeError, ZeroDivisionError):
        return np.cumsum(x)


def by_anything(x: Any) -> Any:
    try:
        return x * 2
    except Exception:
        return np.cumsum(x)


def by_anything_else(x: Any) -> Any:
    try:
        return x * 2
    except TypeError:
        return x
    except:  # noqa: E722
        return np.cumsum(x)


def by_another_name(x: Any) -> Any:
    try:
        return x * 2
    except CAUGHT:
        return np.cumsum(x)


def by_a_local_name(x: Any, kinds: Any = (TypeError, ValueError)) -> Any:
    try:
        return x * 2
    except kinds:
        return np.cumsum(x)


def by_a_power(x: Any) -> Any:
    t = float(x.sum() + 1e12)
    try:
        t = float(t**0.5)
    except TypeError:
        return np.cumsum(x)
    return x * t


def by_a_power_in_place(x: Any) -> Any:
    t = float(x.sum() + 1e12)
    try:
        t **= 0.5
        return x * max(t, 0.0)
    except TypeError:
        return np.cumsum(x)


def by_the_larger(x: Any) -> Any:
    try:
        return x * max(x.sum(), -1e9).item()
    except AttributeError:
        return np.cumsum(x)


def by_the_first_in_order(x: Any) -> Any:
    try:
        return x * sorted([x.sum(), -1e9])[1].item()
    except AttributeError:
        return np.cumsum(x)


def by_a_raise(x: Any) -> Any:
    try:
        if x.sum() > 1e9:
            raise TypeError("too large")
        return x
    except TypeError:
        return np.cumsum(x)


def by_what_a_size_lacks(x: Any) -> Any:
    try:
        return x * (x.shape[0] << 1)
    except TypeError:
        return x


def by_what_a_size_lacks_on_one_way(x: Any) -> Any:
    if x.sum() > 1e9:
        try:
            return np.cumsum(x) * (x.shape[0] << 1)
        except TypeError:
            return x
    return x


def at_last(x: Any) -> Any:
    try:
        y = x * 2
    except TypeError:
        y = x
    finally:
        x = x * 1
    return y


UNREAD = (
    by_inverse, by_value, by_anything, by_anything_else, by_another_name, by_a_local_name, by_a_power,
    by_a_power_in_place, by_the_larger, by_the_first_in_order,
    by_a_raise, by_what_a_size_lacks, by_what_a_size_lacks_on_one_way, at_last,
)  # fmt: skip


@pytest.mark.parametrize("f", UNREAD, ids=lambda f: f.__name__)
def test_what_is_not_read_is_not_proved(f: Callable[..., Any]) -> None:
    assert ep.prove(f, "x: n -> n", "S(n)").outcome != "PROVED"


def test_a_name_that_means_something_else_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(globals(), "TypeError", Exception)
    assert ep.prove(length, "x: n -> n", "S(n)").outcome != "PROVED"
