"""Dense layers: a product takes in the bias and the activation that follow it, or the gate of its gradient; an
update of the weights takes in the product that is their gradient.

The pass works on the table of a program without branches and loops, before groups are formed: an instruction moves
down to the one that reads its result and becomes one with it."""
from __future__ import annotations

from typing import Any

from ossia_backend_cffi.accesses import accesses_of, pattern_of, steps_of
from ossia_backend_cffi.fusion import NUMBER
from ossia_backend_cffi.program import KERNEL_NUMBER, KERNELS, Builder

_MATMUL, _ELEMENTWISE = KERNEL_NUMBER["matmul"], KERNEL_NUMBER["elementwise"]
# Updates that take in the product that is their gradient: how many results they have, which operand the gradient is.
_UPDATES = {KERNEL_NUMBER[name]: found for name, found in {"adam": (3, 9), "momentum": (2, 3), "sgd": (1, 2)}.items()}
_RELU, _GATE = 1, 2    # what follows a product, as in the C code
_WITH_BIAS = 5         # the first of the parameters of products that say what follows
_DEEPEST = 128         # elements along k up to which a gradient is computed a few rows at a time
_NARROWEST, _WIDEST = 32, 2048
_LOAD, _ADD, _TAKES_RELU, _TAKES_GATE = (NUMBER[name] for name in ("LOAD", "ADD", "RELU", "RELUGRAD"))


def join(builder: Builder) -> None:
    """Let instructions of a program become one with the products that they follow."""
    rows = builder.rows
    if builder.controlled or builder.loops or not any(row[0] == _MATMUL for row in rows):
        return
    made = {row[2][0]: n for n, row in enumerate(rows) if row[0] == _MATMUL and not any(row[3][_WITH_BIAS:])}
    users: dict[int, list[int]] = {}
    written: dict[int, list[int]] = {}
    unknown: list[int] = []  # for each instruction, the last one before it of which nothing is known
    last = -1
    for n, row in enumerate(rows):
        unknown.append(last)
        found = accesses_of(builder, row)
        if found is None:
            last = n
            used: Any = row[2]
        else:
            for buffer in found[1]:
                written.setdefault(buffer, []).append(n)
            used = found[0] | found[1]
        for buffer in used:
            if buffer in made:
                users.setdefault(buffer, []).append(n)
    gone: dict[int, int] = {}
    for buffer, maker in made.items():
        if builder.buffers[buffer].kind != "arena" or len(users[buffer]) != 2:
            continue
        at = users[buffer][1]
        if unknown[at] > maker:
            continue
        joined = _joined(builder, rows[maker], rows[at])
        # The product can wait until then if nobody changes what it reads.
        if joined is None or any(maker < n < at for b in rows[maker][2][1:] for n in written.get(b, ())):
            continue
        rows[at] = joined
        gone[maker] = at
    if gone:
        _leave_out(builder, gone)


def _joined(builder: Builder, product: tuple, row: tuple) -> tuple | None:
    """The instruction that does the work of a product and of the one that reads its result; None if there is none."""
    kernel, node, indices, ints, floats = row
    m, n, k, ta, tb = product[3][:5]
    if kernel in _UPDATES:
        results, gradient = _UPDATES[kernel]
        inside = ta and not tb and 1 <= k <= _DEEPEST and _NARROWEST <= n <= _WIDEST
        if not inside or product[2][0] != indices[gradient] or ints[0] != m * n:
            return None
        if set(indices[:results]) & set(product[2]):
            return None
        others = [buffer for place, buffer in enumerate(indices) if place != gradient]
        taking = KERNEL_NUMBER["dense_" + KERNELS[kernel]]
        return taking, node, [*others, *product[2][1:3]], [m, n, k, *ints[1:2]], []
    if kernel != _ELEMENTWISE or ints[0] != m * n:
        return None
    found = _followed(steps_of(builder, *ints[1:3]), product[2][0], m * n, n)
    if found is None:
        return None
    target, bias, follows, gate = found
    if target in product[2] or target == gate:
        return None  # what is read would change before it is read for the last time
    operands = [target, *product[2][1:3], *([bias] if bias is not None else []), *([gate] if gate is not None else [])]
    return _MATMUL, product[1], operands, [m, n, k, ta, tb, bias is not None, 0, follows], []


def _followed(steps: list[list[int]], product: int, size: int, columns: int) -> tuple[int, Any, int, Any] | None:
    """Where a chain that adds a bias to a product, or does the work of relu or its gradient, leaves its result; the
    bias, what follows, and the features of the gradient."""
    registers: dict[int, Any] = {}
    bias = gate = None
    follows = 0
    for position, step in enumerate(steps):
        op, register = step[:2]
        if op == _LOAD:
            registers[register] = step[2], pattern_of(step)
            continue
        found: list[Any] = [registers.get(a) for a in step[2:5] if a >= 0]
        whole = product, (1, size)
        if follows or None in found:
            return None
        if op == _ADD and bias is None and len(found) == 2 and whole in found:
            other = found[1 - found.index(whole)]
            if other[1] != (1, columns) or columns == size or other[0] == product:
                return None
            bias = other[0]
        elif op == _TAKES_RELU and found == [whole]:
            follows = _RELU
        elif op == _TAKES_GATE and bias is None and found[0] == whole and found[1] != whole:
            gate, pattern = found[1]
            if pattern != (1, size):
                return None
            follows = _GATE
        else:
            return None
        registers[register] = whole
        if step[6]:
            return (step[6] - 1, bias, follows, gate) if position == len(steps) - 1 else None
    return None


def _leave_out(builder: Builder, gone: dict[int, int]) -> None:
    """Take instructions out of the table; what they read is needed until those that do their work now."""
    rows, buffers = builder.rows, builder.buffers
    for maker, at in gone.items():
        buffers[rows[maker][2][0]].first = buffers[rows[maker][2][0]].last = -1
        for index in rows[maker][2][1:]:
            buffers[index].last = max(buffers[index].last, at)
    builder.leave_out(gone.keys())
