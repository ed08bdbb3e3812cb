"""The fragments of changelog.d/ as one section of the changelog, by kind.

python docs/make_changelog.py              prints what is not released yet
python docs/make_changelog.py 0.2.0        moves it into CHANGELOG.md as that version
"""

from __future__ import annotations

import datetime
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
KINDS = {"soundness": "Soundness", "added": "Added", "changed": "Changed", "fixed": "Fixed"}
MARK = "<!-- releases -->\n"
FRAGMENT = re.compile(r".+\.(\w+)\.md")


def fragments(folder: Path) -> dict[str, list[Path]]:
    """The files of each kind, in the order of their names.

    Raises:
        ValueError: a name that is not `<number or +name>.<kind>.md`.
    """
    found: dict[str, list[Path]] = {kind: [] for kind in KINDS}
    for path in sorted(folder.glob("*.md")):
        if path.name == "README.md":
            continue
        match = FRAGMENT.fullmatch(path.name)
        if match is None or match[1] not in KINDS:
            kinds = ", ".join(KINDS)
            raise ValueError(f"{path.name}: expected <number or +name>.<kind>.md, the kind one of {kinds}")
        found[match[1]].append(path)
    return found


def section(title: str, root: Path = ROOT) -> str:
    """The section of that title; empty kinds are left out."""
    lines = [f"## {title}", ""]
    for kind, paths in fragments(root / "changelog.d").items():
        if paths:
            lines += [f"### {KINDS[kind]}", ""]
            lines += ["- " + " ".join(p.read_text(encoding="utf-8").split()) for p in paths]
            lines.append("")
    return "\n".join(lines)


def release(version: str, root: Path = ROOT, today: datetime.date | None = None) -> None:
    """Moves the fragments into CHANGELOG.md.

    Raises:
        ValueError: the version is not semantic, or not the one that the package has.
    """
    package = (root / "eqvproof" / "__init__.py").read_text(encoding="utf-8")
    if not re.fullmatch(r"\d+\.\d+\.\d+", version) or f'__version__ = "{version}"' not in package:
        raise ValueError(f"{version}: expected the version in eqvproof/__init__.py")
    day = today or datetime.datetime.now(tz=datetime.UTC).date()
    changelog = root / "CHANGELOG.md"
    text = changelog.read_text(encoding="utf-8")
    if MARK not in text:
        raise ValueError(f"CHANGELOG.md: no line {MARK.strip()}")
    new = f"{MARK}\n{section(f'{version} ({day.isoformat()})', root)}"
    changelog.write_text(text.replace(MARK, new, 1), encoding="utf-8")
    for paths in fragments(root / "changelog.d").values():
        for path in paths:
            path.unlink()


if __name__ == "__main__":
    if sys.argv[1:]:
        release(sys.argv[1])
    else:
        print(section("Not released yet"))
