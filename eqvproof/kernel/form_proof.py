"""Checks proofs for all sizes in forms: shapes, and the types of lines by factor.

A claim under a product of groups is the claim under each factor, by `product_sound` of
`rocq/Products.v`: g acts as its parts, one after another. The types of the arguments and of the
result are those that the claim gives, `claimed_types`; what is supposed of functions are `facts`;
that lines have the types that the certificate states is checked by `checker`, for translations by
`motions`, for one element for each entry of an axis by `entries`, and that nothing outside of an
array is read by `form_shapes`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import chain
from typing import Any

from . import checker, claims, facts
from .checker import Det, Irr, Prod, RType
from .claimed_types import checked_family, claimed_type, given_type
from .claims import Claim, Factor
from .form_functions import Opaque
from .form_program import FormProgram, bind_names, least_sizes, read_program
from .form_shapes import Shape, require_shapes
from .forms import FormReader, Program
from .loading import part
from .report import Rejected, Report, spend
from .sizes import Size
from .text import (
    MOST_RANK,
    fields,
    integer,
    items,
    one_of,
    read_pair,
)
from .words import group_words, scope_words, signature_words

#: The greatest root of scalars.
MOST_ROOT = 1000
#: The parts of the types of lines that are compared in a unit of work.
PARTS_PER_UNIT = 8
#: The kinds of parts of axes that have no number.
_KINDS = (checker.FIX, checker.STD, checker.DUAL)


@dataclass(frozen=True, slots=True)
class FormProof:
    """The content of a proof: a claim, a program in forms, and evidence for each factor.

    Attributes:
        program: the program.
        bound: the sizes of the names of axes.
        given: the shapes of the arguments.
        evidence: for each factor of the group, read when it is checked.
        eigenvectors: the further arguments, which hold eigenvectors.
        signs: for each of these the evidence that their signs do not matter.
    """

    claim: Claim
    program: FormProgram
    bound: dict[str, Size]
    given: tuple[Shape, ...]
    evidence: tuple[tuple[Factor, Any], ...]
    eigenvectors: tuple[Any, ...] = ()
    signs: tuple[Any, ...] = ()

    def with_starts(self, at: Any, still: Any, flipped: int | None) -> Any:
        """Adds to the axes with an element for each entry those of the eigenvectors."""
        if not self.eigenvectors:
            return at
        lines, shapes = self.program.lines, self.program.shapes
        return part("eigenvectors").with_starts(
            self.eigenvectors, at, still, lines, shapes, flipped
        )


def check_proof(content: dict[str, Any]) -> Report:
    """Checks a proof of f(g x) = g f(x) for all x, g and sizes in scope."""
    proof = read_proof(content)
    what, assumed, kept = proof.claim, set[int](), list[dict[int, Fraction]]()
    by_normal_forms = by_independence = False
    readings, farthest = None, Fraction(0)
    if what.readings:
        readings = part("readings").readings_of_forms(what.readings, "$.claim.readings")
        whole = proof.program
        constants = part("readings").constants_of(whole.lines, whole.stored, whole.functions)
        farthest = readings.require(constants, "$.claim.readings")
    require_shapes(proof.program, proof.given, least_sizes(what), "$.forms")
    for i, (factor, evidence) in enumerate(proof.evidence):
        path = f"$.evidence.factors[{i}]"
        if isinstance(evidence, dict) and isinstance(evidence.get("way"), list):
            part("independence").check(proof, factor, evidence, path)
            by_independence = True
        elif isinstance(evidence, dict) and "way" in evidence:
            part("translated").check(proof, factor, evidence, path, readings)
            by_normal_forms = True
        elif factor.kind == "shift":
            part("claimed_motions").check(proof, factor, evidence, path)
        else:
            by_normal_forms |= isinstance(evidence, dict) and "shown" in evidence
            supposed = _check_types(proof, factor, evidence, path, readings)
            assumed |= supposed.assumed
            kept.append(supposed.kept)
    for k, signs in enumerate(proof.signs):
        path = f"$.evidence.signs[{k}]"
        typed, shown = _without(signs, "shown")
        by_normal_forms |= shown is not None
        own = part("eigenvectors").typing_of_signs(proof, k, typed, path, _read_types)
        assumed |= _require_types(proof, replace(Typing(*own), shown=shown), path).assumed
    near = ""
    if readings is not None:
        far = part("readings").distances(kept, alone=not (proof.eigenvectors or by_normal_forms))
        near = readings.words(farthest, far)
    wherever, recorded = "", ()
    if what.points:
        wherever = part("exceptional").wherever(what.points)
        recorded = part("exceptional").recorded(what.points)
    statement = (
        f"{scope_words(what, proof.bound)}{wherever}: "
        f"f(g x) = g f(x) for all real x and all g in {group_words(what.group)}, "
        f"where f is the program {proof.program.digest}, {signature_words(what)}; where one side is"
        f" undefined, so is the other{_parameter_words(proof)}{near}"
    )
    used = ", ".join(sorted({type(form).__name__ for form in proof.program.lines}))
    opaque = dict.fromkeys(
        part("assumptions").assumption(f, is_assumed=number in assumed)
        for number, f in enumerate(proof.program.functions)
        if isinstance(f, Opaque) and not f.is_unknown
    )
    read = [text for text in near.split("; ") if text]
    vectors = ["the rule for eigenvectors"] * bool(proof.eigenvectors)
    normal = ["normal forms"] * by_normal_forms
    normal += ["the rules for independence"] * by_independence
    rests = (f"the rules for {used}", *normal, *vectors, *opaque, *recorded, *read)
    return Report(accepted=True, statement=statement, grade="PROVED", rests_on=rests, readings=near)


def read_proof(content: dict[str, Any]) -> FormProof:
    """Reads the proof of a certificate, before any rule is applied.

    Raises:
        Rejected: it is malformed, or not about the arguments and the result of the claim.
    """
    claim, forms, evidence = fields(content, "$", "claim", "forms", "evidence")
    what = claims.claim(claim, "equivariance", each=True, points=True)
    more = ["eigenvectors"] * (isinstance(forms, dict) and "eigenvectors" in forms)
    lows = least_sizes(what)
    program = read_program(forms, "$.forms", what.pins, lows, *more)
    vectors: tuple[Any, ...] = ()
    if more:
        vectors = part("eigenvectors").read_eigenvectors(
            forms["eigenvectors"], program, len(what.inputs), FormReader(what.pins, lows)
        )
    part_names = [f.name for f in program.opaque() if f.is_unknown]
    if what.points or part_names or vectors:
        part("exceptional").require(what.points, part_names, range(len(vectors)))
    bound, shapes = bind_names(what, program.shapes[-1])
    given = [
        (*shape, bound[what.indices[name]]) if name in what.indices else shape
        for (name, _), shape in zip(what.inputs, shapes, strict=True)
    ]
    given += [one.shape for one in vectors]
    entries, *listed = fields(evidence, "$.evidence", "factors", *["signs"] * bool(vectors))
    signs = tuple(entry for one in listed for entry in items(one, "$.evidence.signs"))
    if len(signs) != len(vectors):
        raise Rejected("$.evidence.signs: expected one proof for each argument with eigenvectors")
    group = claims.group_parts(what)
    if len(items(entries, "$.evidence.factors")) != len(group):
        raise Rejected("$.evidence.factors: expected one proof for each factor of the group")
    pairs = tuple(zip(group, entries, strict=True))
    return FormProof(what, program, bound, tuple(given), pairs, vectors, signs)


def _parameter_words(proof: FormProof) -> str:
    """Returns words for the parameters, whose values are not stored."""
    if count := len(proof.program.parameters):
        return f"; whatever real numbers its parameters hold (arrays of them: {count})"
    return ""


def _element_size(proof: FormProof, factor: Factor) -> Size:
    """Returns the size of the matrices of a factor."""
    if isinstance(factor.axis, int):
        return factor.size(Size.of(factor.axis))
    return factor.size(proof.bound[factor.axis])


def read_evidence(
    proof: FormProof, factor: Factor, evidence: Any, path: str
) -> tuple[int, list[RType], Any]:
    """Reads the evidence for a factor other than translations, before any rule is applied.

    Returns:
        The root of the scalar in powers of which the types are, 1 for none; the types of the lines;
        and which of these follow by normal forms, or None.

    Raises:
        Rejected: it is malformed, or about another factor.
    """
    evidence, shown = _without(evidence, "shown")
    root = 1
    if factor.kind == "scale":
        evidence, stated_root = _without(evidence, "root")
        if stated_root is not None:
            root = integer(stated_root, f"{path}.root", 2, MOST_ROOT)
    family, axis, *stated = fields(evidence, path, "family", "axis", "types", "lines")
    factor.require_named(family, axis, path)
    return root, _read_types(stated, proof, path), shown


def _check_types(
    proof: FormProof, factor: Factor, evidence: Any, path: str, readings: Any
) -> facts.Supposed:
    """Checks that the stated types follow by the rules, and that the last one is as claimed.

    Returns:
        What is supposed of the functions.

    Raises:
        Rejected: some type does not follow.
    """
    root, types, shown = read_evidence(proof, factor, evidence, path)
    size, what, bound = _element_size(proof, factor), proof.claim, proof.bound
    if factor.generators:
        part("membership").check_generators(factor, f"$.claim.group {factor.family}")
        if size != Size.of(len(factor.generators[0])):
            raise Rejected(f"{path}: generators of another size than the axis")
    given = [
        _of_root(root, given_type(factor, axes, size, bound, what.indices.get(name)))
        for name, axes in what.inputs
    ]
    given += [one.moved_type(types, factor) for one in proof.eigenvectors]
    claimed = _of_root(root, claimed_type(factor, what.output, size, bound))
    at = None
    if factor.each:
        at = part("entries").axes_of_elements(what, factor, proof.program.shapes[-1])
    readable = readings.arrays if readings is not None else frozenset()
    own = Typing(factor, size, types, given, claimed, at, readable, None, shown)
    return _require_types(proof, own, path)


def _without(evidence: Any, key: str) -> tuple[Any, Any]:
    """Returns evidence without a key that it may have, and what stands there, None for nothing."""
    if not isinstance(evidence, dict) or evidence.get(key) is None:
        return evidence, None
    return {name: value for name, value in evidence.items() if name != key}, evidence[key]


@dataclass(frozen=True, slots=True)
class Typing:
    """The stated types of the lines for a factor of the group.

    Attributes:
        factor: the factor.
        size: of its matrices.
        types: of the lines.
        given: of the arguments.
        claimed: of the result.
        at: the axes each entry of which has an element, without those of eigenvectors; None for one
            element.
        readable: the arrays that may be read as those next to them that the factor keeps.
        flipped: the eigenvectors whose signs are flipped, or None.
        shown: which lines have their types by normal forms, as the certificate holds it, or None.
    """

    factor: Factor
    size: Size
    types: Sequence[RType]
    given: Sequence[RType]
    claimed: RType
    at: Any
    readable: frozenset[int]
    flipped: int | None = None
    shown: Any = None


def _require_types(proof: FormProof, own: Typing, path: str) -> facts.Supposed:
    """Requires that stated types follow by the rules; returns what is supposed of the functions.

    Raises:
        Rejected: some type does not follow.
    """
    factor, types, lines = own.factor, own.types, proof.program.lines
    _check_kinds(types, factor, own.size, path)
    supposed = facts.facts_of(
        factor, own.size, lines, proof.program.shapes, proof.program.functions, types, own.readable
    )
    rules = checker.Rules(checked_family(factor), own.size, supposed.known, own.given)
    if own.shown is not None:
        part("flips").check(proof, own, rules, own.shown, path)
        return supposed
    if own.at is None:
        good = checker.check(rules, lines, types, own.claimed, proof.program.kinds)
    else:
        entries = part("entries")
        at = proof.with_starts(own.at, entries.still_by_types(rules, types), own.flipped)
        good = entries.check_each(rules, lines, types, own.claimed, at)
    if not good:
        raise Rejected(f"{path}: {_objection(rules, lines, types, own.claimed)}")
    return supposed


def _of_root(root: int, own: RType) -> RType:
    """Returns a type with powers of a root of the scalar: each c > 0 is s^root of some s > 0."""
    axes, power = own
    return axes, root * power


def _objection(rules: checker.Rules, lines: Program, types: Sequence[RType], claimed: RType) -> str:
    """Returns the reason why types are refused: the first line for which there is no rule."""
    for number, (form, stated) in enumerate(zip(lines, types, strict=True)):
        spend(1 + number // 500)
        if not rules.rule(types[:number], form, stated):
            return f"no rule gives line {number}, a {type(form).__name__}, the stated type"
    if types[-1] != claimed:
        return "the type of the last line is not the claimed one"
    return "the result is not seen to be one value for each entry of the axis"


def _check_kinds(types: Sequence[RType], factor: Factor, size: Size, path: str) -> None:
    """Checks that types speak of irreps and determinants where the group has them only.

    What is supposed of determinants holds of an irrep of O(3) of degree l in its own size, and of
    orthogonal matrices times their determinant.

    Raises:
        Rejected: they do elsewhere.
    """
    is_in_space = factor.about.irreps and size == Size.of(3)
    listed = {id(own): own for own in types}.values()
    every = {own for axes, _ in listed for axis in axes for own in axis}
    for kind, length in chain.from_iterable(_inner_parts(*own) for own in every):
        if isinstance(kind, Det) and factor.kind != "orth":
            raise Rejected(f"{path}.types: a determinant times an axis on which {factor} acts")
        if isinstance(kind, Irr) and not (is_in_space and length == Size.of(2 * kind.number + 1)):
            raise Rejected(f"{path}.types: an irrep on an axis on which {factor} acts")


def _inner_parts(kind: checker.Kind, size: Size) -> Iterator[checker.Part]:
    """Yields a part, and those of which its kind is made, each with its size."""
    yield kind, size
    if isinstance(kind, Det):
        yield from _inner_parts(kind.kind, size)
    elif isinstance(kind, Prod):
        yield from _inner_parts(kind.first, kind.first_size)
        yield from _inner_parts(kind.second, kind.second_size)


def _read_types(stated: Any, proof: FormProof, path: str) -> list[RType]:
    """Reads the types of the lines: a list of types, and for each line the number of its type."""
    (listed, numbers), claim, count = stated, proof.claim, len(proof.program.lines)
    reader = FormReader(claim.pins, least_sizes(claim))
    known = list[RType]()
    for k, entry in enumerate(items(listed, f"{path}.types")):
        where = f"{path}.types[{k}]"
        axes, power = read_pair(entry, where)
        known.append(
            (
                tuple(_read_axis(axis, where, reader) for axis in items(axes, where, MOST_RANK)),
                integer(power, where),
            )
        )
    if len(items(numbers, f"{path}.lines")) != count:
        raise Rejected(f"{path}.lines: expected the type of each line")
    spend(count)
    found = [known[integer(k, f"{path}.lines", 0, len(known) - 1)] for k in numbers]
    spend(sum(len(axis) for axes, _ in found for axis in axes) // PARTS_PER_UNIT)
    for number, ((axes, _), shape) in enumerate(zip(found, proof.program.shapes, strict=True)):
        if len(axes) != len(shape):
            raise Rejected(f"{path}.lines[{number}]: a type of another rank than the line")
    return found


def _read_axis(value: Any, path: str, reader: FormReader) -> checker.Axis:
    found = list[checker.Part]()
    for entry in items(value, path):
        kind, size = read_pair(entry, path)
        spend(2)
        found.append((_read_kind(kind, path, reader), reader.size(size, path)))
    return tuple(found)


def _read_kind(value: Any, path: str, reader: FormReader) -> checker.Kind:
    """Reads a kind of part.

    It is a word, the number of a representation, a kind times the determinant, or the kinds along
    two axes that are one, with their sizes.
    """
    if isinstance(value, str):
        return one_of(value, path, _KINDS)
    spend(1)
    match items(value, path, 5):
        case ["Irr", number]:
            return Irr(integer(number, path, 0))
        case ["Det", inner]:
            return Det(_read_kind(inner, path, reader))
        case ["Prod", first, first_size, second, second_size]:
            return Prod(
                _read_kind(first, path, reader),
                reader.size(first_size, path),
                _read_kind(second, path, reader),
                reader.size(second_size, path),
            )
    raise Rejected(f"{path}: expected a kind of part")


CHECKS = {"proof": check_proof}
