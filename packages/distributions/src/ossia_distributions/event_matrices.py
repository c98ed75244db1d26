"""Samples of vectors as columns of matrices, for linear operators, and back."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

import ossia as tf
from ossia_core.declare.shape_rules import constant
from ossia_core.graph.tensor import Tensor
from ossia_core.primitives.identity import with_dependencies
from ossia_distributions.choice import pick_vector


class EventMatrices:
    """Parts of shapes: sample axes, then batch axes, then event axes; the numbers of the last two are given.

    Args:
      batch_ndims: how many batch axes there are.
      event_ndims: how many event axes.
      validate_args: whether runs check that no number of axes is negative.
      name: scope of what the methods build.
    """

    def __init__(
        self,
        batch_ndims: Any = None,
        event_ndims: Any = None,
        validate_args: bool = False,
        name: str = "DistributionShape",
    ) -> None:
        self._name, self._validate_args = name, validate_args
        with self._name_scope("init"):
            self.batch_ndims = tf.convert_to_tensor(batch_ndims, name="batch_ndims", dtype=tf.int32)
            self.event_ndims = tf.convert_to_tensor(event_ndims, name="event_ndims", dtype=tf.int32)
            if validate_args:
                self.batch_ndims = self._non_negative(self.batch_ndims)
                self.event_ndims = self._non_negative(self.event_ndims)
            self._no_batch = _is_zero(self.batch_ndims)
            self._no_event = _is_zero(self.event_ndims)

    def to_matrices(self, x: Any, expand_batch_dim: bool = True) -> tuple[Tensor, Tensor]:
        """From `sample + batch + event` to `batch + event + [number of samples]`, and the shape of the samples."""
        with self._name_scope("make_batch_of_event_sample_matrices", [x]):
            x = tf.convert_to_tensor(x, name="x")
            sample_shape, batch_shape, event_shape = self.parts(x)
            event_shape = pick_vector(self._no_event, [1], event_shape, as_given=True)
            if expand_batch_dim:
                batch_shape = pick_vector(self._no_batch, [1], batch_shape, as_given=True)
            x = tf.reshape(x, tf.concat([[-1], batch_shape, event_shape], 0))
            return rotate_transpose(x, shift=-1), sample_shape

    def from_matrices(self, x: Any, sample_shape: Any, expand_batch_dim: bool = True) -> Tensor:
        """The way back."""
        with self._name_scope("undo_make_batch_of_event_sample_matrices", [x, sample_shape]):
            x = tf.convert_to_tensor(x, name="x")
            sample_shape = tf.convert_to_tensor(sample_shape, dtype=tf.int32, name="sample_shape")
            x = rotate_transpose(x, shift=1)
            if constant(self.batch_ndims) is not None and constant(self.event_ndims) is not None:
                axes = [-1] * bool(self._no_event) + [1] * bool(self._no_batch and expand_batch_dim)
                if axes:
                    x = tf.squeeze(x, axis=axes)
                _, batch_shape, event_shape = self.parts(x)
            else:
                sizes = tf.shape(x)
                batch_shape = sizes[1:1 + self.batch_ndims]
                start = tf.where_v2(tf.logical_and(expand_batch_dim, self._no_batch), 2, 1 + self.batch_ndims)
                event_shape = sizes[start:start + self.event_ndims]
            return tf.reshape(x, tf.concat([sample_shape, batch_shape, event_shape], 0))

    def parts(self, x: Any) -> tuple[Tensor, Tensor, Tensor]:
        """The sizes along the sample, batch and event axes of `x`."""
        with self._name_scope("get_shape", [x]):
            x = tf.convert_to_tensor(x, name="x")
            samples = self._sample_ndims(x)
            zero = tf.zeros([], dtype=tf.int32, name="zero")
            return (
                self._slice(x, [zero], samples, "sample_shape"),
                self._slice(x, [samples], self.batch_ndims, "batch_shape"),
                self._slice(x, [samples, self.batch_ndims], self.event_ndims, "event_shape"),
            )

    def _sample_ndims(self, x: Tensor) -> Tensor:
        with self._name_scope("get_shape", [x]):
            with self._name_scope("get_shape", [x]):
                if x.shape.ndims is None:
                    ndims = tf.rank(x, name="ndims")
                else:
                    ndims = tf.convert_to_tensor(x.shape.ndims, dtype=tf.int32, name="ndims")
            known = [constant(part) for part in (ndims, self.batch_ndims, self.event_ndims)]
            if all(number is not None for number in known):
                samples = known[0] - known[1] - known[2]
                if samples < 0:
                    raise ValueError(f"expected batch_ndims({known[1]}) + event_ndims({known[2]}) <= ndims({known[0]})")
                return tf.convert_to_tensor(np.int32(samples), name="sample_ndims")
            with tf.name_scope("sample_ndims"):
                samples = ndims - self.batch_ndims - self.event_ndims
                return self._non_negative(samples) if self._validate_args else samples

    def _slice(self, x: Tensor, before: list[Tensor], size: Tensor, name: str) -> Tensor:
        known = [constant(part) for part in (size, *before)]
        if x.shape.ndims is not None and all(number is not None for number in known):
            start = sum(int(number) for number in known[1:])
            sizes = x.shape[start:start + int(known[0])].as_list()
            if None not in sizes:
                return tf.convert_to_tensor(sizes, dtype=tf.int32, name=name)
        return tf.slice(tf.shape(x), [sum(before)], [size])

    def _non_negative(self, ndims: Tensor) -> Tensor:
        known = constant(ndims)
        if known is None:
            return with_dependencies([tf.assert_non_negative(ndims)], ndims)
        if known < 0:
            raise ValueError("Number of dimensions should be nonnegative.")
        return ndims

    @contextmanager
    def _name_scope(self, name: str, values: list | None = None) -> Iterator[str]:
        parts = [getattr(self, part, None) for part in ("batch_ndims", "event_ndims")]
        with tf.name_scope(self._name), tf.name_scope(name, values=[*(values or []), *parts]) as scope:
            yield scope


def rotate_transpose(x: Any, shift: Any, name: str = "rotate_transpose") -> Tensor:
    """`x` with its axes moved `shift` places to the right, those at the end to the front."""
    with tf.name_scope(name, values=[x, shift]):
        x = tf.convert_to_tensor(x, name="x")
        shift = tf.convert_to_tensor(shift, name="shift")
        tf.debugging.assert_integer(shift)
        known, ndims = constant(shift), x.shape.ndims
        if ndims is not None and known is not None:
            places = 0 if ndims < 2 else np.sign(known) * (abs(known) % ndims)
            return x if places == 0 else tf.transpose(x, perm=np.roll(np.arange(ndims), places))
        ndims = tf.rank(x)
        shift = tf.where_v2(tf.less(shift, 0), tf.mod(-shift, ndims), ndims - tf.mod(shift, ndims))
        first, last = tf.range(0, shift), tf.range(shift, ndims)
        return tf.transpose(x, perm=tf.concat([last, first], 0))


def _is_zero(x: Tensor) -> Any:
    known = constant(x)
    return tf.equal(x, 0) if known is None else bool(known == 0)
