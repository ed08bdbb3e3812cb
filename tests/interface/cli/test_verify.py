"""``eqvproof verify``: the kernel on files."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from eqvproof.interface.cli import main
from eqvproof.programs.sealing import seal

ROOT = Path(__file__).resolve().parents[3]


@pytest.fixture
def certificate(certified, folder):
    (folder / "good.json").write_text(certified("gram", "X: d n -> d n", "O(d)"))
    data = json.loads((folder / "good.json").read_text())
    data["claim"]["group"][0]["family"] = "S"
    (folder / "changed.json").write_text(json.dumps(data))
    (folder / "text.json").write_text("no JSON at all")
    (folder / "list.json").write_text("[1, 2]")
    (folder / "empty").mkdir()
    return folder


def test_accepted(eqvproof_program, certificate):
    done = eqvproof_program("verify", "good.json")
    assert done.status == 0
    assert done.out.startswith("accepted  good.json: PROVED: ")
    assert done.err == ""


def test_rejected(eqvproof, certificate):
    done = eqvproof("verify", "changed.json")
    assert done.status == 1
    assert done.out.startswith("rejected  changed.json: ")


@pytest.mark.parametrize("name", ["text.json", "list.json", "missing.json", "empty"])
def test_unreadable(eqvproof, certificate, name):
    done = eqvproof("verify", name)
    assert done.status == 2
    assert done.out == ""
    assert name in done.err
    assert "Traceback" not in done.err


def test_a_folder_stands_for_its_certificates(eqvproof, certificate, folder):
    kept = folder / "kept"
    kept.mkdir()
    for name in ("good.json", "changed.json"):
        shutil.copy(folder / name, kept / name)
    (kept / "good.record").write_text("of the plugin")
    done = eqvproof("verify", "kept")
    assert done.status == 1
    rejected, accepted = (line for line in done.out.splitlines() if not line.startswith(" "))
    assert rejected.startswith(f"rejected  {Path('kept/changed.json')}: ")
    assert accepted.startswith(f"accepted  {Path('kept/good.json')}: PROVED: ")


def test_what_an_acceptance_rests_on(eqvproof, certificate, folder):
    done = eqvproof("verify", "good.json", "changed.json", "text.json", "--json", "report.json")
    assert done.status == 2
    report = json.loads((folder / "report.json").read_text())
    good, changed, text = report["certificates"]
    data = json.loads((folder / "good.json").read_text())
    assert (good["outcome"], good["grade"]) == ("accepted", "PROVED")
    assert good["rests_on"] == ["the rules for Contract, Input"]
    assert good["digests"]["certificate"] == data["digest"] and data["digest"] in done.out
    assert good["digests"]["forms"] in good["statement"]
    canonical = json.dumps(data["claim"], sort_keys=True, separators=(",", ":")).encode()
    assert good["digests"]["claim"] == "sha256:" + hashlib.sha256(canonical).hexdigest()
    assert changed["outcome"] == "rejected" and changed["reason"] and "digests" not in changed
    assert text["outcome"] == "unreadable" and text["reason"]
    assert report["checked_by"].keys() == {"eqvproof", "kernel", "python"}
    alone = eqvproof("verify", "good.json", "--json", "-")
    assert json.loads(alone.out)["certificates"] == [good]


def test_the_digest_of_the_kernel_is_that_of_its_files(tmp_path, monkeypatch):
    import eqvproof.kernel
    from eqvproof.interface.cli.verify import kernel_digest

    before = kernel_digest()
    copy = Path(shutil.copytree(Path(eqvproof.kernel.__file__).parent, tmp_path / "kernel"))
    monkeypatch.setattr(eqvproof.kernel, "__file__", str(copy / "__init__.py"))
    assert kernel_digest() == before
    rule = copy / "checker.py"
    rule.write_text(rule.read_text() + "\n")
    assert kernel_digest() != before


@pytest.mark.parametrize("name", ["pipe", "loop", "/dev/zero", "/dev/null"])
def test_what_is_no_regular_file_is_unreadable_at_once(eqvproof, certificate, folder, name):
    os.mkfifo(folder / "pipe")
    (folder / "loop").symlink_to(folder / "loop")
    done = eqvproof("verify", name, "good.json")
    assert done.status == 2 and "accepted  good.json" in done.out
    assert name in done.err and "Traceback" not in done.err


def test_the_worst_file_gives_the_status_and_every_file_is_checked(eqvproof, certificate):
    done = eqvproof("verify", "missing.json", "good.json", "changed.json")
    assert done.status == 2
    assert "accepted  good.json" in done.out
    assert "rejected  changed.json" in done.out
    assert eqvproof("verify", "changed.json", "good.json").status == 1


def test_no_file(eqvproof):
    assert eqvproof("verify").status == 2


def test_no_standard_input(monkeypatch, capsys):
    """Which a shell closes with ``<&-``."""
    monkeypatch.setattr(sys, "stdin", None)
    assert main(["verify", "-"]) == 2
    assert "- cannot be read: standard input is closed" in capsys.readouterr().err


def test_only_the_kernel_is_imported(certificate):
    script = (
        "import sys\n"
        "from eqvproof.interface.cli import main\n"
        "status = main(['verify', 'good.json'])\n"
        "ours = sorted({'.'.join(m.split('.')[:2]) for m in sys.modules if m.startswith('eqvproof.')})\n"
        "print(status, ours, sorted({'models', 'scipy', 'sympy', 'rich', 'hypothesis'} & set(sys.modules)))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", script],
        cwd=certificate,
        env={"PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=True,
    )
    last = done.stdout.splitlines()[-1]
    assert last.startswith("0 ")
    assert "eqvproof.kernel" in last
    for name in ("engines", "frontends", "arrays", "rules", "evaluate", "program", "api"):
        assert f"'eqvproof.{name}'" not in last
    assert last.endswith(" []")


def test_target_that_is_the_recorded_function(eqvproof, certificate):
    done = eqvproof("verify", "good.json", "--target", "models:gram")
    assert done.status == 0
    assert "models:gram" in done.out
    assert "a word at import" not in done.out


@pytest.mark.parametrize(
    ("text", "status"),
    [
        ("import os\nos._exit(0)\n", 2),
        ("import os\nos.execvp('true', ['true'])\n", 2),
        ("import os\ndef f(X):\n    os._exit(0)\n", 1),
    ],
)
def test_a_target_that_ends_the_process_is_not_accepted(eqvproof, certificate, text, status):
    """Status 0 says that all is accepted, and the target must not choose it."""
    (certificate / "ends.py").write_text(text)
    done = eqvproof("verify", "good.json", "--target", "ends.py:f")
    assert done.status == status and done.out + done.err, done
    assert "accepted" not in done.out and "Traceback" not in done.err


@pytest.mark.parametrize(
    ("target", "status"),
    [("models:relu", 1), ("models:noisy", 1), ("models:nothing", 2), ("nowhere:f", 2)],
)
def test_target_that_is_another_function(eqvproof, certificate, target, status):
    done = eqvproof("verify", "good.json", "--target", target)
    assert done.status == status
    assert "accepted" not in done.out
    assert "Traceback" not in done.err


SIZED = """
import numpy as np

