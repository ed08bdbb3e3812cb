"""PyTorch targets, read from one run without entries and compared with runs on tensors."""
