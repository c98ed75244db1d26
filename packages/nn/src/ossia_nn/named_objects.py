"""Functions and classes by name: the strings and dicts that layers accept in the place of initializers, regularizers,
constraints and activations."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from typing import Any


def serialized(found: Any) -> Any:
    """The name and configuration of an object, the name alone of a function, None of None.

    Raises:
      ValueError: it has neither.
    """
    if found is None:
        return None
    if hasattr(found, "get_config"):
        return {"class_name": type(found).__name__, "config": found.get_config()}
    if hasattr(found, "__name__"):
        return found.__name__
    raise ValueError("Cannot serialize", found)


def restored(
    config: Mapping[str, Any] | str, known: Mapping[str, Callable], what: str,
    custom_objects: Mapping[str, Any] | None = None,
) -> Any:
    """The object that `serialized` described; of a class by name, an instance made without arguments.

    Args:
      config: a name, or a dict of `class_name` and `config`.
      known: what there is, by name.
      what: what these are, for errors.
      custom_objects: more of them, by name.

    Raises:
      ValueError: a dict of another form, or an unknown name.
    """
    if not isinstance(config, str) and not ("class_name" in config and "config" in config):
        raise ValueError(f"Improper config format: {config}")
    name = config if isinstance(config, str) else config["class_name"]
    kind = (custom_objects or {}).get(name) or known.get(name)
    if kind is None:
        raise ValueError(f"Unknown {what}:{name}")
    if isinstance(config, str):
        return kind() if inspect.isclass(kind) else kind
    arguments = config["config"]
    return kind.from_config(arguments) if hasattr(kind, "from_config") else kind(**arguments)
