"""From certificates as they are written by hand, node by node, to those that the kernel reads.

By hand a node is ``{"op", "args", "shape", ...}`` and a line ``{"node", "type", "from"}``, with a "parity"
that is not 0. What has another form than that stays what it is, in the place where the kernel meets it.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from eqvproof import kernel
from eqvproof.engines.elaborate.program import translate_program
from eqvproof.engines.elaborate.proof import elaborate, forms_to_json
from eqvproof.kernel import Report
from eqvproof.kernel.form_program import FormProgram, read_program
from eqvproof.kernel.form_shapes import require_shapes
from eqvproof.kernel.form_values import SizedForms, System, evaluate, read_forms
from eqvproof.kernel.tensors import Tensor
from eqvproof.kernel.text import read_size
from tests.kernel.corpus import reseal

JSON = dict[str, Any]


def check_certificate(data: Any) -> Report:
    """The kernel's report on a certificate that was written by hand, or as it is."""
    return kernel.check_certificate(encoded(data))


def encoded(data: Any, *, is_sealed: bool | None = None) -> Any:
    """The certificate as the kernel reads it, with its digest where that of what is given is right.

    Args:
        data: the certificate.
        is_sealed: whether its digest is, or would be, right; None to see.
    """
    if not isinstance(data, dict):
        return data
    changed = {**data}
    for key in ("program", "other"):
        if key in data:
            changed[key] = program(data[key])
    for key in ("programs", "others"):
        if isinstance(data.get(key), list):
            changed[key] = [program(p) for p in data[key]]
    if isinstance(data.get("results"), list):
        changed["results"] = [_result(r) for r in data["results"]]
    if "evidence" in data:
        changed["evidence"] = _evidence(data["evidence"])
    changed = _in_forms(changed)
    if is_sealed is None:
        if changed == data:
            return data
        is_sealed = reseal(data).get("digest") == data.get("digest")
    return reseal(changed) if is_sealed else changed


#: The kinds of certificates that hold forms.
IN_FORMS = {
    "proof", "counterexample", "difference", "identity", "decision", "test", "equality", "inequality",
    "injective", "collision", "ill-typed",
}  # fmt: skip


def _in_forms(data: JSON) -> JSON:
    """A certificate about a Program as one about forms; as it is where the Program has none."""
    if not isinstance(data.get("kind"), str) or data["kind"] not in IN_FORMS:
        return data
    try:
        return _with_forms(data)
    except Exception:  # what is malformed has no forms, and stays
        return data


def _with_forms(data: JSON) -> JSON:
    if data["kind"] == "proof":
        content = elaborate({key: data[key] for key in ("claim", "program", "evidence")})[1]
        return {key: value for key, value in data.items() if key != "program"} | content
    changed, evidence, scope = {**data}, data.get("evidence"), data["claim"]["scope"]
    names = {"program": "forms", "other": "other", "programs": "forms", "others": "others"}
    for key, name in names.items():
        if key not in data:
            continue
        given = changed.pop(key)
        if not isinstance(given, list):
            sizes = scope if data["kind"] in ("ill-typed", "identity") else data["evidence"]["sizes"]
            changed[name] = in_forms(given, sizes)
            continue
        changed[name] = [in_forms(given[k % len(given)], at) for k, at in enumerate(scope)]
        proofs = evidence.get("proofs", ()) if key == "programs" else ()
        for k, proof in enumerate(proofs):
            if proof is not None:
                changed["evidence"] = {**changed["evidence"], "proofs": [*changed["evidence"]["proofs"]]}
                about = {"claim": {**data["claim"], "scope": scope[k]}, "program": given[k % len(given)]}
                content = elaborate({**about, "evidence": proof})[1]
                changed["evidence"]["proofs"][k] = {"forms": content["forms"], **content["evidence"]}
                changed[name][k] = None
    return changed


def in_forms(value: Any, sizes: Mapping[str, Any] | None) -> JSON:
    """The forms of a Program that was written by hand."""
    return forms_to_json(translate_program(program(value), sizes))


