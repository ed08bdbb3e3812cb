"""Plots of counterexamples, coefficients, errors, profiles and reviews, with matplotlib.

    figure = eqvproof.plots.counterexample(verdict)
    figure.savefig("counterexample.svg")

Every function returns a `matplotlib.figure.Figure`, which a notebook shows; ``figure=`` draws into
one of yours. Text and axes follow matplotlib's style: ``plt.style.use("dark_background")`` gives
dark figures. Needs matplotlib: ``pip install "eqvproof[plots]"``.
"""

from typing import TYPE_CHECKING

from eqvproof.interface.plots.deepsets import deepsets_error
from eqvproof.interface.plots.matrices import coefficients, counterexample
from eqvproof.interface.plots.profiles import profile
from eqvproof.interface.plots.reviews import review
from eqvproof.support.lazy import loader

__all__ = ["coefficients", "counterexample", "deepsets_error", "profile", "review"]

if not TYPE_CHECKING:  # for names that are not there
    __getattr__ = loader(__name__, {})
