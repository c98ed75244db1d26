"""`util.deprecation`: what a program says of functions and arguments that will go; the first use is logged."""

from __future__ import annotations

import contextlib
import functools
import inspect
import re
import sys
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from ossia import logging
from ossia_ops.array.shape import one_of
from ossia_tensorflow_paths.python.util import tf_inspect as inspecting
from ossia_tensorflow_paths.python.util.tf_decorator import make_decorator, validate_callable

_silenced = 0
_PRINT_DEPRECATION_WARNINGS = True
_PRINTED_WARNING: dict[Any, bool] = {}  # what has been logged of functions that warn once
_REMOVED = " is deprecated and will be removed %s.\nInstructions for updating:\n%s"
_FUNCTION = "From %s: %s (from %s)" + _REMOVED
_ARGUMENT = "From %s: calling %s (from %s) with %s" + _REMOVED
_VALUE = "From %s: calling %s (from %s) with %s=%s" + _REMOVED
_ALIAS = "From %s: The name %s is deprecated. Please use %s instead.\n"

Words = Callable[[tuple[Any, ...], dict[str, Any]], Iterable[tuple[Any, ...]]]


def _validate_deprecation_args(date: str | None, instructions: str) -> str:
    """When a thing goes, in words.

    Raises:
        ValueError: The date is none, or nothing is said of what to do.
    """
    if date is not None and not re.match(r"20\d\d-[01]\d-[0123]\d", date):
        raise ValueError("Date must be YYYY-MM-DD.")
    if not instructions:
        raise ValueError("Don't deprecate things without conversion instructions!")
    return f"after {date}" if date else "in a future version"


def _noted(doc: str | None, title: str, notice: list[str]) -> str:
    """A docstring that says what is deprecated: in its first line, and in a paragraph after that."""
    first, _, rest = (inspect.cleandoc(doc) if doc else "").partition("\n")
    nothing = title.upper().replace("DEPRECATED", "DEPRECATED FUNCTION")
    paragraphs = [f"{first} ({title})" if first else nothing, "Warning: " + "\n".join(notice), rest.strip()]
    return "\n\n".join(part for part in paragraphs if part)


def _watched(function: Any, decorator: str, doc: str, text: str, words: Words, once: bool) -> Any:
    """The function, which logs `text` with each of what `words` gives for a call, or with each only once."""
    validate_callable(function, decorator)

    @functools.wraps(function)
    def call(*arguments: Any, **keywords: Any) -> Any:
        if not _silenced and _prints():
            for found in words(arguments, keywords):
                if not once or (call, found) not in _PRINTED_WARNING:
                    _PRINTED_WARNING[call, found] = True
                    _warn(text, *found)
        return function(*arguments, **keywords)

    return make_decorator(function, call, decorator, doc)


def _prints() -> bool:
    """Whether uses are logged at all. Programs switch it off under the name of the private module."""
    served = sys.modules.get("tensorflow.python.util.deprecation")
    return bool(getattr(served, "_PRINT_DEPRECATION_WARNINGS", _PRINT_DEPRECATION_WARNINGS))


def _call_location(outer: bool = False) -> str:
    """File and line of the caller's caller, or of the call around that one."""
    frame = sys._getframe(3 if outer else 2)
    return f"{frame.f_code.co_filename}:{frame.f_lineno}"


def _warn(text: str, *words: Any) -> None:
    """Logs a warning that begins with where the call stands. Tests replace the function of the private module."""
    caller = sys._getframe(2)
    log = sys.modules.get("tensorflow.python.platform.tf_logging", logging)
    log.warning(text, f"{caller.f_code.co_filename}:{caller.f_lineno}", *words)


def _names(function: Any) -> tuple[str, str]:
    return function.__qualname__, function.__module__


def deprecated(date: str | None, instructions: str, warn_once: bool = True) -> Callable[[Any], Any]:
    """A decorator of what will go: its first use is logged.

    Raises:
        ValueError: The date is none, or there are no instructions.
    """
    when = _validate_deprecation_args(date, instructions)

    def decorate(function: Any) -> Any:
        notice = [f"THIS FUNCTION IS DEPRECATED. It will be removed {when}.", "Instructions for updating:",
                  instructions]
        doc = _noted(function.__doc__, "deprecated", notice)
        validate_callable(function, "deprecated")
        found = [(*_names(function), when, instructions)]
        if inspect.isclass(function):
            function.__init__ = _watched(  # type: ignore[method-assign]
                function.__init__, "deprecated", function.__init__.__doc__ or "", _FUNCTION, lambda *_: found,
                warn_once)
            function.__doc__ = doc
            return function
        return _watched(function, "deprecated", doc, _FUNCTION, lambda *_: found, warn_once)

    return decorate


