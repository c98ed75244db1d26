"""Images warped by a flow, given for all pixels or for some points."""

from __future__ import annotations

from typing import Any

import numpy as np

import ossia as tf
from ossia_contrib.image.splines import interpolate_spline
from ossia_core.plugins.api_table import public


def _corner(query: Any, size: Any, name: str) -> tuple[Any, Any, Any]:
    """Where the cell of each point starts and ends along one dimension, and how far in it the point is."""
    with tf.name_scope(name):
        last = tf.cast(size - 2, query.dtype)
        first = tf.constant(0.0, query.dtype)
        start = tf.minimum(tf.maximum(first, tf.floor(query)), last)
        index = tf.cast(start, tf.int32)
        after = index + 1
        part = tf.cast(query - start, query.dtype)
        low, high = tf.constant(0.0, query.dtype), tf.constant(1.0, query.dtype)
        part = tf.expand_dims(tf.minimum(tf.maximum(low, part), high), 2)
        return index, after, part


def _interpolate_bilinear(grid: Any, points: Any) -> Any:
    """Values of `grid` `[batch, height, width, channels]` at points `[batch, count, 2]`, each a row and a column."""
    with tf.name_scope("interpolate_bilinear"):
        shape = grid.get_shape().as_list()
        if len(shape) != 4:
            raise ValueError("Grid must be 4 dimensional. Received size: " + str(grid.get_shape()))
        batch, height, width, channels = (tf.shape(grid)[axis] for axis in range(4))
        rank = len(points.get_shape())
        with tf.control_dependencies([
            tf.assert_equal(rank, 3, message="Query points must be 3 dimensional."),
            tf.assert_equal(tf.shape(points)[2], 2, message="Query points must be size 2 in dim 2."),
        ]):
            count = tf.shape(points)[1]
        with tf.control_dependencies([
            tf.assert_greater_equal(height, 2, message="Grid height must be at least 2."),
            tf.assert_greater_equal(width, 2, message="Grid width must be at least 2."),
        ]):
            rows, columns = tf.unstack(points, axis=2)
        top, bottom, down = _corner(rows, height, "dim-0")
        left, right, along = _corner(columns, width, "dim-1")
        limit = np.iinfo(np.int32).max / 8.0
        with tf.control_dependencies([
            tf.assert_less_equal(
                tf.cast(batch * height * width, dtype=tf.float32), limit,
                message="The image size or batch size is sufficiently large\n"
                "                       that the linearized addresses used by array_ops.gather\n"
                "                       may exceed the int32 limit.",
            )
        ]):
            flat = tf.reshape(grid, [batch * height * width, channels])
            offsets = tf.reshape(tf.range(batch) * height * width, [batch, 1])

        def gathered(row: Any, column: Any, name: str) -> Any:
            with tf.name_scope("gather-" + name):
                values = tf.gather(flat, offsets + row * width + column)
                return tf.reshape(values, [batch, count, channels])

        top_left = gathered(top, left, "top_left")
        top_right = gathered(top, right, "top_right")
        bottom_left = gathered(bottom, left, "bottom_left")
        bottom_right = gathered(bottom, right, "bottom_right")
        with tf.name_scope("interpolate"):
            upper = along * (top_right - top_left) + top_left
            lower = along * (bottom_right - bottom_left) + bottom_left
            return down * (lower - upper) + upper


@public("contrib.image.dense_image_warp")
def dense_image_warp(image: Any, flow: Any, name: str = "dense_image_warp") -> Any:
    """Images whose pixel `[j, i]` is what `image` has at `[j - flow[j, i, 0], i - flow[j, i, 1]]`, interpolated.

    Args:
      image: images `[batch, height, width, channels]`, two pixels high and wide at least.
      flow: flows `[batch, height, width, 2]`.
      name: name of the scope.

    Returns:
      Images of the same shape; beyond the border counts what is at it.

    Raises:
      ValueError: the image has another rank.
      InvalidArgumentError: the image is smaller, when it is run.
    """
    with tf.name_scope(name):
        batch, height, width, channels = (tf.shape(image)[axis] for axis in range(4))
        columns, rows = tf.meshgrid(tf.range(width), tf.range(height))
        grid = tf.cast(tf.stack([rows, columns], axis=2), flow.dtype)
        points = tf.reshape(tf.expand_dims(grid, axis=0) - flow, [batch, height * width, 2])
        return tf.reshape(_interpolate_bilinear(image, points), [batch, height, width, channels])


def _border(height: int, width: int, count: int) -> np.ndarray:
    """Points at the border of an image: its corners, and `count - 1` others along each side."""
    rows, columns = np.linspace(0, height - 1, count + 1), np.linspace(0, width - 1, count + 1)
    points = np.stack(np.meshgrid(rows, columns, indexing="ij"), axis=-1)
    on_border = (points[..., 0] % (height - 1) == 0) | (points[..., 1] % (width - 1) == 0)
    return points[on_border]


@public("contrib.image.sparse_image_warp")
def sparse_image_warp(
    image: Any, source_control_point_locations: Any, dest_control_point_locations: Any, interpolation_order: int = 2,
    regularization_weight: float = 0.0, num_boundary_points: int = 0, name: str = "sparse_image_warp",
) -> Any:
    """Images warped so that points come to given places; between them the flow is a spline.

    Args:
      image: images `[batch, height, width, channels]` of known shape.
      source_control_point_locations: the points, rows and columns `[batch, count, 2]`.
      dest_control_point_locations: where they come to, of the same shape.
      interpolation_order, regularization_weight: as of `interpolate_spline`.
      num_boundary_points: into how many parts each side is divided by points that do not move; 0 for none of them.
      name: name of the scope.

    Returns:
      The warped images, and the flows `[batch, height, width, 2]`.
    """
    image = tf.convert_to_tensor(image)
    source = tf.convert_to_tensor(source_control_point_locations)
    dest = tf.convert_to_tensor(dest_control_point_locations)
    flows = dest - source
    with tf.name_scope(name):
        batch, height, width, _ = image.get_shape().as_list()
        grid = np.stack(np.meshgrid(range(height), range(width), indexing="ij"), axis=-1).reshape(-1, 2)
        points = tf.constant(np.tile(grid[None], (batch, 1, 1)).astype(np.float32), dtype=image.dtype)
        if num_boundary_points > 0:
            border = np.tile(_border(height, width, num_boundary_points)[None], (batch, 1, 1))
            places = tf.constant(border, dtype=dest.dtype)
            still = tf.constant(np.zeros_like(border), dtype=flows.dtype)
            dest, flows = tf.concat([dest, places], 1), tf.concat([flows, still], 1)
        flat = interpolate_spline(dest, flows, points, interpolation_order, regularization_weight)
        flow = tf.reshape(flat, [batch, height, width, 2])
        return dense_image_warp(image, flow), flow
