"""`tf_should_use`: results of functions that complain if nobody uses them."""

from __future__ import annotations

import functools
import sys
import traceback
from collections.abc import Callable
from typing import Any

import ossia as tf
from ossia import logging

_MESSAGE = (
    "==================================\nObject was never used (type %s):\n%s\nIf you want to mark it as used call its "
    '"mark_used()" method.\nIt was originally created here:\n%s\n=================================='
)
_OPERATORS = (
    "abs add and bool div eq floordiv ge getitem gt invert iter le len lt matmul mod mul ne neg or pow radd rand rdiv "
    "rfloordiv rmatmul rmod rmul ror rpow rsub rtruediv rxor str sub truediv xor"
).split()


class Watched:
    """Stands for an object, and logs an error if it ends before anything was asked of it."""

    def __init__(self, watched: Any, place: str) -> None:
        set_own = functools.partial(object.__setattr__, self)
        set_own("_watched", watched)
        set_own("_message", (str(type(watched)), f"{watched!r}", place))
        set_own("_is_used", False)

    def mark_used(self) -> None:
        """Lets it end without an error."""
        object.__setattr__(self, "_is_used", True)

    def used(self) -> Any:
        """The object, which counts as used from now on."""
        self.mark_used()
        return self._watched

    _as_graph_element = used

    def __getattr__(self, name: str) -> Any:
        return getattr(self.used(), name)

    def __setattr__(self, name: str, value: Any) -> None:
        setattr(self.used(), name, value)

    def __hash__(self) -> int:
        return hash(self.used())

    def __del__(self) -> None:
        if not self._is_used:
            log = sys.modules.get("tensorflow.python.platform.tf_logging", logging)  # as tests replace what is there
            log.error(_MESSAGE, *self._message)


def _operator(name: str) -> Callable[..., Any]:
    def call(self: Watched, *others: Any) -> Any:
        return getattr(self.used(), name)(*others)

    return call


for _name in _OPERATORS:
    setattr(Watched, f"__{_name}__", _operator(f"__{_name}__"))


def _as_tensor(value: Watched, dtype: Any = None, name: str | None = None, as_ref: bool = False) -> Any:
    return tf.convert_to_tensor(value.used(), dtype, name)


tf.register_tensor_conversion_function(Watched, _as_tensor)


def _add_should_use_warning(x: Any, fatal_error: bool = False) -> Any:
    if x is None or isinstance(x, Watched):
        return x
    return Watched(x, "".join(traceback.format_stack()[:-1]))


def should_use_result(fn: Callable[..., Any]) -> Callable[..., Any]:
    """A decorator of functions whose results are to be used, or logged as unused."""

    @functools.wraps(fn)
    def watched(*args: Any, **kwargs: Any) -> Any:
        return _add_should_use_warning(fn(*args, **kwargs))

    return watched


must_use_result_or_fatal = should_use_result
