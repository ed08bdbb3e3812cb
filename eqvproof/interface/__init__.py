"""User interfaces: command line, assertions and pytest plugin, Hypothesis strategies, plots."""
