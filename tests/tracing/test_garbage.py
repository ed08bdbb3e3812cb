"""What the garbage collector runs during a trace is no part of the target."""

from __future__ import annotations

import gc

from eqvproof.claims.signature import parse_signature
from eqvproof.tracing.numpy.trace import trace_all_sizes

count = 0


def callback(phase, info):
    global count
    try:
        count += 1
    except TypeError:
        pass


def test_a_callback_of_the_collector_is_not_the_targets():
    threshold = gc.get_threshold()
    gc.collect()
    gc.freeze()  # a process of tests is large
    gc.callbacks.append(callback)
    gc.set_threshold(1, 1, 1)
    try:
        trace_all_sizes(lambda X: X @ (X.T @ X), parse_signature("X: d n -> d n"))
    finally:
        gc.set_threshold(*threshold)
        gc.callbacks.remove(callback)
    assert gc.isenabled()
    assert count > 0
