"""Claims: signatures with axes and sizes, groups and how they act, domains of inputs."""
