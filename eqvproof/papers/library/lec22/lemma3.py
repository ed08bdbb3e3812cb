"""Lemma 3: linear layers with a nonlinearity."""

import eqvproof as ep
from eqvproof.papers.library.lec22 import lemma3_diagonal, lemma3_off_diagonal
from eqvproof.papers.library.lec22.linear import REDUCES, layer, spaces
from eqvproof.papers.statements import (
    Conjunction,
    Derivation,
    Equivariance,
    Illustrated,
    Lemma,
    LinearMaps,
)

sigma = ep.opaque("sigma", "x: m -> m", under="S(m)", example=lambda x: x * x)


STATEMENT = Lemma(
    id="lec22.lemma3",
    place="Deep Sets, Lemma 3",
    formal=("MaYing.lemma3_layer", "Lemma3Sharp.lemma3_layer_sharp"),
    printed="sigma(Theta x) is permutation equivariant iff Theta = lambda I + gamma 1 1^T",
    claim=Illustrated(
        Conjunction(
            {
                "if": Equivariance(
                    lambda x, a, c: sigma(layer(x, a, c)), "x: m, a: (), c: () -> m", under="S(m)"
                ),
                "only if: the diagonal": Derivation(
                    "entry(Theta, K, K) = entry(Theta, L, L)",
                    {"entry(Theta, K, K) = entry(Theta, L, L)": lemma3_diagonal.STATEMENT},
                    {},
                    "k",
                ),
                "only if: the rest": Derivation(
                    "entry(Theta, I1, J1) = entry(Theta, I, J)",
                    {"entry(Theta, I1, J1) = entry(Theta, I, J)": lemma3_off_diagonal.STATEMENT},
                    {},
                    "k",
                ),
                "only if: sigma goes": REDUCES,
            }
        ),
        {"dimensions": LinearMaps(spaces)},
    ),
    reading=(
        "sigma is applied to every entry, and is bijective, as the sketch of the proof says; see"
        " lec22.lemma3.constant-sigma. The 'if' part holds for any sigma",
        "a matrix whose diagonal entries are equal, and the others too, is lambda I + gamma 1 1^T;"
        " for M = 1 the two terms coincide",
        "the step for the other entries does not hold as printed; its repaired form is used",
    ),
)
