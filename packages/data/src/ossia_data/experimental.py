"""`tf.data.experimental`: further transformations, for `Dataset.apply`, and further sources."""
from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ossia_core.declare.opdef import lookup
from ossia_core.graph.convert import constant, convert_to_tensor
from ossia_core.graph.scopes import name_scope
from ossia_core.graph.type_spec import TensorSpec
from ossia_core.names import dtypes
from ossia_core.plugins.api_table import public
from ossia_data import structure
from ossia_data.dataset import Dataset, DatasetV2
from ossia_data.functions import ElementFunction, is_truth
from ossia_data.seeds import seed_tensors
from ossia_data.specs import DatasetSpec
from ossia_data.transformations import int64
from ossia_ops.array.shape import expand_dims, squeeze
from ossia_ops.math.exponential import log

AUTOTUNE = -1
INFINITE_CARDINALITY = -1
UNKNOWN_CARDINALITY = -2
PUBLIC = {
    "AUTOTUNE": ["data.experimental.AUTOTUNE", "compat.v2.data.experimental.AUTOTUNE"],
    "INFINITE_CARDINALITY": ["data.experimental.INFINITE_CARDINALITY"],
    "UNKNOWN_CARDINALITY": ["data.experimental.UNKNOWN_CARDINALITY"],
}
Transformation = Callable[[Any], Any]


def _plain(kind: str) -> Transformation:
    return lambda dataset: dataset._same(kind)


@public("data.experimental.unique")
def unique() -> Transformation:
    """Each element at its first place only; elements are scalars of int32, int64 or string."""
    return _plain("UniqueDataset")


@public("data.experimental.ignore_errors")
def ignore_errors() -> Transformation:
    """The elements that can be made, without those that fail."""
    return _plain("IgnoreErrorsDataset")


@public("data.experimental.unbatch")
def unbatch() -> Transformation:
    """See `Dataset.unbatch`."""
    return lambda dataset: dataset.unbatch()


@public("data.experimental.enumerate_dataset")
def enumerate_dataset(start: Any = 0) -> Transformation:
    """See `Dataset.enumerate`."""
    return lambda dataset: dataset.enumerate(start)


@public("data.experimental.shuffle_and_repeat")
def shuffle_and_repeat(buffer_size: Any, count: Any = None, seed: Any = None) -> Transformation:
    """Passes over the elements in random order, which mix at their borders.

    Args:
        buffer_size: How many elements one is drawn from.
        count: How many passes; without end for None and -1.
        seed: Seed of the order.
    """
    def apply(dataset: Any) -> Any:
        size = int64(buffer_size, "buffer_size")
        times = int64(-1 if count is None else count, "count")
        first, second = seed_tensors(seed)
        return dataset._same("ShuffleAndRepeatDataset", size, first, second, times)

    return apply


@public("data.experimental.map_and_batch", "data.experimental.map_and_batch_with_legacy_function")
def map_and_batch(
    map_func: Callable, batch_size: Any, num_parallel_batches: Any = None, drop_remainder: Any = False,
    num_parallel_calls: Any = None,
) -> Transformation:
    """`map`, then `batch`.

    Args:
        map_func: Takes the parts of an element.
        batch_size: How many elements.
        num_parallel_batches: How many batches are made at once in the original.
        drop_remainder: Whether a last batch of fewer elements is left out.
        num_parallel_calls: How many calls run at once in the original.

    Raises:
        ValueError: Both numbers are given.
    """
    if num_parallel_batches is not None and num_parallel_calls is not None:
        raise ValueError(
            "The `num_parallel_batches` and `num_parallel_calls` arguments are mutually exclusive."
        )
    calls = num_parallel_calls
    if calls is None:
        calls = batch_size * (1 if num_parallel_batches is None else num_parallel_batches)

    def apply(dataset: Any) -> Any:
        function = ElementFunction(map_func, "tf_data_experimental_map_and_batch", dataset.element_spec)
        size = int64(batch_size, "batch_size")
        at_once = int64(calls, "num_parallel_calls")
        drop = convert_to_tensor(drop_remainder, dtypes.bool, name="drop_remainder")
        rows = batch_size if drop_remainder is True and isinstance(batch_size, int) else None
        spec = structure.mapped(lambda s: s._batch(rows), function.spec)
        made = lookup("MapAndBatchDataset")(
            dataset._variant_tensor, function.captured, size, at_once, drop, f=function.reference,
            preserve_cardinality=True, **structure.outputs(spec),
        )
        return dataset._like(made, spec, dataset.options())

    return apply


