"""What the instructions of a program's table read and write, for the passes that move and join them."""
from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ossia_backend_cffi.program.builder import Builder
from ossia_backend_cffi.program.chains import NUMBER

MEMBERS = (  # of groups of images
    *("conv", "conv_input", "conv_filter", "pool", "max_pool_grad", "avg_pool_grad", "elementwise", "reduce"),
    *("batch_moments", "batch_scale", "batch_products", "batch_gradient", "matmul"),
)
LOADS = range(NUMBER["LOAD"], NUMBER["LOAD_I64"] + 1)
STORES = range(NUMBER["STORE"], NUMBER["STORE_I64"] + 1)
UPDATES = frozenset(("sgd", "momentum", "adam", "update"))


def accesses_of(builder: Builder, row: Any) -> tuple[set[int], set[int]] | None:
    """The buffers that a row reads and writes; None if that is not known, and nothing may pass it."""
    name = row.name
    if name == "elementwise":
        return builder.chains[row.code]
    if not row.MOVES or (row.role is not None and name != "onednn"):
        return None
    if name == "update":
        reads, writes = set(row.operands[row.variables :]), set(row.operands[: row.variables])
    else:
        reads, writes = set(row.operands_read()), set(row.results())
    if name in UPDATES and row.maker_steps:
        reads |= builder.chains[row.maker_code][0]
    return reads, writes


def results_of(row: Any) -> list[int]:
    """The buffers that an instruction writes whose accesses are known."""
    return row.operands[: row.variables] if row.name == "update" else row.results()


def gradient_of(row: Any) -> int:
    """The gradient of an update."""
    return row.operands[row.gradient] if row.name == "update" else row.grad


def steps_of(builder: Builder, code: int, count: int) -> list[list[int]]:
    """The steps of a chain, whose code begins there."""
    return [builder.code[at : at + 8] for at in range(code, code + 8 * count, 8)]


def pattern_of(load: Sequence[int]) -> tuple[int, int]:
    """(every, size) of a load: element i of the pass takes element (i // every) % size of the buffer."""
    return load[4] << 31 | load[3], load[6] << 31 | load[5]
