"""Polyharmonic splines through scattered points."""

from __future__ import annotations

from typing import Any

import ossia as tf
from ossia_core.plugins.api_table import public

_EPSILON = 0.0000000001


def _radial(squared: Any, order: int) -> Any:
    """The radial function of a squared distance."""
    with tf.name_scope("phi"):
        if order == 1:
            return tf.sqrt(tf.maximum(squared, _EPSILON))
        if order == 2:
            return 0.5 * squared * tf.log(tf.maximum(squared, _EPSILON))
        if order == 4:
            return 0.5 * tf.square(squared) * tf.log(tf.maximum(squared, _EPSILON))
        squared = tf.maximum(squared, _EPSILON)
        if order % 2 == 0:
            return 0.5 * tf.pow(squared, 0.5 * order) * tf.log(squared)
        return tf.pow(squared, 0.5 * order)


def _solve(points: Any, values: Any, order: int, weight: float) -> tuple[Any, Any]:
    """Weights of the radial functions, and of the linear part."""
    with tf.name_scope("solve"):
        batch, count, dims = tf.unstack(tf.shape(points), num=3)
        dims, channels = points.shape[-1].value, values.shape[-1].value
        with tf.name_scope("construct_linear_system"):
            product = tf.matmul(points, points, transpose_b=True)
            norms = tf.expand_dims(tf.matrix_diag_part(product, name="diag_part"), axis=2)
            squared = norms - 2 * product + tf.transpose(norms, [0, 2, 1])
            radial = _radial(squared, order)
            if weight > 0:
                radial += weight * tf.expand_dims(tf.eye(count, dtype=points.dtype), axis=0)
            ones = tf.ones_like(points[..., :1], dtype=points.dtype)
            linear = tf.concat([points, ones], 2)
            left = tf.concat([radial, tf.transpose(linear, [0, 2, 1])], 1)
            zeros = tf.zeros([batch, dims + 1, dims + 1], dtype=points.dtype)
            right = tf.concat([linear, zeros], 1)
            system = tf.concat([left, right], 2)
            target = tf.concat([values, tf.zeros([batch, dims + 1, channels], points.dtype)], 1)
        with tf.name_scope("solve_linear_system"):
            solved = tf.matrix_solve(system, target)
            return solved[:, :count, :], solved[:, count:, :]


def _predict(query: Any, points: Any, w: Any, v: Any, order: int) -> Any:
    with tf.name_scope("predict"):
        of_query = tf.reduce_sum(tf.square(query), 2)
        of_points = tf.reduce_sum(tf.square(points), 2)
        rows, columns = tf.expand_dims(of_query, 2), tf.expand_dims(of_points, 1)
        squared = rows - 2 * tf.matmul(query, points, transpose_b=True) + columns
        radial = tf.matmul(_radial(squared, order), w)
        linear = tf.concat([query, tf.ones_like(query[..., :1], points.dtype)], 2)
        return radial + tf.matmul(linear, v)


@public("contrib.image.interpolate_spline")
def interpolate_spline(
    train_points: Any, train_values: Any, query_points: Any, order: int, regularization_weight: float = 0.0,
    name: str = "interpolate_spline",
) -> Any:
    """A polyharmonic spline through points, at other points.

    Args:
      train_points: points `[batch, n, d]`, of known d.
      train_values: their values `[batch, n, k]`, of known k.
      query_points: where values are wanted, `[batch, m, d]`.
      order: of the spline; 1 is linear, 2 a thin plate, 3 cubic.
      regularization_weight: how much smoothness is preferred to exact values.
      name: name of the scope.

    Returns:
      Values `[batch, m, k]`.
    """
    with tf.name_scope(name):
        points = tf.convert_to_tensor(train_points)
        values = tf.convert_to_tensor(train_values)
        query = tf.convert_to_tensor(query_points)
        w, v = _solve(points, values, order, regularization_weight)
        return _predict(query, points, w, v, order)
