"""PyTorch targets: traced by torch.export, run on tensors."""

from eqvproof.frontends.torch.export import export_program

__all__ = ["export_program"]
