"""Compiled regions: specialisations by input shapes, and their runs in one native call each."""
from __future__ import annotations

import os
import sys
import threading
import weakref
from collections import OrderedDict
from collections.abc import Sequence
from typing import Any

import numpy as np

from ossia_backend_cffi.compilation import Compilation
from ossia_backend_cffi.loader import native
from ossia_backend_cffi.program import Declined, NotReady
from ossia_core import errors
from ossia_core.session.regions import Region

_SPECIALISATIONS = 16
_EAGER = 4                  # specialisations that are made at first sight; further shapes must come twice
_FRAMES = 4                 # frames that a specialisation keeps for runs side by side
_TURNS = 1 << 20            # bytes of a result from which two arrays take turns
_KEPT_RESULT = 1 << 27      # bytes of a result whose memory is used again once the caller has dropped it
_THREADS = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
_MOST_THREADS = 64
_ERRORS = {1: "an index is out of range", 2: "an integer is divided by zero"}


class _Holder:
    __slots__ = ("value",)
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


class RegionProgram:
    """One region: specialisations by input shapes, the least recently used ones dropped."""

    def __init__(self, region: Region) -> None:
        self._region = region
        self._known: OrderedDict[Any, Specialisation | None] = OrderedDict()
        self._seen: OrderedDict[Any, None] = OrderedDict()
        self._lock = threading.Lock()
        self._last: tuple[Any, Specialisation | None] = None, None

    def __call__(self, context: Any, inputs: list[Any]) -> Sequence[Any]:
        key = [(x.shape, x.dtype) if isinstance(x, (np.ndarray, np.generic)) else None for x in inputs]
        last, found = self._last
        if key != last:
            if None in key:
                return self._region.interpret(inputs, context)
            found = self._specialised(tuple(key), inputs)
            if found is not None:
                self._last = key, found
        if found is not None:
            try:
                results = found.run(inputs, context)
            except MemoryError:
                results = None  # before anything has run: step by step, the node that asks for too much reports it
            if results is not None:
                return results
            self._forget(tuple(key))
        return self._region.interpret(inputs, context)

    def _forget(self, key: Any) -> None:
        """A variable has another shape than when the specialisation was made, or no value: make a new one next time."""
        with self._lock:
            self._known.pop(key, None)
            self._last = None, None

    def _specialised(self, key: Any, inputs: list[Any]) -> Specialisation | None:
        with self._lock:
            if key in self._known:
                self._known.move_to_end(key)
                return self._known[key]
            if len(self._known) >= _EAGER and key not in self._seen:
                # Shapes that change with every run are not worth a program each.
                self._seen[key] = None
                while len(self._seen) > _SPECIALISATIONS:
                    self._seen.popitem(last=False)
                return None
        try:
            made: Specialisation | None = Specialisation(self._region, inputs)
        except NotReady:
            return None
        except Declined:
            made = None
        with self._lock:
            self._known[key] = made
            while len(self._known) > _SPECIALISATIONS:
                self._known.popitem(last=False)
        return made


