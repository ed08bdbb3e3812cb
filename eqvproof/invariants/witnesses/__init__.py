"""Witnesses: a group element that maps one configuration to another, or an obstruction."""
