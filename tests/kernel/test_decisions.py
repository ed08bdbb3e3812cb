"""Decisions and tests at single sizes: what is accepted has no counterexample; forgeries are refused."""

from __future__ import annotations

import copy
import random
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

import eqvproof as ep
from eqvproof.claims.groups import parse_group, random_element, simple_elements
from eqvproof.claims.signature import parse_signature
from eqvproof.engines.targets import trace_at
from eqvproof.kernel import Report, claims, report
from eqvproof.kernel.elements import Motion, act_on_tensor
from eqvproof.kernel.interval import Arithmetic
from eqvproof.kernel.polynomials import Ring
from eqvproof.kernel.rational import Field
from eqvproof.kernel.symbolic import Numbers
from eqvproof.kernel.tensors import Tensor
from tests.engines.programs import random_program
from tests.engines.test_bounded import RIGHT, WRONG
from tests.kernel import corpus, oracle
from tests.kernel.encoding import check_certificate, encoded

KINDS = ("decision", "test")
FAMILIES = "O SO GL SL S A C D Signs T Scale B E SE".split()


def sealed(kind: str, signature: str, under: str, sizes: dict[str, int], *functions: Any) -> corpus.JSON:
    """The certificate that would say it."""
    parsed = parse_signature(signature)
    programs = [trace_at(f, parsed, sizes).program.to_json() for f in functions]
    what = {"kind": "identity" if len(functions) > 1 else "equivariance", **parsed.to_json()}
    if under:
        what["group"] = parse_group(under, parsed, each=True).to_json()
    return corpus.single(kind, what, [sizes], *programs)


def checked(*what: Any) -> Report:
    """The kernel's report on it."""
    return check_certificate(sealed(*what))


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("case", RIGHT, ids=range(len(RIGHT)))
def test_right(case: Any, kind: str) -> None:
    f, signature, under, sizes = case
    found = checked(kind, signature, under, sizes, f)
    assert found.accepted, found.reason
    assert found.grade == {"decision": "DECIDED", "test": "BOUNDED"}[kind]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("case", WRONG, ids=range(len(WRONG)))
def test_wrong(case: Any, kind: str) -> None:
    f, signature, under, sizes = case
    assert not checked(kind, signature, under, sizes, f).accepted


def pole(c: Any, a: Any) -> Any:
    return np.where(c, a, 1 / np.logical_not(c))


def no_pole(c: Any, a: Any) -> Any:
    e = np.logical_not(c)
    return a + 1 - a * e + 0 * np.where(c, 0 * a, 1 / e)


