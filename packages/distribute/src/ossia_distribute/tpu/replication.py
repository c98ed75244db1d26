"""`tf.tpu.replicate` and what is made of it: a computation built once for each replica, its inputs divided."""
from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from typing import Any

from ossia_core.declare.builders import builder
from ossia_core.graph.convert import convert_to_tensor
from ossia_core.graph.operation import Operation
from ossia_core.graph.scopes import control_dependencies
from ossia_core.graph.stack import replica_context
from ossia_core.names import dtypes
from ossia_core.plugins.api_table import public
from ossia_core.primitives.identity import group, identity
from ossia_core.primitives.source import no_op
from ossia_core.variables.scope import get_variable_scope
from ossia_core.variables.variable_scope import variable_scope
from ossia_distribute.strategy.replicas import call_for_each, reduced
from ossia_distribute.strategy.strategy import Strategy, StrategyExtended
from ossia_distribute.strategy.values import PerReplica


class _Shards(Strategy):
    """Several replicas on the CPU."""

    def __init__(self, count: int) -> None:
        super().__init__(StrategyExtended(self, ["/device:CPU:0"] * count))


def number_of_shards() -> int | None:
    """How many replicas the computation has that is being built; None outside of one."""
    replica = replica_context()
    return None if replica is None else replica.num_replicas_in_sync


@public("tpu.replicate", "contrib.tpu.replicate")
def replicate(
    computation: Callable, inputs: Any = None, infeed_queue: Any = None, device_assignment: Any = None,
    name: str | None = None, maximum_shapes: Any = None,
) -> list[Any]:
    """A computation built once for each replica; its replicas share variables.

    Args:
      computation: the function.
      inputs: a list of tensors for each replica.
      infeed_queue: not supported.
      device_assignment, name, maximum_shapes: for a TPU, without effect.

    Returns:
      A list of the outputs of each replica, which wait for the operations that `computation` returned; the operation
      itself where it returned no tensors.

    Raises:
      TypeError: `inputs` is no list of lists.
      ValueError: the replicas have different numbers of inputs.
      NotImplementedError: there is an `infeed_queue`.
    """
    given = [[]] if inputs is None else inputs
    if not isinstance(given, list):
        raise TypeError("tpu.replicate() inputs must be a list of lists/tuples")
    if any(not isinstance(each, (list, tuple)) for each in given):
        raise TypeError("tpu.replicate() inputs must be a list of lists/tuples")
    if infeed_queue is not None:
        raise NotImplementedError("infeed queues need TPU hardware")
    count = len(given)
    if count == 0:
        return []
    if len({len(each) for each in given}) > 1:
        raise ValueError(f"tpu.replicate() inputs must be of the same length, but got {[len(each) for each in given]}")
    columns = [
        PerReplica([convert_to_tensor(each[i]) for each in given]) if count > 1 else convert_to_tensor(given[0][i])
        for i in range(len(given[0]))
    ]

    def built(*args: Any) -> tuple[list[Any], list[Any]]:
        return _outputs(computation(*args))

    strategy = _Shards(count)
    with _using_resources():
        tensors, operations = call_for_each(strategy, built, columns, None)
    return [_result(i, count, tensors, operations) for i in range(count)]


@contextlib.contextmanager
def _using_resources() -> Iterator[None]:
    with variable_scope(get_variable_scope(), use_resource=True, auxiliary_name_scope=False):
        yield


def _outputs(result: Any) -> tuple[list[Any], list[Any]]:
    """Tensors and operations of what a computation returns."""
    found = list(result) if isinstance(result, (list, tuple)) else [] if result is None else [result]
    tensors = [each if isinstance(each, Operation) else convert_to_tensor(each) for each in found]
    operations = [each for each in tensors if isinstance(each, Operation)]
    values = [each for each in tensors if not isinstance(each, Operation)]
    if tensors != [*values, *operations]:
        raise ValueError("A TPU computation must return zero or more Tensors followed by zero or more Operations.")
    return values, operations


def _of(value: Any, replica: int) -> Any:
    return value.values[replica] if isinstance(value, PerReplica) else value


def _result(replica: int, count: int, tensors: list[Any], operations: list[Any]) -> Any:
    """What one replica gives."""
    first = [_of(each, replica) for each in operations]
    if not tensors:
        return group(*first, name=f"shard_{replica}") if first else no_op(name=f"shard_{replica}")
    with control_dependencies(first):
        return [
            identity(_of(each, replica), name=f"output_{i}_shard_{replica}") for i, each in enumerate(tensors)
        ]


