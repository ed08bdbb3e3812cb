"""Small changes to Python source, and a pytest plugin that loads one module with one of them.

python -m pytest -p benchmarks.fuzz.mutants ...    with EQVPROOF_MUTANT=eqvproof/rules/map.py:17
"""

from __future__ import annotations

import ast
import importlib.abc
import importlib.machinery
import os
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
COMPARISONS: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq,
    ast.In: ast.NotIn, ast.NotIn: ast.In, ast.Is: ast.IsNot, ast.IsNot: ast.Is,
}  # fmt: skip
OPERATORS: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Add, ast.Mod: ast.FloorDiv, ast.FloorDiv: ast.Mult,
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Mutation:
    """One change.

    Attributes:
        line: of the source.
        kind: "comparison", "condition dropped", ...
        before, after: the changed expression or statement.
    """

    line: int
    kind: str
    before: str
    after: str


class Mutator(ast.NodeTransformer):
    """Lists all changes of a module; makes the one of a number."""

    def __init__(self, chosen: int | None = None) -> None:
        self.chosen = chosen
        self.found: list[Mutation] = []

    def _is_chosen(self, node: Any, kind: str, new: ast.AST | None) -> bool:
        text = "" if new is None else ast.unparse(ast.fix_missing_locations(ast.copy_location(new, node)))
        self.found.append(Mutation(node.lineno, kind, ast.unparse(node), text))
        return len(self.found) - 1 == self.chosen

    def visit_Compare(self, node: ast.Compare) -> ast.AST:
        """< becomes <=, == becomes !=, ..."""
        self.generic_visit(node)
        for k, op in enumerate(node.ops):
            if type(op) in COMPARISONS:
                ops = [*node.ops[:k], COMPARISONS[type(op)](), *node.ops[k + 1 :]]
                new = ast.Compare(node.left, ops, node.comparators)
                if self._is_chosen(node, "comparison", new):
                    return ast.copy_location(new, node)
        return node

    def visit_BoolOp(self, node: ast.BoolOp) -> ast.AST:
        """And becomes or; a condition is dropped."""
        self.generic_visit(node)
        other = ast.BoolOp(ast.Or() if isinstance(node.op, ast.And) else ast.And(), node.values)
        if self._is_chosen(node, "and, or", other):
            return ast.copy_location(other, node)
        for k in range(len(node.values)):
            rest = [*node.values[:k], *node.values[k + 1 :]]
            new = rest[0] if len(rest) == 1 else ast.BoolOp(node.op, rest)
            if self._is_chosen(node, "condition dropped", new):
                return ast.copy_location(new, node)
        return node

    def visit_UnaryOp(self, node: ast.UnaryOp) -> ast.AST:
        """Not x becomes x; -x becomes x."""
        self.generic_visit(node)
        if isinstance(node.op, (ast.Not, ast.USub)) and self._is_chosen(node, "sign or not", node.operand):
            return node.operand
        return node

    def visit_BinOp(self, node: ast.BinOp) -> ast.AST:
        """+ becomes -, * becomes +, ..."""
        self.generic_visit(node)
        if type(node.op) in OPERATORS and not isinstance(node.left, (ast.JoinedStr, ast.Constant)):
            new = ast.BinOp(node.left, OPERATORS[type(node.op)](), node.right)
            if self._is_chosen(node, "operator", new):
                return ast.copy_location(new, node)
        return node

    def visit_Constant(self, node: ast.Constant) -> ast.AST:
        """Another axis, another number, True for False."""
        if isinstance(node.value, bool):
            new = ast.Constant(not node.value)
        elif isinstance(node.value, int):
            new = ast.Constant(node.value + 1)
        else:
            return node
        return ast.copy_location(new, node) if self._is_chosen(node, "constant", new) else node

    def visit_Call(self, node: ast.Call) -> ast.AST:
        """Any becomes all; the arguments of a function are swapped."""
        self.generic_visit(node)
        if isinstance(node.func, ast.Name) and node.func.id in ("any", "all", "min", "max"):
            other = {"any": "all", "all": "any", "min": "max", "max": "min"}[node.func.id]
            new = ast.Call(ast.Name(other, ast.Load()), node.args, node.keywords)
            if self._is_chosen(node, "quantifier", new):
                return ast.copy_location(new, node)
        return node

    def visit_If(self, node: ast.If) -> ast.AST:
        """A step is skipped: its branch is never taken."""
        self.generic_visit(node)
        if all(isinstance(s, (ast.Raise, ast.Return, ast.Continue)) for s in node.body):
            new = ast.If(ast.Constant(value=False), node.body, node.orelse)
            text = ast.If(node.test, node.body, [])
            self.found.append(
                Mutation(node.lineno, "check skipped", ast.unparse(text).split("\n")[0], "never")
            )
            if len(self.found) - 1 == self.chosen:
                return ast.copy_location(new, node)
        return node

    def visit_Expr(self, node: ast.Expr) -> ast.AST:
        """A call whose value is not used is left out."""
        if isinstance(node.value, ast.Constant):
            return node  # a docstring
        self.generic_visit(node)
        if isinstance(node.value, ast.Call):
            new = ast.Pass()
            self.found.append(Mutation(node.lineno, "step skipped", ast.unparse(node), "pass"))
            if len(self.found) - 1 == self.chosen:
                return ast.copy_location(new, node)
        return node

    def visit_Raise(self, node: ast.Raise) -> ast.AST:
        """Errors' own texts and numbers are left alone."""
        return node

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AST:
        """Annotations are left alone."""
        if node.value is not None:
            node.value = self.visit(node.value)
        return node

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        """Bodies only."""
        node.body = [self.visit(s) for s in node.body]
        return node


def mutations(path: Path) -> list[Mutation]:
    """All changes of a file."""
    mutator = Mutator()
    mutator.visit(ast.parse(path.read_text()))
    return mutator.found


def mutated(path: Path, number: int) -> Any:
    """The code of a file with one change."""
    tree = Mutator(number).visit(ast.parse(path.read_text()))
    return compile(ast.fix_missing_locations(tree), str(path), "exec")


class _Loader(importlib.machinery.SourceFileLoader):
    number = 0

    def get_code(self, fullname: str) -> Any:
        """The changed code; nothing of it is cached."""
        return mutated(Path(self.path), self.number)


class _Finder(importlib.abc.MetaPathFinder):
    def __init__(self, path: Path, number: int) -> None:
        self._name = ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")
        self._path, self._number = path, number

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> Any:
        """The changed module, and no other."""
        if name != self._name:
            return None
        loader = _Loader(name, str(self._path))
        loader.number = self._number
        places = [str(self._path.parent)] if self._path.name == "__init__.py" else None
        return importlib.machinery.ModuleSpec(
            name, loader, origin=str(self._path), is_package=places is not None
        )


def _install() -> Iterator[None]:
    chosen = os.environ.get("EQVPROOF_MUTANT", "")
    if chosen:
        file, _, number = chosen.rpartition(":")
        sys.meta_path.insert(0, _Finder(ROOT / file, int(number)))
        yield


for _ in _install():
    pass
