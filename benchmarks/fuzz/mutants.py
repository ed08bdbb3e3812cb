"""Small changes to Python source: each is one mistake that a reader could have overlooked."""

from __future__ import annotations

import ast
import types
from dataclasses import dataclass
from hashlib import sha256
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
        place: the function, or "" outside of all.
        lines: of the statement that it is in, first and last.
        kind: "comparison", "condition dropped", ...
        before, after: the changed expression or statement.
        count: of the same changes before it.
    """

    place: str
    lines: tuple[int, int]
    kind: str
    before: str
    after: str
    count: int = 0


class Mutator(ast.NodeTransformer):
    """Lists all changes of a module; makes the one of a number."""

    def __init__(self, chosen: int | None = None) -> None:
        self.chosen = chosen
        self.found: list[Mutation] = []
        self._places: list[str] = []
        self._lines = (1, 1)
        self._judges = False

    def visit(self, node: ast.AST) -> Any:
        """Keeps in mind the statement that is being looked at; of a compound one, its head."""
        if not isinstance(node, ast.stmt):
            return super().visit(node)
        outer, body = self._lines, getattr(node, "body", None)
        last = body[0].lineno - 1 if isinstance(body, list) else node.end_lineno or node.lineno
        self._lines = (node.lineno, max(node.lineno, last))
        result = super().visit(node)
        self._lines = outer
        return result

    def _add(self, node: Any, kind: str, before: str, after: str) -> bool:
        if len(before) > 300:
            before = before[:300] + " ..."
        if len(after) > 300:
            after = after[:300] + " ..."
        lines = (node.lineno, max(node.lineno, self._lines[1])) if isinstance(node, ast.stmt) else self._lines
        place = ".".join(self._places)
        said = (place, kind, before, after)
        count = sum((m.place, m.kind, m.before, m.after) == said for m in self.found)
        self.found.append(Mutation(place, lines, kind, before, after, count))
        return len(self.found) - 1 == self.chosen

    def _is_chosen(self, node: Any, kind: str, new: ast.AST) -> bool:
        after = ast.unparse(ast.fix_missing_locations(ast.copy_location(new, node)))
        return self._add(node, kind, ast.unparse(node), after)

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
        """Another axis, another number, True for False; a large number is a limit, and is lifted."""
        if isinstance(node.value, bool):
            new = ast.Constant(not node.value)
        elif isinstance(node.value, int):
            new = ast.Constant(node.value + 1 if node.value < 64 else 1000 * node.value)
        else:
            return node
        return ast.copy_location(new, node) if self._is_chosen(node, "constant", new) else node

    def visit_keyword(self, node: ast.keyword) -> ast.AST:
        """`strict=True` is a second guard, of what is checked before."""
        if node.arg != "strict":
            self.generic_visit(node)
        return node

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
            head = ast.unparse(ast.If(node.test, node.body, [])).split("\n")[0]
            if self._add(node, "check skipped", head, "never"):
                return ast.copy_location(new, node)
        return node

    def visit_Expr(self, node: ast.Expr) -> ast.AST:
        """A call whose value is not used is left out; the price of work, an estimate, is left alone."""
        if isinstance(node.value, ast.Constant):
            return node  # a docstring
        if isinstance(node.value, ast.Call) and ast.unparse(node.value.func) in ("spend", "price"):
            return node
        self.generic_visit(node)
        if isinstance(node.value, ast.Call):
            if self._add(node, "step skipped", ast.unparse(node), "pass"):
                return ast.copy_location(ast.Pass(), node)
        return node

    def visit_Raise(self, node: ast.Raise) -> ast.AST:
        """Errors' own texts and numbers are left alone."""
        return node

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AST:
        """Annotations are left alone."""
        if node.value is not None:
            node.value = self.visit(node.value)
        return node

    def visit_Return(self, node: ast.Return) -> ast.AST:
        """What decides says yes to everything."""
        self.generic_visit(node)
        if self._judges and node.value is not None and not isinstance(node.value, ast.Constant):
            new = ast.Return(ast.Constant(value=True))
            if self._is_chosen(node, "everything accepted", new):
                return ast.copy_location(new, node)
        return node

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.AST:
        """Bodies only."""
        return self._inside(node)

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        """Bodies only."""
        outer, self._judges = self._judges, isinstance(node.returns, ast.Name) and node.returns.id == "bool"
        result = self._inside(node)
        self._judges = outer
        return result

    def _inside(self, node: ast.ClassDef | ast.FunctionDef) -> ast.AST:
        self._places.append(node.name)
        node.body = [self.visit(s) for s in node.body]
        self._places.pop()
        return node


def mutations(path: Path) -> list[Mutation]:
    """All changes of a file."""
    mutator = Mutator()
    mutator.visit(ast.parse(path.read_text()))
    return mutator.found


def with_texts(path: Path) -> list[tuple[Mutation, str]]:
    """All changes of a file, each with the digest of the function around it, or of the rest of the module."""
    texts: dict[str, str] = {}
    for statement in ast.parse(path.read_text()).body:
        name = getattr(statement, "name", "")
        for part in statement.body if isinstance(statement, ast.ClassDef) else [statement]:
            place = f"{name}.{getattr(part, 'name', '')}" if part is not statement else name
            texts[place] = texts.get(place, "") + ast.unparse(part)
    found = {place: sha256(text.encode()).hexdigest()[:16] for place, text in texts.items()}
    return [(m, found[_around(m.place, found)]) for m in mutations(path)]


def _around(place: str, known: dict[str, str]) -> str:
    first, _, rest = place.partition(".")
    method = f"{first}.{rest.partition('.')[0]}"
    return method if method in known else first


def mutated(path: Path, number: int) -> ast.Module:
    """The tree of a file with one change."""
    tree: ast.Module = Mutator(number).visit(ast.parse(path.read_text()))
    return ast.fix_missing_locations(tree)


def key(file: str, m: Mutation) -> str:
    """What names a change, whatever the line that it is on."""
    return " | ".join((file, m.place, m.kind, m.before, m.after, *([str(m.count)] if m.count else [])))


def replaced_functions(path: Path, number: int) -> list[tuple[types.CodeType, types.CodeType]] | None:
    """The code of each function that a change touches, as it is and changed; None for a change elsewhere."""
    old = compile(path.read_text(), str(path), "exec")
    new = compile(mutated(path, number), str(path), "exec")
    found: list[tuple[types.CodeType, types.CodeType]] = []
    return found if _compare(old, new, found) else None


def replaced_statement(path: Path, number: int) -> ast.Module | None:
    """The changed statement of a module, where that sets names."""
    old, new = ast.parse(path.read_text()).body, mutated(path, number).body
    [changed] = [b for a, b in zip(old, new, strict=True) if ast.dump(a) != ast.dump(b)]
    return ast.Module([changed], []) if isinstance(changed, (ast.Assign, ast.AnnAssign)) else None


def _compare(old: types.CodeType, new: types.CodeType, found: list[Any]) -> bool:
    """Whether only functions inside the body of a module or class differ; they are added."""
    inside = [[c for c in code.co_consts if isinstance(c, types.CodeType)] for code in (old, new)]
    rest = [[repr(c) for c in code.co_consts if not isinstance(c, types.CodeType)] for code in (old, new)]
    if len(inside[0]) != len(inside[1]) or rest[0] != rest[1] or old.co_code != new.co_code:
        return False
    for a, b in zip(*inside, strict=True):
        if a == b:
            continue
        if a.co_flags & 1:  # a function: its locals are fast
            found.append((a, b))
        elif not _compare(a, b, found):
            return False
    return True
