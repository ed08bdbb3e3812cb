"""The pytest plugin: a summary of the claims that a run checks, and a folder of certificates.

    pytest --eqvproof-certificates certificates

The first run writes a certificate for each claim that has one. Later runs let the kernel re-check
it instead of proving again, as long as the function and all that it depends on are the same.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from eqvproof.interface.testing.ledger import LEDGER, Entry, summary

PROPERTY = "eqvproof"


def pytest_addoption(parser: pytest.Parser) -> None:
    """Adds the option, and its counterpart in the configuration file."""
    text = "keep certificates in DIR, and re-check those of functions that have not changed"
    parser.getgroup("eqvproof").addoption(
        "--eqvproof-certificates", metavar="DIR", default=None, help=text
    )
    parser.addini("eqvproof_certificates", text, default="")


def pytest_configure(config: pytest.Config) -> None:
    """Sets the folder of certificates."""
    given = config.getoption("--eqvproof-certificates")
    named = given or config.getini("eqvproof_certificates")
    if given:
        base = config.invocation_params.dir
    else:
        base = config.rootpath
    LEDGER.folder = Path(base, named) if named else None


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Iterator[None]:
    """Gives each test the claims that it checks."""
    LEDGER.take()
    try:
        return (yield)
    finally:
        for entry in LEDGER.take():
            item.user_properties.append(
                (PROPERTY, [entry.claim, entry.outcome, entry.grade, entry.reused])
            )


@pytest.hookimpl(tryfirst=True)
def pytest_sessionfinish(session: pytest.Session) -> None:
    """Spares a run without Hypothesis tests the import of Hypothesis.

    Hypothesis comes with this package, and its own plugin imports it at the end of each run to see
    whether anything was observed: half of the time that a run over kept certificates takes. If
    nothing has imported it, in this process or in workers, there is nothing to say.
    """
    config = session.config
    if "hypothesis" in sys.modules or config.getoption("dist", "no") != "no":
        return
    if config.getoption("--hypothesis-show-statistics", default=False):
        return
    plugin = config.pluginmanager.get_plugin("hypothesispytest")
    if plugin is not None:
        config.pluginmanager.unregister(plugin)


def pytest_terminal_summary(terminalreporter: Any) -> None:
    """Prints one line for all claims, and one for each that does not hold."""
    found: list[tuple[str, Entry]] = []
    for reports in terminalreporter.stats.values():
        for report in reports:
            if getattr(report, "when", None) == "call":
                found += [
                    (report.nodeid, Entry(*value))
                    for name, value in report.user_properties
                    if name == PROPERTY
                ]
    if not found:
        return
    terminalreporter.section("eqvproof")
    terminalreporter.write_line(summary(entry for _, entry in found))
    for nodeid, entry in found:
        if entry.outcome != "HOLDS":
            terminalreporter.write_line(
                f"{entry.outcome} {entry.grade}".rstrip() + f": {entry.claim}  {nodeid}"
            )
