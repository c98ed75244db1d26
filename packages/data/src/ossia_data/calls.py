"""Datasets that call functions on elements: map, filter, flat_map, interleave, scan, take_while, reduce."""
from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from ossia_core.declare.opdef import OpDef, op
from ossia_core.names import errors
from ossia_data.batches import Batch
from ossia_data.elements import OUTPUTS, Body, Element, Elements, Iteration, dataset_op, scalar

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


class Mapped:
    """What a function makes of each element; `keeps_count` makes an end in it an error."""

    def __init__(self, source: Iterator[Element], function: Callable[[list], list], keeps_count: bool) -> None:
        self._source, self._function, self._keeps_count = source, function, keeps_count

    def __iter__(self) -> Mapped:
        return self

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


class Filter(_Calling):
    """The elements for which a function is true."""

    def start(self, iteration: Iteration) -> Iterator[Element]:
        return _Filtered(self.input.start(iteration), self._bound(iteration))


class _Filtered:
    def __init__(self, source: Iterator[Element], function: Callable[[list], list]) -> None:
        self._source, self._function = source, function

    def __iter__(self) -> _Filtered:
        return self

    def __next__(self) -> Element:
        while True:
            element = next(self._source)
            if _true(self._function(element)):
                return element


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

    def start(self, iteration: Iteration) -> Iterator[Element]:
        return _Interleaved(self.input.start(iteration), self._bound(iteration), iteration, self.cycle, self.block)


class _Interleaved:
    def __init__(
        self, source: Iterator[Element], function: Callable[[list], list], iteration: Iteration, cycle: int, block: int
    ) -> None:
        self._source, self._function, self._iteration, self._block = source, function, iteration, block
        self._open: list[Iterator[Element] | None] = [None] * cycle
        self._at, self._given, self._ended = 0, 0, False

    def __iter__(self) -> _Interleaved:
        return self

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
            self._open[self._at] = self._function(element)[0].start(self._iteration)
        raise StopIteration


class Scan(_Calling):
    """What a function makes of a state and each element: the next state, then the element that is given."""

    state: list

    def start(self, iteration: Iteration) -> Iterator[Element]:
        return _Scanned(self.input.start(iteration), self._bound(iteration), self.state)

    def cardinality(self) -> int:
        return self.input.cardinality()


class _Scanned:
    def __init__(self, source: Iterator[Element], function: Callable[[list], list], state: list) -> None:
        self._source, self._function, self._state = source, function, list(state)

    def __iter__(self) -> _Scanned:
        return self

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


def _interleave(source: Elements, body: Body, captured: list, cycle: Any, block: Any, *_: Any) -> Elements:
    length, size = scalar(cycle, "cycle_length"), scalar(block, "block_length")
    if length == -1:
        length = os.cpu_count() or 1
    if length <= 0:
        raise errors.InvalidArgumentError(None, None, "cycle_length must be greater than zero.")
    if size <= 0:
        raise errors.InvalidArgumentError(None, None, "block_length must be greater than zero.")
    return Interleave(source, body, captured, cycle=length, block=size)


def _flat(source: Elements, body: Body, captured: list) -> Elements:
    return Interleave(source, body, captured, cycle=1, block=1)


def _scan(source: Elements, body: Body, captured: list, state: list) -> Elements:
    return Scan(source, body, captured, state=list(state))


def _map_and_batch(source: Elements, body: Body, captured: list, size: Any, calls: Any, drop: Any) -> Elements:
    number = scalar(size, "batch_size")
    if number <= 0:
        raise errors.InvalidArgumentError(None, None, "batch_size must be greater than zero.")
    return Batch(Map(source, body, captured), number, bool(drop))


_MAPS = {"use_inter_op_parallelism": "bool = true", "preserve_cardinality": "bool = false"}
for _prefix in ("", "Experimental"):
    _calling(f"{_prefix}MapDataset", "{}", Map, **_MAPS)
_calling(
    "ParallelMapDataset", "{}, num_parallel_calls: int32",
    lambda source, body, captured, _: Map(source, body, captured), sloppy="bool = false", **_MAPS,
)
_calling("FilterDataset", "{}", Filter, "predicate")
_calling("FlatMapDataset", "{}", _flat)
_calling("InterleaveDataset", "{}, cycle_length: int64, block_length: int64", _interleave)
_calling(
    "ParallelInterleaveDatasetV2", "{}, cycle_length: int64, block_length: int64, num_parallel_calls: int64",
    _interleave, sloppy="bool = false",
)
for _prefix in ("", "Experimental"):
    _calling(
        f"{_prefix}ParallelInterleaveDataset",
        "{}, cycle_length: int64, block_length: int64, sloppy: bool, buffer_output_elements: int64, "
        "prefetch_input_elements: int64", _interleave,
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
        for element in source.start(iteration):
            state = function([*state, *element, *captured])
        return state

    return kernel
