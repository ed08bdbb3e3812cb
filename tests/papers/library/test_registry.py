"""The library as a folder: complete, one statement a file, no outcome written down."""

from __future__ import annotations

import ast
import importlib
import re
from pathlib import Path

import pytest

import eqvproof.papers.library
from eqvproof.papers.library import SOURCES, source, statement, statements
from eqvproof.papers.statements import Statement
from eqvproof.papers.statements.statement import with_repairs
from eqvproof.support.errors import EqvproofError

MY23 = """
perm-subgroup attn.logits attn.single attn.permutation attn.multihead attn.orthogonal-fixed-weights
remark2.1 def3.1 prop3.1.sufficient prop3.1 prop3.1.householder-orthogonal
prop3.1.householder-action prop3.1.span prop3.1.one-column prop3.1.coefficient-invariance
prop3.1.every-g-invariant prop3.1.fft prop3.1.gram-orbit prop3.1.continuous-g sec3.2.arithmetic
sec3.2.orbit-of-functions def3.2 prop3.2.sufficient prop3.2 prop3.2.block sec3.2.attention-form
sec3.2.onehot-gram sec3.2.simple-form sec3.3.low-order sec3.3.quadratic-term sec3.3.quadratic-form
sec3.3.query-key sec3.3.softmax-not-elementwise sec3.3.inner-product-kernel sec3.3.rbf-kernel
sec4.position def4.1 prop4.1.sufficient prop4.1 prop4.1.reynolds prop4.1.swap-diagonal
prop4.1.swap-pair prop4.1.deep-sets-citation prop4.1.sum-decomposition prop4.1.sum-limits
remark4.1.typing remark4.1.diagonal remark4.1.off-diagonal sec5.linear-readout
sec5.nonlinear-readout sec5.nonlinear-readout-orthogonal sec5.multihead sec5.stack
""".split()
MY22 = """
prop3 prop3.pinv prop3.pinv-without-rank remark3.off-diagonal
""".split()
SYM23 = """
tangent.chain-rule tangent.penalty action.inverse action.no-inverse def.invariant def.equivariant
compose.equivariant compose.invariant stability.fourier-invariant stability.fourier-unstable
stability.wavelet linear-invariant pointwise-lift groupconv.typing groupconv.equivariant
groupconv.iff cnn.correlation cnn.stride cnn.channels gnn.equivariant gnn.phi-must-be-invariant
transformer.layer transformer.pairwise transformer.causal.permuted transformer.causal.fixed
transformer.rank rnn.update rnn.gru rnn.lstm
""".split()
LEC22 = """
def.invariance def.equivariance circulant.commute shift.orthogonal conv.shift pool.shift
perm.example birkhoff.hull birkhoff.vertices deepsets.sufficient deepsets.theorem2 deepsets.code
deepsets.code-multisets lemma3 lemma3.diagonal lemma3.off-diagonal lemma3.constant-sigma layer stack
softmax.rows softmax.order sqrt-scaling position mask layernorm.permutation layernorm.scale
swin.window-shift cost
""".split()
CLASSICS = """
deepsets.layer deepsets.linear deepsets.set deepsets.one-sum wagstaff.enough wagstaff.fewer
pointnet.invariant pointnet.segmentation pointnet.critical pointnet.multiplicities
pointnet.transform janossy.orders janossy.pairs janossy.two-from-one janossy.sorting
settransformer.sab settransformer.isab settransformer.seeds settransformer.mean
settransformer.counts settransformer.positions egnn.coordinates egnn.features egnn.velocities
egnn.mirror egnn.absolute vectors.linear vectors.bias vectors.relu vectors.coordinate-relu
vectors.invariant vectors.batchnorm norm.layer norm.gain norm.batch
""".split()
VILLAR21 = """
od.scalars od.vectors od.pairing od.relations od.lengths sod.scalars sod.cross sod.vectors
translation.scalars translation.vectors translation.velocities euclid.distances
permutation.vectors example.energy example.inertia example.force lorentz.scalars
lorentz.vectors lorentz.orbits
""".split()
FOLDER = Path(eqvproof.papers.library.__file__).parent
FILES = sorted(FOLDER.rglob("*.py"))
#: Files that hold what several statements share.
SHARED = {"notation", "points", "factoring", "homogeneous_quotient", "tokens", "with_knowledge"} | {
    "attention", "bands", "convolution", "equations", "finite", "gates", "haar",
    "drawings", "orbits", "invariant_functions",
    "averages", "entries", "entry_formulas", "pair_entries", "power_sums", "remark4_1_entries", "swaps",
    "preimages", "pseudo_inverse", "birkhoff", "circulants", "codes",
    "attention_blocks", "messages", "pooling", "scalars",
    "layernorm", "linear", "moments", "rotations", "scores", "windows",
}  # fmt: skip

