"""The statement: the function, and the claim about it, generated from the Program and the claim alone."""

from __future__ import annotations

from collections.abc import Sequence

from eqvproof.export.rocq.function import definitions
from eqvproof.export.rocq.naming import Words, structure
from eqvproof.export.rocq.source import STD, Factor
from eqvproof.export.rocq.words import closed, wrapped
from eqvproof.groups.families import EVERY_FAMILY

PREAMBLE = """\
From Coq Require Import BinPosDef.
From mathcomp Require Import all_ssreflect all_fingroup all_algebra.
From EqvProof Require Import Rules.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import GRing.Theory Num.Theory.
Local Open Scope ring_scope.
"""


def chain(words: Words) -> list[int]:
    """The factors in the order in which they act from outside: matrices, then permutations."""
    factors = words.source.factors
    return sorted(range(len(factors)), key=lambda f: (factors[f].permutes, f))


def moved(
    words: Words, head: str, acts: Sequence[Sequence[str]], index: Sequence[str], which: Sequence[int]
) -> str:
    """The entry at an index of a value that the factors `which` move; acts[f][a]: how f acts along axis a."""
    place, wraps = list(index), list[tuple[str, str, str]]()
    for f in which:
        for a, act in enumerate(acts[f]):
            if act == STD and not words.source.factors[f].permutes:
                wraps.append((words.elements[f], f"k{a}", place[a]))
                place[a] = f"k{a}"
    for f in which:
        for a, act in enumerate(acts[f]):
            if act == STD and words.source.factors[f].permutes:
                place[a] = f"({words.elements[f]} {place[a]})"
    text = " ".join([head, *place])
    for matrix, variable, at in reversed(wraps):
        text = f"act {matrix} (fun {variable} => {text}) {at}"
    return text


def input_acts(words: Words, place: int) -> list[list[str]]:
    """How each factor acts along the axes of an input, as claimed."""
    source = words.source
    return [[source.claimed(f, axis) for axis in source.inputs[place].axes] for f in source.factors]


def output_acts(words: Words) -> list[list[str]]:
    """How each factor acts along the axes of the result, as claimed."""
    source = words.source
    return [[source.claimed(f, axis) for axis in source.output_axes] for f in source.factors]


def moved_input(words: Words, place: int, head: str, index: Sequence[str], which: Sequence[int]) -> str:
    """The entry of an input that these factors move; labels of an indexed axis move by the inverse."""
    text = moved(words, head, input_acts(words, place), index, which)
    for f in which:
        if words.source.inputs[place].indexes == words.source.factors[f].axis:
            text = f"({words.elements[f]}^-1)%g ({text})"
    return text


def is_moved(words: Words, place: int, which: Sequence[int]) -> bool:
    """Whether one of these factors does something to an input."""
    acts = input_acts(words, place)
    indexed = words.source.inputs[place].indexes
    return any(STD in acts[f] or indexed == words.source.factors[f].axis for f in which)


def element(words: Words, f: int) -> str:
    """The binder of a group element."""
    factor = words.source.factors[f]
    size = words.sizes.nat(factor.size)
    return f"({words.elements[f]} : {chr(39)}{'S' if factor.permutes else 'M[R]'}_{size})"


def conditions(words: Words, factor: Factor, name: str) -> list[str]:
    """What makes a permutation or a matrix an element of the group."""
    return [line.format(name) for line in EVERY_FAMILY[factor.family].rocq or ()]


def _quantified(words: Words, binders: Sequence[str], equation: str, rank: int) -> str:
    factors = words.source.factors
    elements = " ".join(element(words, f) for f in range(len(factors)))
    given = [c for f, factor in enumerate(factors) for c in conditions(words, factor, words.elements[f])]
    lines = [f"forall {elements},", *(f"{c} ->" for c in given)]
    lines += [f"forall {' '.join(binders)},"] if binders else []
    lines += [f"forall {' '.join(f'i{a}' for a in range(rank))},"] if rank else []
    return "\n".join(f"  {line}" for line in lines) + f"\n    {equation}."


def claim(words: Words) -> str:
    """The claim about functions of indices."""
    rank, every = len(words.source.output_axes), chain(words)
    arguments = []
    for place, name in enumerate(words.inputs):
        index = [f"j{a}" for a in range(len(words.source.inputs[place].shape))]
        text = moved_input(words, place, name, index, every)
        bound = f"(fun {' '.join(index)} => {text})" if index else f"({text})"
        arguments.append(bound if is_moved(words, place, every) else name)
    at = [f"i{a}" for a in range(rank)]
    left = " ".join(["f", *arguments, *at])
    right = moved(words, " ".join(["f", *words.inputs]), output_acts(words), at, every)
    binders = [f"({name} : {words.input_type(place)})" for place, name in enumerate(words.inputs)]
    return "Definition claim : Prop :=\n" + _quantified(words, binders, f"{left} =\n    {right}", rank)


