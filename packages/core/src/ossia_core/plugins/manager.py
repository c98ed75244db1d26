"""What the installed plugins provide (entry-point group `ossia`), hook by hook, as one table of names.

Nothing is searched before the first question is asked. A plugin that cannot be loaded, or whose hook fails, is left out
with a `PluginWarning` that names it; everything else goes on working. Where two provide the same name, the distribution
of Ossia that owns the name keeps it; otherwise the one that is called first.
"""

from __future__ import annotations

import importlib
import operator
import threading
from collections.abc import Mapping
from types import MappingProxyType, ModuleType
from typing import TYPE_CHECKING, Any, NamedTuple

from ossia_core.forks import renewed
from ossia_core.plugins import describe, warn
from ossia_core.plugins.api_table import SERVED_UNDER

if TYPE_CHECKING:
    from ossia_core.plugins.registry import Registry

_lock = renewed(threading.RLock())
_registry: Registry | None = None
_loading = False
_tables: dict[str, Mapping[str, str]] = {}


class Plugin(NamedTuple):
    """An installed plugin: its entry point, its distribution, what it provides through each hook, and why it failed."""

    name: str
    module: str
    distribution: str
    version: str
    provides: Mapping[str, Mapping[str, str]]
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
            plugins = registry()
            found = _tables.get(hook)
            if found is None:
                merged: dict[str, str] = {}
                for provided in plugins.tables(hook):
                    for name, target in provided.items():
                        _settle(merged, hook, name, target)
                found = _tables[hook] = MappingProxyType(merged)
    return found


def api_table() -> Mapping[str, str]:
    """Every public name without `tf.`, with its target: `ossia_api` and what the hooks for classes add."""
    found = _tables.get("")
    if found is None:
        with _lock:
            merged = dict(table("ossia_api"))
            for hook, module in SERVED_UNDER.items():
                for name, target in table(hook).items():
                    _settle(merged, "ossia_api", f"{module}.{name}", target)
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
        A mapping of names to objects, in the order in which the plugins are called.
    """
    found = {}
    for name, target in table(hook).items():
        try:
            found[name] = load(target)
        except Exception as error:
            warn(f"{name!r} ({target}, from the hook {hook}) could not be loaded and is left out: {describe(error)}")
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
        registry().add(plugin, name)


def unregister(name: str) -> None:
    """Removes the plugin of this name."""
    with _lock:
        registry().unregister(name=name)


def registry() -> Registry:
    """pluggy's manager of the plugins, which have been looked for; what is done to it (`set_blocked`) takes effect."""
    global _registry, _loading
    if _registry is not None:
        return _registry
    with _lock:
        if _registry is not None:
            return _registry
        if _loading:
            raise RuntimeError(
                "Ossia's API was used while its plugins are being found: a plugin module should only hold tables of "
                "'module:attribute' strings."
            )
        from ossia_core.plugins.registry import Registry  # pluggy takes 10 ms: not before a plugin is asked for

        _loading = True
        try:
            found = Registry(_tables.clear)
            found.discover()
            _registry = found
        finally:
            _loading = False
        return _registry


def installed() -> list[Plugin]:
    """All plugins, Ossia's own first, those that could not be loaded included."""
    with _lock:
        plugins = registry()
        names = dict.fromkeys((*plugins.entry_points, *(name for name, _ in plugins.list_name_plugin())))
        return [_described(plugins, name) for name in names if not plugins.is_blocked(name)]


def _described(plugins: Registry, name: str) -> Plugin:
    provides: dict[str, dict[str, str]] = {}
    failure = plugins.failures.get(name)
    for caller in plugins.get_hookcallers(plugins.get_plugin(name)) or ():
        try:
            for provided in plugins.tables_of(caller.name, name):
                provides.setdefault(caller.name, {}).update(provided)
        except Exception as error:
            failure = f"{caller.name}: {describe(error)}"
    entry_point = plugins.entry_points.get(name)
    if entry_point is None:
        return Plugin(name, "", "", "", provides, failure)
    return Plugin(name, entry_point.value, entry_point.dist.name, entry_point.dist.version, provides, failure)


def _settle(merged: dict[str, str], hook: str, name: str, target: str) -> None:
    """Adds a name to a table; if it is there already, the distribution that owns the name keeps it, or the first."""
    kept = merged.setdefault(name, target)
    if kept == target:
        return
    owned = registry().owned(hook, name)
    used, dropped = (target, kept) if target == owned else (kept, target)
    merged[name] = used
    why = "the first one is used" if owned is None else "the one of the distribution that owns the name is used"
    warn(f"{name!r} is provided by {used} and again by {dropped}; {why}.")
