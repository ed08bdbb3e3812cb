"""Invariants and witnesses: Gram matrices, group averages, elements that map one array to another."""
