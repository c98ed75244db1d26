"""Samples of vectors as columns of matrices, for linear operators, and back."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from ossia_core.declare.shape_rules import constant
from ossia_core.graph.convert import convert_to_tensor
from ossia_core.graph.scopes import name_scope
from ossia_core.graph.tensor import Tensor
from ossia_core.names.dtypes import int32
from ossia_core.primitives.identity import with_dependencies
from ossia_debugging.comparisons import assert_non_negative
from ossia_debugging.kinds import assert_integer
from ossia_distributions.choice import pick_vector
from ossia_ops.array.concat import concat
from ossia_ops.array.fill import zeros
from ossia_ops.array.part import slice_
from ossia_ops.array.selection import where_v2
from ossia_ops.array.shape import rank, reshape, shape, squeeze
from ossia_ops.array.transposition import transpose
from ossia_ops.math.comparison import equal, less
from ossia_ops.math.division import floormod
from ossia_ops.math.logical import logical_and
from ossia_ops.math.sequence import range as range_op


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
            self.batch_ndims = convert_to_tensor(batch_ndims, name="batch_ndims", dtype=int32)
            self.event_ndims = convert_to_tensor(event_ndims, name="event_ndims", dtype=int32)
            if validate_args:
                self.batch_ndims = self._non_negative(self.batch_ndims)
                self.event_ndims = self._non_negative(self.event_ndims)
            self._no_batch = _is_zero(self.batch_ndims)
            self._no_event = _is_zero(self.event_ndims)

    def to_matrices(self, x: Any, expand_batch_dim: bool = True) -> tuple[Tensor, Tensor]:
        """From `sample + batch + event` to `batch + event + [number of samples]`, and the shape of the samples."""
        with self._name_scope("make_batch_of_event_sample_matrices", [x]):
            x = convert_to_tensor(x, name="x")
            sample_shape, batch_shape, event_shape = self.parts(x)
            event_shape = pick_vector(self._no_event, [1], event_shape, as_given=True)
            if expand_batch_dim:
                batch_shape = pick_vector(self._no_batch, [1], batch_shape, as_given=True)
            x = reshape(x, concat([[-1], batch_shape, event_shape], 0))
            return rotate_transpose(x, shift=-1), sample_shape

    def from_matrices(self, x: Any, sample_shape: Any, expand_batch_dim: bool = True) -> Tensor:
        """The way back."""
        with self._name_scope("undo_make_batch_of_event_sample_matrices", [x, sample_shape]):
            x = convert_to_tensor(x, name="x")
            sample_shape = convert_to_tensor(sample_shape, dtype=int32, name="sample_shape")
            x = rotate_transpose(x, shift=1)
            if constant(self.batch_ndims) is not None and constant(self.event_ndims) is not None:
                axes = [-1] * bool(self._no_event) + [1] * bool(self._no_batch and expand_batch_dim)
                if axes:
                    x = squeeze(x, axis=axes)
                _, batch_shape, event_shape = self.parts(x)
            else:
                sizes = shape(x)
                batch_shape = sizes[1:1 + self.batch_ndims]
                start = where_v2(logical_and(expand_batch_dim, self._no_batch), 2, 1 + self.batch_ndims)
                event_shape = sizes[start:start + self.event_ndims]
            return reshape(x, concat([sample_shape, batch_shape, event_shape], 0))

    def parts(self, x: Any) -> tuple[Tensor, Tensor, Tensor]:
        """The sizes along the sample, batch and event axes of `x`."""
        with self._name_scope("get_shape", [x]):
            x = convert_to_tensor(x, name="x")
            samples = self._sample_ndims(x)
            zero = zeros([], dtype=int32, name="zero")
            return (
                self._slice(x, [zero], samples, "sample_shape"),
                self._slice(x, [samples], self.batch_ndims, "batch_shape"),
                self._slice(x, [samples, self.batch_ndims], self.event_ndims, "event_shape"),
            )

    def _sample_ndims(self, x: Tensor) -> Tensor:
        with self._name_scope("get_shape", [x]):
            with self._name_scope("get_shape", [x]):
                if x.shape.ndims is None:
                    ndims = rank(x, name="ndims")
                else:
                    ndims = convert_to_tensor(x.shape.ndims, dtype=int32, name="ndims")
            known = [constant(part) for part in (ndims, self.batch_ndims, self.event_ndims)]
            if all(number is not None for number in known):
                samples = known[0] - known[1] - known[2]
                if samples < 0:
                    raise ValueError(f"expected batch_ndims({known[1]}) + event_ndims({known[2]}) <= ndims({known[0]})")
                return convert_to_tensor(np.int32(samples), name="sample_ndims")
            with name_scope("sample_ndims"):
                samples = ndims - self.batch_ndims - self.event_ndims
                return self._non_negative(samples) if self._validate_args else samples

    def _slice(self, x: Tensor, before: list[Tensor], size: Tensor, name: str) -> Tensor:
        known = [constant(part) for part in (size, *before)]
        if x.shape.ndims is not None and all(number is not None for number in known):
            start = sum(int(number) for number in known[1:])
            sizes = x.shape[start:start + int(known[0])].as_list()
            if None not in sizes:
                return convert_to_tensor(sizes, dtype=int32, name=name)
        return slice_(shape(x), [sum(before)], [size])

    def _non_negative(self, ndims: Tensor) -> Tensor:
        known = constant(ndims)
        if known is None:
            return with_dependencies([assert_non_negative(ndims)], ndims)
        if known < 0:
            raise ValueError("Number of dimensions should be nonnegative.")
        return ndims

    @contextmanager
    def _name_scope(self, name: str, values: list | None = None) -> Iterator[str]:
        parts = [getattr(self, part, None) for part in ("batch_ndims", "event_ndims")]
        with name_scope(self._name), name_scope(name, values=[*(values or []), *parts]) as scope:
            yield scope


def rotate_transpose(x: Any, shift: Any, name: str = "rotate_transpose") -> Tensor:
    """`x` with its axes moved `shift` places to the right, those at the end to the front."""
    with name_scope(name, values=[x, shift]):
        x = convert_to_tensor(x, name="x")
        shift = convert_to_tensor(shift, name="shift")
        assert_integer(shift)
        known, ndims = constant(shift), x.shape.ndims
        if ndims is not None and known is not None:
            places = 0 if ndims < 2 else np.sign(known) * (abs(known) % ndims)
            return x if places == 0 else transpose(x, perm=np.roll(np.arange(ndims), places))
        ndims = rank(x)
        shift = where_v2(less(shift, 0), floormod(-shift, ndims), ndims - floormod(shift, ndims))
        first, last = range_op(0, shift), range_op(shift, ndims)
        return transpose(x, perm=concat([last, first], 0))


def _is_zero(x: Tensor) -> Any:
    known = constant(x)
    return equal(x, 0) if known is None else bool(known == 0)
