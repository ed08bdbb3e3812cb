"""Verdicts and reviews as JSON, as tables, as pages."""

from eqvproof.report.data import json_text
from eqvproof.report.page import review_page
from eqvproof.report.table import print_review, print_verdict, review_lines

__all__ = ["json_text", "print_review", "print_verdict", "review_lines", "review_page"]
