"""Dependencies point one way, each package declares what it imports, and private modules stay private."""

import ast
import importlib.util
import re
import sys
from pathlib import Path

import pytest

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

ROOT = Path(__file__).parents[1]
PROJECTS = {
    path.parent.name: tomllib.loads(path.read_text())["project"]
    for path in sorted(ROOT.glob("packages/*/pyproject.toml"))
}
NAMES = {project["name"]: name for name, project in PROJECTS.items()}
IMPORT_NAMES = {path.parent.name: path.parents[2].name for path in ROOT.glob("packages/*/src/*/__init__.py")}
PROGRAMS = ("ossia", "testkit", "tensorflow-paths", "tensorflow-tests", "contrib")  # look at the API as a program does
LOWER = ("core", "derivatives", "ops")  # what every package may build on; the others come above


def requirements(name):
    return {re.match(r"[\w-]+", line).group() for line in PROJECTS[name]["dependencies"]}


def siblings(name):
    return {NAMES[requirement] for requirement in requirements(name) if requirement in NAMES}


def all_below(name):
    below = siblings(name)
    return below.union(*map(all_below, below)) if below else below


def imports(path):
    """The modules that a file imports: (name, line, whether it happens on import)."""
    tree = ast.parse(path.read_text())
    inside = {id(node) for function in ast.walk(tree) if isinstance(function, (ast.FunctionDef, ast.Lambda))
              for node in ast.walk(function)}
    for node in ast.walk(tree):
        at_once = id(node) not in inside
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield alias.name, node.lineno, at_once
        elif isinstance(node, ast.ImportFrom) and not node.level:
            yield node.module, node.lineno, at_once
            for alias in node.names:
                yield f"{node.module}.{alias.name}", node.lineno, at_once


def modules(name):
    return sorted(ROOT.glob(f"packages/{name}/src/*/**/*.py"))


@pytest.mark.parametrize("name", PROJECTS)
def test_dependencies_point_one_way(name):
    assert name not in all_below(name)
    if name == "core":
        assert not siblings(name)
    elif name in LOWER:
        assert siblings(name) <= set(LOWER[: LOWER.index(name)])
    assert not any(name in siblings(lower) for lower in LOWER[: LOWER.index(name) if name in LOWER else len(LOWER)])


@pytest.mark.parametrize("name", PROJECTS)
def test_siblings_are_pinned_to_compatible_releases(name):
    for line in PROJECTS[name]["dependencies"]:
        sibling = NAMES.get(re.match(r"[\w-]+", line).group())
        if sibling:
            major_minor = ".".join(PROJECTS[sibling]["version"].split(".")[:2])
            assert line.split("~=")[1].strip() == major_minor, line


@pytest.mark.parametrize("name", PROJECTS)
def test_what_is_imported_is_declared(name):
    wrong = []
    for path in modules(name):
        for module, line, at_once in imports(path):
            owner = IMPORT_NAMES.get(module.partition(".")[0])
            if at_once and owner not in (None, name) and owner not in siblings(name):
                wrong.append(f"{path.relative_to(ROOT)}:{line} imports {module}")
    assert not wrong


@pytest.mark.parametrize("name", PROJECTS)
def test_no_private_module_of_another_package(name):
    wrong = []
    for path in modules(name):
        for module, line, _ in imports(path):
            owner = IMPORT_NAMES.get(module.partition(".")[0])
            private = [part for part in module.split(".")[1:] if part.startswith("_") and part != "__future__"]
            if owner not in (None, name) and private:
                wrong.append(f"{path.relative_to(ROOT)}:{line} imports {module}")
    assert not wrong


@pytest.mark.parametrize("name", [name for name in PROJECTS if name not in PROGRAMS])
def test_implementation_does_not_import_the_assembler(name):
    """`ossia` is for programs: a package imports the module that owns what it needs."""
    wrong = [
        f"{path.relative_to(ROOT)}:{line}"
        for path in modules(name)
        if path.parent.name != "ossia"
        for module, line, _ in imports(path)
        if module.partition(".")[0] == "ossia"
    ]
    assert not wrong


def test_plugins_are_light():
    """The module that an entry point names is made of tables: it imports nothing that costs time."""
    for project in PROJECTS.values():
        for value in project.get("entry-points", {}).get("ossia", {}).values():
            module, _, plugin = value.partition(":")
            package, _, name = module.partition(".")
            [path] = ROOT.glob(f"packages/*/src/{module.replace('.', '/')}.py")
            generated = (name, plugin) == ("_tables", "plugin")
            tables = "ossia_core.plugins.api_table" if generated else "ossia_core.hookspecs"
            assert all(module.startswith(tables) for module, _, _ in imports(path)), value
            assert generated or package == "ossia_testkit", "a package's own plugin is generated with its tables"


@pytest.mark.parametrize("name", PROJECTS)
def test_every_package_is_complete(name):
    folder = ROOT / "packages" / name
    assert {"README.md", "CHANGELOG.md", "tests"} <= {path.name for path in folder.iterdir()}
    assert PROJECTS[name]["version"] in (folder / "CHANGELOG.md").read_text()
    for path in folder.glob("src/*/__init__.py"):
        assert (path.parent / "py.typed").exists()
        assert importlib.util.find_spec(path.parent.name)


@pytest.mark.parametrize("name", [name for name in PROJECTS if name != "testkit"])
def test_what_ships_does_not_name_the_test_kit(name):
    folders = [ROOT / "packages" / name / "src", *(ROOT.glob("docs/examples/*/src") if name == "core" else ())]
    found = [path for folder in folders for path in folder.rglob("*.py") if "ossia_testkit" in path.read_text()]
    assert [str(path.relative_to(ROOT)) for path in found if path.name != "manager.py"] == []


# Of core, what backends may count on: their contract, the words that it uses, the streams that all draw from, and how
# plugins declare what they provide.
CONTRACT = (
    "ossia_core.backend", "ossia_core.names", "ossia_core.declare", "ossia_core.random", "ossia_core.hookspecs",
    "ossia_core.plugins.api_table",
)


def backend_modules():
    """The modules of our backend and of the samples of backends."""
    return [*modules("backend-cffi"), *ROOT.glob("docs/examples/*backend*/src/**/*.py")]


@pytest.mark.parametrize("path", backend_modules(), ids=lambda path: str(path.relative_to(ROOT)))
def test_backends_keep_to_their_contract(path):
    wrong = [
        f"{path.relative_to(ROOT)}:{line} imports {module}"
        for module, line, _ in imports(path)
        if module.startswith("ossia_core.") and not module.startswith(CONTRACT)
    ]
    assert not wrong


def test_modules_of_the_backend_import_each_other_one_way():
    """Imports inside of functions and for types count as well."""
    own = {}
    for path in modules("backend-cffi"):
        parts = path.relative_to(ROOT / "packages/backend-cffi/src").with_suffix("").parts
        own[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    below = {
        name: {module for module, _, _ in imports(path) if module in own and not name.startswith(f"{module}.")} - {name}
        for name, path in own.items()
    }
    while free := {name for name, found in below.items() if not found}:
        below = {name: found - free for name, found in below.items() if found}
    assert not below


def test_modules_say_why_they_exist():
    silent = [
        str(path.relative_to(ROOT))
        for name in PROJECTS
        for path in modules(name)
        if not path.name.endswith("_pb2.py") and not ast.get_docstring(ast.parse(path.read_text()))
    ]
    assert not silent
