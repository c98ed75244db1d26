"""An optimizer that keeps averages of the variables beside them."""

from __future__ import annotations

from typing import Any

import ossia as tf
from ossia_core.plugins.api_table import public


@public("contrib.opt.MovingAverageOptimizer")
class MovingAverageOptimizer(tf.train.Optimizer):
    """An optimizer that averages what another one trains.

    Args:
      opt: the other optimizer.
      average_decay: decay of the averages.
      num_updates: as of `tf.train.ExponentialMovingAverage`.
      sequential_update: whether averages are made after the step, or at the same time.
    """

    def __init__(
        self, opt: Any, average_decay: float = 0.9999, num_updates: Any = None, sequential_update: bool = True
    ) -> None:
        self._optimizer = opt
        self._ema = tf.train.ExponentialMovingAverage(average_decay, num_updates=num_updates)
        self._swapped_variable_name_map: dict[str, str] | None = None
        self._sequential_update = sequential_update

    def compute_gradients(self, *args: Any, **kwargs: Any) -> Any:
        """As of the other optimizer."""
        return self._optimizer.compute_gradients(*args, **kwargs)

    def apply_gradients(self, grads_and_vars: Any, global_step: Any = None, name: str | None = None) -> Any:
        """An op that applies the gradients and brings the averages up to date."""
        grads_and_vars = list(grads_and_vars)
        step = self._optimizer.apply_gradients(grads_and_vars, global_step=global_step, name=name)
        trained = [var for grad, var in grads_and_vars if grad is not None]
        with tf.control_dependencies([step] if self._sequential_update else []):
            averages = self._ema.apply(trained)
        self._swapped_variable_name_map = {}
        for var in trained:
            average = self._ema.average(var)
            self._swapped_variable_name_map[var.op.name] = average.op.name
            self._swapped_variable_name_map[average.op.name] = var.op.name
        return tf.group(step, averages, name="train_with_avg")

    def swapping_saver(self, var_list: Any = None, name: str = "swapping_saver", **kwargs: Any) -> Any:
        """A saver that writes averages under the names of their variables, and the variables under theirs.

        Args:
          var_list: as of `tf.train.Saver`.
          name: name of the saver.
          **kwargs: further arguments of `tf.train.Saver`.

        Raises:
          RuntimeError: nothing is trained yet.
          ValueError: of a variable and its average, one is not to be saved.
        """
        swapped = self._swapped_variable_name_map
        if swapped is None:
            raise RuntimeError("Must call apply_gradients or minimize before creating the swapping_saver")
        if var_list is None:
            var_list = tf.global_variables()
        if not isinstance(var_list, dict):
            var_list = {var.op.name: var for var in var_list}
        by_name = {var.op.name: var for var in var_list.values()}
        saved = {}
        for key, var in var_list.items():
            other = swapped.get(var.op.name, var.op.name)
            if other not in by_name:
                raise ValueError(f"Variable to swap {other} is not in variables to save: {sorted(by_name)}")
            saved[key] = by_name[other]
        return tf.train.Saver(saved, name=name, **kwargs)

    def get_slot(self, var: Any, name: str) -> Any:
        """As of the other optimizer."""
        return self._optimizer.get_slot(var, name)

    def get_slot_names(self) -> list[str]:
        """As of the other optimizer."""
        return self._optimizer.get_slot_names()

    def variables(self) -> list[Any]:
        """As of the other optimizer."""
        return self._optimizer.variables()
