"""PyTorch targets: traced by torch.export, run on tensors."""

from eqvproof.frontends.torch.target import TorchTarget, is_torch

__all__ = ["TorchTarget", "is_torch"]
