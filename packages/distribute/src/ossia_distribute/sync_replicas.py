"""`tf.train.SyncReplicasOptimizer`: one update from the mean of the gradients of several replicas."""
from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from ossia_coordination.queue_runner import QueueRunner
from ossia_core.graph.collections import GraphKeys
from ossia_core.graph.composites import IndexedSlices
from ossia_core.graph.operation import Operation
from ossia_core.graph.scopes import colocate_with, control_dependencies, device, name_scope
from ossia_core.graph.tensor import Tensor
from ossia_core.names import dtypes, logging
from ossia_core.plugins.api_table import public
from ossia_core.primitives.identity import group
from ossia_core.primitives.source import no_op
from ossia_core.variables.assignment import assign
from ossia_core.variables.listing import global_variables, report_uninitialized_variables
from ossia_core.variables.variable import VariableV1
from ossia_ops.array.fill import fill
from ossia_optimizers.base import Optimizer
from ossia_queues.accumulator import ConditionalAccumulator
from ossia_queues.fifo import FIFOQueue
from ossia_queues.sparse_accumulator import SparseConditionalAccumulator
from ossia_session.run_hook import SessionRunHook


@public("train.SyncReplicasOptimizer")
class SyncReplicasOptimizer(Optimizer):
    """Wraps an optimizer: replicas put their gradients into accumulators, and wait for a token; the chief takes the
    means, updates the variables and hands out tokens with the new global step. Gradients of earlier steps are dropped.

    Args:
      opt: the optimizer that updates the variables.
      replicas_to_aggregate: how many gradients make one update.
      total_num_replicas: how many replicas there are; `replicas_to_aggregate` if None. Those beyond it are backups;
        where there are fewer, each gives several gradients for one update.
      variable_averages: an ExponentialMovingAverage to bring up to date with every update, or None.
      variables_to_average: the variables that it averages.
      use_locking: whether updates hold locks.
      name: name scope of the accumulators.

    Source: the specification, `tf.train.SyncReplicasOptimizer`.
    """

    def __init__(
        self,
        opt: Optimizer,
        replicas_to_aggregate: int,
        total_num_replicas: int | None = None,
        variable_averages: Any = None,
        variables_to_average: Sequence[Any] | None = None,
        use_locking: bool = False,
        name: str = "sync_replicas",
    ) -> None:
        if total_num_replicas is None:
            total_num_replicas = replicas_to_aggregate
        super().__init__(use_locking, name)
        logging.info(
            "SyncReplicasV2: replicas_to_aggregate=%s; total_num_replicas=%s", replicas_to_aggregate, total_num_replicas
        )
        self._opt = opt
        self._replicas_to_aggregate = replicas_to_aggregate
        self._total_num_replicas = total_num_replicas
        self._tokens_per_step = max(total_num_replicas, replicas_to_aggregate)
        self._variable_averages = variable_averages
        self._variables_to_average = variables_to_average
        self._gradients_applied = False
        self._global_step: Any = None
        self._sync_token_queue: Any = None
        self._chief_queue_runner: Any = None
        self.local_step_init_op: Any = None
        self.chief_init_op: Any = None
        self.ready_for_local_init_op: Any = None

    def compute_gradients(self, *args: Any, **kwargs: Any) -> list[tuple[Any, Any]]:
        """Pairs of gradient and variable, as the wrapped optimizer gives them: those of this replica alone."""
        return self._opt.compute_gradients(*args, **kwargs)

    def apply_gradients(
        self, grads_and_vars: Iterable[tuple[Any, Any]], global_step: Any = None, name: str | None = None
    ) -> Tensor:
        """Everything that makes one update.

        Args:
          grads_and_vars: pairs of gradient, which may be None, and variable.
          global_step: the variable that counts updates.
          name: not used.

        Returns:
          What a replica runs: it gives its gradients, then waits for the update.

        Raises:
          ValueError: no pairs, or no `global_step`.
        """
        pairs = list(grads_and_vars)
        if not pairs:
            raise ValueError("Must supply at least one variable")
        if global_step is None:
            raise ValueError("Global step is required to check staleness")
        self._global_step = global_step
        local_step = self._make_local_step(global_step)
        accumulators: list[tuple[Any, str]] = []
        given: list[Operation] = []
        means: list[Any] = []
        with name_scope(None, self._name):
            for gradient, variable in pairs:
                with device(variable.device):
                    if gradient is None:
                        means.append(None)
                        continue
                    accumulator, give, mean = self._accumulated(gradient, variable, local_step)
                accumulators.append((accumulator, variable.device))
                given.append(give)
                means.append(mean)
            with device(global_step.device), name_scope(""):
                update = self._opt.apply_gradients(list(zip(means, [variable for _, variable in pairs])), global_step)
                train = self._synchronize(update, given, local_step)
            prepare = [self.local_step_init_op]
            for accumulator, place in accumulators:
                with device(place):
                    prepare.append(accumulator.set_global_step(global_step, name="SetGlobalStep"))
            self.chief_init_op = group(*prepare)
        self._gradients_applied = True
        return train

    def _make_local_step(self, global_step: Any) -> Any:
        """The variable with the step that this replica is at: on its own machine, wherever the others are."""
        with colocate_with(no_op()):
            local_step = VariableV1(
                0,
                trainable=False,
                collections=[GraphKeys.LOCAL_VARIABLES],
                dtype=global_step.dtype.base_dtype,
                name="sync_rep_local_step",
            )
        self.local_step_init_op = assign(local_step, global_step)
        self.ready_for_local_init_op = report_uninitialized_variables(global_variables())
        return local_step

    def _accumulated(self, gradient: Any, variable: Any, local_step: Any) -> tuple[Any, Operation, Any]:
        """An accumulator, the operation that gives it a gradient, and the mean of enough of them."""
        shared = variable.name + "/grad_accum"
        if isinstance(gradient, Tensor):
            dense = ConditionalAccumulator(gradient.dtype, shape=variable.shape, shared_name=shared)
            give = dense.apply_grad(gradient, local_step=local_step)
            return dense, give, dense.take_grad(self._replicas_to_aggregate)
        if not isinstance(gradient, IndexedSlices):
            raise ValueError("Unknown grad type!")
        rows = SparseConditionalAccumulator(gradient.dtype, shape=(), shared_name=shared)
        give = rows.apply_indexed_slices_grad(gradient, local_step=local_step)
        return rows, give, rows.take_indexed_slices_grad(self._replicas_to_aggregate)

    def _synchronize(self, update: Operation, given: list[Operation], local_step: Any) -> Tensor:
        """What a replica runs; makes the token queue and the runner that updates and hands out tokens."""
        kind = self._global_step.dtype.base_dtype
        tokens = FIFOQueue(-1, kind, shapes=(), name="sync_token_q", shared_name="sync_token_q")
        self._sync_token_queue = tokens
        # Nothing ever goes through the second queue: a queue runner needs one that it can close.
        closable = FIFOQueue(1, dtypes.int32, shapes=(), name="dummy_queue", shared_name="dummy_queue")
        with control_dependencies(given):
            token = tokens.dequeue()
        train = assign(local_step, token)
        with control_dependencies([update]):
            hand_out = tokens.enqueue_many((fill([self._tokens_per_step], self._global_step),))
        if self._variable_averages is not None:
            with control_dependencies([hand_out]), name_scope(""):
                hand_out = self._variable_averages.apply(self._variables_to_average)
        self._chief_queue_runner = QueueRunner(closable, [hand_out])
        return train

    def get_chief_queue_runner(self) -> QueueRunner:
        """The runner whose thread, on the chief, takes gradients, updates variables and hands out tokens.

        Raises:
          ValueError: `apply_gradients` was not called.
        """
        if not self._gradients_applied:
            raise ValueError("Should be called after apply_gradients().")
        return self._chief_queue_runner

    def get_init_tokens_op(self, num_tokens: int = -1) -> Operation:
        """An operation that hands out tokens before the first update, so that replicas can start.

        Args:
          num_tokens: how many; `replicas_to_aggregate` if -1.

        Raises:
          ValueError: `apply_gradients` was not called, or there are too few for the first update.
        """
        if not self._gradients_applied:
            raise ValueError("get_init_tokens_op() should be called after apply_gradients().")
        needed = self._replicas_to_aggregate - self._total_num_replicas
        if num_tokens == -1:
            num_tokens = self._replicas_to_aggregate
        elif num_tokens < needed:
            raise ValueError(
                f"Too few tokens to finish the first step: {num_tokens} (given) vs {needed} (needed)"
            )
        if num_tokens <= 0:
            return no_op(name="no_init_tokens")
        with device(self._global_step.device), name_scope(""):
            return self._sync_token_queue.enqueue_many((fill([num_tokens], self._global_step),))

    def get_slot(self, *args: Any, **kwargs: Any) -> Any:
        """A slot of the wrapped optimizer."""
        return self._opt.get_slot(*args, **kwargs)

    def get_slot_names(self, *args: Any, **kwargs: Any) -> list[str]:
        """Names of the slots of the wrapped optimizer."""
        return self._opt.get_slot_names(*args, **kwargs)

    def variables(self) -> list[Any]:
        """The variables of the wrapped optimizer."""
        return self._opt.variables()

    def make_session_run_hook(self, is_chief: bool, num_tokens: int = -1) -> SessionRunHook:
        """A hook that prepares the replica and, on the chief, starts the thread that updates the variables.

        Args:
          is_chief: whether this replica is the chief.
          num_tokens: as for `get_init_tokens_op`.
        """
        return _SyncReplicasHook(self, is_chief, num_tokens)


