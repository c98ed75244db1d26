"""Elements gathered by key: `group_by_window`, `group_by_reducer`."""
from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ossia_core.declare.opdef import lookup
from ossia_core.graph.convert import convert_to_tensor
from ossia_core.graph.type_spec import TensorSpec
from ossia_core.names import dtypes
from ossia_core.plugins.api_table import public
from ossia_data import structure
from ossia_data.experimental import Transformation
from ossia_data.functions import ElementFunction, with_state
from ossia_data.specs import DatasetSpec


@public("data.experimental.group_by_window", "compat.v2.data.experimental.group_by_window")
def group_by_window(
    key_func: Callable, reduce_func: Callable, window_size: Any = None, window_size_func: Callable | None = None
) -> Transformation:
    """Elements gathered by key; what a function makes of each window of elements with one key.

    Args:
        key_func: Takes an element, returns an int64 scalar.
        reduce_func: Takes a key and the dataset of a window, returns a dataset.
        window_size: How many elements a window has.
        window_size_func: Instead: takes a key, returns that number.

    Raises:
        ValueError: Both or none of the last two are given, or a function returns something else.
        TypeError: `reduce_func` returns no dataset.
    """
    if (window_size is None) == (window_size_func is None):
        raise ValueError("Must pass either window_size or window_size_func.")
    number = TensorSpec([], dtypes.int64)

    def constant_window_func(_: Any) -> Any:
        return convert_to_tensor(np.int64(window_size))

    def key_func_wrapper(*parts: Any) -> Any:
        return convert_to_tensor(key_func(*parts), dtypes.int64)

    def window_size_func_wrapper(key: Any) -> Any:
        return convert_to_tensor((window_size_func or constant_window_func)(key), dtypes.int64)

    def apply(dataset: Any) -> Any:
        name = "tf_data_experimental_group_by_window"
        key = ElementFunction(key_func_wrapper, name, dataset.element_spec)
        reduce = ElementFunction(reduce_func, name, (number, DatasetSpec(dataset.element_spec)))
        size = ElementFunction(window_size_func_wrapper, name, number)
        for what, function in (("key_func", key), ("window_size_func", size)):
            if function.spec != number:
                raise ValueError(f"`{what}` must return a single tf.int64 scalar tensor.")
        if not isinstance(reduce.spec, DatasetSpec):
            raise TypeError("`reduce_func` must return a `Dataset` object.")
        spec = reduce.spec.element_spec
        made = lookup("GroupByWindowDataset")(
            dataset._variant_tensor, key.captured, reduce.captured, size.captured, key_func=key.reference,
            reduce_func=reduce.reference, window_size_func=size.reference, **structure.outputs(spec),
        )
        return dataset._like(made, spec, dataset.options())

    return apply


@public("data.experimental.Reducer", "compat.v2.data.experimental.Reducer")
class Reducer:
    """What puts the elements of a group together.

    Args:
        init_func: Takes a key, returns the first state.
        reduce_func: Takes a state and an element, returns the next state.
        finalize_func: Takes the last state, returns what is left of the group.
    """

    def __init__(self, init_func: Callable, reduce_func: Callable, finalize_func: Callable) -> None:
        self._functions = init_func, reduce_func, finalize_func

    @property
    def init_func(self) -> Callable:
        """From a key to the first state."""
        return self._functions[0]

    @property
    def reduce_func(self) -> Callable:
        """From a state and an element to the next state."""
        return self._functions[1]

    @property
    def finalize_func(self) -> Callable:
        """From the last state to what is left of the group."""
        return self._functions[2]


@public("data.experimental.group_by_reducer", "compat.v2.data.experimental.group_by_reducer")
def group_by_reducer(key_func: Callable, reducer: Reducer) -> Transformation:
    """Elements gathered by key; what a reducer makes of all elements with one key.

    Args:
        key_func: Takes an element, returns an int64 scalar.
        reducer: Puts the elements of a group together.

    Raises:
        ValueError: `key_func` returns something else.
        TypeError: A state is of other dtypes or classes than the one before.
    """
    number = TensorSpec([], dtypes.int64)

    def apply(dataset: Any) -> Any:
        name = "tf_data_experimental_group_by_reducer"
        key = ElementFunction(key_func, name, dataset.element_spec)
        if key.spec != number:
            raise ValueError(
                f"`key_func` must return a single tf.int64 tensor. Got type={structure.legacy_types(key.spec)} and "
                f"shape={structure.legacy_shapes(key.spec)}"
            )
        init = ElementFunction(reducer.init_func, name, number)
        reduce, state = with_state(reducer.reduce_func, name, init.spec, dataset.element_spec)
        finalize = ElementFunction(reducer.finalize_func, name, state)
        made = lookup("ExperimentalGroupByReducerDataset")(
            dataset._variant_tensor, key.captured, init.captured, reduce.captured, finalize.captured,
            key_func=key.reference, init_func=init.reference, reduce_func=reduce.reference,
            finalize_func=finalize.reference, **structure.outputs(finalize.spec),
        )
        return dataset._like(made, finalize.spec, dataset.options())

    return apply