def at_all_sizes(value: Any, lows: Mapping[str, int]) -> FormProgram:
    """The forms of a Program at all sizes from the least ones on, as the kernel knows them.

    Raises:
        Rejected: the shapes do not follow.
    """
    whole = program(value)
    found = read_program(in_forms(whole, None), "$.forms", {}, lows)
    given = [tuple(read_size(n, "$", {}) for n in declared["shape"]) for declared in whole["inputs"]]
    require_shapes(found, given, lows, "$.forms")
    return found


def sized(value: Any, sizes: Mapping[str, int] | None = None) -> SizedForms:
    """The forms of a Program at given sizes, as the kernel knows them."""
    return read_forms(in_forms(value, sizes or {}), "$.forms", sizes or {})


def evaluated(
    value: Any, inputs: Mapping[str, Tensor], system: System, sizes: Mapping[str, int] | None = None
) -> Tensor:
    """The kernel's value of a Program that was written by hand, as that of its forms."""
    given = [inputs[declared["name"]] for declared in value["inputs"]]
    return evaluate(sized(value, sizes), given, system)


def _result(value: Any) -> Any:
    has_one = isinstance(value, dict) and "certificate" in value
    return {**value, "certificate": encoded(value["certificate"])} if has_one else value


def program(value: Any) -> Any:
    """A Program with its kinds listed."""
    if not isinstance(value, dict) or "kinds" in value or not isinstance(value.get("nodes"), list):
        return value
    known: dict[str, int] = {}
    kinds: list[JSON] = []
    nodes: list[Any] = []
    for node in value["nodes"]:
        if not isinstance(node, dict):
            nodes.append(node)
            continue
        kind = {k: v for k, v in node.items() if k != "args"}
        if isinstance(kind.get("values"), list) and all(isinstance(v, str) for v in kind["values"]):
            kind["values"] = " ".join(kind["values"])
        number = known.setdefault(json.dumps(kind, sort_keys=True), len(known))
        kinds += [kind] if number == len(kinds) else []
        args = node.get("args", [None])
        nodes.append([number, *(args if isinstance(args, list) else [args])])
    return {**value, "kinds": kinds, "nodes": nodes}


def _evidence(value: Any) -> Any:
    if not isinstance(value, dict):
        return value
    if isinstance(value.get("factors"), list):
        return {**value, "factors": [derivation(f) for f in value["factors"]]}
    if isinstance(value.get("proofs"), list):
        return {**value, "proofs": [_evidence(p) for p in value["proofs"]]}
    return value


def derivation(value: Any) -> Any:
    """The proof for one factor, with its types listed."""
    if not isinstance(value, dict) or "types" in value or not isinstance(value.get("lines"), list):
        return value
    known: dict[str, int] = {}
    lines: list[Any] = []
    for line in value["lines"]:
        if not isinstance(line, dict):
            lines.append(line)
            continue
        more = [v for k, v in line.items() if k not in ("node", "type", "from", "parity")]
        type_ = json.dumps([line.get("type"), line.get("parity", 0), *more])
        before = line.get("from", [None])
        premises = before if isinstance(before, list) else [before]
        lines.append([known.setdefault(type_, len(known)), line.get("node"), *premises])
    return {**value, "types": [json.loads(t) for t in known], "lines": lines}


def by_hand(value: JSON) -> JSON:
    """A Program, without parameters, node by node."""
    if "kinds" not in value:
        return value
    nodes = []
    for number, *args in value["nodes"]:
        kind = dict(value["kinds"][number])
        if "values" in kind:
            kind["values"] = written(kind["values"])
        nodes.append({**kind, "args": args})
    return {"inputs": value["inputs"], "nodes": nodes, "output": value["output"]}


def written(text: str) -> list[str]:
    """The values of a constant, one by one, as rationals."""
    found = []
    for part in text.split():
        count, star, value = part.rpartition("*")
        if "x" in value:
            p, q = float.fromhex(value).as_integer_ratio()
            value = f"{p}/{q}" if q > 1 else str(p)
        found += [value] * (int(count) if star else 1)
    return found
