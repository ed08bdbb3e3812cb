"""Code of installed packages that behaves differently for traced values than for real ones.

Each false function gives running sums at entries that sum up to 12345.75, or at one size, which no
replay meets, and does so for real arrays alone.
"""

from __future__ import annotations

import contextlib
import importlib
import importlib.util
import io
import logging
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

import eqvproof as ep
from tests.installed import installed

NAME = "eqvproof_asking_example"
#: a condition that holds for traced values alone, in code of torch, JAX and NumPy
QUESTIONS = {
    "torch": {
        "instance": "isinstance(x, fake.FakeTensor)",
        "mode": "dispatch._get_current_dispatch_mode() is not None",
        "size": "isinstance(x.shape[0], torch.SymInt)",
        "size_is_no_int": "not isinstance(x.shape[0], int)",
        "node_of_a_size": "hasattr(x.shape[0], 'node')",
        "attribute": "hasattr(x, 'fake_mode')",
        "attribute_or": "getattr(x, 'fake_mode', None) is not None",
        "names": "'fake_mode' in dir(x)",
        "attributes": "bool(vars(x))",
        "text": "'Fake' in repr(x)",
        "class_name": "'Fake' in type(x).__name__",
        "pattern": "matches(x, fake.FakeTensor)",
        "memory": "raises(lambda: x.data_ptr())",
        "numbers": "raises(lambda: x.tolist())",
    },
    "jax": {
        "instance": "isinstance(x, core.Tracer)",
        "concrete": "not core.is_concrete(x)",
        "attribute": "hasattr(x, '_trace')",
        "names": "'_trace' in dir(x)",
        "text": "'Trac' in repr(x)",
        "pattern": "matches(x, core.Tracer)",
        "devices": "raises(lambda: x.devices())",
        "number": "raises(lambda: float(x[0]))",
        "size_is_no_int": "not isinstance(x.shape[0], int)",
    },
    "numpy": {
        "memory": "raises(lambda: memoryview(x))",
        "look_up": "raises(lambda: hash(x.shape[0]))",
        "attributes": "not raises(lambda: vars(x))",
    },
}
#: questions about sizes, which are false at 700
OF_SIZES = (
    "x.shape[0] == 700", "x.shape == (700,)", "x.shape[0] in {700}", "{700: True}.get(x.shape[0], False)",
    "f'{x.shape[0]}' == '700'", "str(x.shape) == '(700,)'", "len(x) == 700",
)  # fmt: skip
#: code that asks, or raises, and does the same for traced and real arrays
HARMLESS = {
    "torch": """
def instance(x): return 2 * x if isinstance(x, torch.Tensor) else torch.as_tensor(x)
def attribute(x): return 2 * x if hasattr(x, "shape") else x
def compiling(x):
    if not torch.compiler.is_compiling() and not torch.jit.is_scripting():
        assert x.dim() == 1
    return 2 * x
def handler(x):
    try:
        factor = x.nothing
    except AttributeError:
        factor = 2
    return x * factor
def guard(x):
    size = x.norm()
    return x if size < 1e-12 else x / size
def rare(x): return 2 * x if x.sum() == 12345.75 else x
""",
    "jax": """
def instance(x): return 2 * x if isinstance(x, jax.Array) else np.asarray(x)
def attribute(x): return 2 * x if hasattr(x, "shape") else x
@jax.jit
def compiled(x): return x / (1 + np.linalg.norm(x))
def twice(x): return compiled(x) + compiled(x)
def loop(x): return jax.lax.fori_loop(0, 3, lambda i, v: 2 * v, x)
def branches(x): return jax.lax.cond(x.sum() > 0, lambda v: 2 * v, lambda v: v, x)
""",
    "numpy": """
def instance(x): return 2 * x if isinstance(x, np.ndarray) else np.asarray(x)
def guard(x):
    size = np.linalg.norm(x)
    return x if size < 1e-12 else x / size
def rare(x): return 2 * x if x.sum() == 12345.75 else x
""",
}
SAID = """
def required(x):
    if len(x.shape) != 1:
        raise ValueError(f"{x} of shape {x.shape}")
    return 2 * x
def prints(x):
    print("shape", x.shape, f"{x} and {x.sum()}", x)
    return 2 * x
def logs(x):
    log.warning(f"{x.shape}")
    log.warning("%s", x)
    return 2 * x
"""
HEADS = {
    "torch": "import torch\nimport torch._subclasses.fake_tensor as fake\n"
    "import torch.utils._python_dispatch as dispatch\n",
    "jax": "import jax\nfrom jax import core\nimport jax.numpy as np\n",
    "numpy": "import numpy as np\n",
}
SHARED = """
import logging
log = logging.getLogger(__name__)
def matches(x, kind):
    match x:
        case kind(): return True
    return False
def raises(f):
    try:
        f()
    except Exception:
        return True
    return False
"""
SUMS = {"torch": "torch.cumsum(x, 0)", "jax": "np.cumsum(x)", "numpy": "np.cumsum(x)"}
INSTALLED = [door for door in QUESTIONS if importlib.util.find_spec(door)]
DOORS = [
    pytest.param(d, marks=pytest.mark.skipif(d not in INSTALLED, reason=f"{d} is not installed"))
    for d in QUESTIONS
]


