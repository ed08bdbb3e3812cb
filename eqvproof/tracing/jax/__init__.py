"""JAX targets: traced to a jaxpr with symbolic sizes, run on JAX arrays."""