class _SyncReplicasHook(SessionRunHook):
    """Prepares a replica when its session is made."""

    def __init__(self, optimizer: SyncReplicasOptimizer, is_chief: bool, num_tokens: int) -> None:
        self._sync_optimizer = optimizer
        self._is_chief = is_chief
        self._num_tokens = num_tokens

    def begin(self) -> None:
        optimizer = self._sync_optimizer
        if not optimizer._gradients_applied:
            raise ValueError("SyncReplicasOptimizer.apply_gradient should be called before using the hook.")
        self._runner = self._init_tokens = None
        self._local_init = optimizer.local_step_init_op
        if self._is_chief:
            self._local_init = optimizer.chief_init_op
            self._runner = optimizer.get_chief_queue_runner()
            self._init_tokens = optimizer.get_init_tokens_op(self._num_tokens)

    def after_create_session(self, session: Any, coord: Any) -> None:
        missing = session.run(self._sync_optimizer.ready_for_local_init_op)
        if missing.size:
            raise RuntimeError(
                "Init operations did not make model ready for SyncReplicasOptimizer local_init. Init op: "
                f"{self._local_init.name}, error: Variables not initialized: {', '.join(n.decode() for n in missing)}"
            )
        session.run(self._local_init)
        if self._init_tokens is not None:
            session.run(self._init_tokens)
        if self._runner is not None:
            self._runner.create_threads(session, coord=coord, daemon=True, start=True)
