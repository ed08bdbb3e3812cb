"""From a claim to a verdict: proofs, decisions, counterexamples, tests."""
