"""From a NumPy function to a Program, and calls of the function itself.

`trace_all_sizes` and `trace_at` read a Program off a function; `run` calls it on real arrays; `opaque` makes
a function that stays uninterpreted.
"""

from __future__ import annotations

from eqvproof.frontends.run import run
from eqvproof.frontends.trace import Trace, trace_all_sizes, trace_at

__all__ = ["Trace", "run", "trace_all_sizes", "trace_at"]
