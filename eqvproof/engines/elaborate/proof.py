"""Writes a proof about a Program as one about forms: lines, shapes, and types for each factor."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from typing import Any, TypeVar

from eqvproof.claims.size import Size
from eqvproof.engines.elaborate.covered import require_rules
from eqvproof.engines.elaborate.forms import translated
from eqvproof.engines.elaborate.irreps import Act, Kind, Product, in_one, is_scalar
from eqvproof.engines.elaborate.source import (
    INVARIANT,
    Factor,
    NodeTypes,
    Source,
    Type,
    part_of,
    read_source,
    signs_of,
)
from eqvproof.engines.elaborate.translation import (
    Line,
    LineAxis,
    Stretch,
    Together,
    Translation,
    arguments_of,
    with_arguments,
)
from eqvproof.engines.verdict import packing
from eqvproof.support.errors import ExportError

JSON = dict[str, Any]
_K = TypeVar("_K", bound=Hashable)


def elaborate(proof: Mapping[str, Any]) -> tuple[Translation, JSON]:
    """Returns the forms of a Program, and the content of the certificate of a proof about them.

    Args:
        proof: the claim, the Program, and the type of each node by a rule for its operation, or by
            normal forms.

    Raises:
        ExportError: the forms or the rules of the checker do not cover an operation, a group or
            a type; the message names it.
    """
    source = read_source(proof)
    program = translated(source, shares=not _moves_identities(source))
    evidence = {"factors": _evidence(program)}
    if program.eigenvectors:
        evidence["signs"] = _evidence_of_signs(program)
    claim = {k: v for k, v in proof["claim"].items() if k != "readings"}
    if "points" in claim:
        numbers = {node: k for k, (node, *_) in enumerate(program.eigenvectors)}
        points = claim["points"]
        claim["points"] = [{**p, "mark": numbers.get(p["mark"], p["mark"])} for p in points]
    if readings := _readings_to_json(program):
        claim["readings"] = readings
    return program, {"claim": claim, "forms": forms_to_json(program), "evidence": evidence}


def _moves_identities(source: Source) -> bool:
    """Checks whether an identity matrix is moved by more than permutations.

    Those move its rows alone, and 1 over the sums of these.
    """
    identities = [
        k for k, node in enumerate(source.nodes) if node.op == "indicator" and not node.args
    ]
    return any(
        any(own.types[k].acts)
        for factor, own in zip(source.factors, source.types, strict=True)
        if not factor.family.kind.permutes
        for k in identities
        if k in own.types
    )


def _readings_to_json(program: Translation) -> list[JSON]:
    """Returns the constants that are read as others: lines with numbers, powers, and arrays."""
    numbers, arrays = list[JSON](), dict[int, JSON]()
    exponents = list[JSON]()
    for node, (stored, read) in program.source.readings.items():
        line = program.held[node].line
        if line is None:
            continue
        name, number, *_ = program.lines[line].op
        if read != INVARIANT:
            numbers.append({"line": line, "stored": stored, "read": read})
            exponents += [
                {"function": k, "stored": stored, "read": read}
                for k, (_, constant) in program.powers.items()
                if constant == node
            ]
        elif name == "Whole":
            arrays[number] = {"array": number, "read": INVARIANT}
    exponents.sort(key=lambda entry: entry["function"])
    return [*numbers, *exponents, *(arrays[number] for number in sorted(arrays))]


def _readings_of_nodes(program: JSON, certificate: Mapping[str, Any]) -> list[JSON]:
    """Returns the readings of a certificate in forms for the constants of a Program as written.

    They are of the constants with the stored numbers.
    """
    functions, read = certificate["forms"]["functions"], dict[str, str]()
    for entry in certificate["claim"].get("readings", ()):
        stored = entry["stored"] if "stored" in entry else functions[entry["array"]]["array"][1]
        read[stored] = entry["read"]
    texts = [kind.get("values") for kind in program["kinds"]]
    return [
        {"node": node, "read": read[texts[kind]]}
        for node, (kind, *_) in enumerate(program["nodes"])
        if texts[kind] in read
    ]


def has_forms_of_proof(program: JSON, certificate: Mapping[str, Any]) -> bool:
    """Checks whether a Program is the one whose forms the certificate of a proof holds.

    Args:
        program: the Program as JSON, with `Stored` numbers.
        certificate: of a proof in forms; where it holds digests of numbers, these are compared.
    """
    recorded = certificate["forms"]
    digests = {held[0] for kind, *held in recorded["leaves"] if kind == "digest"}
    free = [k for k, kind in enumerate(program["kinds"]) if packing.digest_of(kind) in digests]
    whole = packing.write_numbers(program, free)
    claim = {**certificate["claim"], "readings": _readings_of_nodes(whole, certificate)}
    try:
        source = read_source({"claim": claim, "program": whole})
        ways = [translated(source, shares=shares) for shares in (True, False)]
    except ExportError:
        return False
    return any(_has_these_forms(found, certificate) for found in ways)


def _has_these_forms(found: Translation, certificate: Mapping[str, Any]) -> bool:
    """Checks whether forms are those of a certificate, with the same readings of constants."""
    recorded = certificate["forms"]
    readings, forms = certificate["claim"].get("readings", []), forms_to_json(found)
    same = _without_copies(forms) == _without_copies(recorded)
    same = same and forms.get("eigenvectors") == recorded.get("eigenvectors")
    return same and _readings_to_json(found) == readings


def _without_copies(forms: Mapping[str, Any]) -> tuple[list[str], int]:
    """Returns the lines of a program in forms, each once, and which of them is the last one."""
    numbers, known = list[int](), dict[str, int]()
    for number, *lines in forms["lines"]:
        shape, name, *fields = forms["kinds"][number]
        if name == "Leaf":
            fields = forms["leaves"][fields[0]]
        elif name in ("Map", "Fold", "Sort", "Whole"):
            fields = [forms["functions"][fields[0]], *fields[1:]]
        text = repr([forms["shapes"][shape], name, fields, [numbers[k] for k in lines]])
        numbers.append(known.setdefault(text, len(known)))
    return list(known), numbers[-1]


def forms_to_json(program: Translation) -> JSON:
    """Returns the forms of a Program in the JSON form of certificates."""
    shapes = dict[tuple[Size, ...], int]()
    kinds, lines, texts = list[list[Any]](), list[list[int]](), dict[str, int]()
    for line in program.lines:
        used = arguments_of(line.op)
        kind = [_number(shapes, line.shape), *_data(with_arguments(line.op, [*range(len(used))]))]
        number = _number(texts, repr(kind))
        if number == len(kinds):
            kinds.append(kind)
        lines.append([number, *used])
    found = {
        "functions": program.functions,
        "leaves": program.leaves,
        "shapes": [[size.to_json() for size in shape] for shape in shapes],
        "kinds": kinds,
        "lines": lines,
    }
    if program.eigenvectors:
        pairs = [(matrix, start.to_json()) for _, matrix, start in program.eigenvectors]
        found["eigenvectors"] = [{"matrix": matrix, "start": start} for matrix, start in pairs]
    return found


def _number(known: dict[_K, int], value: _K) -> int:
    """Returns the number of a value among those known; a new one is added."""
    return known.setdefault(value, len(known))


def _data(value: Any) -> Any:
    """Returns a form, or a field of one, as lists; a place that is a label is its number."""
    if isinstance(value, Size):
        return value.to_json()
    if isinstance(value, tuple) and value and value[0] == "Lab":
        return value[1]
    if isinstance(value, (tuple, list)):
        return [_data(entry) for entry in value]
    return value


def _evidence(program: Translation) -> list[JSON]:
    """Returns the evidence for each factor of the group: the types of the lines."""
    source, found = program.source, list[JSON]()
    result = source.output_axes
    for k, factor in enumerate(source.factors):
        named: JSON = {"family": factor.letter, "axis": factor.axis}
        if not factor.family.kind.only_translates:
            places = range(len(source.inputs))
            given = [source.given(factor, place) for place in places]
            if factor.root > 1:
                named["root"] = factor.root
            claimed = source.claimed(factor, result)
            named |= _types_to_json(program, source.types[k], given, claimed, factor)
        elif k in source.ways:
            named["way"] = source.ways[k]
        found.append(named)
    return found


def _evidence_of_signs(program: Translation) -> list[JSON]:
    """Returns the evidence that the signs of eigenvectors do not matter: the types of the lines."""
    source, found = program.source, list[JSON]()
    for k, (node, *_) in enumerate(program.eigenvectors):
        factor = signs_of(source.nodes, node)
        ranks = [len(source.given_shape(place)) for place in range(len(source.inputs))]
        given = [Type(((),) * rank) for rank in ranks]
        claimed = Type(((),) * len(program.lines[-1].axes))
        named: JSON = {"family": factor.letter, "axis": k}
        found.append(named | _types_to_json(program, source.signs[node], given, claimed, factor))
    return found


def _types_to_json(
    program: Translation, own: NodeTypes, given: Sequence[Type], claimed: Type, factor: Factor
) -> JSON:
    """Returns the types of the lines as lists: each type once, and for each line its number.

    Beside them stands which lines normal forms show. Lines between these and their premises may
    have no types: they stand as if flips changed nothing.
    """
    shown = {n: node for node in own.shown if (n := program.standing_for(node).line) is not None}
    types, untyped = list[Type](), set[int]()
    for number, line in enumerate(program.lines[:-1]):
        try:
            types.append(_type(line, own.types, given))
        except KeyError:
            if not shown:
                raise
            types.append(Type(((),) * len(line.axes)))
            untyped.add(number)
    types.append(claimed)
    for number, node in shown.items():
        if number < len(program.lines) - 1:
            its_type = own.types[node]
            acts = tuple(its_type.acts[a] for a in program.standing_for(node).axes)
            types[number] = Type(acts, its_type.power)
    by_rules = [k for k in range(len(types)) if k not in untyped and k not in shown]
    require_rules(program.lines, types, program.functions, factor, by_rules)
    numbers = dict[Type, int]()
    lines = [_number(numbers, one) for one in types]
    found: JSON = {"lines": lines, "types": [_type_to_json(one) for one in numbers]}
    if shown:
        found["shown"] = [
            {
                "line": n,
                "premises": _lines_of(program, own.shown[shown[n]].premises),
                **own.shown[shown[n]].way,
            }
            for n in sorted(shown)
        ]
    return found


def _lines_of(program: Translation, nodes: Sequence[int]) -> list[int]:
    """Returns the lines that stand for nodes, in order; none stands for 0."""
    return sorted({n for node in nodes if (n := program.held[node].line) is not None})


def _type_to_json(own: Type) -> list[Any]:
    axes = [[[_kind_to_json(kind), size.to_json()] for kind, size in act] for act in own.acts]
    return [axes, own.power]


def _kind_to_json(words: Kind) -> Any:
    """Returns a kind of part: a word, or Irr and a number, Det and a kind, or Prod and two kinds."""
    if isinstance(words, Product):
        first, second = (_kind_to_json(kind) for kind in (words.first, words.second))
        return ["Prod", first, words.first_size.to_json(), second, words.second_size.to_json()]
    head, _, rest = words.partition(" ")
    if not rest:
        return words
    rest = rest.removeprefix("(").removesuffix(")")
    return [head, int(rest) if head == "Irr" else _kind_to_json(rest)]


def _type(line: Line, types: Mapping[int, Type], given: Sequence[Type]) -> Type:
    """Returns the type of a line: that of its node, along the axes that the line has.

    The type of an argument is the given one.
    """
    if line.op[0] == "Input" and line.op[1] < len(given):
        return given[line.op[1]]
    acts = [_act_along(at, types) for at in line.axes]
    for n, at in enumerate(line.axes):
        # a value that is the same along a new axis has the determinant as its own character
        if line.op[0] == "Contract" and isinstance(at, Stretch) and is_scalar(acts[n]):
            acts[n] = ()
    return Type(tuple(acts), types[line.node].power)


def _act_along(axis: LineAxis, types: Mapping[int, Type]) -> Act:
    """Returns the parts of an axis of a line."""
    if axis is None:
        return ()
    if isinstance(axis, Stretch):
        return part_of(types[axis.node].acts[axis.axis], axis.start, axis.size)
    if isinstance(axis, Together):
        return in_one((_act_along(one, types), size) for one, size in axis.axes)
    node, number = axis
    return types[node].acts[number]
