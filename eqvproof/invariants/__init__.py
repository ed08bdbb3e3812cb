"""Gram matrices, group averages, and witnesses: elements that map one array to another."""
