"""The pytest plugin: which backend runs the tests, and which tests are known to fail."""
from __future__ import annotations

import os
from pathlib import Path

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the options of the kit."""
    group = parser.getgroup("ossia")
    group.addoption("--ossia-backend", metavar="NAME", help="run ops on this backend")
    group.addoption("--ossia-xfails", metavar="FILE", action="append", default=[],
                    help="ids of tests that must fail, one a line")


def pytest_configure(config: pytest.Config) -> None:
    """Select the backend before anything of Ossia is imported."""
    if config.getoption("--ossia-backend"):
        os.environ["OSSIA_BACKEND"] = config.getoption("--ossia-backend")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Mark the tests listed in the files of `--ossia-xfails` as strict expected failures."""
    known: set[str] = set()
    for name in config.getoption("--ossia-xfails"):
        lines = Path(name).read_text().splitlines()
        known |= {line.split("#")[0].strip() for line in lines} - {""}
    for item in items:
        if known & {item.nodeid, item.nodeid.rsplit("/", 1)[-1], item.name}:
            item.add_marker(pytest.mark.xfail(reason="listed in --ossia-xfails", strict=True))
