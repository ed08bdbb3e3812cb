"""Shared support: errors, deadlines and copies of the process, files and screens, lazy names."""

from pathlib import Path

#: The folder of this package.
PACKAGE = str(Path(__file__).resolve().parents[1])
