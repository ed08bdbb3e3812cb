"""Random Python functions as source text, and claims about them that are true, nearly true, or neither.

A function is written statement by statement; each is run at once on arrays of sample sizes, and kept where it
works. What is claimed is chosen by the oracle: often a claim without a violation, often one that fails for a
slightly larger group, or at larger sizes only.
"""

from __future__ import annotations

import builtins
import linecache
import math
import random
import re
import warnings
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from benchmarks.fuzz import pieces, themes
from benchmarks.fuzz.oracle import FAMILIES, Block, Claim, Spec, Trials, sample
from benchmarks.fuzz.statements import statement

SIGNATURES: tuple[str, ...] = (
    "x: n", "X: n d", "X: n d", "X: d n", "X: d n, Z: d k", "A: n n, x: n", "A: n n, X: n d",
    "x: d, y: d",
    "X: n d, V: n d^", "X: n 3", "h: k n d", "X: n d, w: n", "Q: n d, K: k d", "a: n, b: d",
    "X: n d, E[n]: 2 k", "X: n d, M[bool]: n n", "W: d! d!, X: n d", "T: d d d", "s: (), X: n d",
)  # fmt: skip
#: Two sets of sizes that tell the axes apart.
SAMPLES = ({"n": 7, "d": 5, "k": 4}, {"n": 6, "d": 9, "k": 5})
#: An axis of the output by its lengths at these.
LENGTHS = {
    "n": (7, 6), "d": (5, 9), "k": (4, 5), "n+d": (12, 15), "n+k": (11, 11), "d+k": (9, 14), "2n": (14, 12),
    "2d": (10, 18),
}  # fmt: skip
TAME = (pieces.POINTWISE, pieces.REDUCED, pieces.PRODUCTS, pieces.POLES)
WILD = (pieces.PLACES, pieces.INTEGERS, pieces.ALGEBRA)
_FIELD = re.compile(r"\{(\w+)\}")


@dataclass(frozen=True, slots=True)
class Source:
    """A function as text.

    Attributes:
        head: definitions before the function.
        body: its statements; the last one returns.
        inputs: its arguments.
        sizes: the one set of sizes at which it works, or None.
        backend: the library that ``np`` stands for.
        stateful: whether earlier calls change it.
        twin: the statements of another function that may be equal to it; none where no identity is claimed.
        theme: "table", "ties", "spectra", "statements", or none.
    """

    head: tuple[str, ...]
    body: tuple[str, ...]
    inputs: tuple[Spec, ...]
    sizes: Mapping[str, int] | None
    backend: str = "numpy"
    stateful: bool = False
    twin: tuple[str, ...] = ()
    theme: str = ""

    @property
    def tables(self) -> tuple[str, ...]:
        """The names of the stored tables."""
        return tuple(name for part in self.head for name in re.findall(r"^(W\d+) = ", part, re.MULTILINE))

    @property
    def other(self) -> Source:
        """The other side of an identity."""
        return replace(self, body=self.twin, twin=())

    @property
    def literal(self) -> Source:
        """The function of the numbers as computed: sums of stored tables as NumPy rounds them."""
        tables: dict[str, Any] = {"np": np}
        for part in self.head:
            if part.startswith("W"):
                exec(part, tables)

        def rounded(found: re.Match[str]) -> str:
            return repr(float(tables[found[1]].sum()))

        body = tuple(re.sub(r"\b(W\d+)\.sum\(\)", rounded, part) for part in self.body)
        return replace(self, body=body)

    @property
    def text(self) -> str:
        """The code."""
        lines = [line for part in self.body for line in part.split("\n")]
        names = ", ".join(a.name for a in self.inputs)
        return "\n".join([*self.head, f"def f({names}):", *(f"    {x}" for x in lines)]) + "\n"

    def function(self, np: Any = np, number: int = 0) -> Callable[..., Any]:
        """A new function from the text, with state of its own, on any library called np."""
        name = f"<fuzz {number}>"
        linecache.cache[name] = (len(self.text), None, self.text.splitlines(keepends=True), name)
        names: dict[str, Any] = {"np": np, "math": math, "__name__": "fuzzed", "__builtins__": builtins}
        exec(compile(self.text, name, "exec"), names)
        found: Callable[..., Any] = names["f"]
        return found


