"""Traces of NumPy functions to Programs: names are exchanged while traced arrays run through."""
