"""The kernel's one entry: from a certificate to a report."""

from __future__ import annotations

import gc
import json
from collections.abc import Callable
from importlib import import_module
from typing import Any

from .points import check_counterexample, check_difference, check_evaluation
from .proof import check_proof
from .report import Rejected, Report, Undecided, Unreadable, allow_work
from .text import fields, one_of, parse

ENVELOPE = ("format", "version", "kind", "digest")
CHECKS: dict[str, tuple[Callable[..., Report], tuple[str, ...]]] = {
    "proof": (check_proof, ("claim", "program", "evidence")),
    "counterexample": (check_counterexample, ("claim", "program", "evidence")),
    "evaluation": (check_evaluation, ("claim", "evidence")),
    "difference": (check_difference, ("claim", "program", "other", "evidence")),
}
#: Checked by modules that may be left out: kind -> (module, its function of the whole certificate).
ELSEWHERE: dict[str, tuple[str, str]] = {
    "identity": ("normal", "check_identity"),
    "orthogonal-witness": ("witness", "check_witness"),
    "gram-mismatch": ("witness", "check_witness"),
    "permutation-witness": ("witness", "check_witness"),
    "multiset-mismatch": ("witness", "check_witness"),
    "congruence-witness": ("witness", "check_witness"),
    "congruence-mismatch": ("witness", "check_witness"),
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
    kind = one_of(data.get("kind"), "$.kind", (*CHECKS, *ELSEWHERE))
    if data["version"] != 1:
        if kind != "proof":
            raise Rejected("$.version: version 2 is for proofs of equivariance only")
        return check_proof(*fields(_content(data), "$", *CHECKS[kind][1]), packed=True)
    if kind in CHECKS:
        check, keys = CHECKS[kind]
        return check(*fields(_content(data), "$", *keys))
    module, function = ELSEWHERE[kind]
    try:
        checker = getattr(import_module(f"{__package__}.{module}"), function)
    except ModuleNotFoundError:
        raise Rejected(f"this copy of the kernel does not check certificates of kind {kind}") from None
    report = checker(data)
    if not isinstance(report, Report):
        raise Rejected(f"{module} gave no report")
    return report


def _content(data: dict[str, Any]) -> dict[str, Any]:
    return {k: v for k, v in data.items() if k not in ENVELOPE}
