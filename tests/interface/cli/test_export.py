"""``eqvproof export`` and ``verify --with rocq``."""

from __future__ import annotations

import re
import shutil

import pytest


@pytest.fixture
def certificates(certified, folder):
    cases = (("gram", "X: d n -> d n", "O(d)"), ("spread", "X: n d -> d^", "T(d)"))
    for name, signature, group in cases:
        (folder / f"{name}.json").write_text(certified(name, signature, group))
    text = (folder / "gram.json").read_text()
    (folder / "changed.json").write_text(re.sub(r'"family": ?"O"', '"family":"S"', text))
    return folder


def test_a_theorem_is_written(eqvproof_program, certificates):
    done = eqvproof_program("export", "gram.json", "--to", "rocq", "-o", "gram.v")
    assert (done.status, done.out, done.err) == (0, "", "")
    text = (certificates / "gram.v").read_text()
    assert "Definition prog : program :=" in text
    assert "Theorem equivariant0 : equivariant O " in text
    shown = eqvproof_program("export", "gram.json", "--to", "rocq")
    assert (shown.status, shown.out) == (0, text)


def test_what_is_not_exported_is_named(eqvproof, certificates):
    done = eqvproof("export", "spread.json", "--to", "rocq", "-o", "spread.v")
    assert done.status == 1
    assert "not exported: a proof under translations by normal forms" in done.err
    assert not (certificates / "spread.v").exists()


def test_a_rejected_certificate_is_not_written(eqvproof, certificates):
    done = eqvproof("export", "changed.json", "--to", "rocq", "-o", "changed.v")
    assert done.status == 1
    assert done.out.startswith("rejected  changed.json: ")
    assert not (certificates / "changed.v").exists()
    assert eqvproof("export", "missing.json", "--to", "rocq").status == 2


@pytest.mark.slow
def test_rocq_judges_too(eqvproof, certificates):
    done = eqvproof("verify", "gram.json", "spread.json", "--with", "rocq")
    if shutil.which("coqc") is None:
        assert done.status == 2
        assert "Rocq is not installed" in done.err
        pytest.skip("Rocq (Debian: coq, libcoq-mathcomp-algebra) is not installed")
    assert done.status == 1
    assert (
        "accepted by Rocq, without axioms: the printed program is equivariant under O(d)"
        in done.out
    )
    assert (
        "rejected  spread.json: not checked by Rocq: not exported: a proof under translations"
        in done.out
    )


@pytest.mark.slow
def test_the_extracted_checker_judges_too(eqvproof, certificates):
    done = eqvproof("verify", "gram.json", "spread.json", "--with", "verified")
    for name, what in (
        ("coqc", "Rocq is not installed"),
        ("ocamlfind", "ocamlfind is not installed"),
    ):
        if shutil.which(name) is None:
            assert done.status == 2
            assert what in done.err
            pytest.skip(f"{name} is not installed")
    assert done.status == 1
    assert (
        "accepted by the checker that Rocq proves sound and extracts: the printed program"
        in done.out
    )
    assert (
        "rejected  spread.json: not checked by Rocq: not exported: a proof under translations"
        in done.out
    )
