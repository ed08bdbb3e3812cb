"""Statements of papers as executable objects, a library of them, and reviews that check them."""
