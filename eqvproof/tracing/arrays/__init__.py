"""Symbolic arrays: what stands for every array of its shape while a target runs, and the functions on it."""
