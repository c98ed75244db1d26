"""Training under a distribution strategy: the model built once for each replica, a batch for each, one step for all."""
from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from ossia_core.primitives.identity import group
from ossia_distribute.strategy.inputs import input_context
from ossia_distribute.strategy.values import ReduceOp
from ossia_estimator.input_results import DatasetInitializerHook, is_dataset, split_pair
from ossia_estimator.model_spec import EstimatorSpec
from ossia_session.run_hook import SessionRunHook


class _Built(NamedTuple):
    """What a replica has built; in a tuple with the tensors, as strategies put structures of tensors together."""

    loss: Any
    spec: Any


class _Opaque:
    """Keeps a specification from being taken apart."""

    def __init__(self, spec: EstimatorSpec) -> None:
        self.spec = spec


def batches(strategy: Any, call: Callable[[Any], Any]) -> tuple[Any, Any, list[SessionRunHook]]:
    """Features and labels of each replica, and the hook that starts the input.

    Args:
        strategy: The strategy, in whose scope this is.
        call: Calls the input function with an InputContext.

    Raises:
        ValueError: The input function returns no dataset.
    """

    def dataset(context: Any) -> Any:
        result = call(context)
        if not is_dataset(result):
            raise ValueError("input_fn must return a tf.data.Dataset or a callable.")
        return result

    iterator = strategy.make_input_fn_iterator(dataset)
    features, labels = split_pair(iterator.get_next())
    return features, labels, [DatasetInitializerHook(iterator)]


def context_of(strategy: Any) -> Any:
    """The InputContext of the only pipeline of this process; None without a strategy."""
    return None if strategy is None else input_context(strategy)


def replicated_spec(strategy: Any, build: Callable[[Any, Any], EstimatorSpec], features: Any, labels: Any) -> Any:
    """One specification for all replicas: the mean of their losses, and all of their training operations.

    Args:
        strategy: The strategy, in whose scope this is.
        build: Builds the model of a replica from its features and labels.
        features: Of each replica.
        labels: Of each replica.
    """

    def replica(features: Any, labels: Any) -> _Built:
        spec = build(features, labels)
        return _Built(spec.loss, _Opaque(spec))

    built = strategy.extended.call_for_each_replica(replica, args=(features, labels))
    specs = [kept.spec for kept in strategy.experimental_local_results(built.spec)]
    loss = strategy.extended.reduce_to(ReduceOp.MEAN, built.loss)
    first = specs[0]
    if len(specs) == 1:
        return first._replace(loss=loss)
    return first._replace(
        loss=loss, train_op=group(*[spec.train_op for spec in specs]),
        **{
            name: _unique([hook for spec in specs for hook in getattr(spec, name)])
            for name in ("training_hooks", "training_chief_hooks")
        },
    )


def _unique(hooks: list[SessionRunHook]) -> tuple:
    return tuple({id(hook): hook for hook in hooks}.values())
