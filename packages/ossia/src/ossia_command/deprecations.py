"""Functions, classes and arguments of which TensorFlow 1.15 logs that they will go: a program's first use is logged.

`deprecations.txt` has what 1.15.5 logs: a line of when and what to do instead, escaped as in JSON, and below it,
indented, a line for each function: its private module, its own name (with `:argument`, where the argument goes and not
the function), and its public names.
"""

from __future__ import annotations

import functools
import inspect
import json
import os
import sys
from types import FrameType
from typing import Any, NamedTuple

_CONTRIB = """
The TensorFlow contrib module will not be included in TensorFlow 2.0.
For more information, please see:
  * https://github.com/tensorflow/community/blob/master/rfcs/20180907-contrib-sunset.md
  * https://github.com/tensorflow/addons
  * https://github.com/tensorflow/io (for I/O related ops)
If you depend on functionality not listed there, please file an issue.
"""
_METHODS_OF = {"data": "data.Dataset"}  # modules, and a class of theirs that programs meet without naming it
_told: set[Any] = set()


class _Notice(NamedTuple):
    """What is logged of one function or argument."""

    module: str
    function: str
    argument: str
    when: str
    instead: str

    def log(self, frame: FrameType) -> None:
        """Logs it for a call at `frame`, once."""
        if self in _told:
            return
        _told.add(self)
        place = f"{frame.f_code.co_filename}:{frame.f_lineno}"
        what = f"calling {self.function}" if self.argument else self.function
        with_it = f" with {self.argument}" if self.argument else ""
        _log(
            "From %s: %s (from tensorflow.%s)%s is deprecated and will be removed %s.\nInstructions for updating:\n%s",
            place, what, self.module, with_it, self.when, self.instead,
        )  # fmt: skip


def _log(text: str, *words: str) -> None:
    from ossia import logging  # the first look-up in the API, which a program may never need

    logging.warning(text, *words)


@functools.cache
def _notices() -> dict[str, list[_Notice]]:
    """By public name; methods and `__init__` stand below their class."""
    found: dict[str, list[_Notice]] = {}
    when = instead = ""
    with open(os.path.join(os.path.dirname(__file__), "deprecations.txt"), encoding="utf-8") as file:
        for line in file:
            if not line.startswith(" "):
                when, _, instead = json.loads(f'"{line.rstrip()}"').partition("\t")
                continue
            module, function, *names = line.split()
            function, _, argument = function.partition(":")
            for name in names:
                found.setdefault(name, []).append(_Notice(module, function, argument, when, instead))
    return found


def tell_of_contrib() -> None:
    """Logs once, as `tf.contrib` is first used, what 1.15 logs of it."""
    if "contrib" not in _told:
        _told.add("contrib")
        _log(_CONTRIB)


def warning(name: str, member: Any) -> Any:
    """What a program gets for a name below `tf`: a function that logs its first use by a program, or the member itself.

    Of a class, `__init__` and methods are watched until they are used.
    """
    notices = _notices()
    if name in _METHODS_OF:
        inner = _METHODS_OF[name]
        _watch(inner, getattr(member, inner.rpartition(".")[2]))
    if inspect.isclass(member):
        _watch(name, member)
    elif name in notices and callable(member):
        return _warning(member, notices[name])
    return member


@functools.cache
def _methods() -> dict[str, list[str]]:
    """The watched methods of each class."""
    found: dict[str, list[str]] = {}
    for name in _notices():
        parent, _, method = name.rpartition(".")
        found.setdefault(parent, []).append(method)
    return found


def _watch(name: str, kind: Any) -> None:
    for method in _methods().get(name, ()):
        function = vars(kind).get(method)
        notices = [notice for notice in _notices()[f"{name}.{method}"] if notice not in _told]
        if inspect.isfunction(function) and notices and not hasattr(function, "_warns"):
            watching = _warning(function, notices)
            watching._warns = True
            setattr(kind, method, watching)


def _warning(function: Any, notices: list[_Notice]) -> Any:
    parameters = list(inspect.signature(function).parameters)
    places = [parameters.index(notice.argument) if notice.argument in parameters else -1 for notice in notices]

    @functools.wraps(function)
    def call(*args: Any, **kwargs: Any) -> Any:
        if not _told.issuperset(notices):
            frame = sys._getframe(1)
            if not str(frame.f_globals.get("__name__", "")).startswith("ossia"):
                for notice, place in zip(notices, places):
                    if not notice.argument or notice.argument in kwargs or 0 <= place < len(args):
                        notice.log(frame)
        return function(*args, **kwargs)

    return call