@public("tpu.shard", "contrib.tpu.shard")
def shard(
    computation: Callable, inputs: Any = None, num_shards: int = 1, input_shard_axes: Any = None,
    outputs_from_all_shards: Any = True, output_shard_axes: Any = None, infeed_queue: Any = None,
    device_assignment: Any = None, name: str | None = None, xla_options: Any = None,
) -> Any:
    """A computation built once for each shard of its inputs, the outputs of the shards put together.

    Args:
      computation: the function.
      inputs: its inputs, each to be divided.
      num_shards: into how many.
      input_shard_axes: the axis along which each is divided, by default 0.
      outputs_from_all_shards: for each output, or for all, whether those of all shards are put together, or that of
        the first one taken.
      output_shard_axes: the axis along which each output is put together, by default 0.
      infeed_queue, device_assignment, name, xla_options: as in `replicate`.

    Returns:
      The outputs: a tensor if there is one, else a list; an operation if there are none.

    Raises:
      ValueError: numbers that do not fit.
    """
    if num_shards <= 0:
        raise ValueError("num_shards must be a positive integer.")
    given = [] if inputs is None else inputs
    if not isinstance(given, list):
        raise TypeError("tpu.shard()'s inputs must be a list of Tensors or None.")
    tensors = [convert_to_tensor(each) for each in given]
    axes = [0] * len(tensors) if input_shard_axes is None else list(input_shard_axes)
    if len(axes) != len(tensors):
        raise ValueError(
            "Length of input_shard_axes must be equal to the number of inputs. "
            f"Received {len(tensors)} inputs and {len(axes)} input_shard_axes."
        )
    split = builder("split")
    parts = [
        split(each, num_shards, axis) if num_shards > 1 else [each] for each, axis in zip(tensors, axes, strict=True)
    ]
    results = replicate(
        computation, [[part[i] for part in parts] for i in range(num_shards)], infeed_queue, device_assignment, name
    )
    if isinstance(results[0], Operation):
        return group(*results) if len(results) > 1 else results[0]
    outputs = len(results[0])
    places = [0] * outputs if output_shard_axes is None else list(output_shard_axes)
    if len(places) != outputs:
        raise ValueError(
            "Length of output_shard_axes must be equal to the number of outputs. "
            f"Received {outputs} outputs and {len(places)} output_shard_axes."
        )
    whole = [outputs_from_all_shards] * outputs if isinstance(outputs_from_all_shards, bool) else list(
        outputs_from_all_shards
    )
    if len(whole) != outputs:
        raise ValueError(
            "Length of outputs_from_all_shards must be equal to the number of outputs. "
            f"Received {outputs} outputs and {len(whole)} outputs_from_all_shards."
        )
    concat = builder("concat")
    made = [
        concat([each[i] for each in results], place) if all_shards and num_shards > 1 else results[0][i]
        for i, (all_shards, place) in enumerate(zip(whole, places, strict=True))
    ]
    return made[0] if len(made) == 1 else made


@public("tpu.batch_parallel", "contrib.tpu.batch_parallel")
def batch_parallel(
    computation: Callable, inputs: Any = None, num_shards: int = 1, infeed_queue: Any = None,
    device_assignment: Any = None, name: str | None = None,
) -> Any:
    """`shard` along axis 0 of all inputs and outputs; the arguments are its."""
    return shard(
        computation, inputs, num_shards=num_shards, infeed_queue=infeed_queue, device_assignment=device_assignment,
        name=name,
    )


@public("tpu.rewrite", "contrib.tpu.rewrite")
def rewrite(
    computation: Callable, inputs: Any = None, infeed_queue: Any = None, device_assignment: Any = None,
    name: str | None = None,
) -> Any:
    """`replicate` with one replica: its outputs; the arguments are its."""
    given = None if inputs is None else [inputs]
    return replicate(computation, given, infeed_queue, device_assignment, name)[0]


@public("tpu.cross_replica_sum", "contrib.tpu.cross_replica_sum")
def cross_replica_sum(x: Any, group_assignment: Any = None, name: str | None = None) -> Any:
    """The sum of a tensor over the replicas of the computation that is being built; outside of one the tensor itself.

    Args:
      x: the tensor.
      group_assignment: lists of replicas that add up among themselves, by default all of them.
      name: name of the operation.
    """
    replica = replica_context()
    value = convert_to_tensor(x)
    if replica is None:
        return identity(value, name=name or "CrossReplicaSum")

    def summed(strategy: Any, values: Any) -> Any:
        each = values.values if isinstance(values, PerReplica) else [values] * strategy.num_replicas_in_sync
        if group_assignment is None:
            return reduced("SUM", each)
        sums = {i: reduced("SUM", [each[j] for j in members]) for members in group_assignment for i in members}
        return PerReplica([sums[i] for i in range(len(each))])

    return replica.merge_call(summed, args=(value,))


@public("tpu.outside_compilation", "contrib.tpu.outside_compilation")
def outside_compilation(computation: Callable, *args: Any, **kwargs: Any) -> Any:
    """What `computation` gives: on local devices all of it is compiled alike."""
    return computation(*args, **kwargs)


@public("tpu.core", "contrib.tpu.core")
def core(num: int) -> str:
    """The device name of a core of a TPU.

    Args:
      num: its number.
    """
    return f"device:TPU_REPLICATED_CORE:{num}"


@public("tpu.bfloat16_scope", "contrib.tpu.bfloat16_scope")
@contextlib.contextmanager
def bfloat16_scope() -> Iterator[None]:
    """Inside, `get_variable` of bfloat16 makes a float32 variable, and gives its value as bfloat16."""
    def as_float32(getter: Callable, *args: Any, **kwargs: Any) -> Any:
        wanted = kwargs.get("dtype")
        if wanted is not None and dtypes.as_dtype(wanted) is dtypes.bfloat16:
            kwargs["dtype"] = dtypes.float32
            return builder("cast")(getter(*args, **kwargs), dtypes.bfloat16)
        return getter(*args, **kwargs)

    with variable_scope(get_variable_scope(), custom_getter=as_float32, auxiliary_name_scope=False):
        yield
