"""Where input pipelines begin: queues filled with the elements of a tensor, epoch after epoch."""
from __future__ import annotations

from typing import Any

from ossia_coordination.queue_runner import QueueRunner, add_queue_runner
from ossia_core.declare.builders import builder
from ossia_core.graph.collections import GraphKeys
from ossia_core.graph.convert import constant, convert_to_tensor
from ossia_core.graph.scopes import control_dependencies, name_scope
from ossia_core.graph.tensor import Tensor
from ossia_core.names import dtypes
from ossia_core.plugins.api_table import public
from ossia_core.primitives.identity import identity
from ossia_queues.fifo import FIFOQueue

_NO_STRINGS = "string_input_producer requires a non-null input tensor"


@public("train.match_filenames_once", "io.match_filenames_once", "compat.v2.io.match_filenames_once")
def match_filenames_once(pattern: Any, name: str | None = None) -> Any:
    """The names of the files that match a pattern, found once.

    Args:
        pattern: A pattern for file names, or a vector of them.
        name: Name of the variable.

    Returns:
        A local variable of strings, to be initialised with `tf.local_variables_initializer()`.
    """
    with name_scope(name, "matching_filenames", [pattern]) as scope:
        return builder("Variable")(
            name=scope,
            initial_value=builder("io.matching_files")(pattern),
            trainable=False,
            validate_shape=False,
            collections=[GraphKeys.LOCAL_VARIABLES],
        )


@public("train.limit_epochs")
def limit_epochs(tensor: Any, num_epochs: int | None = None, name: str | None = None) -> Any:
    """A tensor that can be had `num_epochs` times; running it once more raises OutOfRangeError.

    Args:
        tensor: The tensor.
        num_epochs: How often, counted in a local variable; None is always, and returns the tensor itself.
        name: Name of the operation.

    Raises:
        ValueError: `num_epochs` is not positive.
    """
    if num_epochs is None:
        return tensor
    if num_epochs <= 0:
        raise ValueError(f"num_epochs must be > 0 not {num_epochs}.")
    with name_scope(name, "limit_epochs", [tensor]) as scope:
        epochs = builder("Variable")(
            constant(0, dtype=dtypes.int64), name="epochs", trainable=False, collections=[GraphKeys.LOCAL_VARIABLES]
        )
        with control_dependencies([epochs.count_up_to(num_epochs)]):
            return identity(tensor, name=scope)


@public("train.input_producer")
def input_producer(
    input_tensor: Any, element_shape: Any = None, num_epochs: int | None = None, shuffle: bool = True,
    seed: int | None = None, capacity: int = 32, shared_name: str | None = None, summary_name: str | None = None,
    name: str | None = None, cancel_op: Any = None,
) -> FIFOQueue:
    """A queue of the rows of a tensor, with a QueueRunner that fills it.

    Args:
        input_tensor: The tensor.
        element_shape: The shape of a row, where the tensor's is not known.
        num_epochs: How often the tensor is put in; None does not end. The count is a local variable.
        shuffle: Whether the rows of each epoch are put in in random order.
        seed: A seed for the order.
        capacity: Of the queue.
        shared_name: Of the queue.
        summary_name: A name for a summary of how full the queue is; None makes none.
        name: Name scope, and name of the queue.
        cancel_op: For the QueueRunner.

    Raises:
        ValueError: The shape of a row is not known.
    """
    with name_scope(name, "input_producer", [input_tensor]):
        input_tensor = convert_to_tensor(input_tensor, name="input_tensor")
        element_shape = input_tensor.shape[1:].merge_with(element_shape)
        if not element_shape.is_fully_defined():
            raise ValueError(
                "Either `input_tensor` must have a fully defined shape or `element_shape` must be specified"
            )
        if shuffle:
            input_tensor = builder("random.shuffle")(input_tensor, seed=seed)
        input_tensor = limit_epochs(input_tensor, num_epochs)
        queue = FIFOQueue(
            capacity=capacity,
            dtypes=[input_tensor.dtype.base_dtype],
            shapes=[element_shape],
            shared_name=shared_name,
            name=name,
        )
        enqueue = queue.enqueue_many([input_tensor])
        add_queue_runner(QueueRunner(queue, [enqueue], cancel_op=cancel_op))
        if summary_name is not None:
            summarise_fullness(summary_name, queue.size(), capacity)
        return queue


def summarise_fullness(name: str, size: Any, capacity: int) -> None:
    """Makes a summary of how much of `capacity` is used."""
    builder("summary.scalar")(name, builder("cast")(size, dtypes.float32) * (1.0 / capacity))


@public("train.string_input_producer")
def string_input_producer(
    string_tensor: Any, num_epochs: int | None = None, shuffle: bool = True, seed: int | None = None,
    capacity: int = 32, shared_name: str | None = None, name: str | None = None, cancel_op: Any = None,
) -> FIFOQueue:
    """A queue of the strings of a vector, such as file names; the other arguments are those of `input_producer`.

    Raises:
        ValueError: The list of strings is empty. Where it is a tensor that is empty when it is run,
            InvalidArgumentError is raised then.
    """
    if not isinstance(string_tensor, Tensor) and not string_tensor:
        raise ValueError(_NO_STRINGS)
    with name_scope(name, "input_producer", [string_tensor]) as scope:
        string_tensor = convert_to_tensor(string_tensor, dtype=dtypes.string)
        with control_dependencies([builder("Assert")(builder("size")(string_tensor) > 0, [_NO_STRINGS])]):
            string_tensor = identity(string_tensor)
        return input_producer(
            input_tensor=string_tensor,
            element_shape=[],
            num_epochs=num_epochs,
            shuffle=shuffle,
            seed=seed,
            capacity=capacity,
            shared_name=shared_name,
            name=scope,
            summary_name=f"fraction_of_{capacity}_full",
            cancel_op=cancel_op,
        )


@public("train.range_input_producer")
def range_input_producer(
    limit: Any, num_epochs: int | None = None, shuffle: bool = True, seed: int | None = None, capacity: int = 32,
    shared_name: str | None = None, name: str | None = None,
) -> FIFOQueue:
    """A queue of the numbers from 0 to `limit - 1`, int32; the other arguments are those of `input_producer`."""
    with name_scope(name, "input_producer", [limit]) as scope:
        return input_producer(
            builder("range")(limit),
            [],
            num_epochs,
            shuffle,
            seed,
            capacity,
            shared_name,
            f"fraction_of_{capacity}_full",
            scope,
        )


@public("train.slice_input_producer")
def slice_input_producer(
    tensor_list: list, num_epochs: int | None = None, shuffle: bool = True, seed: int | None = None, capacity: int = 32,
    shared_name: str | None = None, name: str | None = None,
) -> list:
    """One row of each of several tensors, the same in all, another in each run.

    Args:
        tensor_list: Tensors with the same number of rows.
        num_epochs: As the others, for `range_input_producer`.

    Returns:
        A list of tensors.

    Raises:
        ValueError: The list is empty.
    """
    with name_scope(name, "input_producer", tensor_list):
        tensors = [convert_to_tensor(tensor) for tensor in tensor_list]
        if not tensors:
            raise ValueError("Expected at least one tensor in slice_input_producer().")
        rows = builder("shape")(tensors[0])[0]
        queue = range_input_producer(
            rows, num_epochs=num_epochs, shuffle=shuffle, seed=seed, capacity=capacity, shared_name=shared_name
        )
        index = queue.dequeue()
        return [builder("gather")(tensor, index) for tensor in tensors]
