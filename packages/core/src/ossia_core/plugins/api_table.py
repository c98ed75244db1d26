"""What a package provides, as tables: names are declared beside what they name, and collected into its `_tables.txt`.

A module declares its public names in one of four ways, all without the leading `tf.`:

    @public("maximum", "math.maximum")              # a function or class
    public_value("newaxis", name="newaxis")         # any other object of the module, by its attribute name
    public_module("app", "compat.v1.app")           # the module itself
    PUBLIC = {"GraphDef": ["GraphDef"]}             # what a module's `__getattr__` makes: attribute -> names

`tf.compat.v1.X` follows from `X`; a name of `tf.compat.v2` is written out (`"compat.v2.image.resize"`). What goes
through another hook of `ossia_core.hookspecs` says so:

    @provides("ossia_optimizers", "AdamOptimizer")  # an optimizer, which that hook serves as tf.train.AdamOptimizer

`python -m ossia_core.plugins.api_table packages/ops` imports every module of the package and writes its `_tables.txt`,
with the `_tables.py` that reads it; with `--check` it writes nothing and fails if they are not current.
"""

from __future__ import annotations

import importlib
import keyword
import os
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, TypeVar

_Declared = TypeVar("_Declared")
declared_ops: dict[str, Any] = {}
"""The declarations of ops in the modules that are loaded, by type."""
_DECLARED = "__public__"  # a module's own declarations: attribute ("" is the module) -> names, or "hook:name"
_LAST = "/last"  # after a hook's name: what is to be asked after all other plugins

Tables = dict[str, dict[str, str]]
"""What a package provides through each hook: name -> target."""

SERVED_UNDER = {"ossia_optimizers": "train", "ossia_schedules": "train", "ossia_session_hooks": "train",
                "ossia_summary_kinds": "summary"}
"""Hooks whose names are public too, and the module of `tf` that they are served in."""


def public(*names: str) -> Callable[[_Declared], _Declared]:
    """Declares that the decorated function or class is served as `tf.<name>` for each of `names`.

    Args:
        *names: Dotted names without `tf.`.

    Returns:
        A decorator that gives back its argument unchanged.
    """
    return _declaring(sys._getframe(1).f_globals, names)


def public_value(*names: str, name: str) -> None:
    """Declares that the calling module's attribute called `name` is served as `tf.<name>` for each of `names`.

    Args:
        *names: Dotted names without `tf.`.
        name: The attribute of the calling module.
    """
    _declared_in(sys._getframe(1).f_globals).setdefault(name, []).extend(names)


def public_module(*names: str) -> None:
    """Declares that the calling module as a whole is served as `tf.<name>` for each of `names`.

    Args:
        *names: Dotted names without `tf.`.
    """
    _declared_in(sys._getframe(1).f_globals).setdefault("", []).extend(names)


def provides(hook: str, *names: str, last: bool = False) -> Callable[[_Declared], _Declared]:
    """Declares that the package provides the decorated function or class through a hook.

    Args:
        hook: The name of a hook of `ossia_core.hookspecs`.
        *names: The names under which the hook's mapping has it.
        last: Whether the hook asks for it after what all other plugins provide (`trylast` of pluggy).

    Returns:
        A decorator that gives back its argument unchanged.
    """
    return _declaring(sys._getframe(1).f_globals, [f"{hook}{_LAST * last}:{name}" for name in names])


def _declaring(module_globals: dict, names: Sequence[str]) -> Callable[[_Declared], _Declared]:
    declared = _declared_in(module_globals)

    def declare(target: _Declared) -> _Declared:
        declared.setdefault(target.__name__, []).extend(names)  # type: ignore[attr-defined]
        return target

    return declare


def _declared_in(module_globals: dict) -> dict[str, list[str]]:
    return module_globals.setdefault(_DECLARED, {})


