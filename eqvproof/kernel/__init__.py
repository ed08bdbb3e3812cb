"""The kernel: re-checks certificates with the standard library alone.

It imports nothing of the rest of the package, runs no text as code, writes nothing, and works when this
folder alone is copied elsewhere: ``python -I -S <copy> certificate.json``. What a certificate does not need
is not loaded. A proof rests on `report`, `loading`, `sizes`, `text`, `groups`, `claims`, `decode`, `lines`
(the format), `acts`, `rules` (each with its proof), `parity`, `reading`, `shapes`, `words`, `proof`, `check`:
read them in this order. Beside them stand `membership`, `invariants`, `affine_types`; for points `series`,
`interval`, `evaluate`, `elements`, `points`; for identities `indices`, `normal_forms`, `constant_atoms`,
`atoms`, `equations`, `match`, `rewrite`, `normal`.
"""

from .check import check_certificate
from .report import Rejected, Report, Unreadable

__all__ = ["Rejected", "Report", "Unreadable", "check_certificate"]
