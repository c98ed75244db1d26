"""Datasets that call functions on elements: map, filter, flat_map, interleave, scan, take_while, reduce."""
from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from ossia_core.declare.opdef import OpDef, op
from ossia_core.names import errors
from ossia_data.ahead import Ahead, Workers
from ossia_data.batches import Batch
from ossia_data.elements import OUTPUTS, Body, Element, Elements, Iteration, dataset_op, scalar
from ossia_data.positions import Placed, Position, Unsaved, go_to, keep

CAPTURED = {"Targuments": "list(type) >= 0"}


class _Calling(Elements):
    """A dataset that calls a function on the elements of another."""

    def __init__(self, source: Elements, body: Body, captured: list, **options: Any) -> None:
        self.inputs, self._body, self._captured = (source,), body, list(captured)
        self.__dict__.update(options)

    def _bound(self, iteration: Iteration) -> Callable[[list], list]:
        function, captured = iteration.function(self._body), self._captured
        return (lambda element: function([*element, *captured])) if captured else function


class Map(_Calling):
    """What a function makes of each element. OutOfRangeError in it ends the dataset."""

    keeps_count = False

    def start(self, iteration: Iteration) -> Iterator[Element]:
        return Mapped(self.input.start(iteration), self._bound(iteration), self.keeps_count)

    def cardinality(self) -> int:
        return self.input.cardinality()


class Mapped(Placed):
    """What a function makes of each element; `keeps_count` makes an end in it an error."""

    place = "Map"

    def __init__(self, source: Iterator[Element], function: Callable[[list], list], keeps_count: bool) -> None:
        self._source, self._function, self._keeps_count = source, function, keeps_count

    def __next__(self) -> Element:
        element = next(self._source)
        try:
            return self._function(element)
        except errors.OutOfRangeError as error:
            if self._keeps_count:
                raise errors.InvalidArgumentError(
                    None, None, f"Function invocation produced OutOfRangeError: {error.message}"
                ) from error
            raise StopIteration from None


class ParallelMap(Map):
    """The same; slow functions are called in several threads."""

    calls: int

    def start(self, iteration: Iteration) -> Iterator[Element]:
        return Workers(self.input.start(iteration), self._bound(iteration), self.calls, iteration)


class Filter(_Calling):
    """The elements for which a function is true."""

    def start(self, iteration: Iteration) -> Iterator[Element]:
        return _Filtered(self.input.start(iteration), self._bound(iteration))


class _Filtered(Placed):
    place = "Filter"
    _ended = False

    def __init__(self, source: Iterator[Element], function: Callable[[list], list]) -> None:
        self._source, self._function = source, function

    def __next__(self) -> Element:
        for element in self._source:
            if _true(self._function(element)):
                return element
        self._ended = True
        raise StopIteration

    def save(self, position: Position, at: str) -> None:
        if self._ended:
            position.put(at, "input_impls_empty")
        else:
            super().save(position, at)
        for what in ("filtered_elements", "dropped_elements"):
            position.put(at, what, 0)

    def restore(self, position: Position, at: str) -> None:
        if position.has(at, "input_impls_empty"):
            self._source = iter(())
        else:
            super().restore(position, at)


def _true(found: list) -> bool:
    if len(found) != 1 or np.ndim(found[0]):
        raise errors.InvalidArgumentError(None, None, "Filter predicate `f` must return a scalar bool.")
    return bool(found[0])


class TakeWhile(_Calling):
    """The elements before the first one for which a function is false."""

    def start(self, iteration: Iteration) -> Iterator[Element]:
        source, function = self.input.start(iteration), self._bound(iteration)
        for element in source:
            if not _true(function(element)):
                return
            yield element


class Interleave(_Calling):
    """Elements of the datasets that a function makes of each element: `block` of each of `cycle` of them in turn."""

    cycle: int
    block: int
    ahead = 0
    flat = False

    def start(self, iteration: Iteration) -> Iterator[Element]:
        return _Interleaved(self.input.start(iteration), self._bound(iteration), iteration, self)


