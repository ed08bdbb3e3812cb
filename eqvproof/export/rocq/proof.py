"""The proof: a lemma for each line of the certificate, in its order, and the claim from the last ones."""

from __future__ import annotations

from collections.abc import Sequence

from eqvproof.errors import ExportError
from eqvproof.export.rocq.claim import (
    chain,
    conditions,
    element,
    matrix_claim,
    moved,
    moved_input,
    output_acts,
)
from eqvproof.export.rocq.naming import Words
from eqvproof.export.rocq.rules import Setting, script
from eqvproof.export.rocq.source import STD, UNI
from eqvproof.export.rocq.words import wrapped


def proof(words: Words) -> str:
    """Everything after the claim."""
    lines = ["(** * The proof *)", ""]
    lines += _constant(words)
    for f in range(len(words.source.factors)):
        lines += _under(words, f)
    lines += _together(words)
    return wrapped("\n".join(lines)) + "\n"


def _forall(index: Sequence[str]) -> str:
    return f"forall {' '.join(index)}, " if index else ""


def _intro(index: Sequence[str]) -> str:
    return f"move=> {' '.join(index)}; " if index else ""


def _hint(lemma: str, head: str, holes: int, database: str) -> str:
    """That a lemma is to be used where an entry of this value stands on the left, and nowhere else."""
    pattern = " ".join([head, *["_"] * holes])
    return f"#[local] Hint Extern 0 ({pattern} = _) => simple eapply {lemma} : {database}."


def _constant(words: Words) -> list[str]:
    """That values which the certificate calls uniform are constant along these axes, for all inputs."""
    source = words.source
    lines = []
    s = Setting(words, None, "", {})
    binders = [f"({name} : {words.input_type(p)})" for p, name in enumerate(words.inputs)]
    for i, node in enumerate(source.nodes):
        stated = [types[i] for types in source.types if len(types.get(i, ())) == len(node.shape)]
        axes = [a for a in range(len(node.shape)) if any(acts[a] == UNI for acts in stated)]
        if not axes or i in words.inline:
            continue
        index = [f"i{a}" for a in range(len(node.shape))]
        other = [f"j{a}" if a in axes else f"i{a}" for a in range(len(node.shape))]
        given = " ".join(binders[p] for p in source.depends()[i])
        left, right = (words.applied(i, words.inputs, at) for at in (index, other))
        variables = " ".join([*index, *(f"j{a}" for a in axes)])
        head = f"forall {given}{' ' if given else ''}{variables}, "
        lines.append(f"Lemma v{i}_constant : {head}{left} = {right}.")
        lines.append(f"Proof. by move=> *; rewrite /v{i}; {script(s, i)}. Qed.")
        lines.append(_hint(f"v{i}_constant", f"v{i}", len(source.depends()[i]) + len(index), "constant"))
    return [*lines, ""] if lines else []


def _under(words: Words, f: int) -> list[str]:
    """The lines of one factor of the group."""
    source, factor, name = words.source, words.source.factors[f], words.elements[f]
    suffix, primed = factor.suffix, [f"{n}'" for n in words.inputs]
    lines = [f"Section Under_{suffix}.", f"Variables {element(words, f)}."]
    if not factor.permutes:
        lines.append(f"Hypothesis o{name} : orthogonal {name}.")
    for place, given in enumerate(words.inputs):
        lines.append(f"Variables {given} {given}' : {words.input_type(place)}.")
    for place, given in enumerate(words.inputs):
        index = [f"i{a}" for a in range(len(source.inputs[place].shape))]
        right = moved_input(words, place, given, index, [f])
        left = " ".join([primed[place], *index])
        lines.append(f"Hypothesis {given}_{suffix} : {_forall(index)}{left} = {right}.")
        lines.append(_hint(f"{given}_{suffix}", primed[place], len(index), "moved"))
    s = Setting(words, factor, name, source.types[f])
    depends = source.depends()
    for i, node in enumerate(source.nodes):
        if i not in s.types or len(s.types[i]) != len(node.shape):
            raise ExportError.of(node.op, "a type for each value")
        acts = s.acts(i)
        if i in words.inline or (not depends[i] and STD not in acts):
            continue
        index = [f"i{a}" for a in range(len(node.shape))]
        left = words.applied(i, primed, index)
        right = moved(words, words.applied(i, words.inputs, ()), _alone(words, f, acts), index, [f])
        lines.append(f"Lemma v{i}_{suffix} : {_forall(index)}{left} = {right}.")
        lines.append(f"Proof. by {_intro(index)}rewrite /v{i}; {script(s, i)}. Qed.")
        lines.append(_hint(f"v{i}_{suffix}", words.applied(i, primed, ()), len(index), "moved"))
    index = [f"i{a}" for a in range(len(source.output_axes))]
    left = " ".join(["f", *primed, *index])
    right = moved(words, " ".join(["f", *words.inputs]), output_acts(words), index, [f])
    lines.append(f"Lemma f_{suffix} : {_forall(index)}{left} = {right}.")
    lines.append(f"Proof using All. by {_intro(index)}rewrite /f; known. Qed.")
    return [*lines, f"End Under_{suffix}.", ""]


