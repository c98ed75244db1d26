"""Compiled regions: specialisations by input shapes, and their runs in one native call each."""
from __future__ import annotations

import os
import struct
import sys
import threading
import weakref
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from ossia_backend_cffi.compile.calls import Watch
from ossia_backend_cffi.compile.compilation import Compilation
from ossia_backend_cffi.compile.shape_values import follows_from_shapes
from ossia_backend_cffi.emitters.tensor_lists import is_of_handles
from ossia_backend_cffi.loader import native, stack_bytes
from ossia_backend_cffi.passes import dense_layers, gradients, image_groups, onednn, row_loop_sharing
from ossia_backend_cffi.program.builder import Declined, NotReady, Value
from ossia_backend_cffi.program.instructions import BYTES, node_of
from ossia_backend_cffi.run.cut import Cut, Parts
from ossia_backend_cffi.run.row_counts import nodes_of_rows
from ossia_backend_cffi.run.specialisations import KnownShapes
from ossia_core.backend import collector, moves, renewed
from ossia_core.names import errors

if TYPE_CHECKING:
    from ossia_core.backend import Region

_SMALL = 64                 # elements of an input whose value a program may be made for
_FRAMES = 4                 # frames that a specialisation keeps for runs side by side
_TURNS = 1 << 20            # bytes of a result from which two arrays take turns
_KEPT_RESULT = 1 << 27      # bytes of a result whose memory is used again once the caller has dropped it
_THREADS = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
_MOST_THREADS = 64
_ERRORS = {
    1: "an index is out of range",
    2: "an integer is divided by zero",
    3: "an array or stack is used wrongly",
    6: "an index is out of range",
    8: "lr is not a positive scalar: []",
    9: "l1 regularization strength is not a non-negative scalar: []",
    10: "l2 regularization strength is not a non-negative scalar: []",
    11: "l2 shrinkage regularization strength is not a non-negative scalar: []",
    12: "lr_power is not a non-positive scalar: []",
}
_REFUSED, _NO_MEMORY, _STOPPED, _CHANGED = 3, 4, 5, 6  # as in c/program/program.h
_UNKNOWN = object()


class _Holder:
    value: Any


def _unshared() -> tuple[int, int]:
    """What `sys.getrefcount` says of an array that one attribute refers to, and of one in a list and a local
    variable."""
    holder = _Holder()
    holder.value = np.zeros(1)
    of_attribute = sys.getrefcount(holder.value)
    array = np.zeros(1)
    kept = [array]
    del array
    for array in kept:
        return of_attribute, sys.getrefcount(array)
    raise AssertionError


_IN_STATE, _IN_LIST = _unshared()


def _lock_of_updates() -> Any:
    return renewed(threading.Lock())