class Writer:
    """Writes one function, and keeps the value of every variable at sample sizes."""

    def __init__(self, seed: str, *, libraries: bool = True) -> None:
        self.r = r = random.Random(f"source {seed}")
        self.inputs = Spec.parse(r.choice(SIGNATURES))
        theme = random.Random(f"theme {seed}")
        self.theme = theme.choice(themes.THEMES) if theme.random() < themes.SHARE else ""
        if self.theme == "table" and theme.random() < 0.7:
            self.inputs = Spec.parse(theme.choice(themes.SIGNATURES))
        same = r.random() < 0.12
        self.sizes: dict[str, int] = dict.fromkeys("ndk", r.choice((2, 3, 4))) if same else dict(SAMPLES[0])
        self.same = same
        backend = r.random() if libraries else 1.0
        self.backend = "jax" if backend < 0.012 else "torch" if backend < 0.024 else "numpy"
        self.backend = "numpy" if self.theme else self.backend
        if self.theme == "statements" and libraries:
            self.backend = theme.choices(("numpy", "torch", "jax"), (8, 1, 1))[0]
        self.head: list[str] = []
        self.body: list[str] = []
        self.count = 0
        rng = np.random.default_rng(r.randrange(2**32))
        self.names: dict[str, Any] = {"np": np, "math": math}
        self.values = {a.name: sample(a, self.sizes, rng) for a in self.inputs}
        self.real = [a.name for a in self.inputs if not a.kind]
        self.header()

    def header(self) -> None:
        """Names of sizes, as people bind them."""
        for a in self.inputs:
            if len(a.axes) == 2 and not a.kind and self.r.random() < 0.3:
                self.run(f"rows, cols = {a.name}.shape")
                return

    def run(self, code: str, head: str = "") -> bool:
        """Add code where it works."""
        names = {
            **self.names,
            **{k: np.copy(v) if hasattr(v, "shape") else v for k, v in self.values.items()},
        }
        before = set(names)
        try:
            with warnings.catch_warnings(), np.errstate(all="ignore"):
                warnings.simplefilter("ignore")
                exec(head, names)
                exec(code, names)
        except Exception:
            return False
        made = {
            k: v for k, v in names.items() if k not in before and k not in ("__builtins__", "i", "row", "_")
        }
        for value in made.values():
            if isinstance(value, (np.ndarray, np.generic)) and not _usable(value):
                return False
        self.names.update(
            {k: v for k, v in made.items() if callable(v) or isinstance(v, (list, dict, type(math)))}
        )
        self.values.update(
            {
                k: np.asarray(v) if isinstance(v, np.generic) else v
                for k, v in names.items()
                if (k in made or k in self.values) and isinstance(v, (np.ndarray, np.generic, int, float))
            }
        )
        self.head += [head] if head else []
        self.body.append(code)
        return True

    def arrays(self, rank: int | None = None, least: int = 0) -> list[str]:
        """The arrays of some rank, recent ones last."""
        found = [k for k, v in self.values.items() if isinstance(v, np.ndarray)
                 and (v.ndim == rank if rank is not None else v.ndim >= least)]  # fmt: skip
        return [k for k in found if k in self.real or k not in {a.name for a in self.inputs}]

    def fill(self, template: str, **fixed: str) -> str:
        """A piece with names in it."""
        r = self.r
        chosen = dict(fixed)

        def pick(found: list[str]) -> str:
            if not found:
                raise LookupError
            return (
                found[-1]
                if r.random() < 0.7
                else r.choice(found[-4:])
                if r.random() < 0.8
                else r.choice(found)
            )

        def value(match: re.Match[str]) -> str:
            key = match[1]
            if key in chosen:
                return chosen[key]
            first = next((chosen[k] for k in ("v", "m", "u") if k in chosen), None)
            shape = np.shape(self.values[first]) if first else ()
            if key == "v":
                text = pick(self.arrays(least=1))
            elif key in ("m", "p"):
                text = pick(self.arrays(2))
            elif key == "u":
                text = pick(self.arrays(1))
            elif key == "w":
                text = pick([k for k in self.arrays() if np.shape(self.values[k]) == shape])
            elif key == "b":
                text = pick([k for k in self.arrays() if _fits(np.shape(self.values[k]), shape)])
            elif key == "x":
                text = pick(self.real)
            elif key == "ax":
                text = str(r.randrange(-len(shape), len(shape))) if shape else "0"
            elif key == "N":
                axis = int(chosen.get("ax", "-1"))
                return f"{first}.shape[{axis}]"
            elif key == "n":
                text = self.size()
            elif key in ("c", "i"):
                return str(r.choice((2, 3, 4, 5, 7) if key == "c" else (0, 1, 1, 2)))
            elif key == "q":
                return r.choice(("0.5", "0.25", "1.5", "0.1", "np.sqrt(2)", "math.pi", "(1 / 3)"))
            else:
                return match[0]
            chosen[key] = text
            return text

        return _FIELD.sub(value, template)

    def size(self) -> str:
        """An expression for a size."""
        names = self.arrays(least=1)
        name = self.r.choice(names)
        rank = np.ndim(self.values[name])
        bound = [k for k in ("rows", "cols") if k in self.values]
        options = [
            f"{name}.shape[{self.r.randrange(-rank, rank)}]",
            f"len({name})",
            f"{name}.shape[-1]",
            *bound,
        ]
        return self.r.choice(options)

    def themed(self) -> bool:
        """One more variable, by a piece of the theme."""
        r, name = self.r, f"v{self.count + 1}"
        try:
            if self.theme == "table":
                head, code = self.table(f"W{len(self.head) + 1}")
                code = f"{name} = {code}"
            elif self.theme == "statements":
                head, piece = statement(r, self.backend)
                head, code = "" if head in self.head else head, self.fill(piece, o=name)
            else:
                piece = r.choice(themes.TIES) if self.theme == "ties" else themes.spectral(r)
                head, code = "", self.fill(piece, o=name)
        except LookupError:
            return False
        if self.run(code, head):
            self.count += 1
            return True
        return False

    def table(self, name: str) -> tuple[str, str]:
        """A stored table, and an expression with it."""
        r = self.r
        literal = {int(n) for a in self.inputs for b in a.axes for n, _ in b if n.isdigit()}
        bound = self.same or literal
        kind = r.choice(("last", "last", "first", "first", "square", "mixed")) if bound else "mixed"
        if kind == "mixed":
            length, piece = r.choice(themes.MIXED)
            return f"{name} = {themes.vector_table(r, length)}", self.fill(piece, t=name)
        key = "m" if kind == "square" else "v"
        array = self.fill(f"{{{key}}}")
        shape = np.shape(self.values[array])
        length = shape[0] if kind == "first" else shape[-1]
        if not self.same and length not in literal:
            raise LookupError
        make = themes.square_table if kind == "square" else themes.vector_table
        uses = {"last": themes.ON_LAST, "first": themes.ON_FIRST, "square": themes.SQUARE}[kind]
        return f"{name} = {make(r, length)}", self.fill(r.choice(uses), t=name, **{key: array})

    def step(self, *, wild: bool) -> bool:
        """One more variable."""
        r, name = self.r, f"v{self.count + 1}"
        if self.theme and (not self.count or r.random() < 0.4):
            return self.themed()
        block = r.random() < 0.16 and self.backend == "numpy"
        try:
            if block:
                head, code = r.choice(pieces.WILD_BLOCKS if wild else pieces.TAME_BLOCKS)
                head = _FIELD.sub(lambda m: str(r.choice((2, 3, 5))) if m[1] == "c" else m[0], head)
                code = self.fill(code, o=name)
                if head and any(head.split("(")[0] in h for h in self.head):
                    return False
            else:
                counts = (5, 3 * (self.backend == "numpy"), 1) if wild else (3, 4, 4, 1)
                table = r.choices(WILD if wild else TAME, counts)[0]
                head, code = (
                    "",
                    f"{name} = {self.einsum() if r.random() < 0.04 else self.fill(r.choice(table))}",
                )
        except LookupError:
            return False
        if self.run(code, head):
            self.count += 1
            return True
        return False

    def einsum(self) -> str:
        """A random einsum: one letter a length, now and then another one for an axis of equal length."""
        r = self.r
        names = [r.choice(self.arrays(least=1)) for _ in range(r.randint(1, 3))]
        letters: dict[int, str] = {}
        rows = []
        for name in names:
            row = ""
            for length in np.shape(self.values[name]):
                if length not in letters or r.random() < 0.3:
                    letters[length] = "ijklmnopq"[len(set("".join(rows) + row)) % 9]
                row += letters[length]
            rows.append(row)
        seen = sorted(set("".join(rows)))
        out = "".join(r.sample(seen, r.randint(0, min(3, len(seen)))))
        return f"np.einsum('{','.join(rows)}->{out}', {', '.join(names)})"

    def write(self) -> Source | None:
        """The whole function; None where no statement was found."""
        r = self.r
        wild = r.choices((0, 1, 2, 3), (4, 4, 2, 1))[0] if not self.theme else r.choice((0, 0, 1))
        most = r.choice((1, 1, 2, 4)) if self.theme == "table" else 3 if self.theme else 6
        length = r.randint(max(1, wild), max(most, wild))
        at = set(r.sample(range(length), min(wild, length)))
        for k in range(length):
            for _ in range(12):
                if self.step(wild=k in at):
                    break
        made = [k for k in self.arrays() if k.startswith("v")]
        if not made:
            return None
        last, others = made[-1], made[:-1]
        shape = np.shape(self.values[last])
        same = [k for k in others if np.shape(self.values[k]) == shape]
        if same and r.random() < 0.3:
            last = f"{last} {r.choice('+-*')} {r.choice(same)}"
        head = tuple(self.head)
        stateful = any(word in h for h in head for word in pieces.STATEFUL)
        second = ""
        if r.random() < 0.1 and self.backend == "numpy" and not self.theme:
            last, second = self.pair(last)
        if r.random() < 0.85:
            self.prune(f"{last} {second}")
        twin = (*self.body, f"return {second}") if second else ()
        sizes = self.sizes if self.same else None
        body = (*self.body, f"return {last}")
        source = Source(head, body, self.inputs, sizes, self.backend, stateful, twin, self.theme)
        return translated(source)

    def prune(self, last: str) -> None:
        """Without the statements that nothing rests on."""
        used, kept = last, []
        for part in reversed(self.body):
            bound = re.findall(r"^(v\d+|rows, cols) = ", part, re.MULTILINE)
            writes = re.search(rf"^({'|'.join(a.name for a in self.inputs)})\W", part, re.MULTILINE)
            if not bound or writes or any(re.search(rf"\b{w}\b", used) for b in bound for w in b.split(", ")):
                kept.append(part)
                used += "\n" + part
        self.body = kept[::-1]

    def pair(self, last: str) -> tuple[str, str]:
        """Two ways to write one thing; the function as it is where none is found."""
        for _ in range(20):
            try:
                both = self.fill("\0".join(self.r.choice(pieces.TWINS))).split("\0")
            except LookupError:
                continue
            if all(self.run(f"last = {code}") for code in both):
                del self.body[-2:]
                return both[0], both[1]
        return last, ""


