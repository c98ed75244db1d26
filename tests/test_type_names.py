"""Core, functions and the C backend ask declarations what ops mean: none compares the type of an op with names.

By name are known the primitives of the graph language, in one module, and what the C backend implements, in its tables
by type. Inside of an emitter or kernel that stands for several types, the type says which of them it is.
"""
import ast
import pathlib

import pytest

ROOT = pathlib.Path(__file__).parent.parent / "packages"
TREES = {
    "core": "core/src/ossia_core",
    "functions": "functions/src/ossia_functions",
    "backend-cffi": "backend-cffi/src/ossia_backend_cffi",
}
KNOWS_NAMES = {"core/src/ossia_core/declare/language.py"}
# Tables by type of what the backend implements.
TABLES = {
    "ARITHMETIC", "BROADCASTING", "CALLED", "CHECKED", "CONDITIONS", "DIRECT", "DRAWS", "EMITTERS", "MAKERS",
    "OF_HANDLES", "PADDED", "REFUSING", "RESOURCES", "_DRAWS", "_FOLLOWS", "_HEAVY", "_LENGTHS", "_LIGHT", "_LISTS",
    "_OF_FLOATS", "_OF_INTEGERS", "_POPS", "_SHORTER",
}  # fmt: skip
_TEXT_TESTS = {"startswith", "endswith", "removeprefix", "match", "search", "fullmatch"}


def comparisons(source):
    """Lines that compare the type of an op with names."""
    tree = ast.parse(source)
    aliases = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Attribute) and node.value.attr == "type":
            aliases.update(target.id for target in node.targets if isinstance(target, ast.Name))
    implementing = {
        inner
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef) and _implements(node)
        for inner in ast.walk(node)
    }
    for node in ast.walk(tree):
        if node in implementing:
            continue
        if isinstance(node, ast.Compare):
            sides = [node.left, *node.comparators]
            others = [side for side in sides if not _is_type(side, aliases)]
            if len(others) < len(sides) and any(map(_names_types, others)):
                yield node.lineno
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in _TEXT_TESTS:
            if any(_is_type(each, aliases) for each in (node.func.value, *node.args)):
                yield node.lineno


def _is_type(node, aliases):
    if isinstance(node, ast.Attribute):  # that of an attribute of a proto is none of an op
        return node.attr == "type" and not (isinstance(node.value, ast.Name) and node.value.id == "attr")
    return isinstance(node, ast.Name) and node.id in aliases


def _implements(function):
    """Whether a function turns nodes into instructions, or makes their kernels."""
    registered = [call.func.id for call in function.decorator_list if isinstance(call, ast.Call)
                  and isinstance(call.func, ast.Name)]  # fmt: skip
    arguments = [arg.arg for arg in function.args.args]
    return bool({"emits", "makes"} & {*registered}) or arguments[:4] == ["c", "node", "ins", "outs"]


def _names_types(node):
    for each in ast.walk(node):
        if isinstance(each, ast.Constant) and isinstance(each.value, str) and each.value:
            return True
        name = each.id if isinstance(each, ast.Name) else each.attr if isinstance(each, ast.Attribute) else ""
        if name.isupper() and name not in TABLES:
            return True
    return False


@pytest.mark.parametrize("tree", TREES)
def test_types_are_not_compared_with_names(tree):
    found = [
        f"{path.relative_to(ROOT)}:{line}"
        for path in sorted((ROOT / TREES[tree]).rglob("*.py"))
        if str(path.relative_to(ROOT)) not in KNOWS_NAMES
        for line in comparisons(path.read_text())
    ]
    assert not found


@pytest.mark.parametrize(
    "line",
    [
        "op.type == 'Const'", "op.type in ('Enter', 'Exit')", "node.op.type not in _NAMES", "'Apply' in op.type",
        "op.type.startswith('Apply')", "_UPDATES.match(op.type)", "kind = op.type\nkind == 'Unique'",
    ],
)  # fmt: skip
def test_comparisons_are_found(line):
    assert list(comparisons(line))


@pytest.mark.parametrize(
    "line", ["op.type == other.type", "node.type in EMITTERS", "array.dtype.kind == 'f'", "lookup(op.type)"]
)
def test_what_is_no_comparison_with_names(line):
    assert not list(comparisons(line))
