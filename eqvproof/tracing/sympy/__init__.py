"""SymPy expressions and matrix expressions as functions; symbols are the arguments, by name."""
