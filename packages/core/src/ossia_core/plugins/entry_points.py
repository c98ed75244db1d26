"""The entry points of the group `ossia`, read from the metadata of what is installed.

`importlib.metadata` finds them too, but its import alone takes longer than all else that a first program waits for. It
is asked where something other than folders on `sys.path` may hold distributions, and for their names and versions.
"""

from __future__ import annotations

import importlib
import operator
import os
import sys
from importlib.machinery import PathFinder
from typing import Any, NamedTuple

_GROUP = "ossia"
_METADATA = (".dist-info", ".egg-info")


class EntryPoint(NamedTuple):
    """A plugin that a distribution names.

    Attributes:
        name: The plugin's name.
        value: `"module"` or `"module:attribute"`.
        distribution: The distribution's normalised name, such as `"ossia-core"`.
        metadata: What describes the distribution: a folder, or a `Distribution` of `importlib.metadata`.
    """

    name: str
    value: str
    distribution: str
    metadata: Any

    def load(self) -> Any:
        """The module or object that is named."""
        module, _, attribute = self.value.partition(":")
        found = importlib.import_module(module)
        return operator.attrgetter(attribute)(found) if attribute else found

    @property
    def dist(self) -> Any:
        """The distribution."""
        from importlib.metadata import Distribution

        return Distribution.at(self.metadata) if isinstance(self.metadata, str) else self.metadata


def find() -> list[EntryPoint]:
    """All entry points of the group, in the order of `sys.path`; of a distribution found twice, those of the first."""
    if not _only_folders():
        from importlib.metadata import entry_points

        return [
            EntryPoint(each.name, each.value, _normalised(each.dist.name) if each.dist else "", each.dist)
            for each in entry_points(group=_GROUP)
        ]
    found: list[EntryPoint] = []
    seen: set[str] = set()
    for folder in dict.fromkeys(sys.path):
        try:
            names = os.listdir(folder or os.curdir)
        except OSError:  # a place that does not exist
            continue
        for name in sorted(name for name in names if name.endswith(_METADATA)):
            distribution = _normalised(name.rpartition(".")[0].partition("-")[0])
            if distribution not in seen:
                seen.add(distribution)
                found += _in_file(os.path.join(folder, name), distribution)
    return found


def _normalised(name: str) -> str:
    return name.replace(".", "-").replace("_", "-").lower()


def _only_folders() -> bool:
    """Whether nothing but folders on `sys.path` can hold distributions."""
    finders = [finder for finder in sys.meta_path if hasattr(finder, "find_distributions")]
    return finders in ([], [PathFinder]) and not any(
        place.endswith(".egg") or os.path.isfile(place) for place in sys.path
    )


def _in_file(metadata: str, distribution: str) -> list[EntryPoint]:
    try:
        with open(os.path.join(metadata, "entry_points.txt"), encoding="utf-8") as file:
            lines = file.read().splitlines()
    except (OSError, ValueError):  # it has none
        return []
    found, group = [], ""
    for line in map(str.strip, lines):
        if line.startswith("["):
            group = line[1:].partition("]")[0].strip()
        elif group == _GROUP and "=" in line and not line.startswith(("#", ";")):
            name, _, value = line.partition("=")
            found.append(EntryPoint(name.strip(), value.partition("[")[0].strip(), distribution, metadata))
    return found
