"""Shared support: errors, deadlines and copies of the process, files and screens, lazy names."""

from os.path import dirname, realpath

#: The folder of this package.
PACKAGE = dirname(dirname(realpath(__file__)))
