"""`tf.tpu.CrossShardOptimizer`: one update from the gradients of all shards."""
from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ossia_core.graph.stack import replica_context
from ossia_core.names import logging
from ossia_core.plugins.api_table import public
from ossia_distribute.tpu.replication import cross_replica_sum, number_of_shards
from ossia_optimizers.base import Optimizer

_REDUCTIONS = ("weighted_sum", "weighted_mean")


@public("tpu.CrossShardOptimizer", "contrib.tpu.CrossShardOptimizer")
class CrossShardOptimizer(Optimizer):
    """Wraps an optimizer: it applies the sum of the gradients of all shards, once.

    Args:
      opt: the optimizer.
      reduction: "weighted_mean", the default, or "weighted_sum": whether the loss is the mean over the shards.
      name: its name.
      group_assignment: lists of shards that add up among themselves; only all of them together.

    Raises:
      ValueError: another reduction.
      NotImplementedError: there are several groups.
    """

    def __init__(
        self, opt: Optimizer, reduction: str = "weighted_mean", name: str = "CrossShardOptimizer",
        group_assignment: Any = None,
    ) -> None:
        if reduction not in _REDUCTIONS:
            raise ValueError(f"Unsupported reduction: {reduction}.")
        if group_assignment is not None and len(group_assignment) > 1:
            raise NotImplementedError("CrossShardOptimizer with several groups")
        super().__init__(False, name)
        self._opt, self._reduction = opt, reduction

    def compute_gradients(  # type: ignore[override]
        self, loss: Any, var_list: Any = None, **kwargs: Any
    ) -> list[tuple[Any, Any]]:
        """Pairs of gradient and variable, of the loss divided by the number of shards where the mean is wanted."""
        count = number_of_shards()
        if count is None:
            logging.warning(
                "CrossShardOptimizer should be used within a tpu_shard_context, but got unset number_of_shards. "
                "Assuming 1."
            )
            count = 1
        if count > 1 and self._reduction == "weighted_mean":
            loss = loss * (1.0 / count)
        return self._opt.compute_gradients(loss, var_list=var_list, **kwargs)

    def apply_gradients(
        self, grads_and_vars: Iterable[tuple[Any, Any]], global_step: Any = None, name: str | None = None
    ) -> Any:
        """Apply the sums of the gradients of all shards."""
        pairs = list(grads_and_vars)
        if replica_context() is None:
            pairs = [(None if g is None else cross_replica_sum(g), v) for g, v in pairs]
        return self._opt.apply_gradients(pairs, global_step, name)  # of several replicas it adds up by itself

    def get_slot(self, *args: Any, **kwargs: Any) -> Any:
        """A slot of the wrapped optimizer."""
        return self._opt.get_slot(*args, **kwargs)

    def get_slot_names(self, *args: Any, **kwargs: Any) -> list[str]:
        """Names of the slots of the wrapped optimizer."""
        return self._opt.get_slot_names(*args, **kwargs)

    def variables(self) -> list[Any]:
        """The variables of the wrapped optimizer."""
        return self._opt.variables()
