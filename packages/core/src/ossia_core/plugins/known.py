"""Which distribution of Ossia owns a name: for the message when it is not installed, and where two provide the same.

`python tools/api_stubs.py packages` writes what this reads, `_known.txt`: tables as those of a package
(`ossia_core.plugins.api_table.read`), with distributions in place of modules.
"""

from __future__ import annotations

import functools
import os
from collections.abc import Mapping

from ossia_core.plugins import api_table


def _text() -> str:
    with open(os.path.join(os.path.dirname(__file__), "_known.txt"), encoding="utf-8") as file:
        return file.read()


@functools.cache
def distributions() -> frozenset[str]:
    """The distributions that own a name, ossia-core among them."""
    lines = _text().splitlines()
    return frozenset(("ossia-core", *(line.partition(":")[0] for line in lines if line[:1] not in ("", " "))))


@functools.cache
def owners(hook: str) -> Mapping[str, str]:
    """The distribution of each name that Ossia provides through a hook; ossia-core, which is there, is left out.

    Args:
        hook: The hook; for `ossia_api`, the names that other hooks serve in modules of `tf` are there too.
    """
    tables = api_table.read("", _text())
    found = api_table.public_names(tables) if hook == "ossia_api" else tables.get(hook, {})
    return {name: target.partition(":")[0] for name, target in found.items()}


def of_name(name: str) -> str | None:
    """The distribution that has a public name, or names in a module; None if none has.

    Args:
        name: The dotted name without `tf.`.
    """
    for known, distribution in owners("ossia_api").items():
        if f"{known}.".startswith(f"{name}."):
            return distribution
    return None


def to_install(distribution: str | None) -> str:
    """The end of a message: `; ` and what to do; nothing without a distribution."""
    return f"; `pip install {distribution}` adds it" if distribution else ""
