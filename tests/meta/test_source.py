"""What no file of the package may contain. Every check is also seen to find what it looks for."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from pathlib import Path

import pytest

import eqvproof
from eqvproof.support.context_values import uncollected

Check = Callable[[ast.Module], Iterable[object]]
PACKAGE = Path(eqvproof.__file__).parent
ROOT = PACKAGE.parent
FILES = sorted(PACKAGE.rglob("*.py"))
BUILT_IN = {"eval", "exec", "compile", "__import__"}
EVALUATORS = {"sympify", "parse_expr"}
FRAMEWORKS = set("torch torch_geometric e3nn jax equinox flax numba dask cupy einops".split())
#: Attributes of errors, reasons and verdicts that hold words for users.
WORDS = {"code", "message", "reason", "why", "detail", "hint", "notes"}
MODULES = {"pickle", "marshal", "shelve", "dill", "cloudpickle"}


@cache
def findings() -> dict[Check, dict[str, list[object]]]:
    """What each check finds, by the files in which it finds something; each file is read once."""
    every: dict[Check, dict[str, list[object]]] = {check: {} for check in CHECKS}
    with uncollected():
        for path in FILES:
            tree = ast.parse(path.read_text(encoding="utf-8"))
            for check, where in every.items():
                if what := list(check(tree)):
                    where[str(path.relative_to(PACKAGE))] = what
    return every


def assertions(tree: ast.Module) -> Iterator[int]:
    """Lines with an assert statement, which python -O removes."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Assert):
            yield node.lineno


def evaluations(tree: ast.Module) -> Iterator[int]:
    """Lines that evaluate text as code, or load objects from bytes."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            f = node.func
            name = f.id if isinstance(f, ast.Name) else f.attr if isinstance(f, ast.Attribute) else ""
            owner = f.value.id if isinstance(f, ast.Attribute) and isinstance(f.value, ast.Name) else ""
            plain = not isinstance(f, ast.Attribute) or owner == "builtins"
            strict = any(k.arg == "strict" for k in node.keywords)  # sympify(x, strict=True) refuses text
            if (name in EVALUATORS and not strict) or (plain and name in BUILT_IN):
                yield node.lineno
        elif isinstance(node, ast.Import) and any(a.name.split(".")[0] in MODULES for a in node.names):
            yield node.lineno
        elif isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] in MODULES:
            yield node.lineno


def framework_imports(tree: ast.Module) -> Iterator[int]:
    """Lines at the top that import what only an extra installs, and that nothing skips where it is absent."""
    asked: set[str] = set()
    for node in tree.body:
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            named = [a.name for a in node.names] if isinstance(node, ast.Import) else [node.module or ""]
            if not FRAMEWORKS.isdisjoint({n.partition(".")[0] for n in named} - asked):
                yield node.lineno
        elif isinstance(node, (ast.Assign, ast.Expr)) and "importorskip" in ast.unparse(node):
            asked |= set(re.findall(r"importorskip\('(\w+)", ast.unparse(node)))


def loose_dataclasses(tree: ast.Module) -> Iterator[str]:
    """Data classes that are not both frozen and slotted; one with a cached property cannot have slots."""
    for node in ast.walk(tree):
        if not isinstance(node, ast.ClassDef):
            continue
        for decorator in node.decorator_list:
            call = decorator.func if isinstance(decorator, ast.Call) else decorator
            name = call.attr if isinstance(call, ast.Attribute) else getattr(call, "id", "")
            if name != "dataclass":
                continue
            keywords = decorator.keywords if isinstance(decorator, ast.Call) else []
            given = {k.arg for k in keywords if isinstance(k.value, ast.Constant) and k.value.value is True}
            cached = "cached_property" in ast.dump(node)
            if not ({"frozen"} if cached else {"frozen", "slots"}) <= given:
                yield node.name


def decisions_by_text(tree: ast.Module) -> Iterator[int]:
    """Lines that compare the code, the message or the reason of something with a text written there."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Compare):
            sides = [node.left, *node.comparators]
            asked = any(isinstance(s, ast.Attribute) and s.attr in WORDS for s in sides)
            if asked and any(isinstance(t, ast.Constant) and t.value for s in sides for t in ast.walk(s)):
                yield node.lineno
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            asks, text = node.func.attr in ("startswith", "endswith"), node.func.value
            if asks and isinstance(text, ast.Attribute) and text.attr in WORDS - {"code"}:
                yield node.lineno


def undescribed(tree: ast.Module) -> list[str]:
    """A file that does not say what it is."""
    return [] if ast.get_docstring(tree) else ["no docstring"]


CHECKS: tuple[Check, ...] = (assertions, evaluations, loose_dataclasses, decisions_by_text, undescribed)


