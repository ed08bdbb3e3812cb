"""What a function is made of, and does while it runs: its code, the objects it reaches, its state."""