class _Interleaved(Placed):
    """Keeps, beside each dataset that is open, the element of which it was made, and makes it anew from that."""

    def __init__(
        self, source: Iterator[Element], function: Callable[[list], list], iteration: Iteration, dataset: Interleave
    ) -> None:
        self._source, self._function, self._iteration = source, function, iteration
        self._block, self._ahead = dataset.block, dataset.ahead
        self._open: list[Iterator[Element] | None] = [None] * dataset.cycle
        self._made_of: list[Element] = [[]] * dataset.cycle
        self._at, self._given, self._ended, self._count = 0, 0, False, 0
        self.place = "FlatMap" if dataset.flat else "Interleave"

    def _move_on(self) -> None:
        self._given, self._at = 0, (self._at + 1) % len(self._open)

    def __next__(self) -> Element:
        while not self._ended or any(found is not None for found in self._open):
            now = self._open[self._at]
            if now is not None:
                try:
                    found = next(now)
                except StopIteration:
                    self._open[self._at] = None
                    self._move_on()
                    continue
                self._given += 1
                if self._given == self._block:
                    self._move_on()
                return found
            if self._ended:
                self._move_on()
                continue
            try:
                element = next(self._source)
            except StopIteration:
                self._ended = True
                continue
            self._begin(self._at, element)
            self._count += 1
        raise StopIteration

    def _begin(self, number: int, element: Element) -> None:
        opened = self._function(element)[0].start(self._iteration)
        self._open[number] = Ahead(opened, self._ahead, self._iteration) if self._ahead else opened
        self._made_of[number] = element

    def save(self, position: Position, at: str) -> None:
        if self._ahead:
            raise Unsaved
        if self.place == "FlatMap":
            self._save_one(position, at)
            return
        super().save(position, at)
        position.put(at, "cycle_index", self._at)
        position.put(at, "block_index", self._given)
        if self._ended:
            position.put(at, "end_of_input")
        opened = [(i, found) for i, found in enumerate(self._open) if found is not None]
        position.put(at, "num_open", len(opened))
        for i, found in opened:
            keep(found, position, at, i)
            position.put(at, f"args_size[{i}]", len(self._made_of[i]))
            for j, value in enumerate(self._made_of[i]):
                position.put(at, f"args_list_[{i}][{j}]", value)

    def _save_one(self, position: Position, at: str) -> None:
        found = self._open[0]
        if self._ended and found is None:
            position.put(at, "exhausted")
            return
        super().save(position, at)
        position.put(at, "element_index", self._count)
        if found is None:
            position.put(at, "current_element_iterator_uninitialized")
            return
        position.put(at, "captured_func_inputs_size", len(self._made_of[0]))
        for j, value in enumerate(self._made_of[0]):
            if not isinstance(value, (np.ndarray, np.generic, bytes)):
                raise Unsaved
            position.put(at, f"captured_func_inputs[{j}]", value)
        keep(found, position, at, self._count - 1)

    def restore(self, position: Position, at: str) -> None:
        if position.has(at, "exhausted"):
            self._ended = True
            return
        super().restore(position, at)
        if self.place == "FlatMap":
            self._count = position.number(at, "element_index")
            if not position.has(at, "current_element_iterator_uninitialized"):
                size = position.number(at, "captured_func_inputs_size")
                self._begin(0, [position.value(at, f"captured_func_inputs[{j}]") for j in range(size)])
                go_to(self._open[0], position, at, self._count - 1)
            return
        self._at, self._given = position.number(at, "cycle_index"), position.number(at, "block_index")
        self._ended = position.has(at, "end_of_input")
        for i in range(len(self._open)):
            if position.has(at, f"args_size[{i}]"):
                size = position.number(at, f"args_size[{i}]")
                self._begin(i, [position.value(at, f"args_list_[{i}][{j}]") for j in range(size)])
                go_to(self._open[i], position, at, i)


class Scan(_Calling):
    """What a function makes of a state and each element: the next state, then the element that is given."""

    state: list

    def start(self, iteration: Iteration) -> Iterator[Element]:
        return _Scanned(self.input.start(iteration), self._bound(iteration), self.state)

    def cardinality(self) -> int:
        return self.input.cardinality()


class _Scanned(Placed):
    place = "Scan"

    def __init__(self, source: Iterator[Element], function: Callable[[list], list], state: list) -> None:
        self._source, self._function, self._state = source, function, list(state)

    def save(self, position: Position, at: str) -> None:
        super().save(position, at)
        position.put(at, "state_size", len(self._state))
        for i, value in enumerate(self._state):
            position.put(at, f"state[{i}]", value)

    def restore(self, position: Position, at: str) -> None:
        super().restore(position, at)
        self._state = [position.value(at, f"state[{i}]") for i in range(position.number(at, "state_size"))]

    def __next__(self) -> Element:
        element = next(self._source)
        found = self._function([*self._state, *element])
        count = len(self._state)
        self._state = found[:count]
        return found[count:]