def as_matrix(words: Words, place: int) -> bool:
    """Whether an input is a matrix of numbers."""
    given = words.source.inputs[place]
    return len(given.shape) == 2 and given.indexes is None


def matrix_moved(words: Words, text: str, acts: Sequence[Sequence[str]]) -> str:
    """A matrix that the group moves, in products and permutations of rows and columns."""
    for f, factor in reversed(list(enumerate(words.source.factors))):
        name = words.elements[f]
        if acts[f][1] == STD:
            text = f"col_perm {name} {closed(text)}" if factor.permutes else f"{text} *m {name}^T"
        if acts[f][0] == STD:
            text = f"row_perm {name} {closed(text)}" if factor.permutes else f"{name} *m {closed(text)}"
    return text


def matrix_claim(words: Words) -> str | None:
    """The same claim in matrices, where inputs or the result are matrices."""
    rank, every = len(words.source.output_axes), chain(words)
    if not any(as_matrix(words, place) for place in range(len(words.inputs))):
        return None
    arguments, binders = [], []
    for place, name in enumerate(words.inputs):
        if as_matrix(words, place):
            shape = words.source.inputs[place].shape
            binders.append(f"({name} : 'M[R]_({', '.join(map(words.sizes.nat, shape))}))")
            text = matrix_moved(words, name, input_acts(words, place))
            arguments.append(closed(text))
            continue
        binders.append(f"({name} : {words.input_type(place)})")
        index = [f"j{a}" for a in range(len(words.source.inputs[place].shape))]
        text = moved_input(words, place, name, index, every)
        bound = f"(fun {' '.join(index)} => {text})" if index else f"({text})"
        arguments.append(bound if is_moved(words, place, every) else name)
    before, after = " ".join(["f", *arguments]), " ".join(["f", *words.inputs])
    if rank == 2:
        left = f"\\matrix_(i, j) {before} i j"
        right = matrix_moved(words, f"(\\matrix_(i, j) {after} i j)", output_acts(words))
        equation, rank = f"{left} =\n    {right}", 0
    else:
        at = [f"i{a}" for a in range(rank)]
        right = moved(words, after, output_acts(words), at, every)
        equation = f"{' '.join([before, *at])} =\n    {right}"
    return "Definition claim_in_matrices : Prop :=\n" + _quantified(words, binders, equation, rank)


def statement(words: Words) -> str:
    """Everything up to the proof: the numbers, the function, the claim."""
    lines = [PREAMBLE, "Section Claim.", f"Variable R : {structure(words.source)}."]
    if words.axes:
        lines.append(f"Variables {' '.join(words.axes.values())} : nat.")
    if words.functions:
        lines.append("(* Whatever these are: *)")
    lines += [f"Variable {name} : {type_}." for name, type_ in words.functions.items()]
    lines += _extensional(words)
    lines += ["", "(** * The function *)", "", "Section Function."]
    lines += [f"Variable {name} : {words.input_type(place)}." for place, name in enumerate(words.inputs)]
    lines += definitions(words)
    lines += ["End Function.", ""]
    binders = " ".join(f"({name} : {words.input_type(place)})" for place, name in enumerate(words.inputs))
    type_ = words.sizes.type(words.source.nodes[words.source.output].shape)
    result = words.applied(words.source.output, words.inputs, ())
    lines += [f"Definition f {binders} : {type_} :=\n  {result}.", ""]
    lines += ["(** * The claim *)", "", claim(words)]
    matrices = matrix_claim(words)
    return wrapped("\n".join(lines + ([matrices] if matrices else []))) + "\n"


def _extensional(words: Words) -> list[str]:
    """Functions of tensors have one value on tensors with equal entries."""
    found: dict[str, str] = {}
    for node in words.source.nodes:
        if node.op == "opaque":
            name = words.symbols[node.at["name"]]
            given, primed, premises = [], [], []
            for n, argument in enumerate(node.args):
                index = [f"i{a}" for a in range(len(words.source.nodes[argument].shape))]
                given.append(f"a{n}")
                primed.append(f"a{n}'")
                bound = f"forall {' '.join(index)}, " if index else ""
                left, right = " ".join([primed[-1], *index]), " ".join([given[-1], *index])
                premises.append(f"({bound}{left} = {right}) -> ")
            at = [f"i{a}" for a in range(len(node.shape))]
            bound = f"forall {' '.join(at)}, " if at else ""
            left, right = " ".join([name, *primed, *at]), " ".join([name, *given, *at])
            variables = f"forall {' '.join([*given, *primed])}, " if given else ""
            found[name] = f"Hypothesis {name}_same : {variables}{''.join(premises)}{bound}{left} = {right}."
    return list(found.values())
