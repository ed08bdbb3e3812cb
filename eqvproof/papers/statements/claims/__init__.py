"""Kinds of claims: small frozen objects that pass their question to the engines."""
