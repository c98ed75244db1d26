"""The strategy in force, and the replica that a thread builds."""
from __future__ import annotations

import threading
from typing import Any

from ossia_core.graph.stack import get_default_graph
from ossia_core.plugins.api_table import public


class _Stack(threading.local):
    def __init__(self) -> None:
        self.replicas: list[Any] = []  # contexts of replicas, and strategies whose values are merged
        self.default: Any = None


stack = _Stack()
_SCOPE = "distribution strategy"


def _in_force() -> Any:
    """The strategy of the graph's scope, None if there is none."""
    strategies = get_default_graph()._scopes.get(_SCOPE)
    return strategies[-1] if strategies else stack.default


def scopes() -> list[Any]:
    """The strategies whose scopes the default graph is in, the innermost last."""
    return get_default_graph()._scopes.setdefault(_SCOPE, [])


def _default() -> Any:
    from ossia_distribute.strategy.strategy import default_strategy
    return default_strategy()


@public("distribute.get_strategy", "compat.v2.distribute.get_strategy")
def get_strategy() -> Any:
    """The strategy in force: the default one, with a single replica, outside of all scopes."""
    if stack.replicas:
        return stack.replicas[-1].strategy
    return _in_force() or _default()


@public("distribute.has_strategy", "compat.v2.distribute.has_strategy")
def has_strategy() -> bool:
    """Whether a strategy other than the default one is in force."""
    return get_strategy() is not _default()


@public("distribute.get_replica_context", "compat.v2.distribute.get_replica_context")
def get_replica_context() -> Any:
    """The ReplicaContext of the replica that is being built; None in a cross-replica context."""
    if stack.replicas:
        top = stack.replicas[-1]
        return None if top.is_cross else top
    return None if _in_force() else _default().context


@public("distribute.in_cross_replica_context", "compat.v2.distribute.in_cross_replica_context")
def in_cross_replica_context() -> bool:
    """Whether what is built belongs to no single replica."""
    return get_replica_context() is None


@public("distribute.experimental_set_strategy", "compat.v2.distribute.experimental_set_strategy")
def experimental_set_strategy(strategy: Any) -> None:
    """Let a strategy be in force in this thread from now on, as if in its scope; None for no strategy.

    Raises:
      RuntimeError: inside of a strategy's scope.
    """
    if stack.replicas or get_default_graph()._scopes.get(_SCOPE):
        raise RuntimeError("Must not be called inside a `tf.distribute.Strategy` scope.")
    stack.default = strategy


@public("distribute.get_loss_reduction")
def get_loss_reduction() -> Any:
    """How the losses of replicas become one: the mean."""
    from ossia_distribute.strategy.values import ReduceOp
    return ReduceOp.MEAN


class Cross:
    """A part of the program that belongs to no single replica."""

    is_cross = True

    def __init__(self, strategy: Any) -> None:
        self.strategy = strategy


def require_cross(strategy: Any) -> None:
    """Refuse what only belongs into a cross-replica context.

    Raises:
      RuntimeError: a replica is being built, or another strategy is in force.
    """
    if stack.replicas and not stack.replicas[-1].is_cross:
        raise RuntimeError("Method requires being in cross-replica context, use get_replica_context().merge_call()")
    if get_strategy() is not strategy:
        raise RuntimeError(f"Method requires being inside the scope of {strategy}")


