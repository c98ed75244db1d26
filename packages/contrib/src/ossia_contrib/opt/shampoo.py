"""Shampoo (Gupta, Koren and Singer 2018): gradients preconditioned along each dimension."""

from __future__ import annotations

from typing import Any

import numpy as np

import ossia as tf
from ossia_core.plugins.api_table import public


@public("contrib.opt.ShampooOptimizer")
class ShampooOptimizer(tf.train.Optimizer):
    """Shampoo: along each dimension of a variable, the gradient is multiplied by a root of the inverse of the
    gradients' covariances.

    Args:
      global_step: the step, for the intervals.
      max_matrix_size: beyond this size of a dimension, its covariances are taken as diagonal.
      gbar_decay, gbar_weight: decay and weight of the gradients' average.
      mat_gbar_decay, mat_gbar_weight: the same of the covariances.
      learning_rate: the rate.
      svd_interval: after how many steps roots are computed.
      precond_update_interval: after how many steps covariances are.
      epsilon: added to the covariances' diagonals.
      alpha: the power of the preconditioners together.
      use_iterative_root: whether roots are computed by iteration; only by decomposition here.
      use_locking: whether updates hold locks.
      name: name of the optimizer.

    Raises:
      NotImplementedError: roots are to be computed by iteration.
    """

    def __init__(
        self, global_step: Any = 0, max_matrix_size: int = 768, gbar_decay: Any = 0.0, gbar_weight: Any = 1.0,
        mat_gbar_decay: Any = 1.0, mat_gbar_weight: Any = 1.0, learning_rate: Any = 1.0, svd_interval: Any = 1,
        precond_update_interval: int = 1, epsilon: float = 1e-4, alpha: float = 0.5, use_iterative_root: bool = False,
        use_locking: bool = False, name: str = "Shampoo",
    ) -> None:
        super().__init__(use_locking, name)
        if use_iterative_root:
            raise NotImplementedError(
                "ShampooOptimizer(use_iterative_root=True): roots are computed by singular value decomposition here."
            )
        self._global_step = tf.cast(global_step, tf.float32)
        self._max_matrix_size, self._epsilon, self._alpha = max_matrix_size, epsilon, alpha
        self._gbar_decay, self._gbar_weight = gbar_decay, gbar_weight
        self._mat_gbar_decay, self._mat_gbar_weight = mat_gbar_decay, mat_gbar_weight
        self._learning_rate, self._svd_interval = learning_rate, svd_interval
        self._precond_update_interval = precond_update_interval

    def _create_slots(self, var_list: Any) -> None:
        for var in var_list:
            with tf.colocate_with(var):
                self._zeros_slot(var, "gbar", self._name)
                for axis, size in enumerate(np.array(var.get_shape())):
                    size = tf.convert_to_tensor(int(size), name="shape_as_tensor")
                    if var.get_shape()[axis].value > self._max_matrix_size:
                        start = tf.zeros([size], dtype=var.dtype.base_dtype)
                    else:
                        start = tf.zeros_like(tf.eye(size, dtype=var.dtype.base_dtype))
                        if self._svd_interval != 1:
                            root = tf.eye(size, dtype=var.dtype.base_dtype)
                            self._get_or_make_slot(var, root, f"H_{axis}", self._name)
                    self._get_or_make_slot(var, start, f"Gbar_{axis}", self._name)

    def _resource_apply_dense(self, grad: Any, var: Any) -> Any:
        return self._step(grad, var)

    def _apply_dense(self, grad: Any, var: Any) -> Any:
        return self._step(grad, var)

    def _resource_apply_sparse(self, grad: Any, var: Any, indices: Any) -> Any:
        return self._step(tf.scatter_nd(tf.expand_dims(indices, 1), grad, tf.shape(var)), var)

    def _apply_sparse(self, grad: Any, var: Any) -> Any:
        return self._resource_apply_sparse(grad.values, var, grad.indices)

    def _averaged(self, average: Any, decay: Any, rest: Any) -> Any:
        """What an average becomes when `rest` is added; it is not kept where nothing of it stays."""
        if decay == 0.0:
            return rest
        if decay == 1.0:
            return average.assign_add(rest)
        return average.assign_add((decay - 1) * average + rest)

    def _due(self, step: Any, interval: Any) -> Any:
        return tf.less(tf.mod(step, float(interval)), 1)

    def _step(self, grad: Any, var: Any) -> Any:
        shape = np.array(var.get_shape())
        power, step = -self._alpha / len(shape), self._global_step + 1
        result = self._averaged(self.get_slot(var, "gbar"), self._gbar_decay, self._gbar_weight * grad)
        for axis, size in enumerate(int(each) for each in shape):
            others = [each for each in range(len(shape)) if each != axis]
            if size > self._max_matrix_size:
                result = self._diagonal(grad, var, result, axis, size, others, power)
                continue
            covariance = tf.cond(
                self._due(step, self._precond_update_interval),
                lambda axis=axis, others=others: self._updated(grad, var, axis, others),
                lambda axis=axis: tf.convert_to_tensor(self.get_slot(var, f"Gbar_{axis}")),
            ) / float(size)
            if self._svd_interval == 1:
                root = self._root(covariance, size, power)
            else:
                root = tf.cond(
                    self._due(step, self._svd_interval),
                    lambda axis=axis, covariance=covariance, size=size: self._root(
                        covariance, size, power, self.get_slot(var, f"H_{axis}")
                    ),
                    lambda axis=axis: tf.convert_to_tensor(self.get_slot(var, f"H_{axis}")),
                )
            result = tf.tensordot(result, root, axes=([0], [0]), name=f"precond_{axis}")
        return var.assign_sub(self._learning_rate * result).op

    def _updated(self, grad: Any, var: Any, axis: int, others: list[int]) -> Any:
        product = tf.tensordot(grad, grad, axes=(others, others), name=f"grad_outer_{axis}")
        weight = self._mat_gbar_weight * self._precond_update_interval
        return self._averaged(self.get_slot(var, f"Gbar_{axis}"), self._mat_gbar_decay, weight * product)

    def _diagonal(
        self, grad: Any, var: Any, result: Any, axis: int, size: int, others: list[int], power: float
    ) -> Any:
        squares = tf.reduce_sum(grad * grad, axis=others) / float(size)
        average = self._averaged(
            self.get_slot(var, f"Gbar_{axis}"), self._mat_gbar_decay, self._mat_gbar_weight * squares
        )
        root = tf.where(tf.greater(average, 0), tf.pow(average, power), tf.zeros_like(average))
        # The next dimension comes first, as after a product of matrices.
        rank = len(var.get_shape())
        return tf.transpose(result, perm=[*range(1, rank), 0]) * root

    def _root(self, matrix: Any, size: int, power: float, kept: Any = None) -> Any:
        if size == 1:
            root = tf.pow(matrix + self._epsilon, power)
            return root if kept is None else kept.assign(root)
        with tf.name_scope("matrix_iterative_power"):
            damping = self._epsilon * tf.eye(tf.cast(size, tf.int32))
            values, left, right = tf.svd(matrix + damping, full_matrices=True)
            root = tf.matmul(right * tf.pow(tf.maximum(values, self._epsilon), power), tf.transpose(left))
            return root if kept is None else kept.assign(root, use_locking=True)
