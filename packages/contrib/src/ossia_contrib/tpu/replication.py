"""Computations that a TPU would run on several cores, on this one device."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import ossia as tf
from ossia_contrib.tpu.estimator import NO_TPU
from ossia_core.plugins.api_table import public, public_value


@public("contrib.tpu.bfloat16_scope", "tpu.bfloat16_scope")
@contextlib.contextmanager
def bfloat16_scope(name: str | None = None) -> Iterator[Any]:
    """A variable scope in which bfloat16 variables are kept as float32.

    Args:
      name: of the scope, none by default.

    Yields:
      The variable scope.
    """

    def keep(getter: Callable, *args: Any, **kwargs: Any) -> Any:
        asked = tf.as_dtype(kwargs.get("dtype") or tf.float32)
        if asked != tf.bfloat16:
            return getter(*args, **kwargs)
        kwargs["dtype"] = tf.float32
        return tf.cast(getter(*args, **kwargs), tf.bfloat16)

    with tf.variable_scope(name or "", custom_getter=keep) as scope:
        yield scope


@public("contrib.tpu.CrossShardOptimizer", "tpu.CrossShardOptimizer")
class CrossShardOptimizer(tf.train.Optimizer):
    """An optimizer that averages gradients over shards, of which there is one here.

    Args:
      opt: the optimizer.
      reduction: how losses of shards are put together, `Reduction.SUM` or `Reduction.MEAN` of `tf.losses`.
      name: a name.
      group_assignment: which shards are averaged.

    Raises:
      ValueError: another reduction.
      TypeError: `opt` is no optimizer.
    """

    def __init__(
        self, opt: Any, reduction: str = tf.losses.Reduction.MEAN, name: str = "CrossShardOptimizer",
        group_assignment: Any = None,
    ) -> None:
        if reduction not in (tf.losses.Reduction.SUM, tf.losses.Reduction.MEAN):
            raise ValueError(f"Unsupported reduction: {reduction}.")
        if not isinstance(opt, tf.train.Optimizer):
            raise TypeError(
                "CrossShardOptimizer only works with tf.training.Optimizer and not Optimizer_v2. If you are using "
                "TPUStrategy, OptimizerV2 will sum gradients across replicas.If you are using TPUEstimator, you may "
                "instead sum your gradients with: grads = [tf.compat.v1.tpu.cross_replica_sum(g) for g in grads]. If "
                f"you want to average your gradients, rescale your loss with: loss /= global_batch_size: {opt}"
            )
        super().__init__(False, name)
        self._opt = opt

    def compute_gradients(  # type: ignore[override]  # as the original
        self, loss: Any, var_list: Any = None, **kwargs: Any
    ) -> list[Any]:
        """The gradients of the optimizer."""
        return self._opt.compute_gradients(loss, var_list=var_list, **kwargs)

    def apply_gradients(self, grads_and_vars: Any, global_step: Any = None, name: str | None = None) -> Any:
        """Applies gradients, averaged over one shard."""
        return self._opt.apply_gradients(grads_and_vars, global_step, name)

    def get_slot(self, *args: Any, **kwargs: Any) -> Any:
        """A slot of the optimizer."""
        return self._opt.get_slot(*args, **kwargs)

    def get_slot_names(self, *args: Any, **kwargs: Any) -> Any:
        """The names of its slots."""
        return self._opt.get_slot_names(*args, **kwargs)

    def variables(self) -> list[Any]:
        """Its variables."""
        return self._opt.variables()


@public("contrib.tpu.cross_replica_sum", "tpu.cross_replica_sum")
def cross_replica_sum(x: Any, group_assignment: Any = None, name: str | None = None) -> tf.Tensor:
    """The sum over replicas, of which there is one.

    Args:
      x: a tensor.
      group_assignment: which replicas are summed.
      name: name of the result.
    """
    return tf.identity(x, name=name or "CrossReplicaSum")


@public("contrib.tpu.core", "tpu.core")
def core(num: int) -> str:
    """The device of a core of a TPU, for `tf.device`."""
    return f"device:TPU_REPLICATED_CORE:{num}"


@public("contrib.tpu.replicate", "tpu.replicate")
def replicate(
    computation: Callable, inputs: Any = None, infeed_queue: Any = None, device_assignment: Any = None,
    name: str | None = None, maximum_shapes: Any = None,
) -> list[Any]:
    """Builds a computation once for each list of inputs, one replica after the other on this device.

    Args:
      computation: a function of tensors.
      inputs: a list of inputs for each replica.
      infeed_queue: not supported.
      device_assignment: not used.
      name: not used.
      maximum_shapes: not used.

    Returns:
      The list of outputs of each replica; operations among them have run when an output is there.

    Raises:
      NotImplementedError: there is an `infeed_queue`.
    """
    if infeed_queue is not None:
        raise NotImplementedError(f"infeed_queue: {NO_TPU}")
    return [_outputs(computation(*each)) for each in (inputs if inputs is not None else [[]])]


def _outputs(made: Any) -> Any:
    values = list(made) if isinstance(made, (list, tuple)) else [] if made is None else [made]
    operations = [value for value in values if isinstance(value, tf.Operation)]
    tensors = [tf.convert_to_tensor(value) for value in values if not isinstance(value, tf.Operation)]
    with tf.control_dependencies(operations):
        if not tensors:
            return tf.no_op()
        return [tf.identity(value) for value in tensors]


@public("contrib.tpu.rewrite", "tpu.rewrite")
def rewrite(
    computation: Callable, inputs: Any = None, infeed_queue: Any = None, device_assignment: Any = None,
    name: str | None = None,
) -> Any:
    """Builds a computation, as `replicate` does for one replica.

    Args:
      computation: a function of tensors.
      inputs: what it is called with.
      infeed_queue: not supported.
      device_assignment: not used.
      name: not used.

    Returns:
      Its outputs.
    """
    return replicate(computation, [list(inputs or [])], infeed_queue, device_assignment, name)[0]


@public("contrib.tpu.shard", "tpu.shard")
def shard(
    computation: Callable, inputs: Any = None, num_shards: int = 1, input_shard_axes: Sequence[Any] | None = None,
    outputs_from_all_shards: Any = True, output_shard_axes: Sequence[Any] | None = None, infeed_queue: Any = None,
    device_assignment: Any = None, name: str | None = None,
) -> Any:
    """Splits inputs, builds a computation on each part, and puts the outputs together.

    Args:
      computation: a function of tensors.
      inputs: what is split.
      num_shards: into how many parts.
      input_shard_axes: along which axis each is split, 0 by default; None leaves one whole.
      outputs_from_all_shards: whether outputs of all parts are put together, or those of the first given.
      output_shard_axes: along which axis.
      infeed_queue: not supported.
      device_assignment: not used.
      name: not used.

    Returns:
      The outputs.

    Raises:
      ValueError: `num_shards` is not positive, or there are axes for another number of tensors.
    """
    if num_shards <= 0:
        raise ValueError("num_shards must be a positive integer.")
    given = [tf.convert_to_tensor(each) for each in inputs or []]
    axes = list(input_shard_axes) if input_shard_axes is not None else [0] * len(given)
    if len(axes) != len(given):
        raise ValueError("Length of input_shard_axes must equal the number of inputs.")
    parts = [
        [each] * num_shards if axis is None or num_shards == 1 else tf.split(each, num_shards, axis=axis)
        for axis, each in zip(axes, given)
    ]
    made = replicate(computation, [list(each) for each in zip(*parts)] or [[]] * num_shards, infeed_queue)
    if not isinstance(made[0], list):
        return [tf.group(*made)]
    count = len(made[0])
    all_shards = (
        [outputs_from_all_shards] * count if isinstance(outputs_from_all_shards, bool) else outputs_from_all_shards
    )
    out_axes = list(output_shard_axes) if output_shard_axes is not None else [0] * count
    if len(out_axes) != count or len(all_shards) != count:
        raise ValueError("Length of output_shard_axes must equal the number of outputs.")
    return [
        tf.concat([each[index] for each in made], axis=out_axes[index]) if all_shards[index] and num_shards > 1
        else made[0][index]
        for index in range(count)
    ]


@public("contrib.tpu.batch_parallel", "tpu.batch_parallel")
def batch_parallel(
    computation: Callable, inputs: Any = None, num_shards: int = 1, infeed_queue: Any = None,
    device_assignment: Any = None, name: str | None = None,
) -> Any:
    """`shard`, along the first axis of all inputs and outputs."""
    return shard(computation, inputs, num_shards, infeed_queue=infeed_queue, device_assignment=device_assignment)


@public("contrib.tpu.outside_compilation", "tpu.outside_compilation")
def outside_compilation(computation: Callable, *args: Any, **kwargs: Any) -> Any:
    """Calls a function, which a TPU would leave to the host."""
    return computation(*args, **kwargs)


@public("contrib.tpu.repeat")
def repeat(n: int, body: Callable, inputs: Any = None, infeed_queue: Any = None, name: str | None = None) -> Any:
    """Calls a function of its own outputs `n` times, as a loop.

    Args:
      n: how often.
      body: the function.
      inputs: what it is first called with.
      infeed_queue: not supported.
      name: not used.
    """

    def step(i: Any, *values: Any) -> list[Any]:
        made = body(*values)
        return [i + 1, *(made if isinstance(made, (list, tuple)) else [made])]

    return while_loop(lambda i, *values: i < n, step, [0, *(inputs or [])], infeed_queue, name)[1:]


@public("contrib.tpu.while_loop")
def while_loop(
    condition: Callable, body: Callable, inputs: Any = None, infeed_queue: Any = None, name: str | None = None
) -> Any:
    """`tf.while_loop`.

    Args:
      condition: whether to go on, a function of the values.
      body: makes the next values.
      inputs: the first values.
      infeed_queue: not supported.
      name: not used.
    """
    if infeed_queue is not None:
        raise NotImplementedError(f"infeed_queue: {NO_TPU}")
    return tf.while_loop(condition, body, [tf.convert_to_tensor(each) for each in inputs or []], name=name)


def _absent(name: str) -> Callable:
    def function(*args: Any, **kwargs: Any) -> Any:
        raise NotImplementedError(f"tf.contrib.tpu.{name}: {NO_TPU}")

    function.__name__ = function.__qualname__ = name
    function.__doc__ = "Needs a TPU, and says so."
    return function


infeed_dequeue = _absent("infeed_dequeue")
infeed_dequeue_tuple = _absent("infeed_dequeue_tuple")
infeed_enqueue = _absent("infeed_enqueue")
infeed_enqueue_tuple = _absent("infeed_enqueue_tuple")
outfeed_dequeue = _absent("outfeed_dequeue")
outfeed_dequeue_tuple = _absent("outfeed_dequeue_tuple")
outfeed_enqueue = _absent("outfeed_enqueue")
outfeed_enqueue_tuple = _absent("outfeed_enqueue_tuple")
keras_to_tpu_model = _absent("keras_to_tpu_model")
device_assignment = _absent("device_assignment")
TPUDistributionStrategy = _absent("TPUDistributionStrategy")
initialize_system = _absent("initialize_system")
shutdown_system = _absent("shutdown_system")
for _name in (
    "infeed_dequeue", "infeed_dequeue_tuple", "infeed_enqueue", "infeed_enqueue_tuple", "outfeed_dequeue",
    "outfeed_dequeue_tuple", "outfeed_enqueue", "outfeed_enqueue_tuple", "keras_to_tpu_model", "device_assignment",
    "TPUDistributionStrategy",
):
    public_value(f"contrib.tpu.{_name}", name=_name)
for _name in ("initialize_system", "shutdown_system"):
    public_value(f"contrib.tpu.{_name}", f"tpu.{_name}", name=_name)
