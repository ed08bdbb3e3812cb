"""What people meet: the command line, pytest and notebooks, Hypothesis strategies, plots."""