#: Signature, and two functions of which the second differs from the first somewhere.
DIFFERENT: dict[str, tuple[str, Any, Any]] = {
    "a pole that the condition makes": ("c: (), a: () -> ()", pole, no_pole),
    "a removable one": ("x: () -> ()", lambda x: x / x, lambda x: 0 * x + 1),
    "one of two": ("x: (), y: () -> ()", lambda x, y: x / (x * y), lambda x, y: 1 / y),
    "the sign of a denominator": ("x: () -> ()", lambda x: 1 / x, lambda x: 1 / (-x)),
    "other deviations from one mean": (
        "x: () -> ()", lambda x: np.stack([x, -x]).max(), lambda x: np.stack([2 * x, -2 * x]).max(),
    ),
    "a root": ("x: () -> ()", lambda x: np.sqrt(x) * 0, lambda x: 0 * x),
    "sign at 0": ("x: () -> ()", lambda x: np.sign(x) ** 2, lambda x: 0 * x + 1),
    "even for odd": ("x: () -> ()", lambda x: np.cos(x), lambda x: -np.cos(-x)),
    "or for and": ("x: (), y: () -> ()", lambda x, y: (x > 0) & (y > 0), lambda x, y: (x > 0) | (y > 0)),
    "largest, smallest": ("x: n -> ()", lambda x: x.max(), lambda x: x.min()),
    "places of a sort": ("x: n -> ()", lambda x: np.sort(x)[0], lambda x: np.sort(x)[1]),
    "floor, ceil": ("x: () -> ()", np.floor, np.ceil),
    "an even function at 0": (
        "x: () -> ()", lambda x: np.cos((x + 1) * (x - 1) - x * x + 1), lambda x: 0 * x,
    ),
    "a branch that is undefined": (
        "x: () -> ()", lambda x: 0 * np.where(x > 0, 1 / (x - 5), 0), lambda x: 0 * np.where(x > 0, x, 0),
    ),
    "other conditions of branches": (
        "c: 2, x: () -> ()", lambda c, x: np.where(c[0] > 0, 1 / x, x),
        lambda c, x: np.where(c[1] > 0, 1 / x, x),
    ),
    "the other branch": (
        "c: (), x: () -> ()", lambda c, x: np.where(c > 0, 1 / x, x), lambda c, x: np.where(c > 0, x, 1 / x),
    ),
    "a large prime times x": ("x: () -> ()", lambda x: x * ((1 << 127) - 1), lambda x: 0 * x),
    "eigenvalues": (
        "A: 2 2 -> 2", lambda A: np.linalg.eigvalsh(A + A.T), lambda A: np.linalg.eigvalsh(A + A.T)[::-1],
    ),
    "inverse": ("A: 2 2 -> 2 2", np.linalg.inv, lambda A: np.linalg.inv(A).T),
}  # fmt: skip
EQUAL: dict[str, tuple[str, Any, Any]] = {
    "the same in two ways": (
        "x: () -> ()", lambda x: (x * x - 1) / (x - 1), lambda x: (x + 1) * ((x - 1) / (x - 1)),
    ),
    "twice an inverse": ("A: 2 2 -> 2 2", lambda A: np.linalg.inv(A) @ A @ np.linalg.inv(A), np.linalg.inv),
    "halves of a choice": (
        "x: n -> n", lambda x: np.where(x > 0, x, 0) + np.where(x > 0, 0, x), lambda x: x,
    ),
    "odd": ("x: n -> n", lambda x: np.tanh(-x), lambda x: -np.tanh(x)),
    "odd at 0": ("x: () -> ()", lambda x: np.sin((x + 1) * (x - 1) - x * x + 1), lambda x: 0 * x),
    "moved maximum": ("x: n -> ()", lambda x: (x + 3).max(), lambda x: x.max() + 3),
    "remainder": ("x: (), y: () -> ()", lambda x, y: x % y, lambda x, y: x - y * np.floor(x / y)),
    "inverse": ("A: 2 2 -> 2 2", lambda A: np.linalg.inv(A.T), lambda A: np.linalg.inv(A).T),
    "eigenvalues": (
        "A: 2 2 -> 2", lambda A: np.linalg.eigvalsh(A + A.T), lambda A: np.linalg.eigvalsh((A.T + A) / 1),
    ),
}  # fmt: skip


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", DIFFERENT)
def test_different_functions_are_not_equal(name: str, kind: str) -> None:
    signature, *functions = DIFFERENT[name]
    found = checked(kind, signature, "", {"n": 3} if "n" in signature else {}, *functions)
    assert not found.accepted and "internal" not in found.reason and not found.limited


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", EQUAL)
def test_equal_functions(name: str, kind: str) -> None:
    signature, *functions = EQUAL[name]
    found = checked(kind, signature, "", {"n": 3} if "n" in signature else {}, *functions)
    assert found.accepted, found.reason


def random_claim(seed: int) -> tuple[Any, Any, str, dict[str, int]] | None:
    """A random Program with a typing and a group."""
    rng = random.Random(seed)
    program = random_program(rng, rng.randint(1, 8))
    sizes = {"d": rng.randint(1, 3), "n": rng.randint(1, 3), "k": rng.randint(1, 2)}
    family = rng.choice(FAMILIES)
    axis = "n" if family in ("S", "A", "C", "D") else "d"
    shape = [s.value(sizes) for s in program.shape]
    if {name for name, _ in program.inputs} != {"X", "Z"} or len(shape) > 2 or max(shape, default=1) > 9:
        return None
    names = [next((n for n in (axis, "d", "n", "k") if sizes[n] == s), str(s)) for s in shape]
    try:
        signature = parse_signature("X: d n, Z: d k -> " + (" ".join(names) or "()"))
        parse_group(f"{family}({axis})", signature)
    except ep.EqvproofError:
        return None
    return program, signature, f"{family}({axis})", sizes


