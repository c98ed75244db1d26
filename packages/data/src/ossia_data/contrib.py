"""`tf.contrib.data`: what has gone from `tf.data.experimental`."""
from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ossia_core.declare.opdef import lookup
from ossia_core.graph.type_spec import TensorSpec
from ossia_core.names.shapes import TensorShape
from ossia_core.plugins.api_table import public
from ossia_data import structure
from ossia_data.experimental import Transformation, parallel_interleave
from ossia_data.feature_batches import make_batched_features_dataset
from ossia_data.grouping import Reducer
from ossia_data.transformations import int64


@public("contrib.data.assert_element_shape")
def assert_element_shape(expected_shapes: Any) -> Transformation:
    """The elements, of the shapes given; InvalidArgumentError in a run for one of another shape.

    Args:
        expected_shapes: Shapes, in the structure of the elements.
    """
    def apply(dataset: Any) -> Any:
        def _check_shape(*parts: Any) -> Any:
            element = parts if type(dataset.element_spec) is tuple else parts[0]
            wanted = structure.leaves_up_to(dataset.element_spec, expected_shapes)
            leaves = [
                lookup("EnsureShape")(leaf, shape=TensorShape(shape))
                if isinstance(spec, TensorSpec) and not _is_sure(leaf.shape, TensorShape(shape)) else leaf
                for leaf, shape, spec in zip(
                    structure.flatten(element), wanted, structure.flatten(dataset.element_spec), strict=True
                )
            ]
            return structure.packed(dataset.element_spec, leaves)

        return dataset.map(_check_shape)

    return apply


def _is_sure(known: TensorShape, wanted: TensorShape) -> bool:
    """Whether what is known of a shape is all that is wanted; ValueError if it is something else."""
    return known.merge_with(wanted).as_tuple() == known.as_tuple()


@public("contrib.data.batch_and_drop_remainder")
def batch_and_drop_remainder(batch_size: Any) -> Transformation:
    """See `Dataset.batch`; without a last batch of fewer elements."""
    return lambda dataset: dataset.batch(batch_size, drop_remainder=True)


@public("contrib.data.padded_batch_and_drop_remainder")
def padded_batch_and_drop_remainder(batch_size: Any, padded_shapes: Any, padding_values: Any = None) -> Transformation:
    """See `Dataset.padded_batch`; without a last batch of fewer elements."""
    return lambda dataset: dataset.padded_batch(batch_size, padded_shapes, padding_values, drop_remainder=True)


@public("contrib.data.sliding_window_batch")
def sliding_window_batch(
    window_size: Any, stride: Any = None, window_shift: Any = None, window_stride: Any = 1
) -> Transformation:
    """Batches of the elements of windows that overlap.

    Args:
        window_size: How many elements.
        stride: An older name of `window_shift`.
        window_shift: How far the next window is from the one before; 1 if None.
        window_stride: How far the elements of a window are from each other.

    Raises:
        ValueError: Both names are given.
    """
    if stride is not None and window_shift is not None:
        raise ValueError("Cannot specify both `stride` and `window_shift`")
    shift = next((given for given in (stride, window_shift) if given is not None), 1)

    def apply(dataset: Any) -> Any:
        spec = structure.mapped(lambda s: s._batch(None), dataset.element_spec)
        made = lookup("SlidingWindowDataset")(
            dataset._variant_tensor, int64(window_size, "window_size"), int64(shift, "window_shift"),
            int64(window_stride, "window_stride"), **structure.outputs(spec),
        )
        return dataset._like(made, spec, dataset.options())

    return apply


@public("contrib.data.sloppy_interleave")
def sloppy_interleave(map_func: Callable, cycle_length: Any, block_length: Any = 1) -> Transformation:
    """See `tf.data.experimental.parallel_interleave`, with `sloppy`."""
    return parallel_interleave(map_func, cycle_length, block_length, sloppy=True)


@public("contrib.data.reduce_dataset")
def reduce_dataset(dataset: Any, reducer: Reducer) -> Any:
    """What a reducer makes of all elements."""
    state = dataset.reduce(reducer.init_func(0), reducer.reduce_func)
    return reducer.finalize_func(state)


@public("contrib.data.read_batch_features")
def read_batch_features(
    file_pattern: Any, batch_size: Any, features: Any, reader: Any = None, reader_args: Any = None,
    randomize_input: bool = True, num_epochs: int | None = None, capacity: int = 10000,
) -> Any:
    """The next batch of `tf.data.experimental.make_batched_features_dataset`, of a one-shot iterator."""
    dataset = make_batched_features_dataset(
        file_pattern, batch_size, features, reader=reader, reader_args=reader_args, shuffle=randomize_input,
        num_epochs=num_epochs, shuffle_buffer_size=capacity,
    )
    return dataset.make_one_shot_iterator().get_next()
