"""The code that runs: whose it is, its lines and instructions, and how the interpreter tells of them."""
