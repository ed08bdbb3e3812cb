"""Certificates as JSON data in the kernel's format: a kind, its parts, and a digest."""

from __future__ import annotations

from typing import Any

from eqvproof.kernel.text import FORMAT, VERSION, digest

__all__ = ["digest", "seal"]


def seal(kind: str, **parts: Any) -> dict[str, Any]:
    """Builds a certificate of a kind, with the digest of its content.

    The digest guards against accidents only; the kernel re-checks the content itself.
    """
    body: dict[str, Any] = {"format": FORMAT, "version": VERSION, "kind": kind, **parts}
    return {**body, "digest": digest(body)}
