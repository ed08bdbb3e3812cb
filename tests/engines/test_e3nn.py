"""Modules of e3nn: proved in their own bases, each with a near miss that engine and kernel refuse."""

from __future__ import annotations

import copy
import json
from fractions import Fraction
from typing import Any

import pytest

import eqvproof as ep
from tests.kernel.corpus import reseal
from tests.kernel.encoding import written

torch = pytest.importorskip("torch")
o3 = pytest.importorskip("e3nn.o3", reason="e3nn is not installed", exc_type=ImportError)
nn = pytest.importorskip("e3nn.nn", exc_type=ImportError)

I = "2x0e+1x0o+2x1o+1x1e+1x2e+1x3o"  # noqa: E741
PAIR = "x: n a, y: n b -> n c"


@pytest.fixture(autouse=True)
def _double() -> Any:
    before = torch.get_default_dtype()
    torch.set_default_dtype(torch.float64)
    torch.manual_seed(0)
    yield
    torch.set_default_dtype(before)


def reps(**irreps: Any) -> dict[str, Any]:
    return {axis: ("O(3)", str(text)) for axis, text in irreps.items()}


def proved(module: Any, signature: str, **irreps: Any) -> ep.Verdict:
    verdict = ep.prove(module, signature, "O(3)", reps=reps(**irreps))
    assert verdict.grade == "PROVED", str(verdict)
    report = ep.verify(verdict.certificate)
    assert report.accepted and ("stands for" in report.statement) == bool(verdict.readings)
    return verdict


def refused(module: Any, signature: str, **irreps: Any) -> None:
    assert ep.prove(module, signature, "O(3)", reps=reps(**irreps)).outcome == "UNDECIDED"


def product_(*irreps: str) -> tuple[Any, dict[str, str]]:
    """A tensor product with a path for each three irreps, and its irreps by axis."""
    return o3.FullyConnectedTensorProduct(*irreps), dict(zip("abc", irreps, strict=True))


def test_a_tensor_product_with_tables_of_all_kinds() -> None:
    tp, irreps = product_("1x0e+2x1o+1x1e+1x2e", "0e+1o+2e", "1x0e+1x0o+2x1o+1x2e+1x3o")
    assert len(proved(tp, PAIR, **irreps).readings) > 3


def test_other_irreps_of_a_tensor_product_are_refused() -> None:
    tp, irreps = product_("1o", "0e+1o+2e", "0e+1o+3o")
    assert len(proved(tp, PAIR, **irreps).readings) > 1
    for name, wrong in (("b", "0e+1o+2o"), ("b", "0e+1e+2e"), ("c", "0e+1o+3e")):
        refused(tp, PAIR, **{**irreps, name: wrong})
    literal = ep.prove(tp, PAIR, "O(3)", reps=reps(**irreps), constants="literal")
    assert literal.outcome == "UNDECIDED"


def numbers_in(certificate: Any) -> list[str]:
    """The numbers of the arrays of a proof, of which nothing is known but these."""
    functions = certificate["forms"]["functions"]
    return [f["array"][1] for f in functions if isinstance(f, dict) and "array" in f]


@pytest.mark.parametrize(("dtype", "off"), [(torch.float64, 1e-7), (torch.float32, 1e-5)])
def test_a_table_that_is_off_is_refused(dtype: Any, off: float) -> None:
    tp = o3.FullyConnectedTensorProduct("1o+2e", "1o+2e", "1o+2e").to(dtype)
    irreps = {"a": "1o+2e", "b": "1o+2e", "c": "1o+2e"}
    verdict = proved(tp, PAIR, **irreps)
    tables = [text for text in numbers_in(verdict.certificate) if len(written(text)) > 26]
    assert tables and ep.verify(reseal(verdict.certificate)).accepted
    for text in tables:
        values = written(text)
        place = max(range(len(values)), key=lambda i: abs(Fraction(values[i])))
        values[place] = str(Fraction(values[place]) + Fraction(off))
        before, after = json.dumps(text), json.dumps(" ".join(values))
        altered = json.loads(json.dumps(verdict.certificate).replace(before, after))
        assert altered != verdict.certificate
        assert "type" in ep.verify(reseal(altered)).reason
    without = copy.deepcopy(verdict.certificate)
    del without["claim"]["readings"]
    assert "type" in ep.verify(reseal(without)).reason
    buffer = next(b for n, b in tp.named_buffers() if "w3j" in n and b.numel() > 26)
    with torch.no_grad():
        buffer.view(-1)[buffer.abs().argmax()] += off
    refused(tp, PAIR, **irreps)
    wrong = ep.check(tp, PAIR, "O(3)", reps=reps(**irreps), budget=20)
    assert wrong.fails, str(wrong)


