"""Measures how each submodule of a model breaks a symmetry on data; finds the first to do so."""

from eqvproof.interface.profile.call import profile
from eqvproof.interface.profile.result import Profile, ProfileRow, Status

__all__ = ["Profile", "ProfileRow", "Status", "profile"]
