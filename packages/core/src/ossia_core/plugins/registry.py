"""pluggy's manager of Ossia's plugins: what is registered, in which order it is called, and who provides what.

The order of calls is pluggy's: the last one registered comes first, before it what is marked `tryfirst`, after all what
is marked `trylast`. Third parties are registered before the packages of Ossia, each group from the last name to the
first; so the packages of Ossia are called first, then third parties in the order of their names.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pluggy

from ossia_core import hookspecs
from ossia_core.plugins import api_table, describe, entry_points, known, warn


class Registry(pluggy.PluginManager):
    """The plugins of the entry-point group `ossia`, and those that a program registers.

    Attributes:
        entry_points: The entry point of each plugin that has one.
        failures: Why a plugin that is not registered could not be loaded.
    """

    def __init__(self, changed: Callable[[], None]) -> None:
        """Makes a manager without plugins; `changed` is called after each registration and removal of one."""
        super().__init__("ossia")
        self.add_hookspecs(hookspecs)
        self.entry_points: dict[str, entry_points.EntryPoint] = {}
        self.failures: dict[str, str] = {}
        self._changed = changed

    def discover(self) -> None:
        """Registers what is installed; what cannot be loaded is left out with a warning."""
        found: dict[str, entry_points.EntryPoint] = {}
        for entry_point in entry_points.find():
            found.setdefault(entry_point.name, entry_point)
        own = known.distributions()
        self.entry_points = dict(sorted(found.items(), key=lambda item: (item[1].distribution not in own, item[0])))
        for name, entry_point in reversed(self.entry_points.items()):
            try:
                self.add(entry_point.load(), name)
            except Exception as error:
                self.failures[name] = describe(error)
                warn(
                    f"The Ossia plugin {name!r} of {entry_point.dist.name} {entry_point.dist.version} "
                    f"({entry_point.value}) could not be loaded and is left out: {self.failures[name]}"
                )

    def add(self, plugin: Any, name: str) -> None:
        """Registers a plugin, unless its name is blocked.

        Raises:
            ValueError: A plugin of this name exists already.
            pluggy.PluginValidationError: A hook is unknown, or has unknown parameters.
        """
        if self.has_plugin(name):
            raise ValueError(f"There is a plugin {name!r} already.")
        try:
            self.register(plugin, name=name)
            self.check_pending()
        except Exception:
            self.unregister(name=name)
            raise

    def register(self, plugin: Any, name: str | None = None) -> str | None:
        """Registers a plugin as pluggy does."""
        registered = super().register(plugin, name)
        self._changed()
        return registered

    def unregister(self, plugin: Any = None, name: str | None = None) -> Any:
        """Removes a plugin as pluggy does."""
        removed = super().unregister(plugin, name)
        self._changed()
        return removed

    def tables(self, hook: str) -> list[dict[str, str]]:
        """What the plugins provide through a hook, in the order of its call; one that fails is left out with a warning.

        Args:
            hook: The name of the hook.
        """
        try:
            return [dict(provided) for provided in getattr(self.hook, hook)()]
        except Exception:
            return self._sound_tables(hook)

    def _sound_tables(self, hook: str) -> list[dict[str, str]]:
        """What the plugins that do not fail in a hook provide, each asked alone, without wrappers."""
        found = []
        for each in reversed(getattr(self.hook, hook).get_hookimpls()):
            if each.wrapper or each.hookwrapper:
                warn(f"The wrapper of {hook} in the Ossia plugin {each.plugin_name!r} is left out: a plugin failed.")
                continue
            try:
                found.append(dict(each.function()))
            except Exception as error:
                warn(
                    f"The hook {hook} of the Ossia plugin {each.plugin_name!r} failed and is left out: "
                    f"{describe(error)}"
                )
        return found

    def tables_of(self, hook: str, plugin: str) -> list[dict[str, str]]:
        """What one plugin provides through a hook: usually one table, or none.

        Args:
            hook: The name of the hook.
            plugin: The name of the plugin.
        """
        implementations = getattr(self.hook, hook).get_hookimpls()
        own = [each for each in implementations if each.plugin_name == plugin]
        return [dict(each.function()) for each in own if not (each.wrapper or each.hookwrapper)]

    def owned(self, hook: str, name: str) -> str | None:
        """The target that the distribution of Ossia which owns a name provides for it; None where none owns it.

        Args:
            hook: The name of the hook; for `ossia_api`, what other hooks serve in modules of `tf` counts too.
            name: The name.
        """
        owner = known.owners(hook).get(name, "ossia-core")
        plugins = [plugin for plugin, found in self.entry_points.items() if found.distribution == owner]
        tables: api_table.Tables = {}
        for each in (hook, *(api_table.SERVED_UNDER if hook == "ossia_api" else ())):
            for plugin in plugins:
                for table in self.tables_of(each, plugin):
                    tables.setdefault(each, {}).update(table)
        found = api_table.public_names(tables) if hook == "ossia_api" else tables.get(hook, {})
        return found.get(name)
