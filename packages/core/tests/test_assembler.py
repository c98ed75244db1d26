"""The modules that `ossia` assembles from the tables."""

import importlib
import importlib.util
import pickle
import subprocess
import sys
import threading
import types

import pytest

from ossia_core.declare import builders, opdef
from ossia_core.hookspecs import hookimpl
from ossia_core.plugins import known
from ossia_core.plugins import manager as plugins

API = {
    "Sample": "collections:OrderedDict",
    "sample_module": "json.decoder:",
    "train.Sample": "collections:OrderedDict",
    "sample.nested.deep.value": "string:digits",
    "compat.v2.sample.other": "string:hexdigits",
    "compat.sample_text": "string:ascii_letters",
    "sample.absent": "no_such_module:x",
}


@pytest.fixture(autouse=True)
def tf():
    import ossia

    forget(ossia)
    plugins.register(types.SimpleNamespace(ossia_api=hookimpl(lambda: API)), "sample")
    yield ossia
    plugins.unregister("sample")
    forget(ossia)


def forget(ossia):
    """Removes what has been served so far."""
    for name in [name for name in vars(ossia) if not name.startswith("_")]:
        delattr(ossia, name)
    for name in [name for name in sys.modules if name.startswith("ossia.") and not name.startswith("ossia._")]:
        del sys.modules[name]


def python(code):
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)


def test_members_and_modules(tf):
    from collections import OrderedDict

    assert tf.Sample is tf.train.Sample is tf.compat.v1.Sample is tf.compat.v1.train.Sample is OrderedDict
    assert "Sample" in vars(tf)
    assert isinstance(tf.sample.nested, types.ModuleType)
    assert tf.sample.nested.deep.value == "0123456789"
    assert tf.compat.sample_text.startswith("abc")
    assert tf.compat.v1.compat.v1.Sample is OrderedDict


def test_import_forms():
    import json.decoder

    import ossia.compat.v1 as tf1
    import ossia.sample.nested.deep
    import ossia.sample_module
    from ossia import train
    from ossia.compat.v1.train import Sample as Again
    from ossia.train import Sample

    assert Sample is Again is tf1.Sample
    assert train is sys.modules["ossia.train"] and train.__name__ == "ossia.train"
    assert ossia.sample_module is json.decoder is tf1.sample_module
    assert json.decoder.__spec__.name == "json.decoder"
    with pytest.raises(ImportError, match="cannot import name 'no_such'"):
        from ossia.train import no_such  # noqa: F401
    with pytest.raises(ModuleNotFoundError, match=r"ossia\.no_such"):
        import ossia.no_such


def test_star_import():
    namespace: dict = {}
    exec("from ossia.train import *", namespace)
    assert namespace["Sample"].__name__ == "OrderedDict"


def test_v2_has_its_own_names(tf):
    assert tf.compat.v2.sample.other == "0123456789abcdefABCDEF"
    assert not hasattr(tf.sample, "other") and not hasattr(tf.compat.v2.sample, "nested")


@pytest.mark.parametrize("name", ["ossia.compat.v1", "ossia.compat.v2", "ossia.compat.v1.compat.v1"])
def test_version_of_compat(tf, name):
    assert importlib.import_module(name).__version__ == tf.__version__


def test_listing(tf):
    assert {"Sample", "train", "sample", "compat", "sample_module"} <= set(dir(tf))
    assert {"absent", "nested"} <= set(dir(tf.sample)) and "nested" in dir(tf.compat.v1.sample)
    assert {"v1", "v2", "sample_text"} <= set(dir(tf.compat))


def test_unknown_names(tf):
    for module in (tf, tf.train, tf.compat.v1, tf.compat.v1.train):
        with pytest.raises(AttributeError, match=f"^module '{module.__name__}' has no attribute 'no_such'$"):
            module.no_such  # noqa: B018
        assert not hasattr(module, "__wrapped__")
    assert importlib.util.find_spec("ossia.no_such") is None


