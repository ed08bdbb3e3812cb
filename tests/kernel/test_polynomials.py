"""Polynomials, ratios of them, and the primes of tests, against others computed term by term."""

from __future__ import annotations

import itertools
import random
from collections import Counter
from fractions import Fraction
from math import prod

import flint
import pytest

from eqvproof.kernel import polynomials
from eqvproof.kernel.polynomials import DIGIT, MARK, Poly, Ring
from eqvproof.kernel.rational import STILL, Field, Ratio, Value, domain_of, still
from eqvproof.kernel.report import Limited, Rejected

F = Fraction
Terms = Counter[tuple[int, int, int]]


class Beside:
    """Polynomials of a ring in x, y, z, with their coefficients by exponents beside them."""

    def __init__(self, *, exact: bool) -> None:
        self.ring = Ring("a seed", exact=exact)
        self.variables = [self.ring.variable() for _ in range(3)]

    def random(self, rng: random.Random) -> tuple[Poly, Terms]:
        """One of few terms."""
        ring, poly, there = self.ring, self.ring.integer(0), Terms()
        for _ in range(rng.randint(1, 4)):
            c, factors = rng.randint(-3, 3), [rng.randrange(3) for _ in range(rng.randint(0, 3))]
            poly = ring.plus(poly, ring.product([ring.integer(c), *(self.variables[k] for k in factors)]))
            there[factors.count(0), factors.count(1), factors.count(2)] += c
        return poly, there

    def agree(self, poly: Poly, there: Terms) -> bool:
        """Whether the value is right, the bounds hold, and the terms are these."""
        terms = {powers: c for powers, c in there.items() if c}
        if self.ring.exact:
            assert {
                tuple(monomial >> MARK + DIGIT * k & (1 << DIGIT) - 1 for k in range(3)): c
                for monomial, c in poly.terms.items()
            } == terms
        at = [v.value for v in self.variables]
        value = sum(c * prod(x**k for x, k in zip(at, powers, strict=True)) for powers, c in terms.items())
        assert poly.value == value % self.ring.prime
        assert poly.degree >= max(map(sum, terms), default=0)
        assert 2**poly.bits >= sum(map(abs, terms.values()))
        return self.ring.is_zero(poly) == (not terms)


def times(a: Terms, b: Terms) -> Terms:
    """The product."""
    found = Terms()
    for (i, j, k), c in a.items():
        for (p, q, r), d in b.items():
            found[i + p, j + q, k + r] += c * d
    return found


def plus(a: Terms, b: Terms, n: int = 1) -> Terms:
    """a + n b."""
    return Terms({key: a[key] + n * b[key] for key in {*a, *b}})


@pytest.mark.parametrize("exact", [False, True])
def test_polynomials_are_those_of_their_terms(exact: bool) -> None:
    rng, beside = random.Random(0), Beside(exact=exact)
    ring = beside.ring
    for _ in range(60):
        (p, a), (q, b), (r, c) = (beside.random(rng) for _ in range(3))
        n = rng.choice([-3, -1, 1, 2, 7])
        assert beside.agree(p, a) and beside.agree(ring.plus(p, q), plus(a, b))
        assert beside.agree(ring.dot([(p, q), (q, r)]), plus(times(a, b), times(b, c)))
        assert beside.agree(ring.dot([(p, q), (p, ring.multiple(q, -1))]), Terms())
        assert beside.agree(ring.dot([(p, ring.integer(1))]), a)
        assert beside.agree(ring.dot([(ring.integer(1), p)]), a)
        assert beside.agree(ring.multiple(p, n), plus(Terms(), a, n))
        assert beside.agree(ring.product([p, q, r]), times(a, times(b, c)))
        assert ring.equal(p, q) == (not any(plus(a, b, -1).values()))
        assert ring.equal(ring.plus(p, q), ring.plus(q, p)) and ring.equal(p, p)


