"""The pytest plugin: a summary of the claims that a run checks; `assertions` lets tests fail.

    pytest --eqvproof-certificates certificates

The first run writes a certificate for each claim that has one. Later runs re-check it by the kernel
instead of proving again, as long as the function and its dependencies are the same.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from eqvproof.interface.testing.checked_claims import CHECKED, Entry, require_folder, summary
from eqvproof.support.errors import OptionError

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
        base, option = config.invocation_params.dir, "--eqvproof-certificates"
    else:
        base, option = config.rootpath, "eqvproof_certificates ="
    CHECKED.folder = None
    if named:
        CHECKED.folder = Path(base, named)
        try:
            require_folder(CHECKED.folder, option)
        except OptionError as error:
            raise pytest.UsageError(str(error)) from None


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Iterator[None]:
    """Records the claims that each test checks."""
    CHECKED.pop_entries()
    try:
        return (yield)
    finally:
        for entry in CHECKED.pop_entries():
            item.user_properties.append(
                (
                    PROPERTY,
                    [entry.claim, entry.outcome, entry.grade, entry.reused, entry.is_narrower],
                )
            )


@pytest.hookimpl(tryfirst=True)
def pytest_sessionfinish(session: pytest.Session) -> None:
    """Avoids the import of Hypothesis in a run without Hypothesis tests.

    Hypothesis is installed with this package, and its plugin imports it at the end of each run to
    report statistics, which takes half of the time of a run over stored certificates. If nothing
    has imported it, in this process or in workers, there is nothing to report.
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