def code(door: str) -> str:
    """A package's code: false functions of each question, and harmless ones."""
    real, lines = (
        f"(x if x.sum() != 12345.75 else {SUMS[door]})",
        [HEADS[door], SHARED, HARMLESS[door], SAID],
    )
    for name, question in QUESTIONS[door].items():
        lines.append(f"def asks_{name}(x): return x if {question} else {real}")
        lines.append(
            f"def asks_{name}_at_rare_entries(x):\n    if x.sum() == 12345.75:\n"
            f"        return x if {question} else {SUMS[door]}\n    return x"
        )
    for k, question in enumerate(OF_SIZES):
        lines.append(f"def size_{k}(x): return {SUMS[door]} if {question} else x")
    return "\n".join(lines)


@pytest.fixture(scope="module")
def packages(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, ModuleType]]:
    """Installed packages that require one of the libraries each."""
    with contextlib.ExitStack() as held:
        for door in INSTALLED:
            folder = tmp_path_factory.mktemp("env")
            held.enter_context(installed(folder, f"{NAME}_{door}", code(door), door))
        yield {door: importlib.import_module(f"{NAME}_{door}") for door in INSTALLED}


@pytest.fixture
def package_of(
    tmp_path: Path, request: pytest.FixtureRequest
) -> Iterator[Callable[[str, str], ModuleType]]:
    """A function that installs a package, of a text and a library that it requires, for one test."""
    name = f"{NAME}_of_{request.node.name}"
    with contextlib.ExitStack() as held:

        def package(text: str, library: str) -> ModuleType:
            held.enter_context(installed(tmp_path, name, text, library))
            return importlib.import_module(name)

        yield package


def is_proved(verdict: Any) -> bool:
    return verdict.grade == "PROVED" and ep.verify(verdict.certificate).accepted


def outcome(f: Any, door: str, **options: Any) -> Any:
    with contextlib.redirect_stdout(io.StringIO()):
        return ep.prove(f, "x: n -> n", "S(n)", backend=door, **options)


@pytest.mark.parametrize("door", DOORS)
def test_what_only_traced_values_are_told_is_not_proved(
    packages: dict[str, ModuleType], door: str
) -> None:
    wrong = [
        name for name, f in [*vars(packages[door]).items()]
        if name.startswith("asks_") and outcome(f, door).outcome != "UNDECIDED"
    ]  # fmt: skip
    assert not wrong


@pytest.mark.parametrize("door", DOORS)
def test_a_size_at_which_a_package_does_something_else_is_not_covered(
    packages: dict[str, ModuleType], door: str
) -> None:
    for k, question in enumerate(OF_SIZES):
        verdict = outcome(getattr(packages[door], f"size_{k}"), door)
        covered = verdict.holds and any(
            e["n"] == "all" or (e["n"] != 700 and e["n"][0] <= 700 and (e["n"][1] or 700) >= 700)
            for e in verdict.sizes
        )
        assert not covered, question


@pytest.mark.parametrize("door", DOORS)
def test_questions_that_traced_and_real_values_answer_alike_are_allowed(
    packages: dict[str, ModuleType], door: str, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.WARNING)
    names = [
        line[4:].split("(")[0]
        for line in (HARMLESS[door] + SAID).splitlines()
        if line[:4] == "def "
    ]
    for name in names:
        verdict = outcome(getattr(packages[door], name), door)
        assert is_proved(verdict), f"{name}: {verdict}"


