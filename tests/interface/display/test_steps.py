"""Steps of proofs and Programs as tables: every line is there, every formula is mathematics."""

from __future__ import annotations

import json
from xml.etree import ElementTree

import numpy as np

import eqvproof as ep
from eqvproof.claims.signature import parse_signature
from eqvproof.support.display import Step, steps_html
from eqvproof.tracing.numpy.trace import trace_all_sizes


def tree(text: str) -> ElementTree.Element:
    return ElementTree.fromstring(f"<p>{text.rpartition('</style>')[2]}</p>")


def layer(X):
    weights = np.exp(X.T @ X)
    return X @ (weights / weights.sum(axis=0)) + 2


def test_each_step_of_a_derivation_is_a_row() -> None:
    verdict = ep.check(layer, "X: d n -> d n", under="S(d) x S(n)")
    steps = [line for line in verdict.derivation if line.startswith("  ")]
    shown = tree(steps_html(verdict.derivation))
    rows = [
        ["".join(cell.itertext()) for cell in row]
        for row in shown.iter("tr")
        if row.find("td") is not None
    ]
    assert len(rows) == len(steps) > 4
    assert [row[3] for row in rows] == [line.rpartition("[")[2].rstrip("]") for line in steps]
    assert ["X is given", "d × n", "becomes PX", "assumption"] in rows
    assert sum(row[1] == "scalar" for row in rows) == sum("   (): " in line for line in steps) > 0
    paragraphs = ["".join(p.itertext()) for p in shown.iter("p")]
    assert any("S(d)×S(n)" in text and "QED" in text for text in paragraphs)


def test_what_is_no_step_stays_a_sentence() -> None:
    shown = tree(steps_html(["a <b> & c", "  v1 = f(x) is odd"]))
    assert "".join("".join(shown.itertext()).split()) == "a<b>&cv1=f(x)isodd"
    assert not list(shown.iter("tr"))


def test_a_program() -> None:
    program = trace_all_sizes(layer, parse_signature("X: d n -> d n"), {}).program
    shown = tree(program._repr_html_())
    assert len(list(shown.iter("tr"))) == len(program.nodes) + 1
    assert len(str(program).splitlines()) == len(program.nodes)
    assert "v1[i, j] = sum_{k} X[k, i] X[k, j]   (n, n)" in str(program)
    assert any(list(sub.iter("mn")) for sub in shown.iter("msub"))


def test_the_parts_of_steps_survive_json_and_escaping() -> None:
    verdict = ep.check(layer, "X: d n -> d n", under="S(n)")
    again = ep.Verdict.from_json(json.loads(json.dumps(verdict.to_json())))
    assert steps_html(again.derivation) == steps_html(verdict.derivation)
    assert again.derivation == verdict.derivation
    escaped = Step("v1\x1b = X", "n", "invariant", "assumption").visible()
    assert escaped.isprintable() and "<tr>" in steps_html([escaped])
