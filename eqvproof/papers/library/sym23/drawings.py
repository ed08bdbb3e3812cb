"""Pictures of the statements on stability."""

from __future__ import annotations

import numpy as np

from eqvproof.papers.library.sym23.bands import squared_change
from eqvproof.papers.library.sym23.haar import commutator_norm
from eqvproof.papers.statements import Curves

AT = np.linspace(1 / 64, 1 / 2, 32)


def fourier_against_wavelet() -> Curves:
    """Draws relative changes under dilations: of the Fourier modulus, and of the Haar wavelet."""
    fourier = [float(squared_change(eps)) ** 0.5 for eps in AT]
    wavelet = [float(commutator_norm(eps)) / (1 - eps) ** 0.5 for eps in AT]
    return Curves(
        "relative change under dilations by 1 - eps: the change of the Fourier modulus of a band"
        " near 1 / eps does not go to 0 with eps; the bound for the wavelet transform, compared"
        " with the dilated one, does",
        "eps",
        AT.tolist(),
        {"Fourier modulus": fourier, "Haar wavelet": wavelet},
    )