class RegionProgram:
    """One region, specialised by input shapes."""

    def __init__(self, region: Region) -> None:
        self._region = region
        self._known = KnownShapes()
        self._lock = renewed(threading.Lock())
        self._last: tuple[Any, Specialisation | Parts | None] = None, None
        self._beside: Region | None = None  # what runs where a handle comes in
        self._new: Parts | None = None         # what runs new shapes, where all that come differ in rows only
        self._is_judged = False                # whether they do is known
        # Inputs that are known once the shapes are: programs are made for their values too.
        tensors = [region.tensors.get(slot) for slot in region.inputs]
        self._known_by_shapes = [i for i, tensor in enumerate(tensors) if _is_known_by_shapes(tensor)]

    def __call__(self, context: Any, inputs: list[Any]) -> Sequence[Any]:
        key: list[Any] = [(x.shape, x.dtype) if isinstance(x, (np.ndarray, np.generic)) else None for x in inputs]
        for i in self._known_by_shapes:
            if key[i] is not None and inputs[i].size <= _SMALL:
                key[i] = (*key[i], inputs[i].tobytes())
        last, found = self._last
        if key != last:
            if None in key:
                return self._with_handles(inputs, context)
            found = self._specialised(tuple(key), inputs)
            if found is not None:
                self._last = key, found
        if found is not None:
            results = found.run(inputs, context)
            if results is not None:
                return results
            self._forget(tuple(key))
        return self._region.interpret(inputs, context)

    def _with_handles(self, inputs: list[Any], context: Any) -> list[Any]:
        """Run it where a handle comes in, which no program takes: nodes of handles on NumPy, the rest in regions."""
        with self._lock:
            if self._beside is None:
                at = next((i for i, w in enumerate(self._region.nodes) if w.op is not None and is_of_handles(w.op)), -1)
                self._beside = self._region if at < 0 else Cut(self._region, at).region
        return self._beside.interpret(inputs, context)

    def _forget(self, key: Any) -> None:
        """A variable has another shape than when the specialisation was made, or no value: make a new one next time."""
        self._known.drop(key)
        self._last = None, None

    def _specialised(self, key: Any, inputs: list[Any]) -> Specialisation | Parts | None:
        found, wanted = self._known.get(key)
        if found is None and not self._is_judged:
            self._judge()
        if found is None and self._new is not None:
            return self._new
        if not wanted:
            return found
        try:
            with collector.paused(), np.errstate(all="ignore"):
                given = list(inputs)
                for i in self._known_by_shapes:
                    if inputs[i].size <= _SMALL:
                        shape, dtype, data = key[i]  # which is what the program is found by, whatever is there now
                        array = np.frombuffer(data, dtype).reshape(shape)
                        given[i] = Value(array.dtype, array.shape, constant=array)
                made: Specialisation | Parts = Specialisation(self._region, given)
        except NotReady:
            return None
        except Declined as declined:
            made = Cut(self._region, declined.node or 0)
        self._known.put(key, made)
        return made


    def _judge(self) -> None:
        """See, once many shapes have come that do not come again, what it is in which they differ."""
        once = self._known.once()
        if once:
            with self._lock:
                if not self._is_judged:
                    apart = nodes_of_rows(self._region, once)
                    self._new = Parts(self._region, apart) if apart else None
                    self._is_judged = True


def _is_known_by_shapes(tensor: Any) -> bool:
    return tensor is not None and tensor.dtype.base_dtype.is_integer and follows_from_shapes(tensor.op)


def _is_guarded(node: Any) -> bool:
    return bool(node.guard if node.loop is None else node.loop.guard)


class Frame:
    """What one run needs for itself: the arena, the table of buffers, and the results' arrays."""

    __slots__ = (
        *("arena", "bound", "gone", "moved", "pointers", "positions", "references", "results", "scratch", "spare"),
        "stacks",
    )

    def __init__(
        self, positions: list[np.ndarray], arena: np.ndarray, pointers: Any, scratch: Any, variables: int, results: int,
        stacks: Any,
    ) -> None:
        self.positions, self.stacks = positions, stacks
        self.arena, self.pointers, self.scratch = arena, pointers, scratch
        # Weakly, so that the buffers of variables have no other owner than the variables between runs.
        self.references: list[Any] = [_nothing] * variables
        bound: list[int] = [0] * variables
        self.bound, self.gone = bound, lambda _: bound.clear()  # their identities; none once one of them is gone
        self.moved: object = _UNKNOWN  # what `moves.last` was when they were found there
        self.results: list[Any] = [None] * results
        self.spare: list[Any] = [None] * results   # the results before those, for when the caller has dropped them


def _nothing() -> None:
    return None


