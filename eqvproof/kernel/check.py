"""The kernel's one entry: from a certificate to a report."""

from __future__ import annotations

import gc
import json
from typing import Any

from .loading import part
from .report import Rejected, Report, Undecided, Unreadable, allow_work
from .text import one_of, parse

ENVELOPE = ("format", "version", "kind", "digest")
#: The module whose table CHECKS has the function for each kind of certificate.
KINDS: dict[str, str] = {
    "proof": "proof",
    "counterexample": "points",
    "evaluation": "points",
    "difference": "points",
    "identity": "normal",
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
        return Report(accepted=False, reason=str(error))
    except Exception as error:  # a mistake of the kernel itself is no acceptance
        return Report(accepted=False, reason=f"internal error: {error!r}")
    finally:
        if collecting:
            gc.enable()


def _check(data: dict[str, Any]) -> Report:
    kind = one_of(data.get("kind"), "$.kind", KINDS)
    if data["version"] != 1 and kind != "proof":
        raise Rejected("$.version: version 2 is for proofs of equivariance only")
    content = {k: v for k, v in data.items() if k not in ENVELOPE}
    more = {"packed": True} if data["version"] != 1 else {}
    report = part(KINDS[kind]).CHECKS[kind](content, **more)
    if not isinstance(report, Report):
        raise Rejected(f"the check of a {kind} gave no report")
    return report
