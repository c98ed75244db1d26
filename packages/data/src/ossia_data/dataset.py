"""`tf.data.Dataset`: elements, one after the other; where they come from, and how iterators go through them."""
from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ossia_core.declare.opdef import lookup
from ossia_core.graph.composites import SparseTensor
from ossia_core.graph.tensor import Tensor
from ossia_core.graph.type_spec import TensorSpec
from ossia_core.names import dtypes
from ossia_core.names.shapes import TensorShape
from ossia_core.names.structures import CompositeTensor
from ossia_core.plugins.api_table import public
from ossia_data import structure
from ossia_data.options import Options, applied
from ossia_data.specs import DatasetSpec
from ossia_data.transformations import Transformations, int64


@public("compat.v2.data.Dataset")
class DatasetV2(Transformations, CompositeTensor):
    """Elements, one after the other: tensors, or tuples and dicts of tensors.

    Each method makes a new dataset; nothing is read before an iterator takes elements.

    Args:
        variant_tensor: The node that makes the dataset in a run.
        element_spec: The specs of its elements.
        options: Its options, None for those of nothing.
    """

    def __init__(self, variant_tensor: Tensor, element_spec: Any, options: Options | None = None) -> None:
        self._variant_tensor, self._element_spec, self._options = variant_tensor, element_spec, options or Options()

    # -- what it is -----------------------------------------------------------------------------------

    @property
    def element_spec(self) -> Any:
        """The specs of the elements, in their structure."""
        return self._element_spec

    @property
    def _type_spec(self) -> DatasetSpec:
        return DatasetSpec(self._element_spec)

    def components(self) -> tuple:
        return (self._variant_tensor,)

    def with_components(self, components: Any) -> Any:
        return self._like(components[0], self._element_spec, self._options)

    def _kind(self) -> str:
        return type(self).__name__ if type(self) is not DatasetV2 else self._variant_tensor.op.type.removesuffix("V2")

    def __repr__(self) -> str:
        shapes = structure.mapped(str, structure.legacy_shapes(self._element_spec))
        types = structure.mapped(repr, structure.legacy_types(self._element_spec))
        return f"<{self._kind()} shapes: {shapes}, types: {types}>".replace("'", "")

    def options(self) -> Options:
        """The options of the dataset and of what it is made of."""
        return self._options

    def with_options(self, options: Options) -> Any:
        """The same elements, with these options as well."""
        return self._like(self._variant_tensor, self._element_spec, self._options.merge(options))

    def _with_defaults(self) -> Tensor:
        """The dataset as iterators run it, with its options applied."""
        return applied(self._options, self._variant_tensor, structure.outputs(self._element_spec))

    def __iter__(self) -> Any:
        raise RuntimeError("__iter__() is only supported inside of tf.function or when eager execution is enabled.")

    # -- sources --------------------------------------------------------------------------------------

    @classmethod
    def from_tensors(cls, tensors: Any) -> Any:
        """A dataset of one element."""
        element, spec = structure.normalized(tensors)
        flat = structure.flat_specs(spec)
        made = lookup("TensorDataset")(
            structure.tensor_list(spec, element), output_shapes=[s.shape for s in flat]
        )
        return cls._family(made, spec)

    @classmethod
    def from_tensor_slices(cls, tensors: Any) -> Any:
        """A dataset of the slices of tensors along their first dimension.

        Raises:
            ValueError: Tensors are scalars, or differ in their first dimension.
        """
        batch, batch_spec = structure.normalized(tensors)
        parts = structure.batched_tensor_list(batch_spec, batch)
        first = TensorShape([None])
        for part in parts:
            if part.shape.ndims is not None:
                first = first.merge_with(TensorShape(part.shape.as_list()[:1]))
        spec = structure.mapped(lambda s: s._unbatch(), batch_spec)
        made = lookup("TensorSliceDataset")(parts, output_shapes=[s.shape for s in structure.flat_specs(spec)])
        return cls._family(made, spec)

    @classmethod
    def from_generator(
        cls, generator: Callable, output_types: Any, output_shapes: Any = None, args: Any = None
    ) -> Any:
        """A dataset of what a Python generator yields.

        Args:
            generator: Called with the values of `args` for each pass; returns an iterable.
            output_types: The dtypes of its elements, in their structure.
            output_shapes: Their shapes; unknown ones if None.
            args: Tensors.

        Raises:
            TypeError: `generator` is not callable.
        """
        from ossia_data.generators import generated
        return generated(cls._family, generator, output_types, output_shapes, args)

    @classmethod
    def range(cls, *args: Any) -> Any:
        """The int64 numbers of a `range(*args)`.

        Raises:
            ValueError: There are none, or more than three arguments.
        """
        if not 1 <= len(args) <= 3:
            raise ValueError(f"Invalid arguments to RangeDataset: {args}")
        start, stop, step = (0, args[0], 1) if len(args) == 1 else (*args, 1)[:3]
        spec = TensorSpec([], dtypes.int64)
        made = lookup("RangeDataset")(
            int64(start, "start"), int64(stop, "stop"), int64(step, "step"), **structure.outputs(spec)
        )
        return cls._family(made, spec)

    @classmethod
    def zip(cls, datasets: Any) -> Any:
        """Elements of several datasets side by side, until one of them ends.

        Args:
            datasets: Datasets in tuples and dicts.

        Raises:
            TypeError: It holds something else.
        """
        parts = structure.flatten(datasets)
        for part in parts:
            if not isinstance(part, DatasetV2):
                kind = "lists" if isinstance(part, list) else str(type(part))
                raise TypeError(f"The argument to `Dataset.zip()` must be a nested structure of datasets, not {kind}.")
        spec = structure.packed(datasets, [part.element_spec for part in parts])
        made = lookup("ZipDataset")([part._variant_tensor for part in parts], **structure.outputs(spec))
        options = Options()
        for part in parts:
            options = options.merge(part._options)
        return cls._family(made, spec, options)

    @classmethod
    def list_files(cls, file_pattern: Any, shuffle: Any = None, seed: Any = None) -> Any:
        """The names of the files that match patterns, in random order.

        Args:
            file_pattern: A string, a list of them, or a tensor.
            shuffle: False for the order of the names.
            seed: Seed of the order.

        In a run, InvalidArgumentError if no file matches.
        """
        from ossia_data.file_names import listed
        return listed(cls._family, file_pattern, shuffle, seed)


