"""The plugin manager: finds what is installed (entry-point group `ossia`) and merges what the plugins' hooks provide.

Nothing is searched before the first question is asked. A plugin that cannot be loaded, or whose hook fails, is left out
with a `PluginWarning` that names it; everything else goes on working.
"""

from __future__ import annotations

import importlib
import operator
import threading
import warnings
from collections.abc import Mapping
from types import MappingProxyType, ModuleType
from typing import TYPE_CHECKING, Any, NamedTuple

from ossia_core.forks import renewed

if TYPE_CHECKING:
    import pluggy

OWN_PACKAGES = (
    "ossia_core", "ossia_ops", "ossia_nn", "ossia_optimizers", "ossia_schedules", "ossia_checkpoint",
    "ossia_session", "ossia_queues", "ossia_summary", "ossia_io", "ossia_parsing", "ossia_image",
    "ossia_feature_column", "ossia_debugging", "ossia_lite", "ossia_ragged", "ossia_text", "ossia_signal",
    "ossia_linear_operators", "ossia_distributions", "ossia_quantization", "ossia_lookup", "ossia_testing",
    "ossia_distribute", "ossia_estimator", "ossia_backend_cffi", "ossia_testkit", "ossia_tensorflow_paths",
    "ossia_tensorflow_tests",
)
_SERVED_UNDER = {"ossia_optimizers": "train", "ossia_schedules": "train", "ossia_session_hooks": "train",
                 "ossia_summary_kinds": "summary"}

_lock = renewed(threading.RLock())
_manager: pluggy.PluginManager | None = None
_loading = False
_entry_points: dict[str, Any] = {}  # by plugin name
_failures: dict[str, str] = {}
_tables: dict[str, Mapping[str, str]] = {}


class PluginWarning(UserWarning):
    """A plugin is left out, or a name that it declares is."""


class Plugin(NamedTuple):
    """An installed plugin: its entry point, its distribution, its hooks, and why it failed, if it did."""

    name: str
    module: str
    distribution: str
    version: str
    hooks: tuple[str, ...]
    failure: str | None


def table(hook: str) -> Mapping[str, str]:
    """What all plugins provide through one hook.

    Args:
        hook: The name of the hook, e.g. `"ossia_backends"`.

    Returns:
        A read-only mapping of names to targets, the same object until a plugin is registered or unregistered.
    """
    found = _tables.get(hook)
    if found is None:
        with _lock:
            manager = _get_manager()
            found = _tables.get(hook)
            if found is None:
                found = _tables[hook] = MappingProxyType(_merge(manager, hook))
    return found


def api_table() -> Mapping[str, str]:
    """Every public name without `tf.`, with its target: `ossia_api` and what the hooks for classes add."""
    found = _tables.get("")
    if found is None:
        with _lock:
            merged = dict(table("ossia_api"))
            for hook, module in _SERVED_UNDER.items():
                for name, target in table(hook).items():
                    _add(merged, f"{module}.{name}", target)
            found = _tables[""] = MappingProxyType(merged)
    return found


def op_table() -> Mapping[str, str]:
    """Op types and the modules that define them."""
    return table("ossia_ops")


def gradient_table() -> Mapping[str, str]:
    """Op types and the gradient functions that plugins add for them."""
    return table("ossia_gradients")


def load(target: str) -> Any:
    """The object that a target names.

    Args:
        target: `"module:attribute"`, or `"module:"` for the module.

    Raises:
        ImportError, AttributeError: It does not exist or cannot be imported.
    """
    module, _, attribute = target.partition(":")
    found = importlib.import_module(module)
    return operator.attrgetter(attribute)(found) if attribute else found


def load_all(hook: str) -> dict[str, Any]:
    """The objects that all plugins provide through one hook; one that cannot be loaded is left out with a warning.

    Args:
        hook: The name of the hook, e.g. `"ossia_backends"`.

    Returns:
        A mapping of names to objects: Ossia's own first, then in the order of their names.
    """
    found = {}
    for name, target in table(hook).items():
        try:
            found[name] = load(target)
        except Exception as error:
            _warn(f"{name!r} ({target}, from the hook {hook}) could not be loaded and is left out: {_describe(error)}")
    return found


