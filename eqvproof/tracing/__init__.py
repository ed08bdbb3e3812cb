"""From a function of NumPy, torch, JAX or SymPy to a Program, over arrays that stand for all arrays.

`numpy.trace` reads NumPy functions, and `framework` those of torch and JAX; `replay` compares a
Program with its function, `run` calls the function itself, and `observing` tells what a function is
made of.
"""
