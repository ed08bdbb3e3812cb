"""Certificates as theorems of Rocq: right ones are accepted, wrong ones are not."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from typing import Any

import numpy as np
import pytest

import eqvproof as ep
from eqvproof.engines.verdict import seal
from eqvproof.interface.cli.rocq import check_by_rocq
from eqvproof.programs.program import parse_numbers
from eqvproof.rocq import rocq_answers, rocq_file, rocq_text
from eqvproof.rocq.compile import Extracted, Rocq
from eqvproof.rocq.print_theorem import SOUNDNESS
from eqvproof.rocq.reread import require_same
from eqvproof.support.errors import ExportError
from tests.judged import certificate_of
from tests.kernel.form_values import value
from tests.rocq.corpus import RIGHT, WRONG, Spec, certificate
from tests.with_program import proof_with_program, sealed_proof


def softmax(scores: Any) -> Any:
    weights = np.exp(scores - scores.max(axis=0))
    return weights / weights.sum(axis=0)


def attention(X: Any) -> Any:
    return X @ softmax(X.T @ X)


def by_kind(z: Any, X: Any) -> Any:
    return (np.take(np.array([1.0, 0.5, -2.0]), z)[:, None] * X).sum(axis=0)


def egnn(X: Any) -> Any:
    D = X[:, :, None] - X[:, None, :]
    return X + (D * np.exp(-(D * D).sum(axis=0))).sum(axis=2)


def unit_rows(x: Any, X: Any) -> Any:
    return x[:, None] * X / np.linalg.norm(X, axis=1, keepdims=True)


turned = ep.opaque("turned", "X: d n, w: n -> d n", under="O(d)")

PROVED = (
    (attention, "X: d n -> d n", "O(d) x S(n)"),
    (by_kind, "z[3]: n, X: n d -> d", "S(n) x O(d)"),
    # Names that mean something else to Rocq, or to the file.
    (unit_rows, "S: at, z0: at R -> at R", "S(at) x SO(R)"),
    (lambda x: np.roll(x, 1) - np.roll(x, -2) * x, "x: n -> n", "C(n)"),
    (lambda x: np.roll(x, 1) * np.roll(x, -1), "x: n -> n", "C(n)"),
    (lambda x: np.roll(x, 1), "x: 4 -> 4", "C(4)"),
    (lambda X: X.T.reshape(-1), "X: n 2 -> 2n", "S(n)"),
    (lambda X, Y: np.concatenate([X, Y, X[:1]]), "X: n d, Y: m d -> k d", "E(d)"),
    (lambda X, Y: np.stack([2 * X - Y, (X + Y) / 2], axis=1), "X: d n, Y: d n -> d 2 n", "T(d) x S(n)"),
    (lambda x: x - x.mean(), "x: n -> n", "D(n)"),
    (lambda x: np.tanh(x) * np.abs(x), "x: n -> n", "Signs(n)"),
    (lambda X, Y: (Y @ X) @ Y, "X: d n, Y: n d* -> n d*", "GL(d)"),
    (lambda X, Y: (Y @ X) @ Y, "X: 4 n, Y: n 4* -> n 4*", "Lorentz(4)"),
    (lambda X: X / np.abs(X), "X: d n -> d! n", "Scale(d)"),
    (lambda x: np.sqrt(x * x * x) / np.sqrt(x), "x: n -> n", "Scale(n)"),
    (lambda x, y: np.sqrt(x * y) / np.cbrt(x * y * x), "x: n, y: n -> n!", "Scale(n)"),
    (lambda x: np.sqrt(x) * np.abs(x) ** 0.5, "x: b n -> b n", "S(b) x Scale(n)"),
    (lambda h: np.linalg.det(h), "h: <1x2e> 5 -> ()", "O(3)"),
    (lambda h: np.linalg.det(h)[None], "h: <1x3o> 7 -> <1x0o>", "O(3)"),
    (lambda h: np.linalg.det(h)[None], "h: <1x2e+1x1o> 8 -> <1x0o>", "O(3)"),
    (lambda X: X / np.sqrt((X * X).sum(axis=0)), "X: d n -> d! n", "Scale(d)"),
    (lambda x: sum(y[0] ** 2 * y[1] for y in (np.roll(x, s) for s in range(4))), "x: 4 -> ()", "C(4)"),
    (lambda X: 2 * X, "X: 2d n -> 2d n", "O(d)"),
    (lambda X, Y: np.concatenate([Y, X, 0 * X, Y]), "X: d n, Y: k n -> k+d+d+k n", "O(d)"),
    (lambda X: np.concatenate([X, np.ones_like(X), X[:1] * 0]), "X: n d -> n+n+1 d", "A(n)"),
    (lambda x: np.concatenate([x, np.tanh(x), x * x]), "x: n -> 2n+n!", "Signs(n)"),
    (lambda X, Y: np.concatenate([X, Y]), "X: d n, Y: d* n -> d+d* n", "GL(d)"),
    (lambda h: h * np.sqrt((h * h).sum()), "h: <1x2e+1x1o> -> <1x2e+1x1o>", "O(3)"),
    (lambda s, h: s * h, "s: <1x0o>, h: n <2x0e+1x1e+2x3o> -> n <2x0o+1x1o+2x3e>", "O(3) x S(n)"),
    (lambda g, v, w: np.concatenate([g, v, w]), "g: <2x0o>, v: <1x1e>, w: <2e> -> <2x0o+1x1e+2e>", "E(3)"),
    (lambda X: turned(2 * X, (X * X).sum(axis=0)), "X: d m -> d m", "SO(d)"),
    (lambda A: np.linalg.inv(np.eye(A.shape[0]) + A @ A), "A: d d* -> d d*", "GL(d)"),
    (egnn, "X: d n -> d n", "E(d) x S(n)"),
    (lambda X: X[:, :, None] - X[:, None, :], "X: 3 n -> 3^ n n", "T(3)"),
    (lambda X: X - X.mean((0, 1)), "X: b n d -> b n d^", "T(d)"),
    (lambda X: X - X.mean((0, 1)), "X: 2 3 d -> 2 3 d^", "E(d)"),
    (lambda X, Y: 3 * X / 4 + Y / 4, "X: n d, Y: n d -> n d", "E(d)"),
    (lambda X, Y: (X - 1.5 * Y) * 2 + Y, "X: n d, Y: n d -> n d^", "T(d) x S(n)"),
    (lambda X: (X[0] + X.mean(0)) / 2, "X: 3 n d -> n d", "T(d)"),
    (lambda X: X - (X.max(1) + X.min(1))[:, None] / 2, "X: d n -> d^ n", "T(d) x S(n)"),
    (lambda X: X.max((0, 2)), "X: b d n -> d", "T(d)"),
    (lambda X: np.sort(X, axis=1)[:, ::-1], "X: d n -> d n!", "T(d) x S(n)"),
    (lambda X: X - X.reshape(-1, X.shape[2]).sum(0) / X[..., 0].size, "X: b 3 d -> b 3 d^", "T(d)"),
    (lambda X: X - X.mean(axis=1, keepdims=True), "X: d n -> d^ n", "E(d) x S(n)"),
    (lambda X, w: X @ (w / w.sum()), "X: d n, w: n -> d", "E(d) x S(n)"),
    (lambda X: X @ softmax(-((X[:, :, None] - X[:, None, :]) ** 2).sum(axis=0)), "X: d n -> d n", "E(d)"),
    (lambda X, v: X @ softmax(np.broadcast_to(v, (X.shape[1], X.shape[1]))), "X: d n, v: n -> d n", "E(d)"),
    (lambda X, i: X[:, i] - X[:, i[::-1]], "X: d n, i[n]: m -> d^ m", "T(d)"),
    (lambda A: np.linalg.det(A), "A: k n n -> k", "S(n) x S(k)"),
    (lambda x, y: x @ ep.groups.form("Lorentz", x.shape[-1]) @ y.T, "x: m d, y: n d -> m n", "Lorentz(d)"),
    (lambda x: x @ ep.groups.form("Lorentz", x.shape[-1]), "x: n d -> n d*", "Lorentz(d)"),
    (lambda p: np.einsum("id,jd->ij", p.conj(), p) @ p, "psi[complex]: n d -> n d", "U(d) x S(n)"),
)


def test_what_is_assumed_of_a_function_is_of_its_shapes() -> None:
    data: Any = ep.check(lambda X, w: turned(X, w), "X: d m, w: m -> d m", "O(d)").certificate
    assert "Typed" in rocq_text(data)
    symmetry = next(f["symmetry"] for f in data["forms"]["functions"] if isinstance(f, dict))
    symmetry["inputs"][1] = [[[2, "n", ""]]]  # of another size
    assert "Typed" not in rocq_text(data)


def test_a_table_that_does_not_turn_is_not_read_as_one_that_does() -> None:
    case = next(case for case in PROVED if case[2] == "C(4)" and "()" in case[1])
    assert ep.verify(ep.check(*case).certificate).accepted
    data = proof_with_program(*case)
    assert "Modulo" in rocq_text(sealed_proof(**data))
    table = next(k for k in data["program"]["kinds"] if k["op"] == "const" and len(k["shape"]) > 1)
    values = parse_numbers(table["values"])
    for place in range(0, len(values), 5):
        table["values"] = " ".join(str(v + (k == place)) for k, v in enumerate(values))
        assert not ep.verify(sealed_proof(**data)).accepted


def test_a_form_that_the_group_does_not_keep_is_constant() -> None:
    """Else the theorem would suppose what is not true."""
    case = PROVED[-3]
    data = ep.check(*case).certificate
    assert data is not None
    changed = json.loads(json.dumps(data).replace('"Lorentz"', '"GL"'))
    for given, kept in ((data, True), (changed, False)):
        text = " ".join(rocq_text(given).split())
        axes = r"\[:: \[:: \(Dual, z0\)\]; \[:: \(Dual, z0\)\]\]"
        form = re.search(rf"Definition (t\d) : rtype := \({axes}, Posz 0\)", text)
        assert form is not None
        assert (f"facts0 : nat -> option fact := nth None [:: Some (Typed [::] {form[1]})]." in text) == kept
        assert ("facts0 : nat -> option fact := fun=> None." in text) != kept


def largest_share(x: Any) -> Any:
    return x / x.max() + np.sort(x) / x.max()


def maximum_of_others(X: Any) -> Any:
    return X[1:].max(axis=0)


def sorted_others(X: Any) -> Any:
    return np.sort(X[1:], axis=0, kind="stable")


def midpoints(X: Any) -> Any:
    return (X[1:] + X[:-1]) / 2


#: Functions of which a size is n - 1, which is 0 at n = 1.
OF_FEWER = (
    (maximum_of_others, "X: n d -> d", "T(d)"), (sorted_others, "X: n d -> m d", "T(d)"),
    (midpoints, "X: n d -> m d", "T(d)"), (midpoints, "X: n d -> m d", "E(d)"),
    (maximum_of_others, "X: n d -> d", "S(d)"),
    (lambda X: (X[:, 1:] + X[:, :-1]) / 2, "X: b n d -> b m d", "T(d) each b"),
)  # fmt: skip


def test_a_size_that_may_be_zero_is_not_supposed_to_be_positive(rocq: Rocq) -> None:
    """The theorem speaks of n = 1 too, as the claim does."""
    certificates = []
    for case in OF_FEWER:
        verdict = ep.check(*case)
        assert verdict.grade == "PROVED" and verdict.is_unrestricted, (case[1:], str(verdict))
        text = rocq_text(verdict.certificate)
        names = dict(re.findall(r"\(\* Variable (\d+): (.*?) \*\)", text))
        supposed = re.search(r"positive_sizes : seq nat := \[::(.*?)\]", text)
        if supposed is not None:
            listed = supposed[1].replace(" ", "").split(";")
            assert {names[n] for n in listed} == {*names.values()} - {"n - 1"}
        certificates.append(verdict.certificate)
    assert "n - 1" in {*names.values()}
    assert rocq.accepts(certificates) == [True] * len(certificates)
    found = rocq.check_file(rocq_text(certificates[0]))
    assert found.accepted, found.reason
    # where it is supposed to be so, the file is not one about the claim
    text = re.sub(r"(positive_sizes : seq nat := \[::)", r"\1 0;", rocq_text(certificates[0]))
    with pytest.raises(ExportError, match="supposed to be positive"):
        require_same(text, certificates[0]["claim"])


@pytest.mark.parametrize("number", range(len(OF_FEWER)))
@pytest.mark.parametrize("n", [1, 2])
def test_at_the_smallest_sizes_both_sides_are_alike(number: int, n: int) -> None:
    """Exactly, as all numbers are halves: at n = 1 both are undefined, or have no entries."""
    function, signature, group = OF_FEWER[number]
    data: Any = ep.check(function, signature, group).certificate
    each = "each" in group
    rng, sizes = np.random.default_rng(n), {"n": n, "d": 3, "b": 2}
    X = rng.integers(-9, 9, (2, n, 3) if each else (n, 3)).astype(float)
    t = rng.integers(-9, 9, (2, 1, 3) if each else 3).astype(float)
    before, after = (value(data["forms"], data["claim"], {"X": x}, sizes) for x in (X, X + t))
    if "T" in group or "E" in group:
        assert np.array_equal(after, before + t, equal_nan=True)
    if "S" in group:
        moved = value(data["forms"], data["claim"], {"X": X[..., ::-1]}, sizes)
        assert np.array_equal(moved, before[..., ::-1], equal_nan=True)
    assert n > 1 or not before.size or np.isnan(before).all()


def chosen(X: Any, Y: Any) -> Any:
    return np.where(((X - Y) ** 2).sum(axis=0) > 1, X, Y)


def centroid(X: Any, w: Any) -> Any:
    return X @ np.exp(w) / np.exp(w).sum()


def twice_halved(X: Any, w: Any) -> Any:
    return (X @ np.exp(w) + X @ np.exp(w)) / np.exp(w).sum() / 2


def averages(W: Any, X: Any) -> Any:
    return np.abs(W) @ X / np.abs(W).sum(axis=1)[:, None]


def distances(X: Any) -> Any:
    return ((X[:, :, None] - X[:, None, :]) ** 2).sum(axis=0).sum(axis=1)


#: Function, signature, group; and what is other in a certificate that neither the kernel nor Rocq accepts.
NEAR = (
    (distances, "X: d n -> n", "T(d)", '[[[1, "n", ""]]]', '[[[1, "d", ""]]]'),
    (np.linalg.det, "X: 3 3! -> ()", "SO(3)", '"SO"', '"O"'),
    (np.linalg.det, "X: 3 3! -> ()", "SO(3)", '"SO"', '"S"'),
    (largest_share, "x: n -> n!", "Scale(n)", '"output": [[[1, "n", "!"]]', '"output": [[[1, "n", ""]]'),
    (lambda x: x.max() + x, "x: n -> n", "Scale(n)", '"max"', '"prod"'),
    (lambda x: np.sqrt(x) * np.sqrt(x + x), "x: n -> n", "Scale(n)", '"sqrt"', '"cbrt"'),
    (lambda x: np.sqrt(x) * np.sqrt(x + x), "x: n -> n", "Scale(n)",
     'put": [[[1, "n", ""]]', 'put": [[[1, "n", "*"]]'),
    (lambda h: np.linalg.det(h)[None], "h: <1x3o> 7 -> <1x0o>", "O(3)", '"0o"', '"0e"'),
    (lambda x: np.maximum(x, 0), "x: n -> n", "Scale(n)", '"maximum"', '"gt"'),
    (np.linalg.eigvalsh, "A: d! d -> d", "Scale(d)", 'put": [[[1, "d", ""]]', 'put": [[[1, "d", "!"]]'),
    (lambda X: X - X.mean((0, 1)), "X: b n d -> b n d^", "T(d)", '[[1, ["b", "n"]]]', '[[1, ["n", "n"]]]'),
    (lambda X: X - X.mean((0, 1)), "X: b 2 d -> b 2 d^", "T(d)", '[[2, ["b"]]]', '[[3, ["b"]]]'),
    (lambda X, Y: 3 * X / 4 + Y / 4, "X: n d, Y: n d -> n d", "T(d)", '"Scalar", 3', '"Scalar", 2'),
    (lambda X: X.mean(0), "X: 3 d -> d", "T(d)", '"Scalar", 3', '"Scalar", 2'),
    (lambda X: X.max(1), "X: d n -> d", "T(d)", '"max"', '"prod"'),
    (lambda X: X.max(0), "X: n d -> d", "T(d)", '"Fold", 0, 0, 0, "n"', '"Fold", 0, 0, 1, "d"'),
    (centroid, "X: d n, w: n -> d", "T(d)", '"output": [[[1, "d", ""]]', '"output": [[[1, "d", "^"]]'),
    (averages, "W: n n, X: n d -> n d", "T(d)", '[[0, [0, 1]], [1, [1, 2]]]', '[[0, [1, 0]], [1, [1, 2]]]'),
    (chosen, "X: d n, Y: d n -> d n", "T(d)", '"output": [[[1, "d", ""]]', '"output": [[[1, "d", "^"]]'),
)


def near_misses() -> list[Any]:
    """The certificates that are changed, as far as they are printed; the kernel accepts none."""
    found = []
    for function, signature, group, right, wrong in NEAR:
        data = ep.check(function, signature, group).certificate
        other = json.loads(json.dumps(data).replace(right, wrong))
        other = seal("proof", **{part: other[part] for part in ("claim", "forms", "evidence")})
        assert data is not None
        assert data != other
        assert ep.verify(data).accepted
        assert not ep.verify(other).accepted, signature
        found += [(data, True), (other, False)]
    return found


def test_types_that_translations_do_not_have_are_refused() -> None:
    text = json.dumps(ep.check(attention, "X: d n -> d n", "O(d)").certificate)
    with pytest.raises(ExportError, match="exactly the keys family, axis"):
        rocq_answers([json.loads(text.replace('"O"', '"T"'))])


def is_printed(given: tuple[Any, bool]) -> bool:
    """Whether it is about a result of the claimed shape; else the printer refuses it by name."""
    try:
        return bool(rocq_answers([given[0]]))
    except ExportError as error:
        assert "the result does not have the claimed shape" in str(error)
        return False


def test_right_certificates_and_wrong_ones_are_told_apart(rocq: Rocq) -> None:
    """By Rocq, which takes longer to start than to answer, and by the extracted checker alike."""
    given = [(certificate(*spec), True) for spec in RIGHT.values()]
    given += [(certificate(*spec), False) for _, spec in WRONG.values()]
    given += [(certificate_of(*case), True) for case in PROVED]
    given += near_misses()
    certificates, wanted = zip(*filter(is_printed, given), strict=True)
    assert len(certificates) == len(given) - 2
    assert rocq.accepts(certificates) == [*wanted]
    if shutil.which("ocamlfind") is None:
        pytest.skip("ocamlfind, for the extracted checker, is not installed")
    assert Extracted().accepts(certificates) == [*wanted]


def test_products_and_rigid_motions_become_theorems(rocq: Rocq) -> None:
    data: Any = ep.check(egnn, "X: d n -> d n", "E(d) x S(n)").certificate
    text = rocq_text(data)
    for word in (
        "Theorem rigid1 : equivariant_under_rigid_motions",
        "Theorem equivariant : equivariant_under_product",
    ):
        assert word in text
    found = rocq.check_file(text, fewest=5)
    assert found.accepted, found.reason
    # without one of its factors it is another theorem, which does not follow from all of them
    shorter = re.sub(r"; \(Acts S z\d+\s+facts2\s+given2\s+claimed2\)\]\.", "].", text, count=1)
    assert shorter != text
    assert not rocq.check_file(shorter, fewest=5).accepted


def test_a_theorem_that_does_not_hold_is_refused(rocq: Rocq) -> None:
    found = rocq.check_file(rocq_text(certificate(*WRONG["first point"][1])))
    assert not found.accepted
    assert found.reason.startswith("line ") and "does not accept these types" in found.reason


def test_shapes_refuse_what_types_accept(rocq: Rocq) -> None:
    every = [(certificate(*spec), False) for kind, spec in WRONG.values() if kind == "shape"]
    wrong = [one for one, _ in filter(is_printed, every)]
    assert len(wrong) == len(every) - 1
    text = rocq_answers(wrong)
    text = text.replace("Eval vm_compute in all id", "Eval vm_compute in map id")
    found = rocq.check_file(text + SOUNDNESS)
    assert found.accepted, found.reason
    assert found.output.count("= [:: false; true]") == len(wrong), found.output
    shape = rocq.check_file(rocq_text(certificate(*WRONG["second of perhaps one"][1])))
    assert not shape.accepted and "does not accept these shapes" in shape.reason


@pytest.mark.parametrize(
    "text", ["Definition prog : program := [:: Input].", "Definition prog := [:: (.", "(*"]
)
def test_the_extracted_checker_accepts_nothing_malformed(rocq: Rocq, text: str) -> None:
    if shutil.which("ocamlfind") is None:
        pytest.skip("ocamlfind, for the extracted checker, is not installed")
    right = rocq_answers([certificate(*RIGHT["sum of features"])])
    changed = re.sub(r"Definition prog .*?\]\.\n", text, right, flags=re.S)
    Extracted()
    done = subprocess.run([rocq.kept / "checker"], input=changed, capture_output=True, text=True, check=False)
    assert changed != right
    assert "true" not in done.stdout


def test_what_rocq_accepts_must_rest_on_nothing(rocq: Rocq) -> None:
    assumed = "Axiom a : 1 = 2.\nLemma b : 1 = 2. Proof. exact a. Qed.\nPrint Assumptions b.\n"
    found = rocq.check_file(assumed)
    assert not found.accepted and "a : 1 = 2" in found.reason, found.reason
    proved = assumed.replace("= 2", "= 1").replace("exact a", "reflexivity")
    assert rocq.check_file(proved).accepted
    assert not rocq.check_file("Lemma b : 1 = 1. Proof. reflexivity. Qed.\n").accepted


def test_a_compiler_that_is_killed_accepts_nothing(rocq: Rocq, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rocq, "_run", lambda *_: (subprocess.CompletedProcess([], -9, "", ""), 0.0))
    assert not rocq.check_file("Print Assumptions x.").accepted


def sealed(spec: Spec) -> dict[str, Any]:
    found = certificate(*spec)
    return seal("proof", **{key: found[key] for key in ("claim", "forms", "evidence") if key in found})


@pytest.mark.parametrize("name", RIGHT)
def test_the_kernel_accepts_the_right_corpus(name: str) -> None:
    report = ep.verify(sealed(RIGHT[name]))
    assert report.accepted, report.reason


@pytest.mark.parametrize("name", WRONG)
def test_the_kernel_rejects_the_wrong_corpus(name: str) -> None:
    assert not ep.verify(sealed(WRONG[name][1])).accepted


def test_the_wrong_corpus_is_large() -> None:
    assert len(WRONG) >= 30
    assert {kind for kind, _ in WRONG.values()} == {"rule", "type", "claim", "shape"}


@pytest.mark.parametrize("name", [*RIGHT, *WRONG])
def test_the_program_and_the_claim_do_not_look_at_the_proof(name: str) -> None:
    given = certificate(*(RIGHT[name] if name in RIGHT else WRONG[name][1]))
    before = stated(rocq_text(given))
    for named in given["evidence"]["factors"][0]["types"]:
        named[0] = [[["Std", 7]] for _ in named[0]]
    assert stated(rocq_text(given)) == before
    assert not re.search(r"\b(Admitted|Axiom|Parameter|Conjecture)\b", rocq_text(given))


def stated(text: str) -> list[str]:
    """The program, and the claim with its types written out."""
    types = dict(re.findall(r"Definition (t\d+) : rtype := (.*?)\.\n", text, re.S))
    found = re.findall(r"Definition ((?:prog|given|claimed)\d* .*?)\.\n", text, re.S)
    return [re.sub(r"\bt\d+\b", lambda m: types[m[0]], part) for part in found]


@pytest.mark.parametrize(
    ("function", "signature", "group", "word"),
    [
        (twice_halved, "X: d n, w: n -> d", "T(d)", "under translations by normal forms"),
        (lambda X: np.abs(X @ np.linalg.eigh(X.T @ X)[1]), "X: n d -> n d", "S(n)", "signs of eigenvectors"),
    ],
)
def test_what_is_not_exported_is_named(function: Any, signature: str, group: str, word: str) -> None:
    verdict = ep.check(function, signature, group)
    assert verdict.certificate is not None, str(verdict)
    with pytest.raises(ExportError, match=word):
        rocq_text(verdict.certificate)


def test_constants_that_are_read_as_others_are_named() -> None:
    """The theorem is about the numbers that the proof takes them for, and its file says so."""
    f = lambda X, Y: 0.1 * X + 0.9 * Y  # noqa: E731
    certificate: Any = ep.prove(f, "X: n d, Y: n d -> n d", "T(d)").certificate
    lines = [reading["line"] for reading in certificate["claim"]["readings"]]
    text = rocq_text(certificate)
    assert len(lines) == 2
    assert f"the numbers on the lines {lines[0]}, {lines[1]} in place of the stored ones." in text
    read = [parse_numbers(reading["read"]) for reading in certificate["claim"]["readings"]]
    assert sum(value for (value,) in read) == 1
    table = np.diag([1, 1, 1 + 2.0**-52])
    certificate = ep.prove(lambda X: X @ table, "X: n 3 -> n 3", "O(3)").certificate
    assert "in place of those next to them, the functions 0." in " ".join(rocq_text(certificate).split())
    plain = ep.prove(lambda X: X - X.mean(0), "X: n d -> n d!", "T(d)").certificate
    assert plain is not None and "in place of" not in rocq_text(plain)


def centred(X: Any) -> Any:
    return X.sum(axis=0), X - X.mean(axis=0)


def test_each_result_becomes_theorems(rocq: Rocq) -> None:
    right: Any = ep.check(centred, "X: n d -> d, n d", "S(n)").certificate
    assert right["kind"] == "results"
    text = rocq_text(right)
    assert text.count("Theorem equivariant0") == len(right["results"]) == 2
    found = rocq.check_file(text, fewest=4)
    assert found.accepted, found.reason
    wrong = json.loads(json.dumps(right))
    claim = wrong["results"][1]["certificate"]["claim"]
    claim["output"][0][0][2] = "!"
    one = right["results"][0]["certificate"]
    assert rocq.accepts([wrong, right, one]) == [False, True, True]
    if shutil.which("ocamlfind") is not None:
        assert Extracted().accepts([wrong, right, one]) == [False, True, True]


def test_many_certificates_are_checked_at_once(rocq: Rocq, monkeypatch: pytest.MonkeyPatch) -> None:
    """Those that are refused are found among the others."""
    right = [certificate(*spec) for spec in list(RIGHT.values())[:2]]
    wrong = certificate(*WRONG["first point"][1])
    runs: list[int] = []
    check = Rocq.check_file

    def counted(self: Rocq, text: str, fewest: int = 1) -> Any:
        runs.append(text.count("Theorem inside"))
        return check(self, text, fewest)

    monkeypatch.setattr(Rocq, "check_file", counted)
    others = [wrong, {"kind": "decision"}, *right]
    found = check_by_rocq([json.dumps(one).encode() for one in others], "rocq")
    reasons = [reason for reason, _ in found]
    assert [bool(reason) for reason in reasons] == [True, True, False, False]
    assert "does not accept these types" in reasons[0] and "not checked by Rocq" in reasons[1]
    assert runs == [3, 1, 2]  # all, each half


def test_every_theorem_of_a_file_is_asked_about(rocq: Rocq, monkeypatch: pytest.MonkeyPatch) -> None:
    right = [certificate(*spec) for spec in list(RIGHT.values())[:4]]
    text = rocq_file(right)
    names = re.findall(r"@(Certificate\d+Result0\.\w+)", text)
    assert len(names) == text.count("\nTheorem ")
    run, ran = rocq._run, list[Any]()

    def once(*given: Any) -> Any:
        ran[:] = ran or [run(*given)]
        return ran[0]

    monkeypatch.setattr(rocq, "_run", once)
    assert rocq.check_file(text, len(names)).accepted
    assert not rocq.check_file(text, len(names) + 1).accepted
