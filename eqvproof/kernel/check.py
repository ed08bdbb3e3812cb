"""Takes a certificate apart by its kind, checks it and returns a report: the kernel's one entry."""

from __future__ import annotations

import gc
import json
from typing import Any

from .loading import part
from .report import Limited, Rejected, Report, Undecided, Unreadable, allow_work
from .text import one_of, parse

ENVELOPE = ("format", "version", "kind", "digest")
#: The module whose table CHECKS holds the function for each kind of certificate.
KINDS: dict[str, str] = {
    "proof": "form_proof",
    "counterexample": "points",
    "evaluation": "points",
    "difference": "points",
    "violation": "violations",
    "identity": "normal",
    "rewriting": "rewriting",
    **dict.fromkeys(("equality", "inequality", "injective", "collision", "ill-typed"), "finite"),
    "decision": "decisions",
    "test": "decisions",
    "orthogonal-witness": "witness",
    "gram-mismatch": "witness",
    "permutation-witness": "witness",
    "multiset-mismatch": "witness",
    "congruence-witness": "witness",
    "congruence-mismatch": "witness",
    "orbit-witness": "orbits",
    "orbit-mismatch": "orbits",
    "linear-maps": "linear",
    "vertices": "linear",
    "product-shapes": "linear",
    "results": "results",
}


def check_certificate(data: dict[str, Any] | str | bytes) -> Report:
    """Checks a certificate and returns the report.

    Args:
        data: JSON text, or the data it encodes.

    Returns:
        A report, accepted only if everything was checked.

    Raises:
        Unreadable: the given data is no certificate at all.
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
        return check_content(parse(data))
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


def check_content(data: dict[str, Any]) -> Report:
    """Checks a certificate whose format and digest are already verified."""
    kind = one_of(data.get("kind"), "$.kind", KINDS)
    content = {k: v for k, v in data.items() if k not in ENVELOPE}
    report = part(KINDS[kind]).CHECKS[kind](content)
    if not isinstance(report, Report):
        raise Rejected(f"the check of a {kind} gave no report")
    return report
