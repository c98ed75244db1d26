"""Serves the merged API table as modules, made on demand: `ossia.train`, `ossia.compat.v1.train`, ..."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Mapping, Sequence
from importlib.machinery import ModuleSpec
from types import ModuleType

_V1 = "compat.v1"
_tree: dict[
    str, dict[str, str]
] = {}  # dotted module name ("" is `ossia`) -> member -> target, "" for a module made here
_tree_of: Mapping[str, str] = {}  # the table that `_tree` was made from


_held = vars(ModuleType)["__dict__"].__get__  # what a module holds so far, by `_held(module)`


class ApiModule(ModuleType):
    """A module whose members are looked up in the API table at first use, and kept."""

    def __getattr__(self, name: str) -> object:
        return member(self.__name__, name)

    def __dir__(self) -> list[str]:
        return sorted({*_held(self), *members(self.__name__)})

    @property
    def __dict__(self) -> dict[str, object]:  # type: ignore[override]
        """All members, which are loaded for it: programs look names up in `tf.logging.__dict__` and in `vars(tf)`."""
        for name in members(self.__name__):
            if name not in _held(self):
                try:
                    member(self.__name__, name)
                except (AttributeError, ImportError):
                    pass  # of a package whose own requirements are not installed
        return _held(self)


class ApiFinder:
    """Finds the modules below `ossia` in the API table, and makes them (`importlib.abc` would take 10 ms to import)."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """The spec of an API module; None for anything else.

        Raises:
            ModuleNotFoundError: The module belongs to an Ossia package that is not installed.
        """
        if not fullname.startswith("ossia.") or fullname.startswith("ossia._"):
            return None
        inner = _inner(fullname)
        if _made_at_once(inner) or inner in _members_by_module():
            return ModuleSpec(fullname, self, is_package=True)  # type: ignore[arg-type]
        if _implementation(inner):
            return ModuleSpec(fullname, self)  # type: ignore[arg-type]
        if hint := _hint(inner):
            raise ModuleNotFoundError(f"No module named {fullname!r}: {hint}", name=fullname.rpartition(".")[0])
        return None

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        """A new module."""
        return ApiModule(spec.name)

    def exec_module(self, module: ModuleType) -> None:
        """Where the table names a whole module, serves that one; else nothing is to do before a member is used."""
        if _made_at_once(_inner(module.__name__)):
            return
        if target := _implementation(_inner(module.__name__)):
            sys.modules[module.__name__] = importlib.import_module(target)
        elif _inner(module.__name__) in ("", "compat.v2"):
            _held(module)["__version__"] = sys.modules["ossia"].__version__


def install() -> None:
    """Puts the finder in front of `sys.meta_path`, once."""
    if not any(isinstance(finder, ApiFinder) for finder in sys.meta_path):
        sys.meta_path.insert(0, ApiFinder())


_ABOUT_THE_BUILD = frozenset(
    ("__git_version__", "__compiler_version__", "__cxx11_abi_flag__", "__monolithic_build__")
)


def member(module_name: str, name: str) -> object:
    """The member `name` of the API module `module_name`; it becomes an attribute of the module.

    Raises:
        AttributeError: There is no such name; if a package that is not installed has it, the message says what to
        install.
    """
    if name == "__all__":
        return members(module_name)
    inner = _inner(module_name)
    # Python itself asks modules for many such names, which must not load the tables.
    hidden = name.startswith("__") and name not in _ABOUT_THE_BUILD
    target = None if hidden else _members_by_module().get(inner, {}).get(name)
    if target is None:
        hint = None if name.startswith("_") else _hint(f"{inner}.{name}" if inner else name)
        raise AttributeError(
            f"module {module_name!r} has no attribute {name!r}" + (f": {hint}" if hint else ""),
            name=name,
            obj=sys.modules.get(module_name),
        )
    if not target or target.endswith(":"):
        found = importlib.import_module(f"{module_name}.{name}")
    else:
        from ossia_core.plugins import manager as plugins

        found = plugins.load(target)
    setattr(sys.modules[module_name], name, found)
    return found


def members(module_name: str) -> list[str]:
    """The names that the API module `module_name` has."""
    return sorted(_members_by_module().get(_inner(module_name), ()))


def _inner(fullname: str) -> str:
    """The dotted name below `ossia`, in the v1 API: `ossia.compat.v1.train` is `train`."""
    inner = fullname[len("ossia.") :]
    while inner.startswith(_V1 + "."):
        inner = inner[len(_V1) + 1 :]
    return "" if inner == _V1 else inner


def _made_at_once(inner: str) -> bool:
    """Whether it is the one module that programs import and often use nothing of: it does not wait for the tables."""
    import importlib.util  # `import ossia` alone needs it not

    return inner == "contrib" and importlib.util.find_spec("ossia_contrib") is not None


def _implementation(inner: str) -> str | None:
    """The module that the table serves as a whole under this name."""
    parent, _, name = inner.rpartition(".")
    target = _members_by_module().get(parent, {}).get(name, "")
    return target[:-1] if target.endswith(":") else None


def _members_by_module() -> dict[str, dict[str, str]]:
    global _tree, _tree_of
    from ossia_core.plugins import manager as plugins

    table = plugins.api_table()
    if table is _tree_of:
        return _tree
    tree: dict[str, dict[str, str]] = {"": {"compat": ""}, "compat": {"v1": ""}}
    for name, target in table.items():
        parent, _, last = name.rpartition(".")
        while parent not in tree:
            tree[parent] = {last: target}
            parent, _, last = parent.rpartition(".")
            target = ""
        tree[parent][last] = target
    _tree, _tree_of = tree, table
    return tree


def _hint(inner: str) -> str | None:
    """Says what to install for a name that a missing Ossia package has, or what to use for one that none has."""
    from ossia import _absent
    from ossia_core.plugins import known

    distribution = known.of_name(inner)
    if distribution:
        return f"tf.{inner} is in the package {distribution}{known.to_install(distribution)}"
    return _absent.hint(inner)
