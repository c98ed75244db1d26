"""Whether the nodes of a graph can be where the program asked for them to be."""
from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from ossia_core.backend import Backend
from ossia_core.graph.operation import Operation
from ossia_core.names import dtypes, errors
from ossia_core.names.device import DeviceSpec

_TASK = (("job", "jobs"), ("replica", "replicas"), ("task", "tasks"))
_DEVICE = (("device_type", "types"), ("device_index", "ids"))
_NOWHERE = DeviceSpec()


class Devices(NamedTuple):
    """What a session can place nodes on.

    task: the name of the task, as the names of its devices begin.
    cpus: how many CPU devices there are.
    backends: what computes, perhaps on devices of other types.
    soft: whether a device of another type or number does as well as the one asked for; one of another task never does.
    others: the names of the other tasks of a cluster, and how many CPU devices they have.
    """

    task: str
    cpus: int
    backends: Sequence[Backend]
    soft: bool
    others: tuple[tuple[str, int], ...] = ()

    def have(self, asked: DeviceSpec) -> bool:
        """Whether there is a device for those who ask for this one."""
        return self._at(self.task, self.cpus, asked) or any(self._at(task, cpus, asked) for task, cpus in self.others)

    def named(self, asked: DeviceSpec) -> str:
        """The full name of the device for those who ask for this one: of this task, if it has one."""
        for task, cpus in ((self.task, self.cpus), *self.others):
            if self._at(task, cpus, asked):
                kind, index = asked.device_type, asked.device_index or 0
                if kind is None or not self._replace(soft=False)._at(task, cpus, asked):
                    kind, index = "CPU", 0
                return f"{task}/device:{kind}:{index}"
        raise KeyError(asked.to_string())

    def _at(self, task: str, cpus: int, asked: DeviceSpec) -> bool:
        here = DeviceSpec.from_string(task)
        for field, _ in _TASK:
            if getattr(asked, field) not in (None, getattr(here, field)):
                return False
        kind = asked.device_type
        if self.soft or kind is None:
            return True
        if kind == "CPU":
            return (asked.device_index or 0) < cpus
        return any(backend.supports_device(kind) for backend in self.backends)

    def __str__(self) -> str:
        tasks = ((self.task, self.cpus), *self.others)
        return ", ".join(f"{task}/device:CPU:{i}" for task, cpus in tasks for i in range(cpus))


class _Group:
    """Nodes that have to be on one device.

    asked: the device that they ask for.
    fixed: the device of the variable or other resource that they share, which outweighs what its users ask for.
    """

    __slots__ = ("asked", "fixed", "into")

    def __init__(self, asked: DeviceSpec) -> None:
        self.asked, self.fixed = asked, _NOWHERE
        self.into: _Group | None = None

    def root(self) -> _Group:
        group = self
        while group.into is not None:
            group = group.into
        if group is not self:
            self.into = group
        return group


class _Conflict(Exception):
    """Two devices that cannot be one."""


def check(ops: Sequence[Operation], devices: Devices) -> None:
    """Refuse a graph with nodes that cannot be placed, whether or not a run needs them.

    Raises:
      InvalidArgumentError: a node asks for a device that is not there, or nodes that have to be on one device, because
        they share a variable or are colocated, ask for several.
    """
    specs = {device: DeviceSpec.from_string(device) for device in {op.device for op in ops}}
    if len(specs) == 1 and "" in specs:
        return
    groups = _groups(ops, specs, devices)
    there: dict[str, bool] = {}
    for op in sorted(ops, key=_is_generator):  # those last: they go where their values go
        asked = _asked(op, specs, groups)
        name = asked.to_string()
        if name not in there:
            there[name] = devices.have(asked)
        if not there[name]:
            raise _missing(op, name, devices)


def devices_of(ops: Sequence[Operation], devices: Devices) -> dict[Operation, str]:
    """The devices of the nodes that are not on the first CPU of the session's own task."""
    specs = {device: DeviceSpec.from_string(device) for device in {op.device for op in ops}}
    if len(specs) == 1 and "" in specs:
        return {}
    groups, first = _groups(ops, specs, devices), f"{devices.task}/device:CPU:0"
    names: dict[str, str] = {}
    found = {}
    for op in ops:
        asked = _asked(op, specs, groups)
        text = asked.to_string()
        if text not in names:
            names[text] = devices.named(asked) if devices.have(asked) else first
        if names[text] != first:
            found[op] = names[text]
    return found


def _groups(
    ops: Sequence[Operation], specs: dict[str, DeviceSpec], devices: Devices
) -> dict[Operation, _Group]:
    """The groups of the nodes that have to be with others."""
    groups: dict[Operation, _Group] = {}
    _join_sharers(ops, specs, groups, devices)
    _join_colocated(ops, specs, groups, devices)
    return groups


def _asked(op: Operation, specs: dict[str, DeviceSpec], groups: dict[Operation, _Group]) -> DeviceSpec:
    """The device that a node, or its group, asks for."""
    group = groups.get(op)
    return specs[op.device] if group is None else group.root().asked


