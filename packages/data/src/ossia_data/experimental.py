"""`tf.data.experimental`: further transformations, for `Dataset.apply`, and further sources."""
from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ossia_core.declare.opdef import lookup
from ossia_core.graph.convert import convert_to_tensor
from ossia_core.graph.static_value import get_static_value
from ossia_core.graph.tensor import Tensor
from ossia_core.graph.type_spec import SparseTensorSpec, TensorSpec
from ossia_core.names import dtypes
from ossia_core.names.shapes import TensorShape
from ossia_core.plugins.api_table import public
from ossia_data import structure
from ossia_data.dataset import Dataset, DatasetV2
from ossia_data.functions import ElementFunction, is_truth, with_state
from ossia_data.padding import partial_shape
from ossia_data.seeds import seed_tensors
from ossia_data.specs import DatasetSpec
from ossia_data.transformations import int64

AUTOTUNE = -1
INFINITE_CARDINALITY = -1
UNKNOWN_CARDINALITY = -2
PUBLIC = {
    "AUTOTUNE": ["contrib.data.AUTOTUNE", "data.experimental.AUTOTUNE", "compat.v2.data.experimental.AUTOTUNE"],
    "INFINITE_CARDINALITY": [
        "data.experimental.INFINITE_CARDINALITY", "compat.v2.data.experimental.INFINITE_CARDINALITY",
    ],
    "UNKNOWN_CARDINALITY": [
        "data.experimental.UNKNOWN_CARDINALITY", "compat.v2.data.experimental.UNKNOWN_CARDINALITY",
    ],
}
Transformation = Callable[[Any], Any]


def _plain(kind: str) -> Transformation:
    return lambda dataset: dataset._same(kind)


@public("data.experimental.unique", "contrib.data.unique", "compat.v2.data.experimental.unique")
def unique() -> Transformation:
    """Each element at its first place only; elements are scalars of int32, int64 or string."""
    return _plain("UniqueDataset")


@public("data.experimental.ignore_errors", "contrib.data.ignore_errors", "compat.v2.data.experimental.ignore_errors")
def ignore_errors() -> Transformation:
    """The elements that can be made, without those that fail."""
    return _plain("IgnoreErrorsDataset")


@public("data.experimental.unbatch", "contrib.data.unbatch", "compat.v2.data.experimental.unbatch")
def unbatch() -> Transformation:
    """See `Dataset.unbatch`."""
    return lambda dataset: dataset.unbatch()


@public(
    "data.experimental.enumerate_dataset", "contrib.data.enumerate_dataset",
    "compat.v2.data.experimental.enumerate_dataset",
)
def enumerate_dataset(start: Any = 0) -> Transformation:
    """See `Dataset.enumerate`."""
    return lambda dataset: dataset.enumerate(start)


@public(
    "data.experimental.shuffle_and_repeat", "contrib.data.shuffle_and_repeat",
    "compat.v2.data.experimental.shuffle_and_repeat",
)
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


@public(
    "contrib.data.map_and_batch", "data.experimental.map_and_batch",
    "data.experimental.map_and_batch_with_legacy_function", "compat.v2.data.experimental.map_and_batch",
)
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


@public(
    "data.experimental.parallel_interleave", "contrib.data.parallel_interleave",
    "compat.v2.data.experimental.parallel_interleave",
)
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


@public("data.experimental.scan", "contrib.data.scan", "compat.v2.data.experimental.scan")
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
        def next_state(found: Any) -> Any:
            if not (isinstance(found, tuple) and len(found) == 2):
                raise TypeError("The scan function must return a pair comprising the new state and the output value.")
            return found[0]

        function, spec = with_state(scan_func, "tf_data_experimental_scan", spec, dataset.element_spec, next_state)
        element = function.spec[1]
        made = lookup("ScanDataset")(
            dataset._variant_tensor, structure.tensor_list(spec, state), function.captured, f=function.reference,
            preserve_cardinality=True, **structure.outputs(element),
        )
        return dataset._like(made, element, dataset.options())

    return apply


@public("data.experimental.take_while", "compat.v2.data.experimental.take_while")
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


@public(
    "data.experimental.get_single_element", "contrib.data.get_single_element",
    "compat.v2.data.experimental.get_single_element",
)
def get_single_element(dataset: Dataset) -> Any:
    """The only element of a dataset; InvalidArgumentError in a run if it has none, or several.

    Raises:
        TypeError: It is no dataset.
    """
    if not isinstance(dataset, DatasetV2):
        raise TypeError("`dataset` must be a `tf.data.Dataset` object.")
    found = lookup("DatasetToSingleElement")(dataset._variant_tensor, **structure.outputs(dataset.element_spec))
    return structure.from_tensor_list(dataset.element_spec, found)


@public("data.experimental.cardinality", "compat.v2.data.experimental.cardinality")
def cardinality(dataset: DatasetV2) -> Any:
    """How many elements there are, an int64 scalar; `INFINITE_CARDINALITY` or `UNKNOWN_CARDINALITY` if none says."""
    return lookup("DatasetCardinality")(dataset._variant_tensor)


@public(
    "data.experimental.dense_to_sparse_batch", "contrib.data.dense_to_sparse_batch",
    "compat.v2.data.experimental.dense_to_sparse_batch",
)
def dense_to_sparse_batch(batch_size: Any, row_shape: Any) -> Transformation:
    """Batches of tensors of any size as sparse tensors.

    Args:
        batch_size: How many elements.
        row_shape: The dense shape of one of them; None or -1 in it for the largest size of the batch.

    Raises:
        TypeError: Elements are tuples, dicts or no dense tensors.
    """
    def apply(dataset: Any) -> Any:
        element = dataset.element_spec
        if not isinstance(element, TensorSpec):
            raise TypeError(
                "DenseToSparseDataset requires an input whose elements have a single component, whereas the input has "
                f"{structure.legacy_types(element)}."
            )
        row = row_shape if isinstance(row_shape, Tensor) else partial_shape(TensorShape(row_shape))
        spec = SparseTensorSpec(TensorShape([None]).concatenate(_known_row(row)), element.dtype)
        made = lookup("DenseToSparseBatchDataset")(
            dataset._variant_tensor, batch_size, row, **structure.outputs(spec)
        )
        return dataset._like(made, spec, dataset.options())

    return apply


def _known_row(row: Tensor) -> TensorShape:
    known = get_static_value(row)
    if known is None:
        return TensorShape([None] * row.shape.as_list()[0]) if row.shape.as_list()[0] is not None else TensorShape(None)
    return TensorShape([None if size < 0 else size for size in known])


@public("data.experimental.to_variant", "compat.v2.data.experimental.to_variant")
def to_variant(dataset: DatasetV2) -> Tensor:
    """A dataset as a variant scalar."""
    return dataset._variant_tensor


@public("data.experimental.from_variant", "compat.v2.data.experimental.from_variant")
def from_variant(variant: Tensor, structure: Any) -> DatasetV2:
    """The dataset of a variant scalar.

    Args:
        variant: What `to_variant` returned.
        structure: The specs of the elements.
    """
    return DatasetV2(variant, structure)
