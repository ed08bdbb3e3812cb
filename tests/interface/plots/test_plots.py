"""What plots draw: the data of their artists beside values computed here, and text that can be read."""

from __future__ import annotations

import importlib
import sys
from collections import Counter
from fractions import Fraction

import numpy as np
import pytest

import eqvproof as ep
from eqvproof.interface.plots import canvas
from eqvproof.interface.plots.canvas import as_plane, cell_text, place_in_plane
from eqvproof.support.errors import BackendError, DomainError, EqvproofError, ShapeError

matplotlib = pytest.importorskip("matplotlib", reason="matplotlib is not installed")
for part in ("colors", "figure", "style"):
    importlib.import_module(f"matplotlib.{part}")


def scaled(X):
    return X * np.array([[1], [2]])


@pytest.fixture(scope="module")
def verdict():
    return ep.check(scaled, "X: d n -> d n", under="O(d)", sizes={"d": 2, "n": 3})


@pytest.fixture(params=["default", "dark_background"])
def style(request):
    with matplotlib.style.context(request.param):
        yield request.param


def panels(figure):
    return {a.get_title(): a for a in figure.axes if a.get_title()}


def shown(axes):
    return np.asarray(axes.images[0].get_array().filled(np.nan))


def luminance(colour):
    rgb = np.array(matplotlib.colors.to_rgb(colour))
    linear = np.where(rgb <= 0.04045, rgb / 12.92, ((rgb + 0.055) / 1.055) ** 2.4)
    return float(linear @ [0.2126, 0.7152, 0.0722])


def contrast(a, b):
    high, low = sorted((luminance(a), luminance(b)), reverse=True)
    return (high + 0.05) / (low + 0.05)


def test_a_counterexample_before_and_after(verdict) -> None:
    found = verdict.counterexample
    x = found.inputs["X"].astype(float)
    q = found.element["d"].astype(float)
    left, right = scaled(q @ x), q @ scaled(x)
    drawn = panels(ep.plots.counterexample(verdict))
    expected = {"X": x, "g X": q @ x, "f(g x)": left, "g f(x)": right, "difference": left - right}
    assert drawn.keys() == expected.keys()
    for name, values in expected.items():
        assert (shown(drawn[name]) == values).all(), name
    for name in ("f(g x)", "g f(x)", "difference"):
        (frame,) = drawn[name].patches
        i, j = round(frame.get_y() + 0.5), round(frame.get_x() + 0.5)
        assert left[i, j] != right[i, j]
        assert drawn[name].images[0].get_clim() == drawn["f(g x)"].images[0].get_clim()
    assert not drawn["X"].patches
    assert ep.plots.counterexample(found).get_suptitle() == f"g: {found.words}   (d = 2, n = 3)"


def test_each_cell_says_its_number(verdict) -> None:
    axes = panels(ep.plots.counterexample(verdict))["X"]
    texts = {
        (round(t.get_position()[1]), round(t.get_position()[0])): t.get_text() for t in axes.texts
    }
    x = verdict.counterexample.inputs["X"]
    assert texts == {i: str(x[i]) for i in np.ndindex(x.shape)}


@pytest.mark.usefixtures("style")
def test_text_is_read_on_what_lies_behind_it(verdict) -> None:
    figure = ep.plots.counterexample(verdict)
    for axes in figure.axes:
        for text in axes.texts:
            j, i = (round(v) for v in text.get_position())
            image = axes.images[0]
            cell = image.cmap(image.norm(image.get_array()[i, j]))
            assert contrast(text.get_color(), cell) > 4
        assert contrast(axes.title.get_color(), figure.get_facecolor()) > 4
    for colour in (*canvas.COLOURS, canvas.MARK):
        assert contrast(colour, figure.get_facecolor()) > 2.9


def test_undefined_entries_and_scalars() -> None:
    verdict = ep.check(lambda x: np.sqrt(x[0]), "x: n -> ()", under="Signs(n)", sizes={"n": 2})
    found = verdict.counterexample
    drawn = panels(ep.plots.counterexample(verdict))
    sides = [found.left.item(), found.right.item()]
    assert None in sides
    for name, value in zip(("f(g x)", "g f(x)"), sides, strict=True):
        assert np.isnan(shown(drawn[name])).all() == (value is None)
        assert (drawn[name].texts[0].get_text() == "undef.") == (value is None)


def test_an_identity_has_no_moved_input() -> None:
    verdict = ep.identical(lambda x: x, lambda x: 2 * x, "x: n -> n")
    assert panels(ep.plots.counterexample(verdict)).keys() == {"x", "f(x)", "g(x)", "difference"}


