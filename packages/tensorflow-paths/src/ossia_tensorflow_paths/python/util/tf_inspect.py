"""`util.tf_inspect`: `inspect`, which looks beneath the decorators of functions."""

from __future__ import annotations

import functools
import inspect
from collections import namedtuple
from collections.abc import Callable
from typing import Any

from ossia_tensorflow_paths.python.util.tf_decorator import unwrap

ArgSpec = namedtuple("ArgSpec", ["args", "varargs", "keywords", "defaults"])
FullArgSpec = inspect.FullArgSpec

getdoc = inspect.getdoc
getframeinfo = inspect.getframeinfo
getmembers = inspect.getmembers
getmodule = inspect.getmodule
getmro = inspect.getmro
isframe = inspect.isframe
_MISSING = object()


def _getargspec(target: Any) -> ArgSpec:
    spec = inspect.getfullargspec(target)
    return ArgSpec(spec.args, spec.varargs, spec.varkw, spec.defaults)


def _convert_maybe_argspec_to_fullargspec(argspec: Any) -> FullArgSpec:
    """The same arguments as a FullArgSpec."""
    if hasattr(argspec, "kwonlyargs"):
        return argspec
    return FullArgSpec(argspec.args, argspec.varargs, argspec.keywords, argspec.defaults, [], None, {})


def _stated(obj: Any) -> tuple[Any, Any]:
    """The arguments that the outermost decorator with such states, or None; and what is beneath all decorators."""
    decorators, target = unwrap(obj)
    specs = (getattr(decorator, "decorator_argspec", None) for decorator in decorators)
    return next((spec for spec in specs if spec is not None), None), target


def getargspec(obj: Any) -> ArgSpec:
    """The arguments of a function, a partial, a class or a callable object.

    Raises:
        ValueError: Those of a partial cannot be written in this way.
    """
    if isinstance(obj, functools.partial):
        return _get_argspec_for_partial(obj)
    stated, target = _stated(obj)
    if stated is not None:
        return ArgSpec(*stated[:4])
    if isinstance(target, functools.partial):
        return _get_argspec_for_partial(target)
    try:
        return _getargspec(target)
    except TypeError:
        return _getargspec(type(target).__call__)


def _get_argspec_for_partial(obj: functools.partial) -> ArgSpec:
    spec = getargspec(obj.func)
    args = spec.args[len(obj.args) :]
    if not obj.keywords:
        return ArgSpec(args, spec.varargs, spec.keywords, spec.defaults)
    defaults: list[Any] = [_MISSING] * (len(spec.args) - len(spec.defaults or ())) + list(spec.defaults or ())
    for name, value in obj.keywords.items():
        if name in spec.args:
            defaults[spec.args.index(name)] = value
        elif not spec.keywords:
            raise ValueError("Function does not have **kwargs parameter, but contains an unknown partial keyword.")
    defaults = defaults[len(obj.args) :]
    first = next((i for i, value in enumerate(defaults) if value is not _MISSING), len(defaults))
    lacking = [name for name, value in zip(args[first:], defaults[first:]) if value is _MISSING]
    if lacking:
        raise ValueError(
            f"Some arguments {lacking} do not have default value, but they are positioned after those with default "
            "values. This can not be expressed with ArgSpec."
        )
    return ArgSpec(args, spec.varargs, spec.keywords, tuple(defaults[first:]) or None)


def getfullargspec(obj: Any) -> FullArgSpec:
    """The arguments of a function, those of keywords alone among them."""
    stated, target = _stated(obj)
    return inspect.getfullargspec(target) if stated is None else _convert_maybe_argspec_to_fullargspec(stated)


def getcallargs(func: Callable[..., Any], /, *positional: Any, **named: Any) -> dict[str, Any]:
    """The values of the arguments by name in a call; whether there may be such a call is not asked."""
    spec = getfullargspec(func)
    found = dict(named)
    bound = getattr(func, "__self__", None)
    if inspect.ismethod(func) or (bound is not None and spec.args[:1] == ["self"]):
        positional = (bound, *positional)
    found.update(zip(spec.args, positional))
    defaults = spec.defaults or ()
    return {**dict(zip(spec.args[len(spec.args) - len(defaults) :], defaults)), **(spec.kwonlydefaults or {}), **found}


def currentframe() -> Any:
    """The frame of the caller."""
    frame = inspect.currentframe()
    return frame.f_back if frame is not None else None


def stack(context: int = 1) -> list[Any]:
    """The frames of the caller and of its callers."""
    return inspect.stack(context)[1:]


def _beneath(function: Callable[..., Any]) -> Callable[..., Any]:
    """A function of `inspect` that takes what is beneath the decorators of its argument."""

    @functools.wraps(function)
    def inspected(obj: Any) -> Any:
        return function(unwrap(obj)[1])

    return inspected


getfile = _beneath(inspect.getfile)
getsource = _beneath(inspect.getsource)
getsourcefile = _beneath(inspect.getsourcefile)
getsourcelines = _beneath(inspect.getsourcelines)
isbuiltin = _beneath(inspect.isbuiltin)
isclass = _beneath(inspect.isclass)
isfunction = _beneath(inspect.isfunction)
isgenerator = _beneath(inspect.isgenerator)
isgeneratorfunction = _beneath(inspect.isgeneratorfunction)
ismethod = _beneath(inspect.ismethod)
ismodule = _beneath(inspect.ismodule)
isroutine = _beneath(inspect.isroutine)
