"""How much a loss is scaled."""

from __future__ import annotations

import abc
from typing import Any

import ossia as tf
from ossia_core.plugins.api_table import public


@public("contrib.mixed_precision.LossScaleManager")
class LossScaleManager(abc.ABC):
    """Says how much a loss is scaled, and learns from every step."""

    @abc.abstractmethod
    def get_loss_scale(self) -> Any:
        """The scale, a scalar."""

    @abc.abstractmethod
    def update_loss_scale(self, finite_grads: Any) -> Any:
        """An op that learns from a step whose gradients are all finite, or not."""


@public("contrib.mixed_precision.FixedLossScaleManager")
class FixedLossScaleManager(LossScaleManager):
    """A scale that stays as it is.

    Args:
      loss_scale: a number of one at least.

    Raises:
      ValueError: it is less.
    """

    def __init__(self, loss_scale: float) -> None:
        if loss_scale < 1:
            raise ValueError("loss scale must be at least 1.")
        self._loss_scale = tf.convert_to_tensor(loss_scale, dtype=tf.float32)

    def get_loss_scale(self) -> Any:
        """The scale, a scalar."""
        return self._loss_scale

    def update_loss_scale(self, finite_grads: Any) -> Any:
        """An op that does nothing."""
        return tf.no_op()


@public("contrib.mixed_precision.ExponentialUpdateLossScaleManager")
class ExponentialUpdateLossScaleManager(LossScaleManager):
    """A scale that grows after some steps with finite gradients, and shrinks after some without.

    Args:
      init_loss_scale: the scale at first.
      incr_every_n_steps: after how many good steps in a row it grows.
      decr_every_n_nan_or_inf: after how many bad steps it shrinks.
      incr_ratio: the factor by which it grows.
      decr_ratio: the factor by which it shrinks; it stays one at least.
    """

    def __init__(
        self, init_loss_scale: float, incr_every_n_steps: int, decr_every_n_nan_or_inf: int = 2,
        incr_ratio: float = 2, decr_ratio: float = 0.8,
    ) -> None:
        self._incr_every_n_steps, self._decr_every_n_nan_or_inf = incr_every_n_steps, decr_every_n_nan_or_inf
        self._incr_ratio, self._decr_ratio = incr_ratio, decr_ratio
        scale = tf.convert_to_tensor(init_loss_scale, tf.float32)
        self._loss_scale: Any = tf.Variable(scale, name="loss_scale", dtype=tf.float32, trainable=False)
        self._num_good_steps: Any = tf.Variable(0, name="good_steps", dtype=tf.int32, trainable=False)
        self._num_bad_steps: Any = tf.Variable(0, name="bad_steps", dtype=tf.int32, trainable=False)

    def _reset_stats(self) -> Any:
        return tf.group(tf.assign(self._num_good_steps, 0), tf.assign(self._num_bad_steps, 0))

    def get_loss_scale(self) -> Any:
        """The scale, a variable."""
        return self._loss_scale

    def update_loss_scale(self, finite_grads: Any) -> Any:
        """An op that counts the step, and changes the scale where it is time to."""

        def grow() -> Any:
            scaled = self._loss_scale * self._incr_ratio
            scale = tf.cond(
                tf.is_finite(scaled), lambda: self._loss_scale * self._incr_ratio, lambda: self._loss_scale
            )
            return tf.group(tf.assign(self._loss_scale, scale), self._reset_stats())

        def good() -> Any:
            return tf.cond(
                self._num_good_steps + 1 >= self._incr_every_n_steps, grow,
                lambda: tf.assign_add(self._num_good_steps, 1).op,
            )

        def shrink() -> Any:
            scale = tf.maximum(1.0, self._loss_scale * self._decr_ratio)
            return tf.group(tf.assign(self._loss_scale, scale), self._reset_stats())

        def bad() -> Any:
            return tf.cond(
                self._num_bad_steps + 1 >= self._decr_every_n_nan_or_inf, shrink,
                lambda: tf.group(tf.assign_add(self._num_bad_steps, 1), tf.assign(self._num_good_steps, 0)),
            )

        return tf.cond(finite_grads, good, bad)