def from_four(x):
    return np.where(x.shape[0] > 3, x, np.flip(x))

def by_branch(x):
    if len(x) < 6:
        return np.cumsum(x)
    return x - x.mean()

def by_loop(X):
    return X[:3].sum(0) if X.shape[0] < 3 else X.sum(0)

def from_columns(X):
    return X[:, 2:]
"""
#: Function, claim, sizes of n, and sizes at which the claim is false or the function another.
AT_SIZES = (
    ("from_four", "x: n -> n", "S(n)", "4:", ("all", [3, None], 3)),
    ("from_four", "x: n -> n", "S(n)", "5:9", ("all", [2, 9])),
    ("by_branch", "x: n -> n", "S(n)", "6:", ("all", [5, None], [5, 8])),
    ("by_branch", "x: n -> n", "S(n)", "7", (5, "all")),
    ("by_loop", "X: n d -> d", "S(n)", "3:", ("all", [2, None])),
    ("from_columns", "X: d n -> d m", "O(d)", "2:", ("all",)),
)


@pytest.mark.sampled(1)
@pytest.mark.parametrize(("name", "signature", "under", "sizes", "wider"), AT_SIZES)
def test_a_target_is_compared_at_the_sizes_of_the_claim(
    eqvproof, folder, name, signature, under, sizes, wider
):
    (folder / "sized.py").write_text(SIZED)
    claim = ("check", f"sized:{name}", signature, "--under", under, "--size", f"n={sizes}")
    checked = eqvproof(*claim, "--certificate", "sized.json")
    assert checked.status == 0, checked
    done = eqvproof("verify", "sized.json", "--target", f"sized:{name}")
    assert done.status == 0 and f"the Program is that of sized:{name}" in done.out, done
    data = json.loads((folder / "sized.json").read_text())
    assert data["kind"] == "proof"
    for k, other in enumerate(wider):
        data["claim"]["scope"]["n"] = other
        body = {k: v for k, v in data.items() if k not in ("format", "version", "kind", "digest")}
        (folder / f"wider{k}.json").write_text(json.dumps(seal("proof", **body)))
    files = [f"wider{k}.json" for k in range(len(wider))]
    done = eqvproof("verify", *files, "--target", f"sized:{name}")
    assert done.status == 1 and "accepted" not in done.out, done
    assert [file for file in files if f"rejected  {file}: " in done.out] == files, done
