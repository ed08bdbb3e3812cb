"""Symbolic arrays, which represent every array of their shape in a trace; and their functions."""
