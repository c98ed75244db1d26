"""The public API as a table: names are declared beside what they name, and collected into each package's `_tables.txt`.

A module declares its public names in one of four ways, all without the leading `tf.`:

    @public("maximum", "math.maximum")              # a function or class
    public_value("newaxis", name="newaxis")         # any other object of the module, by its attribute name
    public_module("app", "compat.v1.app")           # the module itself
    PUBLIC = {"GraphDef": ["GraphDef"]}             # what a module's `__getattr__` makes: attribute -> names

`tf.compat.v1.X` follows from `X`; a name of `tf.compat.v2` is written out (`"compat.v2.image.resize"`).
`python -m ossia_core.plugins.api_table packages/ops` imports every module of the package and writes its `_tables.txt`,
with the `_tables.py` that reads it; with `--check` it writes nothing and fails if they are not current.
"""

from __future__ import annotations

import importlib
import keyword
import os
import sys
from collections.abc import Callable, Iterator, Mapping
from typing import TypeVar

_Declared = TypeVar("_Declared")
_DECLARED = "__public__"  # a module's own declarations: attribute ("" is the module) -> names


def public(*names: str) -> Callable[[_Declared], _Declared]:
    """Declares that the decorated function or class is served as `tf.<name>` for each of `names`.

    Args:
        *names: Dotted names without `tf.`.

    Returns:
        A decorator that gives back its argument unchanged.
    """
    declared = _declared_in(sys._getframe(1).f_globals)

    def declare(target: _Declared) -> _Declared:
        declared.setdefault(target.__name__, []).extend(names)  # type: ignore[attr-defined]
        return target

    return declare


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


def _declared_in(module_globals: dict) -> dict[str, list[str]]:
    return module_globals.setdefault(_DECLARED, {})


def collect(import_package: str) -> tuple[dict[str, str], dict[str, str]]:
    """Imports every module of a package and gathers what they declare.

    Args:
        import_package: The import name, e.g. `"ossia_ops"`.

    Returns:
        Two sorted dicts: API names to `"module:attribute"` (`"module:"` for whole modules), and op types to module
        names.

    Raises:
        ValueError: A name is malformed, declared twice, or its attribute does not exist.
        ImportError: A module cannot be imported.
    """
    api: dict[str, str] = {}
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
            for name in map(canonical, names):
                if api.setdefault(name, target) != target:
                    raise ValueError(f"tf.{name} is declared both by {api[name]} and by {target}.")
    from ossia_core.declare import opdef

    inside = import_package + "."
    ops = {kind: op.module for kind, op in opdef.REGISTRY.items() if f"{op.module}.".startswith(inside)}
    return dict(sorted(api.items())), dict(sorted(ops.items()))


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


def source(import_package: str, api: Mapping[str, str], ops: Mapping[str, str]) -> str:
    """The text of a `_tables.txt`: a line per module, as `read` takes it apart.

    Args:
        import_package: The import name, e.g. `"ossia_ops"`.
        api: API names to `"module:attribute"`.
        ops: Op types to module names.
    """
    served: dict[str, dict[str, list[str]]] = {}  # module -> word -> namespaces
    for name, target in api.items():
        module, _, attribute = target.partition(":")
        namespace, _, last = name.rpartition(".")
        word = last if last == attribute else f"{last}={attribute}"
        served.setdefault(module, {}).setdefault(word, []).append(namespace)
    for kind, module in ops.items():
        served.setdefault(module, {})[f"+{kind}"] = []
    lines = []
    for module, words in sorted(served.items()):
        together: dict[str, list[str]] = {}  # namespaces -> words; those of `tf` alone come first, the op types last
        for word, namespaces in words.items():
            together.setdefault(",".join(sorted(namespaces)) if namespaces else "+", []).append(word)
        line = f"{module.removeprefix(import_package)}:"
        for where, found in sorted(together.items(), key=lambda item: (item[0] == "+", item[0])):
            for word in [*([] if where in ("", "+") else [f"{where}:"]), *sorted(found)]:
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
        f'"""Public names and ops of {import_package}. Written by `{command}`; do not edit."""\n\n'
        "from ossia_core.plugins.api_table import tables\n\nAPI, OPS = tables(__file__)\n"
    )


def tables(module_file: str) -> tuple[dict[str, str], dict[str, str]]:
    """The tables of the package that a module is in, from the `_tables.txt` beside it.

    Args:
        module_file: The module's `__file__`.

    Returns:
        API names to `"module:attribute"`, and op types to module names.
    """
    folder = os.path.dirname(os.path.abspath(module_file))
    with open(os.path.join(folder, "_tables.txt"), encoding="utf-8") as file:
        return read(os.path.basename(folder), file.read())


def read(import_package: str, text: str) -> tuple[dict[str, str], dict[str, str]]:
    """The tables of a package from their compact form.

    A line is a module, without the name of the package, and what it has: public names; `name=attribute` where the
    attribute is called otherwise than the last part of the name (`name=` is the module itself); op types after a `+`.
    `math,nn:` says that the names behind it, up to the next such word, are members of `tf.math` and of `tf.nn`, and
    `,math:` that they are members of `tf` and of `tf.math`. A line that begins with a space continues the one before.

    Args:
        import_package: The import name, e.g. `"ossia_ops"`.
        text: The lines.

    Returns:
        API names to `"module:attribute"`, and op types to module names.
    """
    api: dict[str, str] = {}
    ops: dict[str, str] = {}
    module, prefixes = import_package, [""]
    for line in text.splitlines():
        start, _, words = line.partition(" ")
        if start:
            module, prefixes = import_package + start[:-1], [""]
        for word in words.split():
            if word[0] == "+":
                ops[word[1:]] = module
            elif word[-1] == ":":
                prefixes = [f"{namespace}." if namespace else "" for namespace in word[:-1].split(",")]
            else:
                name, renamed, attribute = word.partition("=")
                target = f"{module}:{attribute if renamed else name[name.rfind('.') + 1:]}"
                for prefix in prefixes:
                    api[prefix + name] = target
    return api, ops


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
            wanted = {path: source(import_package, *collect(import_package)), module: reader(import_package)}
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
    sys.exit(main())
