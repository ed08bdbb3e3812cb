"""Forms of random Programs: their values, by two evaluators, and proofs in them, which are known again."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from hypothesis import assume, given, settings
from hypothesis import strategies as st

from eqvproof.claims.groups import parse_group
from eqvproof.claims.signature import parse_signature
from eqvproof.engines.elaborate.agreement import agree
from eqvproof.engines.elaborate.program import has_forms, translate_program
from eqvproof.engines.elaborate.proof import elaborate, forms_to_json
from eqvproof.engines.one_type_each import with_one_type_each
from eqvproof.kernel import check_certificate, report
from eqvproof.kernel.form_values import evaluate, read_forms
from eqvproof.kernel.interval import Arithmetic
from eqvproof.kernel.tensors import Tensor
from eqvproof.numbers import UNDEFINED
from eqvproof.programs import Program
from eqvproof.programs.evaluate import evaluate_exact
from eqvproof.programs.sealing import seal
from tests.engines.test_infer import prove_some
from tests.programs.evaluate.programs import random_inputs, random_program
from tests.sampling import examples

SIZES = st.fixed_dictionaries({"n": st.integers(1, 3), "d": st.integers(1, 3)})


def names_in(program: Program) -> set[str]:
    """The names of the sizes of its arguments."""
    return {name for _, shape in program.inputs for size in shape for name in size.names}


@given(seed=st.integers(0, 2**32), sizes=SIZES)
@settings(max_examples=examples(300, few=100), deadline=None)
def test_values_at_given_sizes(seed: int, sizes: dict[str, int]) -> None:
    """The kernel finds in the forms what exact arithmetic finds in the Program, undefined entries too."""
    program = random_program(seed, rational=True)
    assume(not program.opaques)
    given_, known = random_inputs(seed, sizes), {name: sizes[name] for name in names_in(program)}
    report.allow(10**7)
    inputs = [Tensor(given_[n].shape, [*map(Fraction, given_[n].flat)]) for n, _ in program.inputs]
    forms = read_forms(forms_to_json(translate_program(program.to_json(), known)), "$.forms", known)
    found, wanted = evaluate(forms, inputs, Arithmetic(64)), evaluate_exact(program, given_, sizes)
    assert found.shape == wanted.shape
    assert found.values == [None if x is UNDEFINED else x.to_fraction() for x in wanted.flat]


@given(seed=st.integers(0, 2**32))
@settings(max_examples=examples(200, few=60), deadline=None)
def test_forms_for_all_sizes_agree(seed: int) -> None:
    program = random_program(seed)
    assert agree(program, translate_program(program.to_json()))


def test_proofs_become_certificates(some: Any) -> None:
    """The kernel accepts the forms of random proofs, which are those of their Programs."""
    count, seeds = 0, some(range(200), 40)
    for seed in seeds:
        for program, text, under, proof in prove_some(seed):
            signature = parse_signature(text)
            claim = {
                "kind": "equivariance", **signature.to_json(),
                "group": parse_group(under, signature).to_json(),
                "scope": dict.fromkeys(signature.names, "all"),
            }  # fmt: skip
            one, types = with_one_type_each(program, proof)
            shown = types.to_json()
            forms, content = elaborate({"claim": claim, "program": one.to_json(), "evidence": shown})
            certificate, about = seal("proof", **content), (text, under, program.to_json())
            assert agree(one, forms), about
            assert check_certificate(certificate).accepted, about
            assert has_forms(one.to_json(is_stored=True), certificate), about
            count += 1
    assert count > len(seeds) / 4
