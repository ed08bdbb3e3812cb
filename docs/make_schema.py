"""Writes docs/certificate.schema.json: the format of certificates as a JSON Schema, from the kernel's tables.

    python docs/make_schema.py           rewrites it
    python docs/make_schema.py --check   exits 1 if it is out of date

Forms, functions, groups, marks, kinds and the patterns of numbers and names are those of the kernel. A
certificate that the kernel accepts has this form; having it is not enough, which is what the kernel is for.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any, get_args

ROOT = Path(__file__).resolve().parents[1]
SCHEMA = ROOT / "docs" / "certificate.schema.json"
sys.path.insert(0, str(ROOT))

from docs.generated import keep  # noqa: E402
from eqvproof.kernel import (  # noqa: E402
    check,
    checker,
    decisions,
    elements,
    exceptional,
    finite,
    flips,
    form_functions,
    form_proof,
    forms,
    functions,
    linear,
    normal,
    orbits,
    points,
    results,
    rewriting,
    text,
)
from eqvproof.kernel.eigenvectors import SIGNS  # noqa: E402
from eqvproof.kernel.groups import FAMILIES, INDEFINITE  # noqa: E402
from eqvproof.kernel.space import IRREPS  # noqa: E402

JSON = dict[str, Any]


def ref(name: str) -> JSON:
    """A definition of the schema."""
    return {"$ref": f"#/$defs/{name}"}


def listed(what: JSON, low: int | None = None, high: int | None = None) -> JSON:
    """A list of these."""
    bounds = {"minItems": low, "maxItems": high}
    return {"type": "array", "items": what, **{k: v for k, v in bounds.items() if v is not None}}


def record(*optional: str, **parts: Any) -> JSON:
    """An object with exactly these keys, of which some may be absent."""
    keys = {k.rstrip("_"): v for k, v in parts.items()}
    required = [k for k in keys if k not in optional]
    return {"type": "object", "properties": keys, "required": required, "additionalProperties": False}


def pattern(what: Any) -> JSON:
    """A text that matches entirely."""
    return {"type": "string", "pattern": f"^(?:{what.pattern})$"}


def fixed(first: JSON, *more: JSON) -> JSON:
    """A list of exactly these."""
    parts = [first, *more]
    return {"type": "array", "prefixItems": parts, "minItems": len(parts), "maxItems": len(parts)}


def by(key: str, choices: dict[str, JSON]) -> JSON:
    """An object whose form depends on the text under one key."""
    cases = [{"if": {"properties": {key: {"const": k}}}, "then": form} for k, form in choices.items()]
    return {"type": "object", "required": [key], "properties": {key: {"enum": [*choices]}}, "allOf": cases}


WHOLE: JSON = {"type": "integer"}
COUNT: JSON = {"type": "integer", "minimum": 0}
POSITIVE: JSON = {"type": "integer", "minimum": 1}
RATIONAL, SIZE, NAME, TENSOR, AXES = ref("rational"), ref("size"), ref("name"), ref("tensor"), ref("axes")
MATRIX = listed(listed(RATIONAL))
#: A line, or a power, with the numbers that it is read as, or an array that stands for a kept one.
READING = {
    "oneOf": [
        record(line=COUNT, stored={"type": "string"}, read={"type": "string"}),
        record(function=COUNT, stored={"type": "string"}, read={"type": "string"}),
        record(array=COUNT, read={"const": "invariant"}),
    ]
}
#: The families whose names hold numbers: O(p,q) and SO(p,q).
SIGNED: JSON = pattern(INDEFINITE)
LISTED = [name for name, family in FAMILIES.items() if family.listed]
#: What is assumed of an opaque function.
SYMMETRY: JSON = {"anyOf": [
    {"enum": [None, functions.ENTRIES]},
    record(inputs=listed(AXES), output=AXES, group=listed(ref("factor"), 1)),
]}  # fmt: skip
_LINES, _SIZED = listed(COUNT), listed(fixed(COUNT, SIZE))
_ROWS = listed(fixed(COUNT, listed(ref("at"), high=text.MOST_RANK)))
_SEEN = listed(fixed(COUNT, listed(SIZE, high=text.MOST_RANK)))
#: The fields of each form; every form of the kernel must be here.
FORMS: dict[str, list[JSON]] = {
    "Input": [COUNT], "Scalar": [WHOLE], "Leaf": [COUNT], "Delta": [SIZE], "Add": [_LINES],
    "Contract": [_ROWS, _SIZED, _LINES], "Map": [COUNT, _LINES], "Choose": [COUNT, _LINES, COUNT, COUNT],
    "Fold": [COUNT, COUNT, COUNT, SIZE], "Sort": [COUNT, COUNT, COUNT, SIZE],
    "Join": [_SIZED, COUNT], "Whole": [COUNT, COUNT, _SEEN],
    "View": [{"enum": [*forms.VIEWS]}, COUNT, COUNT, SIZE, SIZE],
}  # fmt: skip


def program_in_forms() -> JSON:
    """A program in forms: functions, arrays, shapes, and lines, each with its kind.

    Raises:
        RuntimeError: the forms described here are not those that the kernel knows.
    """
    if differ := FORMS.keys() ^ {form.__name__ for form in get_args(forms.Form)}:
        raise RuntimeError(f"forms: {sorted(differ)}")
    known = [*functions.FUNCTIONS, *functions.MATRIX_FUNCTIONS, *form_functions.FOLDS, *form_functions.SORTS]
    opaque = record(name=pattern(text.LABEL), symmetry=SYMMETRY)
    arrays = {
        "numbers": {"type": "string"}, "digest": ref("digest"), "triangle": WHOLE,
        "function": {"const": "pi"},
    }  # fmt: skip
    tables = [fixed({"const": "numbers"}, {"type": "string"}), fixed({"const": "form"}, {"type": "boolean"})]
    leaves = [fixed({"const": kind}, held) for kind, held in arrays.items()]
    kinds = [fixed(COUNT, {"const": name}, *parts) for name, parts in FORMS.items()]
    return record(
        "eigenvectors",
        functions=listed(
            {"anyOf": [{"enum": known}, opaque, record(array={"anyOf": tables}), record(power=RATIONAL)]}
        ),
        leaves=listed({"oneOf": [*leaves, fixed({"const": "counter"})]}),
        shapes=listed(listed(SIZE, high=text.MOST_RANK), 1),
        kinds=listed({"oneOf": kinds}, 1),
        lines=listed(listed(COUNT, 1), 1),
        eigenvectors=listed(record(matrix=COUNT, start=SIZE), 1),
    )


def element(family: str) -> JSON:
    """A group element of that family."""
    forms = {
        "matrix": MATRIX, "permutation": listed(COUNT), "signs": listed({"enum": [-1, 1]}),
        "vector": listed(RATIONAL), "factor": RATIONAL, "word": listed(WHOLE),
    }  # fmt: skip
    keys = ("word",) if family in LISTED else elements.FORMS[FAMILIES[family].kind]
    named = SIGNED if family == "O(1,1)" else {"const": family}
    entry = {"each": NAME, "at": COUNT}
    return record(*entry, family=named, axis=ref("place"), **{k: forms[k] for k in keys}, **entry)


def by_name(what: JSON) -> JSON:
    """One of these for each name."""
    return {"type": "object", "additionalProperties": what}


def point(*more: str, sides: Sequence[str] = ("at", "moved")) -> JSON:
    """A point where two sides differ, in rational numbers or in intervals."""
    common: JSON = {
        "sizes": by_name(COUNT),
        "inputs": by_name(TENSOR),
        "entry": listed(COUNT),
        "element": listed(ref("element"), 1),
        "values": record(**dict.fromkeys(sides, TENSOR)),
    }
    common = {k: v for k, v in common.items() if k in ("sizes", "inputs", "entry", *more)}
    interval = {"anyOf": [{"type": "null"}, record(lo=RATIONAL, hi=RATIONAL)]}
    return {
        "oneOf": [
            record(**common, arithmetic={"const": "rational"}, left=TENSOR, right=TENSOR),
            record(**common, arithmetic={"const": "ball"}, precision=POSITIVE, left=interval, right=interval),
        ]
    }


def claim(kind: str, **more: JSON) -> JSON:
    """Returns the form of a claim of equivariance or of identity, with what else it may hold."""
    end = {"anyOf": [POSITIVE, {"type": "null"}]}
    sizes = {"anyOf": [POSITIVE, {"const": "all"}, fixed(POSITIVE, end)]}
    group: dict[str, JSON] = {}
    if kind == "equivariance":
        group = {"group": listed(ref("factor"), 1), "readings": listed(READING, 1), **more}
    scope = {"type": "object", "additionalProperties": sizes}
    inputs = listed(ref("argument"))
    parts = {"kind": {"const": kind}, "inputs": inputs, "output": AXES, "scope": scope, **group}
    return record("readings", *more, **parts)


def certificate(kind: str, **parts: Any) -> JSON:
    """A certificate of that kind."""
    optional = [k for k, v in parts.items() if v.pop("optional", False)]
    envelope: JSON = {
        "format": {"const": text.FORMAT}, "version": {"const": text.VERSION}, "kind": {"const": kind},
        "digest": ref("digest"),
    }  # fmt: skip
    return record(*optional, **envelope, **parts)


def at_sizes(kind: str, evidence: JSON) -> JSON:
    """What is decided, or tested, at each of some sizes: forms for all of them, or for each."""
    scope = listed({"type": "object", "additionalProperties": POSITIVE}, 1, decisions.MOST_SIZES)
    one = ref("program_in_forms")
    if kind == "decision":  # in place of forms there may be a proof
        one = {"anyOf": [one, {"type": "null"}]}
    programs = listed(one, 1, decisions.MOST_SIZES)

    def of(what: str, **more: JSON) -> JSON:
        stated = claim(what)
        stated["properties"] = {**stated["properties"], "scope": scope}
        if "readings" in stated["properties"]:  # at each of the sizes
            stated["properties"]["readings"] = listed(listed(READING), 1, decisions.MOST_SIZES)
        return certificate(kind, claim=stated, forms=programs, evidence=evidence, **more)

    pair = [of("identity", others=programs)]
    if kind in finite.SHOWN:
        return {"anyOf": pair if kind in finite.PAIRS else [of("identity")]}
    return {"anyOf": [of("equivariance"), *pair]}


def certificates() -> dict[str, JSON]:
    """The form of every kind of certificate."""
    scalar = {"anyOf": [RATIONAL, listed(RATIONAL, 1)]}
    matrix = record(shape=fixed(COUNT, COUNT), values=listed(scalar))
    field = record(minimal=listed(RATIONAL, 3), interval=fixed(RATIONAL, RATIONAL))
    forms = ref("program_in_forms")

    def witness(kind: str, **parts: Any) -> JSON:
        return certificate(kind, X=matrix, Y=matrix, field={**field, "optional": True}, **parts)

    def orbit(kind: str, **parts: Any) -> JSON:
        of = [name for name, about in FAMILIES.items() if orbits.is_classical(about)]
        return certificate(kind, family={"anyOf": [{"enum": of}, SIGNED]}, X=TENSOR, Y=TENSOR, **parts)

    orthogonal = {
        "anyOf": [
            witness(
                "orthogonal-witness", Q=matrix, determinant={"enum": [-1, 1]},
                reflections={**MATRIX, "optional": True},
            ),
            witness(
                "orthogonal-witness", Q=matrix, rounding=record(residual=RATIONAL, orthogonality=RATIONAL)
            ),
        ]
    }  # fmt: skip
    multiset = {
        "anyOf": [
            witness("multiset-mismatch", column=listed(scalar), counts=listed(COUNT)),
            witness("multiset-mismatch", tolerance=RATIONAL, crowd=listed(COUNT), partners=listed(COUNT)),
        ]
    }
    equation = fixed(ref("term"), ref("term"))
    integers, yes, dimension = listed(listed(WHOLE, 1), 1), {"type": "boolean"}, pattern(linear.DIMENSION)
    steps = listed(record(
        rule=COUNT, place=listed(POSITIVE),
        values={"type": "object", "additionalProperties": ref("term")},
    ))  # fmt: skip
    return {
        "rewriting": certificate(
            "rewriting", conclusion=equation, hypotheses=listed(equation),
            variables=listed(pattern(rewriting.NAME)), evidence=record(left=steps, right=steps),
        ),
        "decision": at_sizes("decision", record(proofs=listed({"anyOf": [
            {"type": "null"}, record(forms=forms, factors=listed(ref("types"), 1)),
        ]}, 1))),
        **{kind: at_sizes(kind, record(
            points=listed(listed({"type": "object", "additionalProperties": TENSOR}, 1), 1)
        )) for kind in finite.SHOWN},
        "ill-typed": certificate("ill-typed", claim=claim("identity"), forms=forms),
        "test": at_sizes("test", record(bits={"type": "integer", "minimum": 1, "maximum": decisions.BITS})),
        "proof": certificate(
            "proof", claim=claim("equivariance", points=listed(ref("points"), 1)), forms=forms,
            evidence=record("signs", factors=listed(ref("types"), 1), signs=listed(ref("flips"), 1)),
        ),
        "linear-maps": certificate("linear-maps", holds=yes, parts=listed(
            record(generators=listed(fixed(integers, integers), 1), family=listed(integers)), 1
        )),
        "vertices": certificate("vertices", holds=yes, parts=listed(
            record(left=integers, right=listed(WHOLE), points=MATRIX), 1
        )),
        "product-shapes": certificate(
            "product-shapes", products=listed(listed(fixed(dimension, dimension))), sizes=listed(dimension),
            shape=fixed(dimension, dimension), varies=listed(dimension), possible=yes, holds=yes,
        ),
        "counterexample": certificate(
            "counterexample", claim=claim("equivariance"), forms=forms, evidence=point("element")
        ),
        "evaluation": {"anyOf": [
            certificate("evaluation", claim=claim("equivariance"), evidence=point("element", "values")),
            certificate(
                "evaluation", claim=claim("identity"), evidence=point("values", sides=("left", "right"))
            ),
        ]},
        "difference": certificate(
            "difference", claim=claim("identity"), forms=forms, other=forms, evidence=point()
        ),
        "violation": certificate(
            "violation", claim=claim("equivariance"), forms=forms,
            bound=record(at_least=RATIONAL, relative=yes, box=by_name(record(low=TENSOR, high=TENSOR))),
            evidence=record(
                sizes=by_name(COUNT), inputs=by_name(TENSOR), element=listed(ref("element"), 1),
                precision={"type": "integer", "minimum": 2, "maximum": points.MOST_PRECISION},
            ),
        ),
        "identity": certificate(
            "identity", claim=claim("identity"), forms=forms, other=forms,
            evidence=record(way=ref("way"), same_domain={"type": "boolean"}),
        ),
        "results": certificate(
            "results", results=listed(record(name=pattern(results.RESULT), certificate={"$ref": "#"}), 2)
        ),
        "orthogonal-witness": orthogonal,
        "gram-mismatch": witness("gram-mismatch", pair=fixed(COUNT, COUNT), left=scalar, right=scalar),
        "permutation-witness": witness(
            "permutation-witness", permutation=listed(COUNT), tolerance={**RATIONAL, "optional": True}
        ),
        "multiset-mismatch": multiset,
        "congruence-witness": witness("congruence-witness", Q=matrix, permutation=listed(COUNT)),
        "congruence-mismatch": witness("congruence-mismatch", base=listed(COUNT)),
        "orbit-witness": {"anyOf": [
            orbit("orbit-witness", matrix=MATRIX),
            orbit(
                "orbit-witness", matrix=MATRIX,
                rounding=record(residual=RATIONAL, defect=RATIONAL, determinant=RATIONAL),
            ),
        ]},
        "orbit-mismatch": {"anyOf": [
            orbit("orbit-mismatch", pair=fixed(COUNT, COUNT)),
            orbit("orbit-mismatch", relation=listed(RATIONAL)),
            orbit("orbit-mismatch", matrix=MATRIX),
        ]},
    }  # fmt: skip


def definitions() -> dict[str, JSON]:
    """The parts that certificates share."""
    own = {"axis": ref("place"), "each": NAME}
    words: JSON = {"type": "string", "maxLength": exceptional.MOST_TEXT}
    quoted: JSON = {"of": words, "place": words, "has_interior": {"const": True}}
    decomposed = [kind for kind in exceptional.WORDS if kind not in exceptional.TIES]
    factor = [
        record("each", family={"enum": [f for f in FAMILIES if f not in LISTED]}, **own),
        record("each", family=SIGNED, **own),
        record(
            "each", family={"enum": LISTED}, **own,
            generators=listed({"anyOf": [listed(COUNT), MATRIX]}, 1),
        ),
    ]  # fmt: skip
    marks = {"enum": ["", "!", "^", "*", "0e", "1o", *IRREPS]}
    term = fixed(POSITIVE, {"anyOf": [NAME, {"type": "null"}]}, marks)
    of_factor: JSON = {"family": {"anyOf": [{"enum": list(FAMILIES)}, SIGNED]}, "axis": ref("place")}
    return {
        "rational": {**pattern(text.RATIONAL), "description": "p or p/q in lowest terms, q at least 2"},
        "name": pattern(text.NAME),
        "size": {
            "description": "a polynomial in sizes: an integer, a name, or terms [coefficient, names]",
            "anyOf": [WHOLE, NAME, listed(fixed(WHOLE, listed(NAME)), 1)],
        },
        "term": {
            "type": "array",
            "prefixItems": [pattern(rewriting.NAME)],
            "items": ref("term"),
            "minItems": 1,
            "description": "a name, then the terms to which it is applied",
        },
        "tensor": {
            **record(shape=listed(COUNT), values=listed({"anyOf": [RATIONAL, {"type": "null"}]})),
            "description": "row-major; null where undefined",
        },
        "place": {"anyOf": [NAME, POSITIVE], "description": "the axis on which a factor acts, or its size"},
        "axes": {**listed(listed(term, 1)), "description": "axes, each a sum of terms [copies, name, mark]"},
        "argument": {
            "oneOf": [
                record(name=NAME, axes=AXES, type={"enum": ["real", "bool"]}),
                record(name=NAME, axes=AXES, type={"const": "index"}, indexes=NAME),
            ]
        },
        "factor": {"oneOf": factor},
        "points": {"oneOf": [
            record("has_interior", kind={"enum": [*exceptional.TIES]}, mark=pattern(text.LABEL), **quoted),
            record("has_interior", kind={"enum": decomposed}, mark=COUNT, **quoted),
        ]},
        "element": {"anyOf": [by("family", {f: element(f) for f in FAMILIES}), element("O(1,1)")]},
        "program_in_forms": {
            **program_in_forms(),
            "description": "a line is the number of its kind with the lines that it uses, a kind the number "
            "of a shape and a form that names these lines 0, 1, ...; leaves are arrays of constants",
        },
        "at": {
            "anyOf": [
                COUNT, fixed({"const": "Num"}, COUNT), fixed({"const": "Size"}, SIZE),
                fixed({"enum": ["Plus", "Minus", "Times", "Over", "Modulo"]}, ref("at"), ref("at")),
            ],
            "description": "where an axis is read: at the index of a label, or at a number",
        },
        "types": {
            "oneOf": [
                record("way", **of_factor, way=ref("way")),
                record(
                    "root", "shown", **of_factor, shown=listed(ref("shown"), 1),
                    root={**COUNT, "minimum": 2, "maximum": form_proof.MOST_ROOT},
                    types=listed(fixed(listed(ref("parts"), high=text.MOST_RANK), WHOLE), 1),
                    lines=listed(COUNT, 1),
                ),
            ],
            "description": "types with powers of the character, or of a root of the scalar, and the number "
            "of the type of each line; under translations nothing, or how the normal forms of both sides "
            "are made",
        },
        "flips": {
            **record(
                "shown", family={"const": SIGNS}, axis=COUNT, lines=listed(COUNT, 1),
                shown=listed(ref("shown"), 1),
                types=listed(fixed(listed(ref("parts"), high=text.MOST_RANK), WHOLE), 1),
            ),
            "description": "types where the signs of these eigenvectors are flipped, by their number",
        },
        "parts": {
            **listed(fixed(ref("acts"), SIZE)),
            "description": "the parts of an axis, each with its size; none where the group does not act",
        },
        "acts": {
            "anyOf": [
                {"enum": [checker.FIX, checker.STD, checker.DUAL]},
                fixed({"const": "Irr"}, COUNT), fixed({"const": "Det"}, ref("acts")),
                fixed({"const": "Prod"}, ref("acts"), SIZE, ref("acts"), SIZE),
            ],
            "description": "how the group acts on a part",
        },
        "shown": {
            **record(
                line=COUNT, premises=listed(COUNT), single={"type": "boolean"},
                written=listed({**COUNT, "minimum": 2, "maximum": flips.MOST_WRITTEN}),
            ),
            "description": "that normal forms show the type of that line by those of the premises, under "
            "flips of each sign or of all together; sums along axes of these sizes are written out",
        },
        "way": {
            **record(cells={**COUNT, "maximum": normal.MOST_CELLS}, angles={"type": "boolean"}),
            "description": "a sum of more factors than `cells` is one factor (0: none is); with `angles`, "
            "products of sines and cosines are sums",
        },
        "digest": pattern(text.SHA256),
    }


def schema() -> JSON:
    """The whole schema.

    Raises:
        RuntimeError: the kinds described here are not those that the kernel knows.
    """
    kinds = certificates()
    if differ := kinds.keys() ^ {*check.KINDS}:
        raise RuntimeError(f"kinds of certificates: {sorted(differ)}")
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "eqvproof certificate",
        **by("kind", {kind: ref(kind) for kind in kinds}),
        "$defs": {**kinds, **definitions()},
    }


if __name__ == "__main__":
    sys.exit(keep(SCHEMA, json.dumps(schema(), indent=1) + "\n"))