def _calling(kind: str, more: str, made: Callable[..., Elements], function: str = "f", **attrs: str) -> OpDef:
    """Declare the op of a dataset that calls a function; `made` gets source, body, captured values, further inputs."""
    definition = dataset_op(
        f"{kind}(input_dataset: variant, {more.format('other_arguments: Targuments')}) -> handle: variant",
        **{function: "func"}, **CAPTURED, **attrs,
    )
    before = more.index("{")

    @definition.kernel_for
    def _(node: Any, *, session: Any) -> Any:
        body = Body(node, node.attrs[function], session)
        if before:
            return lambda source, state, captured: made(source, body, captured, state)
        return lambda source, captured, *rest: made(source, body, captured, *rest)

    return definition


def _parallel_map(source: Elements, body: Body, captured: list, calls: Any) -> Elements:
    number = scalar(calls, "num_parallel_calls")
    if number < 1 and number != -1:
        raise errors.InvalidArgumentError(None, None, "num_parallel_calls must be greater than zero.")
    return ParallelMap(source, body, captured, calls=number)


def _interleave(source: Elements, body: Body, captured: list, cycle: Any, block: Any, *_: Any) -> Elements:
    length, size = scalar(cycle, "cycle_length"), scalar(block, "block_length")
    if length == -1:
        length = os.cpu_count() or 1
    if length <= 0:
        raise errors.InvalidArgumentError(None, None, "cycle_length must be greater than zero.")
    if size <= 0:
        raise errors.InvalidArgumentError(None, None, "block_length must be greater than zero.")
    return Interleave(source, body, captured, cycle=length, block=size)


def _parallel_interleave(*given: Any) -> Elements:
    made = _interleave(*given)
    made.ahead = 2 * made.block  # type: ignore[attr-defined]
    return made


def _flat(source: Elements, body: Body, captured: list) -> Elements:
    return Interleave(source, body, captured, cycle=1, block=1, flat=True)


def _scan(source: Elements, body: Body, captured: list, state: list) -> Elements:
    return Scan(source, body, captured, state=list(state))


def _map_and_batch(source: Elements, body: Body, captured: list, size: Any, calls: Any, drop: Any) -> Elements:
    number = scalar(size, "batch_size")
    if number <= 0:
        raise errors.InvalidArgumentError(None, None, "batch_size must be greater than zero.")
    return Batch(_parallel_map(source, body, captured, calls), number, bool(drop))


_MAPS = {"use_inter_op_parallelism": "bool = true", "preserve_cardinality": "bool = false"}
for _prefix in ("", "Experimental"):
    _calling(f"{_prefix}MapDataset", "{}", Map, **_MAPS)
_calling(
    "ParallelMapDataset", "{}, num_parallel_calls: int32",
    lambda source, body, captured, calls: _parallel_map(source, body, captured, calls), sloppy="bool = false", **_MAPS,
)
_calling("FilterDataset", "{}", Filter, "predicate")
_calling("FlatMapDataset", "{}", _flat)
_calling("InterleaveDataset", "{}, cycle_length: int64, block_length: int64", _interleave)
_calling(
    "ParallelInterleaveDatasetV2", "{}, cycle_length: int64, block_length: int64, num_parallel_calls: int64",
    _parallel_interleave, sloppy="bool = false",
)
for _prefix in ("", "Experimental"):
    _calling(
        f"{_prefix}ParallelInterleaveDataset",
        "{}, cycle_length: int64, block_length: int64, sloppy: bool, buffer_output_elements: int64, "
        "prefetch_input_elements: int64", _parallel_interleave,
    )
    _calling(f"{_prefix}TakeWhileDataset", "{}", TakeWhile, "predicate")
    _calling(
        f"{_prefix}ScanDataset", "initial_state: Tstate, {}", _scan, Tstate="list(type) >= 1",
        preserve_cardinality="bool = false",
    )
    _calling(
        f"{_prefix}MapAndBatchDataset", "{}, batch_size: int64, num_parallel_calls: int64, drop_remainder: bool",
        _map_and_batch, preserve_cardinality="bool = false",
    )

reduce_dataset_op = op(
    "ReduceDataset(input_dataset: variant, initial_state: Tstate, other_arguments: Targuments) "
    "-> components: output_types", stateful=True, f="func", Tstate="list(type) >= 1", **CAPTURED, **OUTPUTS,
    use_inter_op_parallelism="bool = true",
)
reduce_dataset_op.not_differentiable()


@reduce_dataset_op.shape
def _(input_dataset, initial_state, other_arguments, *, output_shapes):
    return output_shapes


@reduce_dataset_op.kernel_for
def _(node: Any, *, session: Any) -> Any:
    body = Body(node, node.attrs["f"], session)

    def kernel(source: Elements, state: list, captured: list) -> list:
        iteration = Iteration(session)
        function, state = iteration.function(body), list(state)
        try:
            for element in source.start(iteration):
                state = function([*state, *element, *captured])
            return state
        finally:
            iteration.close()

    return kernel