def test_polynomials_of_too_large_a_degree_or_coefficient_are_refused() -> None:
    ring = Ring("", exact=True)
    x, degree = ring.variable(), (1 << DIGIT) - 1
    whole = ring.product([x] * degree)
    assert [m >> MARK for m in whole.terms] == [degree] and whole.degree == degree
    with pytest.raises(Limited):
        ring.dot([(whole, x)])
    large = ring.integer(1 << polynomials.MOST_BITS // 2)
    with pytest.raises(Limited):
        ring.dot([(large, large)])


def test_bounds_of_coefficients_hold_where_they_are_close() -> None:
    ring = Ring("", exact=True)
    x, large = ring.variable(), ring.integer(127)
    for k in range(1, 9):
        found = ring.dot([(large, ring.multiple(x, 127))] * k)
        assert list(found.terms.values()) == [k * 127**2] and 2**found.bits >= k * 127**2
        total = ring.integer(0)
        for _ in range(k):
            total = ring.plus(total, large)
        assert 2**total.bits >= 127 * k and 2 ** ring.multiple(large, k).bits >= 127 * k


def test_a_decision_compares_terms_and_a_test_values() -> None:
    """x and a number with the value of x at the point."""
    for exact in (False, True):
        ring = Ring("", exact=exact)
        x = ring.variable()
        assert ring.equal(x, ring.integer(x.value)) == (not exact)
        assert ring.is_zero(ring.plus(x, ring.integer(-x.value))) == (not exact)


def test_variables_have_values_of_their_own() -> None:
    for exact in (False, True):
        ring, other = Ring("", exact=exact), Ring("another", exact=exact)
        values = [ring.variable().value for _ in range(20)] + [other.variable().value for _ in range(20)]
        assert len(set(values)) == 40 and all(0 <= v < ring.prime or v < other.prime for v in values)
        assert min(values) > 2**90


def test_primes_are_random_ones_of_256_bits() -> None:
    found = [Ring(str(seed), exact=False).prime for seed in range(6)]
    assert all(p.bit_length() == 256 and flint.fmpz(p).is_prime() for p in found)
    assert len(set(found)) == 6 and len({p >> 200 for p in found}) == 6


@pytest.mark.parametrize("p", [*range(5, 120, 2), 561, 1105, 2047, 3277, 8911])
def test_a_prime_passes_with_all_bases_and_another_number_with_few(p: int) -> None:
    """A quarter of the bases at most (M. O. Rabin 1980)."""
    d, s = p - 1, 0
    while d % 2 == 0:
        d, s = d // 2, s + 1
    bases = [b for b in range(1, p) if polynomials._passes(p, b)]
    assert bases == [
        b for b in range(1, p) if pow(b, d, p) == 1 or any(pow(b, d << k, p) == p - 1 for k in range(s))
    ]
    assert len(bases) == p - 1 if flint.fmpz(p).is_prime() else 4 * len(bases) <= p - 1


# -- ratios ----------------------------------------------------------------------------------------------


POINTS = [[F(7, 3), F(-11, 5), F(13, 2)], [F(101, 7), F(5, 9), F(-8, 3)], [F(-4, 11), F(17, 6), F(23)]]


class Ratios:
    """Ratios in a decision, with their values at some points beside them."""

    def __init__(self, seed: int) -> None:
        self.rng, self.field = random.Random(seed), Field("", exact=True)
        self.known = [(self.field.variable(), [at[k] for at in POINTS]) for k in range(3)]
        self.known += [(x, [x] * len(POINTS)) for x in (F(2), F(-1, 3), F(0), F(1))]

    def step(self) -> None:
        """One operation on some of what is known."""
        f, ((x, a), (y, b), (z, c)) = self.field, self.rng.choices(self.known, k=3)
        op = self.rng.randrange(5)
        if op == 4 and not all(a):
            assert not any(a)
            with pytest.raises(Rejected):
                f.recip(x)
            return
        found = [f.add, f.mul, f.sub, lambda *_: f.dot([(x, y), (y, z)]), lambda *_: f.recip(x)][op](x, y)
        there = [
            [p + q, p * q, p - q, p * q + q * r, 1 / p if p else F(0)][op]
            for p, q, r in zip(a, b, c, strict=True)
        ]
        if len(f.lifted(found).num.terms) < 60:
            self.known.append((found, there))


def value(field: Field, x: Value, at: list[Fraction]) -> Fraction:
    """A ratio at a point."""

    def poly(p: Poly) -> Fraction:
        powers = {m: [m >> MARK + DIGIT * k & (1 << DIGIT) - 1 for k in range(3)] for m in p.terms}
        return sum((c * prod(map(pow, at, powers[m])) for m, c in p.terms.items()), F(0))

    r = field.lifted(x)
    return poly(r.num) / (r.scale * prod((poly(field._factors[k]) ** e for k, e in r.den), start=F(1)))


@pytest.mark.parametrize("seed", range(8))
def test_ratios_have_their_values(seed: int) -> None:
    ratios = Ratios(seed)
    for _ in range(60):
        ratios.step()
    field, known = ratios.field, ratios.known
    for x, there in known:
        assert [value(field, x, at) for at in POINTS] == there
    for (x, a), (y, b) in itertools.islice(itertools.combinations(known, 2), 0, None, 3):
        assert field.same(x, y) == (a == b)
        number, sign = field.numbered(x)
        other, turned = field.numbered(y)
        opposite = a == [-v for v in b]
        assert (number == other) == (a == b or opposite)
        if number == other and any(a):
            assert (sign == turned) == (a == b)
        assert (field.numbered(x, signed=False)[0] == field.numbered(y, signed=False)[0]) == (a == b)


def test_derivatives_are_those_of_the_rules() -> None:
    """Along x + e, y + 2 e and y + f: of sums, products, and of 1/x where x moves by a multiple of itself."""
    field = Field("", exact=True)
    x, y, z = (field.variable() for _ in range(3))
    e, f = field.infinitesimal(), field.infinitesimal()
    add, mul, sub, same = field.add, field.mul, field.sub, field.same
    one, two = F(1), F(2)
    assert field.lifted(mul(e, e)).slopes == {} == field.lifted(mul(e, f)).slopes and same(mul(e, f), F(0))
    u, v = add(x, e), add(y, add(mul(two, e), f))
    assert same(mul(u, v), add(mul(x, y), add(mul(e, add(mul(two, x), y)), mul(f, x))))
    assert not same(u, add(x, mul(two, e))) and not same(add(x, mul(two, e)), u)
    assert not same(mul(u, v), mul(x, y)) and not same(u, x) and not same(x, u) and not same(u, add(x, f))
    assert same(sub(u, e), x) and not field.lifted(sub(u, e)).slopes and not field.lifted(sub(u, u)).slopes
    assert same(add(u, mul(field.recip(z), v)), mul(field.recip(z), add(mul(z, u), v)))
    assert same(still(u), x) and still(one) == one
    for k in (*range(1, 9), *range(-8, 0)):
        w = mul(x, add(one, mul(F(k), e)))
        assert same(field.recip(w), mul(field.recip(x), sub(one, mul(F(k), e))))
        assert same(mul(w, field.recip(w)), mul(x, field.recip(x)))
    for moved in (u, mul(x, add(one, mul(F(9), e)))):
        with pytest.raises(Rejected):
            field.recip(moved)
    with pytest.raises(Rejected):
        field.numbered(u)
    assert field.numbered(still(u)) == field.numbered(x)


def test_values_have_the_conditions_of_all_that_they_are_made_of() -> None:
    field = Field("", exact=True)
    x, y = field.variable(), field.variable()
    over, under = field.recip(x), field.recip(y)
    domains = [domain_of(over), domain_of(under)]
    assert all(len(d) == 1 for d in domains) and domains[0] != domains[1] and not domain_of(x, F(1))
    both = domains[0] | domains[1]
    for found in (
        field.add(over, under),
        field.sub(over, under),
        field.mul(over, under),
        field.dot([(over, y), (x, under)]),
        field.mul(field.mul(F(0), over), under),
        field.add(field.mul(over, F(0)), under),
        field.recip(field.mul(over, under)),
    ):
        assert domain_of(found) >= both, found
    assert domain_of(over, under) == both == domain_of(under, F(2), over)
    assert domain_of(field.recip(field.mul(F(-2), x))) != frozenset() == domain_of(field.recip(x, known=True))
    assert domain_of(field.recip(field.mul(F(-1), x))) == domains[0]
    assert not domain_of(field.recip(field.lifted(F(3)))), "a number is not 0"
    atom = field.atom("key", domains[0])
    assert domain_of(atom) == domains[0] and field.same(atom, field.atom("key", domains[1]))
    assert not field.same(atom, field.atom("other", domains[0])) and not domain_of(still(F(1)))
    assert isinstance(atom, Ratio) and atom.slopes == STILL