def _usable(value: Any) -> bool:
    if (
        np.asarray(value).dtype.kind not in "fiub"
        or np.size(value) > 3000
        or np.ndim(value) > 4
        or not np.size(value)
    ):
        return False
    numbers = np.asarray(value, dtype=float)
    return bool(np.isfinite(numbers).any() and np.nanmax(np.abs(numbers)) < 1e9)


def _fits(small: tuple[int, ...], shape: tuple[int, ...]) -> bool:
    try:
        return np.broadcast_shapes(small, shape) == shape
    except ValueError:
        return False


# ------------------------------------------------------------------------------------------ other libraries
_TORCH = (
    (r"np\.max\(", "torch.amax("), (r"np\.min\(", "torch.amin("), (r"\.max\(", ".amax("),
    (r"\.min\(", ".amin("),
    (r"np\.newaxis", "None"), (r"np\.concatenate", "torch.cat"), 
    (r"np\.linalg\.norm", "torch.linalg.vector_norm"),
    (r"np\.power", "torch.pow"), (r"np\.arange", "torch.arange"), (r"np\.pi", "math.pi"),
    (r"np\.sqrt\(2\)", "math.sqrt(2)"),
    (r"np\.", "torch."),
)  # fmt: skip


def translated(source: Source) -> Source | None:
    """The function in the spelling of its library."""
    if source.backend != "torch":
        return source
    try:
        import torch
    except ImportError:
        return replace(source, backend="numpy")
    body = []
    for line in source.body:
        for old, new in _TORCH:
            line = re.sub(old, new, line)
        body.append(line)
    found = replace(source, head=("import torch", *source.head), body=tuple(body))
    rng = np.random.default_rng(0)
    sizes = source.sizes or SAMPLES[0]
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            answer = found.function()(*(torch.from_numpy(sample(a, sizes, rng)) for a in source.inputs))
    except Exception:
        return replace(source, backend="numpy")
    return found if isinstance(answer, torch.Tensor) else replace(source, backend="numpy")


