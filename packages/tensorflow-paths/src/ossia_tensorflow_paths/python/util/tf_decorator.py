"""The decorators of `tensorflow.python.util`."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Sequence
from typing import Any


class TFDecorator:
    """What is known of a decorator around a function; calling it calls the function.

    Args:
        decorator_name: The name of the decorator.
        target: The function that it decorates.
        decorator_doc: The documentation of the whole; that of the function if it is empty.
        decorator_argspec: The arguments of the whole, where they are not those of the function.
    """

    def __init__(
        self, decorator_name: str, target: Callable[..., Any], decorator_doc: str = "", decorator_argspec: Any = None
    ) -> None:
        self._decorated_target = target
        self._decorator_name = decorator_name
        self._decorator_doc = decorator_doc
        self._decorator_argspec = decorator_argspec
        if hasattr(target, "__name__"):
            self.__name__ = target.__name__
        if hasattr(target, "__qualname__"):
            self.__qualname__ = target.__qualname__
        self.__doc__ = decorator_doc or getattr(target, "__doc__", None) or ""

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return self._decorated_target(*args, **kwargs)

    @property
    def decorated_target(self) -> Callable[..., Any]:
        """The function that is decorated."""
        return self._decorated_target

    @decorated_target.setter
    def decorated_target(self, target: Callable[..., Any]) -> None:
        self._decorated_target = target

    @property
    def decorator_name(self) -> str:
        """The name of the decorator."""
        return self._decorator_name

    @property
    def decorator_doc(self) -> str:
        """The documentation of the whole, empty if it is the function's."""
        return self._decorator_doc

    @property
    def decorator_argspec(self) -> Any:
        """The arguments of the whole, None if they are the function's."""
        return self._decorator_argspec

    def __get__(self, instance: Any, owner: Any) -> Any:
        return self.decorated_target.__get__(instance, owner)


def make_decorator(
    target: Callable[..., Any], decorator_func: Callable[..., Any], decorator_name: str | None = None,
    decorator_doc: str = "", decorator_argspec: Any = None,
) -> Callable[..., Any]:
    """`decorator_func` with the name and documentation of what it stands for."""
    if decorator_name is None:
        frame = inspect.currentframe()
        decorator_name = frame.f_back.f_code.co_name if frame is not None and frame.f_back is not None else ""
    decorator = TFDecorator(decorator_name, target, decorator_doc, decorator_argspec)
    made = functools.wraps(target)(decorator_func) if hasattr(target, "__name__") else decorator_func
    made._tf_decorator = decorator  # type: ignore[attr-defined]
    if decorator_doc:
        made.__doc__ = decorator_doc
    if not hasattr(made, "__wrapped__"):
        made.__wrapped__ = target  # type: ignore[attr-defined]
    return made


def unwrap(maybe_decorated: Any) -> tuple[list[Any], Any]:
    """The decorators around a function, outermost first, and the function itself."""
    decorators = []
    while True:
        if isinstance(maybe_decorated, TFDecorator):
            decorators.append(maybe_decorated)
            maybe_decorated = maybe_decorated.decorated_target
        elif hasattr(maybe_decorated, "_tf_decorator"):
            decorators.append(maybe_decorated._tf_decorator)
            maybe_decorated = maybe_decorated._tf_decorator.decorated_target
        elif hasattr(maybe_decorated, "__wrapped__"):
            decorators.append(maybe_decorated)
            maybe_decorated = maybe_decorated.__wrapped__
        else:
            return decorators, maybe_decorated


def _has_tf_decorator_attr(obj: Any) -> bool:
    """Whether a function was made by `make_decorator`."""
    return isinstance(getattr(obj, "_tf_decorator", None), TFDecorator)


def rewrap(decorator_func: Any, previous_target: Any, new_target: Any) -> None:
    """Puts a function in the place of another one beneath decorators, and of all that is beneath that.

    Args:
        decorator_func: The function with its decorators.
        previous_target: What is replaced: the function, or one of the decorated functions on the way to it.
        new_target: What comes in its place.
    """
    innermost = None
    while _has_tf_decorator_attr(decorator_func):
        innermost = decorator_func
        decorator_func = innermost._tf_decorator.decorated_target
        if decorator_func is previous_target:
            break
    if innermost is not None:
        innermost._tf_decorator.decorated_target = new_target
        innermost.__wrapped__ = new_target


def _normalize_docstring(docstring: str | None) -> str:
    """A docstring without its indentation and the empty lines around it."""
    return inspect.cleandoc(docstring) if docstring else ""


def add_notice_to_docstring(
    doc: str | None, instructions: str, no_doc_str: str, suffix_str: str, notice: Sequence[str]
) -> str:
    """A docstring with a notice after its first line.

    Args:
        doc: The docstring.
        instructions: What ends the notice.
        no_doc_str: The first line where there is no docstring.
        suffix_str: What is put to the first line of one.
        notice: The lines of the notice.

    Raises:
        ValueError: There is no notice.
    """
    if not notice:
        raise ValueError("The `notice` arg must not be empty.")
    lines = _normalize_docstring(doc).splitlines()
    first = f"{lines[0]} {suffix_str}" if lines else no_doc_str
    rest = lines[1:]
    if rest and rest[0].strip():
        rest.insert(0, "")
    return "\n".join([first, "", f"Warning: {notice[0]}", *notice[1:], instructions, *rest])


def get_qualified_name(function: Any) -> str:
    """The name of a function with that of its class."""
    return function.__qualname__


def validate_callable(func: Any, decorator_name: str) -> None:
    """Refuses what is no function.

    Raises:
        ValueError: It is none, perhaps a property.
    """
    if not callable(func) or not hasattr(func, "__name__"):
        raise ValueError(
            f"{func} is not a function. If this is a property, make sure @property appears before @{decorator_name} "
            f"in your source code:\n\n@property\n@{decorator_name}\ndef method(...)"
        )


def keyword_args_only(function: Callable[..., Any]) -> Callable[..., Any]:
    """A decorator of a function that takes its arguments by keyword alone."""

    @functools.wraps(function)
    def call(*arguments: Any, **keywords: Any) -> Any:
        if arguments:
            raise ValueError(f"Must use keyword args to call {function.__name__}.")
        return function(**keywords)

    return call


class classproperty:
    """A property of a class."""

    def __init__(self, function: Callable[[Any], Any]) -> None:
        self._function = function

    def __get__(self, instance: Any, owner: Any) -> Any:
        return self._function(owner)


def remove_undocumented(module_name: str, allowed_exception_list: Any = None, doc_string_modules: Any = None) -> None:
    """Without effect: every name of a module stays."""


def make_all(module_name: str, doc_string_modules: Any = None) -> list[str]:
    """The public names of a module."""
    import sys

    return [name for name in vars(sys.modules[module_name]) if not name.startswith("_")]
