"""Writes what follows from the API tables of all packages: type stubs for the modules of `ossia`, and
`ossia/_known.py`.

`python -m ossia_core.api_stubs packages` reads the tables of the packages in that folder; with `--check` it writes
nothing and fails if a file is not current.
"""

from __future__ import annotations

import argparse
import runpy
import sys
import textwrap
from pathlib import Path

_NOTE = "Written by `python -m ossia_core.api_stubs packages`; do not edit."


def read_tables(packages: Path) -> dict[str, dict[str, str]]:
    """The API tables of a folder of packages: distribution -> name -> target."""
    return {
        f"ossia-{path.parents[2].name}": runpy.run_path(str(path))["API"]
        for path in sorted(packages.glob("*/src/*/_tables.py"))
    }


def known(tables: dict[str, dict[str, str]]) -> str:
    """The text of `ossia/_known.py`: the names of each distribution but ossia-core, which is always there, by module
    (`train:` and then its members)."""
    lines = [f'"""Which package has which public names, for the message when it is not installed. {_NOTE}"""', ""]
    lines.append("NAMES: dict[str, str] = {")
    for distribution, table in tables.items():
        if table and distribution != "ossia-core":
            modules: dict[str, list[str]] = {}
            for name in table:
                parent, _, last = name.rpartition(".")
                modules.setdefault(parent, []).append(last)
            words = (word for parent, names in sorted(modules.items()) for word in (f"{parent}:", *names))
            lines.append(f'    "{distribution}": """')
            lines.extend(textwrap.wrap(" ".join(words), 120))
            lines.append('""",')
    return "\n".join([*lines, "}"]) + "\n"


def stubs(tables: dict[str, dict[str, str]]) -> dict[str, str]:
    """The stubs of the assembled modules: path below `ossia` -> text."""
    modules: dict[str, dict[str, str]] = {"": {}}
    for name, target in sorted(item for table in tables.values() for item in table.items()):
        parent, _, last = name.rpartition(".")
        modules.setdefault(parent, {})[last] = target
        while parent:
            parent, _, last = parent.rpartition(".")
            modules.setdefault(parent, {}).setdefault(last, "")
    modules.setdefault("compat", {})["v1"] = ""
    modules[""]["compat"] = ""
    texts = {}
    for module, members in modules.items():
        texts[_path(module)] = _stub(module, members)
        if not module.startswith("compat"):
            texts[_path(f"compat.v1.{module}".rstrip("."))] = f'"""{_NOTE}"""\n\nfrom {_name(module)} import *\n'
    return texts


def _name(module: str) -> str:
    return f"ossia.{module}".rstrip(".")


def _path(module: str) -> str:
    return "/".join([*module.split("."), "__init__.pyi"]) if module else "__init__.pyi"


def _stub(module: str, members: dict[str, str]) -> str:
    lines = [f'"""{_NOTE}"""', ""]
    if not module:
        lines.append("__version__: str")
    imported: dict[str, list[str]] = {}
    renamed = []
    for name, target in sorted(members.items()):
        source, _, attribute = target.partition(":")
        if not target:
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
    return "\n".join(textwrap.wrap(words, 120, initial_indent=" ", subsequent_indent=" ")).replace("\0", " ")


def main(arguments: list[str] | None = None) -> int:
    """Writes or checks the generated files; returns the exit status."""
    parser = argparse.ArgumentParser(
        prog="python -m ossia_core.api_stubs", description="Write the stubs of the assembled API."
    )
    parser.add_argument("packages", type=Path, help="the folder of the packages")
    parser.add_argument("--check", action="store_true", help="write nothing; fail if a file is not current")
    options = parser.parse_args(arguments)
    tables = read_tables(options.packages)
    folder = options.packages / "core" / "src" / "ossia"
    wanted = {folder / path: text for path, text in {**stubs(tables), "_known.py": known(tables)}.items()}
    current = {path: path.read_text() for path in (*folder.rglob("*.pyi"), folder / "_known.py") if path.exists()}
    stale = sorted(path for path in {*wanted, *current} if wanted.get(path) != current.get(path))
    if options.check:
        for path in stale:
            print(f"{path}: not current; run `python -m ossia_core.api_stubs {options.packages}`.", file=sys.stderr)
        return 1 if stale else 0
    for path in stale:
        if path in wanted:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(wanted[path])
        else:
            path.unlink()
        print(f"{path}: {'written' if path in wanted else 'removed'}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
