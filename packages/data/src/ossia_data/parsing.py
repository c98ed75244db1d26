"""`parse_example_dataset`: Examples of a dataset as tensors."""
from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from ossia_core.backend import installed_backends
from ossia_core.declare.opdef import lookup
from ossia_core.graph.graph import Graph
from ossia_core.names import dtypes
from ossia_core.primitives.source import placeholder
from ossia_core.session.compile.plan import Plan
from ossia_core.session.run.context import RunContext
from ossia_data.calls import Mapped
from ossia_data.elements import Element, Elements, Iteration, dataset_op
from ossia_data.settings import BOTH


class Parsed(Elements):
    """What is parsed of each element, a vector of Examples."""

    def __init__(self, source: Elements, parse: Callable[[list], list]) -> None:
        self.inputs, self._parse = (source,), parse

    def start(self, iteration: Iteration) -> Iterator[Element]:
        return Mapped(self.input.start(iteration), self._parse, False, lambda ragged: None)

    def cardinality(self) -> int:
        return self.input.cardinality()


def _parser(node: Any, session: Any, defaults: list) -> Callable[[list], list]:
    attrs = node.attrs
    sparse_keys, dense_keys = attrs["sparse_keys"], attrs["dense_keys"]
    with Graph().as_default():
        examples = placeholder(dtypes.string, [None])
        indices, values, shapes, dense = lookup("ParseExample")(
            examples, np.zeros(0, object), list(sparse_keys), list(dense_keys), [np.asarray(d) for d in defaults],
            sparse_types=attrs["sparse_types"], Tdense=attrs["Tdense"], dense_shapes=attrs["dense_shapes"],
        )
        sparse = [
            lookup("SerializeSparse")(*parts, out_type=dtypes.variant)
            for parts in zip(indices, values, shapes, strict=True)
        ]
        plan = Plan([*sparse, *dense], [examples], session, installed_backends())
    # The elements have their parts in the order of all keys.
    names = [*map(_text, sparse_keys), *map(_text, dense_keys)]
    order = sorted(range(len(names)), key=names.__getitem__)

    def parse(element: list) -> list:
        found = plan.run(RunContext(session), [np.asarray(element[0], object)])
        return [found[i] for i in order]

    return parse


def _text(key: Any) -> str:
    return key.decode() if isinstance(key, bytes) else str(key)


for _prefix in BOTH:
    _made = dataset_op(
        f"{_prefix}ParseExampleDataset(input_dataset: variant, num_parallel_calls: int64, dense_defaults: Tdense) "
        "-> handle: variant", sparse_keys="list(string) >= 0", dense_keys="list(string) >= 0",
        sparse_types="list({float, int64, string}) >= 0", Tdense="list({float, int64, string}) >= 0",
        dense_shapes="list(shape) >= 0", sloppy="bool = false",
    )

    @_made.kernel_for
    def _(node: Any, *, session: Any) -> Any:
        return lambda source, calls, defaults: Parsed(source, _parser(node, session, list(defaults)))
