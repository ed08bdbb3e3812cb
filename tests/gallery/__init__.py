"""Layers as their users write them, each with near misses that differ from it in one line."""
