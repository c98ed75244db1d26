"""A pytest plugin that registers the twins of a sample, and itself as `healthy`; `OSSIA_TWINS` names its kind."""

import os
import sys
import types
from pathlib import Path

from faults import TWINS

EXAMPLES = Path(__file__).parents[4] / "docs" / "examples"


def module_of(name, source):
    """A module made of source code."""
    module = types.ModuleType(name)
    sys.modules[name] = module
    exec(compile(source, name, "exec"), module.__dict__)
    return name


def changed(source, changes):
    """Source code with texts replaced; each has to be there."""
    for old, new in changes.items():
        assert old in source, f"there is no {old!r}"
        source = source.replace(old, new)
    return source


def pytest_sessionstart():
    from ossia_core.hookspecs import hookimpl
    from ossia_core.plugins import manager as plugins

    kind = os.environ["OSSIA_TWINS"]
    twins = TWINS[kind]
    distribution = twins.distribution or f"ossia-example-{kind}"
    package = distribution.replace("-", "_")
    folder = EXAMPLES / distribution / "src" / package
    source = (folder / f"{twins.module}.py").read_text()
    table, samples = {}, {}
    for name, (_, changes) in {"healthy": ("", {}), **twins.faults}.items():
        renamed = {old: new.replace("{name}", name) for old, new in twins.renamed.items()}
        module = module_of(f"broken_{name}", changed(changed(source, changes), renamed))
        table[name] = f"{module}:{twins.attribute}" if twins.attribute else module
        if twins.samples:
            made = (folder / "samples.py").read_text().replace(f"{package}.{twins.module}", module)
            samples[f"{twins.table}/{name}"] = f"{module_of(f'{module}_samples', made)}:{twins.samples}"
    plugin = types.SimpleNamespace(ossia_samples=hookimpl(lambda: samples))
    setattr(plugin, f"ossia_{twins.table}", hookimpl(lambda: table))
    plugins.register(plugin, "broken")
