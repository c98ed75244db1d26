"""The pytest plugin: what is tried out, which tests are known to fail, and a table of what passed."""

from __future__ import annotations

import os
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from ossia_testkit import registered

SUITES = Path(__file__).parent / "suites"
NAMED = 12  # things of one kind that the table names one by one; of more, those that failed


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the options of the kit."""
    group = parser.getgroup("ossia", "what the suites of Ossia's test kit try out (--pyargs ossia_testkit)")
    for kind in registered.HOOKS:
        more = "; tests outside of the suites run on it, too" if kind == "backend" else ""
        group.addoption(f"--ossia-{kind}", metavar="NAME,...", action="append", default=[],
                        help=f"names of a {kind.replace('-', ' ')}, or patterns of names{more}")
    group.addoption("--ossia-package", metavar="NAME,...", action="append", default=[],
                    help="only what these import packages register")
    group.addoption("--ossia-xfails", metavar="FILE", action="append", default=[],
                    help="ids of tests that must fail, one a line")


def pytest_configure(config: pytest.Config) -> None:
    """Take the choice from the options, and select the backend before anything of Ossia is imported."""
    names = {kind: _named(config, f"--ossia-{kind}") for kind in registered.HOOKS}
    registered.choice = registered.Choice(names, _named(config, "--ossia-package"))
    if names["backend"]:
        os.environ["OSSIA_BACKEND"] = ",".join(names["backend"])


def _named(config: pytest.Config, option: str) -> list[str]:
    return [name.strip() for text in config.getoption(option) for name in text.split(",") if name.strip()]


def pytest_ignore_collect(collection_path: Path) -> bool | None:
    """Leave out the suites of kinds that are not chosen."""
    if collection_path.parent == SUITES and collection_path.name.startswith("test_"):
        kind = collection_path.stem.removeprefix("test_").removesuffix("s").replace("_", "-")
        return True if not registered.choice.runs(kind) else None
    return None


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Give the tests of a suite their rows: the argument `row`, of the kind that the class names."""
    kind = getattr(metafunc.cls, "kind", None)
    if kind is not None and "row" in metafunc.fixturenames:
        names = getattr(metafunc.cls, "names", ())
        rows = registered.rows(kind, getattr(metafunc.cls, "packages", ()))
        found = [row for row in rows if not names or row.name in names]
        if found:
            metafunc.parametrize("row", found, ids=[row.id for row in found])
        else:
            metafunc.parametrize("row", [None], ids=["none"])  # `pytest_collection_modifyitems` leaves it out


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out suites without a row, note what each test tries, and mark those listed in `--ossia-xfails`."""
    known: set[str] = set()
    for name in config.getoption("--ossia-xfails"):
        lines = Path(name).read_text().splitlines()
        known |= {line.split("#")[0].strip() for line in lines} - {""}
    for item in list(items):
        kind = getattr(getattr(item, "cls", None), "kind", None)
        parameters = item.callspec.params if hasattr(item, "callspec") else {}
        if kind is not None and "row" in parameters and parameters["row"] is None:
            items.remove(item)
            continue
        if kind is not None:
            item.user_properties.append(("ossia", [kind, _subject(kind, parameters)]))
        if known & {item.nodeid, item.nodeid.rsplit("/", 1)[-1], item.name}:
            item.add_marker(pytest.mark.xfail(reason="listed in --ossia-xfails", strict=True))


def _subject(kind: str, parameters: dict[str, Any]) -> str:
    if "row" in parameters:
        return parameters["row"].name
    return parameters["other"] if kind == "backend" else str(parameters.get("name", "")).partition("-")[0]


def pytest_terminal_summary(terminalreporter: Any) -> None:
    """Print what passed, by kind and name."""
    counts: dict[tuple[str, str], Counter] = {}
    for outcome in ("passed", "failed", "error", "xfailed"):
        for report in terminalreporter.getreports(outcome):
            for name, value in getattr(report, "user_properties", ()):
                if name == "ossia" and (report.when == "call" or outcome != "passed"):
                    counts.setdefault(tuple(value), Counter())["failed" if outcome == "error" else outcome] += 1
    if not counts:
        return
    terminalreporter.section("what Ossia's test kit tried")
    width = max(len(name) for _, name in counts)
    terminalreporter.write_line(f"{'kind':<18} {'name':<{width}} {'passed':>7} {'failed':>7} {'known':>7}")
    for kind in registered.HOOKS:
        found = {name: counts[key] for key in sorted(counts) for name in key[1:] if key[0] == kind}
        shown = {name: count for name, count in found.items() if len(found) <= NAMED or count["failed"]}
        rest = [count for name, count in found.items() if name not in shown]
        if rest:
            shown[f"{len(rest)} others"] = sum(rest, Counter())
        for name, count in shown.items():
            numbers = " ".join(f"{count[outcome]:>7}" for outcome in ("passed", "failed", "xfailed"))
            terminalreporter.write_line(f"{kind:<18} {name:<{width}} {numbers}", red=bool(count["failed"]))
