"""Dense layers: a product takes in the bias and the activation that follow it, or the gate of its gradient; an
update of the weights takes in the product that is their gradient.

The pass works on the table of a program without branches and loops, before groups are formed: an instruction moves
down to the one that reads its result and becomes one with it."""
from __future__ import annotations

from typing import Any

from ossia_backend_cffi.program.accesses import accesses_of, pattern_of, steps_of
from ossia_backend_cffi.program.builder import Builder
from ossia_backend_cffi.program.chains import NUMBER
from ossia_backend_cffi.program.instructions import DenseAdam, DenseMomentum, DenseSgd, Instruction, Matmul

_TAKING = frozenset(("adam", "momentum", "sgd"))  # updates that take in the product that is their gradient
_RELU, _GATE = 1, 2    # what follows a product, as in the C code
_DEEPEST = 128         # elements along k up to which a gradient is computed a few rows at a time
_NARROWEST, _WIDEST = 32, 2048
_LOAD, _ADD, _TAKES_RELU, _TAKES_GATE = (NUMBER[name] for name in ("LOAD", "ADD", "RELU", "RELUGRAD"))


def join(builder: Builder) -> None:
    """Let instructions of a program become one with the products that they follow."""
    rows = builder.rows
    if builder.controlled or builder.loops or not any(row.name == "matmul" for row in rows):
        return
    made = {row.out: n for n, row in enumerate(rows) if row.name == "matmul" and not (row.adds or row.follows)}
    users: dict[int, list[int]] = {}
    written: dict[int, list[int]] = {}
    unknown: list[int] = []  # for each instruction, the last one before it of which nothing is known
    last = -1
    for n, row in enumerate(rows):
        unknown.append(last)
        found = accesses_of(builder, row)
        if found is None:
            last = n
            used: Any = row.buffers()
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
        if joined is None or any(maker < n < at for b in rows[maker].operands_read() for n in written.get(b, ())):
            continue
        rows[at] = joined
        gone[maker] = at
    if gone:
        _leave_out(builder, gone)


def _joined(builder: Builder, product: Matmul, row: Any) -> Instruction | None:
    """The instruction that does the work of a product and of the one that reads its result; None if there is none."""
    m, n, k = product.m, product.n, product.k
    if row.name in _TAKING:
        inside = product.ta and not product.tb and 1 <= k <= _DEEPEST and _NARROWEST <= n <= _WIDEST
        if not inside or product.out != row.grad or row.elements != m * n:
            return None
        if set(row.results()) & set(product.buffers()):
            return None
        joined = _taken_in(row, product)
        joined.node = row.node
        return joined
    if row.name != "elementwise" or row.elements != m * n:
        return None
    found = _followed(steps_of(builder, row.code, row.steps), product.out, m * n, n)
    if found is None:
        return None
    target, bias, follows, gate = found
    if target in product.buffers() or target == gate:
        return None  # what is read would change before it is read for the last time
    whole = Matmul(
        out=target, a=product.a, b=product.b, bias=bias, gate=gate, m=m, n=n, k=k, ta=product.ta, tb=product.tb,
        follows=follows,
    )  # fmt: skip
    whole.node = product.node
    return whole


def _taken_in(row: Any, product: Matmul) -> Instruction:
    """An update by the gradient that is a product."""
    given = {"a": product.a, "b": product.b, "m": product.m, "n": product.n, "k": product.k}
    if row.name == "sgd":
        return DenseSgd(var=row.var, alpha=row.alpha, **given)
    if row.name == "momentum":
        return DenseMomentum(
            var=row.var, accum=row.accum, lr=row.lr, momentum=row.momentum, nesterov=row.nesterov, **given
        )
    return DenseAdam(
        var=row.var, mean=row.mean, square=row.square, beta1_power=row.beta1_power, beta2_power=row.beta2_power,
        lr=row.lr, beta1=row.beta1, beta2=row.beta2, epsilon=row.epsilon, nesterov=row.nesterov, **given,
    )  # fmt: skip


def _followed(steps: list[list[int]], product: int, size: int, columns: int) -> tuple[int, int, int, int] | None:
    """Where a chain that adds a bias to a product, or does the work of relu or its gradient, leaves its result; the
    bias or -1, what follows, and the features of the gradient or -1."""
    registers: dict[int, Any] = {}
    bias = gate = -1
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
        if op == _ADD and bias < 0 and len(found) == 2 and whole in found:
            other = found[1 - found.index(whole)]
            if other[1] != (1, columns) or columns == size or other[0] == product:
                return None
            bias = other[0]
        elif op == _TAKES_RELU and found == [whole]:
            follows = _RELU
        elif op == _TAKES_GATE and bias < 0 and found[0] == whole and found[1] != whole:
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
        buffers[rows[maker].out].first = buffers[rows[maker].out].last = -1
        for index in rows[maker].operands_read():
            buffers[index].last = max(buffers[index].last, at)
    builder.leave_out(gone.keys())
