"""`GroupByReducerDataset`: elements gathered by key, each group reduced to one."""
from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from ossia_core.names import errors
from ossia_data.elements import Body, Element, Elements, Iteration, dataset_op
from ossia_data.settings import BOTH

_FUNCTIONS = ("key_func", "init_func", "reduce_func", "finalize_func")


class GroupByReducer(Elements):
    """What is left of the elements of each key, in the order of the keys, when all have been seen."""

    def __init__(self, source: Elements, bodies: list[Body], captured: list[list]) -> None:
        self.inputs, self._bodies, self._captured = (source,), bodies, captured

    def start(self, iteration: Iteration) -> Iterator[Element]:
        def bound(body: Body, captured: list) -> Any:
            function = iteration.function(body)
            return lambda values: function([*values, *captured])

        key_of, init, reduce, finalize = map(bound, self._bodies, self._captured)
        states: dict[int, list] = {}
        for element in self.input.start(iteration):
            found = key_of(element)
            if len(found) != 1 or np.ndim(found[0]):
                raise errors.InvalidArgumentError(None, None, "`key_func` must return a scalar int64.")
            key = int(found[0])
            if key not in states:
                states[key] = init([np.int64(key)])
            states[key] = reduce([*states[key], *element])
        for key in sorted(states):
            yield finalize(states[key])


_OTHERS = [f"{name}_other_arguments" for name in _FUNCTIONS]
for _prefix in BOTH:
    _made = dataset_op(
        f"{_prefix}GroupByReducerDataset(input_dataset: variant, "
        + ", ".join(f"{name}: T{name}" for name in _OTHERS) + ") -> handle: variant", stateful=True,
        **dict.fromkeys(_FUNCTIONS, "func"), **{f"T{name}": "list(type) >= 0" for name in _OTHERS},
    )

    @_made.kernel_for
    def _(node: Any, *, session: Any) -> Any:
        bodies = [Body(node, node.attrs[name], session) for name in _FUNCTIONS]
        return lambda source, *captured: GroupByReducer(source, bodies, [list(values) for values in captured])
