"""Promises that concern all packages (docs/promises.md)."""

import ast
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
SOURCES = sorted(ROOT.glob("packages/*/src/**/*.py"))


def calls_and_imports(path):
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            yield from ((alias.name, node.lineno) for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and not node.level:
            yield from ((f"{node.module}.{alias.name}", node.lineno) for alias in node.names)
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            yield node.func.id, node.lineno


def users_of(*names):
    pattern = re.compile(rf"({'|'.join(map(re.escape, names))})(\.|$)")
    return {
        f"{path.relative_to(ROOT)}:{line}"
        for path in SOURCES
        for name, line in calls_and_imports(path)
        if pattern.match(name)
    }


def test_no_pickle_and_no_eval():
    runner = ROOT / "packages/ossia/src/ossia_command/program.py"  # runs the program that it is given
    found = users_of("pickle", "_pickle", "marshal", "shelve", "dill", "cloudpickle", "eval", "exec")
    assert {place for place in found if not place.startswith(str(runner.relative_to(ROOT)))} == set()


def test_no_network():
    assert users_of("http", "urllib.request", "requests", "ftplib", "smtplib", "socketserver", "asyncio") == set()
    used = {(path.name, name) for path in SOURCES for name in re.findall(r"\bsocket\.(\w+)", path.read_text())}
    # Event files carry the name of the host; servers and clusters that a program asks for hold their ports.
    assert used == {
        ("event_file.py", "gethostname"), ("engine.py", "gethostname"), ("server.py", "socket"),
        ("cluster.py", "socket"), ("test_engines.py", "socket"),
    }  # fmt: skip


def test_protos_have_names_of_their_own():
    protos = sorted(ROOT.glob("packages/*/src/**/*.proto"))
    assert protos
    for path in protos:
        assert re.search(r"^package ossia\b", path.read_text(), re.MULTILINE), path
        assert path.parent.name == "ossia", path


@pytest.mark.parametrize("promise", re.findall(r"`(\S+\.py)`(?:: (.*?))? \|", (ROOT / "docs/promises.md").read_text()))
def test_every_promise_names_a_test(promise):
    path, tests = promise
    text = (ROOT / path).read_text()
    for test in re.findall(r"`(\w+)`", tests):
        assert f"def {test}(" in text


def test_imports_start_no_thread():
    packages = sorted({path.parent.name for path in ROOT.glob("packages/*/src/*/__init__.py")})
    imports = f"import {', '.join(packages)}, threading\nimport ossia as tf\ntf.Graph\n"
    code = imports + "print(threading.active_count())"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.stdout == "1\n", done.stderr
