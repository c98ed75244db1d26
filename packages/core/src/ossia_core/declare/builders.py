"""Public functions by name, and what functions in graphs need by role: how core calls what other modules and packages
provide, without importing them."""

from __future__ import annotations

import functools
from typing import Any

from ossia_core.plugins import manager as plugins


@functools.cache
def builder(name: str) -> Any:
    """The public function or class `tf.<name>`.

    Raises:
      NotImplementedError: no installed package provides it.
    """
    target = plugins.api_table().get(name)
    if target is None:
        from ossia_core.plugins import known

        install = known.to_install(known.of_name(name))
        raise NotImplementedError(f"tf.{name} is needed here, and no installed Ossia package provides it{install}")
    return plugins.load(target)


@functools.cache
def functional(role: str) -> Any:
    """What an installed package provides for functions in graphs, see the hook `ossia_functions`.

    Args:
      role: one of the roles that the hook names.

    Raises:
      NotImplementedError: no installed package provides it.
    """
    target = plugins.table("ossia_functions").get(role)
    if target is None:
        raise NotImplementedError(
            f"This graph needs functions ({role}), and no installed Ossia package provides them; "
            "`pip install ossia-functions` adds them"
        )
    return plugins.load(target)
