"""Other tools on the corpus of wrong and right functions: what they miss, their false alarms, their time.

    python benchmarks/comparison.py [--budget 3] [--escnn FOLDER] [--out benchmarks/comparison.md]

Every tool is used as its documentation shows it, with its own defaults, and judges what it can express:

- allclose, once and 100 times: as in `detection.py`;
- Hypothesis: 100 examples of sizes from 1 to 5, of entries from -10 to 10 and of group elements, compared by
  np.allclose (rtol 1e-6, atol 1e-8), without shrinking;
- e3nn: `e3nn.util.test.assert_equivariant` with irreps 0e and 1o, for O(3) and SO(3);
- escnn: `EquivariantModule.check_equivariance` on R^0, for O(2), SO(2) and C(4). Its dependencies need
  NumPy 1: `--escnn FOLDER` names a folder with all of them, which a second process uses.

A tool that raises an error reports a failure. Seconds are of the wall clock, one process.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import json
import os
import platform
import random
import subprocess
import sys
import time
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
sys.path.insert(0, str(Path(__file__).resolve().parent))

from eqvproof.claims.groups import Factor, act, act_on_argument, parse_group, random_element
from eqvproof.claims.signature import Axis, parse_signature
from eqvproof.support.errors import EqvproofError
from tests.corpus import right, wrong
from tests.corpus.case import Case

HERE = Path(__file__).resolve().parent
Answer = bool | None  # whether the tool reports a failure; None where it cannot express the claim
EXAMPLES = 100


# ------------------------------------------------------------------------- claims as others write them
@dataclass(frozen=True, slots=True)
class Layout:
    """An array whose one moved axis, if any, comes last: its shape, and that axis."""

    shape: tuple[int, ...]
    moved: int | None

    @property
    def copies(self) -> int:
        """How many vectors (or numbers, where nothing moves) the array holds."""
        size = self.shape[self.moved] if self.moved is not None else 1
        return int(np.prod(self.shape, dtype=int)) // size

    def flat(self, array: Any) -> Any:
        """The entries, vector after vector."""
        array = np.asarray(array, dtype=np.float64).reshape(self.shape)
        return (array if self.moved is None else np.moveaxis(array, self.moved, -1)).reshape(-1)

    def full(self, entries: Any) -> Any:
        """The array of these entries."""
        if self.moved is None:
            return entries.reshape(self.shape)
        last = [s for k, s in enumerate(self.shape) if k != self.moved] + [self.shape[self.moved]]
        return np.moveaxis(entries.reshape(last), -1, self.moved)


def layouts(case: Case, families: dict[str, int]) -> tuple[Factor, list[Layout], Layout] | None:
    """The claim at the sizes a tool wants, if it is about one of its groups and one axis of each array."""
    signature = parse_signature(case.signature)
    group = parse_group(case.under, signature)
    if len(group.factors) != 1 or group.factors[0].family not in families:
        return None
    factor = group.factors[0]
    want = families[factor.family]
    given = {**case.options.get("sizes", {}), **group.pins}
    sizes = {}
    for k, name in enumerate(signature.input_names):
        low, high = span if isinstance(span := given.get(name, (1, 9)), tuple) else (span, span)
        sizes[name] = max(low, min(high, want if name == factor.axis else 3 + k))
    if (sizes[factor.axis] if isinstance(factor.axis, str) else factor.axis) != want:
        return None

    def lay(axes: tuple[Axis, ...]) -> Layout | None:
        moved = [k for k, a in enumerate(axes) if any(factor.acts_on(t) for t in a.terms)]
        if len(moved) > 1 or any(len(axes[k].terms) > 1 or axes[k].at(sizes) != want for k in moved):
            return None
        return Layout(tuple(a.at(sizes) for a in axes), moved[0] if moved else None)

    try:
        found = [lay(a.axes) for a in signature.inputs]
        result = lay(signature.output)
    except (EqvproofError, KeyError):
        return None
    if result is None or None in found or any(a.kind != "real" for a in signature.inputs):
        return None
    return factor, [x for x in found if x is not None], result


# ------------------------------------------------------------------------------------------- the tools
def ours(case: Case, budget: float) -> Answer:
    """`eqvproof.check`."""
    import eqvproof as ep

    return ep.check(case.function, case.signature, case.under, budget=budget, **case.options).fails


def once(case: Case, budget: float) -> Answer:
    """One Gaussian input in float32."""
    from detection import single

    return not single(case)


def hundred(case: Case, budget: float) -> Answer:
    """100 Gaussian inputs in float64."""
    from detection import hundred as passes

    return not passes(case)


def by_hypothesis(case: Case, budget: float) -> Answer:
    """A property test with generated sizes, inputs and elements."""
    from hypothesis import HealthCheck, Phase, given, settings
    from hypothesis import strategies as st
    from hypothesis.extra.numpy import arrays

    signature = parse_signature(case.signature)
    group = parse_group(case.under, signature)
    pinned = {**case.options.get("sizes", {}), **group.pins}

    @settings(
        max_examples=EXAMPLES, derandomize=True, database=None, deadline=None, phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )  # fmt: skip
    @given(st.data(), st.integers(0, 2**32 - 1))
    def holds(data: st.DataObject, seed: int) -> None:
        sizes = {}
        for name in signature.input_names:
            low, high = span if isinstance(span := pinned.get(name, (1, 5)), tuple) else (span, span)
            sizes[name] = data.draw(st.integers(low, high))
        inputs = {
            a.name: data.draw(arrays(float, tuple(x.at(sizes) for x in a.axes), elements=st.floats(-10, 10)))
            for a in signature.inputs
        }
        elements = [random_element(f, f.size(sizes), random.Random(seed)) for f in group.factors]
        moved = dict(inputs)
        for element in elements:
            for a in signature.inputs:
                moved[a.name] = np.asarray(act_on_argument(element, moved[a.name], a, sizes), dtype=float)
        at = np.asarray(case.function(*inputs.values()))
        left = np.asarray(case.function(*moved.values())).astype(float)
        for element in elements:
            at = act(element, at.astype(float), signature.output, signature.output_sizes(at.shape, sizes))
        if not np.allclose(left, np.asarray(at, dtype=float), rtol=1e-6, atol=1e-8):
            raise AssertionError

    return raises(holds)


def by_e3nn(case: Case, budget: float) -> Answer:
    """`assert_equivariant` with its defaults."""
    import torch
    from e3nn import o3
    from e3nn.util.test import assert_equivariant

    claim = layouts(case, {"O": 3, "SO": 3})
    if claim is None:
        return None
    factor, inputs, result = claim

    def function(*tensors: Any) -> Any:
        values = [x.full(t.reshape(-1).numpy()) for x, t in zip(inputs, tensors, strict=True)]
        return torch.as_tensor(result.flat(case.function(*values)), dtype=torch.float32)[None]

    irreps = [o3.Irreps(f"{x.copies}x{'0e' if x.moved is None else '1o'}") for x in (*inputs, result)]
    torch.manual_seed(0)
    given = [x.randn(1, -1) for x in irreps[:-1]]
    return raises(
        lambda: assert_equivariant(
            function, given, irreps_in=irreps[:-1], irreps_out=irreps[-1:], do_parity=factor.family == "O"
        )
    )


def by_escnn(case: Case, budget: float) -> Answer:
    """`check_equivariance` with its defaults."""
    claim = layouts(case, {"O": 2, "SO": 2, "C": 4})
    if claim is None:
        return None
    factor, inputs, result = claim
    import torch
    from escnn import group, gspaces, nn

    acting, standard = {
        "O": lambda: (g := group.o2_group(maximum_frequency=2), g.irrep(1, 1)),
        "SO": lambda: (g := group.so2_group(maximum_frequency=2), g.irrep(1)),
        "C": lambda: (g := group.cyclic_group(4), g.regular_representation),
    }[factor.family]()
    space = gspaces.no_base_space(acting)

    def field(*arrays: Layout) -> Any:
        kinds = [acting.trivial_representation if x.moved is None else standard for x in arrays]
        return nn.FieldType(space, [k for k, x in zip(kinds, arrays, strict=True) for _ in range(x.copies)])

    class Module(nn.EquivariantModule):
        def __init__(self) -> None:
            super().__init__()
            self.in_type, self.out_type = field(*inputs), field(result)

        def forward(self, x: Any) -> Any:
            rows = []
            for row in x.tensor.numpy():
                values, start = [], 0
                for layout in inputs:
                    size = int(np.prod(layout.shape, dtype=int))
                    values.append(layout.full(row[start : start + size]))
                    start += size
                rows.append(result.flat(case.function(*values)))
            return nn.GeometricTensor(torch.as_tensor(np.array(rows), dtype=torch.float32), self.out_type)

        def evaluate_output_shape(self, input_shape: tuple[int, ...]) -> tuple[int, ...]:
            return (input_shape[0], self.out_type.size)

    torch.manual_seed(0)
    np.random.seed(0)
    return raises(lambda: Module().check_equivariance())


def raises(work: Callable[[], Any]) -> bool:
    """Whether it ends in an error; what it prints is dropped."""
    with warnings.catch_warnings(), np.errstate(all="ignore"), contextlib.redirect_stdout(io.StringIO()):
        warnings.simplefilter("ignore")
        try:
            work()
        except Exception:
            return True
    return False


TOOLS: dict[str, Callable[[Case, float], Answer]] = {
    "eqvproof": ours, "allclose, once": once, "allclose, 100 times": hundred, "Hypothesis": by_hypothesis,
    "e3nn": by_e3nn, "escnn": by_escnn,
}  # fmt: skip
Run = list[tuple[Answer, float]]


def run(tool: str, budget: float) -> Run:
    """The tool on all cases, wrong ones first; each with its seconds."""
    answers = []
    for case in (wrong.CORPUS.cases[0], *(c for c in right.CORPUS.cases if "O(d)" in c.under)):
        if TOOLS[tool](case, budget) is not None:  # what is loaded with the first call is not counted
            break
    for case in (*wrong.CORPUS.cases, *right.CORPUS.cases):
        start = time.perf_counter()
        answer = TOOLS[tool](case, budget)
        answers.append((answer, time.perf_counter() - start))
        print(f"{tool}: {case.name}: {answer}", file=sys.stderr)
    return answers


def elsewhere(folder: Path) -> Run:
    """The same for escnn, in a process that finds its packages in that folder first."""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(folder), str(HERE.parent)])}
    command = [sys.executable, __file__, "--only", "escnn"]
    done = subprocess.run(command, env=environment, stdout=subprocess.PIPE, check=True, text=True)
    return [(answer, seconds) for answer, seconds in json.loads(done.stdout)]


def version(package: str, folder: Path | None = None) -> str:
    """The version of a package, in that folder where one is given."""
    from importlib.metadata import distributions

    found = distributions(name=package, path=[str(folder)]) if folder else distributions(name=package)
    return next((d.version for d in found), "?")


def table(runs: dict[str, Run], names: dict[str, str]) -> list[str]:
    """One line a tool; beside its misses and false alarms ours on the same functions."""
    bad = len(wrong.CORPUS.cases)
    lines = [
        "| tool | wrong: asked | missed | ours | right: asked | false alarms | ours | seconds |",
        "|---|---|---|---|---|---|---|---|",
    ]
    for tool, answers in runs.items():
        asked = [k for k, (a, _) in enumerate(answers) if a is not None]
        low, high = [k for k in asked if k < bad], [k for k in asked if k >= bad]
        mine = runs["eqvproof"]
        counts = [
            len(low), sum(not answers[k][0] for k in low), sum(not mine[k][0] for k in low),
            len(high), sum(bool(answers[k][0]) for k in high), sum(bool(mine[k][0]) for k in high),
        ]  # fmt: skip
        seconds = [answers[k][1] for k in asked]
        cells = [names[tool], *counts, f"{median(seconds):.3f}, {max(seconds):.1f}"]
        lines.append(f"| {' | '.join(map(str, cells))} |")
    return lines


def main() -> None:
    """Run the tools and write the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--budget", type=float, default=3.0)
    parser.add_argument("--escnn", type=Path, default=None)
    parser.add_argument("--only", choices=TOOLS, default=None)
    parser.add_argument("--out", type=Path, default=HERE / "comparison.md")
    options = parser.parse_args()
    if options.only:
        if np.lib.NumpyVersion(np.__version__) < "2.0.0":
            sys.modules["jax"] = None  # type: ignore[assignment]  # where there is one, it needs NumPy 2
        print(json.dumps(run(options.only, options.budget)))
        return
    names = {tool: tool for tool in TOOLS}
    names["Hypothesis"] = f"Hypothesis {version('hypothesis')}"
    names["e3nn"] = f"e3nn {version('e3nn')}, `assert_equivariant`"
    names["escnn"] = f"escnn {version('escnn', options.escnn)}, `check_equivariance`"
    runs = {tool: run(tool, options.budget) for tool in TOOLS if tool != "escnn"}
    if options.escnn:
        runs["escnn"] = elsewhere(options.escnn.resolve())
    text = [
        "# Other tools on the same functions", "",
        f"Written by `benchmarks/comparison.py` (Python {platform.python_version()}, NumPy {np.__version__},"
        f" {options.budget:g} s a verdict of ours, one run). The functions are in `tests/corpus`:"
        f" {len(wrong.CORPUS.cases)} wrong ones, {len(right.CORPUS.cases)} right ones. Every tool has its"
        " own defaults, and is asked about the claims that it can express; *ours*: eqvproof on the same"
        " claims. Seconds are for one function: median, greatest.", "",
        *table(runs, names), "",
        "" if options.escnn else "escnn was not installed.", "",
    ]  # fmt: skip
    options.out.write_text("\n".join(text).rstrip() + "\n")


if __name__ == "__main__":
    main()
