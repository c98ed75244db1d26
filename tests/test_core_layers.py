"""Core is a stack of layers, its circles of imports are small, and what a first run does without is imported late."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1] / "packages" / "core" / "src" / "ossia_core"
LAYERS = (  # from bottom to top; those side by side do not import each other
    ("forks", "hookspecs", "plugins", "_tables", "plugin"),
    ("files", "names", "proto"),
    ("declare",),
    ("graph",),
    ("primitives",),
    ("backend",),
    ("control",), ("variables",),
    ("differentiate",),
    ("session",),
)
APART = {("control", "variables"), ("variables", "control"), ("variables", "differentiate"),
         ("differentiate", "variables"), ("session", "control"), ("session", "differentiate"), ("session", "variables")}
LATE = {
    "protos are made when a program writes or reads one": (
        "proto", "names.attr_proto", "names.tensor_proto", "graph.export", "control.context_protos",
    ),
    "only what fails is explained": (
        "declare.opdef_text", "names.tensor_text", "session.run.failures",
    ),
    "a program without loops needs none of it": (
        "control.loop_accumulators", "differentiate.loop_gradient", "session.compile.while_frames",
    ),
    "few programs ask for it": (
        "graph.by_hand", "graph.pending", "graph.type_spec", "names.logging", "primitives.handle_shape",
        "session.report.devices", "session.report.placed_graph", "session.report.placement", "session.report.tracing",
        "session.run.blocking", "session.run.callables", "session.run.partial", "session.targets",
        "variables.partition",
    ),
    "programs that place nothing on devices need none": ("names.device",),
}
USED_BY_FEW = {"graph.static_value", "session.compile.specialise"}  # what computes gradients or compiles may need them
# When the first name is looked up.
AT_DISCOVERY = {"hookspecs", "plugins.entry_points", "plugins.known", "plugins.registry"}
HALVES = {("declare.opdef_text", "declare.opdef"), ("differentiate.loop_gradient", "differentiate.autodiff")}
PROGRAM = """
import sys
import ossia as tf
v = tf.Variable([1.0, 2.0])
step = tf.train.AdamOptimizer(0.1).minimize(tf.reduce_sum(v * v))
with tf.Session() as session:
    session.run(tf.global_variables_initializer())
    session.run(step)
print(*(name for name in sys.modules if name.partition(".")[0] == "ossia_core"))
"""


def name_of(path):
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


MODULES = {name_of(path): path for path in sorted(ROOT.rglob("*.py")) if not path.name.endswith("_pb2.py")}


def imports(module):
    """The modules of core that one imports, but for annotations: (name, whether in a function)."""
    tree = ast.parse(MODULES[module].read_text())
    inside, typing = set(), set()
    for node in ast.walk(tree):
        if isinstance(node, (ast.FunctionDef, ast.Lambda)):
            inside.update(map(id, ast.walk(node)))
        elif isinstance(node, ast.If) and "TYPE_CHECKING" in ast.dump(node.test):
            typing.update(map(id, ast.walk(node)))
    for node in ast.walk(tree):
        if id(node) in typing:
            continue
        found = []
        if isinstance(node, ast.ImportFrom) and node.module:
            found = [f"{node.module}.{alias.name}" for alias in node.names]
            found = [name if name.removeprefix("ossia_core.") in MODULES else node.module for name in found]
        elif isinstance(node, ast.Import):
            found = [alias.name for alias in node.names]
        for name in found:
            short = name.removeprefix("ossia_core.")
            if name != "ossia_core" and name.startswith("ossia_core.") and short != module:
                yield (short if short in MODULES else short.rpartition(".")[0]), id(node) in inside


GRAPH = {module: set(imports(module)) for module in MODULES if module}


def rank(module):
    return next(i for i, layer in enumerate(LAYERS) if module.partition(".")[0] in layer)


@pytest.mark.parametrize("layer", [name for layer in LAYERS for name in layer])
def test_layers_import_what_stands_below(layer):
    wrong = [
        f"{module} imports {other}"
        for module in GRAPH
        if module.partition(".")[0] == layer
        for other, _ in GRAPH[module]
        if rank(other) > rank(module) or (layer, other.partition(".")[0]) in APART
    ]
    assert not wrong


def circles():
    """The strongly connected components of the imports, those in functions included (Tarjan)."""
    index, low, stack, found = {}, {}, [], []

    def visit(module):
        index[module] = low[module] = len(index)
        stack.append(module)
        for other in sorted({other for other, _ in GRAPH.get(module, ())}):
            if other not in index:
                visit(other)
                low[module] = min(low[module], low[other])
            elif other in stack:
                low[module] = min(low[module], index[other])
        if low[module] == index[module]:
            found.append(stack[stack.index(module):])
            del stack[stack.index(module):]

    for module in GRAPH:
        if module not in index:
            visit(module)
    return found


def test_circles_are_small():
    assert not [circle for circle in circles() if len(circle) > 3]


def test_imports_inside_functions_have_a_reason():
    late = {module for modules in LATE.values() for module in modules} | USED_BY_FEW | AT_DISCOVERY
    wrong = [
        f"{module} imports {other} in a function"
        for module in GRAPH
        for other, inside in GRAPH[module]
        if inside and other not in late and (module, other) not in HALVES
    ]
    assert not wrong


def test_a_first_run_does_without_what_is_imported_late(monkeypatch):
    monkeypatch.setenv("OSSIA_BACKEND", "numpy")
    done = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, text=True, check=True)
    loaded = {name.removeprefix("ossia_core.") for name in done.stdout.split()}
    assert not loaded & {module for modules in LATE.values() for module in modules}
    assert len(loaded) <= 80


def test_the_root_is_small():
    assert len(list(ROOT.glob("*.py"))) <= 10
    assert sum(len(path.read_text().splitlines()) for path in MODULES.values()) <= 24_000