def test_no_accepted_claim_has_a_counterexample(some: Any) -> None:
    """Random programs: what is accepted stands at random points."""
    accepted, seeds = 0, some(range(400), 60)
    for seed in seeds:
        found = random_claim(seed)
        if found is None:
            continue
        program, signature, under, sizes = found
        group = parse_group(under, signature)
        what = {"kind": "equivariance", **signature.to_json(), "group": group.to_json()}
        both = [corpus.single(kind, what, [sizes], program.to_json()) for kind in KINDS]
        good = [check_certificate(data).accepted for data in both]
        if any(good):
            accepted += 1
            given = encoded(both[good.index(True)])
            assert oracle.is_true(given, random.Random(seed)), (under, sizes, str(program))
    assert accepted > len(seeds) / 8


OF_MATRICES = (
    "O(d) SO(d) S(d) A(d) C(d) D(d) Signs(d) B(d) GL(d) SL(d) Lorentz(d) Sp(d) Sp(2d) U(d) SU(d)".split()
)


def bilinear(size: int) -> list[Any]:
    """Matrices that some group keeps, and near misses of each."""
    one = np.eye(size, dtype=int)
    found = [one, np.diag([1] + [-1] * (size - 1)), np.diag([1, 1] + [-1] * (size - 2))[:size, :size]]
    found += [np.ones((size, size), dtype=int), np.roll(one, 1, axis=0), np.roll(one, 1, axis=0) + 2 * one]
    if size % 2 == 0:
        found.append(np.kron([[0, 1], [-1, 0]], np.eye(size // 2, dtype=int)))
    rng = np.random.default_rng(size)
    return found + [m + (rng.random(m.shape) < 1.5 / m.size) for m in found[:2]] + [one[:, :1] * one[:1]]


@pytest.mark.sampled(4)
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("under", [*OF_MATRICES, "O(1,2; d)", "SO(2,2; d)"])
def test_bilinear_forms_under_every_group_of_matrices(under: str, kind: str) -> None:
    """What is accepted of ``x^T M y`` at a size is what random elements leave as it is."""
    twice = 2 if under in ("Sp(2d)", "U(d)", "SU(d)") else 1
    for d in {"O(1,2; d)": (3,), "SO(2,2; d)": (4,)}.get(under, (1, 2) if twice > 1 else (2, 3)):
        size, axis = twice * d, "2d" if twice > 1 else "d"
        signature = f"x: {axis}, y: {axis} -> ()"
        (factor,) = parse_group(under, parse_signature(signature)).factors
        rng = random.Random(size)
        elements = [*simple_elements(factor, size), *(random_element(factor, size, rng) for _ in range(3))]
        matrices = [np.array(g.matrix(), dtype=object) for g in elements]
        for m in bilinear(size):
            kept = all((g.T.dot(m).dot(g) == m).all() for g in matrices)
            found = checked(kind, signature, under, {"d": d}, lambda x, y, m=m: x @ m @ y)
            assert found.accepted == kept, (d, m, found.reason)


def test_elements_of_another_size_are_refused() -> None:
    """Complex matrices have twice the size of their axis, wherever that is read."""
    for under, d in (("U(d)", 1), ("U(d)", 2), ("U(d)", 3), ("SU(d)", 2), ("SU(d)", 3)):
        for f in (lambda x: x[0].real ** 3, lambda x: x.real.sum() * x.imag[0], lambda x: x[-1].imag):
            assert not ep.decide(f, "x[complex]: d -> ()", under, sizes={"d": d}).holds
    moved = Motion([[(0, Fraction(-1))]], [])
    for term in (claims.Term(2, "d", ""), claims.Term(3, "d", "")):
        with pytest.raises(report.Rejected, match="size 1"):
            act_on_tensor(
                claims.Factor("U", "d"),
                moved,
                Tensor((4,), [Fraction(1)] * 4),
                [(term,)],
                {"d": 2},
                Arithmetic(64),
            )


def changed(data: corpus.JSON, *edits: tuple[list[Any], Any]) -> corpus.JSON:
    """The certificate with some values replaced, sealed anew."""
    data = copy.deepcopy(data)
    for path, value in edits:
        at: Any = data
        for key in path[:-1]:
            at = at[key]
        at[path[-1]] = value
    return corpus.reseal(data)


SCOPE = ["claim", "scope"]
#: A constant that is read as the table next to it.
READ = [{"node": 0, "read": "invariant"}]
FORGED: dict[str, Any] = {
    "no sizes": lambda: changed(corpus.decided(), (SCOPE, []), (["evidence", "proofs"], [])),
    "a range of sizes": lambda: changed(corpus.decided(), ([*SCOPE, 0, "d"], [1, 3])),
    "all sizes": lambda: changed(corpus.decided(), ([*SCOPE, 0, "d"], "all")),
    "a size that is missing": lambda: changed(corpus.decided(), ([*SCOPE, 0], {"d": 2})),
    "no axis of the claim": lambda: changed(corpus.decided(), ([*SCOPE, 0], {"d": 2, "n": 2, "q": 1})),
    "fewer proofs than sizes": lambda: changed(corpus.decided(), (["evidence", "proofs"], [None])),
    "sizes as an object": lambda: changed(corpus.decided(), (SCOPE, {"d": 2, "n": 2})),
    "no programs": lambda: changed(corpus.decided(), (["programs"], [])),
    "too many bits": lambda: changed(corpus.tested(), (["evidence", "bits"], 101)),
    "chosen points": lambda: changed(corpus.tested(), (["evidence"], {"bits": 100, "seed": "0"})),
    "a test called a decision": lambda: changed(corpus.tested(), (["kind"], "decision")),
    "the proof of another size": lambda: changed(corpus.typed(), (["evidence", "proofs", 0, "factors"], [])),
    "a proof of an identity": lambda: changed(
        corpus.decided_difference(), (["evidence", "proofs"], [{"factors": []}])
    ),
    "another program": lambda: changed(
        corpus.decided_difference(), (["others"], corpus.decided_difference()["programs"][:0])
    ),
    "tables read without a proof": lambda: changed(corpus.decided(), (["claim", "readings"], [READ])),
    "tables read of one program of two": lambda: changed(corpus.typed(), (["claim", "readings"], [READ] * 2)),
    "readings that are no lists": lambda: changed(corpus.typed(), (["claim", "readings"], READ)),
    "tables read in a test": lambda: changed(corpus.tested(), (["claim", "readings"], [READ])),
    "a sign": lambda: changed(corpus.decided_difference(), (["others", 0, "nodes", 3, "values"], ["1"])),
}  # fmt: skip


@pytest.mark.parametrize("name", FORGED)
def test_forged(name: str) -> None:
    found = check_certificate(FORGED[name]())
    assert not found.accepted and "internal" not in found.reason


def test_work_beyond_the_limit_is_said() -> None:
    """(sum of x)^16 of twelve variables has 17 million terms; a test of it is soon done."""

    def power(x: Any) -> Any:
        total = x.sum()
        for _ in range(4):
            total = total * total
        return total

    found = checked("decision", "x: n -> ()", "S(n)", {"n": 12}, power)
    assert found.limited and not found.accepted
    assert checked("test", "x: n -> ()", "S(n)", {"n": 12}, power).accepted
    assert not checked("decision", "x: n -> n", "S(n)", {"n": 3}, np.cumsum).limited


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(
    ("f", "signature", "under", "sizes"),
    [
        (lambda x: x[0] - x[1], "x: d -> ()", "T(d)", {"d": 2}),
        (lambda x, y: x.sum() - y.sum(), "x: d, y: e -> ()", "T(d) x T(e)", {"d": 1, "e": 1}),
        (lambda x, y: x.sum() * y.sum(), "x: d, y: e -> ()", "GL(d) x GL(e)", {"d": 1, "e": 1}),
        (lambda x: x[0, 0] - x[1, 0], "x: n d -> ()", "T(d) each n", {"n": 2, "d": 1}),
        (lambda x: x[0] * x[3] - x[1] * x[2], "x: d -> ()", "SO(d)", {"d": 4}),
    ],
)
def test_what_stays_where_all_generators_act_alike_need_not_stay(
    f: Any, signature: str, under: str, sizes: dict[str, int], kind: str
) -> None:
    """Each infinitesimal element has an e of its own: that the sum of their derivatives is 0 says nothing."""
    assert not checked(kind, signature, under, sizes, f).accepted


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("is_number", [True, False])
def test_numbers_each_of_which_is_the_square_of_the_last_are_too_long(is_number: bool, kind: str) -> None:
    """40 lines would have more digits than there are atoms; a test computes with remainders."""
    graph = corpus.Graph(x=[])
    x = graph.node("input", [], [], name="x")
    v = graph.node("const", [], [], values=[str(3**99)])
    if not is_number:
        v = graph.node("einsum", [x, v], [], inputs=[[], []], output=[])
    for _ in range(40):
        v = graph.node("einsum", [v, v], [], inputs=[[], []], output=[])
    graph.node("einsum", [x, v], [], inputs=[[], []], output=[])
    program = graph.program()
    found = check_certificate(
        corpus.single(kind, corpus.claim("x: () -> ()", kind="identity"), [{}], program, program)
    )
    assert found.limited == (is_number or kind == "decision") != found.accepted, found.reason


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("times", [1, 8, 9, 10, 15, 16, 63, 64, 65])
def test_a_power_of_a_variable_is_not_the_next_variable(times: int, kind: str) -> None:
    """In a decision monomials are integers, whose digits are the exponents: x^(2^k) is not y."""
    graph, other = corpus.Graph(x=[], y=[]), corpus.Graph(x=[], y=[])
    for g in (graph, other):
        x, y = (g.node("input", [], [], name=name) for name in "xy")
    nothing = [g.node("const", [], [], values=["0"]) for g in (graph, other)]
    by = {"inputs": [[], []], "output": []}
    for _ in range(times):
        x = graph.node("einsum", [x, x], [], **by)
    graph.node("add", [x, graph.node("einsum", [nothing[0], y], [], **by)], [])
    other.node("add", [y, other.node("einsum", [nothing[1], 0], [], **by)], [])
    what = corpus.claim("x: (), y: () -> ()", kind="identity")
    same, differ = (corpus.single(kind, what, [{}], graph.program(), p.program()) for p in (graph, other))
    assert not check_certificate(differ).accepted
    found = check_certificate(same)
    assert found.accepted != found.limited and (found.accepted or times > 9), found.reason


def test_points_follow_from_the_program() -> None:
    """Whoever changes the program gets another prime and other points; the same certificate the same ones."""
    report.allow(10**6)
    one, two, three = (Ring(seed, exact=False) for seed in ("a", "a", "b"))
    assert one.prime == two.prime != three.prime and one.prime.bit_length() == 256
    assert pow(3, one.prime - 1, one.prime) == 1
    assert [one.variable() for _ in range(3)] == [two.variable() for _ in range(3)]
    assert len({one.variable().value for _ in range(50)}) == 50


@pytest.mark.parametrize("exact", [True, False])
def test_arithmetic_is_that_of_rational_functions(exact: bool) -> None:
    """Both sides of identities, and of what is none."""
    field = Field("seed", exact=exact)
    x, y, two = field.variable(), field.variable(), Fraction(2)
    total = field.add(x, y)
    square = field.mul(total, total)
    longer = field.add(field.add(field.mul(x, x), field.mul(y, y)), field.mul(two, field.mul(x, y)))
    assert field.same(square, longer) and not field.same(square, field.mul(x, x))
    assert field.same(field.mul(field.recip(x), x), Fraction(1))
    half = field.sub(field.recip(x), field.recip(y))
    assert field.same(half, field.mul(field.sub(y, x), field.recip(field.mul(y, x))))
    assert field.numbered(half) == field.numbered(field.mul(Fraction(1), half))
    assert field.numbered(field.mul(Fraction(-1), half)) == (field.numbered(half)[0], -1)
    minus = field.mul(Fraction(-1), x)
    assert field.same(field.recip(minus), field.mul(Fraction(-1), field.recip(x)))
    assert not field.same(field.recip(minus), field.recip(x))
    e, other = field.mul(Fraction(3), field.infinitesimal()), field.infinitesimal()
    moved = field.add(x, e)
    assert field.same(
        field.mul(moved, moved), field.add(field.mul(x, x), field.mul(field.mul(two, x), e))
    )
    assert field.same(field.mul(e, other), field.mul(e, e)) and not field.same(e, other)
    assert field.same(field.add(moved, field.mul(Fraction(-1), e)), x)
    with pytest.raises(report.Rejected):
        field.numbered(moved)
    with pytest.raises(report.Rejected):
        field.recip(field.sub(x, x))


def test_what_moves_may_be_divided_by_if_it_stays_zero_or_not() -> None:
    """(c v)' = v: 1/v has the derivative -1/v; v + e has none such."""
    numbers = Numbers("seed", exact=True)
    v = numbers.variable()
    grown = numbers.add(v, numbers.mul(v, numbers.infinitesimal()))
    assert numbers.same(numbers.mul(numbers.recip(grown), grown), Fraction(1))
    with pytest.raises(report.Rejected):
        numbers.recip(numbers.add(v, numbers.infinitesimal()))


def test_verdicts_have_these_certificates() -> None:
    """A decision, one by types at single sizes, a test, and an identity."""
    mean = lambda x: (np.roll(x, 1) + np.roll(x, -1)) / 2  # noqa: E731
    verdict = ep.check(mean, "x: m -> m", under="D(m)", sizes={"m": (2, 4)})
    assert verdict.grade == "DECIDED"
    found = ep.verify(verdict.certificate)
    assert found.accepted and found.grade == "DECIDED" and "m = 4" in found.statement
    other = ep.identical(lambda x: x[::-1][::-1] ** 2, lambda x: x * x, "x: 3 -> 3")
    assert other.holds and ep.verify(other.certificate).accepted


def test_what_is_assumed_is_said() -> None:
    proof = encoded(corpus.assumed())
    steps = {"proofs": [{"forms": proof["forms"], **proof["evidence"]}]}
    for scope, text in (({"d": 2, "n": 2}, "assumed, not proved"), ({"d": "all", "n": "all"}, "")):
        claim = {**proof["claim"], "scope": [scope]}
        found = check_certificate(corpus.seal("decision", claim=claim, forms=[None], evidence=steps))
        assert found.accepted == bool(text) and text in " ".join(found.rests_on)
    given = corpus.unknown()
    for kind in KINDS:
        found = check_certificate(corpus.single(kind, given["claim"], [{"d": 2, "n": 2}], given["program"]))
        assert found.accepted and "s is a function of its arguments alone" in " ".join(found.rests_on)


@pytest.mark.parametrize("kind", KINDS)
def test_functions_of_one_name_with_values_of_different_shapes_are_not_the_same(kind: str) -> None:
    programs = []
    for size in (1, 2):
        graph = corpus.Graph(x=[1])
        graph.node("input", [], [1], name="x")
        graph.node("opaque", [0], [size], name="s", symmetry=None)
        graph.node("slice", [1], [1], axis=0, start=0, step=1)
        programs.append(graph.program())
    what = corpus.claim("x: 1 -> 1", kind="identity")
    for other, same in ((0, True), (1, False)):
        found = check_certificate(corpus.single(kind, what, [{}], programs[0], programs[other]))
        assert found.accepted == same, found.reason
