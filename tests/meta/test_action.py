"""The Action in a scratch repository, the pre-commit hook, and the recipe say what the package says."""

from __future__ import annotations

import importlib.util
import os
import re
import shlex
import subprocess
import sys
import tomllib
from pathlib import Path
from types import ModuleType

import pytest

import eqvproof
from eqvproof.testing.checked_claims import CHECKED
from eqvproof.testing.declared import main

yaml = pytest.importorskip("yaml")
ROOT = Path(__file__).resolve().parents[2]


def load() -> ModuleType:
    spec = importlib.util.spec_from_file_location("benchmark_action", ROOT / "benchmarks" / "action.py")
    if spec is None or spec.loader is None:
        raise ImportError("benchmarks/action.py")
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="the steps need bash")
def test_the_steps_of_the_action(tmp_path):
    action = load()
    repository, storage = action.scratch(tmp_path)
    first = action.run(repository, storage, {"claims": "models"})
    assert (first.status, "8 claims: 8 PROVED\n" in first.summary) == (0, True), first.printed
    assert first.summary.count("(new)") == 8
    second = action.run(repository, storage, {"claims": "models"})
    assert second.status == 0 and "(8 re-checked from their certificates)" in second.summary
    assert "Nothing changed." in second.summary
    source = repository / "models.py"
    source.write_text(source.read_text().replace(*action.CHANGED))
    third = action.run(repository, storage, {"claims": "models"})
    assert third.status == 1 and "7 PROVED, 1 FAILS EXACT (7 re-checked" in third.summary
    assert "- `models:gram_layer [X: d n -> d n] under O(d): HOLDS PROVED -> FAILS EXACT`" in third.summary
    assert "g = reflect coordinate 0" in third.summary
    assert len(list((storage / "artefacts").glob("*.json"))) >= 8


def write(folder: Path, text: str) -> Path:
    (folder / "layers").mkdir()
    (folder / "layers" / "__init__.py").write_text("")
    (folder / "layers" / "some.py").write_text("import eqvproof as ep\nimport numpy as np\n" + text)
    return folder / "layers" / "some.py"


LAYER = '@ep.claim("X: d n -> d n", under="{}")\ndef f(X):\n    return {}\n'
TEXTS = "np.array([[float(str(v)) for v in row] for row in X])"  # true, and run on floats alone
STATUSES = {
    "proved": (LAYER.format("O(d)", "X * X.sum()"), [], 1),
    "holds": (LAYER.format("O(d)", "2 * X"), [], 0),
    "floor": (LAYER.format("S(n)", TEXTS), ["--at-least", "PROVED"], 3),
    "undecided": (LAYER.format("O(d)", "X + np.random.rand()"), [], 3),
    "no claim": ("def f(X):\n    return X\n", [], 0),
    "not imported": ("raise SystemExit(7)\n", [], 0),
    "cannot be imported": ("# claim\nimport no_such_module\n", [], 2),
    "no signature": (LAYER.replace("->", "").format("O(d)", "X"), [], 2),
    "no grade": (LAYER.format("O(d)", "X"), ["--at-least", "SURE"], 2),
    "no group": (LAYER.format("Q(d)", "X"), [], 2),
}


@pytest.mark.parametrize(("text", "options", "status"), STATUSES.values(), ids=STATUSES)
def test_the_status_is_an_answer(tmp_path, text, options, status):
    file = write(tmp_path, text)
    done = subprocess.run(
        [sys.executable, "-m", "eqvproof.testing", str(file), *options], cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(ROOT)}, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == status, done.stdout + done.stderr
    assert "Traceback" not in done.stderr


BROKEN = ["", "[]", "{", '{"format": 3}', '{"format": "eqvproof-verdicts", "claims": [1]}']


@pytest.mark.parametrize("kept", BROKEN)
def test_a_broken_memory_is_no_obstacle(tmp_path, kept, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "kept").mkdir()
    (tmp_path / "kept" / "verdicts.json").write_text(kept)
    file = write(tmp_path, "# nothing\n")
    assert main([str(file), "--kept", "kept"]) == 0
    assert "0 claims" in capsys.readouterr().out
    assert CHECKED.folder != Path("kept")


def test_the_hook_runs_what_there_is():
    (hook,) = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text())
    assert shlex.split(hook["entry"])[:3] == ["python", "-m", "eqvproof.testing"]
    assert hook["types"] == ["python"] and hook["require_serial"]


def test_every_extra_of_the_site_is_there():
    site = yaml.safe_load((ROOT / ".readthedocs.yaml").read_text())
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["optional-dependencies"]
    assert set(site["python"]["install"][0]["extra_requirements"]) <= extras.keys()


def test_the_recipe_needs_what_the_package_needs():
    text = (ROOT / "conda" / "meta.yaml").read_text().replace("{{ PYTHON }}", "python")
    recipe = yaml.safe_load(text)
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    needed = {re.sub(r"\s", "", d) for d in project["dependencies"]} | {f"python{project['requires-python']}"}
    assert {re.sub(r"\s", "", d) for d in recipe["requirements"]["run"]} == needed
    assert recipe["package"]["version"] == eqvproof.__version__


def test_continuous_integration_covers_what_the_metadata_says():
    jobs = yaml.safe_load((ROOT / ".github" / "workflows" / "ci.yml").read_text())["jobs"]
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    stated = {c.rpartition(" ")[2] for c in project["classifiers"] if re.search(r":: 3\.\d+$", c)}
    assert set(jobs["all"]["strategy"]["matrix"]["python"]) == stated
    systems = {name.partition("-")[0] for name in jobs["systems"]["strategy"]["matrix"]["system"]}
    assert systems == {"macos", "windows"}