each_file = pytest.mark.parametrize("path", FILES, ids=lambda p: str(p.relative_to(FOLDER)))


def words(path):
    """Identifiers and words of texts in a file, its docstrings left out."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield from re.findall(r"\w+", node.value)
        elif isinstance(node, ast.Name):
            yield node.id
        elif isinstance(node, ast.Attribute):
            yield node.attr


def test_every_statement_is_there_under_its_id():
    assert {s.id for s in statements("my23")} == {f"my23.{name}" for name in MY23}
    assert {s.id for s in statements("sym23")} == {f"sym23.{name}" for name in SYM23}
    assert {s.id for s in statements("my22")} == {f"my22.{name}" for name in MY22}
    assert {s.id for s in statements("lec22")} == {f"lec22.{name}" for name in LEC22}
    assert {s.id for s in statements("classics")} == {f"classics.{name}" for name in CLASSICS}
    assert {s.id for s in statements("villar21")} == {f"villar21.{name}" for name in VILLAR21}


def test_ids_are_unique():
    ids = [s.id for s in with_repairs(statements())]
    assert len(ids) == len(set(ids))


@pytest.mark.parametrize("name", SOURCES)
def test_every_file_of_a_source_is_listed(name):
    listed = source(name).STATEMENTS
    found = []
    for path in sorted(Path(source(name).__file__).parent.glob("*.py")):
        if path.stem not in SHARED | {"__init__"}:
            module = importlib.import_module(f"{source(name).__name__}.{path.stem}")
            found.append(module.STATEMENT)
    assert len(found) == len(listed)
    assert set(found) == set(listed)


@each_file
def test_files_are_small(path):
    most = 140 if path.stem == "__init__" else 100 if path.stem in SHARED else 66
    assert len(path.read_text(encoding="utf-8").splitlines()) <= most


@each_file
def test_no_outcome_is_written_down(path):
    written = {"HOLDS", "FAILS", "UNDECIDED", "PROVED", "DECIDED", "BOUNDED", "TESTED", "EXACT", "ENCLOSED"}
    assert written & set(words(path)) == set()
    assert {"Verdict", "Outcome", "Grade", "Finding"} & set(words(path)) == set()


def test_an_outcome_would_be_seen(tmp_path):
    path = tmp_path / "x.py"
    path.write_text("'''HOLDS'''\nx = Outcome.FAILS\ny = 'it HOLDS'", encoding="utf-8")
    assert {"FAILS", "HOLDS", "Outcome"} <= set(words(path))


@pytest.mark.parametrize("found", with_repairs(statements()), ids=lambda s: s.id)
def test_places_and_readings(found):
    assert isinstance(found, Statement)
    assert not re.search(r"\.txt|\.md|seeds|/", found.place)
    assert all(isinstance(line, str) and len(line) > 10 for line in found.reading)


def test_statements_by_name():
    assert statement("my23.prop3.1").place.startswith("§3.1")
    assert statement("my23.attn.orthogonal-fixed-weights.repaired").id.endswith(".repaired")
    assert [s.id for s in statements("my23.prop3.2")] == [
        "my23.prop3.2.sufficient", "my23.prop3.2", "my23.prop3.2.block",
    ]  # fmt: skip
    listed = (MY23, MY22, SYM23, LEC22, CLASSICS, VILLAR21)
    assert len(statements()) >= sum(map(len, listed))


@pytest.mark.parametrize("name", ["my24", "my23.prop9", "my23.prop"])
def test_an_unknown_name(name):
    with pytest.raises(EqvproofError, match="there is no statement"):
        statements(name)


def test_an_unknown_source():
    with pytest.raises(EqvproofError, match="no source 'zz'"):
        source("zz")


def test_the_way_from_steps_to_propositions_is_derived_and_not_told():
    """Conclusions rest on their steps: each proposition with a printed proof names them in its claim."""
    for id, steps in {
        "my23.prop3.1": {
            "my23.prop3.1.one-column",
            "my23.prop3.1.coefficient-invariance",
            "my23.prop3.1.fft",
        },
        "my23.prop3.2": {"my23.prop3.1", "my23.prop3.2.block"},
    }.items():
        assert {s.id for s in statement(id).claim.claim.statements.values()} == steps
