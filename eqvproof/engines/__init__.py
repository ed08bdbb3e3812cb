"""The engines that turn a claim into a verdict: proofs, decisions, counterexamples, tests."""
