"""Slices, splits and merges of axes: what the rules accept holds for numbers, and is what NumPy does."""

from __future__ import annotations

import itertools
import math
import random

import numpy as np
import numpy.typing as npt
import pytest

from eqvproof.kernel import checker, form_shapes, forms, report
from eqvproof.kernel.checker import Det, Irr, Prod
from eqvproof.kernel.sizes import Size
from tests.sampling import examples

Array = npt.NDArray[np.float64]
Values = dict[str, int]
N, K, ONE = Size.of("n"), Size.of("k"), Size.of(1)
#: The families under which types are tried; n is the size of their elements.
FAMILIES = ("S", "C", "Signs", "O", "GL", "SL")


@pytest.fixture(autouse=True)
def _work() -> None:
    report.allow(10**9)


def number(size: Size, at: Values) -> int:
    """The number that a size is."""
    return sum(c * math.prod(at[name] for name in names) for names, c in size.terms)


# -- what they read
# ------------------------------------------------------------------------------------------------


def place(where: forms.Place, labels: list[int], at: Values) -> int:
    """The number that a place is."""
    match where:
        case forms.Lab(label):
            return labels[label]
        case forms.SizePlace(size):
            return number(size, at)
        case forms.Plus(a, b):
            return place(a, labels, at) + place(b, labels, at)
        case forms.Times(a, b):
            return place(a, labels, at) * place(b, labels, at)
        case forms.Over(a, b):
            return place(a, labels, at) // place(b, labels, at)
        case forms.Modulo(a, b):
            return place(a, labels, at) % place(b, labels, at)
    raise AssertionError(where)


def viewed(array: Array, form: forms.View, at: Values) -> Array:
    """The view of an array, entry by entry, as `rocq/Programs.v` says."""
    own = [number(size, at) for size in forms.view_sizes(form.view, form.first, form.second)]
    read = forms.view_places(form.view, form.first, form.second)
    p, seen = form.axis, len(read)
    found = np.zeros((*array.shape[:p], *own, *array.shape[p + seen :]))
    for labels in itertools.product(*map(range, own)):
        entry = tuple(place(one, list(labels), at) for one in read)
        found[(slice(None),) * p + labels] = array[(slice(None),) * p + entry]
    return found


def drawn_view(rng: random.Random) -> tuple[forms.View, tuple[Size, ...]]:
    """A view, and a shape of arrays that it is of."""
    sizes = [Size.of(rng.randint(0, 3)), N, K, N * K, N + ONE, N - ONE, Size.of(2) * N]
    z, w = rng.choice(sizes), rng.choice(sizes)
    view, axis = rng.choice(forms.VIEWS), rng.randint(0, 2)
    seen = {"Cut": (z + w + rng.choice([Size.of(0), K]),), "Split": (z * w,), "Merge": (z, w)}[view]
    before, after = (tuple(rng.choices(sizes, k=count)) for count in (axis, rng.randint(0, 1)))
    return forms.View(view, 0, axis, z, w), (*before, *seen, *after)


def expected(array: Array, form: forms.View, at: Values) -> Array:
    """What NumPy does."""
    z, w = number(form.first, at), number(form.second, at)
    p = form.axis
    if form.view == "Cut":
        return array[(slice(None),) * p + (slice(z, z + w),)]
    own = [z, w] if form.view == "Split" else [z * w]
    seen = 1 if form.view == "Split" else 2
    return array.reshape(*array.shape[:p], *own, *array.shape[p + seen :])


def test_views_are_what_numpy_does() -> None:
    rng, views = random.Random(0), set[str]()
    for _ in range(examples(3000, 300)):
        form, given = drawn_view(rng)
        own = (
            *given[: form.axis],
            *forms.view_sizes(form.view, form.first, form.second),
            *given[form.axis + len(forms.view_places(form.view, form.first, form.second)) :],
        )
        known = {"n": N + ONE, "k": K + ONE}
        program = [forms.Input(0), form]
        assert form_shapes.shaped(known, [given], program, [given, own], own), (form, given)
        at = {"n": rng.randint(1, 3), "k": rng.randint(1, 3)}
        array = np.random.default_rng(rng.getrandbits(32)).normal(size=[number(s, at) for s in given])
        result = viewed(array, form, at)
        assert result.shape == tuple(number(size, at) for size in own)
        assert np.array_equal(result, expected(array, form, at)), (form, given, at)
        views.add(form.view)
        other = rng.choice([(*own, ONE), own[1:], own[::-1], (*own[:-1], *(s + ONE for s in own[-1:]))])
        if other != own:
            assert not form_shapes.shaped(known, [given], program, [given, other], other)
    assert views == {*forms.VIEWS}