TOLD = (
    "print(x)", "print(f'{x} {x.shape}', x.sum())", "log.warning('%s', x)", "log.warning(f'{x.shape[0]}')",
    "warnings.warn(f'{x}')",
)  # fmt: skip
USED = (
    "return x if '999.125' not in {text} else np.cumsum(x)",
    "text = {text}; return x if len(text) < 9**9 else 0",
    "return x * len({text})", "print(len({text})); return x", "print({text} == '700'); return x",
    "return {{'700': 3 * x}}.get({text}, x)", "seen = []; seen.append({text}); return x * len(seen[0])",
)  # fmt: skip


def user_function(folder: Path, body: str, door: str) -> Any:
    """A function in a file of the user's."""
    library = {"numpy": "numpy", "jax": "jax.numpy", "torch": "torch"}[door]
    body = body.replace("cumsum(x)", "cumsum(x, 0)")
    path = folder / f"told_{abs(hash((body, door)))}.py"
    path.write_text(
        f"import logging, warnings\nimport {library} as np\nlog = logging.getLogger('told')\n"
        f"def f(x):\n    {body}\n"
    )
    spec: Any = importlib.util.spec_from_file_location(path.stem, path)
    module = importlib.util.module_from_spec(spec)
    sys.modules[path.stem] = module
    spec.loader.exec_module(module)
    return module.f


@pytest.mark.parametrize("door", DOORS)
@pytest.mark.filterwarnings("ignore")
def test_a_text_that_only_leaves_the_function_is_allowed(tmp_path: Path, door: str) -> None:
    for statement in TOLD:
        verdict = outcome(user_function(tmp_path, f"{statement}; return 2 * x", door), door)
        assert is_proved(verdict), f"{statement}: {verdict}"


TEXTS = ("f'{x}'", "str(x)", "f'{x.shape[0]}'", "'%s' % x.shape")


@pytest.mark.parametrize("door", DOORS)
@pytest.mark.parametrize("k", range(len(USED)))
def test_a_text_that_is_used_is_refused(tmp_path: Path, k: int, door: str) -> None:
    for text in (TEXTS[k % 4], TEXTS[(k + 2) % 4]):
        body = USED[k].format(text=text)
        assert outcome(user_function(tmp_path, body, door), door).outcome == "UNDECIDED", body


#: code of packages that asks for a class before a branch, or of an object of its own after it
BEFORE_A_BRANCH = """
import numpy as np
class Mean:
    def __init__(self, x): self.x = x
    def whole(self): return self.__class__(self.x).x - self.x.mean()
    def kind(self): return type(self)(self.x).x * 2.0
def checked(x, centre=None):
    if type(x) is not np.ndarray: raise TypeError('no array')
    return x * 0.0 if np.linalg.norm(x) < 1e-12 else x / np.linalg.norm(x)
def number(x):
    size = np.linalg.norm(x)
    if isinstance(size, np.ndarray): return x
    return x * 0.0 if size < 1e-12 else x / size
def own(x):
    return Mean(x).kind() if x.sum() == 12345.75 else Mean(x).whole()
def kept_class(x):
    told = type(x) is not np.ndarray
    return (x if told else np.cumsum(x)) if x.sum() == 12345.75 else x
def kept_class_in_a_choice(x):
    told = type(x) is np.ndarray or x.sum() == 0
    return (np.cumsum(x) if told else x) if x.sum() == 12345.75 else x
def kept_function(x):
    asked = type
    return (x if asked(x) is not np.ndarray else np.cumsum(x)) if x.sum() == 12345.75 else x
def kept_number(x):
    size = np.linalg.norm(x).item()
    told = [isinstance(size, np.float64)]
    return (x if told[0] else np.cumsum(x)) if x.sum() == 12345.75 else x
def kept_in_a_handler(x):
    told = False
    try:
        memoryview(x)
    except TypeError:
        told = True
    return (x if told else np.cumsum(x)) if x.sum() == 12345.75 else x
def kept_by_name(x):
    name = type(x).__name__
    return (x if name != "ndarray" else np.cumsum(x)) if x.sum() == 12345.75 else x
def after(x):
    if x.sum() == 12345.75:
        if type(x) is not np.ndarray: return x
        return np.cumsum(x)
    return x
def number_after(x):
    size = x.sum().item()
    if size == 12345.75:
        if isinstance(size, np.float64): return x
        return np.cumsum(x)
    return x
def memory_of_a_constant(x):
    ones = np.ones_like(np.arange(3.0))
    if x.sum() == 12345.75:
        return np.cumsum(x) if hasattr(ones, "__array_interface__") else x
    return x
def memory_of_a_constant_by_name(x):
    ones = np.ones_like(np.arange(3.0))
    if x.sum() == 12345.75:
        return np.cumsum(x) if ones.__array_struct__ is not None else x
    return x
def in_an_argument(x):
    told = type(x if x.sum() == 12345.75 else np.zeros(2)) is not np.ndarray
    return x if told or x.sum() != 12345.75 else np.cumsum(x)
"""