def test_coefficients() -> None:
    X = np.array([[1, 2, Fraction(1, 3)], [0, 1, -1]], dtype=object)
    found = ep.coefficients(lambda X: X @ (X.T @ X), X)
    figure = ep.plots.coefficients(found)
    values = shown(figure.axes[0])
    assert np.allclose(X.astype(float) @ values, (X @ (X.T @ X)).astype(float))
    assert figure.axes[0].get_xlabel() == "column j of f(X)"
    assert figure.axes[1].get_ylabel() == "coefficient C[i, j]"
    with pytest.raises(DomainError):
        ep.plots.coefficients(ep.coefficients(lambda X: X + 1, [[1], [0]]))


def test_errors_against_n() -> None:
    n, sums, exact = [10, 100, 1000], [1e-15, 3e-14, float("nan")], [0.0, 1e-16, 0.0]
    figure = ep.plots.deepsets_error(
        n, {"plain": sums, "pool": exact}, bounds={"plain": [1e-14, 1e-13, 1e-12]}
    )
    axes = figure.axes[0]
    lines = {line.get_label(): line for line in axes.lines}
    assert np.array_equal(lines["plain"].get_ydata(), sums, equal_nan=True)
    assert list(lines["plain"].get_xdata()) == n
    assert list(lines["plain: proved bound"].get_ydata()) == [1e-14, 1e-13, 1e-12]
    heights = lines["pool"].get_ydata()
    assert (
        heights[0] == heights[2] < 1e-16 == heights[1] and axes.texts[0].get_text() == "exactly 0"
    )
    assert (axes.get_xscale(), axes.get_yscale()) == ("log", "log")
    with pytest.raises(ShapeError, match="plain: 2 values"):
        ep.plots.deepsets_error(n, {"plain": [1, 2]})


def test_a_review() -> None:
    review = ep.library.review("my23.attn", "my23.def3.2")
    axes = ep.plots.review(review).axes[0]
    kinds = [t.get_text() for t in axes.get_yticklabels()]
    drawn: Counter[tuple[str, str]] = Counter()
    for bars in axes.containers:
        for kind, bar in zip(kinds, bars, strict=True):
            drawn[kind, bars.get_label()] += int(bar.get_width())
    assert +drawn == Counter((row.kind, f"{row.outcome} {row.grade}".strip()) for row in review)
    ends = [
        max(bars[k].get_x() + bars[k].get_width() for bars in axes.containers)
        for k in range(len(kinds))
    ]
    assert ends == [sum(row.kind == kind for row in review) for kind in kinds]


def test_into_a_figure_of_the_users(verdict) -> None:
    figure = matplotlib.figure.Figure()
    assert ep.plots.counterexample(verdict, figure=figure) is figure and figure.axes


@pytest.mark.parametrize("shape", [(), (3,), (2, 3), (2, 3, 4), (2, 2, 2, 2)])
def test_every_entry_has_its_place(shape: tuple[int, ...]) -> None:
    values = np.arange(np.prod(shape, dtype=int)).reshape(shape)
    plane = as_plane(values)
    for entry in np.ndindex(shape):
        assert plane[place_in_plane(shape, entry)] == values[entry]


@pytest.mark.parametrize("shape", [(0, 2), (401, 1)])
def test_what_cannot_be_drawn(shape: tuple[int, ...]) -> None:
    with pytest.raises(ShapeError):
        ep.plots.coefficients(np.ones(shape))


def test_numbers_in_cells() -> None:
    assert [cell_text(v) for v in (None, -3, Fraction(-1, 3), Fraction(10**9, 7), 0.1 + 0.2)] == [
        "undef.", "−3", "−1/3", "≈1.43e+08", "≈0.3",
    ]  # fmt: skip


def test_a_proof_has_nothing_to_draw() -> None:
    with pytest.raises(EqvproofError, match="no counterexample"):
        ep.plots.counterexample(ep.check(lambda x: x, "x: n -> n", under="S(n)"))


def test_without_matplotlib(verdict, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(BackendError, match=r'pip install "eqvproof\[plots\]"'):
        ep.plots.counterexample(verdict)


def test_enclosures_are_drawn_at_their_middle() -> None:
    verdict = ep.check(lambda x: np.exp(x[0]), "x: n -> ()", under="S(n)", sizes={"n": 2})
    assert verdict.grade == "ENCLOSED"
    x = verdict.counterexample.inputs["x"].astype(float)
    moved = verdict.counterexample.moved["x"].astype(float)
    drawn = panels(ep.plots.counterexample(verdict))
    assert np.allclose(shown(drawn["f(g x)"]), np.exp(moved[0]))
    assert np.allclose(shown(drawn["difference"]), np.exp(moved[0]) - np.exp(x[0]))
    assert "nan" not in drawn["g f(x)"].texts[0].get_text()