@public("data.experimental.parallel_interleave")
def parallel_interleave(
    map_func: Callable, cycle_length: Any, block_length: Any = 1, sloppy: Any = False,
    buffer_output_elements: Any = None, prefetch_input_elements: Any = None,
) -> Transformation:
    """Elements of the datasets that a function makes of each element, several of them in turn.

    Args:
        map_func: Takes the parts of an element, returns a dataset.
        cycle_length: How many datasets there are at once.
        block_length: How many elements of one dataset follow each other.
        sloppy: Accepted; the order is the same.
        buffer_output_elements: Accepted; elements are made when they are asked for.
        prefetch_input_elements: Accepted.

    Raises:
        TypeError: The function returns no dataset.
    """
    def apply(dataset: Any) -> Any:
        function = ElementFunction(map_func, "tf_data_experimental_parallel_interleave", dataset.element_spec)
        if not isinstance(function.spec, DatasetSpec):
            raise TypeError("`map_func` must return a `Dataset` object.")
        spec = function.spec.element_spec
        ahead = 2 * block_length if buffer_output_elements is None else buffer_output_elements
        inputs = 2 * cycle_length if prefetch_input_elements is None else prefetch_input_elements
        made = lookup("ParallelInterleaveDataset")(
            dataset._variant_tensor, function.captured, int64(cycle_length, "cycle_length"),
            int64(block_length, "block_length"), convert_to_tensor(sloppy, dtypes.bool, name="sloppy"),
            int64(ahead, "buffer_output_elements"), int64(inputs, "prefetch_input_elements"),
            f=function.reference, **structure.outputs(spec),
        )
        return dataset._like(made, spec, dataset.options())

    return apply


@public("data.experimental.scan")
def scan(initial_state: Any, scan_func: Callable) -> Transformation:
    """What a function makes of a state and each element.

    Args:
        initial_state: The state before the first element.
        scan_func: Takes a state and an element, returns the next state and an element.

    Raises:
        TypeError: It returns a state of other dtypes.
    """
    def apply(dataset: Any) -> Any:
        state, spec = structure.normalized(initial_state)
        function = ElementFunction(scan_func, "tf_data_experimental_scan", (spec, dataset.element_spec))
        if not (isinstance(function.spec, tuple) and len(function.spec) == 2):
            raise TypeError("The scan function must return a pair comprising the new state and the output value.")
        after, element = function.spec
        if structure.legacy_types(after) != structure.legacy_types(spec):
            raise TypeError(
                "The element types for the new state must match the initial state. Expected "
                f"{structure.legacy_types(spec)}; got {structure.legacy_types(after)}."
            )
        made = lookup("ScanDataset")(
            dataset._variant_tensor, structure.tensor_list(spec, state), function.captured, f=function.reference,
            preserve_cardinality=True, **structure.outputs(element),
        )
        return dataset._like(made, element, dataset.options())

    return apply


@public("data.experimental.take_while")
def take_while(predicate: Callable) -> Transformation:
    """The elements before the first one for which a function is false.

    Raises:
        ValueError: It does not return a bool scalar.
    """
    def apply(dataset: Any) -> Any:
        function = ElementFunction(predicate, "tf_data_experimental_take_while", dataset.element_spec)
        if not is_truth(function.spec):
            raise ValueError("`predicate` must return a scalar boolean tensor.")
        return dataset._same("TakeWhileDataset", function.captured, predicate=function.reference)

    return apply