def collect(import_package: str) -> Tables:
    """Imports every module of a package and gathers what they declare.

    Args:
        import_package: The import name, e.g. `"ossia_ops"`.

    Returns:
        A sorted table per hook: names to `"module:attribute"` (`"module:"` for whole modules), and for `ossia_ops` op
        types to module names.

    Raises:
        ValueError: A name is malformed, declared twice, or its attribute does not exist.
        ImportError: A module cannot be imported.
    """
    from ossia_core import hookspecs

    found: Tables = {"ossia_api": {}}
    for module_name in _modules(import_package):
        try:
            module = importlib.import_module(module_name)
        except Exception as error:
            raise ImportError(
                f"{module_name} cannot be imported: {type(error).__name__}: {error}", name=module_name
            ) from error
        declared = dict(getattr(module, _DECLARED, {}))
        for attribute, names in vars(module).get("PUBLIC", {}).items():
            declared[attribute] = [*declared.get(attribute, ()), *names]
        for attribute, names in declared.items():
            target = f"{module_name}:{attribute}"
            if attribute and not hasattr(module, attribute):
                raise ValueError(f"{target} is declared public but does not exist.")
            for declaration in names:
                hook, _, name = declaration.rpartition(":")
                if hook and not hasattr(hookspecs, hook.removesuffix(_LAST)):
                    raise ValueError(f"{target} is provided through {hook!r}, which is no hook.")
                if hook and not name.replace("_", "").replace("-", "").replace(".", "").isalnum():
                    raise ValueError(f"{target} is provided as {name!r}, which is no name.")
                table = found.setdefault(hook or "ossia_api", {})
                name = name if hook else canonical(name)
                if table.setdefault(name, target) != target:
                    raise ValueError(f"{declaration!r} is declared both by {table[name]} and by {target}.")
    inside = import_package + "."
    found["ossia_ops"] = {kind: op.module for kind, op in declared_ops.items() if f"{op.module}.".startswith(inside)}
    public_names(found)
    return {hook: dict(sorted(table.items())) for hook, table in sorted(found.items()) if table}


def public_names(found: Mapping[str, Mapping[str, str]]) -> dict[str, str]:
    """The names below `tf` that come of tables: those of `ossia_api`, and of hooks that serve theirs in a module.

    Raises:
        ValueError: One is declared twice.
    """
    names = dict(found.get("ossia_api", {}))
    for hook, module in SERVED_UNDER.items():
        for name, target in found.get(hook, {}).items():
            if names.setdefault(f"{module}.{name}", target) != target:
                raise ValueError(f"tf.{module}.{name} is provided twice: {names[f'{module}.{name}']} and {target}.")
    return names


def canonical(name: str) -> str:
    """The form in which a public name stands in a table: without `compat.v1.`.

    Raises:
        ValueError: `name` is not a dotted name.
    """
    while name.startswith("compat.v1."):
        name = name.removeprefix("compat.v1.")
    if not all(part.isidentifier() and not keyword.iskeyword(part) for part in name.split(".")):
        raise ValueError(f"{name!r} is not a public name: it should be dotted identifiers, without 'tf.'.")
    return name


def _modules(import_package: str) -> Iterator[str]:
    """Names of all modules of a package, sub-packages before what is in them."""
    import pkgutil

    yield import_package
    package = importlib.import_module(import_package)
    for info in pkgutil.iter_modules(package.__path__, import_package + "."):
        if info.ispkg:
            yield from _modules(info.name)
        elif info.name.rpartition(".")[2] not in ("__main__", "_tables", "plugin"):
            yield info.name


def source(import_package: str, found: Mapping[str, Mapping[str, str]]) -> str:
    """The text of a `_tables.txt`: a line per module, as `read` takes it apart.

    Args:
        import_package: The import name, e.g. `"ossia_ops"`.
        found: The tables, as `collect` returns them.
    """
    served: dict[str, dict[str, list[str]]] = {}  # module -> word -> namespaces
    for hook, table in found.items():
        for name, target in table.items():
            module, _, attribute = target.partition(":")
            if hook == "ossia_ops":
                served.setdefault(module, {})[f"+{name}"] = []
                continue
            namespace, _, last = name.rpartition(".") if hook == "ossia_api" else (hook, "", name)
            word = last if last == attribute else f"{last}={attribute}"
            served.setdefault(module, {}).setdefault(word, []).append(namespace)
    lines = []
    for module, words in sorted(served.items()):
        together: dict[str, list[str]] = {}  # namespaces -> words; those of `tf` alone come first, the op types last
        for word, namespaces in words.items():
            together.setdefault(",".join(sorted(namespaces)) if namespaces else "+", []).append(word)
        line = f"{module.removeprefix(import_package)}:"
        for where, listed in sorted(together.items(), key=lambda item: (item[0] == "+", item[0])):
            for word in [*([] if where in ("", "+") else [f"{where}:"]), *sorted(listed)]:
                if len(line) + len(word) >= 120:
                    lines.append(line)
                    line = ""
                line += f" {word}"
        lines.append(line)
    return "\n".join(lines) + "\n"