def test_claims_in_certificates_cannot_be_altered() -> None:
    verdict = proved(o3.Linear(I, "1x0e+2x1o+1x3o"), "x: n a -> n c", a=I, c="1x0e+2x1o+1x3o")
    terms = verdict.certificate["claim"]["output"][1]
    for k, mark in ((0, "0o"), (1, "1e"), (2, "3e"), (2, "7e"), (2, "x")):
        altered = copy.deepcopy(verdict.certificate)
        altered["claim"]["output"][1][k] = [terms[k][0], None, mark]
        assert not ep.verify(reseal(altered)).accepted, mark
    altered = copy.deepcopy(verdict.certificate)
    altered["claim"]["group"][0]["axis"] = 2
    assert not ep.verify(reseal(altered)).accepted


def test_linear() -> None:
    out = "3x0e+2x1o+2x3o+1x1e"
    assert not proved(o3.Linear(I, out), "x: n a -> n c", a=I, c=out).readings
    refused(o3.Linear(I, out), "x: n a -> n c", a=I, c="3x0e+2x1o+2x3o+1x1o")
    refused(torch.nn.Linear(8, 8), "x: n a -> n a", a="1o+2e")


def test_gate() -> None:
    gate = nn.Gate("2x0e+1x0o", [torch.nn.functional.silu, torch.tanh], "2x0e", [torch.sigmoid], "1x1o+1x2e")
    proved(gate, "x: n a -> n c", a=gate.irreps_in, c=gate.irreps_out)
    irreps = str(gate.irreps_in).replace("1x0o", "1x0e")
    out = str(gate.irreps_out).replace("1x0o", "1x0e")
    refused(gate, "x: n a -> n c", a=gate.irreps_in, c=out)
    proved(gate, "x: n a -> n c", a=irreps, c=out)


def test_norms() -> None:
    irreps = "2x0e+1x1o+1x2e"
    for options in ({}, {"normalize": True, "epsilon": 1e-6, "bias": True}):
        module = nn.NormActivation(o3.Irreps(irreps), torch.sigmoid, **options)
        proved(module, "x: n a -> n a", a=irreps)
        refused(module, "x: n a -> n a", a="1x2e+2x0e+1x1o")
    norm = o3.Norm(I)
    proved(norm, "x: n a -> n c", a=I, c=norm.irreps_out)


class Component(torch.nn.Module):
    """A tensor product in which one component of a path has another factor."""

    def __init__(self, times: float) -> None:
        super().__init__()
        self.tp = o3.FullTensorProduct("1o", "2e")
        self.register_buffer("times", torch.ones(self.tp.irreps_out.dim))
        self.times[4] = times

    def forward(self, x: Any, y: Any) -> Any:
        return self.tp(x, y) * self.times


def test_a_component_with_another_factor_is_refused() -> None:
    irreps = {"a": "1o", "b": "2e", "c": o3.FullTensorProduct("1o", "2e").irreps_out}
    proved(Component(1.0), PAIR, **irreps)
    refused(Component(1.0000001), PAIR, **irreps)


def test_irreps_in_the_signature() -> None:
    verdict = ep.prove(o3.Linear(I, "1x0e+3x1o"), f"x: n <{I}> -> n <1x0e+3x1o>", "O(3) x S(n)")
    assert verdict.grade == "PROVED" and ep.verify(verdict.certificate).accepted
    assert verdict.signature == f"x: n <{I}> -> n <1x0e+3x1o>"
    with_objects = {"a": o3.Irreps(I), "c": "1x0e+3x1o"}
    again = ep.prove(o3.Linear(I, "1x0e+3x1o"), "x: n a -> n c", "O(3) x S(n)", reps=with_objects)
    assert again.grade == "PROVED", str(again)
    wrong = ep.check(o3.Linear("2e", "2e"), "x: n <1x2e> -> n <1x2o>", "O(3)")
    assert wrong.fails and "<1x2o>" in wrong.signature
    for text in ("<>", "<2x>", "<0x1o>", "<2y>", "<1o> <"):
        with pytest.raises(ep.EqvproofError):
            ep.check(lambda x: x, f"x: n {text} -> n 3", "O(3)")
    with pytest.raises(ep.EqvproofError, match="one factor of motions"):
        ep.check(lambda x: x, "x: n <1o> -> n <1o>", "S(n)")


