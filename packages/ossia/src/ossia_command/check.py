"""`ossia run --check`: which names of TensorFlow a program uses that do not resolve, without running it."""

from __future__ import annotations

import ast
import functools
import importlib
import importlib.util
import io
import os
from collections.abc import Iterator
from types import ModuleType
from typing import NamedTuple

from ossia_command import notebook, python2
from ossia_tensorflow_paths import finder


class Missing(NamedTuple):
    """A name that does not resolve: where it stands, what it is, and why it is not there."""

    file: str
    line: int
    name: str
    reason: str


def check(path: str) -> int:
    """Prints what a program uses of TensorFlow and does not resolve, a line each.

    Args:
        path: A script or a notebook.

    Returns:
        The exit status: 0 if every name resolves, 1 if some do not, 2 if the program cannot be read.
    """
    try:
        with io.open_code(os.path.abspath(path)) as file:
            content = file.read()
        parts = notebook.cells(content, path) if path.endswith(".ipynb") else [(content, path)]
        trees = [(ast.parse(source, name), name) for source, name in parts]
    except OSError as error:
        print(f"ossia run: can't open {path!r}: {error.strerror}")
        return 2
    except notebook.NotebookError as error:
        print(f"ossia run: {error}")
        return 2
    except SyntaxError as error:
        print(f"{error.filename}:{error.lineno}: {error.msg}")
        python2.explain(error)
        return 2
    finder.install()
    found = list(missing(trees))
    for file_name, line, name, reason in found:
        files, repositories = usage().get(name, (0, 0))
        used = f" (used by {files} files of {repositories} public repositories)" if files else ""
        print(f"{file_name}:{line}: tf.{name}: {reason}{used}")
    if not found:
        print(f"{path}: every name of TensorFlow in it resolves")
    return 1 if found else 0


def missing(trees: list[tuple[ast.Module, str]]) -> Iterator[Missing]:
    """The names below `tensorflow` in the sources that do not resolve, each once, in the order of the lines.

    Names that programs give to modules are followed (`slim = tf.contrib.slim`), members of classes and of values are
    not looked at.
    """
    names: dict[str, str] = {}  # what a name of the program stands for, below `tensorflow`
    told: set[str] = set()
    for tree, file in trees:
        nodes = [node for node in ast.walk(tree) if isinstance(node, (ast.stmt, ast.expr))]
        for node in sorted(nodes, key=lambda node: (node.lineno, node.col_offset)):
            for used in _uses(node, names):
                name, value = _resolve(used)
                if isinstance(value, (AttributeError, ImportError)) and name not in told:
                    told.add(name)
                    _, colon, hint = str(value).partition(": ")
                    reason = hint if colon else "no such name in TensorFlow 1.15 or in Ossia"
                    yield Missing(file, node.lineno, name, reason)


def _uses(node: ast.AST, names: dict[str, str]) -> Iterator[str]:
    """The dotted names below `tensorflow` that a node uses; new names of the program are noted in `names`."""
    if isinstance(node, ast.Import):
        for alias in node.names:
            root, _, inner = alias.name.partition(".")
            if root == "tensorflow":
                names[alias.asname or root] = inner if alias.asname else ""
                yield from [inner] if inner else []
    elif isinstance(node, ast.ImportFrom) and not node.level and node.module:
        root, _, inner = node.module.partition(".")
        if root == "tensorflow":
            for alias in node.names:
                full = inner if alias.name == "*" else f"{inner}.{alias.name}".lstrip(".")
                if alias.name != "*":
                    names[alias.asname or alias.name] = full
                yield from [full] if full else []
    elif isinstance(node, ast.Assign) and len(node.targets) == 1 and isinstance(node.targets[0], ast.Name):
        value = _dotted(node.value, names)
        if value and isinstance(_resolve(value)[1], ModuleType):
            names[node.targets[0].id] = value
    elif isinstance(node, ast.Attribute):
        used = _dotted(node, names)
        if used:
            yield used


def _dotted(node: ast.AST, names: dict[str, str]) -> str | None:
    """What a chain of attributes stands for, below `tensorflow`; None if it begins with another name."""
    parts: list[str] = []
    while isinstance(node, ast.Attribute):
        parts.append(node.attr)
        node = node.value
    if not isinstance(node, ast.Name) or node.id not in names:
        return None
    return ".".join([*([names[node.id]] if names[node.id] else []), *reversed(parts)])


@functools.cache
def _resolve(name: str) -> tuple[str, object]:
    """What a dotted name below `tensorflow` stands for: its modules are followed, up to the first other value.

    Returns:
        The part of the name that was followed, and the value; an exception if that part is not there.
    """
    value: object = importlib.import_module("tensorflow")
    followed = ""
    for part in name.split("."):
        if not isinstance(value, ModuleType):
            break
        followed = f"{followed}.{part}".lstrip(".")
        try:
            value = getattr(value, part)
        except AttributeError as error:
            try:
                value = importlib.import_module(f"tensorflow.{followed}")
            except ImportError as other:
                return followed, other if ": " in str(other) else error
        except ImportError as error:
            return followed, error
    return followed, value


@functools.cache
def usage() -> dict[str, tuple[int, int]]:
    """How many files and repositories of a count of public programs use each name."""
    with open(os.path.join(os.path.dirname(__file__), "usage.txt"), encoding="utf-8") as file:
        rows = [line.split() for line in file]
    return {name: (int(files), int(repositories)) for name, files, repositories in rows}
