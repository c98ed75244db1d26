"""Datasets that call functions on elements: map, filter, flat_map, interleave, scan, take_while, reduce."""
from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from ossia_core.backend import Backend
from ossia_core.declare.opdef import OpDef, op
from ossia_core.names import errors
from ossia_data.ahead import Workers
from ossia_data.batches import Batch
from ossia_data.elements import OUTPUTS, Body, Calling, Element, Elements, Iteration, dataset_op, scalar
from ossia_data.interleaving import flat_mapped, interleaved, parallel_interleaved
from ossia_data.positions import Placed, Position
from ossia_data.rows import ByRows, OnRows
from ossia_data.vectorised import backends_on_rows

CAPTURED = {"Targuments": "list(type) >= 0"}


class Map(Calling):
    """What a function makes of each element. OutOfRangeError in it ends the dataset."""

    keeps_count = False

    def __init__(self, source: Elements, body: Body, captured: list, **options: Any) -> None:
        super().__init__(source, body, captured, **options)
        self._backends: dict[tuple[bool, ...], tuple[Backend, ...] | None] = {}

    def start(self, iteration: Iteration) -> Iterator[Element]:
        return Mapped(self.input.start(iteration), self._bound(iteration), self.keeps_count, self.on_rows(iteration))

    def on_rows(self, iteration: Iteration) -> OnRows:
        """What tells the function to call on columns, if it may be called so."""

        def asked(ragged: tuple[bool, ...] | None) -> Callable[[list], list] | None:
            if ragged is None:
                given = self._body.graph().inputs
                parts = given[: len(given) - len(self._captured)]
                return asked((False,) * len(parts)) or asked(tuple([tensor.shape.ndims == 1 for tensor in parts]))
            if ragged not in self._backends:
                self._backends[ragged] = backends_on_rows(self._body, len(ragged), ragged)
            backends = self._backends[ragged]
            return None if backends is None else self._bound(iteration, *backends)

        return asked

    def cardinality(self) -> int:
        return self.input.cardinality()


class Mapped(ByRows, Placed):
    """What a function makes of each element; `keeps_count` makes an end in it an error."""

    place = "Map"

    def __init__(
        self, source: Iterator[Element], function: Callable[[list], list], keeps_count: bool,
        on_rows: OnRows,
    ) -> None:
        super().__init__()
        self._source, self._function, self._keeps_count, self._on_rows = source, function, keeps_count, on_rows

    def save(self, position: Position, at: str) -> None:
        self._check_nothing_held()
        super().save(position, at)

    def __next__(self) -> Element:
        element = self._following()
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
        source, function = self.input.start(iteration), self._bound(iteration)
        return Workers(source, function, self.calls, iteration, self.on_rows(iteration))


class Filter(Calling):
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


class TakeWhile(Calling):
    """The elements before the first one for which a function is false."""

    def start(self, iteration: Iteration) -> Iterator[Element]:
        source, function = self.input.start(iteration), self._bound(iteration)
        for element in source:
            if not _true(function(element)):
                return
            yield element


class Scan(Calling):
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
_calling("FlatMapDataset", "{}", flat_mapped)
_calling("InterleaveDataset", "{}, cycle_length: int64, block_length: int64", interleaved)
_calling(
    "ParallelInterleaveDatasetV2", "{}, cycle_length: int64, block_length: int64, num_parallel_calls: int64",
    parallel_interleaved, sloppy="bool = false",
)
for _prefix in ("", "Experimental"):
    _calling(
        f"{_prefix}ParallelInterleaveDataset",
        "{}, cycle_length: int64, block_length: int64, sloppy: bool, buffer_output_elements: int64, "
        "prefetch_input_elements: int64", parallel_interleaved,
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
