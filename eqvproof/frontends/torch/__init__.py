"""PyTorch targets: traced by torch.export, run on tensors."""

from eqvproof.frontends.torch.target import is_torch, torch_target

__all__ = ["is_torch", "torch_target"]
