"""What can be made of a dataset: the methods of `tf.data.Dataset` that make others of it."""
from __future__ import annotations

import builtins
from collections.abc import Callable
from typing import Any, ClassVar

import numpy as np

from ossia_core.declare.opdef import lookup
from ossia_core.graph.convert import convert_to_tensor
from ossia_core.graph.scopes import name_scope
from ossia_core.graph.static_value import get_static_value
from ossia_core.graph.tensor import Tensor
from ossia_core.graph.type_spec import TensorSpec
from ossia_core.names import dtypes
from ossia_data import structure
from ossia_data.functions import ElementFunction, is_truth, with_state
from ossia_data.options import Options
from ossia_data.padding import padded_shape, padding_value
from ossia_data.seeds import seed_tensors
from ossia_data.specs import DatasetSpec

_ENDLESS = np.iinfo(np.int64).max


def int64(value: Any, name: str) -> Tensor:
    """A number of a dataset, as a tensor."""
    return convert_to_tensor(value, dtypes.int64, name=name)


class Transformations:
    """The methods of datasets that make others of them.

    Attributes:
        _family: The class of what they make.
    """

    _family: ClassVar[Any]
    _variant_tensor: Tensor
    _element_spec: Any
    _options: Options

    def _like(self, variant_tensor: Tensor, element_spec: Any, options: Options | None = None) -> Any:
        return self._family(variant_tensor, element_spec, options)

    # -- what keeps the structure of elements -----------------------------------------------------------

    def _same(self, kind: str, *inputs: Any, **attrs: Any) -> Any:
        made = lookup(kind)(self._variant_tensor, *inputs, **attrs, **structure.outputs(self._element_spec))
        return self._like(made, self._element_spec, self._options)

    def concatenate(self, dataset: Any) -> Any:
        """The elements of this dataset, then those of another.

        Raises:
            TypeError: They differ in dtypes or classes.
        """
        for name in ("types", "classes"):
            mine, other = getattr(self, f"output_{name}"), getattr(dataset, f"output_{name}")
            if mine != other:
                raise TypeError(f"Two datasets to concatenate have different {name} {mine} and {other}")
        spec = structure.most_specific(self._element_spec, dataset.element_spec)
        made = lookup("ConcatenateDataset")(
            self._variant_tensor, dataset._variant_tensor, **structure.outputs(spec)
        )
        return self._like(made, spec, self._options.merge(dataset._options))

    def prefetch(self, buffer_size: Any) -> Any:
        """The same elements; in the original they are read ahead, here they are made when they are asked for."""
        return self._same("PrefetchDataset", int64(-1 if buffer_size is None else buffer_size, "buffer_size"))

    def shuffle(self, buffer_size: Any, seed: Any = None, reshuffle_each_iteration: bool | None = None) -> Any:
        """The elements in random order, each drawn from a buffer of the next ones.

        Args:
            buffer_size: How many elements are in the buffer.
            seed: Seed of the order.
            reshuffle_each_iteration: Whether each pass of a repetition has an order of its own; None for true.
        """
        size = int64(buffer_size, "buffer_size")
        first, second = seed_tensors(seed)
        again = True if reshuffle_each_iteration is None else reshuffle_each_iteration
        return self._same("ShuffleDataset", size, first, second, reshuffle_each_iteration=again)

    def cache(self, filename: Any = "") -> Any:
        """The elements, kept in memory in the first whole pass. A file name is refused when it runs."""
        return self._same("CacheDataset", convert_to_tensor(filename, dtypes.string, name="filename"))

    def repeat(self, count: Any = None) -> Any:
        """The elements `count` times over, without end for None and -1."""
        return self._same("RepeatDataset", int64(-1 if count is None else count, "count"))

    def take(self, count: Any) -> Any:
        """The first `count` elements, all for -1."""
        return self._same("TakeDataset", int64(count, "count"))

    def skip(self, count: Any) -> Any:
        """All but the first `count` elements, none for -1."""
        return self._same("SkipDataset", int64(count, "count"))

    def shard(self, num_shards: Any, index: Any) -> Any:
        """Each `num_shards`-th element, from number `index` on."""
        return self._same("ShardDataset", int64(num_shards, "num_shards"), int64(index, "index"))

    def enumerate(self, start: Any = 0) -> Any:
        """Pairs of a number, from `start` on, and an element."""
        return self._family.zip((self._family.range(start, _ENDLESS), self))

    def apply(self, transformation_func: Callable) -> Any:
        """`transformation_func` of this dataset.

        Raises:
            TypeError: It returns no dataset.
        """
        made = transformation_func(self)
        if not isinstance(made, Transformations):
            raise TypeError(f"`transformation_func` must return a Dataset, not {made!r}")
        return made

    # -- batches ----------------------------------------------------------------------------------------

    def batch(self, batch_size: Any, drop_remainder: Any = False) -> Any:
        """`batch_size` elements at a time, stacked; with `drop_remainder`, never fewer."""
        size = int64(batch_size, "batch_size")
        drop = convert_to_tensor(drop_remainder, dtypes.bool, name="drop_remainder")
        spec = structure.mapped(lambda s: s._batch(_rows(size, drop)), self._element_spec)
        made = lookup("BatchDatasetV2")(self._variant_tensor, size, drop, **structure.outputs(spec))
        return self._like(made, spec, self._options)

    def padded_batch(
        self, batch_size: Any, padded_shapes: Any, padding_values: Any = None, drop_remainder: Any = False
    ) -> Any:
        """Batches of elements that are padded to one shape.

        Args:
            batch_size: How many elements.
            padded_shapes: The shapes, in the structure of the elements; None or -1 in them for the largest size of the
                batch.
            padding_values: Scalars, in the structure of the elements; zeros and empty strings by default.
            drop_remainder: Whether a last batch of fewer elements is left out.

        Raises:
            TypeError: Elements are sparse, or a value is of another dtype.
            ValueError: A shape does not fit the elements.
        """
        specs = structure.flatten(self._element_spec)
        if not all(isinstance(s, TensorSpec) for s in specs):
            raise TypeError("Batching of padded sparse tensors is not currently supported")
        size = int64(batch_size, "batch_size")
        given = structure.leaves_up_to(self._element_spec, padded_shapes)
        values = [None] * len(specs) if padding_values is None else structure.leaves_up_to(
            self._element_spec, padding_values
        )
        shapes = [padded_shape(shape, s) for shape, s in builtins.zip(given, specs, strict=True)]
        paddings = [padding_value(value, s) for value, s in builtins.zip(values, specs, strict=True)]
        drop = convert_to_tensor(drop_remainder, dtypes.bool, name="drop_remainder")
        rows, found = _rows(size, drop), []
        for shape, s in builtins.zip(shapes, specs, strict=True):
            known = get_static_value(shape)
            inner = [None] * (shape.shape.as_list()[0] or 0) if known is None else [None if d < 0 else d for d in known]
            found.append(TensorSpec([rows, *inner], s.dtype))
        made = lookup("PaddedBatchDatasetV2")(
            self._variant_tensor, size, shapes, paddings, drop, output_shapes=[s.shape for s in found]
        )
        return self._like(made, structure.packed(self._element_spec, found), self._options)

    def unbatch(self) -> Any:
        """The slices of elements along their first dimension, one after the other."""
        batched = self._element_spec

        def normalize(*parts: Any) -> Any:
            return tuple(structure.batched_tensor_list(batched, parts if type(batched) is tuple else parts[0]))

        spec = structure.mapped(lambda s: s._unbatch(), batched)
        made = lookup("UnbatchDataset")(self.map(normalize)._variant_tensor, **structure.outputs(spec))
        return self._like(made, spec, self._options)

    def window(self, size: Any, shift: Any = None, stride: Any = 1, drop_remainder: Any = False) -> Any:
        """Datasets of `size` elements each.

        Args:
            size: How many elements.
            shift: How far the next window is from the one before; `size` if None.
            stride: How far the elements of a window are from each other.
            drop_remainder: Whether windows of fewer elements are left out.
        """
        size = int64(size, "size")
        shift = int64(get_static_value(size) if shift is None else shift, "shift")
        stride = int64(stride, "stride")
        drop = convert_to_tensor(drop_remainder, dtypes.bool, name="drop_remainder")
        spec = structure.mapped(DatasetSpec, self._element_spec)
        made = lookup("WindowDataset")(self._variant_tensor, size, shift, stride, drop, **structure.outputs(spec))
        return self._like(made, spec, self._options)

    # -- functions --------------------------------------------------------------------------------------

    def map(self, map_func: Callable, num_parallel_calls: Any = None) -> Any:
        """What a function makes of each element.

        Args:
            map_func: Takes the parts of an element, returns tensors in tuples and dicts.
            num_parallel_calls: How many calls run at once in the original; their order is the same for any number.
        """
        function = ElementFunction(map_func, "Dataset_map", self._element_spec)
        attrs = dict(f=function.reference, **structure.outputs(function.spec))
        if num_parallel_calls is None:
            made = lookup("MapDataset")(self._variant_tensor, function.captured, **attrs)
        else:
            calls = convert_to_tensor(num_parallel_calls, dtypes.int32, name="num_parallel_calls")
            made = lookup("ParallelMapDataset")(self._variant_tensor, function.captured, calls, **attrs)
        return self._like(made, function.spec, self._options)

    def _of_datasets(self, map_func: Callable, name: str) -> ElementFunction:
        function = ElementFunction(map_func, name, self._element_spec)
        if not isinstance(function.spec, DatasetSpec):
            raise TypeError("`map_func` must return a `Dataset` object.")
        return function

    def flat_map(self, map_func: Callable) -> Any:
        """The elements of the datasets that a function makes of each element, one dataset after the other.

        Raises:
            TypeError: It returns no dataset.
        """
        function = self._of_datasets(map_func, "Dataset_flat_map")
        spec = function.spec.element_spec
        made = lookup("FlatMapDataset")(
            self._variant_tensor, function.captured, f=function.reference, **structure.outputs(spec)
        )
        return self._like(made, spec, self._options)

    def interleave(
        self, map_func: Callable, cycle_length: Any = -1, block_length: Any = 1, num_parallel_calls: Any = None
    ) -> Any:
        """The elements of the datasets that a function makes of each element, several of them in turn.

        Args:
            map_func: Takes the parts of an element, returns a dataset.
            cycle_length: How many datasets there are at once; as many as processors for -1.
            block_length: How many elements of one dataset follow each other.
            num_parallel_calls: How many calls run at once in the original; the order is the same for any number.

        Raises:
            TypeError: The function returns no dataset.
        """
        function = self._of_datasets(map_func, "Dataset_interleave")
        spec = function.spec.element_spec
        inputs = [int64(cycle_length, "cycle_length"), int64(block_length, "block_length")]
        kind = "InterleaveDataset"
        if num_parallel_calls is not None:
            kind = "ParallelInterleaveDatasetV2"
            inputs.append(int64(num_parallel_calls, "num_parallel_calls"))
        made = lookup(kind)(
            self._variant_tensor, function.captured, *inputs, f=function.reference, **structure.outputs(spec)
        )
        return self._like(made, spec, self._options)

    def filter(self, predicate: Callable) -> Any:
        """The elements for which a function is true.

        Raises:
            ValueError: It does not return a bool scalar.
        """
        function = ElementFunction(predicate, "Dataset_filter", self._element_spec)
        if not is_truth(function.spec):
            raise ValueError("`predicate` must return a scalar boolean tensor.")
        return self._same("FilterDataset", function.captured, predicate=function.reference)

    def reduce(self, initial_state: Any, reduce_func: Callable) -> Any:
        """What is left when a function has put all elements into a state, one after the other.

        Args:
            initial_state: The state before the first element.
            reduce_func: Takes a state and an element, returns the next state.

        Raises:
            TypeError: The function returns a state of other dtypes or another structure.
        """
        with name_scope("initial_state"):
            state, spec = structure.normalized(initial_state)
        function, spec = with_state(reduce_func, "reduce", spec, self._element_spec)
        found = lookup("ReduceDataset")(
            self._variant_tensor, structure.tensor_list(spec, state), function.captured, f=function.reference,
            **structure.outputs(spec),
        )
        return structure.from_tensor_list(spec, found)


def _rows(size: Tensor, drop: Tensor) -> int | None:
    """How many elements each batch has, if that is known."""
    known = get_static_value(size)
    return int(known) if get_static_value(drop) and known is not None else None
