"""Elaborates a Program and its proof into the forms of `rocq/Programs.v`, with types.

Nothing here is trusted: what it writes is checked by the kernel, or by the checkers in Rocq.
"""
