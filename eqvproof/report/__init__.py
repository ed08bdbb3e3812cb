"""Verdicts and reviews as JSON, as tables, as pages."""

from eqvproof.report.changes import Changes, changes_since, read_report
from eqvproof.report.data import json_text
from eqvproof.report.page import review_page
from eqvproof.report.table import print_review, print_verdict, review_lines

__all__ = [
    "Changes", "changes_since", "json_text", "print_review", "print_verdict", "read_report", "review_lines",
    "review_page",
]  # fmt: skip
