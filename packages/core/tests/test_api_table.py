"""Declaring public names, and the tables that are made from them."""

import importlib
import sys
import textwrap

import pytest

from ossia_core.plugins import api_table

MODULES = {
    "__init__.py": "",
    "names.py": """
        from ossia_core.plugins.api_table import public, public_value

        limit = 3
        public_value("limit", "math.limit", name="limit")

        @public("maximum", "compat.v1.math.maximum")
        def maximum(x, y):
            return x if x > y else y

        @public("train.Adder", "compat.v2.train.Adder")
        class Adder:
            pass
        """,
    "lazy.py": """
        PUBLIC = {"Made": ["Made", "compat.v1.train.Made"]}

        def __getattr__(name):
            if name == "Made":
                return 5
            raise AttributeError(name)
        """,
    "deep/__init__.py": "",
    "deep/whole.py": """
        from ossia_core.plugins.api_table import public_module

        public_module("logging")
        """,
}


_PROVIDES = """
from ossia_core.plugins.api_table import provides
@provides({!r}, {!r})
class Other: pass
"""


@pytest.fixture
def package(tmp_path, monkeypatch):
    """Lays out a package `ossia_sample` as in this repository; returns a function that adds modules."""
    source = tmp_path / "sample" / "src" / "ossia_sample"

    def write(modules):
        for name, text in modules.items():
            (source / name).parent.mkdir(parents=True, exist_ok=True)
            (source / name).write_text(textwrap.dedent(text))
        return tmp_path / "sample"

    monkeypatch.syspath_prepend(str(source.parent))
    yield write
    for name in [name for name in sys.modules if name.partition(".")[0] == "ossia_sample"]:
        del sys.modules[name]


def test_decorator_changes_nothing():
    def function():
        pass

    assert api_table.public("some.name")(function) is function
    del sys.modules[__name__].__dict__["__public__"]


def test_collect(package):
    package(MODULES)
    found = api_table.collect("ossia_sample")
    api = found["ossia_api"]
    assert api == {
        "Made": "ossia_sample.lazy:Made",
        "compat.v2.train.Adder": "ossia_sample.names:Adder",
        "limit": "ossia_sample.names:limit",
        "logging": "ossia_sample.deep.whole:",
        "math.limit": "ossia_sample.names:limit",
        "math.maximum": "ossia_sample.names:maximum",
        "maximum": "ossia_sample.names:maximum",
        "train.Adder": "ossia_sample.names:Adder",
        "train.Made": "ossia_sample.lazy:Made",
    }
    assert list(api) == sorted(api)
    assert list(found) == ["ossia_api"]


def test_what_goes_through_another_hook(package):
    text = """
        from ossia_core.plugins.api_table import provides, public

        @public("contrib.Sgd")
        @provides("ossia_optimizers", "Sgd", "OldSgd")
        class Sgd: pass

        @provides("ossia_checkpoint_formats", "any-file", last=True)
        class AnyFile: pass
        """
    package({**MODULES, "kinds.py": textwrap.dedent(text)})
    found = api_table.collect("ossia_sample")
    assert found["ossia_optimizers"] == {"OldSgd": "ossia_sample.kinds:Sgd", "Sgd": "ossia_sample.kinds:Sgd"}
    assert found["ossia_checkpoint_formats/last"] == {"any-file": "ossia_sample.kinds:AnyFile"}
    assert "train.Sgd" not in found["ossia_api"]
    assert api_table.public_names(found)["train.Sgd"] == found["ossia_api"]["contrib.Sgd"] == "ossia_sample.kinds:Sgd"
    assert api_table.read("ossia_sample", api_table.source("ossia_sample", found)) == found
    plugin = api_table.TablePlugin(found)
    assert dir(plugin) == ["ossia_api", "ossia_checkpoint_formats/last", "ossia_optimizers"]
    assert plugin.ossia_optimizers() == found["ossia_optimizers"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("from ossia_core.plugins.api_table import public_value\npublic_value('x', name='absent')", "does not exist"),
        (
            "from ossia_core.plugins.api_table import public_value\nx = 1\npublic_value('tf-x', name='x')",
            "not a public name",
        ),
        ("PUBLIC = {'a': ['maximum']}\na = 1", "declared both by"),
        (_PROVIDES.format("ossia_optimisers", "A"), "is no hook"),
        (_PROVIDES.format("ossia_optimizers", "a b"), "is no name"),
        (_PROVIDES.format("ossia_optimizers", "Adder"), "provided twice"),
    ],
    ids=["absent", "malformed", "twice", "unknown-hook", "no-name", "served-twice"],
)
def test_wrong_declarations(package, text, message):
    package({**MODULES, "wrong.py": text})
    with pytest.raises(ValueError, match=message):
        api_table.collect("ossia_sample")


def test_a_module_that_cannot_be_imported_is_named(package):
    package({**MODULES, "broken.py": "import no_such_module"})
    with pytest.raises(ImportError, match=r"ossia_sample\.broken .*no_such_module"):
        api_table.collect("ossia_sample")


def test_command(package, capsys):
    folder = str(package(MODULES))
    assert api_table.main([folder, "--check"]) == 1
    assert "Not current" in capsys.readouterr().err
    assert api_table.main([folder]) == 0
    assert api_table.main([folder, "--check"]) == 0
    tables = importlib.import_module("ossia_sample._tables")
    assert tables.plugin.ossia_api() == api_table.collect("ossia_sample")["ossia_api"]
    package({"names.py": "x = 1\nPUBLIC = {'x': ['other']}"})
    sys.modules.pop("ossia_sample.names")
    assert api_table.main([folder, "--check"]) == 1


def test_ops_are_found_in_their_modules(package):
    package(
        {
            **MODULES,
            "ops.py": "from ossia_core.declare.opdef import op\n"
            "sample_op = op('SampleOfATable(x: T) -> y: T', T='type')",
        }
    )
    try:
        assert api_table.collect("ossia_sample")["ossia_ops"] == {"SampleOfATable": "ossia_sample.ops"}
    finally:
        from ossia_core.declare import opdef

        opdef.REGISTRY.pop("SampleOfATable")


def test_tables_are_read_as_they_were_written():
    api = {f"train.Long{number:03}": "ossia_sample.names:Long" for number in range(40)}
    api |= {"A": "ossia_sample:A", "train.B": "ossia_sample.deep.whole:B", "logging": "ossia_sample.deep.whole:"}
    ops = {"First": "ossia_sample.ops", "Second": "ossia_sample.names"}
    api |= {"deep.A": "ossia_sample:A", "compat.v2.deep.A": "ossia_sample:A", "deep.C": "ossia_sample:A"}
    found = {"ossia_api": api, "ossia_ops": ops}
    text = api_table.source("ossia_sample", found)
    assert api_table.read("ossia_sample", text) == found
    assert text.startswith(": ,compat.v2.deep,deep: A deep: C=A\n.deep.whole: logging= train: B\n")
    assert max(map(len, text.splitlines())) <= 120


def test_tables_of_whole_names_are_read():
    text = ".names: maximum math.maximum train.Made=Maker train.tools= +Max\n +Min\n"
    assert api_table.read("ossia_sample", text) == {
        "ossia_api": {
            "maximum": "ossia_sample.names:maximum", "math.maximum": "ossia_sample.names:maximum",
            "train.Made": "ossia_sample.names:Maker", "train.tools": "ossia_sample.names:",
        },
        "ossia_ops": {"Max": "ossia_sample.names", "Min": "ossia_sample.names"},
    }
