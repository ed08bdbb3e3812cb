"""`mypy --strict` accepts every Python snippet of the docs in a user's file.

A reader annotates functions of their own; where a snippet leaves this out, `Any` stands in. Whatever else
`--strict` complains about is about this package.
"""

from __future__ import annotations

import ast
import importlib.util
import os
import sys
from pathlib import Path
from types import ModuleType

import pytest

import eqvproof as ep

api = pytest.importorskip("mypy.api")
ROOT = Path(__file__).resolve().parents[2]


def load() -> ModuleType:
    spec = importlib.util.spec_from_file_location("make_readme_types", ROOT / "docs" / "make_readme.py")
    if spec is None or spec.loader is None:
        raise ImportError("docs/make_readme.py")
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


make_readme = load()
ANY = ast.Name("Any", ast.Load())


class _Annotated(ast.NodeTransformer):
    """Bare parameters and results of functions as Any; None where nothing is returned."""

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.FunctionDef:
        self.generic_visit(node)
        given = node.args
        for argument in (*given.posonlyargs, *given.args, *given.kwonlyargs, given.vararg, given.kwarg):
            if argument is not None and argument.arg not in ("self", "cls"):
                argument.annotation = argument.annotation or ANY
        gives = any(isinstance(n, (ast.Return, ast.Yield)) and n.value for n in ast.walk(node))
        node.returns = node.returns or (ANY if gives else ast.Constant(None))
        return node


def annotated(source: str) -> str:
    tree = _Annotated().visit(ast.parse(source))
    future = [n for n in tree.body if isinstance(n, ast.ImportFrom) and n.module == "__future__"]
    names = ast.parse("from typing import Any").body
    tree.body = [*future, *names, *(n for n in tree.body if n not in future)]
    return ast.unparse(ast.fix_missing_locations(tree)) + "\n"


def programs() -> dict[str, str]:
    """The blocks of each page as one program, those of the FAQ apart; files of docs/; notebooks."""
    found = {}
    for path in make_readme.pages():
        texts = [b.text for b in make_readme.blocks(path.read_text("utf-8")) if b.language == "python"]
        name = path.stem.replace("-", "_").lower()
        if path.stem == "faq":
            found |= {f"{name}_{k}": text for k, text in enumerate(texts)}
        elif texts:
            found[name] = "\n".join(texts)
    for folder in ("docs/faq", "docs/examples", "notebooks"):
        for path in (ROOT / folder).glob("*.py"):
            found[f"{path.parent.name}_file_{path.stem.replace('-', '_')}"] = path.read_text("utf-8")
    return found


def complaints(folder: Path, sources: dict[str, str]) -> list[str]:
    """What `mypy --strict` says of the files; what other libraries say of their types is not looked at."""
    for name, text in sources.items():
        (folder / f"{name}.py").write_text(text, encoding="utf-8")
    (folder / "mypy.ini").write_text(
        f"[mypy]\nstrict = true\nmypy_path = {ROOT}\nfollow_imports = silent\n"
        "ignore_missing_imports = true\ndisable_error_code = import-untyped\n"
        "[mypy-torch.*,jax.*,e3nn.*,torch_geometric.*,matplotlib.*]\nfollow_imports = skip\n",
        encoding="utf-8",
    )
    cache = os.environ.get("MYPY_CACHE_DIR", os.devnull)
    out, err, status = api.run(
        ["--config-file", str(folder / "mypy.ini"), "--cache-dir", cache, "--no-error-summary",
         *(str(folder / f"{name}.py") for name in sources)]
    )  # fmt: skip
    if status not in (0, 1) or err:
        raise RuntimeError(out + err)
    return [line for line in out.splitlines() if ": error:" in line]


@pytest.fixture(scope="module")
def said(tmp_path_factory) -> list[str]:
    """What is said of the snippets and of the contracts, in one run, which reads the libraries once."""
    sources = {name: annotated(text) for name, text in programs().items()}
    return complaints(tmp_path_factory.mktemp("types"), {**sources, "contracts": CONTRACTS})


def of_contracts(line: str) -> bool:
    return Path(line.split(":")[0]).name == "contracts.py"


