"""What is installed: packages and plugins with their versions, and which backend runs which op."""

from __future__ import annotations

import collections
import importlib
import importlib.metadata
import platform
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ossia_core.backend import Backend


def version() -> str:
    """One line: the versions of Ossia, of the API that it serves, and of Python and NumPy."""
    import ossia

    numpy = importlib.metadata.version("numpy")
    own = importlib.metadata.version("ossia")
    return f"ossia {own} (the API of TensorFlow {ossia.__version__}; Python {platform.python_version()}, NumPy {numpy})"


def show(*, every_op: bool = False) -> None:
    """Prints the plugins, and the backends with the ops that they run.

    Args:
        every_op: Whether to list each op with the backends that run it, instead of their number.
    """
    from ossia_core.backend import installed_backends
    from ossia_core.plugins import manager as plugins

    print(version(), end="\n\n")
    rows = [("PLUGIN", "DISTRIBUTION", "VERSION", "PROVIDES")]
    order = kinds()
    for plugin in plugins.installed():
        brought = [(kind, len(plugin.provides.get(f"ossia_{kind}", ()))) for kind in order]
        provides = plugin.failure or ", ".join(f"{count} {_in_words(kind, count)}" for kind, count in brought if count)
        rows.append((plugin.name, plugin.distribution, plugin.version, provides))
    _print_table(rows)
    backends = installed_backends()
    runners = {kind: runners_of(kind, backends) for kind in _op_types()}
    counts = collections.Counter(name for names in runners.values() for name in names)
    firsts = collections.Counter(names[0] for names in runners.values() if names)
    print()
    table: list[tuple[str, ...]] = [("BACKEND", "PRIORITY", "OPS", "OF THEM ASKED FIRST", "USES")]
    table += [(b.name, str(b.priority), str(counts[b.name]), str(firsts[b.name]), b.uses()) for b in backends]
    _print_table(table)
    if every_op:
        print()
        lines = ((kind, ", ".join(names) or "by the plan") for kind, names in runners.items())
        _print_table([("OP", "BACKENDS"), *lines])


def kinds() -> list[str]:
    """What a plugin can provide, in the order of the hooks: `api`, `optimizers`, `session_hooks`, ..."""
    from ossia_core import hookspecs

    return [name.removeprefix("ossia_") for name in vars(hookspecs) if name.startswith("ossia_")]


def show_kind(kind: str) -> None:
    """Prints what the plugins provide of one kind, with distribution and version.

    Args:
        kind: One of `kinds()`.
    """
    from ossia_core.plugins import manager as plugins

    hook = f"ossia_{kind}"
    rows = [("NAME", "DISTRIBUTION", "VERSION", "FROM")]
    installed = plugins.installed()
    for name, target in plugins.table(hook).items():
        provider = next((each for each in installed if each.provides.get(hook, {}).get(name) == target), None)
        origin = (provider.distribution or f"(the plugin {provider.name})", provider.version) if provider else ("", "")
        rows.append((name, *origin, target))
    _print_table(rows)


def _in_words(kind: str, count: int) -> str:
    words = "names" if kind == "api" else kind.replace("_", " ")
    return words.removesuffix("s") if count == 1 else words


def runners_of(kind: str, backends: Sequence[Backend]) -> list[str]:
    """The names of the backends that run an op, in the order in which they are asked.

    Each is offered a node made from one of the op's samples; an op without samples runs on NumPy if it has a kernel.

    Args:
        kind: The op type.
        backends: The backends.

    Returns:
        Their names; empty for ops that the plan itself carries out.
    """
    from ossia_core.declare import opdef
    from ossia_core.graph.graph import Graph
    from ossia_core.graph.import_graph import import_graph_def
    from ossia_core.primitives.state import SessionState
    from ossia_core.proto import GraphDef

    definition = opdef.lookup(kind)
    for sample in definition.sample_table.values():
        graph = Graph()
        try:
            with graph.as_default():
                import_graph_def(GraphDef(versions={"producer": 1}))  # op types that newer graphs lack are listed too
                if isinstance(sample, opdef.Sample):
                    definition(*sample.inputs, **sample.attrs)
                else:
                    definition(*sample)
        except (TypeError, ValueError):
            continue  # a sample of what is refused
        node = graph.get_operations()[-1]
        return [b.name for b in backends if b.claims(node) or b.kernel(node, SessionState()) is not None]
    return ["numpy"] if definition.kernel_fn or definition.kernel_factory else []


def _op_types() -> list[str]:
    from ossia_core.declare import opdef
    from ossia_core.plugins import manager as plugins

    for module in sorted(set(plugins.op_table().values())):
        importlib.import_module(module)
    return list(opdef.known_types())


def _print_table(rows: Iterable[tuple[str, ...]]) -> None:
    rows = list(rows)
    widths = [max(map(len, column)) for column in zip(*rows)]
    for row in rows:
        print("  ".join(cell.ljust(width) for cell, width in zip(row, widths)).rstrip())