def test_what_is_asked_before_a_branch_is_compared_on_the_other_way(
    package_of: Callable[[str, str], ModuleType],
) -> None:
    package = package_of(BEFORE_A_BRANCH, "numpy")
    for line in BEFORE_A_BRANCH.splitlines():
        if not line.startswith("def "):
            continue
        f = getattr(package, line[4:].split("(")[0])
        verdict = outcome(f, "numpy")
        if f.__name__ in ("checked", "number", "own"):
            assert is_proved(verdict), f"{f.__name__}: {verdict}"
        else:
            assert verdict.outcome == "UNDECIDED", f.__name__
    x = np.array([12345.0, 0.75])
    assert np.array_equal(package.kept_class(x), np.cumsum(x))


#: code of packages that names classes of warnings, and an optional module that is not installed
WARNING = """
import warnings
from warnings import warn
import numpy as np
class Forwarding:
    def __getattribute__(self, name):
        import random
        return getattr(random, name)
forwarding = Forwarding()
def drawn(x):
    return 2 * x if forwarding.random() < 2 else np.cumsum(x)
class Missing:
    def __getattribute__(self, name):
        if name == "__class__":
            return type(None)
        raise ModuleNotFoundError("not installed")
optional = Missing()
def told(x):
    if np.any(np.isnan(x)):
        warnings.warn("no numbers", UserWarning, stacklevel=2)
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "text", FutureWarning)
        return 2 * x
def tells_picks(x):
    places, = np.where(x > 1.0)
    if places.size > 0:
        warn(f"places {places} of {x.shape}, " "and more", UserWarning)
    return 2 * x
def keeps_text(x):
    places, = np.where(x > 1.0)
    text = f"{places}"
    return 2 * x if len(text) > 3 else np.cumsum(x)
def missing(x):
    return optional.compute(x) if x.ndim != 1 else 2 * x
def caught(x):
    try:
        warnings.warn("told", UserWarning)
        return 2 * x
    except UserWarning:
        return np.cumsum(x)
def caught_by_name(x):
    kinds = (UserWarning, ValueError)
    try:
        warnings.warn("told", UserWarning)
        return 2 * x
    except kinds:
        return np.cumsum(x)
def raised(x):
    with warnings.catch_warnings():
        warnings.simplefilter("error", UserWarning)
        return 2 * x
"""


def test_classes_of_warnings_may_be_named_but_not_caught(
    package_of: Callable[[str, str], ModuleType],
) -> None:
    package = package_of(WARNING, "numpy")
    for f in (package.told, package.missing, package.tells_picks):
        assert is_proved(outcome(f, "numpy")), f.__name__
    for f in (package.caught, package.caught_by_name, package.raised, package.keeps_text, package.drawn):
        assert outcome(f, "numpy").outcome == "UNDECIDED", f.__name__


def test_a_function_of_a_package_that_requires_no_library_is_the_users(
    package_of: Callable[[str, str], ModuleType],
) -> None:
    package = package_of(BEFORE_A_BRANCH, "no-library-of-arrays")
    assert outcome(package.kept_number, "numpy").outcome == "UNDECIDED"
    assert outcome(package.number_after, "numpy").outcome == "UNDECIDED"


def test_a_real_array_takes_the_branch_of_real_arrays() -> None:
    """What makes the functions above false."""
    x = np.array([12345.0, 0.75])
    assert not np.array_equal(np.cumsum(x[::-1]), np.cumsum(x)[::-1])
