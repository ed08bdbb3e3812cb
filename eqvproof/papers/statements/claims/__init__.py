"""Kinds of claims: small frozen objects, each of which hands its question to the engines."""
