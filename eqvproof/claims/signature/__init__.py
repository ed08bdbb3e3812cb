"""Signatures: the names, shapes and kinds of a function's arguments and of its result."""

from eqvproof.claims.signature.model import Argument, Axis, Signature, Term
from eqvproof.claims.signature.parse import parse_form, parse_signature

__all__ = ["Argument", "Axis", "Signature", "Term", "parse_form", "parse_signature"]
