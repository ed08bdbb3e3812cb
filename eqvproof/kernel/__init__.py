"""The kernel: re-checks certificates with the standard library alone.

It imports nothing of the rest of the package, runs no text as code, writes nothing, and works when
this folder alone is copied elsewhere: ``python -I -S <copy> certificate.json``. Modules that a
certificate does not need are not loaded. A proof of equivariance rests on `form_proof`, `check`, and
the modules that they import; docs/trust.md lists the files in the order in which to read them.
"""

from .check import check_certificate
from .report import Rejected, Report, Unreadable

__all__ = ["Rejected", "Report", "Unreadable", "check_certificate"]
