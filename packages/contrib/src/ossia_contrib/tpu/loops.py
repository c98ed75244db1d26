"""Loops of TPU programs as loops of this device, and what only a TPU has."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import ossia as tf
from ossia_contrib.tpu.estimator import NO_TPU
from ossia_core.plugins.api_table import public, public_value


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
for _name in (
    "infeed_dequeue", "infeed_dequeue_tuple", "infeed_enqueue", "infeed_enqueue_tuple", "outfeed_dequeue",
    "outfeed_dequeue_tuple", "outfeed_enqueue", "outfeed_enqueue_tuple", "keras_to_tpu_model", "device_assignment",
    "TPUDistributionStrategy",
):
    public_value(f"contrib.tpu.{_name}", name=_name)
