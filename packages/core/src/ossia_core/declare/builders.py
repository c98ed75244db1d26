"""Public functions by name, wherever they live: how core calls what other modules and packages provide, without
importing them."""

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