# --------------------------------------------------------------------------------------------------- claims
def output_axes(source: Source, trials: Trials, r: random.Random) -> tuple[Block, ...] | None:
    """The axes of the result, by its lengths at the sample sizes."""
    if source.sizes is not None:
        shape = trials.shape(source.sizes)
        if shape is None:
            return None
        names = sorted({n for a in source.inputs for axis in a.axes for n, _ in axis if not n.isdigit()})
        length = next(iter(source.sizes.values()))
        return tuple(
            ((r.choice(names), ""),) if s == length and names else ((f"o{i}", ""),)
            for i, s in enumerate(shape)
        )
    first, second = (trials.shape(s) for s in SAMPLES)
    if first is None or second is None or len(first) != len(second):
        return None
    used = {n for a in source.inputs for axis in a.axes for n, _ in axis}
    axes: list[Block] = []
    for i, pair in enumerate(zip(first, second, strict=True)):
        found = [t for t, lengths in LENGTHS.items() if lengths == pair]
        if pair[0] == pair[1] and not found:
            axes.append(((str(pair[0]), ""),) if r.random() < 0.7 else ((f"o{i}", ""),))
            continue
        names = re.split(r"\+", found[0].replace("2n", "n+n").replace("2d", "d+d")) if found else []
        if names and set(names) <= used:
            axes.append(tuple((n, "") for n in names))
        else:
            axes.append(((f"o{i}", ""),))
    return tuple(axes)


