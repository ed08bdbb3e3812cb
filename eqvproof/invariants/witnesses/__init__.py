"""Witnesses: the group element that carries one configuration to another, or what rules it out."""
