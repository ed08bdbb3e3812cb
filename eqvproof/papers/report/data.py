"""Writing of data as JSON text, with NaN and infinities as texts, control characters as codes."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from typing import Any


def json_text(data: Any) -> str:
    """Writes data as indented JSON.

    NaN and infinities, which JSON lacks, are written as the texts "nan", "inf", "-inf"; control
    characters of terminals and invisible characters are written as their codes.
    """
    text = json.dumps(_replace_nonfinite(data), indent=2, ensure_ascii=False, allow_nan=False)
    return "".join(c if c.isprintable() or c == "\n" else json.dumps(c)[1:-1] for c in text) + "\n"


def _replace_nonfinite(data: Any) -> Any:
    if isinstance(data, float) and not math.isfinite(data):
        return str(data)
    if isinstance(data, Mapping):
        return {str(key): _replace_nonfinite(value) for key, value in data.items()}
    if isinstance(data, (list, tuple)):
        return [_replace_nonfinite(value) for value in data]
    return data
