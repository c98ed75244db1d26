"""Linear operators that scale vectors, made of diagonals, triangles and multiples of the identity."""

from __future__ import annotations

import functools
from typing import Any

from ossia_core.declare.shape_rules import constant
from ossia_core.graph.convert import convert_to_tensor
from ossia_core.graph.scopes import name_scope
from ossia_core.graph.tensor import Tensor
from ossia_core.names.dtypes import float32, int32
from ossia_core.names.shapes import TensorShape
from ossia_core.primitives.identity import with_dependencies
from ossia_debugging.comparisons import assert_none_equal
from ossia_debugging.comparisons import assert_positive as assert_positive_op
from ossia_linear_operators.diag import LinearOperatorDiag
from ossia_linear_operators.identity import LinearOperatorIdentity
from ossia_linear_operators.lower_triangular import LinearOperatorLowerTriangular
from ossia_linear_operators.scaled_identity import LinearOperatorScaledIdentity
from ossia_ops.array.diagonal import matrix_band_part, matrix_diag_part, matrix_set_diag
from ossia_ops.array.fill import zeros
from ossia_ops.array.shape import shape
from ossia_ops.math.broadcast import broadcast_dynamic_shape, broadcast_static_shape


def dimension_size(x: Tensor, axis: int) -> Any:
    """The size of an axis: an int where it is known."""
    known = None if x.shape.ndims is None else x.shape.as_list()[axis]
    return shape(x)[axis] if known is None else known


def tril_scale(
    loc: Any = None,
    scale_tril: Any = None,
    scale_diag: Any = None,
    scale_identity_multiplier: Any = None,
    shape_hint: Any = None,
    validate_args: bool = False,
    assert_positive: bool = False,
    name: str | None = None,
) -> Any:
    """A LinearOperator that is the sum of a lower triangle, a diagonal and a multiple of the identity.

    Args:
      loc: a tensor whose last axis has the size of the matrix, for one that is a multiple of the identity.
      scale_tril: the triangle, of shape [..., k, k].
      scale_diag: the diagonal, of shape [..., k].
      scale_identity_multiplier: the multiple.
      shape_hint: the size of the matrix.
      validate_args: whether runs check the diagonal.
      assert_positive: whether it has to be positive, and not only free of zeros.
      name: scope of the parts.

    Raises:
      ValueError: the size of the matrix does not follow from anything given.
    """

    def checked_diagonal(x: Any) -> Any:
        if not validate_args:
            return x
        if assert_positive:
            check = assert_positive_op(
                matrix_diag_part(x) if x is scale_tril else x, message="diagonal part must be positive"
            )
        else:
            part = matrix_diag_part(x) if x is scale_tril else x
            check = assert_none_equal(part, zeros([], x.dtype), message="diagonal part must be non-zero")
        return with_dependencies([check], x)

    with name_scope(name, "make_tril_scale", values=[loc, scale_diag, scale_identity_multiplier]):
        loc = _as_tensor(loc, "loc")
        scale_tril = _as_tensor(scale_tril, "scale_tril")
        scale_diag = _as_tensor(scale_diag, "scale_diag")
        scale_identity_multiplier = _as_tensor(scale_identity_multiplier, "scale_identity_multiplier")
    if scale_tril is not None:
        scale_tril = matrix_band_part(scale_tril, -1, 0)
        tril_diag = matrix_diag_part(scale_tril)
        if scale_diag is not None:
            tril_diag += scale_diag
        if scale_identity_multiplier is not None:
            tril_diag += scale_identity_multiplier[..., None]
        scale_tril = matrix_set_diag(scale_tril, tril_diag)
        return LinearOperatorLowerTriangular(
            tril=checked_diagonal(scale_tril),
            is_non_singular=True,
            is_self_adjoint=False,
            is_positive_definite=assert_positive,
        )
    return diag_scale(
        loc=loc,
        scale_diag=scale_diag,
        scale_identity_multiplier=scale_identity_multiplier,
        shape_hint=shape_hint,
        validate_args=validate_args,
        assert_positive=assert_positive,
        name=name,
    )


