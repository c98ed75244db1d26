"""What the instructions of a program's table read and write, for the passes that move and join them."""
from __future__ import annotations

from collections.abc import Sequence

from ossia_backend_cffi.fusion import NUMBER
from ossia_backend_cffi.program import KERNELS, Builder

MEMBERS = (  # of groups of images
    *("conv", "conv_input", "conv_filter", "pool", "max_pool_grad", "avg_pool_grad", "elementwise", "reduce"),
    *("batch_moments", "batch_scale", "batch_products", "batch_gradient", "matmul"),
)
# Kernels whose first operands are results, so many, and that read the others and nothing else.
RESULTS = {
    **dict.fromkeys((*MEMBERS, "depthwise", "depthwise_input", "depthwise_filter", "softmax", "argmax"), 1),
    **dict.fromkeys(("cast", "strided_copy", "copy", "gather", "gather_nd", "sgd", "dense_sgd", "onednn"), 1),
    "xent": 2, "sparse_xent": 2, "momentum": 2, "dense_momentum": 2, "largest": 2,
    "adam": 3, "dense_adam": 3, "batch_norm": 5, "batch_norm_grad": 3, "batch_moments": 5, "batch_products": 3,
}  # fmt: skip
UPDATES = {"sgd": 2, "momentum": 3, "adam": 9, "update": None}  # and which operand the gradient is; None: i[4] says so
CHAIN_CODE, CHAIN_STEPS = 16, 17  # parameters of updates: the chain that makes the gradient, as in optim.h
LOADS = range(NUMBER["LOAD"], NUMBER["LOAD_I64"] + 1)
STORES = range(NUMBER["STORE"], NUMBER["STORE_I64"] + 1)


def accesses_of(builder: Builder, row: tuple) -> tuple[set[int], set[int]] | None:
    """The buffers that a row reads and writes; None if that is not known, and nothing may pass it."""
    kernel, _, indices, ints, _ = row
    name = KERNELS[kernel]
    if name == "elementwise":
        return builder.chains[ints[1]]
    count = results_of(row)
    if count is None:
        return None
    reads = set(indices[count:])
    if name in UPDATES and len(ints) > CHAIN_STEPS and ints[CHAIN_STEPS]:
        reads |= builder.chains[ints[CHAIN_CODE]][0]
    return reads, set(indices[:count])


def results_of(row: tuple) -> int | None:
    """How many of a row's operands, the first ones, are results; None if that is not known."""
    name = KERNELS[row[0]]
    return row[3][1] if name == "update" else RESULTS.get(name)


def gradient_of(row: tuple) -> int:
    """Which operand of an update the gradient is."""
    place = UPDATES[KERNELS[row[0]]]
    return row[3][4] if place is None else place


def steps_of(builder: Builder, code: int, count: int) -> list[list[int]]:
    """The steps of a chain, whose code begins there."""
    return [builder.code[at : at + 8] for at in range(code, code + 8 * count, 8)]


def pattern_of(load: Sequence[int]) -> tuple[int, int]:
    """(every, size) of a load: element i of the pass takes element (i // every) % size of the buffer."""
    return load[4] << 31 | load[3], load[6] << 31 | load[5]
