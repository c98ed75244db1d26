"""Members of `tf.contrib` that other modules of the API have by now."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Mapping
from typing import Any


def forwarded(table: Mapping[str, Mapping[str, str]]) -> tuple[dict[str, list[str]], Callable[[str], Any]]:
    """What a module declares as its `PUBLIC` and `__getattr__` to serve members of other modules of the API.

    Args:
      table: where members are served, `"contrib.data"`, to where they come from, `"data.experimental"`, to their names,
          divided by blanks; `new=old` serves `old` as `new`. A name stands in it once.

    Returns:
      Each name with its public names, and a function that looks one up when it is first used.
    """
    origins: dict[str, tuple[str, str]] = {}
    public: dict[str, list[str]] = {}
    for namespace, members in table.items():
        for module, names in members.items():
            for word in names.split():
                new, _, old = word.partition("=")
                origins[new] = f"ossia.{module}" if module else "ossia", old or new
                public[new] = [f"{namespace}.{new}"]

    def lookup(name: str) -> Any:
        if name not in origins:
            raise AttributeError(f"no older name {name!r}", name=name)
        module, member = origins[name]
        return getattr(importlib.import_module(module), member)

    return public, lookup