def diag_scale(
    loc: Any = None,
    scale_diag: Any = None,
    scale_identity_multiplier: Any = None,
    shape_hint: Any = None,
    validate_args: bool = False,
    assert_positive: bool = False,
    name: str | None = None,
    dtype: Any = None,
) -> Any:
    """The same of a diagonal and a multiple of the identity."""

    def checked(x: Any) -> Any:
        if not validate_args:
            return x
        if assert_positive:
            check = assert_positive_op(x, message="diagonal part must be positive")
        else:
            check = assert_none_equal(x, zeros([], x.dtype), message="diagonal part must be non-zero")
        return with_dependencies([check], x)

    with name_scope(name, "make_diag_scale", values=[loc, scale_diag, scale_identity_multiplier]):
        loc = _as_tensor(loc, "loc", dtype)
        scale_diag = _as_tensor(scale_diag, "scale_diag", dtype)
        scale_identity_multiplier = _as_tensor(scale_identity_multiplier, "scale_identity_multiplier", dtype)
        if scale_diag is not None:
            if scale_identity_multiplier is not None:
                scale_diag += scale_identity_multiplier[..., None]
            return LinearOperatorDiag(
                diag=checked(scale_diag),
                is_non_singular=True,
                is_self_adjoint=True,
                is_positive_definite=assert_positive,
            )
        if loc is None and shape_hint is None:
            raise ValueError(
                "Cannot infer `event_shape` unless `loc` or `shape_hint` is specified."
            )
        num_rows = shape_hint
        if num_rows is None:
            num_rows = loc.shape.as_list()[-1] if loc.shape.ndims else None
            if num_rows is None:
                num_rows = shape(loc)[-1]
        if scale_identity_multiplier is None:
            return LinearOperatorIdentity(
                num_rows=num_rows,
                dtype=(float32 if loc is None else loc.dtype.base_dtype),
                is_self_adjoint=True,
                is_positive_definite=True,
                assert_proper_shapes=validate_args,
            )
        return LinearOperatorScaledIdentity(
            num_rows=num_rows,
            multiplier=checked(scale_identity_multiplier),
            is_non_singular=True,
            is_self_adjoint=True,
            is_positive_definite=assert_positive,
            assert_proper_shapes=validate_args,
        )


def shapes_from_loc_and_scale(loc: Any, scale: Any, name: str = "shapes_from_loc_and_scale") -> tuple[Any, Any]:
    """The batch and event shapes of vectors that are moved by `loc` and scaled by an operator.

    Returns:
      Two tensors, or TensorShapes where they are known.

    Raises:
      ValueError: the sizes of the vectors differ.
    """
    if loc is not None and loc.shape.ndims == 0:
        loc = None  # a number moves vectors of any size
    with name_scope(name, values=[loc, *scale.graph_parents]):
        event_size = scale.range_dimension_tensor()
        known_size = constant(event_size)
        loc_size = None if loc is None or loc.shape.ndims is None else loc.shape.as_list()[-1]
        if known_size is not None and loc_size is not None:
            if loc_size not in (1, known_size):
                raise ValueError(
                    f"Event size of 'scale' ({known_size}) could not be broadcast up to that of 'loc' ({loc_size})."
                )
        elif loc_size is not None and loc_size != 1:
            known_size = loc_size
        event_shape = event_size[None] if known_size is None else [int(known_size)]
        batch_shape = scale.batch_shape_tensor()
        if loc is not None:
            loc_batch_shape: Any = loc.shape.with_rank_at_least(1)[:-1]
            if loc.shape.ndims is None or not loc_batch_shape.is_fully_defined():
                loc_batch_shape = shape(loc)[:-1]
            else:
                loc_batch_shape = convert_to_tensor(loc_batch_shape.as_list(), int32, name="loc_batch_shape")
            return _broadcast_sizes(batch_shape, loc_batch_shape), event_shape
        known_batch = constant(batch_shape)
        return batch_shape if known_batch is None else known_batch, event_shape


def _broadcast_sizes(shape1: Tensor, shape2: Tensor) -> Any:
    """The shape to which two vectors of sizes broadcast, an array where both are known."""
    shape1 = convert_to_tensor(shape1, int32)
    known1 = constant(shape1)
    shape2 = convert_to_tensor(shape2, int32)
    known2 = constant(shape2)
    if known1 is not None and known2 is not None:
        return broadcast_static_shape(TensorShape(known1), TensorShape(known2)).as_list()
    return broadcast_dynamic_shape(shape1, shape2)


def _as_tensor(x: Any, name: str, dtype: Any = None) -> Tensor | None:
    return None if x is None else convert_to_tensor(x, name=name, dtype=dtype)


def is_diagonal(scale: Any) -> bool:
    """Whether an operator is known to be diagonal."""
    kinds = (LinearOperatorIdentity, LinearOperatorScaledIdentity, LinearOperatorDiag)
    return isinstance(scale, kinds)


def broadcast_shape(*tensors: Tensor) -> Any:
    """The shape to which tensors broadcast: a TensorShape where it is known, else a tensor."""
    known = functools.reduce(broadcast_static_shape, [tensor.shape for tensor in tensors])
    if known.is_fully_defined():
        return known.as_list()
    return functools.reduce(broadcast_dynamic_shape, [shape(tensor) for tensor in tensors])