class Specialisation:
    """A program for given shapes: its instructions, and frames for the runs that are under way side by side."""

    def __init__(self, region: Region, inputs: Sequence[Any]) -> None:
        module = native()
        assert module is not None
        self._ffi, self._lib = module.ffi, module.lib
        compilation = Compilation(region, inputs)
        try:
            compilation.run()
            self._plan_outputs(region, compilation)
        except Declined as declined:
            if declined.node is None:
                declined.node = compilation.number
            raise
        builder = compilation.builder
        row_loop_sharing.share(builder)
        onednn.take_over(builder, grouped=False)
        gradients.take_in(builder)
        dense_layers.join(builder)
        image_groups.group(builder)
        onednn.take_over(builder, grouped=True)
        self._ops = builder.ops
        self._table = builder.table()
        self._instructions = self._ffi.cast("oc_instr *", self._ffi.from_buffer(self._table))
        self._count = len(self._table) // BYTES
        code = builder.code or [0]
        self._code = bytearray(struct.pack(f"{len(code)}i", *code))
        self._code_pointer = self._ffi.cast("int32_t *", self._ffi.from_buffer(self._code))
        self._arena_bytes = builder.plan_arena()
        self.arena_bytes = self._arena_bytes + builder.scratch
        self._scratch, self._kept, self._calls = builder.scratch, builder.kept, builder.calls
        self._offsets = np.array([buffer.offset for buffer in builder.buffers], np.uintp)
        outside = [(i, b) for i, b in enumerate(builder.buffers) if b.kind != "arena"]
        by_slot = {b.source: i for i, b in outside if b.kind == "input"}
        self._inputs = [by_slot.get(slot, -1) for slot in region.inputs]
        self._states: list[Any] = []     # of variables
        self._private: list[Any] = []    # those of resource variables that the program changes
        self._variables: list[tuple[int, tuple[int, ...], np.dtype]] = []
        held: dict[int, Any] = {}        # locks by identity: variables that are read by handle share one
        read: dict[int, Any] = {}
        for index, buffer in outside:
            if buffer.kind == "variable":
                self._states.append(buffer.source)
                self._variables.append((index, buffer.shape, buffer.dtype))
                lock, by_handle = buffer.source.lock, not compilation.by_reference[index]
                if index in builder.updated and by_handle:
                    self._private.append(buffer.source)
                    held[id(lock)] = lock
                elif index in builder.counted:
                    held[id(lock)] = lock
                elif by_handle:
                    read[id(lock)] = lock
        self._place = {id(state): n for n, state in enumerate(self._states)}
        self._constants = [(i, b.array) for i, b in outside if b.array is not None and b.array.size]
        self._draws = [(i, b.source) for i, b in outside if b.kind == "position"]
        self._locks = [held[key] for key in sorted(held)]
        self._read = [lock for key, lock in read.items() if key not in held]
        self._updates = bool(builder.updated)
        self._updating: Any = None, None  # a session's state, and the lock of its programs that update variables
        self._first_update = builder.position_of_update()
        self._controlled, self._stacks = builder.controlled or bool(builder.stacks), builder.stacks
        try:
            self._frames: list[Frame] = [self._frame()]
        except MemoryError:
            raise Declined("an arena that does not fit into memory") from None

    def _plan_outputs(self, region: Region, compilation: Compilation) -> None:
        """How each output of the region is found after a run."""
        builder = compilation.builder
        self._outputs: list[tuple[str, Any, tuple[int, ...]]] = []
        self._own: list[tuple[int, np.dtype, tuple[int, ...]]] = []
        own: dict[int, int] = {}
        producers: dict[int, Any] = {}
        for slot in region.outputs:
            value = compilation.values.get(slot)
            if value is None and any(slot in node.outs and _is_guarded(node) for node in region.nodes):
                # Of a branch that is never taken for these shapes: nothing will read it.
                self._outputs.append(("nothing", None, ()))
                continue
            if value is None or type(value) is not Value or value.buffer in builder.lent:
                at = next(i for i, node in enumerate(region.nodes) if slot in node.outs)
                raise Declined("an output that is not computed, a handle, or a part of an array", at)
            if value.constant is not None:
                self._outputs.append(("constant", value.constant, value.shape))
                continue
            buffer = builder.buffers[value.buffer]
            if buffer.kind == "variable":
                tensor = region.tensors.get(slot)
                if not producers:
                    producers = {slot: node for node in region.nodes for slot in node.outs}
                node = producers[slot]
                if tensor is not None and tensor.dtype._is_ref_dtype:
                    self._outputs.append(("state", buffer.source, value.shape))
                elif node.op is None or node.op.definition.gives_buffer or region.shares(slot):
                    self._outputs.append(("buffer", buffer.source, value.shape))
                else:
                    self._outputs.append(("copy", buffer.source, value.shape))
            elif buffer.kind == "input":
                kind = "passed" if region.shares(slot) else "input"
                self._outputs.append((kind, region.inputs.index(buffer.source), value.shape))
            elif value.buffer in own:
                self._outputs.append(("again", own[value.buffer], value.shape))
            else:
                buffer.kind = "output"
                own[value.buffer] = len(self._own)
                self._outputs.append(("own", len(self._own), value.shape))
                self._own.append((value.buffer, value.dtype, value.shape))
        self._large = [n for n, (index, _, _) in enumerate(self._own) if builder.buffers[index].nbytes > _KEPT_RESULT]

    def _frame(self) -> Frame:
        ffi = self._ffi
        arena = np.empty(self._arena_bytes + self._scratch + 128, np.uint8)
        base = int(ffi.cast("uintptr_t", ffi.from_buffer(arena)))
        base += -base % 64
        pointers = ffi.new("char *[]", max(len(self._offsets), 1))
        # What has no elements may point anywhere, but not nowhere.
        addresses = self._offsets + np.uintp(base)
        ffi.memmove(pointers, addresses, addresses.nbytes)
        for index, array in self._constants:
            pointers[index] = ffi.from_buffer(array)
        positions = [np.zeros(3, np.uint64) for _ in self._draws]
        for (index, _), position in zip(self._draws, positions, strict=True):
            pointers[index] = ffi.from_buffer(position)
        return Frame(
            positions,
            arena,
            pointers,
            ffi.cast("char *", base + self._arena_bytes),
            len(self._variables),
            len(self._own),
            self._new_stacks() if self._stacks else ffi.NULL,
        )

    def _new_stacks(self) -> Any:
        free, count = self._lib.oc_free_stacks, self._stacks
        return self._ffi.gc(self._ffi.new("oc_stack[]", count), lambda stacks: free(stacks, count))

    def run(self, inputs: Sequence[Any], context: Any) -> list[Any] | None:
        """The region's outputs; None if a variable has changed its shape or has no value, or a node fails before any
        update.

        Raises:
          InvalidArgumentError: a node refused its input.
        """
        try:
            frame = self._frames.pop()
        except IndexError:
            frame = self._frame()
        pointers, from_buffer = frame.pointers, self._ffi.from_buffer
        kept = []
        for index, value in zip(self._inputs, inputs):
            if index >= 0:
                if type(value) is not np.ndarray or not (
                    (flags := value.flags).carray or (flags.c_contiguous and flags.aligned)
                ):
                    value = np.array(value, order="C")
                if value.size:
                    pointers[index] = from_buffer(value)
            kept.append(value)
        results, spare = frame.results, frame.spare
        for n, (index, dtype, shape) in enumerate(self._own):
            array = results[n]
            if array is None or sys.getrefcount(array) > _IN_LIST:
                # A caller that drops a result only when it has the next one lets two arrays take turns.
                used, array = array, spare[n]
                spare[n] = None
                if array is None or sys.getrefcount(array) > _IN_LIST - 1:
                    try:
                        array = np.empty(shape, dtype)
                    except MemoryError:
                        return None  # nothing has run: step by step, the node that asks for too much reports it
                if used is not None and used.nbytes >= _TURNS:
                    spare[n] = used
                results[n] = array
                if array.size:
                    pointers[index] = from_buffer(array)
        array = None
        held: list[Any] = []
        failure: list[Exception] = []
        if not self._updates:
            code = self._call(frame, context, held, failure)
        else:
            if self._updating[0] is not context.session_state:
                state = context.session_state
                self._updating = state, state.node_state("ossia_backend_cffi/updates", _lock_of_updates)
            with self._updating[1]:
                for lock in self._locks:
                    lock.acquire()
                try:
                    code = self._call(frame, context, held, failure)
                finally:
                    for lock in self._locks:
                        lock.release()
        if code:
            self._frames.append(frame)
            if code > 0 and (self._first_update < code // 16 - 1 or code % 16 in (_NO_MEMORY, _STOPPED, _CHANGED)):
                self._fail(code, failure)
            return None
        found = self._results(frame, kept, held)
        for n in self._large:
            results[n] = spare[n] = None
        if len(self._frames) < _FRAMES:
            self._frames.append(frame)
        return found

    def _call(self, frame: Frame, context: Any, held: list[Any], failure: list[Exception]) -> int:
        """Run the instructions on the variables' arrays, which are put into `held`: 0, the native error, or -1 if a
        variable does not fit. What a step that they called has raised is put into `failure`."""
        pointers = frame.pointers
        for state in self._private:
            if sys.getrefcount(state.value) > _IN_STATE and state.value is not None:
                # An earlier read still refers to the buffer: leave it what it saw.
                state.value = state.value.copy()
        # Most runs find every variable where the one before has left it; the list keeps them there.
        last = moves.last
        held += [state.value for state in self._states]
        for lock in self._read:  # an update that saw no reference to what it changes in place is over then
            lock.acquire()
            lock.release()
        if frame.moved is not last or moves.last is not last:
            if frame.bound != list(map(id, held)) and not self._bind(frame, held):
                return -1
            frame.moved = last or _UNKNOWN
        session_state = context.session_state
        threads = min(session_state.threads or _THREADS, _MOST_THREADS)
        for (_, draw), position in zip(self._draws, frame.positions, strict=True):
            draw.place(position, session_state)
        if not self._controlled:
            code, flush = self._code_pointer, self._updates
            return self._lib.oc_run(self._instructions, self._count, pointers, code, frame.scratch, threads, flush)
        watched = Watch(context, self._ffi, self._calls)
        handle = self._ffi.new_handle(watched)
        code = self._lib.oc_run_controlled(
            self._instructions,
            self._count,
            pointers,
            self._code_pointer,
            frame.scratch,
            threads,
            self._updates,
            frame.stacks,
            self._stacks,
            handle,
            stack_bytes(),
        )
        if watched.error is not None:
            self._frames.append(frame)
            raise watched.error
        failure += [watched.failure] if watched.failure is not None else []
        if code and self._stacks:
            self._lib.oc_free_stacks(frame.stacks, self._stacks)
        return code

    def _bind(self, frame: Frame, held: list[Any]) -> bool:
        """Let the table of buffers point at the variables' arrays; False if one has none, or of another shape."""
        frame.bound.clear()
        for n, (state, (index, shape, dtype)) in enumerate(zip(self._states, self._variables, strict=True)):
            array = held[n]
            if array is None or array.shape != shape or array.dtype != dtype:
                return False
            if frame.references[n]() is array:
                continue
            if not (flags := array.flags).c_contiguous or not flags.writeable or not flags.aligned:
                array = held[n] = state.value = np.array(array, order="C")
            frame.references[n] = weakref.ref(array, frame.gone)
            if array.size:
                frame.pointers[index] = self._ffi.from_buffer(array)
        frame.bound[:] = map(id, held)
        return True

    def _results(self, frame: Frame, inputs: Sequence[np.ndarray], held: Sequence[np.ndarray]) -> list[Any]:
        """The outputs; of variables the arrays `held`, as other threads may have given them others since."""
        found = []
        for kind, what, shape in self._outputs:
            if kind == "own":
                found.append(frame.results[what])
            elif kind == "state":
                found.append(what)
            elif kind == "nothing":
                found.append(None)
            elif kind == "constant":
                found.append(np.array(what, order="C"))
            elif kind == "buffer":
                found.append(held[self._place[id(what)]].reshape(shape))
            elif kind == "copy":
                found.append(held[self._place[id(what)]].reshape(shape).copy())
            elif kind == "passed":
                found.append(inputs[what].reshape(shape))
            elif kind == "input":
                found.append(inputs[what].reshape(shape).copy())
            else:
                found.append(frame.results[what].reshape(shape).copy())
        return found

    def _fail(self, code: int, failure: list[Exception]) -> None:
        if failure and code % 16 == _REFUSED:
            raise failure[0]
        op = self._ops[node_of(self._table, code // 16 - 1)]
        if code % 16 == _NO_MEMORY:
            raise errors.ResourceExhaustedError(None, op, "Out of memory: the values that a loop keeps are too many")
        raise errors.InvalidArgumentError(
            None, op, f"{op.type if op is not None else 'node'}: {_ERRORS.get(code % 16, 'failed')}"
        )
