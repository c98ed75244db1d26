"""Connected regions of images."""

from __future__ import annotations

from typing import Any

import numpy as np

import ossia as tf
from ossia_core.declare.opdef import op
from ossia_core.declare.shape_rules import unchanged
from ossia_core.names.errors import InvalidArgumentError
from ossia_core.plugins.api_table import public

image_connected_components_op = op(
    "ImageConnectedComponents(image: dtype) -> components: int64",
    dtype="{int64, int32, uint16, int16, uint8, int8, half, float, double, bool, string}",
)


@image_connected_components_op.shape
def _(image):
    return unchanged(image)


@image_connected_components_op.kernel
def _(image):
    if image.ndim != 3:
        raise InvalidArgumentError(None, None, "Input images must have rank 3")
    lit = image != (b"" if image.dtype == object else image.dtype.type(0))
    places = np.arange(image.size).reshape(image.shape)
    pairs = []
    head, tail, whole = slice(None, -1), slice(1, None), slice(None)
    for one, other in (((whole, head), (whole, tail)), ((whole, whole, head), (whole, whole, tail))):
        same = ((image[one] == image[other]) & lit[one]).astype(bool)
        pairs.append(np.stack([places[one][same], places[other][same]]))
    first, second = np.concatenate(pairs, axis=1)
    roots = places.ravel()
    while True:  # neighbours take the smaller root of the two, until no pair is left whose roots differ
        ends = roots[first], roots[second]
        low, high = np.minimum(*ends), np.maximum(*ends)
        open_pairs = low != high
        if not open_pairs.any():
            break
        np.minimum.at(roots, high[open_pairs], low[open_pairs])
        while (followed := roots[roots] != roots).any():
            roots[followed] = roots[roots[followed]]
        first, second = first[open_pairs], second[open_pairs]
    return np.where(lit.astype(bool), roots.reshape(image.shape) + 1, 0).astype(np.int64)


image_connected_components_op.not_differentiable()
image_connected_components_op.samples(
    numbers=[[[1, 1, 2], [0, 2, 2], [2, 0, 1]]],
    booleans=[[[True, False], [True, True]]],
    words=[[[b"a", b"b"], [b"a", b""]]],
    empty=np.zeros((0, 2, 2), np.int32),
    spiral=np.array([[[1, 1, 1, 1], [0, 0, 0, 1], [1, 1, 0, 1], [1, 0, 0, 1], [1, 1, 1, 1]]], np.uint8),
    refused_rank=[[1, 2]],
)


@public("contrib.image.connected_components")
def connected_components(images: Any) -> Any:
    """Numbers the regions of equal pixels, of which each touches the next one at a side.

    Args:
      images: an image `[height, width]`, or `[batch, height, width]`.

    Returns:
      The number of each pixel's region, from 1 through all images; 0 where the image is zero.

    Raises:
      TypeError: the images have another rank.
    """
    with tf.name_scope("connected_components"):
        given = tf.convert_to_tensor(images, name="images")
        rank = len(given.get_shape())
        if rank == 2:
            given = given[None, :, :]
        elif rank != 3:
            raise TypeError(f"images should have rank 2 (HW) or 3 (NHW). Static shape is {given.get_shape()}")
        components = image_connected_components_op(given)
        names, places = tf.unique(tf.reshape(components, [-1]))
        zero = tf.where(tf.equal(names, 0))[:, 0]
        numbers = tf.range(tf.shape(names)[0] - tf.shape(zero)[0]) + 1
        numbers = tf.cond(
            tf.equal(tf.shape(zero)[0], 0), lambda: numbers, lambda: _with_zero(numbers, tf.cast(zero[0], tf.int32))
        )
        numbered = tf.reshape(tf.gather(numbers, places), tf.shape(given))
        return numbered[0, :, :] if rank == 2 else numbered


def _with_zero(numbers: Any, place: Any) -> Any:
    return tf.concat([numbers[:place], [0], numbers[place:]], 0)