def test_the_assertion_of_e3nn() -> None:
    from eqvproof.interface.testing.e3nn import assert_equivariant

    verdict = assert_equivariant(o3.FullyConnectedTensorProduct("0e+1o+2e", "1o+2e", "0e+1o+2e"))
    assert verdict is not None and verdict.grade == "PROVED" and ep.verify(verdict.certificate).accepted
    assert assert_equivariant(o3.Linear("3x0e", "2x0e")) is None
    points = assert_equivariant(
        lambda x, y: (x - y, torch.ones(4)[:, None] * 2), [torch.randn(4, 3), torch.randn(4, 3)],
        irreps_in=["cartesian_points"] * 2, irreps_out=["1o", "0e"],
    )  # fmt: skip
    assert points is not None and points.grade == "PROVED"
    given = assert_equivariant(
        lambda x, w: x * w, [torch.randn(4, 5), torch.randn(4, 1)], irreps_in=["2e", None], irreps_out=["2e"]
    )
    assert given is not None and given.holds
    with pytest.raises(AssertionError, match="FAILS"):
        assert_equivariant(lambda x: x + 2e-4, [torch.randn(1, 3)], irreps_in=["1o"], irreps_out=["1o"])
    with pytest.raises(AssertionError):
        assert_equivariant(lambda x: x, [torch.randn(1, 3)], irreps_in=["1o"], irreps_out=["1e"])
    assert_equivariant(lambda x: x, [torch.randn(1, 3)], irreps_in=["1o"], irreps_out=["1e"], do_parity=False)


def test_irreps_that_no_axis_of_the_claim_has() -> None:
    harmonics = o3.SphericalHarmonics("2e", normalize=False)
    verdict = ep.prove(lambda x: (harmonics(x) ** 2).sum(-1), "x: n 3 -> n", "O(3)", backend="torch")
    assert verdict.grade == "PROVED" and ep.verify(verdict.certificate).accepted, str(verdict)
    assert verdict.readings
    off = ep.prove(lambda x: (harmonics(x) ** 2)[:, 1:].sum(-1), "x: n 3 -> n", "O(3)", backend="torch")
    assert off.outcome == "UNDECIDED"


def test_zeros_have_the_irreps_of_what_is_added_to_them() -> None:
    tp = o3.FullTensorProduct("1o", "1o")
    last = o3.Linear(tp.irreps_out, "2x1e")

    def received(x: Any, y: Any, i: Any, n: Any) -> Any:
        sent = tp(x, y)
        return last(torch.zeros(n, sent.shape[1]).index_add(0, i, sent))

    signature = "x: m <1o>, y: m <1o>, i[n]: m, sizes n -> n <2x1e>"
    verdict = ep.prove(received, signature, "O(3)", backend="torch")
    assert verdict.grade == "PROVED" and ep.verify(verdict.certificate).accepted, str(verdict)
    for wrong in (signature.replace("2x1e", "2x1o"), signature.replace("y: m <1o>", "y: m <1e>")):
        assert ep.prove(received, wrong, "O(3)", backend="torch").outcome == "UNDECIDED"

    def ones(x: Any, y: Any, i: Any, n: Any) -> Any:
        sent = tp(x, y)
        return last(torch.ones(n, sent.shape[1]).index_add(0, i, sent))

    assert ep.prove(ones, signature, "O(3)", backend="torch").outcome == "UNDECIDED"


def test_a_grid_in_place_of_an_integral() -> None:
    """It is not equivariant, and no rounding of its tables is why: the size of the violation says so."""
    torch.set_default_dtype(torch.float32)
    module = nn.SO3Activation(1, 1, torch.tanh, 2)
    irreps = "0e+3x1e"
    verdict = ep.check(module, f"x: 2! <{irreps}> -> 2! <{irreps}>", "O(3)", backend="torch")
    assert verdict.fails and verdict.grade == "ENCLOSED", str(verdict)
    assert verdict.counterexample is not None and 5e-4 < verdict.counterexample.size < 0.1
    assert " of the greatest entry: [x: 2!" in str(verdict).splitlines()[0]
    certificate: Any = verdict.certificate
    assert ep.verify(certificate).accepted
    wrong = copy.deepcopy(certificate)
    wrong["evidence"]["left"] = wrong["evidence"]["right"]
    assert not ep.verify(reseal(wrong)).accepted
    still = copy.deepcopy(certificate)
    still["evidence"]["element"][0]["matrix"] = [["1", "0", "0"], ["0", "1", "0"], ["0", "0", "1"]]
    assert not ep.verify(reseal(still)).accepted


def test_many_vectors_side_by_side() -> None:
    """The width of networks in use."""
    irreps = "128x0e+128x1o"
    proved(o3.Linear(irreps, irreps), "x: n a -> n b", a=irreps, b=irreps)
