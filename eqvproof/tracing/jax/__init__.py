"""JAX targets: traced to a jaxpr with symbolic sizes, run on JAX arrays."""

from eqvproof.tracing.jax.target import is_jax, jax_target

__all__ = ["is_jax", "jax_target"]
