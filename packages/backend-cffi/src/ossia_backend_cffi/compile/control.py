"""Branches, merges and loops: nodes under a guard are skipped over, while frames run as loops of the program itself."""
from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import numpy as np

from ossia_backend_cffi.emitters import tensor_lists
from ossia_backend_cffi.emitters.emission import strided
from ossia_backend_cffi.emitters.products import product
from ossia_backend_cffi.emitters.registry import F32, RESOURCES
from ossia_backend_cffi.program.builder import Declined, Value
from ossia_backend_cffi.program.instructions import Branch, Copy, Loop, Matmul, Merge, Reduce, RowSums
from ossia_core.backend import loop_region
from ossia_core.names import dtypes

if TYPE_CHECKING:
    from ossia_backend_cffi.emitters.emission import Emission
    from ossia_core.backend import Loop as WhileFrame

_FEW_ROWS = 4  # of a product, below which a transposed factor is taken as it is
_POLLED = 64  # instructions between two looks at the clock


def known(c: Emission, guard: Any) -> bool | None:
    """Whether a guard holds, if that follows from constants."""
    for slot, wanted in guard:
        value = c.values.get(slot)
        if value is not None and value.constant is not None and bool(value.constant) is not wanted:
            return False
    return None if any(c.operand(slot).constant is None for slot, _ in guard) else True


