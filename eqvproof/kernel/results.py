"""Checks joint certificates of several results of a function: one certificate for each."""

from __future__ import annotations

import re
from typing import Any

from .check import check_content
from .report import Limited, Rejected, Report
from .text import digest, fields, items, read_name, sealed

#: Largest number of results, and of choices of sizes in all of them; the pattern of their names.
MOST_RESULTS, MOST_SIZES, RESULT = 64, 128, re.compile(r"[A-Za-z0-9_. ]{1,128}", re.ASCII)
#: Grades of claims that hold, strongest first.
HOLDS = ("PROVED", "DECIDED", "BOUNDED")


def check_results(content: dict[str, Any]) -> Report:
    """Checks the claims of all results; the grade is the weakest of theirs."""
    (listed,) = fields(content, "$", "results")
    reports: dict[str, Report] = {}
    arguments, sizes = set(), 0
    for i, entry in enumerate(items(listed, "$.results", MOST_RESULTS)):
        name, inner = fields(entry, f"$.results[{i}]", "name", "certificate")
        if read_name(name, f"$.results[{i}].name", RESULT) in reports:
            raise Rejected(f"$.results[{i}].name: two results of one name")
        claim = sealed(inner).get("claim")
        if not isinstance(claim, dict) or not {"kind", "inputs"} <= claim.keys():
            raise Rejected(f"$.results[{i}]: not the certificate of a claim about a function")
        if isinstance(claim.get("scope"), list):
            sizes += len(claim["scope"])
        if sizes > MOST_SIZES:
            raise Limited(f"$.results: more than {MOST_SIZES} choices of sizes")
        report = check_content(inner)
        if report.grade not in HOLDS:
            raise Rejected(f"$.results[{i}]: not the certificate of a claim that holds")
        arguments.add(digest([claim["kind"], claim["inputs"], claim.get("group")]))
        reports[name] = report
    if len(reports) < 2 or len(arguments) > 1:
        raise Rejected(
            "$.results: expected several claims about the same arguments and the same group"
        )
    return Report(
        accepted=True,
        statement="; ".join(f"{name}: {report.statement}" for name, report in reports.items()),
        grade=max((r.grade for r in reports.values()), key=HOLDS.index),
        rests_on=tuple(dict.fromkeys(rest for r in reports.values() for rest in r.rests_on)),
    )


CHECKS = {"results": check_results}
