"""GGT (Agarwal et al. 2018: The Case for Full-Matrix Adaptive Regularization)."""

from __future__ import annotations

from typing import Any

import ossia as tf
from ossia_core.plugins.api_table import public


@public("contrib.opt.GGTOptimizer")
class GGTOptimizer(tf.train.Optimizer):
    """Steps preconditioned by the full matrix of the last gradients, which has the window's rank at most.

    Args:
      learning_rate: the rate.
      beta1: decay of the gradients' average.
      use_locking: whether updates hold locks.
      name: name of the optimizer.
      window: how many gradients are kept.
      eps: below this singular value the part outside of the window is left out.
      svd_eps: added to the diagonal before the decomposition.
      sigma_eps: added to the singular values.
    """

    def __init__(
        self, learning_rate: Any = 0.001, beta1: Any = 0.9, use_locking: bool = False, name: str = "GGT",
        window: Any = 10, eps: Any = 1e-4, svd_eps: Any = 1e-6, sigma_eps: Any = 1e-2,
    ) -> None:
        super().__init__(use_locking, name)
        self._given = {
            "beta1": beta1, "eps": eps, "lr": learning_rate, "sigma_eps": sigma_eps, "svd_eps": svd_eps,
            "window": window,
        }
        self.index_dict: dict[str, int] = {}
        self.shape_dict: dict[str, list[int]] = {}
        self._state: dict[str, Any] = {}

    def apply_gradients(self, grads_and_vars: Any, global_step: Any = None, name: str | None = None) -> Any:
        """An op that applies the gradients.

        Raises:
          ValueError: no variable has a gradient.
        """
        pairs = [(grad, var) for grad, var in grads_and_vars if grad is not None]
        if not pairs:
            raise ValueError("No gradients provided for any variable.")
        with tf.name_scope(name, self._name) as scope:
            self._hyper = {
                key: tf.convert_to_tensor(self._call_if_callable(value), name=key)
                for key, value in self._given.items()
            }
        variables = [var for _, var in pairs]
        if not self._state:
            self._create_state(variables)
        with tf.name_scope(scope):
            updates = []
            for grad, var in pairs:
                with tf.name_scope("update_" + var.op.name):
                    updates.append(self._filled(grad, var))
            update = self._finished(variables, updates)
            if global_step is None:
                train = tf.group(update, name=scope)
            else:
                with tf.control_dependencies([update]), tf.colocate_with(global_step):
                    train = tf.assign_add(global_step, 1, name=scope).op
        tf.add_to_collection(tf.GraphKeys.TRAIN_OP, train)
        return train

    def _create_state(self, var_list: list[Any]) -> None:
        size, first = 0, min(var_list, key=lambda var: var.name)
        for var in var_list:
            self.index_dict[var.name], self.shape_dict[var.name] = size, var.shape.as_list()
            size += var.shape.num_elements()
        self.total_size, window = size, self._hyper["window"]
        for name, start in (
            ("global_step", lambda: tf.cast(0.0, tf.float32)), ("grad_buffer", lambda: tf.zeros([window, size])),
            ("moment1", lambda: tf.zeros([size])), ("flat_grad", lambda: tf.zeros([size])),
        ):
            value = start()
            with tf.colocate_with(first):
                self._state[name] = tf.Variable(value, name=name, trainable=False)

    def _filled(self, grad: Any, var: Any) -> Any:
        """The gradient's part of the flat gradient."""
        start, size = self.index_dict[var.name], var.shape.num_elements()
        if isinstance(grad, tf.IndexedSlices):
            raise TypeError("GGTOptimizer takes no sparse gradients.")
        flat = tf.reshape(grad, [-1])
        return tf.scatter_update(self._state["flat_grad"], tf.range(start, start + size), flat)

    def _finished(self, var_list: list[Any], updates: list[Any]) -> Any:
        state, hyper = self._state, self._hyper
        update = tf.group(updates)
        with tf.control_dependencies([update]):
            step = state["global_step"].assign_add(1.0)
            moment = state["moment1"].assign(
                hyper["beta1"] * state["moment1"] + (1 - hyper["beta1"]) * state["flat_grad"]
            )
            row = tf.floormod(tf.cast(step - 1.0, tf.int32), hyper["window"])
            buffer = tf.scatter_update(state["grad_buffer"], row, moment)
            kept = tf.minimum(step, tf.cast(hyper["window"], dtype=tf.float32))
            delta = self._step(buffer, tf.sqrt(kept), tf.expand_dims(moment, -1))
            done = []
            for var in var_list:
                start, size = self.index_dict[var.name], var.shape.num_elements()
                part = tf.reshape(delta[start : start + size], self.shape_dict[var.name])
                done.append(var.assign_sub(hyper["lr"] * part))
            return tf.group(update, *done)

    def _step(self, rows: Any, scale: Any, moment: Any) -> Any:
        """The direction: preconditioned in the span of the kept gradients, over the least singular value outside."""
        hyper, columns = self._hyper, tf.transpose(rows / scale)
        gram = tf.matmul(columns, columns, transpose_a=True)
        values, left, _ = tf.svd(gram + tf.eye(hyper["window"]) * hyper["svd_eps"])
        sigmas = tf.sqrt(values)
        smallest = tf.reduce_min(sigmas)
        cubes = tf.cast(1.0, tf.float32) / tf.pow(sigmas + hyper["sigma_eps"], 3)
        nothing = tf.expand_dims(tf.zeros([self.total_size]), -1)

        def weighted(weights: Any) -> Any:
            diagonal = tf.diag(weights)
            within = tf.matmul(left, tf.matmul(columns, moment, transpose_a=True), transpose_a=True)
            return tf.matmul(columns, tf.matmul(left, tf.matmul(diagonal, within)))

        inside = weighted(cubes)
        outside = (moment - weighted(tf.cast(1.0, tf.float32) / values)) / smallest
        return tf.cond(
            tf.greater(smallest, hyper["eps"]), lambda: tf.add(inside, outside), lambda: tf.add(nothing, inside)
        )
