"""From a Program and a claim to what can be said of it: infer, decide, identity, search."""