DatasetV2._family = DatasetV2


@public("data.Dataset")
class Dataset(structure.Structured, DatasetV2):
    """A dataset with the methods of 1.x as well, see `DatasetV2` for the others.

    Args:
        variant_tensor: The node that makes the dataset in a run.
        element_spec: The specs of its elements.
        options: Its options, None for those of nothing.
    """

    def _kind(self) -> str:
        return "DatasetV1Adapter" if type(self) is Dataset else type(self).__name__ + "V1"

    @classmethod
    def from_sparse_tensor_slices(cls, sparse_tensor: Any) -> Any:
        """A dataset of the slices of a sparse tensor along its first dimension.

        Raises:
            TypeError: It is no sparse tensor.
        """
        if not isinstance(sparse_tensor, SparseTensor):
            raise TypeError(f"`sparse_tensor` must be a `tf.SparseTensor` object. Was {sparse_tensor}.")
        made = lookup("SparseTensorSliceDataset")(
            sparse_tensor.indices, sparse_tensor.values, sparse_tensor.dense_shape
        )
        dims = sparse_tensor.indices.shape.as_list() if sparse_tensor.indices.shape.ndims == 2 else [None, None]
        rank = None if dims[1] is None else dims[1] - 1
        spec = (
            TensorSpec([None, rank], dtypes.int64), TensorSpec([None], sparse_tensor.dtype),
            TensorSpec([rank], dtypes.int64),
        )
        return cls._family(made, spec)

    def map_with_legacy_function(self, map_func: Callable, num_parallel_calls: Any = None) -> Any:
        """As `map`."""
        return self.map(map_func, num_parallel_calls)

    def filter_with_legacy_function(self, predicate: Callable) -> Any:
        """As `filter`."""
        return self.filter(predicate)

    def make_one_shot_iterator(self) -> Any:
        """An iterator that goes through the dataset once, and need not be started.

        Raises:
            ValueError: The dataset uses a placeholder, a variable, a table or the like.
        """
        from ossia_data.iterator import one_shot
        return one_shot(self)

    def make_initializable_iterator(self, shared_name: str | None = None) -> Any:
        """An iterator that goes through the dataset each time that its `initializer` has run.

        Args:
            shared_name: A name under which iterators of a session are one.
        """
        from ossia_data.iterator import initializable
        return initializable(self, shared_name)


Dataset._family = Dataset
