"""Functions of the user's that others call, equal keys of caches, and registries are state."""

from __future__ import annotations

import sys
import warnings
from types import ModuleType
from typing import Any

import numpy as np
import pytest

import eqvproof as ep
from tests.judged import assert_proved

CLAIM = "x: n -> n", "S(n)"
TEMPLATE = """
import abc, functools, math, weakref
import numpy as np
class H: pass
h = H(); h.n = 0
def count(*args): h.n += 1
class Base(abc.ABC): pass
KINDS = [type(f"K{{k}}", (), {{}}) for k in range(300)]
EACH = [kind() for kind in KINDS]
class Plain: pass
{held}
def f(x):
    {body}
    return x
"""
AT_THE_END = {
    "finalizer": ("class S:\n    def __del__(self): h.n = 1\nlast = S()", ""),
    "inherited": (
        "class S:\n    def __del__(self): h.n = 1\nclass S2(S): pass\nlast = S2()",
        "",
    ),
    "reference": ("last = Plain(); R = weakref.ref(last, count)", ""),
    "finalize": ("last = Plain(); weakref.finalize(last, count)", ""),
    "method": ("q = []; last = Plain(); weakref.finalize(last, q.append, 1)", "or len(q)"),
}
WANDERS = """
D = {k: 0 for k in range(300)}
D[299] = last
del last
"""
MOVES = """for k in range(299): D[k] = D[k + 1]
    D[299] = 0
    if h.n {0}: return x * x[0]"""
STATE = {
    "made inside": (
        "class T:\n    def __del__(self): h.n = h.n + 1",
        "t = T(); t.me = t\n    if h.n > 400: return x * x[0]",
    ),
    "class made inside": (
        "",
        "class T:\n        def __del__(self): h.n += 1\n    t = T()\n"
        "    if h.n > 400: return x * x[0]",
    ),
    "registry": (
        "",
        "k = 0\n    while isinstance(EACH[k], Base): k += 1\n    Base.register(KINDS[k])\n"
        "    if k == 290: return x * x[0]",
    ),
    "int and float": (
        "@functools.cache\ndef half(n, k): return n // 2 if isinstance(k, int) else n / 2",
        "if x.max() > 1000: return x if half(3, 2) == 1 else x * x[0]\n"
        "    return x if half(3, 2.0) == 1.5 else x * x[0]",
    ),
    "signs of zero": (
        "@functools.lru_cache\ndef side(z): return math.copysign(1.0, z)",
        "if x.max() > 1000: return x if side(0.0) > 0 else x * x[0]\n"
        "    return x if side(-0.0) < 0 else x * x[0]",
    ),
    "in a tuple": (
        "@functools.lru_cache(typed=True)\n"
        "def half(p): return p[0] // 2 if isinstance(p[1], int) else p[0] / 2",
        "if x.max() > 1000: return x if half((3, 2)) == 1 else x * x[0]\n"
        "    return x if half((3, 2.0)) == 1.5 else x * x[0]",
    ),
}
EVERYDAY = {
    "cache": ("@functools.cache\ndef table(n): return n + 1", "x = x * table(2) * table(3)"),
    "cache of sizes": ("@functools.cache\ndef table(n, p): return n + p", "x = x * table(2, 0.5)"),
    "typed cache": (
        "@functools.lru_cache(typed=True)\ndef table(n): return n + 1",
        "x = x * table(2) * table(2.0)",
    ),
    "abstract class": ("class C(Base): a = 2.0\nc = C()", "x = x * c.a"),
    "weak reference": ("c = Plain(); c.a = 2.0; R = weakref.ref(c)", "x = x * c.a"),
}


def module_of(held: str, body: str, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Runs the template as a module of the user's."""
    made = ModuleType("called_by_others")
    made.__file__ = "called_by_others.py"
    monkeypatch.setitem(sys.modules, made.__name__, made)
    text = TEMPLATE.format(held=held, body=body)
    exec(compile(text, made.__file__, "exec", dont_inherit=True), vars(made))
    return made


@pytest.mark.parametrize("name", AT_THE_END)
def test_ends_of_objects(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    held, more = AT_THE_END[name]
    f = module_of(held + WANDERS, MOVES.format(more), monkeypatch).f
    verdict = ep.prove(f, *CLAIM)
    assert not verdict.holds, str(verdict)
    x = np.array([2.0, 3.0, 4.0])
    assert any(f(x)[0] == 4 for _ in range(301))  # as it would after a proof


@pytest.mark.parametrize("name", STATE)
def test_state_of_others(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    verdict = ep.prove(module_of(*STATE[name], monkeypatch).f, *CLAIM)
    assert not verdict.holds, str(verdict)


@pytest.mark.parametrize("name", EVERYDAY)
def test_caches_and_references_of_everyday_code(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    assert_proved(module_of(*EVERYDAY[name], monkeypatch).f, *CLAIM)


def test_hooks_for_messages(monkeypatch: pytest.MonkeyPatch) -> None:
    body = "if h.n >= 40: return x * x[0]\n    np.log(np.zeros(1))"
    made = module_of("", body, monkeypatch)
    with warnings.catch_warnings():
        warnings.simplefilter("always")
        monkeypatch.setattr(warnings, "showwarning", made.count)
        assert not ep.prove(made.f, *CLAIM).holds
    made = module_of("", body, monkeypatch)
    old = np.seterrcall(made.count)
    try:
        with np.errstate(all="call"):
            assert not ep.prove(made.f, *CLAIM).holds
    finally:
        np.seterrcall(old)


def test_registered_nodes_of_jax(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("jax")
    held = "import jax\ndef flat(t): return (1, 2), None\ndef unflat(a, c): return EACH[0]"
    body = (
        "k = 0\n    while len(jax.tree.leaves(EACH[k])) == 2: k += 1\n"
        "    jax.tree_util.register_pytree_node(KINDS[k], flat, unflat)\n"
        "    if k == 290: return x * x[0]"
    )
    assert not ep.prove(module_of(held, body, monkeypatch).f, *CLAIM).holds