def register(plugin: ModuleType | Any, name: str) -> None:
    """Adds a plugin by hand: what an entry point does, for programs that define a plugin themselves, and for tests.

    Args:
        plugin: A module or object whose functions are marked with `hookimpl`.
        name: Its name.

    Raises:
        ValueError: A plugin of this name exists already.
        pluggy.PluginValidationError: A hook is unknown, or has unknown parameters.
    """
    with _lock:
        _register(_get_manager(), plugin, name)
        _tables.clear()


def unregister(name: str) -> None:
    """Removes the plugin of this name."""
    with _lock:
        _get_manager().unregister(name=name)
        _tables.clear()


def installed() -> list[Plugin]:
    """All plugins, Ossia's own first, those that could not be loaded included."""
    with _lock:
        manager = _get_manager()
        hooks: dict[str, list[str]] = {}
        for hook, caller in vars(manager.hook).items():
            for implementation in caller.get_hookimpls():
                hooks.setdefault(implementation.plugin_name, []).append(hook)
        names = sorted({*_entry_points, *_failures, *hooks}, key=_rank)
        return [_describe_plugin(name, tuple(sorted(hooks.get(name, ())))) for name in names]


def _describe_plugin(name: str, hooks: tuple[str, ...]) -> Plugin:
    entry_point = _entry_points.get(name)
    if entry_point is None:
        return Plugin(name, "", "", "", hooks, _failures.get(name))
    distribution = entry_point.dist
    return Plugin(
        name,
        entry_point.value,
        distribution.name if distribution else "",
        distribution.version if distribution else "",
        hooks,
        _failures.get(name),
    )


def _get_manager() -> pluggy.PluginManager:
    global _manager, _loading
    if _manager is not None:
        return _manager
    with _lock:
        if _manager is not None:
            return _manager
        if _loading:
            raise RuntimeError(
                "Ossia's API was used while its plugins are being found: a plugin module should only hold tables of "
                "'module:attribute' strings."
            )
        _loading = True
        try:
            _manager = _discover()
        finally:
            _loading = False
        return _manager


def _discover() -> pluggy.PluginManager:
    import pluggy

    from ossia_core import hookspecs
    from ossia_core.plugins import entry_points

    manager = pluggy.PluginManager("ossia")
    manager.add_hookspecs(hookspecs)
    for entry_point in entry_points.find():
        _entry_points.setdefault(entry_point.name, entry_point)
    for name, entry_point in _entry_points.items():
        try:
            _register(manager, entry_point.load(), name)
        except Exception as error:
            _failures[name] = _describe(error)
            origin = f" of {entry_point.dist.name} {entry_point.dist.version}" if entry_point.dist else ""
            _warn(
                f"The Ossia plugin {name!r}{origin} ({entry_point.value}) could not be loaded and is left out: "
                f"{_failures[name]}"
            )
    return manager


def _register(manager: pluggy.PluginManager, plugin: Any, name: str) -> None:
    if manager.has_plugin(name):
        raise ValueError(f"There is a plugin {name!r} already.")
    try:
        manager.register(plugin, name=name)
        manager.check_pending()
    except Exception:
        manager.unregister(name=name)
        raise


def _merge(manager: pluggy.PluginManager, hook: str) -> dict[str, str]:
    merged: dict[str, str] = {}
    for implementation in sorted(
        getattr(manager.hook, hook).get_hookimpls(), key=lambda found: _rank(found.plugin_name)
    ):
        try:
            provided = dict(implementation.function())
        except Exception as error:
            _warn(
                f"The hook {hook} of the Ossia plugin {implementation.plugin_name!r} failed and is left out: "
                f"{_describe(error)}"
            )
            continue
        if not merged:
            merged = provided
            continue
        for name, target in provided.items():
            _add(merged, name, target)
    return merged


def _add(merged: dict[str, str], name: str, target: str) -> None:
    kept = merged.setdefault(name, target)
    if kept != target:
        _warn(f"{name!r} is provided by {kept} and again by {target}; the first one is used.")


def _rank(name: str) -> tuple[bool, int, str]:
    """Sort key: Ossia's own packages in their fixed order, then third parties by name."""
    package = _entry_points[name].value.partition(".")[0] if name in _entry_points else ""
    own = package in OWN_PACKAGES
    return not own, OWN_PACKAGES.index(package) if own else 0, name


def _describe(error: Exception) -> str:
    return " ".join(f"{type(error).__name__}: {error}".split())


def _warn(message: str) -> None:
    warnings.warn(message, PluginWarning, stacklevel=2)