def claim_of(seed: str, *, libraries: bool = True) -> tuple[Source, Claim, Trials] | None:
    """A function and a claim about it; None where the draw gave none."""
    source = Writer(seed, libraries=libraries).write()
    if source is None:
        return None
    r = random.Random(f"claim {seed}")
    trials = Trials(source, seed)
    axes = output_axes(source, trials, r)
    if axes is None:
        return None
    inner = Claim(source.inputs, axes, ())
    if source.twin:
        return source, replace(inner, factors=(("=", ""),)).with_sizes(source.sizes, r), trials
    families = FAMILIES
    if source.theme == "table" and r.random() < 0.8:  # where the sums of weights decide
        families = r.choice((("T", "E", "SE"), ("T", "E", "SE"), ("T", "E", "SE"), ("Scale",)))
    candidates = list(inner.candidates(r, families))
    if not candidates:
        return None
    wanted = r.random()
    if source.tables and r.random() < 0.4:
        far = [(trials.distance(c), k) for k, c in enumerate(candidates[:40])]
        near = [candidates[k] for distance, k in sorted(far) if 1e-13 < distance < math.inf][:3]
        if near:  # the nearest to true of those that are false
            return source, with_constants(r.choice(near), source, r).with_sizes(source.sizes, r), trials
    judged: list[tuple[Claim, bool, bool]] = []
    for claim in candidates[:40]:
        small, large = trials.violated(claim, small=True), trials.violated(claim, small=False)
        judged.append((claim, small, small or large))
    true = [c for c, _, bad in judged if not bad]
    late = [c for c, small, bad in judged if bad and not small]
    beside = [c for c, _, bad in judged if bad and any(c.beside(t) for t in true)]
    if wanted < 0.1 and late:
        chosen = r.choice(late)
    elif wanted < 0.62 and true:
        moving = [c for c in true if any(c.acts_on_output)]
        chosen = r.choice(moving if moving and r.random() < 0.7 else true)
    elif wanted < 0.88 and beside:
        chosen = r.choice(beside)
    else:
        chosen = r.choice(candidates)
    return source, with_constants(chosen, source, r).with_sizes(source.sizes, r), trials


def with_constants(claim: Claim, source: Source, r: random.Random) -> Claim:
    """The claim, now and then about stored numbers as they are."""
    return replace(claim, constants="literal") if source.tables and r.random() < 0.25 else claim


__all__ = ["FAMILIES", "Source", "Writer", "claim_of"]
