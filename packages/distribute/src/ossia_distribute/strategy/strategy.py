"""`tf.distribute.Strategy`: where variables are, how often a function is built, how values become one."""
from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from ossia_core.graph.convert import constant
from ossia_core.graph.scopes import device
from ossia_core.names import nest
from ossia_core.names.device import canonical_name
from ossia_core.plugins.api_table import public
from ossia_core.primitives.identity import group as grouped
from ossia_core.variables.creation import variable_creator_scope
from ossia_core.variables.variable_scope import variable_scope
from ossia_distribute.strategy import context
from ossia_distribute.strategy.replicas import ReplicaContext, call_for_each, reduced
from ossia_distribute.strategy.values import InputReplicationMode, PerReplica, ReduceOp


@public("distribute.StrategyExtended", "compat.v2.distribute.StrategyExtended")
class StrategyExtended:
    """What libraries ask of a strategy.

    Args:
      container_strategy: the strategy.
      worker_devices: the devices of its replicas.
      parameter_devices: the devices of its variables.
    """

    experimental_between_graph = False
    experimental_require_static_shapes = False
    experimental_should_init = True
    should_checkpoint = True
    should_save_summary = True

    def __init__(
        self, container_strategy: Any, worker_devices: Sequence[str] = (), parameter_devices: Sequence[str] = ()
    ) -> None:
        self._strategy = container_strategy
        self.worker_devices = tuple(worker_devices)
        self.parameter_devices = tuple(parameter_devices) or self.worker_devices

    @property
    def _num_replicas_in_sync(self) -> int:
        return max(1, len(self.worker_devices))

    def place(self, op: Any) -> str:
        """The device of a variable: what `tf.device` asks for the node that makes it."""
        return self.parameter_devices[0] if self.parameter_devices else ""

    def call_for_each_replica(self, fn: Callable, args: Sequence[Any] = (), kwargs: Any = None) -> Any:
        """Call `fn` once for each replica; PerReplica arguments are taken apart, what it gives is put together."""
        context.require_cross(self._strategy)
        if self._num_replicas_in_sync > 1:
            return call_for_each(self._strategy, fn, args, kwargs)
        with ReplicaContext(self._strategy, constant(0)), device(
            self.worker_devices[0] if self.worker_devices else None
        ):
            return fn(*args, **(kwargs or {}))

    def reduce_to(self, reduce_op: Any, value: Any, destinations: Any = None) -> Any:
        """The sum or mean of the values of the replicas."""
        if isinstance(value, PerReplica):
            with device(self.worker_devices[0] if self.worker_devices else None):
                return reduced(reduce_op, value.values)
        count, kind = self._num_replicas_in_sync, ReduceOp(getattr(reduce_op, "value", reduce_op))
        return value * count if kind is ReduceOp.SUM and count > 1 else value

    def batch_reduce_to(self, reduce_op: Any, value_destination_pairs: Sequence[tuple[Any, Any]]) -> list[Any]:
        """`reduce_to` of several values."""
        return [self.reduce_to(reduce_op, value, place) for value, place in value_destination_pairs]

    def broadcast_to(self, tensor: Any, destinations: Any = None) -> Any:
        """The tensor, for all replicas."""
        return tensor

    def update(self, var: Any, fn: Callable, args: Sequence[Any] = (), kwargs: Any = None, group: bool = True) -> Any:
        """Call `fn(var, *args, **kwargs)` where the variable is."""
        with device(var.device):
            result = fn(var, *args, **(kwargs or {}))
        return result if not group or result is None else grouped(result)

    def update_non_slot(
        self, colocate_with: Any, fn: Callable, args: Sequence[Any] = (), kwargs: Any = None, group: bool = True
    ) -> Any:
        """Call `fn(*args, **kwargs)` where variables are that belong to no single variable."""
        result = fn(*args, **(kwargs or {}))
        return result if not group or result is None else grouped(result)

    def non_slot_devices(self, var_list: Sequence[Any]) -> Any:
        """Where variables are that belong to no single variable."""
        return min(var_list, key=lambda variable: variable.name)

    def read_var(self, v: Any) -> Any:
        """The value of a variable."""
        return v.read_value()

    def colocate_vars_with(self, colocate_with_variable: Any) -> Any:
        """Inside, new variables are where another one is."""
        return device(colocate_with_variable.device)

    def value_container(self, value: Any) -> Any:
        """What holds a value of one of several copies: itself, as variables have one copy."""
        return value

    def variable_created_in_scope(self, v: Any) -> bool:
        """Whether a variable was made in the scope of the strategy."""
        return getattr(v, "_distribute_strategy", None) is self._strategy

    def experimental_make_numpy_dataset(self, numpy_input: Any, session: Any = None) -> Any:
        """A dataset of the rows of arrays."""
        from ossia_core.declare.builders import builder
        return builder("data.Dataset").from_tensor_slices(numpy_input)

    def experimental_run_steps_on_iterator(
        self, fn: Callable, iterator: Any, iterations: int = 1, initial_loop_values: Any = None
    ) -> Any:
        """Call `fn` for one step, or several after each other in a loop.

        Raises:
          NotImplementedError: for several steps.
        """
        if iterations != 1:
            raise NotImplementedError("experimental_run_steps_on_iterator with several iterations")
        made = fn(None, iterator.get_next())
        return grouped(*nest.flatten(made)) if made is not None else None


