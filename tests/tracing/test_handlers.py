"""Handlers that only raise, and those of code that never runs, are allowed; the others are refused."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import eqvproof as ep
from tests.judged import assert_proved


def solved(x: Any) -> Any:
    return np.linalg.inv(np.outer(x, x) - np.eye(len(x))) @ x


def test_what_may_raise_is_proved_alone() -> None:
    assert_proved(solved, "x: n -> n", "S(n)")


def turned(x: Any) -> Any:
    try:
        return solved(x)
    except np.linalg.LinAlgError:
        raise TypeError("singular") from None


def renamed_and_caught(x: Any) -> Any:
    try:
        return turned(x)
    except TypeError:
        return np.cumsum(x)


def renamed_in_place(x: Any) -> Any:
    try:
        try:
            return solved(x)
        except np.linalg.LinAlgError as e:
            raise NameError(f"singular {e}") from e
    except NameError:
        return np.cumsum(x)


def suppressed(x: Any) -> Any:
    y = np.cumsum(x)
    with contextlib.suppress(TypeError):
        y = turned(x)
    return y


def raised_and_caught(x: Any) -> Any:
    try:
        try:
            return solved(x)
        except ValueError:
            raise
    except Exception:
        return np.cumsum(x)


def raised_sometimes(x: Any) -> Any:
    try:
        y = solved(x)
    except ValueError as e:
        if e.args:
            raise
        y = np.cumsum(x)
    return y


def passed_over(x: Any) -> Any:
    y = x
    for s in (1.0, 0.0):
        try:
            y = y + s * solved(x)
        except ValueError:
            continue
    return y


def at_last_returned(x: Any) -> Any:
    try:
        return solved(x)
    finally:
        return np.cumsum(x)  # noqa: B012


SEEN: list[str] = []


def counted(x: Any) -> Any:
    try:
        y = solved(x)
    except ValueError:
        SEEN.append("seen")
        raise
    return y + len(SEEN) * np.cumsum(x)


class Telling(Exception):
    def __init__(self, text: str) -> None:
        SEEN.append(text)


def told_by_a_class(x: Any) -> Any:
    try:
        y = solved(x)
    except ValueError:
        raise Telling("log") from None
    return y + len(SEEN) * np.cumsum(x)


class Noisy:
    def __repr__(self) -> str:
        SEEN.append("seen")
        return "noisy"


NOISY = Noisy()


def told_by_a_text(x: Any) -> Any:
    noisy = NOISY
    try:
        y = solved(x)
    except ValueError:
        raise RuntimeError(f"{noisy!r}") from None
    return y + len(SEEN) * np.cumsum(x)


class Named:
    def _tell(self) -> str:
        SEEN.append("named")
        return "a name"

    title = property(_tell)
    __str__ = _tell


NAMED = Named()


def told_by_an_attribute(x: Any) -> Any:
    named = NAMED
    try:
        y = solved(x)
    except ValueError:
        raise RuntimeError(named.title) from None
    return y + len(SEEN) * np.cumsum(x)


def told_by_a_percent(x: Any) -> Any:
    named = NAMED
    try:
        y = solved(x)
    except ValueError as error:
        raise RuntimeError("%s of %s" % (error, named)) from None  # noqa: UP031
    return y + len(SEEN) * np.cumsum(x)


def told_by_what_is_raised(x: Any) -> Any:
    kind = Telling
    try:
        y = solved(x)
    except ValueError:
        text = kind
        raise text from None
    return y + len(SEEN) * np.cumsum(x)


def told_by_a_cause(x: Any) -> Any:
    kind = Telling
    try:
        y = solved(x)
    except ValueError as error:  # noqa: F841
        error = kind
        raise RuntimeError("none") from error
    return y + len(SEEN) * np.cumsum(x)


def tell(*texts: str) -> None:
    SEEN.extend(texts)


def told_by_a_function(x: Any) -> Any:
    try:
        y = solved(x)
    except ValueError:
        tell("log")
        raise
    return y + len(SEEN) * np.cumsum(x)


class Kinds:
    @property
    def errors(self) -> Any:
        SEEN.append("asked")
        return ValueError


KINDS = Kinds()


def told_by_a_test(x: Any) -> Any:
    try:
        y = solved(x)
    except KINDS.errors:
        raise
    return y + len(SEEN) * np.cumsum(x)


class Parts:
    def __init__(self, x: Any) -> None:
        self.x, self.k = x, 0
    
    def __iter__(self) -> Any:
        return self

    def __next__(self) -> Any:
        self.k += 1
        if self.k > 3:
            raise StopIteration
        try:
            return solved(self.x) * self.k
        except ValueError:
            raise StopIteration from None


def ended(x: Any) -> Any:
    y = 0 * x
    for part in Parts(x):
        y = y + part
    return y


class Row:
    def __init__(self, x: Any) -> None:
        self.x = x

    def __getitem__(self, k: int) -> Any:
        if k > 2:
            raise IndexError
        try:
            return solved(self.x) * k
        except ValueError:
            raise KeyError("k") from None


def gone_through(x: Any) -> Any:
    return sum(Row(x))


def parts_of(x: Any) -> Any:
    try:
        yield x
        yield np.cumsum(x)
    except ValueError:
        yield x * 2


def thrown(x: Any) -> Any:
    g = parts_of(x)
    y = next(g)
    return y + g.throw(ValueError("a"))


def by_value_of_a_branch(x: Any) -> Any:
    if x.sum() > 100:
        try:
            return solved(x)
        except ValueError:
            return np.cumsum(x)
    return x


def any_with_an_inner_one(x: Any) -> Any:
    try:
        y = solved(x)
    except:  # noqa: E722
        try:
            n = len(x)
        except TypeError:
            n = 1
        y = np.cumsum(x) * n
    return y


def any_with_an_inner_raise(x: Any) -> Any:
    try:
        y = solved(x)
    except:  # noqa: E722
        try:
            n = len(x)
        except ValueError:
            raise
        y = np.cumsum(x) * n
    return y


def at_last_with_an_inner_one(x: Any) -> Any:
    y = 0 * x
    try:
        y = solved(x)
    finally:
        try:
            n = len(x)
        except ValueError:
            raise
        return y * n  # noqa: B012


def by_a_local_class(x: Any) -> Any:
    err = Telling
    try:
        y = solved(x)
    except ValueError:
        raise err("b") from None
    return y + len(SEEN) * np.cumsum(x)

NEAR_MISSES = (
    renamed_and_caught, renamed_in_place, suppressed, raised_and_caught, raised_sometimes,
    passed_over, at_last_returned, counted, told_by_a_class, told_by_a_text, told_by_an_attribute,
    told_by_a_percent, told_by_what_is_raised, told_by_a_cause,
    told_by_a_function, told_by_a_test, ended, gone_through, thrown, by_value_of_a_branch,
    any_with_an_inner_one, any_with_an_inner_raise, at_last_with_an_inner_one,
    by_a_local_class,
)  # fmt: skip


@pytest.mark.parametrize("f", NEAR_MISSES, ids=lambda f: f.__name__)
def test_near_misses(f: Callable[..., Any]) -> None:
    assert ep.prove(f, "x: n -> n", "S(n)").outcome != "PROVED"
    assert not ep.decide(f, "x: n -> n", "S(n)", sizes={"n": 3}).holds
