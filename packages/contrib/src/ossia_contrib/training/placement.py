"""Which parameter server gets the next variable: the one with the least load, or any."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

import ossia as tf
from ossia_core.plugins.api_table import public


@public("contrib.training.GreedyLoadBalancingStrategy")
class GreedyLoadBalancingStrategy:
    """The task with the least load so far, for `tf.train.replica_device_setter(ps_strategy=...)`.

    Args:
      num_tasks: how many tasks there are.
      load_fn: the load of an op; `byte_size_load_fn` is one.
    """

    def __init__(self, num_tasks: int, load_fn: Callable[[Any], float]) -> None:
        self._num_tasks = num_tasks
        self._load_fn = load_fn
        self._ps_loads = np.zeros(num_tasks)

    def __call__(self, op: Any) -> int:
        task = int(np.argmin(self._ps_loads))
        self._ps_loads[task] += self._load_fn(op)
        return task


@public("contrib.training.RandomStrategy")
class RandomStrategy:
    """A task at random that is the same in every replica, for `tf.train.replica_device_setter(ps_strategy=...)`.

    Args:
      num_ps_tasks: how many tasks there are.
      seed: seed of the choice.
    """

    def __init__(self, num_ps_tasks: int, seed: int = 0) -> None:
        self._num_tasks = num_ps_tasks
        self._seed = seed

    def __call__(self, op: Any) -> int:
        import hashlib  # few programs choose at random

        digest = hashlib.md5(f"{op.name}_{self._seed}".encode()).hexdigest()
        return int(digest, 16) % self._num_tasks


@public("contrib.training.byte_size_load_fn")
def byte_size_load_fn(op: Any) -> int:
    """How many bytes the variable that an op makes takes.

    Raises:
      ValueError: the shape of its output is not known.
    """
    elem_size = op.outputs[0].dtype.size
    shape = op.outputs[0].get_shape()
    if not shape.is_fully_defined():
        # A variable without a static shape has its size in an attribute of the op.
        shape = tf.TensorShape(op.get_attr("shape"))
    shape.assert_is_fully_defined()
    return shape.num_elements() * elem_size
