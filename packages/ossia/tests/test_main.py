"""The command line: versions, the inventory, help."""

import importlib.metadata
import re

from ossia_command import inventory, main
from ossia_core.backend import Backend, NumpyBackend


def test_version(capsys):
    assert main.main(["--version"]) == 0
    version = importlib.metadata.version("ossia")
    assert capsys.readouterr().out.startswith(f"ossia {version} (the API of TensorFlow 1.15")


def test_help(capsys):
    assert main.main([]) == 2
    assert main.main(["run", "--help"]) == 0
    text = capsys.readouterr().out
    assert "Run an unmodified TensorFlow 1 program" in text
    assert "ossia run [--strict | --check] [--progress] (SCRIPT" in text


def test_run_without_script(capsys):
    assert main.main(["run"]) == 2
    assert "SCRIPT" in capsys.readouterr().err


def test_plugins(capsys):
    assert main.main(["plugins"]) == 0
    lines = capsys.readouterr().out.splitlines()
    version = importlib.metadata.version("ossia-core")
    [core] = [line.split(maxsplit=3) for line in lines if line.startswith("core ")]
    assert core[1:3] == ["ossia-core", version] and re.fullmatch(r"\d+ names, \d+ ops, .*1 backend, .*", core[3])
    assert re.search(r"^optimizers .* 10 optimizers, ", "\n".join(lines), re.MULTILINE)
    assert any(line.startswith("numpy ") for line in lines)


def test_plugins_of_a_kind(capsys):
    assert main.main(["plugins", "optimizers"]) == 0
    version = importlib.metadata.version("ossia-optimizers")
    target = "ossia_optimizers.adam:AdamOptimizer"
    lines = [line.split() for line in capsys.readouterr().out.splitlines()]
    assert ["AdamOptimizer", "ossia-optimizers", version, target] in lines
    assert main.main(["plugins", "checkpoint-formats"]) == 0
    assert [line.split()[0] for line in capsys.readouterr().out.splitlines()][:2] == ["NAME", "V2"]
    assert main.main(["plugins", "no_such_kind"]) == 2


def test_what_a_program_registers_is_listed(capsys):
    from ossia_core.hookspecs import hookimpl
    from ossia_core.plugins import manager as plugins

    class Schedules:
        @hookimpl
        def ossia_schedules(self):
            return {"mine": "os:sep"}

    plugins.register(Schedules(), "sample")
    try:
        assert main.main(["plugins", "schedules"]) == 0
    finally:
        plugins.unregister("sample")
    assert "(the plugin sample)" in capsys.readouterr().out


def test_every_op_is_listed(capsys):
    assert main.main(["plugins", "--ops"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert "Const" in {line.split()[0] for line in lines if line}


def test_runners_are_in_the_order_of_asking():
    class Constants(Backend):
        name, priority = "constants", 5

        def kernel(self, node, session):
            return (lambda: 0) if node.type == "Const" else None

    backends = [Constants(), NumpyBackend()]
    assert inventory.runners_of("Const", backends) == ["constants", "numpy"]
    assert inventory.runners_of("PlaceholderWithDefault", backends) == ["numpy"]
