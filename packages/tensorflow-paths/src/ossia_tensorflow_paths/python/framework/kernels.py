"""`framework.kernels`: which ops have kernels."""

from __future__ import annotations

import importlib
from typing import NamedTuple

from ossia_core.declare import opdef
from ossia_core.plugins import manager as plugins


class KernelDef(NamedTuple):
    """A kernel."""

    op: str
    device_type: str = "CPU"


class KernelList(NamedTuple):
    """Kernels."""

    kernel: list[KernelDef]


def get_all_registered_kernels() -> KernelList:
    """A kernel of each op that has one."""
    for module in sorted(set(plugins.op_table().values())):
        importlib.import_module(module)
    return KernelList([kernel for name in sorted(opdef.known_types()) for kernel in _kernels(name)])


def get_registered_kernels_for_op(name: str) -> KernelList:
    """The kernel of an op, if it has one."""
    return KernelList(_kernels(name))


def _kernels(name: str) -> list[KernelDef]:
    definition = opdef.find(name)
    return [KernelDef(name)] if definition and (definition.kernel_fn or definition.kernel_factory) else []