#: What users of a type checker rely on: lines that pass, and lines that must not.
CONTRACTS = """
from collections.abc import Callable
import numpy as np
import eqvproof as ep
from eqvproof.testing import assert_equivariant, claims_of

@ep.claim("X: d n -> d n", under=["O(d)", ep.groups.generated_by([(1, 0)])], budget=5)
def kept(X: list[float], scale: float = 1.0) -> list[float]:
    return X

keeps: Callable[[list[float], float], list[float]] = kept
kept("no list")  # error
ep.check(kept, "X: d n -> d n", under=3)  # error
ep.check(kept, "X: d n -> d n", under="O(d)", seed="0")  # error
ep.check(kept, "X: d n -> d n", under="O(d)", about="floatz")  # error
ep.check(kept, "X: d n -> d n", under="O(d)", backend="tensorflow")  # error
ep.check(kept, "X: d n -> d n", under="O(d)", constants="literal", about="reals", backend="torch")
ep.check(kept, "X: d n -> d n", "O(d)").holdz  # error
ep.check(kept, "X: d n -> d n", "O(d)").counterexample.left  # error
assert_equivariant(kept, "X: d n -> d n", "O(d)", at_most=3)  # error
ep.prove(kept, "X: d n -> d n", "O(d)", seed=1, budget=2.0, domain=ep.domains.positive)
ep.symmetries(kept, "X: d n -> d n", executor=None)[0].grade.lower()
ep.review("my23").rows[0].worth  # error
ep.review("my23").rows[0].verdicts[0].scope.upper()
ep.householder([1, 2]).mirror  # error
ep.orthogonal_witness([[1]], [[1]]).orthogonal  # error
ep.permutation_witness([[1]], [[1]]).order  # error
ep.deepsets.pool(lambda x: x, [[1.0]]).shape
ep.deepsets.pool(lambda x: x, [[1.0]]).features  # error
ep.deepsets.pool([(1,), (2,)], np.ones((5, 1)), weights=[1, 2, 1, 1, 1], dtype="float32").T.tobytes()
ep.deepsets.pool(ep.deepsets.PowerSums(2, 1), [1.0, 2.0], device="tpu")  # error
ep.deepsets.pool([(1,)], [1.0], executor=3)  # error
ep.deepsets.pool([(1,)], [1.0], threads="all")  # error
ep.deepsets.decompose(max, universe=[1, 2], multiplicity=2).embedding.phi(1)
ep.deepsets.decompose(np.max, n=4).agreement.proved
ep.deepsets.decompose(lambda X: X.max(), n=4).worth  # error
ep.deepsets.decompose(np.linalg.inv, n=4, d=2, kind="coefficients").psi_1
ep.deepsets.decompose(np.linalg.inv, n=4, kind="invarient")  # error
ep.gram_match([[1]], [[1]]).same  # error
ep.strategies.orthogonal(3).cases  # error
claims_of(kept)[0].groups  # error
ep.conclude  # error
try:
    ep.check(kept, "X: d n", "O(d)")
except ep.SignatureError as problem:
    problem.mended  # error
"""


@pytest.mark.slow
def test_the_snippets_of_the_docs_pass_mypy_strict(said):
    assert [line for line in said if not of_contracts(line)] == []


@pytest.mark.slow
def test_right_calls_pass_and_wrong_ones_are_found(said):
    found = {int(line.split(":")[1]) for line in said if of_contracts(line)}
    assert found == {k for k, line in enumerate(CONTRACTS.splitlines(), 1) if line.endswith("# error")}


def parent_of(module: str) -> str:
    return module.rpartition(".")[0]


def test_every_public_name_is_known_to_type_checkers():
    for module in (ep, ep.deepsets, ep.testing):
        tree = ast.parse(Path(str(module.__file__)).read_text(encoding="utf-8"))
        (block,) = [n for n in tree.body if isinstance(n, ast.If) and isinstance(n.test, ast.Name)]
        typed = {(n.module, a.name) for n in block.body for a in n.names}
        public = {(where, name) for name, where in module._PUBLIC.items()}
        places = getattr(module, "_MODULES", {})
        modules = {(parent_of(f"{module.__name__}.{at}"), at.rpartition(".")[2]) for at in places.values()}
        assert typed == public | modules