class Frame:
    """What one run needs for itself: the arena, the table of buffers, and the results' arrays."""

    __slots__ = ("arena", "pointers", "positions", "references", "results", "scratch", "spare")

    def __init__(
        self, positions: list[np.ndarray], arena: np.ndarray, pointers: Any, scratch: Any, variables: int, results: int
    ) -> None:
        self.positions = positions
        self.arena, self.pointers, self.scratch = arena, pointers, scratch
        # Weakly, so that the buffers of variables have no other owner than the variables between runs.
        self.references: list[Any] = [_nothing] * variables
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
        compilation.run()
        builder = self._builder = compilation.builder
        self._region = region
        self._plan_outputs(compilation)
        self._table = builder.table()
        self._instructions = self._ffi.cast("oc_instr *", self._ffi.from_buffer(self._table))
        self._count = len(self._table)
        self._code = np.array(builder.code or [0], np.int32)
        self._code_pointer = self._ffi.cast("int32_t *", self._ffi.from_buffer(self._code))
        self._arena_bytes = builder.plan_arena()
        by_slot = {b.source: i for i, b in enumerate(builder.buffers) if b.kind == "input"}
        self._inputs = [by_slot[slot] for slot in region.inputs]
        slots = {id(state): slot for slot, state in compilation.states.items()}
        self._variables = []
        for index, buffer in enumerate(builder.buffers):
            if buffer.kind == "variable":
                state, updated = buffer.source, index in builder.updated
                tensor = region.tensors.get(slots[id(state)])
                by_reference = tensor is not None and tensor.dtype._is_ref_dtype
                self._variables.append((state, index, buffer.shape, buffer.dtype, updated and not by_reference))
        self._draws = [(i, b.source) for i, b in enumerate(builder.buffers) if b.kind == "position"]
        self._locks = [
            b.source.lock for i, b in enumerate(builder.buffers) if b.kind == "variable" and i in builder.counted
        ]
        self._locks.sort(key=id)
        self._updates = bool(builder.updated)
        self._first_update = builder.first_update
        try:
            self._frames: list[Frame] = [self._frame()]
        except MemoryError:
            raise Declined("an arena that does not fit into memory") from None

    def _plan_outputs(self, compilation: Compilation) -> None:
        """How each output of the region is found after a run."""
        region, builder = self._region, compilation.builder
        self._outputs: list[tuple[str, Any, tuple[int, ...]]] = []
        self._own: list[tuple[int, np.dtype, tuple[int, ...]]] = []
        own: dict[int, int] = {}
        producers = {slot: node for node in region.nodes for slot in node.outs}
        for slot in region.outputs:
            value = compilation.values.get(slot)
            if value is None:
                raise Declined("an output that is not computed")
            if value.constant is not None:
                self._outputs.append(("constant", value.constant, value.shape))
                continue
            buffer = builder.buffers[value.buffer]
            if buffer.kind == "variable":
                tensor = region.tensors.get(slot)
                node = producers[slot]
                if tensor is not None and tensor.dtype._is_ref_dtype:
                    self._outputs.append(("state", buffer.source, value.shape))
                elif node.op is None or node.op.type == "ReadVariableOp":
                    self._outputs.append(("buffer", buffer.source, value.shape))
                else:
                    self._outputs.append(("copy", buffer.source, value.shape))
            elif buffer.kind == "input":
                self._outputs.append(("input", region.inputs.index(buffer.source), value.shape))
            elif value.buffer in own:
                self._outputs.append(("again", own[value.buffer], value.shape))
            else:
                buffer.kind = "output"
                own[value.buffer] = len(self._own)
                self._outputs.append(("own", len(self._own), value.shape))
                self._own.append((value.buffer, value.dtype, value.shape))

    def _frame(self) -> Frame:
        buffers, ffi = self._builder.buffers, self._ffi
        arena = np.empty(self._arena_bytes + self._builder.scratch + 128, np.uint8)
        base = int(ffi.cast("uintptr_t", ffi.from_buffer(arena)))
        base += -base % 64
        pointers = ffi.new("char *[]", max(len(buffers), 1))
        for index, buffer in enumerate(buffers):
            # What has no elements may point anywhere, but not nowhere.
            pointers[index] = ffi.cast("char *", base + buffer.offset)
            if buffer.array is not None and buffer.kind == "constant" and buffer.array.size:
                pointers[index] = ffi.from_buffer(buffer.array)
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
        )

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
            if type(value) is not np.ndarray or not (flags := value.flags).c_contiguous or not flags.aligned:
                value = np.array(value, order="C")
            kept.append(value)
            if value.size:
                pointers[index] = from_buffer(value)
        results, spare = frame.results, frame.spare
        for n, (index, dtype, shape) in enumerate(self._own):
            array = results[n]
            if array is None or sys.getrefcount(array) > _IN_LIST:
                # A caller that drops a result only when it has the next one lets two arrays take turns.
                used, array = array, spare[n]
                spare[n] = None
                if array is None or sys.getrefcount(array) > _IN_LIST - 1:
                    array = np.empty(shape, dtype)
                if used is not None and used.nbytes >= _TURNS:
                    spare[n] = used
                results[n] = array
                if array.size:
                    pointers[index] = from_buffer(array)
        array = None
        if not self._updates:
            code = self._call(frame, context.session_state)
        else:
            with context.session_state.node_state("ossia_backend_cffi/updates", threading.Lock):
                for lock in self._locks:
                    lock.acquire()
                try:
                    code = self._call(frame, context.session_state)
                finally:
                    for lock in self._locks:
                        lock.release()
        if code:
            if code > 0 and self._first_update < code // 16 - 1:
                self._fail(code)
            self._frames.append(frame)
            return None
        found = self._results(frame, kept)
        for n, array in enumerate(results):
            if array.nbytes > _KEPT_RESULT:
                results[n] = spare[n] = None
        if len(self._frames) < _FRAMES:
            self._frames.append(frame)
        return found

    def _call(self, frame: Frame, session_state: Any) -> int:
        """Run the instructions: 0, the native error, or -1 if a variable does not fit."""
        pointers, references = frame.pointers, frame.references
        held = []
        for n, (state, index, shape, dtype, private) in enumerate(self._variables):
            if private and sys.getrefcount(state.value) > _IN_STATE and state.value is not None:
                # An earlier read still refers to the buffer: leave it what it saw.
                state.value = state.value.copy()
            array = state.value
            held.append(array)
            if references[n]() is not array or array is None:
                if array is None or array.shape != shape or array.dtype != dtype:
                    return -1
                if not (flags := array.flags).c_contiguous or not flags.writeable or not flags.aligned:
                    array = state.value = np.array(array, order="C")
                    held.append(array)
                references[n] = weakref.ref(array)
                if array.size:
                    pointers[index] = self._ffi.from_buffer(array)
        for (_, draw), position in zip(self._draws, frame.positions):
            draw.place(position, session_state)
        threads = session_state.threads or _THREADS
        return self._lib.oc_run(
            self._instructions, self._count, pointers, self._code_pointer, frame.scratch, min(threads, _MOST_THREADS)
        )

    def _results(self, frame: Frame, inputs: Sequence[np.ndarray]) -> list[Any]:
        found = []
        for kind, what, shape in self._outputs:
            if kind == "own":
                found.append(frame.results[what])
            elif kind == "state":
                found.append(what)
            elif kind == "constant":
                found.append(np.array(what, order="C"))
            elif kind == "buffer":
                found.append(what.value.reshape(shape))
            elif kind == "copy":
                found.append(what.value.reshape(shape).copy())
            elif kind == "input":
                found.append(inputs[what].reshape(shape).copy())
            else:
                found.append(frame.results[what].reshape(shape).copy())
        return found

    def _fail(self, code: int) -> None:
        row = self._table[code // 16 - 1]
        node = self._region.nodes[int(row["node"])].op
        raise errors.InvalidArgumentError(
            None, node, f"{node.type if node is not None else 'node'}: {_ERRORS.get(code % 16, 'failed')}"
        )
