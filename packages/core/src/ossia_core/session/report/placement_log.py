"""What `log_device_placement` of a ConfigProto asks for: lines on where nodes are, on standard output."""
from __future__ import annotations

from collections.abc import Sequence

from ossia_core.graph.operation import Operation
from ossia_core.session.report.placement import Devices, devices_of


def print_devices() -> None:
    """Print which devices there are beside CPUs; a session prints it when it is made."""
    print("Device mapping: no known devices.", flush=True)


def print_nodes(ops: Sequence[Operation], devices: Devices) -> None:
    """Print a line for each of the nodes that a run needs: its name, its type, its device."""
    elsewhere = devices_of(ops, devices)
    first = f"{devices.task}/device:CPU:0"
    print("".join(f"{op.name}: ({op.type}): {elsewhere.get(op, first)}\n" for op in ops), end="", flush=True)
