"""Custom operators of third parties."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

_KERNELS: dict[str, Callable[..., Any]] = {}


def register(name: str, kernel: Callable[..., Any]) -> None:
    """Lets interpreters that are made later run a custom operator.

    Args:
        name: Its name, the `custom_code` of the file.
        kernel: Called with an `ossia_lite.kernels.Call`, whose `custom_options` are the bytes in the file and whose
            `outputs` tell the types and shapes of results, and with an array per input, None for one that is left
            out. It returns an array, or a tuple of arrays, and changes no input.

    Raises:
        TypeError: The kernel cannot be called.
    """
    if not callable(kernel):
        raise TypeError(f"The kernel of {name} cannot be called: {kernel!r}.")
    _KERNELS[name] = kernel


def registered(name: str) -> Callable[..., Any] | None:
    """The kernel that was registered for a name, or None.

    Args:
        name: The operator's name.
    """
    return _KERNELS.get(name)