@public("data.experimental.Counter")
def Counter(start: Any = 0, step: Any = 1, dtype: Any = dtypes.int64) -> Dataset:
    """Numbers without end: `start`, `start + step` and so on."""
    with name_scope("counter"):
        first = convert_to_tensor(start, dtypes.as_dtype(dtype), name="start")
        by = convert_to_tensor(step, dtypes.as_dtype(dtype), name="step")
        return Dataset.from_tensors(0).repeat(None).apply(scan(first, lambda state, _: (state + by, state)))


@public("data.experimental.RandomDataset")
class RandomDataset(Dataset):
    """Random int64 numbers below 2**32, without end.

    Args:
        seed: Seed of the numbers.
    """

    __slots__ = ()

    def __init__(self, seed: Any = None) -> None:
        spec = TensorSpec([], dtypes.int64)
        super().__init__(lookup("RandomDataset")(*seed_tensors(seed), **structure.outputs(spec)), spec)


def _directed(selector: Dataset, datasets: list[Dataset]) -> Dataset:
    spec = datasets[0].element_spec
    for other in datasets[1:]:
        if other.output_types != datasets[0].output_types:
            raise TypeError(f"The datasets differ in dtypes: {datasets[0].output_types} and {other.output_types}")
        spec = structure.most_specific(spec, other.element_spec)
    made = lookup("DirectedInterleaveDataset")(
        selector._variant_tensor, [d._variant_tensor for d in datasets], **structure.outputs(spec)
    )
    return Dataset(made, spec)


@public("data.experimental.sample_from_datasets")
def sample_from_datasets(datasets: list[Dataset], weights: Any = None, seed: Any = None) -> Dataset:
    """Elements of several datasets, each of a dataset chosen at random.

    Args:
        datasets: The datasets.
        weights: How likely each one is: a vector; equally likely ones if None.
        seed: Seed of the choices.

    Raises:
        ValueError: There are fewer or more weights than datasets.
        TypeError: The datasets differ in dtypes.
    """
    if isinstance(weights, DatasetV2):
        raise NotImplementedError("sample_from_datasets() with weights that change from element to element")
    if weights is None:
        logits: Any = [[1.0] * len(datasets)]
    else:
        given = convert_to_tensor(weights, name="weights")
        if given.shape.ndims not in (None, 1) or given.shape.as_list() not in ([None], [len(datasets)]):
            raise ValueError("`weights` must be a vector of length `len(datasets)`.")
        logits = expand_dims(log(given, name="logits"), 0)
    if len(datasets) == 1:
        return datasets[0]

    def select_dataset_constant_logits(numbers: Any) -> Any:
        chosen = lookup("StatelessMultinomial")(constant(logits) if weights is None else logits, 1, numbers)
        return squeeze(chosen, axis=[0, 1])

    return _directed(RandomDataset(seed).batch(2).map(select_dataset_constant_logits), list(datasets))


@public("data.experimental.choose_from_datasets")
def choose_from_datasets(datasets: list[Dataset], choice_dataset: Any) -> Any:
    """Elements of several datasets, each of the dataset whose number another one gives.

    Raises:
        TypeError: The choices are no int64 scalars, or the datasets differ in dtypes.
    """
    if choice_dataset.element_spec != TensorSpec([], dtypes.int64):
        raise TypeError("`choice_dataset` must be a dataset of scalar `tf.int64` tensors.")
    return _directed(choice_dataset, list(datasets))


@public("data.experimental.get_single_element")
def get_single_element(dataset: Dataset) -> Any:
    """The only element of a dataset; InvalidArgumentError in a run if it has none, or several.

    Raises:
        TypeError: It is no dataset.
    """
    if not isinstance(dataset, DatasetV2):
        raise TypeError("`dataset` must be a `tf.data.Dataset` object.")
    found = lookup("DatasetToSingleElement")(dataset._variant_tensor, **structure.outputs(dataset.element_spec))
    return structure.from_tensor_list(dataset.element_spec, found)


@public("data.experimental.group_by_window")
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
