"""From a NumPy function to a Program: what it names is exchanged while it runs on traced arrays."""
