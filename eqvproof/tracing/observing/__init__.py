"""Inspection of functions: their code, the objects they reach, what they change as they run."""
