"""Verdicts and reviews as JSON and as pages, and the differences between two reviews."""

from eqvproof.papers.report.changes import Changes, changes_since, read_report
from eqvproof.papers.report.data import json_text
from eqvproof.papers.report.page import review_page

__all__ = ["Changes", "changes_since", "json_text", "read_report", "review_page"]