def _join_sharers(
    ops: Iterable[Operation], specs: dict[str, DeviceSpec], groups: dict[Operation, _Group], devices: Devices
) -> None:
    """Group what hands on references and resources with what takes them."""
    for op in ops:
        for source in _sources(op):
            giver, taker = _group(source, specs, groups), _group(op, specs, groups)
            if giver is taker:
                continue
            if source.device and not source._inputs:
                giver.fixed = giver.asked
            if _names(giver.fixed) and _names(taker.fixed):
                if not _is_within(giver.fixed, taker.fixed):
                    raise errors.InvalidArgumentError(
                        None, op, "Cannot place the graph because a reference or resource edge connects colocation "
                        f"groups with incompatible resource devices: {giver.fixed.to_string()} vs "
                        f"{taker.fixed.to_string()}. The edge src node is {source.name} , and the dst node is {op.name}"
                    )
            elif not _names(taker.fixed) and _names(giver.asked):
                taker.asked = giver.asked
            try:
                _merge(giver, taker)
            except _Conflict as conflict:
                if not devices.soft:
                    raise errors.InvalidArgumentError(
                        None, op, "Nodes were connected by a reference connection (requiring them to be on the same "
                        "device), but the two nodes were assigned two different devices: Cannot colocate nodes "
                        f"{source.name} and {op.name}: {conflict}"
                    ) from None


def _join_colocated(
    ops: Iterable[Operation], specs: dict[str, DeviceSpec], groups: dict[Operation, _Group], devices: Devices
) -> None:
    """Group the nodes that the program colocated."""
    members: dict[bytes, Operation] = {}
    for op in ops:
        names = op.attrs.get("_class")
        for name in names if isinstance(names, list) else ():
            if not name.startswith(b"loc:@"):
                continue
            other = members.get(name)
            if other is None:
                found = op.graph._by_name.get(name[5:].decode(errors="replace"))
                other = members[name] = op if found is None else found
            first, second = _group(other, specs, groups), _group(op, specs, groups)
            if first is second:
                continue
            try:
                _merge(first, second)
            except _Conflict as conflict:
                if not devices.soft:
                    raise errors.InvalidArgumentError(
                        None, op, f"Cannot colocate nodes {op.name} and {other.name}: {conflict}"
                    ) from None


def _group(op: Operation, specs: dict[str, DeviceSpec], groups: dict[Operation, _Group]) -> _Group:
    if op not in groups:
        groups[op] = _Group(specs[op.device])
    return groups[op].root()


def _merge(first: _Group, second: _Group) -> None:
    """Make one group of two.

    Raises:
      _Conflict: they ask for different devices.
    """
    for field, plural in (*_TASK, *_DEVICE):
        one, other = getattr(first.asked, field), getattr(second.asked, field)
        if one is not None and other is not None and one != other:
            raise _Conflict(
                f"Cannot merge devices with incompatible {plural}: '{second.asked.to_string()}' and "
                f"'{first.asked.to_string()}'"
            )
    first.asked = first.asked.make_merged_spec(second.asked)
    first.fixed = first.fixed.make_merged_spec(second.fixed)
    second.into = first


def _sources(op: Operation) -> Iterator[Operation]:
    """The nodes whose references or resources a node takes as such."""
    takes: list[bool] | None = None
    for i, tensor in enumerate(op._inputs):
        dtype = tensor.dtype
        if dtype is dtypes.resource:
            yield tensor.op
        elif dtype._is_ref_dtype:
            if takes is None:
                takes = [is_ref for arg in op.definition.inputs for is_ref in [arg.is_ref] * _width(arg, op.attrs)]
            if takes[i]:
                yield tensor.op


def _width(arg: Any, attrs: dict[str, Any]) -> int:
    """How many tensors an argument of an op is."""
    if arg.number_attr is not None:
        return int(attrs[arg.number_attr])
    return 1 if arg.type_list_attr is None else len(attrs[arg.type_list_attr])


def _names(device: DeviceSpec) -> bool:
    return device != _NOWHERE


def _is_within(part: DeviceSpec, whole: DeviceSpec) -> bool:
    """Whether a device's name says all that another one says."""
    return part.make_merged_spec(whole) == part


def _is_generator(op: Operation) -> bool:
    """Whether a node gives a value and takes none."""
    return not op._inputs and len(op.outputs) == 1 and not op.outputs[0].dtype._is_ref_dtype


def _missing(op: Operation, asked: str, devices: Devices) -> errors.InvalidArgumentError:
    if op.device == asked:
        reason = (
            f"node {op.name} was explicitly assigned to {asked} but available devices are [ {devices} ]. Make sure the "
            "device specification refers to a valid device."
        )
        if ":GPU:" in asked:
            reason += " The requested device appears to be a GPU, but CUDA is not enabled."
    else:
        reason = (
            f"Could not satisfy explicit device specification '{op.device}' because the node {op.name} was colocated "
            f"with a group of nodes that required incompatible device '{asked}'. All available devices [{devices}]."
        )
    return errors.InvalidArgumentError(None, op, f"Cannot assign a device for operation {op.name}: {reason}")


def print_places(ops: Sequence[Operation], devices: Devices) -> None:
    """Print where each of the nodes that a run needs is, as `log_device_placement` of a ConfigProto asks."""
    elsewhere = devices_of(ops, devices)
    first = f"{devices.task}/device:CPU:0"
    print("".join(f"{op.name}: ({op.type}): {elsewhere.get(op, first)}\n" for op in ops), end="", flush=True)