# -- how groups act on them
# ------------------------------------------------------------------------------------------------


def element(family: str, n: int, rng: np.random.Generator) -> tuple[Array, float]:
    """A matrix of a group, and the power 1 of its character."""
    match family:
        case "S":
            g: Array = np.eye(n)[rng.permutation(n)]
        case "C":
            g = np.roll(np.eye(n), rng.integers(n), axis=0)
        case "Signs":
            g = np.diag(rng.choice([-1.0, 1.0], size=n))
        case "O":
            g = np.linalg.qr(rng.normal(size=(n, n)))[0]
        case _:
            g = rng.normal(size=(n, n)) + 2 * np.eye(n)
            if family == "SL":
                g[0] /= np.linalg.det(g)
    return g, float(np.linalg.det(g))


class Acting:
    """The matrices of an element along axes, as `rocq/Checked.v` has them."""

    def __init__(self, family: str, at: Values, rng: np.random.Generator) -> None:
        self.family, self.at = family, at
        self.matrix, self.det = element(family, at["n"], rng)
        self.irreps: dict[tuple[int, int], Array] = {}
        self.rng = rng

    def part(self, kind: checker.Kind, size: Size) -> Array:
        """The matrix along a part."""
        length = number(size, self.at)
        match kind:
            case "Std" | "Dual" if size == N:
                dual = kind == "Dual" and self.family in ("GL", "SL")
                return np.linalg.inv(self.matrix).T if dual else self.matrix
            case Det(inner) if self.family == "O":
                return self.det * self.part(inner, size)
            case Irr(degree) if self.family == "O":
                key = degree, length
                if key not in self.irreps:
                    self.irreps[key] = np.linalg.qr(self.rng.normal(size=(length, length)))[0]
                return self.irreps[key]
            case Prod(a, z, b, w) if number(z * w, self.at) == length:
                return np.kron(self.part(a, z), self.part(b, w))
        return np.eye(length)

    def axis(self, parts: checker.Axis, length: int) -> Array:
        """The matrix along an axis."""
        if not parts:
            return np.eye(length)
        found, at = np.zeros((length, length)), 0
        for kind, size in parts:
            block = self.part(kind, size)
            found[at : at + len(block), at : at + len(block)] = block
            at += len(block)
        assert at == length
        return found

    def on(self, array: Array, axes: checker.Axes) -> Array:
        """An array on which the element has acted along all axes."""
        for k, (parts, length) in enumerate(zip(axes, array.shape, strict=True)):
            array = np.moveaxis(np.tensordot(self.axis(parts, length), array, axes=(1, k)), 0, k)
        return array


def drawn_kind(rng: random.Random, depth: int = 2) -> checker.Part:
    """A kind of part and its size."""
    match rng.randrange(8 if depth else 6):
        case 0:
            return "Fix", rng.choice([K, ONE, Size.of(2), N])
        case 1 | 2 | 3:
            return rng.choice(["Std", "Dual"]), N
        case 4:
            return Irr(1), Size.of(2)
        case 5:
            kind, size = drawn_kind(rng, 0)
            return checker.times_det(kind), size
    (kind, size), (other, its_size) = drawn_kind(rng, depth - 1), drawn_kind(rng, depth - 1)
    return Prod(kind, size, other, its_size), size * its_size


def drawn_axis(rng: random.Random) -> checker.Axis:
    """Parts of an axis; none in some."""
    return tuple(drawn_kind(rng) for _ in range(rng.choice([0, 1, 1, 1, 2, 3])))


def length_of(axis: checker.Axis, rng: random.Random) -> Size:
    """A size that an axis fits."""
    return checker.width(axis) if axis else rng.choice([K, ONE, Size.of(2), N])


def altered_kind(kind: checker.Kind, rng: random.Random) -> checker.Kind:
    """A kind that differs in one place."""
    match kind:
        case Prod(a, z, b, w):
            return rng.choice(
                [
                    Prod(b, w, a, z), Prod(a, w, b, z), Prod(b, z, a, w), Prod(a, z, b, w + ONE), a, b, "Fix",
                    Prod(altered_kind(a, rng), z, b, w), Prod(a, z, altered_kind(b, rng), w),
                    Prod(a, z * K, b, w), Prod(a, ONE, b, z * w), Prod(Prod(a, z, b, w), z * w, "Fix", ONE),
                ]
            )  # fmt: skip
        case Det(inner):
            return inner
        case "Fix":
            return rng.choice(["Std", Det("Fix")])
    return rng.choice(["Fix", "Std", "Dual", Det(kind)])


