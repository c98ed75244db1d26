"""Datasets of `tf.data.experimental` that choose elements or datasets: unique, ignore_errors, interleave, windows."""
from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from ossia_core.names import errors
from ossia_data.batches import Held
from ossia_data.elements import Body, Element, Elements, Iteration, dataset_op


class Unique(Elements):
    """Each element at its first place only."""

    def __init__(self, source: Elements) -> None:
        self.inputs = (source,)

    def start(self, iteration: Iteration) -> Iterator[Element]:
        seen = set()
        for element in self.input.start(iteration):
            key = element[0].tobytes() if isinstance(element[0], np.ndarray) else element[0]
            if key not in seen:
                seen.add(key)
                yield element


class IgnoreErrors(Elements):
    """The elements that can be made."""

    def __init__(self, source: Elements) -> None:
        self.inputs = (source,)

    def start(self, iteration: Iteration) -> Iterator[Element]:
        source = self.input.start(iteration)
        while True:
            iteration.check()
            try:
                element = next(source)
            except StopIteration:
                return
            except errors.OpError:
                continue
            yield element

    def cardinality(self) -> int:
        return self.input.cardinality()


class Directed(Elements):
    """The next element of the input whose number the first input gives; ended inputs are passed over."""

    def __init__(self, inputs: list[Elements]) -> None:
        self.inputs = tuple(inputs)

    def start(self, iteration: Iteration) -> Iterator[Element]:
        selector, *sources = [source.start(iteration) for source in self.inputs]
        open_sources: list[Iterator[Element] | None] = list(sources)
        for choice in selector:
            number = int(choice[0])
            if not 0 <= number < len(open_sources):
                raise errors.InvalidArgumentError(
                    None, None, f"Selector index out of range: {number} >= {len(open_sources)}"
                )
            source = open_sources[number]
            if source is None:
                continue
            try:
                element = next(source)
            except StopIteration:
                open_sources[number] = None
                if not any(found is not None for found in open_sources):
                    return
                continue
            yield element


class GroupByWindow(Elements):
    """Elements gathered by key; of each `size` with one key, the dataset that a function makes of them."""

    def __init__(self, source: Elements, bodies: tuple[Body, Body, Body], captured: tuple[list, list, list]) -> None:
        self.inputs, self._bodies, self._captured = (source,), bodies, captured

    def start(self, iteration: Iteration) -> Iterator[Element]:
        key_of, reduce, size_of = [iteration.function(body) for body in self._bodies]
        for_key, for_reduce, for_size = self._captured
        groups: dict[int, list[Element]] = {}
        sizes: dict[int, int] = {}

        def reduced(key: int) -> Iterator[Element]:
            columns = Held(groups.pop(key))
            return reduce([np.int64(key), columns, *for_reduce])[0].start(iteration)

        for element in self.input.start(iteration):
            key = int(key_of([*element, *for_key])[0])
            if key not in groups:
                groups[key] = []
                sizes[key] = int(size_of([np.int64(key), *for_size])[0])
                if sizes[key] <= 0:
                    raise errors.InvalidArgumentError(
                        None, None, f"Window size must be greater than zero, but got {sizes[key]}."
                    )
            groups[key].append(element)
            if len(groups[key]) == sizes[key]:
                yield from reduced(key)
        for key in sorted(groups):
            yield from reduced(key)


_CAPTURED = ("key_func_other_arguments", "reduce_func_other_arguments", "window_size_func_other_arguments")
_FUNCTIONS = ("key_func", "reduce_func", "window_size_func")
for _prefix in ("", "Experimental"):
    _from_one = "Dataset(input_dataset: variant) -> handle: variant"
    dataset_op(f"{_prefix}Unique{_from_one}").kernel(lambda source: Unique(source))
    dataset_op(f"{_prefix}IgnoreErrors{_from_one}").kernel(lambda source: IgnoreErrors(source))
    dataset_op(
        f"{_prefix}DirectedInterleaveDataset(selector_input_dataset: variant, data_input_datasets: N * variant) "
        "-> handle: variant", N="int >= 1",
    ).kernel(lambda selector, sources: Directed([selector, *sources]))
    _grouping = dataset_op(
        f"{_prefix}GroupByWindowDataset(input_dataset: variant, "
        + ", ".join(f"{name}: T{name}" for name in _CAPTURED) + ") -> handle: variant",
        **dict.fromkeys(_FUNCTIONS, "func"), **{f"T{name}": "list(type) >= 0" for name in _CAPTURED},
    )

    @_grouping.kernel_for
    def _(node: Any, *, session: Any) -> Any:
        key, reduce, size = [Body(node, node.attrs[name], session) for name in _FUNCTIONS]
        return lambda source, *captured: GroupByWindow(
            source, (key, reduce, size), (list(captured[0]), list(captured[1]), list(captured[2]))
        )