@public("distribute.Strategy", "compat.v2.distribute.Strategy")
class Strategy:
    """How a model is distributed: variables made in its `scope()` go where it says, functions that it runs are built
    once for each replica. Variables have one copy: replicas of one process share its memory.

    Args:
      extended: the StrategyExtended.
    """

    def __init__(self, extended: StrategyExtended) -> None:
        self._extended = extended

    @property
    def extended(self) -> StrategyExtended:
        """What libraries ask of it."""
        return self._extended

    @property
    def num_replicas_in_sync(self) -> int:
        """How many replicas there are."""
        return self._extended._num_replicas_in_sync

    @contextlib.contextmanager
    def scope(self) -> Iterator[Strategy]:
        """Inside, the strategy is in force: it makes the variables, as resource variables.

        Raises:
          RuntimeError: another strategy is in force.
        """
        if context.has_strategy() and context.get_strategy() is not self:
            raise RuntimeError("Trying to enter the scope of a tf.distribute.Strategy inside of another one's")

        def create(following: Callable, **kwargs: Any) -> Any:
            with device(self._extended.place):
                kwargs["use_resource"] = True
                variable = following(**kwargs)
            variable._distribute_strategy = self
            return variable

        scopes = context.scopes()
        scopes.append(self)
        try:
            made = variable_scope(_current_scope(), use_resource=True, auxiliary_name_scope=False)
            with made, variable_creator_scope(create):
                yield self
        finally:
            scopes.pop()

    def experimental_run_v2(self, fn: Callable, args: Sequence[Any] = (), kwargs: Any = None) -> Any:
        """Call `fn` once for each replica; PerReplica arguments are taken apart, what it gives is put together."""
        with self.scope():
            return self._extended.call_for_each_replica(fn, args, kwargs)

    run = experimental_run_v2

    def experimental_run(self, fn: Callable, input_iterator: Any = None) -> Any:
        """Call `fn` once for each replica, with the next value of the iterator, if there is one."""
        with self.scope():
            args = () if input_iterator is None else (input_iterator.get_next(),)
            return self.experimental_run_v2(fn, args)

    def reduce(self, reduce_op: Any, value: Any, axis: int | None = None) -> Any:
        """The sum or mean over the replicas, and over an axis of the values.

        Args:
          reduce_op: a ReduceOp.
          value: a tensor, or a PerReplica value.
          axis: the axis of each value to reduce too, or None.
        """
        from ossia_core.declare.builders import builder
        kind = ReduceOp(getattr(reduce_op, "value", reduce_op))
        with self.scope():
            if axis is None:
                return self._extended.reduce_to(kind, value)
            parts = value.values if isinstance(value, PerReplica) else (value,)
            total = reduced(ReduceOp.SUM, [builder("reduce_sum")(part, axis) for part in parts])
            if kind is ReduceOp.SUM:
                return total
            sizes = [builder("shape")(part, out_type=builder("int64"))[axis] for part in parts]
            return total / builder("cast")(reduced(ReduceOp.SUM, sizes), total.dtype)

    def experimental_local_results(self, value: Any) -> tuple[Any, ...]:
        """The values of the replicas of this process."""
        return value.values if isinstance(value, PerReplica) else (value,)

    unwrap = experimental_local_results

    def group(self, value: Any, name: str | None = None) -> Any:
        """An operation that runs a value of each replica."""
        return grouped(*[part for v in nest.flatten(value) for part in self.experimental_local_results(v)], name=name)

    def make_dataset_iterator(self, dataset: Any) -> Any:
        """An iterator over a dataset whose batches are divided among the replicas."""
        from ossia_distribute.strategy.inputs import DatasetIterator
        return DatasetIterator(self, dataset)

    def experimental_distribute_dataset(self, dataset: Any) -> Any:
        """A dataset whose batches are divided among the replicas."""
        from ossia_distribute.strategy.inputs import DistributedDataset
        return DistributedDataset(self, dataset)

    def make_input_fn_iterator(
        self, input_fn: Callable, replication_mode: InputReplicationMode = InputReplicationMode.PER_WORKER
    ) -> Any:
        """An iterator over the dataset `input_fn(InputContext)`; each replica takes one batch after the other."""
        from ossia_distribute.strategy.inputs import InputFnIterator, input_context
        if replication_mode is not InputReplicationMode.PER_WORKER:
            raise ValueError(f"Input replication mode not supported: {replication_mode}")
        with self.scope():
            return InputFnIterator(self, input_fn(input_context(self)))

    def experimental_distribute_datasets_from_function(self, dataset_fn: Callable) -> Any:
        """A dataset made by `dataset_fn(InputContext)`, of which each replica takes one batch after the other."""
        from ossia_distribute.strategy.inputs import DistributedDataset, input_context
        return DistributedDataset(self, dataset_fn(input_context(self)), divided=False)

    def experimental_make_numpy_dataset(self, numpy_input: Any, session: Any = None) -> Any:
        """A dataset of the rows of arrays."""
        return self._extended.experimental_make_numpy_dataset(numpy_input, session)

    def colocate_vars_with(self, colocate_with_variable: Any) -> Any:
        """Inside, new variables are where another one is."""
        return self._extended.colocate_vars_with(colocate_with_variable)

    def configure(
        self, session_config: Any = None, cluster_spec: Any = None, task_type: Any = None, task_id: Any = None
    ) -> None:
        """Make a ConfigProto fit, in place."""
        if session_config is not None:
            session_config.CopyFrom(self.update_config_proto(session_config))

    def update_config_proto(self, config_proto: Any) -> Any:
        """A ConfigProto that fits the strategy."""
        made = type(config_proto)()
        made.CopyFrom(config_proto)
        return made


