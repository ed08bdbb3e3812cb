"""PyTorch targets, read from one run without entries and compared with runs on tensors."""

from eqvproof.tracing.torch.target import is_torch, torch_target

__all__ = ["is_torch", "torch_target"]
