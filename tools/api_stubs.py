"""Writes what follows from the API tables of all packages: type stubs for the modules of `ossia`, and
`ossia_core/plugins/_known.txt`.

`python tools/api_stubs.py packages` reads the tables of the packages in that folder; with `--check` it
writes nothing and fails if a file is not current.
"""

from __future__ import annotations

import argparse
import sys
import textwrap
from collections.abc import Mapping
from pathlib import Path

from ossia_core.plugins import api_table

_NOTE = "# Written by tools/api_stubs.py; do not edit."
_Tables = Mapping[str, api_table.Tables]


def read_tables(packages: Path) -> _Tables:
    """The tables of a folder of packages, by distribution."""
    return {
        f"ossia-{path.parents[2].name}": api_table.tables(str(path))
        for path in sorted(packages.glob("*/src/*/_tables.txt"))
    }


def known(tables: _Tables) -> str:
    """The text of `_known.txt`: what each distribution provides but ossia-core, which is always there."""
    owners: dict[str, dict[str, str]] = {}
    for distribution, found in tables.items():
        for hook, table in found.items() if distribution != "ossia-core" else ():
            for name in table:
                target = distribution if hook == "ossia_ops" else f"{distribution}:{name.rpartition('.')[2]}"
                owners.setdefault(hook, {})[name] = target
    return api_table.source("", owners)


def stubs(tables: _Tables) -> dict[str, str]:
    """The stubs of the assembled modules: path below `ossia` -> text."""
    modules: dict[str, dict[str, str]] = {"": {}}
    for name, target in sorted(item for found in tables.values() for item in api_table.public_names(found).items()):
        parent, _, last = name.rpartition(".")
        modules.setdefault(parent, {})[last] = target
        while parent:
            parent, _, last = parent.rpartition(".")
            modules.setdefault(parent, {}).setdefault(last, "")
    modules.setdefault("compat", {})["v1"] = ""
    modules[""]["compat"] = ""
    texts = {}
    homes: dict[tuple[str, str], str] = {}  # (name, target) -> the first module that has it, which others take it from
    for module, members in sorted(modules.items(), key=lambda item: (item[0].startswith("compat"), not item[0], item)):
        texts[module] = _stub(module, members, homes)
        if not module.startswith("compat"):
            texts[f"compat.v1.{module}".rstrip(".")] = f"{_NOTE}\nfrom {_name(module)} import *\n"
    folders = {module.rpartition(".")[0] for module in texts}
    return {_path(module, module in folders): text for module, text in texts.items()}


def _name(module: str) -> str:
    return f"ossia.{module}".rstrip(".")


def _path(module: str, is_folder: bool) -> str:
    return "/".join([*filter(None, module.split(".")), "__init__"] if is_folder else module.split(".")) + ".pyi"


def _stub(module: str, members: dict[str, str], homes: dict[tuple[str, str], str]) -> str:
    lines = [_NOTE]
    if not module:
        lines.append("__version__: str")
    imported: dict[str, list[str]] = {}
    renamed = []
    for name, target in sorted(members.items()):
        source, _, attribute = target.partition(":")
        home = homes.setdefault((name, target), module) if target else module
        if home != module:
            source, attribute = _name(home), name
        elif not target:
            source, attribute = ".", name
        elif not attribute:
            source, _, attribute = source.rpartition(".")
        # A stub exports only what is imported under its own name.
        served = name if name == attribute else f"_{name}"
        imported.setdefault(source, []).append(f"{attribute} as {served}")
        if served != name:
            renamed.append(f"{name} = {served}")
    for source, names in sorted(imported.items()):
        line = f"from {source} import {', '.join(names)}"
        if len(line) > 120:
            line = f"from {source} import (\n{_wrapped(names)}\n)"
        lines.append(line)
    return "\n".join([*lines, *renamed]) + "\n"


def _wrapped(names: list[str]) -> str:
    words = ", ".join(names).replace(" as ", "\0as\0")  # no break within a name
    lines = textwrap.wrap(words, 120, initial_indent=" ", subsequent_indent=" ", break_long_words=False)
    return "\n".join(lines).replace("\0", " ")


def main(arguments: list[str] | None = None) -> int:
    """Writes or checks the generated files; returns the exit status."""
    parser = argparse.ArgumentParser(
        prog="python tools/api_stubs.py", description="Write the stubs of the assembled API."
    )
    parser.add_argument("packages", type=Path, help="the folder of the packages")
    parser.add_argument("--check", action="store_true", help="write nothing; fail if a file is not current")
    options = parser.parse_args(arguments)
    tables = read_tables(options.packages)
    folder = options.packages / "core" / "src" / "ossia"
    names = folder.with_name("ossia_core") / "plugins" / "_known.txt"
    wanted = {names: known(tables), **{folder / path: text for path, text in stubs(tables).items()}}
    current = {path: path.read_text() for path in (*folder.rglob("*.pyi"), names) if path.exists()}
    stale = sorted(path for path in {*wanted, *current} if wanted.get(path) != current.get(path))
    if options.check:
        for path in stale:
            command = f"python tools/api_stubs.py {options.packages}"
            print(f"{path}: not current; run `{command}`.", file=sys.stderr)
        return 1 if stale else 0
    for path in stale:
        if path in wanted:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(wanted[path])
        else:
            path.unlink()
            if not any(path.parent.iterdir()):
                path.parent.rmdir()
        print(f"{path}: {'written' if path in wanted else 'removed'}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