def machine_paths(text: str) -> list[str]:
    """Paths that exist on one machine only."""
    return re.findall(r"(?<![\w.~-])/(?:home|root|Users|work|tmp)/[\w.-]+", text)


def test_there_are_files_to_look_at():
    assert len(FILES) > 500
    assert findings().keys() == set(CHECKS)


def test_no_assert_statement():
    assert findings()[assertions] == {}


def test_no_text_is_evaluated_as_code():
    assert findings()[evaluations] == {}


def test_data_classes_are_frozen_and_slotted():
    assert findings()[loose_dataclasses] == {}


def test_no_text_for_users_decides():
    assert findings()[decisions_by_text] == {}


@pytest.mark.parametrize(
    "source",
    ["e.code == 'trace.x'", "'no value' in e.message", "v.reason.startswith('no')", "e.code in ('a', 'b')"],
)
def test_a_decision_by_a_text_is_seen(source):
    assert list(decisions_by_text(ast.parse(source))) == [1]


@pytest.mark.parametrize("source", ["e.code == ErrorCode.TRACE_STATE", "text == 'a'", "if e.reason: pass"])
def test_other_decisions_pass(source):
    assert list(decisions_by_text(ast.parse(source))) == []


def test_every_module_says_what_it_is():
    assert findings()[undescribed] == {}


def project_files() -> list[Path]:
    top = [p for p in ROOT.iterdir() if p.is_file() and p.suffix in {".md", ".toml", ".cff", ".yaml"}]
    folders = ("eqvproof", "tests", "docs", ".ci", "changelog.d")
    inside = [
        p for f in folders for p in (ROOT / f).rglob("*") if p.is_file() and "__pycache__" not in p.parts
    ]
    return sorted([*top, *inside])


def test_no_paths_of_one_machine():
    found = {}
    for path in project_files():
        try:
            text = path.read_text(encoding="utf-8")
        except UnicodeDecodeError:
            continue
        if hits := machine_paths(text):
            found[str(path.relative_to(ROOT))] = hits
    assert found == {}


def test_without_frameworks_their_tests_are_skipped():
    texts = ((p.name, p.read_text(encoding="utf-8")) for p in sorted((ROOT / "tests").rglob("test_*.py")))
    named = re.compile(rf"import .*\b({'|'.join(FRAMEWORKS)})|from ({'|'.join(FRAMEWORKS)})")
    trees = ((name, ast.parse(text)) for name, text in texts if named.search(text))
    found = {name: list(framework_imports(tree)) for name, tree in trees}
    assert {name: lines for name, lines in found.items() if lines} == {}


def test_an_import_of_a_framework_is_seen():
    source = "import torch.nn\nfrom jax import numpy\ntorch = pytest.importorskip('torch')\nimport torch"
    assert list(framework_imports(ast.parse(source))) == [1, 2]


def test_an_assertion_is_seen():
    assert list(assertions(ast.parse("def f(x):\n    assert x"))) == [2]


@pytest.mark.parametrize(
    "source",
    [
        "eval('1')",
        "exec(text)",
        "import pickle",
        "from pickle import loads",
        "sympy.sympify(t)",
        "compile(a, b, c)",
    ],
)
def test_an_evaluation_is_seen(source):
    assert list(evaluations(ast.parse(source))) == [1]


@pytest.mark.parametrize("source", ["re.compile('a')", "model.eval()", "sympify(x, strict=True)"])
def test_a_method_of_the_same_name_is_no_evaluation(source):
    assert list(evaluations(ast.parse(source))) == []


@pytest.mark.parametrize(
    "decorator", ["@dataclass", "@dataclass(frozen=True)", "@dataclasses.dataclass(slots=True, frozen=False)"]
)
def test_a_loose_data_class_is_seen(decorator):
    assert list(loose_dataclasses(ast.parse(f"{decorator}\nclass A:\n    x: int"))) == ["A"]


def test_a_cached_property_needs_no_slots():
    body = "class A:\n    @cached_property\n    def x(self):\n        return 1"
    assert list(loose_dataclasses(ast.parse(f"@dataclass(frozen=True)\n{body}"))) == []
    assert list(loose_dataclasses(ast.parse(f"@dataclass\n{body}"))) == ["A"]


def test_a_strict_data_class_passes():
    source = "@dataclass(frozen=True, slots=True, eq=False)\nclass A:\n    x: int"
    assert list(loose_dataclasses(ast.parse(source))) == []


def test_a_machine_path_is_seen():
    assert machine_paths("see " + "/" + "home/someone/x.py") != []
    assert machine_paths("https://example.org/home/page and a/tmp/b") == []
