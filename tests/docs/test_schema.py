"""The schema of certificates is that of the kernel's tables, and admits what the kernel accepts."""

from __future__ import annotations

import copy
import importlib.util
import json
import random
import sys
from fractions import Fraction
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

import eqvproof as ep
from eqvproof.kernel import check, check_certificate
from tests.kernel.corpus import accepted, reseal
from tests.kernel.encoding import encoded
from tests.kernel.mutate import is_accepted, mutants
from tests.kernel.packed import packed

ROOT = Path(__file__).resolve().parents[2]


def load() -> ModuleType:
    spec = importlib.util.spec_from_file_location("make_schema", ROOT / "docs" / "make_schema.py")
    if spec is None or spec.loader is None:
        raise ImportError("docs/make_schema.py")
    module = importlib.util.module_from_spec(spec)
    sys.modules["make_schema"] = module
    spec.loader.exec_module(module)
    return module


make_schema = load()
SCHEMA = make_schema.schema()


def witnesses() -> list[dict[str, Any]]:
    """Certificates of the kinds that the kernel's corpus leaves out."""
    x, y = np.array([[Fraction(3), Fraction(4)]]).T, np.array([[Fraction(5), Fraction(0)]]).T
    found = [ep.orthogonal_witness(x, y).certificate, ep.permutation_witness([[1, 2]], [[2, 1]]).certificate]
    found.append(ep.congruence_witness([[1, 2]], [[2, 1]]).certificate)
    for work, error in (
        (lambda: ep.orthogonal_witness([[1], [1]], [[1], [2]]), ep.GramMismatch),
        (lambda: ep.permutation_witness([[1, 2]], [[1, 1]]), ep.MultisetMismatch),
    ):
        with pytest.raises(error) as caught:
            work()
        found.append(caught.value.certificate)
    return found


def certificates_in_forms() -> list[dict[str, Any]]:
    """Certificates of proofs with forms and functions that the kernel's corpus leaves out."""
    special = ep.opaque("h", "x: n -> n", under="O(n)")
    weights = np.random.default_rng(0).normal(size=(160, 160))
    claims = (
        (lambda x: x @ ep.groups.form("Lorentz", x.shape[-1]) @ x.T, "x: n d -> n n", "Lorentz(d)"),
        (lambda x: x @ ep.groups.form("Sp", x.shape[-1]) @ x.T, "x: n 2d -> n n", "Sp(2d) x S(n)"),
        (lambda x: np.where(x > 0, np.sort(x), np.pi * x.max()), "x: n d -> n d", "Scale(d)"),
        (lambda X: X / np.sqrt((X * X).sum(axis=0)), "X: d n -> d! n", "Scale(d)"),
        (lambda h: h * np.sqrt((h * h).sum()), "h: <1x2e+1x1o> -> <1x2e+1x1o>", "O(3)"),
        (lambda s, h: s * h, "s: <1x0o>, h: n <2x0e+1x1e+2x3o> -> n <2x0o+1x1o+2x3e>", "O(3) x S(n)"),
        (lambda x: special(np.concatenate([x, x])[: len(x)]), "x: n -> n", "SO(n)"),
        (lambda x: np.roll(x, 1) - np.roll(x, -2) * x, "x: n -> n", "C(n)"),
        (lambda X: np.tanh(X @ weights), "X: n 160 -> n 160", "S(n)"),
        (lambda X: X[:, :, None] - X[:, None, :], "X: d n -> d^ n n", "E(d)"),
        (lambda x: np.diagonal(x.reshape(3, 2, -1), axis1=0, axis2=1), "x: 6 n -> n 2", "S(n)"),
    )  # fmt: skip
    found = [ep.prove(*claim).certificate for claim in claims]
    return [data for data in found if data is not None and "forms" in data]


def test_the_schema_is_what_the_script_writes():
    kept = json.loads((ROOT / "docs" / "certificate.schema.json").read_text(encoding="utf-8"))
    assert kept == SCHEMA, "run python docs/make_schema.py"


def test_a_new_kind_of_certificate_is_noticed(monkeypatch):
    monkeypatch.setitem(check.KINDS, "another", "witness")
    with pytest.raises(RuntimeError, match="another"):
        make_schema.schema()


def test_what_the_kernel_accepts_has_the_form_and_what_lacks_a_part_has_not():
    jsonschema = pytest.importorskip("jsonschema", reason="the schema is tested with jsonschema")
    jsonschema.Draft202012Validator.check_schema(SCHEMA)
    validator = jsonschema.Draft202012Validator(SCHEMA)
    rng = random.Random(0)
    corpus = {name: encoded(data) for name, data in {**accepted(), "packed": packed()}.items()}
    written = certificates_in_forms()
    assert len(written) > 8
    for certificate in (*corpus.values(), *written, *witnesses()):
        assert check_certificate(certificate).accepted
        validator.validate(certificate)
    small = sorted(corpus, key=lambda name: len(json.dumps(corpus[name])))[:12]
    for name in (*small, "packed", *rng.sample([name for name in corpus if "forms" in corpus[name]], 4)):
        certificate = corpus[name]
        lacking = copy.deepcopy(certificate)
        del lacking[rng.choice(sorted(lacking))]
        assert not validator.is_valid(lacking)
        assert not validator.is_valid({**certificate, "more": 1})
        for _, changed in rng.sample(list(mutants(certificate)), 5):
            changed = reseal(changed)
            assert validator.is_valid(changed) or not is_accepted(changed)