def test_a_missing_package_is_named(tf, monkeypatch):
    names = dict.fromkeys(("radio.decode", "radio.encode", "train.Tuner"), "ossia-sound")
    owners = {"ossia_api": names, "ossia_ops": {"Tune": "ossia-sound"}}
    monkeypatch.setattr(known, "owners", lambda hook: owners[hook])
    message = r"tf\.radio is in the package ossia-sound; `pip install ossia-sound`"
    with pytest.raises(AttributeError, match=message):
        tf.radio  # noqa: B018
    with pytest.raises(AttributeError, match=r"tf\.train\.Tuner is in the package ossia-sound"):
        tf.compat.v1.train.Tuner  # noqa: B018
    with pytest.raises(ModuleNotFoundError, match=message):
        importlib.import_module("ossia.radio")
    with pytest.raises(ImportError, match="ossia-sound"):
        from ossia.train import Tuner  # noqa: F401
    with pytest.raises(ImportError, match="ossia-sound"):
        from ossia import radio  # noqa: F401
    with pytest.raises(AttributeError, match=r"no installed package has this op; `pip install ossia-sound` adds it$"):
        tf.raw_ops.Tune  # noqa: B018
    hint = "'Tune' in binary running on .*: no installed .* `pip install ossia-sound` adds it"
    with pytest.raises(tf.errors.NotFoundError, match=hint):
        opdef.lookup("Tune")
    with pytest.raises(NotImplementedError, match=r"tf\.train\.Tuner .* `pip install ossia-sound` adds it"):
        builders.builder("train.Tuner")


def test_what_is_known_is_there():
    names, ops = known.owners("ossia_api"), known.owners("ossia_ops")
    assert names["train.Saver"] == "ossia-checkpoint" and ops["MatMul"] == "ossia-ops"
    assert names["train.AdamOptimizer"] == known.owners("ossia_optimizers")["AdamOptimizer"] == "ossia-optimizers"
    assert {"ossia-core", "ossia-checkpoint", "ossia-backend-cffi"} <= known.distributions()
    assert known.of_name("ragged") == known.of_name("RaggedTensor") == "ossia-ragged"
    assert known.of_name("no_such") is None and known.to_install(None) == ""


def test_a_system_that_no_package_has_is_named(tf):
    with pytest.raises(AttributeError, match=r"no attribute 'autograph': Ossia does not have tf\.autograph"):
        tf.autograph  # noqa: B018
    with pytest.raises(AttributeError, match=r"Ossia does not have tf\.xla: "):
        tf.compat.v1.xla  # noqa: B018
    with pytest.raises(ModuleNotFoundError, match=r"Ossia does not have tf\.autograph"):
        importlib.import_module("ossia.autograph.experimental")
    assert not hasattr(tf, "contribution")


def test_an_implementation_that_is_missing_says_so(tf):
    with pytest.raises(ModuleNotFoundError, match="no_such_module"):
        tf.sample.absent  # noqa: B018


def test_reload(tf):
    finders = len(sys.meta_path)
    train = tf.train
    assert importlib.reload(tf) is tf
    importlib.reload(train)
    assert tf.train is train and train.Sample is tf.Sample
    assert len(sys.meta_path) == finders


def test_what_is_served_can_be_pickled(tf):
    assert pickle.loads(pickle.dumps(tf.train.Sample)) is tf.train.Sample


def test_threads_see_one_module(tf):
    barrier = threading.Barrier(8)
    found = []

    def look():
        barrier.wait()
        found.append((tf.sample.nested.deep, tf.compat.v1.train, tf.Sample))

    threads = [threading.Thread(target=look) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 8 and len({tuple(map(id, item)) for item in found}) == 1


def test_import_is_cheap():
    done = python(
        "import numpy, sys, threading\n"
        "before = set(sys.modules)\n"
        "import ossia\n"
        "hasattr(ossia, 'no_such'); dir(ossia)\n"
        "print(threading.active_count())\n"
        "print(*sorted(set(sys.modules) - before))\n"
    )
    threads, modules = done.stdout.splitlines()
    assert threads == "1"
    loaded = set(modules.split())
    tables = {name for name in loaded if name.endswith((".plugin", "._tables"))}
    parents = {name[:dot] for name in tables for dot in range(len(name)) if name[dot] == "."}
    assert not {name for name in loaded - tables - parents if name.startswith(("google", "ossia_"))} - {
        "ossia_core",
        "ossia_core.forks",
        "ossia_core.plugins",
        "ossia_core.plugins.manager",
        "ossia_core.plugins.api_table",
        "ossia_core.plugins.entry_points",
        "ossia_core.hookspecs",
        "ossia_core.plugins.known",
        "ossia_core.plugins.registry",
    }


def test_import_loads_no_plugin():
    done = python(
        "import sys, ossia; print(*(name for name in sys.modules if name.startswith('ossia') or name == 'pluggy'))"
    )
    assert set(done.stdout.split()) == {"ossia", "ossia._assembler"}


def test_dictionaries_of_assembled_modules_hold_all_members(tf):
    assert vars(tf.sample.nested.deep)["value"] == tf.sample.nested.deep.__dict__["value"] == "0123456789"
    assert "Sample" in tf.train.__dict__ and "absent" not in tf.sample.__dict__
