"""What is asked: signatures with their axes and sizes, groups that act on them, domains of inputs."""