def deprecated_args(
    date: str | None, instructions: str, *deprecated_arg_names_or_tuples: Any, **kwargs: Any
) -> Callable[[Any], Any]:
    """A decorator of a function with arguments that will go: the first call with one of them is logged.

    Args:
        date: When they go, as YYYY-MM-DD; None for some day.
        instructions: What to do instead.
        *deprecated_arg_names_or_tuples: Names, or pairs of a name and a value that is not worth a word.
        **kwargs: `warn_once`, whether only the first call is logged.

    Raises:
        ValueError: A date or name that is none, or nothing is said.
    """
    when = _validate_deprecation_args(date, instructions)
    warn_once = kwargs.pop("warn_once", True)
    if kwargs:
        raise ValueError(f"Illegal argument to deprecated_args: {kwargs}")
    if not deprecated_arg_names_or_tuples:
        raise ValueError("Specify which argument is deprecated.")
    pairs = [item if isinstance(item, tuple) else (item,) for item in deprecated_arg_names_or_tuples]
    fine = {pair[0]: pair[1:] for pair in pairs}

    def decorate(function: Any) -> Any:
        validate_callable(function, "deprecated_args")
        signature = inspect.signature(function)
        spec = inspecting.getfullargspec(function)
        known = [*spec.args, *spec.kwonlyargs, spec.varargs, spec.varkw]
        missing = [name for name in fine if name not in known]
        if missing and spec.varkw is None:
            raise ValueError(
                f"The following deprecated arguments are not present in the function signature: {missing}. Found next "
                f"arguments: {known}."
            )

        def used(arguments: tuple[Any, ...], keywords: dict[str, Any]) -> Iterable[tuple[Any, ...]]:
            given = signature.bind_partial(*arguments, **keywords).arguments
            given = {**given.get(spec.varkw, {}), **given} if spec.varkw else given
            for name, ok in fine.items():
                if name in given and not (ok and _same(given[name], ok[0])):
                    yield *_names(function), name, when, instructions

        notice = [f"SOME ARGUMENTS ARE DEPRECATED: `({', '.join(fine)})`. They will be removed {when}.",
                  "Instructions for updating:", instructions]
        doc = _noted(function.__doc__, "deprecated arguments", notice)
        return _watched(function, "deprecated", doc, _ARGUMENT, used, warn_once)

    return decorate


def _same(given: Any, value: Any) -> bool:
    return given is value or (type(given) is type(value) and bool(given == value))


def deprecated_arg_values(
    date: str | None, instructions: str, warn_once: bool = True, **deprecated_kwargs: Any
) -> Callable[[Any], Any]:
    """A decorator of a function with values of arguments that will go: the first call with one of them is logged.

    Raises:
        ValueError: A date that is none, no instructions, or no values.
    """
    when = _validate_deprecation_args(date, instructions)
    if not deprecated_kwargs:
        raise ValueError("Specify which argument values are deprecated.")

    def decorate(function: Any) -> Any:
        validate_callable(function, "deprecated_arg_values")

        def used(arguments: tuple[Any, ...], keywords: dict[str, Any]) -> Iterable[tuple[Any, ...]]:
            given = inspecting.getcallargs(function, *arguments, **keywords)
            for name, value in deprecated_kwargs.items():
                if name in given and _same(given[name], value):
                    yield *_names(function), name, repr(value), when, instructions

        values = ", ".join(f"{name}={value!r}" for name, value in sorted(deprecated_kwargs.items()))
        notice = [f"SOME ARGUMENT VALUES ARE DEPRECATED: `({values})`. They will be removed {when}.",
                  "Instructions for updating:", instructions]
        doc = _noted(function.__doc__, "deprecated argument values", notice)
        return _watched(function, "deprecated", doc, _VALUE, used, warn_once)

    return decorate


def deprecated_alias(
    deprecated_name: str, name: str, func_or_class: Any, warn_once: bool = True
) -> Any:
    """A function or a class under its old name, whose first use is logged."""
    notice = ["THIS FUNCTION IS DEPRECATED. It will be removed in a future version.", "Instructions for updating:",
              f"Please use {name} instead."]
    doc = _noted(func_or_class.__doc__, "deprecated", notice)
    found = [(deprecated_name, name)]
    if not inspect.isclass(func_or_class):
        return _watched(func_or_class, "deprecated", doc, _ALIAS, lambda *_: found, warn_once)

    class _NewClass(func_or_class):  # type: ignore[misc]
        __doc__ = doc
        __module__ = func_or_class.__module__

    _NewClass.__init__ = _watched(  # type: ignore[method-assign]
        func_or_class.__init__, "deprecated_alias", func_or_class.__init__.__doc__ or "", _ALIAS, lambda *_: found,
        warn_once)
    return _NewClass


class DeprecatedNamesAlreadySet(Exception):
    """A function has old names already."""


def deprecated_endpoints(*args: str) -> Callable[[Any], Any]:
    """A decorator that notes the old public names of a function.

    Raises:
        DeprecatedNamesAlreadySet: It has some.
    """

    def decorate(function: Any) -> Any:
        if "_tf_deprecated_api_names" in vars(function):
            raise DeprecatedNamesAlreadySet(
                f"Cannot set deprecated names for {function.__name__} to {args}. Deprecated names are already set to "
                f"{function._tf_deprecated_api_names}."
            )
        function._tf_deprecated_api_names = args
        return function

    return decorate


def deprecated_argument_lookup(new_name: str, new_value: Any, old_name: str, old_value: Any) -> Any:
    """The value of an argument that has a new and an old name.

    Raises:
        ValueError: Both are given.
    """
    return one_of(new_name, new_value, old_name, old_value)


def rewrite_argument_docstring(old_doc: str, old_argument: str, new_argument: str) -> str:
    """A docstring in which an argument has its new name."""
    return old_doc.replace(f"`{old_argument}`", f"`{new_argument}`").replace(f"{old_argument}:", f"{new_argument}:")


class HiddenTfApiAttribute(property):
    """An attribute that is there, though `dir` and instances do not show it."""

    def __init__(self, deprecation_message: str) -> None:
        def refuse(instance: Any) -> Any:
            raise AttributeError(deprecation_message)

        super().__init__(refuse)


hide_attribute_from_api = HiddenTfApiAttribute
HIDDEN_ATTRIBUTE = HiddenTfApiAttribute("This attribute has been deprecated.")


@contextlib.contextmanager
def silence() -> Iterator[None]:
    """A context manager in which no use is logged."""
    global _silenced
    _silenced += 1
    try:
        yield
    finally:
        _silenced -= 1
