"""Finding plugins, and merging what their hooks provide."""

import importlib.util
import inspect
import subprocess
import sys
import textwrap
import types
import zipfile

import pytest

from ossia_core import hookspecs
from ossia_core.hookspecs import hookimpl
from ossia_core.plugins import PluginWarning, entry_points
from ossia_core.plugins import manager as plugins


@pytest.fixture
def plugin():
    """Registers a plugin made of functions; removes it after the test."""
    names = []

    def register(name, **hooks):
        module = types.SimpleNamespace(**{hook: hookimpl(function) for hook, function in hooks.items()})
        plugins.register(module, name)
        names.append(name)

    yield register
    for name in names:
        plugins.unregister(name)


@pytest.fixture
def distribution(tmp_path):
    """Lays out an installed third-party distribution; returns a function that runs Python code with it."""

    def install(name, plugin_source):
        info = tmp_path / f"ossia_{name}-1.2.dist-info"
        info.mkdir()
        (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: ossia-{name}\nVersion: 1.2\n")
        (info / "entry_points.txt").write_text(f"[ossia]\n{name} = ossia_{name}_plugin\n")
        (tmp_path / f"ossia_{name}_plugin.py").write_text(textwrap.dedent(plugin_source))

    def run(code):
        command = [sys.executable, "-c", f"import sys; sys.path.append({str(tmp_path)!r})\n" + textwrap.dedent(code)]
        return subprocess.run(command, capture_output=True, text=True, check=False)

    return types.SimpleNamespace(install=install, run=run)


HOOKS = [name for name in vars(hookspecs) if name.startswith("ossia_")]


@pytest.mark.parametrize("hook", HOOKS)
def test_every_hook_is_documented(hook):
    text = inspect.getdoc(getattr(hookspecs, hook))
    order = ["\nCalled once", "\nReturns a mapping", "\nNo parameters.", "\nExample::"]
    places = [text.index(part) for part in order]
    assert places == sorted(places)
    example = textwrap.dedent(text.partition("Example::\n\n")[2])
    assert f"def {hook}():" in example
    namespace = {"hookimpl": hookimpl}
    exec(example, namespace)
    assert all(isinstance(target, str) for target in namespace[hook]().values())


@pytest.mark.parametrize("hook", HOOKS)
def test_every_hook_reaches_its_table(plugin, hook):
    plugin("sample", **{hook: lambda: {"a_name_of_the_sample": "os:sep"}})
    assert plugins.table(hook)["a_name_of_the_sample"] == "os:sep"
    assert hook == "ossia_samples" or "a_name_of_the_sample" in plugins.load_all(hook)  # samples of ops need the ops


def test_tables_are_kept_until_a_plugin_comes(plugin):
    before = plugins.table("ossia_ops")
    assert plugins.table("ossia_ops") is before
    plugin("sample", ossia_ops=lambda: {"NewOp": "somewhere"})
    assert "NewOp" in plugins.op_table()
    assert "NewOp" not in before
    with pytest.raises(TypeError):
        plugins.op_table()["Other"] = ""


@pytest.mark.parametrize(
    ("hook", "name"),
    [
        ("ossia_optimizers", "train"),
        ("ossia_schedules", "train"),
        ("ossia_session_hooks", "train"),
        ("ossia_summary_kinds", "summary"),
    ],
)
def test_classes_become_public(plugin, hook, name):
    import ossia as tf

    plugin("sample", **{hook: lambda: {f"Sample_{hook}": "collections:OrderedDict"}})
    module = getattr(tf, name)
    assert getattr(module, f"Sample_{hook}").__name__ == "OrderedDict"
    assert f"Sample_{hook}" in dir(module)
    delattr(module, f"Sample_{hook}")


def test_the_first_of_two_wins(plugin):
    plugin("a", ossia_backends=lambda: {"same": "os:sep"})
    plugin("b", ossia_backends=lambda: {"same": "os:linesep"})  # pluggy calls the last one that is registered first
    with pytest.warns(PluginWarning, match="'same' is provided by os:linesep and again by os:sep; the first one"):
        assert plugins.table("ossia_backends")["same"] == "os:linesep"


class Provider:
    """A plugin whose hook has options of pluggy."""

    def __init__(self, target, **options):
        self.ossia_backends = hookimpl(**options)(lambda: {"sample": target})


@pytest.fixture
def registered():
    """Registers plugins by name, and removes them after the test."""
    names = []

    def register(**objects):
        for name, each in objects.items():
            plugins.register(each, name)
            names.append(name)

    yield register
    for name in names:
        plugins.registry().unblock(name)
        if plugins.registry().has_plugin(name):
            plugins.unregister(name)


@pytest.mark.filterwarnings("ignore::ossia_core.plugins.PluginWarning")
def test_order_is_that_of_pluggy(registered):
    registered(early=Provider("os:sep", tryfirst=True), last=Provider("os:name", trylast=True))
    assert plugins.table("ossia_backends")["sample"] == "os:sep"
    assert list(plugins.table("ossia_backends"))[0] == "sample"
    registered(plain=Provider("os:linesep"))
    assert plugins.table("ossia_backends")["sample"] == "os:sep"
    plugins.unregister("early")
    assert plugins.table("ossia_backends")["sample"] == "os:linesep"
    plugins.unregister("plain")
    assert plugins.table("ossia_backends")["sample"] == "os:name"
    assert list(plugins.table("ossia_backends"))[-1] == "sample"


def test_wrappers_see_and_change_the_results(registered):
    class Wrapper:
        @hookimpl(wrapper=True)
        def ossia_backends(self):
            results = yield
            return [*results, {"added": ";".join(sorted(name for result in results for name in result))}]

    registered(wrapper=Wrapper(), sample=Provider("os:sep"))
    assert "sample" in plugins.table("ossia_backends")["added"].split(";")
    assert {"numpy", "sample"} <= set(plugins.table("ossia_backends"))


def test_a_wrapper_that_fails_is_left_out(registered):
    class Wrapper:
        @hookimpl(wrapper=True)
        def ossia_backends(self):
            results = yield
            return results[99]

    registered(wrapper=Wrapper(), sample=Provider("os:sep"))
    with pytest.warns(PluginWarning, match="wrapper of ossia_backends in the Ossia plugin 'wrapper' is left out"):
        assert {"numpy", "sample"} <= set(plugins.table("ossia_backends"))


def test_a_blocked_plugin_is_not_there(registered):
    registered(sample=Provider("os:sep"))
    assert "sample" in plugins.table("ossia_backends")
    plugins.registry().set_blocked("sample")
    assert "sample" not in plugins.table("ossia_backends")
    plugins.register(Provider("os:sep"), "sample")  # as pluggy does: it is left out
    assert "sample" not in plugins.table("ossia_backends")
    assert "sample" not in {each.name for each in plugins.installed()}
    plugins.registry().unblock("sample")
    registered(sample=Provider("os:linesep"))
    assert plugins.table("ossia_backends")["sample"] == "os:linesep"


@pytest.mark.parametrize(
    ("hook", "name", "public"),
    [
        ("ossia_api", "Graph", "Graph"),
        ("ossia_backends", "numpy", None),
        ("ossia_filesystems", "file", None),
        ("ossia_gradients", "If", None),
        ("ossia_ops", "NoOp", None),
        ("ossia_optimizers", "Graph", "train.Graph"),
    ],
)
def test_own_names_cannot_be_taken_over(distribution, hook, name, public):
    distribution.install("aaa", f"""
        from ossia_core.hookspecs import hookimpl

        @hookimpl(tryfirst=True)
        def {hook}():
            return {{{name!r}: "os:sep"}}
        """)
    done = distribution.run(f"""
        from ossia_core.plugins import manager as plugins
        print(plugins.table({hook!r})[{name!r}], plugins.api_table().get({public!r}))
        """)
    if hook == "ossia_optimizers":  # no name of ours
        assert done.stdout == "os:sep os:sep\n" and not done.stderr
        return
    assert "os:sep" not in done.stdout, done.stdout
    assert f"{name!r} is provided by ossia_" in done.stderr
    assert "and again by os:sep; the one of the distribution that owns the name is used" in done.stderr


def test_names_that_another_hook_serves_cannot_be_taken_over(distribution):
    if importlib.util.find_spec("ossia_optimizers") is None:
        pytest.skip("runs with the optimizers")
    distribution.install("aaa", """
        from ossia_core.hookspecs import hookimpl

        @hookimpl
        def ossia_api():
            return {"train.AdamOptimizer": "os:sep"}

        @hookimpl
        def ossia_optimizers():
            return {"Optimizer": "os:sep"}
        """)
    done = distribution.run("""
        import ossia as tf
        print(tf.train.AdamOptimizer.__module__, tf.train.Optimizer.__module__)
        """)
    assert done.stdout == "ossia_optimizers.adam ossia_optimizers.base\n", done.stderr
    assert done.stderr.count("the one of the distribution that owns the name is used") == 2


def test_failing_hook_is_left_out(plugin):
    plugin("bad", ossia_filesystems=lambda: 1 / 0)
    plugin("good", ossia_filesystems=lambda: {"sample": "os:sep"})
    with pytest.warns(PluginWarning, match="ossia_filesystems of the Ossia plugin 'bad' failed.*ZeroDivisionError"):
        assert plugins.table("ossia_filesystems")["sample"] == "os:sep"


def test_target_that_cannot_be_loaded_is_left_out(plugin):
    plugin("sample", ossia_image_codecs=lambda: {"absent": "no_such_module:Codec", "there": "os:sep"})
    with pytest.warns(PluginWarning, match="'absent' .*no_such_module:Codec"):
        loaded = plugins.load_all("ossia_image_codecs")
    assert "there" in loaded and "absent" not in loaded


@pytest.mark.parametrize(
    ("source", "reason"),
    [
        ("raise OSError('no such library')", "OSError: no such library"),
        ("import no_such_module", "No module named 'no_such_module'"),
        ("from ossia_core.hookspecs import hookimpl\n@hookimpl\ndef ossia_optimisers(): return {}", "ossia_optimisers"),
        ("from ossia_core.hookspecs import hookimpl\n@hookimpl\ndef ossia_ops(graph): return {}", "graph"),
        ("import ossia as tf\ntf.train", "used while its plugins are being found"),
    ],
    ids=["raises", "imports", "unknown-hook", "unknown-parameter", "uses-the-api"],
)
def test_broken_plugin_is_named_and_left_out(distribution, source, reason):
    distribution.install("broken", source)
    distribution.install("fine", """
        from ossia_core.hookspecs import hookimpl

        @hookimpl
        def ossia_api():
            return {"fine": "os:sep"}
        """)
    done = distribution.run("""
        import ossia as tf
        from ossia_core.plugins import manager as plugins
        print(tf.fine)
        print(*(plugin.failure for plugin in plugins.installed() if plugin.name == "broken"))
        """)
    separator, failure = done.stdout.splitlines()
    assert separator == "/" and reason in failure
    assert "PluginWarning: The Ossia plugin 'broken' of ossia-broken 1.2 (ossia_broken_plugin)" in done.stderr


def test_installed(distribution):
    distribution.install("sample", """
        from ossia_core.hookspecs import hookimpl

        @hookimpl
        def ossia_ops():
            return {"Odd": "os"}
        """)
    done = distribution.run("""
        from ossia_core.plugins import manager as plugins
        found = plugins.installed()
        core = next(plugin for plugin in found if plugin.name == "core")
        print(core.distribution, {"ossia_api", "ossia_ops", "ossia_backends"} <= set(core.provides))
        names = [plugin.name for plugin in found]
        print(*found[names.index("sample")], names.index("core") < names.index("sample"))
        """)
    first, sample = done.stdout.splitlines()
    assert first == "ossia-core True"
    assert sample == "sample ossia_sample_plugin ossia-sample 1.2 {'ossia_ops': {'Odd': 'os'}} None True"


def test_entry_points_are_those_of_importlib_metadata():
    from importlib import metadata

    expected = {(e.name, e.value, e.dist.name) for e in metadata.entry_points(group="ossia")}
    assert {(e.name, e.value, e.dist.name) for e in entry_points.find()} == expected


def test_a_distribution_in_an_archive_is_found(tmp_path, monkeypatch):
    with zipfile.ZipFile(tmp_path / "packed.zip", "w") as archive:
        archive.writestr("ossia_packed-1.dist-info/METADATA", "Metadata-Version: 2.1\nName: ossia-packed\nVersion: 1\n")
        archive.writestr("ossia_packed-1.dist-info/entry_points.txt", "[ossia]\npacked = ossia_packed.plugin\n")
    monkeypatch.syspath_prepend(str(tmp_path / "packed.zip"))
    assert "packed" in {e.name for e in entry_points.find()}


def test_only_the_first_of_two_distributions_of_one_name_counts(tmp_path, monkeypatch):
    for folder, value in (("a", "first.plugin"), ("b", "second.plugin")):
        info = tmp_path / folder / f"Ossia_Twice-{folder}.dist-info"
        info.mkdir(parents=True)
        (info / "entry_points.txt").write_text(f"# plugins\n[other]\nx = y\n[ossia]\ntwice = {value} [extra]\n")
    monkeypatch.syspath_prepend(str(tmp_path / "b"))
    monkeypatch.syspath_prepend(str(tmp_path / "a"))
    assert [e.value for e in entry_points.find() if e.name == "twice"] == ["first.plugin"]