def reader(import_package: str) -> str:
    """The text of the `_tables.py` beside a `_tables.txt`."""
    folder = f"packages/{import_package.removeprefix('ossia_').replace('_', '-')}"
    command = f"python -m ossia_core.plugins.api_table {folder}"
    return (
        f'"""The plugin of {import_package}: what its modules declare. Written by `{command}`; do not edit."""\n\n'
        "from ossia_core.plugins.api_table import TablePlugin, tables\n\nplugin = TablePlugin(tables(__file__))\n"
    )


class TablePlugin:
    """A plugin whose hooks return the tables of a package; it has those hooks that the package provides for."""

    def __init__(self, found: Tables) -> None:
        """Makes the plugin of these tables."""
        from ossia_core.hookspecs import hookimpl

        for key, table in found.items():
            hook = key.removesuffix(_LAST)
            setattr(self, key, hookimpl(specname=hook, trylast=key != hook)(_giving(table)))

    def __dir__(self) -> list[str]:
        return list(vars(self))


def _giving(table: dict[str, str]) -> Callable[[], dict[str, str]]:
    return lambda: table


def tables(module_file: str) -> Tables:
    """The tables of the package that a module is in, from the `_tables.txt` beside it.

    Args:
        module_file: The module's `__file__`.
    """
    folder = os.path.dirname(os.path.abspath(module_file))
    with open(os.path.join(folder, "_tables.txt"), encoding="utf-8") as file:
        return read(os.path.basename(folder), file.read())


def read(import_package: str, text: str) -> Tables:
    """The tables of a package from their compact form.

    A line is a module, without the name of the package, and what it has: public names; `name=attribute` where the
    attribute is called otherwise than the last part of the name (`name=` is the module itself); op types after a `+`.
    `math,nn:` says that the names behind it, up to the next such word, are members of `tf.math` and of `tf.nn`, and
    `,math:` that they are members of `tf` and of `tf.math`; `ossia_optimizers:` that they go through the hook of that
    name. A line that begins with a space continues the one before.

    Args:
        import_package: The import name, e.g. `"ossia_ops"`.
        text: The lines.
    """
    api: dict[str, str] = {}
    ops: dict[str, str] = {}
    found = {"ossia_api": api, "ossia_ops": ops}
    everywhere = [(api, "")]
    module, places = import_package, everywhere
    for line in text.splitlines():
        start, _, words = line.partition(" ")
        if start:
            module, places = import_package + start[:-1], everywhere
        for word in words.split():
            if word[0] == "+":
                ops[word[1:]] = module
            elif word[-1] == ":":
                places = [
                    (found.setdefault(where, {}), "") if where[:6] == "ossia_" else (api, where and f"{where}.")
                    for where in word[:-1].split(",")
                ]
            else:
                name, renamed, attribute = word.partition("=")
                target = f"{module}:{attribute if renamed else name[name.rfind('.') + 1:]}"
                for table, prefix in places:
                    table[prefix + name] = target
    return {hook: table for hook, table in found.items() if table}


def main(arguments: list[str] | None = None) -> int:
    """Writes or checks the tables of the package folders named on the command line; returns the exit status."""
    import argparse  # here, because every program imports this module for `public`
    from pathlib import Path

    parser = argparse.ArgumentParser(
        prog="python -m ossia_core.plugins.api_table", description="Write each package's _tables.txt."
    )
    parser.add_argument("folders", nargs="+", type=Path, metavar="packages/NAME")
    parser.add_argument("--check", action="store_true", help="write nothing; fail if a table is not current")
    options = parser.parse_args(arguments)
    stale, broken = [], False
    for folder in options.folders:
        [import_package] = [path.parent.name for path in (folder / "src").glob("ossia_*/__init__.py")]
        path = folder / "src" / import_package / "_tables.txt"
        module = path.with_suffix(".py")
        if not options.check and not (path.exists() and module.exists()):
            path.write_text("")
            module.write_text(reader(import_package))
        try:
            wanted = {path: source(import_package, collect(import_package)), module: reader(import_package)}
        except (ImportError, ValueError) as error:
            print(f"{folder}: {error}", file=sys.stderr)
            broken = True
            continue
        wrong = {file: text for file, text in wanted.items() if not file.exists() or file.read_text() != text}
        if wrong and options.check:
            stale.append(str(folder))
        for file, text in wrong.items():
            if not options.check:
                file.write_text(text)
                print(f"{file}: written")
    if stale:
        folders = " ".join(stale)
        print(f"Not current: {folders}; run `python -m ossia_core.plugins.api_table {folders}`.", file=sys.stderr)
    return 1 if stale or broken else 0


if __name__ == "__main__":
    from ossia_core.plugins import api_table  # this module under its own name, where the ops are noted

    sys.exit(api_table.main(sys.argv[1:]))
