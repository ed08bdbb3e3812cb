"""Verdicts and reviews as JSON and as pages; what changed between two of them."""

from eqvproof.report.changes import Changes, changes_since, read_report
from eqvproof.report.data import json_text
from eqvproof.report.page import review_page

__all__ = ["Changes", "changes_since", "json_text", "read_report", "review_page"]
