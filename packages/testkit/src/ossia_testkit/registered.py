"""What is registered with Ossia, by kind: the rows of the suites, and which of them the options choose."""

from __future__ import annotations

import fnmatch
from typing import Any, NamedTuple

HOOKS = {
    "backend": "ossia_backends",
    "op": "ossia_ops",
    "gradient": "ossia_gradients",
    "plan-rewrite": "ossia_plan_rewrites",
    "optimizer": "ossia_optimizers",
    "schedule": "ossia_schedules",
    "session-hook": "ossia_session_hooks",
    "checkpoint-format": "ossia_checkpoint_formats",
    "filesystem": "ossia_filesystems",
    "summary-kind": "ossia_summary_kinds",
    "engine": "ossia_engines",
    "queue": "ossia_api",  # the classes under tf.queue
}


class Row(NamedTuple):
    """One thing with one of its samples.

    Attributes:
        kind: The kind, e.g. `"optimizer"`.
        name: The name that it is registered with.
        target: `"module:attribute"`.
        reason: Why the sample is there; empty where nothing is registered for the thing.
        sample: The sample, a dictionary whose keys depend on the kind.
    """

    kind: str
    name: str
    target: str
    reason: str
    sample: dict[str, Any]

    def load(self) -> Any:
        """The thing itself."""
        from ossia_core.plugins import manager as plugins

        return plugins.load(self.target)

    @property
    def id(self) -> str:
        """How the row is called in the ids of tests."""
        return f"{self.name}-{self.reason}" if self.reason else self.name


class Choice:
    """What the options of a test session choose.

    Attributes:
        names: Patterns of names by kind; a kind without any is not restricted.
        packages: Import packages whose things are chosen; all if empty.
    """

    def __init__(self, names: dict[str, list[str]], packages: list[str]) -> None:
        self.names = {kind: patterns for kind, patterns in names.items() if patterns}
        self.packages = packages

    def runs(self, kind: str) -> bool:
        """Whether the suite of a kind runs: options that name things of some kinds leave the other kinds out.

        With a backend, names of ops say on which of them it is tried.
        """
        if "backend" in self.names:
            return kind == "backend" if set(self.names) <= {"backend", "op"} else kind in {*self.names} - {"backend"}
        return not self.names or kind in self.names

    def takes(self, kind: str, name: str, target: str = "", packages: tuple[str, ...] = ()) -> bool:
        """Whether a thing is chosen: by its name, and by the import package that it is in."""
        wanted = packages or tuple(self.packages)
        patterns = self.names.get(kind)
        return (not wanted or target.partition(":")[0].partition(".")[0] in wanted) and (
            not patterns or any(fnmatch.fnmatchcase(name, pattern) for pattern in patterns)
        )


choice = Choice({}, [])  # of this test session; the pytest plugin sets it


def things(kind: str) -> dict[str, str]:
    """Everything of a kind that is registered: target by name."""
    from ossia_core.plugins import manager as plugins

    table = dict(plugins.table(HOOKS[kind]))
    if kind == "backend":
        table.setdefault("numpy", "ossia_core.backend:NumpyBackend")
    if kind == "filesystem":
        table.setdefault("file", "ossia_core.files:LocalFileSystem")
    if kind == "queue":
        names = [name for name in table if name.startswith("queue.") and name != "queue.QueueBase"]
        table = {name.removeprefix("queue."): table[name] for name in names}
    return table


def samples(kind: str, name: str) -> dict[str, dict[str, Any]]:
    """The samples of a thing by reason, as registered with `ossia_samples`; one without a reason if there are none."""
    from ossia_core.plugins import manager as plugins

    hook = HOOKS[kind].removeprefix("ossia_") if kind != "queue" else "queues"
    target = plugins.table("ossia_samples").get(f"{hook}/{name}", "")
    found = plugins.load(target) if target.partition(":")[2] else {"": {}}
    return found.get(name, found)  # several things may share a mapping


def rows(kind: str, packages: tuple[str, ...] = ()) -> list[Row]:
    """The chosen rows of a kind.

    Args:
        kind: The kind.
        packages: Import packages; things of others are left out. Without any, the options say it.
    """
    return [
        Row(kind, name, target, reason, sample)
        for name, target in things(kind).items()
        if choice.takes(kind, name, target, packages)
        for reason, sample in samples(kind, name).items()
    ]
