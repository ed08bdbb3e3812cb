"""Random Programs and functions, claims about them, and attacks on what is said of them."""