def _alone(words: Words, f: int, acts: Sequence[str]) -> list[list[str]]:
    rows = [[""] * len(acts) for _ in words.source.factors]
    rows[f] = list(acts)
    return rows


def _together(words: Words) -> list[str]:
    """The claim under the product: the factors act one after another."""
    source, every = words.source, chain(words)
    factors = source.factors
    primed = [f"{n}'" for n in words.inputs]
    index = [f"i{a}" for a in range(len(source.output_axes))]
    binders = [element(words, f) for f in range(len(factors))]
    for f, factor in enumerate(factors):
        if not factor.permutes:
            binders.append(f"(o{words.elements[f]} : orthogonal {words.elements[f]})")
    hypotheses = []
    for place, given in enumerate(words.inputs):
        binders.append(f"({given} {given}' : {words.input_type(place)})")
    for place, given in enumerate(words.inputs):
        at = [f"i{a}" for a in range(len(source.inputs[place].shape))]
        right = moved_input(words, place, given, at, every)
        binders.append(f"(h{given} : {_forall(at)}{' '.join([primed[place], *at])} = {right})")
        hypotheses.append(f"h{given}")
    left = " ".join(["f", *primed, *index])
    right = moved(words, " ".join(["f", *words.inputs]), output_acts(words), index, every)
    lines = [f"Lemma moved {' '.join(binders)} :", f"  {_forall(index)}{left} = {right}.", "Proof."]
    if index:
        lines.append(f"move=> {' '.join(index)}.")
    steps = ["erefl"] * len(every)
    before, at = primed, list(index)
    for n, f in enumerate(every):
        rest = every[n + 1 :]
        after = []
        for place, given in enumerate(words.inputs):
            own = [f"j{a}" for a in range(len(source.inputs[place].shape))]
            text = moved_input(words, place, given, own, rest)
            after.append((f"(fun {' '.join(own)} => {text})" if own else f"({text})") if rest else given)
        element_ = words.elements[f]
        pairs = [word for pair in zip(after, before, strict=True) for word in pair]
        ranks = [len(given.shape) for given in source.inputs]
        same = [f"(fun {' '.join('_' * rank)} => erefl)" if rank else "erefl" for rank in ranks]
        known = hypotheses if n == 0 else same
        opening = [element_] if factors[f].permutes else [element_, f"o{element_}"]
        steps[n] = " ".join([f"@f_{factors[f].suffix}", *opening, *pairs, *known, *at])
        lines.append(f"apply: (eq_trans ({steps[n]})).")
        for a, act in enumerate(output_acts(words)[f]):
            if act == STD and factors[f].permutes:
                at[a] = f"({element_} {at[a]})"
            elif act == STD:
                lines.append(f"apply: act_same => k{a}.")
                at[a] = f"k{a}"
        before = after
    lines += ["exact: erefl.", "Qed.", ""]
    lines += _theorems(words)
    return lines


def _theorems(words: Words) -> list[str]:
    source = words.source
    given = [
        f"o{name}" if c.startswith("orthogonal") else "_"
        for f, name in zip(source.factors, words.elements, strict=True)
        for c in conditions(words, f, name)
    ]
    index = [f"i{a}" for a in range(len(source.output_axes))]
    opening = " ".join([*words.elements, *given, *words.inputs])
    known = [*words.elements, *(g for g in given if g != "_")]
    inputs = [word for name in words.inputs for word in (name, "_")] + ["_"] * len(words.inputs)
    step = " ".join(["@moved", *known, *inputs, *index])
    lines = [
        "Theorem equivariant : claim.",
        f"Proof. by move=> {' '.join([opening, *index])}; apply: ({step}). Qed.",
        "",
    ]
    if matrix_claim(words) is None:
        return lines
    if len(index) == 2:
        opening, start = f"{opening}; apply/matrixP => {' '.join(index)}", "rewrite [LHS]mxE; "
    else:
        opening, start = " ".join([opening, *index]), ""
    lines += [
        "Theorem equivariant_in_matrices : claim_in_matrices.",
        f"Proof. move=> {opening}; {start}apply: (eq_trans ({step})); by_entries. Qed.",
        "",
    ]
    return lines
