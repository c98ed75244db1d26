"""Which package of Ossia has which public names and ops, for the message when it is not installed.

`python -m ossia_core.plugins.api_stubs packages` writes what this reads, `_known.txt`: tables as those of a package
(`ossia_core.plugins.api_table.read`), with distributions in place of modules.
"""

from __future__ import annotations

import functools
import os
from collections.abc import Mapping

from ossia_core.plugins import api_table


@functools.cache
def owners() -> tuple[Mapping[str, str], Mapping[str, str]]:
    """The distribution of each public name, and of each op type; those of ossia-core, which is there, are left out."""
    with open(os.path.join(os.path.dirname(__file__), "_known.txt"), encoding="utf-8") as file:
        names, ops = api_table.read("", file.read())
    return {name: target.partition(":")[0] for name, target in names.items()}, ops


def of_name(name: str) -> str | None:
    """The distribution that has a public name, or names in a module; None if none has.

    Args:
        name: The dotted name without `tf.`.
    """
    for known, distribution in owners()[0].items():
        if f"{known}.".startswith(f"{name}."):
            return distribution
    return None


def to_install(distribution: str | None) -> str:
    """The end of a message: `; ` and what to do; nothing without a distribution."""
    return f"; `pip install {distribution}` adds it" if distribution else ""