def _current_scope() -> Any:
    from ossia_core.variables.scope import get_variable_scope
    return get_variable_scope()


class _DefaultExtended(StrategyExtended):
    def __init__(self, strategy: Any) -> None:
        super().__init__(strategy)


class DefaultStrategy(Strategy):
    """What is in force where no strategy is: one replica, and nothing is changed."""

    def __init__(self) -> None:
        super().__init__(_DefaultExtended(self))
        self.context = _DefaultContext(self)

    @contextlib.contextmanager
    def scope(self) -> Iterator[Strategy]:
        """Changes nothing.

        Raises:
          RuntimeError: a strategy is in force.
        """
        if context.has_strategy():
            raise RuntimeError("Must not nest tf.distribute.Strategy scopes.")
        yield self


class _DefaultContext(ReplicaContext):
    @property
    def replica_id_in_sync_group(self) -> Any:
        """0."""
        return constant(0)

    def __init__(self, strategy: Any) -> None:
        self._strategy = strategy


_default: DefaultStrategy | None = None


def default_strategy() -> DefaultStrategy:
    """The default strategy."""
    global _default
    if _default is None:
        _default = DefaultStrategy()
    return _default


def local_devices(devices: Sequence[str] | None) -> list[str]:
    """The full names of devices; of the CPU if none are given.

    Raises:
      ValueError: a device stands there twice, or there is none.
    """
    found = [canonical_name(f"/replica:0/task:0{_plain(name)}") for name in devices or ("/device:CPU:0",)]
    if len(set(found)) != len(found):
        raise ValueError(f"Duplicates in `devices` argument: {list(devices or ())}")
    return found


def _plain(name: str) -> str:
    from ossia_core.names.device import DeviceSpec
    spec = DeviceSpec.from_string(name)
    return f"/device:{spec.device_type or 'CPU'}:{spec.device_index or 0}"