def _conditions(c: Emission, guard: Any) -> list[int]:
    """A guard as (number of conditions, then buffer and value wanted of each)."""
    code = []
    for slot, wanted in sorted(guard):
        value = c.operand(slot)
        if value.constant is not None:
            continue
        if value.dtype != np.bool_ or value.size != 1:
            raise Declined("a predicate that is no truth value")
        value = c.kept(value)
        code += [c.ready(value).buffer, int(wanted)]
    return [len(code) // 2, *code]


def branch(c: Emission, guard: Any) -> Any:
    """Emit the instruction that leaves out what follows, up to `end_branch`, unless the guard holds."""
    code = _conditions(c, guard)
    builder = c.builder
    builder.touch(code[1::2])
    builder.emit(Branch(conditions=len(builder.code)))
    builder.code += code
    builder.controlled = True
    return len(builder.rows)


def end_branch(c: Emission, start: int) -> None:
    """End what the instruction before `start` leaves out."""
    c.builder.rows[start - 1].skipped = len(c.builder.rows) - start


def merge(c: Emission, node: Any) -> None:
    """A merge: the value of the first choice whose guard holds."""
    builder = c.builder
    if c.uses(node.outs[1]):
        raise Declined("a merge whose choice is asked for")
    choices = []
    for slot, guard in node.choices:
        taken = known(c, guard)
        if taken is not False:
            choices.append((slot, guard))
        if taken:
            break
    if not choices:
        return  # nothing under a guard that holds asks for the value
    values = [c.operand(slot) for slot, _ in choices]
    first = values[0]
    if len(choices) == 1:
        c.give(node.outs[0], first)
        return
    if any(type(v) is not Value or v.dtype != first.dtype or v.shape != first.shape for v in values):
        raise Declined("a merge of values that differ in shape")
    code: list[int] = []
    used: list[int] = []
    for value, (_, guard) in zip(values, choices, strict=True):
        source, conditions = builder.buffer_of(c.ready(value)), _conditions(c, guard)
        code += [source, *conditions]
        used += [source, *conditions[1::2]]
    out = c.result(node.outs[0], first.dtype, first.shape)
    builder.touch(used)
    row = Merge(out=out, bytes=out.size * out.dtype.itemsize, choices=len(choices), code=len(builder.code))
    builder.code += code
    c.emit(row)


def updates(work: Iterable[Any]) -> bool:
    """Whether work that is compiled may change variables."""
    for w in work:
        if w.loop is not None:
            if updates((*w.loop.condition_work, *w.loop.body_work)):
                return True
        elif w.updates and w.node.type not in RESOURCES:
            if any(t.dtype is dtypes.resource or t.dtype._is_ref_dtype for t in w.node._inputs):
                return True
    return False


def _turn_matrices(c: Emission, inner: Emission, fixed: set[int]) -> None:
    """Transpose the matrices that a loop takes from outside and multiplies by, once for all iterations."""
    if updates(inner.region.nodes):
        return
    for node in inner.region.nodes:
        if node.op is None or not _takes_turned(node.op) or node.ins[1] not in fixed:
            continue
        matrix = inner.operand(node.ins[1])
        if node.ins[1] in inner.turned or type(matrix) is not Value or len(matrix.shape) != 2:
            continue
        k, n = matrix.shape
        turned = inner.turned[node.ins[1]] = c.builder.temporary(matrix.dtype, (n, k))
        strided(c, turned, c.ready(matrix), (n, k), [1, n], [k, 1])


def shortened(c: Emission, node: Any, ins: list[Value]) -> bool:
    """Compile a node of a loop in a way that is quicker than that of its emitter, if there is one."""
    if node.op is None:
        return False
    shorter = _SHORTER.get(node.op.type)
    return shorter is not None and shorter(c, node, ins)


def _takes_turned(op: Any) -> bool:
    """Whether a node multiplies by a transposed matrix."""
    return _SHORTER.get(op.type) is _turned_product and op.attrs["transpose_b"]


def _turned_product(c: Emission, node: Any, ins: list[Value]) -> bool:
    """A product with a matrix that has been transposed before the loop."""
    turned = c.turned.get(node.ins[1]) if _takes_turned(node.op) else None
    a = ins[0] if ins else None
    if turned is None or a is None or len(a.shape) != 2 or a.dtype != F32 or turned.dtype != F32:
        return False
    ta = node.op.attrs["transpose_a"]
    m, k = a.shape[::-1] if ta else a.shape
    if k != turned.shape[0] or m < _FEW_ROWS:
        return False
    n = turned.shape[1]
    product(c, c.result(node.outs[0], F32, (m, n)), a, turned, m, n, k, ta)
    return True


def _added_up(c: Emission, node: Any, ins: list[Value]) -> bool:
    """A sum of products over the iterations: each product adds to the variable where it lies."""
    rows = c.builder.rows
    # Not those of a loop inside of this one.
    start = max((end for first, end in c.builder.loops if first >= c.start), default=c.start)
    for total, term in ((0, 1), (1, 0)):
        own, value = ins[total], ins[term]
        if (
            c.sums.get(node.ins[total]) != node.outs[0]
            or c.uses(node.ins[total]) != 1
            or c.uses(node.outs[0]) != 1
            or own.shape != value.shape
            or value.constant is not None
            or not c.is_last_use(value)
        ):
            continue
        for number in range(len(rows) - 1, start - 1, -1):
            row = rows[number]
            if type(row) is Branch:
                break
            if type(row) is Matmul and row.out == value.buffer and not row.adds:
                row.out, row.adds = own.buffer, 1
                c.builder.buffers[value.buffer].first = -1
                c.builder.touch([own.buffer])
                c.give(node.outs[0], own)
                return True
            if type(row) is Reduce and row.out == value.buffer and (row.kind, row.outer) == (0, 1):
                rows[number] = RowSums(out=own.buffer, x=row.x, rows=row.size, columns=row.inner)
                rows[number].node = row.node
                c.builder.buffers[value.buffer].first = -1
                c.builder.touch([own.buffer])
                c.give(node.outs[0], own)
                return True
    return False


_SHORTER = {"Add": _added_up, "AddV2": _added_up, "MatMul": _turned_product}


def _lists_last(work: list[Any]) -> list[Any]:
    """The work of a body with elements put into lists just before something reads these: what reads the list as it was
    comes before, and it may be changed where it lies."""
    if not any(tensor_lists.puts_element(w.node) for w in work):
        return work
    waiting: dict[int, Any] = {}  # by the slot of the list
    result: list[Any] = []

    def add(w: Any) -> None:
        for slot in (*w.ins, *(slot for slot, _ in (w.guard if w.loop is None else w.loop.guard))):
            if slot in waiting:
                add(waiting.pop(slot))
        result.append(w)

    for w in work:
        if tensor_lists.puts_element(w.node) and w.loop is None:
            waiting[w.outs[0]] = w
        else:
            add(w)
    while waiting:
        add(waiting.pop(next(iter(waiting))))
    return result


def loop(c: Emission, frame: WhileFrame) -> None:
    """A while frame: condition, body, and copies of the new values over the old ones, until the condition is false."""
    builder = c.builder
    needed = {frame.predicate, *(n for _, _, n in frame.merges), *(inner for inner, _ in frame.exits)}
    region = loop_region(frame, _lists_last(frame.body_work))
    template = frame.template
    given: dict[int, Value] = {inner: c.operand(outer) for outer, inner in frame.enters}
    merged: list[tuple[int, Value]] = []
    changed: list[tuple[int, tensor_lists.ListHandle]] = []
    read = {slot for node in region.nodes for slot in node.ins} if tensor_lists.among(given.values()) else set()
    for slot, enter, following in frame.merges:
        value = given.get(enter)
        if value is None:
            if not isinstance(template[enter], (np.ndarray, np.generic)):
                raise Declined("a loop over something that is no array")
            array = np.asarray(template[enter])
            value = Value(array.dtype, array.shape, constant=array)
        if following == slot:
            given[slot] = value
            continue
        if type(value) is tensor_lists.ListHandle:
            shared = sum(other == enter for _, other, _ in frame.merges) > 1 or enter in read
            handle = given[slot] = tensor_lists.enter(c, value, shared)
            changed.append((following, handle))
            continue
        if type(value) is not Value:
            raise Declined("a loop that changes a handle")
        own = given[slot] = builder.temporary(value.dtype, value.shape)
        c.emit(Copy(out=own, x=c.ready(value), bytes=value.size * value.dtype.itemsize))
        merged.append((following, own))
    inputs = [given.get(slot) for slot in region.inputs]
    if None in inputs:
        raise Declined("a loop over something that is no array")
    inner = type(c)(region, inputs, c)
    for _, handle in changed:
        handle.owner = inner
    for slot, value in given.items():
        if slot not in inner.values:
            inner.give(slot, value)
    for slot in (*needed, *(s for s, _ in frame.exits)):
        if slot not in inner.values and isinstance(template[slot], (np.ndarray, np.generic)):
            array = np.asarray(template[slot])
            inner.values[slot] = Value(array.dtype, array.shape, constant=array)
    _turn_matrices(c, inner, {slot for slot, value in given.items() if all(value is not own for _, own in merged)})
    inner.sums = {slot: following for slot, _, following in frame.merges}
    start = len(builder.rows)
    inner.start = start + 1
    row = Loop()
    builder.emit(row)
    builder.controlled = True
    updated = set(builder.updated)
    split = len(frame.condition_work)
    inner.walk(0, split)
    predicate = inner.operand(frame.predicate)
    if predicate.dtype != np.bool_ or predicate.size != 1:
        raise Declined("a condition that is no truth value")
    row.predicate = builder.buffer_of(inner.ready(predicate))
    builder.touch([row.predicate])
    row.condition = len(builder.rows) - start - 1
    inner.walk(split, len(region.nodes))
    moves = []
    changing = {own.buffer for _, own in merged}
    for following, own in merged:
        value = inner.ready(inner.operand(following))
        if type(value) is not Value or value.dtype != own.dtype or value.shape != own.shape:
            raise Declined("a loop variable that changes its shape")
        if value.constant is None and value.buffer == own.buffer:
            continue
        nbytes = own.size * own.dtype.itemsize
        if value.constant is None and value.buffer in changing:
            # The other variable may be overwritten before this one is copied.
            copied = builder.temporary(value.dtype, value.shape)
            builder.emit(Copy(out=copied, x=value, bytes=nbytes))
            value = copied
        moves.append((own.buffer, builder.buffer_of(value), nbytes))
    for following, handle in changed:
        for to, made, nbytes in tensor_lists.follow(handle, inner.operand(following)):
            moves.append((to.buffer, builder.buffer_of(made), nbytes))
        handle.owner = c
    if changed and not {to for to, _, _ in moves}.isdisjoint([made for _, made, _ in moves]):
        raise Declined("lists that change places")
    row.body = len(builder.rows) - start - 1 - row.condition
    row.moves, row.move_count = len(builder.code), len(moves)
    row.every = max(1, _POLLED // (1 + row.condition + row.body))
    for target, source, nbytes in moves:
        builder.code += [target, source, nbytes & 0x7FFFFFFF, nbytes >> 31]
        builder.touch([target, source])
    builder.touch([*changing, row.predicate])
    builder.loops.append((start, len(builder.rows)))
    if builder.updated != updated:
        builder.first_update = min(builder.first_update, start)
    for slot, outer in frame.exits:
        c.give(outer, inner.operand(slot))
