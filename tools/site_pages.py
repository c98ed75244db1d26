"""Lays out the pages of the documentation site: `docs/`, the READMEs, and a reference of every public name.

`python tools/site_pages.py FOLDER` writes them to FOLDER as they lie in the repository, so that links between them hold;
the reference has a page for each module, from the docstrings of what is installed. `nox -s site` builds the site.
"""

from __future__ import annotations

import functools
import inspect
import logging
import shutil
import sys
from pathlib import Path
from typing import Any

import griffe
from api_stubs import read_tables

import ossia
from ossia_core.plugins import api_table

ROOT = Path(__file__).parents[1]
logging.getLogger("griffe").setLevel(logging.ERROR)  # it misses the types that our docstrings leave to annotations
LEFT_OUT = ("compat.", "keras.")  # names that stand elsewhere too


def main(folder: Path) -> None:
    """Write all pages."""
    shutil.rmtree(folder, ignore_errors=True)
    kept = [ROOT / name for name in ("README.md", "SECURITY.md", "CONTRIBUTING.md") if (ROOT / name).exists()]
    found = [*ROOT.glob("docs/**/*.md"), *ROOT.glob("packages/*/*.md"), *ROOT.glob("examples/**/*.md")]
    for path in [*kept, *found]:
        target = folder / path.relative_to(ROOT)
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, target)
    pages = modules()
    reference = folder / "reference"
    reference.mkdir()
    for module, names in pages.items():
        (reference / f"{page(module)}.md").write_text(module_page(module, names))
    (reference / "index.md").write_text(index(pages))


def modules() -> dict[str, dict[str, str]]:
    """By module its public names, each with the distribution that it comes from."""
    made: dict[str, dict[str, str]] = {}
    for distribution, found in read_tables(ROOT / "packages").items():
        for name in api_table.public_names(found):
            if not name.startswith(LEFT_OUT):
                module, _, last = name.rpartition(".")
                made.setdefault(module, {})[last] = distribution
    return {module: dict(sorted(made[module].items())) for module in sorted(made)}


def page(module: str) -> str:
    """The name of a module's page."""
    return f"tf.{module}" if module else "tf"


def index(pages: dict[str, dict[str, str]]) -> str:
    """The page that lists the modules."""
    rows = [
        f"| [{page(module)}]({page(module)}.md) | {len(names)} | {', '.join(sorted(set(names.values())))} |"
        for module, names in pages.items()
    ]
    return "\n".join(["# Reference", "", "| module | names | installed by |", "|---|---|---|", *rows, ""])


def module_page(module: str, names: dict[str, str]) -> str:
    """The page of a module."""
    lines = [f"# {page(module)}", ""]
    for name, distribution in names.items():
        found = functools.reduce(getattr, filter(None, [*module.split("."), name]), ossia)
        lines += entry(f"{page(module)}.{name}", distribution, found)
    return "\n".join(lines)


def entry(name: str, distribution: str, found: Any) -> list[str]:
    """What stands on a page about one name."""
    lines = [f"## {name}", ""]
    if callable(found):
        lines += ["```text", signature(name, found), "```", ""]
    lines += [f"*{distribution}*", ""]
    documented = callable(found) or inspect.ismodule(found)
    lines += described(inspect.getdoc(found) or "") if documented else [f"`{found!r}`"[:200], ""]
    if inspect.isclass(found):
        for method, function in sorted(vars(found).items()):
            function = getattr(function, "__func__", function)
            if not method.startswith("_") and inspect.isfunction(function) and inspect.getdoc(function):
                lines += [f"### {name.rpartition('.')[2]}.{method}", "", "```text", signature(method, function), "```", ""]
                lines += described(inspect.getdoc(function) or "")
    return lines


def signature(name: str, function: Any) -> str:
    """How it is called."""
    try:
        parameters = inspect.signature(function)
    except (ValueError, TypeError):
        return f"{name}(...)"
    plain = [each.replace(annotation=inspect.Parameter.empty) for each in parameters.parameters.values()]
    text = f"{name}{inspect.Signature(plain)}"
    return text if len(text) < 100 else f"{name}(\n    " + ",\n    ".join(map(str, plain)) + ",\n)"


def described(text: str) -> list[str]:
    """A docstring as Markdown."""
    lines: list[str] = []
    for section in griffe.Docstring(text, lineno=1).parse("google"):
        if section.kind is griffe.DocstringSectionKind.text:
            lines += [section.value, ""]
        elif section.kind is griffe.DocstringSectionKind.examples:
            lines += [value if kind is griffe.DocstringSectionKind.text else f"```text\n{value}\n```"
                      for kind, value in section.value] + [""]
        elif isinstance(section.value, list):
            lines += [f"**{(section.title or section.kind.value).capitalize()}**", ""]
            for item in section.value:
                head = getattr(item, "name", "") or str(item.annotation or "")
                said = " ".join(item.description.split())
                lines.append(f"- `{head}`: {said}" if head else f"- {said}")
            lines.append("")
        else:
            lines += [f"**{section.title or section.kind.value}** {section.value}", ""]
    return lines


if __name__ == "__main__":
    main(Path(sys.argv[1]))
