"""Functions that are wrong in one way, and right ones, hard ones included: detection is measured on them."""
