"""Every hook is real: something calls it, a package of ours provides through it, and a sample distribution does."""

import ast
from pathlib import Path

import pytest

from ossia_core import hookspecs
from ossia_core.plugins import api_table

ROOT = Path(__file__).parents[1]
HOOKS = [name for name in vars(hookspecs) if name.startswith("ossia_")]
AWAITED = {  # (hook, what it lacks); one that lacks it no longer is taken out
    ("ossia_functions", "sample"),
    ("ossia_image_codecs", "sample"),
    ("ossia_lite_lowerings", "sample"),
}


def callers():
    """Names of hooks that stand in the code of a package, other than as what something is provided through."""
    found = set()
    for path in ROOT.glob("packages/*/src/**/*.py"):
        text = path.read_text()
        if "ossia_" not in text or path.name == "hookspecs.py":
            continue
        tree = ast.parse(text)
        declared = {
            id(argument)
            for node in ast.walk(tree)
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "provides"
            for argument in node.args
        }
        for node in ast.walk(tree):
            if isinstance(node, ast.Constant) and node.value in HOOKS and id(node) not in declared:
                found.add(node.value)
    return found


def users():
    """Hooks through which a package of ours provides something."""
    tables = [api_table.tables(str(path)) for path in ROOT.glob("packages/*/src/*/_tables.py")]
    own = {hook.partition("/")[0] for found in tables for hook, table in found.items() if table}
    return own | functions_of(ROOT.glob("packages/testkit/src/ossia_testkit/samples/plugin.py"))


def samples():
    """Hooks that a sample distribution implements."""
    return functions_of(ROOT.glob("docs/examples/*/src/*/plugin.py"))


def functions_of(paths):
    """The names of the functions in plugin modules that are written by hand."""
    trees = [ast.parse(path.read_text()) for path in paths]
    return {node.name for tree in trees for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)}


@pytest.mark.parametrize(("what", "found"), [("caller", callers), ("user", users), ("sample", samples)])
def test_every_hook_has_one(what, found):
    lacking = {(hook, what) for hook in set(HOOKS) - found()}
    assert lacking == {entry for entry in AWAITED if entry[1] == what}
