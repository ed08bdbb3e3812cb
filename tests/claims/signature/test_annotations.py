"""Signatures that annotations state, by jaxtyping's protocol; jaxtyping itself where it is there."""

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import eqvproof as ep
from eqvproof.claims.signature.annotations import annotated_signature
from tests.judged import assert_proved

FLOATS, INTEGERS = ("float32", "float64"), ("int32", "int64")


class Shaped:
    """An annotation with jaxtyping's two attributes."""

    def __class_getitem__(cls, of: tuple[tuple[str, ...], str]) -> Any:
        dtypes, dims = of
        return type("Float", (), {"dtypes": dtypes, "dim_str": dims})


def annotated(result: Any, **arguments: Any) -> Any:
    def f(*args: Any) -> Any:
        return args[0]

    names = ", ".join(arguments)
    made = eval(f"lambda {names}: f({names})", {"f": f})
    made.__annotations__ = {**arguments, "return": result}
    return made


N3, N = Shaped[FLOATS, "n 3"], Shaped[FLOATS, "n"]


@pytest.mark.parametrize(
    ("function", "text"),
    [
        (annotated(N3, x=N3), "x: n 3 -> n 3"),
        (annotated(N, x=N3, keep=Shaped[("bool", "bool_"), "n"]), "x: n 3, keep[bool]: n -> n"),
        (
            annotated(Shaped[FLOATS, ""], z=Shaped[("complex64",), "batch=2 2*n n+1"]),
            "z[complex]: 2 2n n+1 -> ()",
        ),
        (annotated(tuple[N3, N], x=N3), "x: n 3 -> n 3, n"),
        (annotated(tuple[N3, int], x=N3), "x: n 3 -> n 3, _"),
    ],
)
def test_annotations_are_a_signature(function: Any, text: str) -> None:
    assert annotated_signature(function) == text


@pytest.mark.parametrize(
    "function",
    [
        annotated(N3, x=int),
        annotated(None, x=N3),
        annotated(N3, x=Shaped[FLOATS, "... 3"]),
        annotated(N3, x=Shaped[FLOATS, "*b 3"]),
        annotated(N3, x=Shaped[FLOATS, "#n 3"]),
        annotated(N3, x=Shaped[INTEGERS, "n"]),
        annotated("no_such_name", x=N3),
        np.tanh,
    ],
)
def test_others_are_refused(function: Any) -> None:
    with pytest.raises(ep.SignatureError, match="write the signature"):
        ep.check(function, under="S(n)")


def test_a_claim_is_checked_without_a_signature() -> None:
    f = annotated(N3, x=N3)
    assert ep.check(f, under="O(3) x S(n)").grade == "PROVED"
    assert ep.prove(f, None, "O(3)").signature == "x: n 3 -> n 3"


def test_a_group_is_asked_for() -> None:
    with pytest.raises(ep.GroupError, match="no group is given"):
        ep.check(np.tanh, "x: n -> n")


def test_jaxtyping() -> None:
    jaxtyping = pytest.importorskip("jaxtyping")
    of = SimpleNamespace(
        x=jaxtyping.Float[np.ndarray, "n d"],
        keep=jaxtyping.Bool[np.ndarray, "n"],
        y=jaxtyping.Float[np.ndarray, "d"],
    )

    def pool(x: of.x, keep: of.keep, power: int = 1) -> of.y:  # type: ignore
        return (x**power * keep[:, None]).sum(0)

    assert annotated_signature(pool) == "x: n d, keep[bool]: n -> d"
    assert_proved(pool, None, "S(n)")  # type: ignore[arg-type]
