"""PyTorch functions and modules: one run without entries is recorded and read as a Program."""
