"""Bijectors that rearrange: new shapes, and permutations."""

from __future__ import annotations

from typing import Any

import numpy as np

from ossia_core.declare.shape_rules import constant
from ossia_core.graph.convert import constant as constant_op
from ossia_core.graph.convert import convert_to_tensor
from ossia_core.graph.scopes import name_scope
from ossia_core.graph.tensor import Tensor
from ossia_core.names.dtypes import int32
from ossia_core.names.shapes import TensorShape
from ossia_core.plugins.api_table import public
from ossia_core.primitives.identity import with_dependencies
from ossia_debugging.comparisons import assert_equal, assert_greater_equal, assert_less_equal
from ossia_distributions.bijectors.bijector import Bijector
from ossia_ops.array.concat import concat
from ossia_ops.array.fill import fill
from ossia_ops.array.gather import gather
from ossia_ops.array.masking import boolean_mask
from ossia_ops.array.selection import where_v2
from ossia_ops.array.shape import rank as rank_op
from ossia_ops.array.shape import reshape, shape
from ossia_ops.array.shape import size as size_op
from ossia_ops.array.transposition import invert_permutation
from ossia_ops.math.cast import cast
from ossia_ops.math.comparison import equal, greater_equal
from ossia_ops.math.elementwise import abs as abs_op
from ossia_ops.math.reduction import reduce_prod, reduce_sum
from ossia_ops.math.sequence import range as range_op
from ossia_ops.math.sort import top_k


@public("contrib.distributions.bijectors.Permute")
class Permute(Bijector):
    """The components of the last axis in another order.

    Args:
      permutation: the vector of the places that they come from, whole numbers from 0.
      validate_args: whether it is checked that each comes once.
      name: scope of its methods; "permute" if None.

    Raises:
      TypeError: the places are no integers.
      ValueError: they are known and no permutation.
    """

    def __init__(self, permutation: Any, validate_args: bool = False, name: str | None = None) -> None:
        with name_scope(name or "permute", values=[permutation]):
            permutation = convert_to_tensor(permutation, name="permutation")
            if not permutation.dtype.is_integer:
                raise TypeError(f"permutation.dtype ({permutation.dtype.name}) should be `int`-like.")
            known = constant(permutation)
            if known is not None:
                if not np.all(np.sort(known) == np.arange(known.size)):
                    raise ValueError("Permutation over `d` must contain exactly one of each of `{0, 1, ..., d}`.")
            elif validate_args:
                ordered, _ = top_k(-permutation, k=shape(permutation)[-1], sorted=True)
                each = assert_equal(
                    -ordered,
                    range_op(size_op(permutation)),
                    message="Permutation over `d` must contain exactly one of each of `{0, 1, ..., d}`.",
                )
                permutation = with_dependencies([each], permutation)
            self._permutation = permutation
            super().__init__(
                forward_min_event_ndims=1,
                is_constant_jacobian=True,
                validate_args=validate_args,
                name=name or "permute",
            )

    @property
    def permutation(self) -> Tensor:
        """The places that components come from."""
        return self._permutation

    def _forward(self, x: Tensor) -> Tensor:
        return gather(x, self.permutation, axis=-1)

    def _inverse(self, y: Tensor) -> Tensor:
        return gather(y, invert_permutation(self.permutation), axis=-1)

    def _inverse_log_det_jacobian(self, y: Tensor) -> Tensor:
        return constant_op(0.0, dtype=y.dtype)

    def _forward_log_det_jacobian(self, x: Tensor) -> Tensor:
        return constant_op(0.0, dtype=x.dtype)


