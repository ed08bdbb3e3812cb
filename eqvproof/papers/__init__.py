"""The statements of papers as executable objects, their library, and the reviews that judge them."""