def altered_axis(axis: checker.Axis, rng: random.Random) -> checker.Axis:
    """An axis that differs in one place, mostly of the same size."""
    if not axis:
        return (drawn_kind(rng),)
    k = rng.randrange(len(axis))
    kind, size = axis[k]
    return rng.choice(
        [
            axis[::-1], axis[1:], (*axis[:k], (altered_kind(kind, rng), size), *axis[k + 1 :]),
            (*axis[:k], (kind, rng.choice([size + ONE, K, N, N * K])), *axis[k + 1 :]), (),
        ]
    )  # fmt: skip


def drawn_types(rng: random.Random, view: str) -> tuple[forms.View, checker.Axes, checker.Axes]:
    """A view, with types of what it sees and of its own axes that follow or almost do."""
    if view == "Cut":
        axis = drawn_axis(rng)
        start, stop = sorted(rng.choices(range(len(axis) + 1), k=2))
        z, w = (checker.width(axis[a:b]) for a, b in ((0, start), (start, stop)))
        if rng.random() < 0.2:
            w = w + rng.choice([ONE, K])
        seen: checker.Axes = (axis,)
        own: checker.Axes = (axis[start:stop],)
        if checker.all_fixed(seen):
            z, w = K, ONE
    else:
        first, second = drawn_axis(rng), drawn_axis(rng)
        if rng.random() < 0.3:
            first = (("Fix", rng.choice([Size.of(2), K])),)
        z, w = length_of(first, rng), length_of(second, rng)
        joined = checker.axis_times(checker.parts_of(first, z), checker.parts_of(second, w))
        one = checker.merged(joined or drawn_axis(rng))
        seen, own = ((one,), (first, second)) if view == "Split" else ((first, second), (one,))
    if rng.random() < 0.4:
        own = tuple(altered_axis(axis, rng) if rng.random() < 0.7 else axis for axis in own)
    if rng.random() < 0.1:
        seen = tuple(altered_axis(axis, rng) for axis in seen)
    return forms.View(view, 0, 0, z, w), seen, own


def commutes(form: forms.View, seen: checker.Axes, own: checker.Axes, acting: Acting, flips: bool) -> bool:
    """Whether the view of what an element has acted on is what it has done to the view."""
    sizes = {"Split": (form.first * form.second,), "Merge": (form.first, form.second)}
    given = sizes.get(form.view, (checker.width(seen[0]) if seen[0] else form.first + form.second,))
    array = acting.rng.normal(size=[number(size, acting.at) for size in given])
    before = viewed(acting.on(array, seen), form, acting.at)
    after = acting.on(viewed(array, form, acting.at), own)
    return np.allclose(before, (acting.det if flips else 1) * after)


@pytest.mark.parametrize("view", forms.VIEWS)
@pytest.mark.parametrize("family", FAMILIES)
def test_what_the_rules_accept_is_so(family: str, view: str) -> None:
    """Types that follow or almost do: those that are accepted hold, whatever the sizes are."""
    rng, answers = random.Random(f"{family} {view}"), [0, 0]
    for _ in range(examples(6000, 600)):
        form, seen, own = drawn_types(rng, view)
        flips = family == "O" and rng.random() < 0.2
        power = int(flips)
        rules = checker.Rules(family, N, [], [(seen, 0)])
        accepted = rules.rule([(seen, 0)], form, (own, power))
        answers[accepted] += 1
        if not accepted:
            continue
        assert all(map(checker.fits, own, forms.view_sizes(view, form.first, form.second)))
        for n, k in ((1, 1), (2, 3), (3, 2)):
            acting = Acting(family, {"n": n, "k": k}, np.random.default_rng(rng.getrandbits(32)))
            assert commutes(form, seen, own, acting, flips), (form, seen, own)
    assert min(answers) > examples(6000, 600) // 20, answers


def test_axes_of_many_parts_are_cut() -> None:
    parts = (("Fix", ONE), ("Std", N)) * 2000
    context = [((parts,), 0)]
    rules = checker.Rules("S", N, [], context)
    line = forms.View("Cut", 0, 0, checker.width(parts[:3001]), N + ONE)
    assert rules.rule(context, line, ((parts[3001:3003],), 0))
    assert not rules.rule(context, line, ((parts[3000:3002],), 0))


def test_cutting_axes_of_many_parts_is_work() -> None:
    parts = (("Fix", ONE), ("Std", N)) * 500
    line = forms.View("Cut", 0, 0, Size.of(0), ONE)
    report.allow(100_000)
    rules = checker.Rules("S", N, [], [((parts,), 0)])
    with pytest.raises(report.Limited):
        for _ in range(1000):
            assert rules.rule([((parts,), 0)], line, (((),), 0))