@public("contrib.distributions.bijectors.Reshape")
class Reshape(Bijector):
    """Events in another shape of the same size.

    Args:
      event_shape_out: the shape of images, with at most one -1.
      event_shape_in: the shape of arguments, with at most one -1.
      validate_args: whether runs check shapes.
      name: scope of its methods; "reshape" if None.

    Raises:
      TypeError: a shape is not of integers.
      ValueError: a shape is no vector, or has more than one -1 or other negative sizes, or they differ in size.
    """

    def __init__(
        self, event_shape_out: Any, event_shape_in: Any = (-1,), validate_args: bool = False, name: str | None = None
    ) -> None:
        with name_scope(name, "reshape", values=[event_shape_out, event_shape_in]):
            event_shape_out = convert_to_tensor(event_shape_out, name="event_shape_out", preferred_dtype=int32)
            event_shape_in = convert_to_tensor(event_shape_in, name="event_shape_in", preferred_dtype=int32)
            asserted = [*_checks(event_shape_out, validate_args), *_checks(event_shape_in, validate_args)]
            self._event_shape_in = with_dependencies(asserted, event_shape_in) if asserted else event_shape_in
            self._event_shape_out = with_dependencies(asserted, event_shape_out) if asserted else event_shape_out
            super().__init__(
                forward_min_event_ndims=0,
                is_constant_jacobian=True,
                validate_args=validate_args,
                name=name or "reshape",
            )

    def _forward(self, x: Tensor) -> Tensor:
        return self._changed(x, self._event_shape_in, self._event_shape_out)

    def _inverse(self, y: Tensor) -> Tensor:
        return self._changed(y, self._event_shape_out, self._event_shape_in)

    def _inverse_log_det_jacobian(self, y: Tensor) -> Tensor:
        return constant_op(0.0, dtype=y.dtype)

    def _forward_log_det_jacobian(self, x: Tensor) -> Tensor:
        return constant_op(0.0, dtype=x.dtype)

    def _changed(self, x: Tensor, old: Tensor, new: Tensor) -> Tensor:
        event_ndims = shape(old)[0]
        rank = rank_op(x)
        known = constant(rank)
        sizes = shape(x)
        batch = sizes[:(rank if known is None else known) - abs_op(event_ndims)]
        return reshape(x, concat([batch, new], 0))

    def _forward_event_shape_tensor(self, input_shape: Tensor) -> Tensor:
        return self._changed_sizes(input_shape, self._event_shape_in, self._event_shape_out)

    def _inverse_event_shape_tensor(self, output_shape: Tensor) -> Tensor:
        return self._changed_sizes(output_shape, self._event_shape_out, self._event_shape_in)

    def _changed_sizes(self, sizes: Tensor, old: Tensor, new: Tensor) -> Tensor:
        """What becomes of sizes that end with those of an event."""
        split = size_op(sizes) - size_op(old)
        asserted = _fits(sizes[split:], old) if self.validate_args else []
        known = constant(new)
        if known is not None and not np.any(known == -1):
            return with_dependencies(asserted, concat([sizes[:split], new], 0))
        total = reduce_prod(sizes[split:])
        filled = where_v2(equal(new, -1), fill(shape(new), -total // reduce_prod(new)), new)
        return with_dependencies(asserted, concat([sizes[:split], filled], 0))

    def _forward_event_shape(self, input_shape: TensorShape) -> TensorShape:
        return _static_change(input_shape, self._event_shape_in, self._event_shape_out)

    def _inverse_event_shape(self, output_shape: TensorShape) -> TensorShape:
        return _static_change(output_shape, self._event_shape_out, self._event_shape_in)


def _checks(sizes: Tensor, validate_args: bool) -> list:
    if not sizes.dtype.is_integer:
        raise TypeError(f"{sizes} dtype ({sizes.dtype.name}) should be `int`-like.")
    asserted: list = []
    rank = rank_op(sizes)
    message = f"`{sizes}` rank should be <= 1."
    known_rank = constant(rank)
    if known_rank is not None and known_rank > 1:
        raise ValueError(message)
    if validate_args:
        asserted.append(assert_less_equal(rank, 1, message=message))
    known = constant(sizes)
    if known is not None:
        if np.sum(known == -1) > 1:
            raise ValueError(f"`{sizes}` must have at most one `-1` (given {known})")
        if np.any(known < -1):
            raise ValueError(f"`{sizes}` elements must be either positive integers or `-1`(given {known}).")
        if np.all(known >= 0):
            return asserted
    if validate_args:
        unknown = reduce_sum(cast(equal(sizes, -1), int32))
        asserted.append(assert_less_equal(unknown, 1, message=f"`{sizes}` elements must have at most one `-1`."))
        asserted.append(
            assert_greater_equal(
                sizes, -1, message=f"`{sizes}` elements must be either positive integers or `-1`."
            )
        )
    return asserted


def _fits(found: Tensor, wanted: Tensor) -> list:
    """Asserts that sizes are those wanted, where these are not -1."""
    known = greater_equal(wanted, 0)
    return [
        assert_equal(
            boolean_mask(found, known),
            boolean_mask(wanted, known),
            message="Input `event_shape` does not match `event_shape_in`.",
        )
    ]


def _static_change(sizes: TensorShape, old: Tensor, new: Tensor) -> TensorShape:
    known_old, known_new = constant(old), constant(new)
    if sizes.ndims is None or known_old is None or known_new is None:
        return TensorShape(None)
    split = sizes.ndims - len(known_old)
    if split < 0:
        raise ValueError(f"Input has {sizes.ndims} axes, fewer than event_shape_in ({len(known_old)}).")
    event = sizes.as_list()[split:]
    for size, wanted in zip(event, known_old):
        if size is not None and wanted != -1 and size != wanted:
            raise ValueError("Input `event_shape` does not match `event_shape_in`.")
    changed: list[int | None] = [int(size) for size in known_new]
    if -1 in changed:
        rest = int(np.prod([size for size in known_new if size != -1]))
        total = None if None in event else int(np.prod(event))
        changed[changed.index(-1)] = None if total is None else total // rest  # type: ignore[call-overload]
    return sizes[:split].concatenate(changed)
