"""The order of a kept set or dictionary, and which of equal keys it holds, is state."""

from __future__ import annotations

import sys
from types import ModuleType
from typing import Any

import numpy as np
import pytest

import eqvproof as ep
from eqvproof.tracing.arrays.object_state import kept
from eqvproof.tracing.observing.fingerprint import fingerprint
from tests.judged import assert_proved

CLAIM = "x: n -> n", "S(n)"
#: Calls until the function answers otherwise: more than a proof takes.
LATE = 300
#: What is kept, what each call does with it, and what is asked afterwards.
CHANGES = {
    "set finger": (f"S = set(range({LATE}))", "k = S.pop(); S.add(k)", f"k == {LATE - 1}"),
    "set in turn": (
        f"S = [{{0, 8}} for _ in range({LATE})]\nflip(S[0])",
        "k = 0\n    while first(S[k]) == 0: k += 1\n    flip(S[k]); flip(S[k + 1])",
        f"k == {LATE - 2}",
    ),
    "set in an object": (
        f"class H: pass\nh = H(); h.s = set(range({LATE}))",
        "s = h.s; k = s.pop(); s.add(k)",
        f"k == {LATE - 1}",
    ),
    "own class of sets": (
        f"class Own(set): pass\nS = Own(range({LATE}))",
        "k = S.pop(); S.add(k)",
        f"k == {LATE - 1}",
    ),
    "dict": (
        f"D = {{k: k for k in range({LATE})}}",
        "k = first(D); D[k] = D.pop(k)",
        f"first(D) == {LATE - 1}",
    ),
    "dict of changing values": (
        f"D = {{k: [0] for k in range({LATE})}}",
        f"k = first(D)\n    for j in range({LATE}): D[j] = [0]\n    D.pop(k)\n    D[k] = [0]",
        f"first(D) == {LATE - 1}",
    ),
    "ordered dict": (
        f"D = collections.OrderedDict((k, k) for k in range({LATE}))",
        "k = first(D); D[k] = D.pop(k)",
        f"first(D) == {LATE - 1}",
    ),
    "own class of dicts": (
        f"class Own(dict): pass\nD = Own((k, k) for k in range({LATE}))",
        "k = first(D); D[k] = D.pop(k)",
        f"first(D) == {LATE - 1}",
    ),
    "int and float": (
        f"D = {{k: [0] for k in range({LATE})}}",
        f"k = 0\n    for j in D: k = k + isinstance(j, float)\n"
        f"    for j in range({LATE}): D[j] = [0]\n    D.pop(k)\n    D[float(k)] = [0]",
        f"k == {LATE - 2}",
    ),
    "equal objects": (
        "D = {Equal(0): [0]}",
        "k = first(D).k + 1; D.clear(); D[Equal(k)] = [0]",
        f"k == {LATE}",
    ),
    "signs of zero": (
        f"D = [{{0.0: [0]}} for _ in range({LATE})]",
        "k = 0\n    while math.copysign(1, first(D[k])) < 0: k += 1\n"
        "    D[k].clear(); D[k][-0.0] = [0]",
        f"k == {LATE - 2}",
    ),
}
TEMPLATE = """
import collections, math
import numpy as np
class Equal:
    def __init__(self, k): self.k = k
    def __eq__(self, other): return True
    def __hash__(self): return 1
def first(held): return next(iter(held))
def flip(s):
    last = 8
    for k in s: last = k
    s.clear(); s.add(last); s.add(8 - last)
{kept}
def f(x):
    {change}
    if {asked}: return x * x[0]
    return x
"""
EVERYDAY = {
    "set asked": ("MODES = {'sum', 'mean'}", "scale = 2.0 if 'sum' in MODES else 3.0"),
    "set sorted": ("NUMBERS = {3, 1, 2}", "scale = sorted(NUMBERS)[0]"),
    "set of numbers": ("NUMBERS = {3, 1, 2}", "scale = sum(k for k in NUMBERS)"),
    "set made inside": ("", "s = set(range(3)); s.add(3); s.discard(1); scale = len(s)"),
    "dict gone through": ("D = {'a': 1.0, 'b': 2.0}", "scale = sum(v for v in D.values())"),
    "dict made inside": ("", "d = {'a': 1.0}; d['b'] = d.pop('a'); scale = d['b']"),
    "table filled once": (
        "TABLE = {}",
        "if 'two' not in TABLE: TABLE['two'] = 2.0\n    scale = TABLE['two']",
    ),
    "table written": ("TABLE = {(1, 'a'): 2.0}", "TABLE[(1, 'a')] = 2.0; scale = 2.0"),
    "ordered dict": (
        "D = collections.OrderedDict(a=1.0, b=2.0)",
        "scale = next(iter(D.values()))",
    ),
}
USED = "import collections\nimport numpy as np\n{0}\ndef f(x):\n    {1}\n    return scale * x\n"


def module_of(name: str, text: str, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Runs a text as a module of the user's."""
    made = ModuleType(name)
    monkeypatch.setitem(sys.modules, name, made)
    exec(compile(text, f"/tmp/{name}.py", "exec"), vars(made))
    return made


@pytest.mark.parametrize("name", CHANGES)
def test_changes_of_order_alone_are_state(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    held, change, asked = CHANGES[name]
    text = TEMPLATE.format(kept=held, change=change, asked=asked)
    f = module_of("orders_kept", text, monkeypatch).f
    verdict = ep.prove(f, *CLAIM)
    assert not verdict.holds, str(verdict)
    x = np.array([2.0, 3.0, 4.0])
    assert any(f(x)[0] == 4 for _ in range(LATE + 100))  # as it would after a proof


@pytest.mark.parametrize("name", EVERYDAY)
def test_containers_of_everyday_code(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    assert_proved(module_of("orders_read", USED.format(*EVERYDAY[name]), monkeypatch).f, *CLAIM)


def test_the_order_is_put_back() -> None:
    plain, turned = {1: "a", 0.0: "b"}, {8, 0}
    with kept([(plain, "plain"), (turned, "turned")]) as changed:
        plain[True] = plain.pop(1)
        plain[-0.0] = plain.pop(0.0)
        turned.clear()
        turned.update((0, 8))
    assert {place.path for place in changed if place.key is None} == {"plain", "turned"}
    assert list(map(repr, plain)) == ["1", "0.0"] and list(turned) == list({8, 0})


def test_a_fingerprint_has_the_order_of_numbers() -> None:
    def first_of(held: set[int]) -> Any:
        return lambda x: x * next(iter(held))

    assert list({8, 0}) != list({0, 8})
    assert fingerprint(first_of({8, 0})) != fingerprint(first_of({0, 8}))
    assert fingerprint(first_of({0, 8})) == fingerprint(first_of({0, 8}))
