"""Translation of functions of NumPy, torch, JAX or SymPy to Programs, by running them symbolically.

`numpy.trace` reads NumPy functions, and `framework` those of torch and JAX; `replay` compares a
Program with its function, `run` calls the function itself, and `observing` inspects a function's
code and data.
"""
