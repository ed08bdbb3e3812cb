"""The kernel's one entry: from a certificate to a report."""

from __future__ import annotations

import gc
import json
import re
from typing import Any

from .loading import part
from .report import Limited, Rejected, Report, Undecided, Unreadable, allow_work
from .text import digest, fields, items, one_of, parse, sealed, text

ENVELOPE = ("format", "version", "kind", "digest")
#: The kind of a certificate that is one for each of several results, how many there are at most, their names.
RESULTS, MOST_RESULTS, RESULT = "results", 64, re.compile(r"[A-Za-z0-9_. ]{1,128}", re.ASCII)
#: Grades of what holds, strongest first.
HOLDS = ("PROVED", "DECIDED", "BOUNDED")
#: The module whose table CHECKS has the function for each kind of certificate.
KINDS: dict[str, str] = {
    "proof": "proof",
    "counterexample": "points",
    "evaluation": "points",
    "difference": "points",
    "identity": "normal",
    "rewriting": "rewriting",
    "equality": "equalities",
    "decision": "decisions",
    "test": "decisions",
    "orthogonal-witness": "witness",
    "gram-mismatch": "witness",
    "permutation-witness": "witness",
    "multiset-mismatch": "witness",
    "congruence-witness": "witness",
    "congruence-mismatch": "witness",
}


def check_certificate(data: dict[str, Any] | str | bytes) -> Report:
    """The kernel's report on a certificate.

    Args:
        data: JSON text, or the data that it stands for.

    Returns:
        A report that is accepted only if everything was checked.

    Raises:
        Unreadable: what is given is no certificate at all.
    """
    if isinstance(data, dict):
        try:
            data = json.dumps(data)
        except (ValueError, TypeError, RecursionError) as error:
            raise Unreadable(f"not JSON: {error}") from None
    if not isinstance(data, (str, bytes)):
        raise Unreadable("expected JSON text, or the data that it stands for")
    allow_work(len(data))
    collecting = gc.isenabled()
    gc.disable()  # the data make no cycles, and passes over all of them are no linear cost
    try:
        return _check(parse(data))
    except Unreadable:
        raise
    except Undecided as error:
        return Report(accepted=False, reason=f"not decided at this precision: {error}")
    except Rejected as error:
        return Report(accepted=False, reason=str(error), limited=isinstance(error, Limited))
    except Exception as error:  # a mistake of the kernel itself is no acceptance
        return Report(accepted=False, reason=f"internal error: {error!r}")
    finally:
        if collecting:
            gc.enable()


def _check(data: dict[str, Any]) -> Report:
    kind = one_of(data.get("kind"), "$.kind", (RESULTS, *KINDS))
    if data["version"] != 1 and kind != "proof":
        raise Rejected("$.version: version 2 is for proofs of equivariance only")
    content = {k: v for k, v in data.items() if k not in ENVELOPE}
    if kind == RESULTS:
        return _results(content)
    more = {"packed": True} if data["version"] != 1 else {}
    report = part(KINDS[kind]).CHECKS[kind](content, **more)
    if not isinstance(report, Report):
        raise Rejected(f"the check of a {kind} gave no report")
    return report


def _results(content: dict[str, Any]) -> Report:
    """Certificates that one claim each holds: of one group and the same arguments, for several results.

    What is shown is the conjunction; its grade is the weakest.
    """
    (listed,) = fields(content, "$", "results")
    reports: dict[str, Report] = {}
    arguments = set()
    for i, entry in enumerate(items(listed, "$.results", MOST_RESULTS)):
        name, inner = fields(entry, f"$.results[{i}]", "name", "certificate")
        if text(name, f"$.results[{i}].name", RESULT) in reports:
            raise Rejected(f"$.results[{i}].name: two results of one name")
        if sealed(inner).get("kind") == RESULTS:
            raise Rejected(f"$.results[{i}]: results within results")
        allow_work(len(json.dumps(inner)))
        report = _check(inner)
        if report.grade not in HOLDS:
            raise Rejected(f"$.results[{i}]: not the certificate of a claim that holds")
        claim = inner.get("claim")
        if not isinstance(claim, dict) or not {"kind", "inputs"} <= claim.keys():
            raise Rejected(f"$.results[{i}]: not the certificate of a claim about a function")
        arguments.add(digest([claim["kind"], claim["inputs"], claim.get("group")]))
        reports[name] = report
    if len(reports) < 2 or len(arguments) > 1:
        raise Rejected("$.results: expected several claims about the same arguments and the same group")
    return Report(
        accepted=True,
        statement="; ".join(f"{name}: {report.statement}" for name, report in reports.items()),
        grade=max((r.grade for r in reports.values()), key=HOLDS.index),
        rests_on=tuple(dict.fromkeys(rest for r in reports.values() for rest in r.rests_on)),
    )
